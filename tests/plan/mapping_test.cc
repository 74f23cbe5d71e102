// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP as messages of ACCP and back: the lines of vectors/mapping.jsonl, and what has no place
// there.
#include <fstream>

#include "accp/parts.h"
#include "plan/sacp_face.h"

namespace {

using accp_test::Sacp;

// A line of the vectors.
class Line {
public:
    explicit Line(const std::string &json) {
        EXPECT_EQ(accp_value_new(nullptr, &value_, nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_parse_json(value_, json.data(), json.size(), nullptr), ACCP_OK);
    }
    Line(const Line &) = delete;
    Line &operator=(const Line &) = delete;
    ~Line() { accp_value_free(value_); }

    uint32_t find(const std::string &key) const {
        return accp_value_find(value_, 0, key.data(), key.size());
    }
    std::string json(const std::string &key) const {
        accp_text out = {};
        if (find(key)) accp_value_print_json(value_, find(key), &out, nullptr);
        return accp_test::to_string(out);
    }
    std::string text(const std::string &key) const {
        const std::string quoted = json(key);
        return quoted.empty() ? quoted : quoted.substr(1, quoted.size() - 2);
    }

private:
    accp_value *value_ = nullptr;
};

TEST(Mapping, Vectors) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/plan/vectors/mapping.jsonl");
    Sacp sacp;
    int count = 0;
    for (std::string text; std::getline(file, text); ++count) {
        const Line line(text);
        SCOPED_TRACE(line.text("name"));
        const std::string message = line.json("accp"), want = line.json("sacp");
        if (line.text("direction") == "both") {
            EXPECT_EQ(sacp.to_message(want, line.text("agent")), message);
        }
        if (line.find("verdict")) {
            sacp.from_message(message);
            accp_verdict verdict = {};
            accp_sacp_verdict(sacp.get(), &verdict, nullptr);
            EXPECT_EQ(verdict.code, ACCP_SACP_MALFORMED_MESSAGE);
        } else {
            EXPECT_EQ(sacp.from_message(message), want);
        }
    }
    EXPECT_EQ(count, 44);
}

// What goes there and back is what it was, however deep it is.
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
    };
    Sacp sacp;
    for (const std::string &text : refused)
        EXPECT_EQ(sacp.from_message(text).substr(0, 15), R"({"status":"ERR")") << text;
}

}  // namespace
