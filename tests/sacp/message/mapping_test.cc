// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The mapping to ACCP and back: vectors/mapping.jsonl, and messages that cannot be mapped.
#include "sacp/message/mapping.h"

#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

// Maps in both directions; returns the verdict if a message is refused.
class Sacp {
public:
    Sacp() { none_.read({}, kMaxBytes, verdict); }

    std::string to_message(const std::string &sacp, const std::string &agent) {
        Buffer<char> out(memory_);
        return text(mapper_.to_accp(sacp, agent, kMaxBytes, out, verdict), out);
    }
    std::string from_message(const std::string &message) {
        Buffer<char> out(memory_);
        return text(mapper_.from_accp(message, kMaxBytes, out, verdict), out);
    }

private:
    std::string text(bool made, Buffer<char> &out) {
        EXPECT_EQ(made, !out.empty());
        if (!made) verdict.write(out);
        return std::string(out.view());
    }

    Memory memory_{private_allocator(), UINT64_MAX};
    Library none_{memory_};
    Mapper mapper_{memory_, none_};

public:
    Verdict verdict{memory_};
};

TEST(Mapping, Vectors) {
    Sacp sacp;
    for (const std::string &text : read_lines(vectors("mapping.jsonl"))) {
        const Case line(text);
        SCOPED_TRACE(line.text("name"));
        const std::string message = line.json(line.find("accp"));
        const uint32_t verdict = line.find("verdict");
        const std::string want = verdict ? "" : line.json(line.find("sacp"));
        if (line.text("direction") == "both") {
            EXPECT_EQ(sacp.to_message(want, line.text("agent")), message);
        }
        const std::string back = sacp.from_message(message);
        if (verdict) EXPECT_EQ(summary_of(sacp.verdict), summary_of(line, verdict));
        else EXPECT_EQ(back, want);
    }
}

// A mapping to ACCP and back gives the same message at any depth.
TEST(Mapping, FailedResultThatIsDeep) {
    Sacp sacp;
    const std::string failed =
        R"({"g":"G","plan":[["v","T",{}]],"state":"FAILED","result":{"error":{"status":"ERR",)"
        R"("code":"TIMEOUT","details":"late","more":[[[[[1]]]]]},"step_results":{"1":2}}})";
    const std::string message = sacp.to_message(failed, "a");
    EXPECT_NE(message.find(R"("deep":{"result":)"), std::string::npos) << message;
    EXPECT_EQ(sacp.from_message(message), failed);
}

TEST(Mapping, WhatHasNoPlace) {
    const std::string refused[] = {
        R"(7)",
        R"({})",
        R"({"status":"MAYBE"})",
        R"({"status":"ERR","code":"OWN","details":""})",
        R"({"status":"ERR","code":"LIMIT","details":1})",
        R"({"status":"ERR","code":"LIMIT","details":"","retry":1})",
        R"({"status":"VALID","deep":1})",
        R"({"query":{"verb":"v"},"top_k":1})",
        R"({"query":[]})",
        R"({"query":{"schema":"X"}})",
    };
    Sacp sacp;
    for (const std::string &text : refused)
        EXPECT_EQ(sacp.to_message(text, "a").substr(0, 15), R"({"status":"ERR")") << text;
}

TEST(Mapping, MessagesThatAreNone) {
    const std::string refused[] = {
        R"([])",
        R"({"agent":"a","intent":"req","operation":"execute"})",
        R"({"intent":"req","operation":"execute","payload":[]})",
        R"({"intent":"sync","operation":"execute","payload":{"g":"G","plan":[]}})",
        R"({"intent":"req","operation":"search","payload":{"g":"G","plan":[]}})",
        R"({"intent":"req","operation":"execute","payload":{"g":"G","plan":[],"own":1}})",
        R"({"intent":"req","operation":"execute","payload":{"g":"G","deep":{"plan":"["}}})",
        R"({"intent":"req","operation":"execute","payload":{"g":"G","deep":{"plan":[]}}})",
        R"({"intent":"req","operation":"execute","payload":{"g":"G","plan":[],"deep":{"plan":"[]"}}})",
        // states that contradict the intent, at each place
        R"({"intent":"req","operation":"execute","payload":{"g":"G","plan":[],"deep":{"state":"\"DONE\""}}})",
        R"({"intent":"wait","operation":"execute","payload":{"g":"G","plan":[],"deep":{"state":"\"DONE\""}}})",
        R"({"intent":"fail","operation":"error","payload":{"g":"G","plan":[],"state":"DONE"}})",
        R"({"intent":"fail","operation":"error","payload":{"g":"G","plan":[],"deep":{"state":"\"DONE\""}}})",
        // members that would be there twice or change the kind of the message
        R"({"intent":"fail","operation":"error","payload":{"schema":"ER","code":"E1001","msg":"m","details":1}})",
        R"({"intent":"fail","operation":"error","payload":{"schema":"ER","code":"E1001","msg":"m","status":"VALID"}})",
        R"({"intent":"fail","operation":"error","payload":{"schema":"ER","deep":{"details":"1"}}})",
        R"({"intent":"fail","operation":"error","payload":{"schema":"ER","deep":{"g":"\"G\""}}})",
        R"({"intent":"ack","operation":"execute","payload":{"status":"ERR"}})",
        R"({"intent":"ack","operation":"execute","payload":{"g":"G","plan":[]}})",
        R"({"intent":"qry","operation":"clarify","payload":{"deep":{"status":"\"ERR\""}}})",
        R"({"intent":"done","operation":"lookup","payload":{"schema":"CAP","status":"VALID"}})",
        R"({"intent":"done","operation":"lookup","payload":{"g":"G","plan":[]}})",
        R"({"intent":"done","operation":"lookup","payload":{"query":{"verb":"v"}}})",
    };
    Sacp sacp;
    for (const std::string &text : refused)
        EXPECT_EQ(sacp.from_message(text).substr(0, 15), R"({"status":"ERR")") << text;
    EXPECT_EQ(sacp.from_message(
                  R"({"intent":"ack","operation":"execute","payload":{"status":"VALID","n":1}})"),
              R"({"status":"VALID","n":1})");
}

}  // namespace
