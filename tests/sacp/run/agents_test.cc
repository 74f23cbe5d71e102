// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls as messages for agents, and the results of their replies (SACP-RULES R60 to R64).
// random_test.cc shows that they equal the results of tool calls.
#include <gtest/gtest.h>

#include "failing.h"
#include "sacp/run/host.h"

using namespace accp;
using accp_test::Host;
using accp_test::kId;
using sacp::Effect;
using sacp::Reception;
using sacp::RequestStatus;

namespace {

// The text of a message with its id replaced.
std::string request_of(Host &host, const Effect &call, const sacp::Delegate &to = {"A", ""}) {
    Buffer<char> out(host.memory);
    const std::string key(call.key);
    if (host.run.write_request(call.call, to, out) != RequestStatus::kWritten) return "none";
    std::string made = accp_unit::text_of(out);
    const size_t at = made.find(key);
    return at == made.npos ? "no key: " + made : made.replace(at, key.size(), "KEY");
}

struct RequestCase {
    const char *plan;     // and the members after it
    const char *outputs;  // the output of each call before the examined one
    uint32_t calls;       // the number of those calls
    const char *request;
};

const RequestCase kRequests[] = {
    {R"([["do","T",{"a":1.50}]])", "1", 0,
     R"({"g":"G","plan":[["do","T",{"a":1.50}]],"msg_id":"KEY.0.0"})"},
    {R"([["do","T",{"a":"$ctx.k"}]],"ctx":{"k":[1],"z":"$ctx.k"},"msg_id":"m1")", "1", 0,
     R"({"g":"G","ctx":{"k":[1],"z":"$ctx.k"},"plan":[["do","T",{"a":[1]}]],"msg_id":"KEY.0.0",)"
     R"("reply_to":"m1"})"},
    // only the agent of the last step may write prose
    {R"([["do","T",{}],["show","U",{"x":"$step.1"}]],"out_fmt":"human")", "7", 0,
     R"({"g":"G","plan":[["do","T",{}]],"msg_id":"KEY.0.0"})"},
    {R"([["do","T",{}],["show","U",{"x":"$step.1"}]],"out_fmt":"human")", "7", 1,
     R"({"g":"G","plan":[["show","U",{"x":7}]],"out_fmt":"human","msg_id":"KEY.1.0"})"},
    {R"([["do","T",{}]],"out_fmt":"summary")", "7", 0,
     R"({"g":"G","plan":[["do","T",{}]],"out_fmt":"summary","msg_id":"KEY.0.0"})"},
    {R"([{"parallel":[["do","T",{}]]}],"out_fmt":"human")", "7", 0,
     R"({"g":"G","plan":[["do","T",{}]],"msg_id":"KEY.1.0"})"},
    // an output is never a reference, whatever it looks like; neither is a key
    {R"([["do","T",{}],["do","U",{"x":"$step.1","$ctx.y":"$$step.1"}]])",
     R"(["$ctx.secret","$$","$5","a\"$step.1",{"$sub.1":"$sub.1"}])", 1,
     R"({"g":"G","plan":[["do","U",{"x":["$$ctx.secret","$$$","$5","a\"$step.1",)"
     R"({"$sub.1":"$$sub.1"}],"$ctx.y":"$$step.1"}]],"msg_id":"KEY.1.0"})"},
    // the member subtask has its own goal, and no prose
    {R"([["do","T",{}]],"out_fmt":"human","subtask":{"g":"S","out_fmt":"human","plan":[["a","B",{}]]})",
     "1", 0, R"({"g":"S","plan":[["a","B",{}]],"msg_id":"KEY.1.0"})"},
    // not a dry run, and the message states that
    {R"([["do","T",{}]],"ctx":{"test_mode":true},"test_mode":false)", "1", 0,
     R"({"g":"G","ctx":{"test_mode":true},"plan":[["do","T",{}]],"msg_id":"KEY.0.0",)"
     R"("test_mode":false})"},
    {R"([{"parallel":[["do","T",{}]]},["join","J",{}]])", "1", 1, "none"},
};

TEST(Agents, ACallIsAMessageWithOneStep) {
    for (const RequestCase &one : kRequests) {
        Host host(one.plan);
        ASSERT_TRUE(host.read) << one.plan << host.verdict.details();
        host.run.start(kId, 0);
        Effect call = host.next(0);
        for (uint32_t i = 0; i < one.calls; ++i) {
            ASSERT_EQ(host.run.complete(call.call, {}, one.outputs, 0), Reception::kAccepted);
            call = host.next(0);
        }
        ASSERT_EQ(call.kind, Effect::kCall);
        EXPECT_EQ(request_of(host, call), one.request) << one.plan;
        host.run.cancel(0);
        EXPECT_EQ(request_of(host, call), "none") << "nobody waits for it";
    }
}

TEST(Agents, AMessageIsNoDeeperThanMessagesAre) {
    for (const uint32_t depth : {124u, 125u}) {
        Host host(R"([["do","T",{}],["do","U",{"x":"$step.1"}]])");
        host.run.start(kId, 0);
        const Effect first = host.next(0);
        host.run.complete(first.call, {}, std::string(depth, '[') + std::string(depth, ']'), 0);
        EXPECT_EQ(request_of(host, host.next(0)) == "none", depth == 125u);
    }
}

struct ReplyCase {
    const char *members;  // of the reply, after its reply_to
    const char *outcome;  // empty: the call continues
    const char *told;     // in the record: the output or the reason
    const char *role = "";
    const char *out_fmt = "raw";
};

const char *const kPlan = R"("g":"G","plan":[["a","B",{}]])";

const ReplyCase kReplies[] = {
    {R"(PLAN,"state":"DONE","result":{"output":[1],"step_results":{}})", "OK", R"("output":[1])"},
    {R"(PLAN,"state":"DONE","result":{"n":2})", "OK", R"("output":{"n":2})"},
    {R"(PLAN,"state":"IN_PROGRESS")", "", ""},
    {R"("status":"VALID")", "", ""},
    {R"(PLAN,"state":"FAILED")", "TOOL_FAILED", "the agent failed without a reason"},
    {R"(PLAN,"state":"FAILED","result":{"error":{"status":"ERR","code":"TIMEOUT","details":"d"}})",
     "TIMEOUT", "TIMEOUT: d"},
    {R"("status":"ERR","code":"TOOL_FAILED","details":"it broke")", "TOOL_FAILED",
     "TOOL_FAILED: it broke"},
    {R"("status":"ERR","code":"NO_AGENT","details":"d")", "NO_AGENT", "NO_AGENT: d"},
    {R"("status":"ERR","code":"UNKNOWN_VERB","details":"d")", "NO_AGENT", "UNKNOWN_VERB: d"},
    {R"("status":"ERR","code":"UNKNOWN_TOOL","details":"d")", "NO_AGENT", "UNKNOWN_TOOL: d"},
    {R"("status":"ERR","code":"VERB_TOOL_MISMATCH","details":"d")", "NO_AGENT", "_MISMATCH: d"},
    {R"("status":"ERR","code":"OTHER","details":"d")", "TOOL_FAILED", "OTHER: d"},
    {R"("status":"REQ_CLARIFY","need":["step.1.city"])", "TOOL_FAILED",
     R"(the agent asks for [\"step.1.city\"])"},
    // a reply that breaks the rules is a failure too
    {R"("status":"DONE")", "TOOL_FAILED", "status must be"},
    {R"("g":1,"plan":[])", "TOOL_FAILED", "g"},
    {R"("g":"G","plan":[],"state":"DONE")", "TOOL_FAILED", "the reply needs something"},
    {R"(PLAN,"state":"DONE","out_fmt":"human","result":{"output":1})", "TOOL_FAILED",
     "may not write prose"},
    {R"(PLAN,"state":"DONE","out_fmt":"human","result":{"output":1})", "OK", R"("output":1)",
     "formatter"},
    {R"(PLAN,"state":"DONE","out_fmt":"human","result":{"output":1})", "OK", R"("output":1)", "",
     "human"},
    {R"(PLAN,"state":"DONE","result":{"output":1})", "TOOL_FAILED", "out_fmt is summary", "",
     "summary"},
    {R"(PLAN,"state":"DONE","result":{"output":1,"summary":"s"})", "OK", R"("output":1)", "",
     "summary"},
};

// Makes the reply to a message, with its id.
std::string reply_to(const std::string &request, std::string members) {
    const size_t id = request.find("\"msg_id\":\"") + 10;
    if (const size_t at = members.find("PLAN"); at != members.npos) members.replace(at, 4, kPlan);
    return "{\"reply_to\":\"" + request.substr(id, request.find('"', id) - id) + "\"," + members +
           "}";
}

std::string whole_request(Host &host, uint64_t call, const sacp::Delegate &to) {
    Buffer<char> out(host.memory);
    EXPECT_EQ(host.run.write_request(call, to, out), RequestStatus::kWritten);
    return accp_unit::text_of(out);
}

TEST(Agents, AReplyIsAnAnswerOrAFailure) {
    for (const ReplyCase &one : kReplies) {
        Host host(R"([["do","T",{}]],"out_fmt":")" + std::string(one.out_fmt) + "\"",
                  R"({"retries":0})");
        host.run.start(kId, 0);
        const Effect call = host.next(0);
        const std::string request = whole_request(host, call.call, {"A", one.role}),
                          reply = reply_to(request, one.members);
        EXPECT_EQ(host.run.receive("A", reply, 0), Reception::kAccepted) << reply;
        if (!*one.outcome) {
            EXPECT_FALSE(host.run.has_records()) << reply;
            EXPECT_EQ(host.run.calls(), 1u);
            EXPECT_EQ(host.run.due(), call.due) << "its time is what it was";
            continue;
        }
        const Effect record = host.run.next(0);
        ASSERT_EQ(record.kind, Effect::kRecord) << reply;
        const std::string text(record.text);
        EXPECT_NE(text.find("\"outcome\":\"" + std::string(one.outcome) + "\""), text.npos)
            << reply << text;
        EXPECT_NE(text.find(one.told), text.npos) << reply << text;
        EXPECT_EQ(host.run.receive("A", reply, 0), Reception::kLate) << "a second time";
    }
}

TEST(Agents, OnlyTheOneWhoWasAskedLastMayAnswer) {
    Host host(R"([{"parallel":[["do","T",{}],["do","U",{}]]}])");
    host.run.start(kId, 0);
    const Effect first = host.next(0), second = host.next(0);
    const std::string to_a = whole_request(host, first.call, {"A", ""}),
                      to_b = whole_request(host, second.call, {"B", ""});
    const std::string ended = R"(PLAN,"state":"DONE","result":{"output":1})";
    EXPECT_EQ(host.run.receive("B", reply_to(to_a, ended), 0), Reception::kWrongSender);
    EXPECT_EQ(host.run.receive("a", reply_to(to_a, ended), 0), Reception::kWrongSender);
    EXPECT_EQ(whole_request(host, first.call, {"C", ""}), to_a) << "the same message";
    EXPECT_EQ(host.run.receive("A", reply_to(to_a, ended), 0), Reception::kWrongSender);
    EXPECT_EQ(host.run.calls(), 2u);
    EXPECT_EQ(host.run.receive("C", reply_to(to_a, ended), 0), Reception::kAccepted);
    EXPECT_EQ(host.run.receive({}, reply_to(to_b, ended), 0), Reception::kAccepted);
    EXPECT_TRUE(host.run.ended());
}

TEST(Agents, AReplyToWhatWasNeverAskedIsNobodys) {
    const std::string ended = R"(PLAN,"state":"DONE","result":{"output":1})";
    Host host(R"([{"parallel":[["do","T",{}],["do","U",{}]]}])", R"({"backoff_ms":0})");
    host.run.start(kId, 0);
    const Effect first = host.next(0);
    const std::string request = whole_request(host, first.call, {"A", ""}),
                      key = std::string(first.key);
    for (const std::string &id :
         {key, key + ".", key + ".0", key + ".1", key + ".1.1", key + ".2.0", key + ".01.0",
          key + ".99999999999.0", key + ".1.0.0", "." + key + ".1.0", std::string("m1"),
          std::string("..."), std::string(500, '9'), std::string(".1.0")})
        EXPECT_EQ(
            host.run.receive("A", "{\"reply_to\":\"" + id + "\"," + R"("status":"VALID"})", 0),
            Reception::kLate)
            << id;
    for (const char *none : {"", "{}", "[]", "prose", "{\"reply_to\":1}", "{\"reply_to\":\"\"}",
                             "{\"reply_to\":\"x\"", "{\"reply_to\":\"x\",\"reply_to\":\"x\"}"})
        EXPECT_EQ(host.run.receive("A", none, 0), Reception::kRefused) << none;
    // a step that was not called by a message
    const Effect second = host.next(0);
    Buffer<char> id(host.memory);
    EXPECT_EQ(host.run.receive({}, "{\"reply_to\":\"" + std::string(second.key) + ".2.0\"}", 0),
              Reception::kLate);
    EXPECT_EQ(host.run.calls(), 2u);
    // the try before
    EXPECT_EQ(host.run.fail(first.call, {}, sacp::Outcome::kToolFailed, "no", 0),
              Reception::kAccepted);
    host.run.tick(0);
    const Effect again = host.next(0);
    ASSERT_EQ(again.kind, Effect::kCall);
    EXPECT_EQ(again.key, key);
    EXPECT_EQ(host.run.receive("A", reply_to(request, ended), 0), Reception::kLate);
    EXPECT_EQ(host.run.receive("A", "{\"reply_to\":\"" + key + ".1.1\",\"status\":\"VALID\"}", 0),
              Reception::kLate)
        << "this try was not asked of anybody";
    const std::string next = whole_request(host, again.call, {"A", ""});
    EXPECT_NE(next, request);
    EXPECT_EQ(host.run.receive("A", reply_to(request, ended), 0), Reception::kLate);
    EXPECT_EQ(host.run.receive("A", reply_to(next, ended), 0), Reception::kAccepted);
}

// Each allocation fails once: the request can be made again, and no memory is lost.
TEST(Agents, OutOfMemoryAtEveryAllocation) {
    for (int64_t at = -1;; ++at) {
        accp_test::Failing failing;
        bool asked_again = false;
        const bool failed = accp_test::fails(failing, at, [&] {
            Host host(R"([["do","T",{"x":"$ctx.k"}],["do","U",{}]],"ctx":{"k":"$$"})",
                      R"({"retries":1})", failing.allocator());
            host.run.start(kId, 0);
            for (Effect call; (call = host.next(0)).kind == Effect::kCall;) {
                Buffer<char> out(host.memory);
                const sacp::Delegate agent = {"AN_AGENT", "formatter"};
                try {
                    host.run.write_request(call.call, agent, out);
                } catch (const OutOfMemory &) {
                    asked_again = true;
                    out.clear();
                    host.run.write_request(call.call, agent, out);
                }
                const std::string reply =
                    reply_to(accp_unit::text_of(out), R"(PLAN,"state":"DONE","result":{"n":1})");
                EXPECT_EQ(host.run.receive("AN_AGENT", reply, 0), Reception::kAccepted);
            }
            EXPECT_TRUE(host.run.succeeded());
        });
        EXPECT_EQ(failing.live, 0) << at;
        if (failed || asked_again || at < 0) continue;
        EXPECT_GT(at, 60);
        break;
    }
}

struct SummaryCase {
    std::string output;
    std::string summary;  // a JSON string
};

std::string many(const char *character, size_t count) {
    std::string text;
    while (count-- > 0) text += character;
    return text;
}

// An agent that runs the plan returns a valid summary for any output of its tool.
TEST(Agents, AReplyUnderSummaryHasOne) {
    const SummaryCase cases[] = {
        {R"("all \"fine\"")", R"("all \"fine\"")"},
        {R"({"summary":"a\nb","n":1})", R"("a\nb")"},
        {R"({"summary":""})", R"("{\"summary\":\"\"}")"},
        {R"({"summary":7})", R"("{\"summary\":7}")"},
        {R"("")", R"("\"\"")"},
        {"1.50", "\"1.50\""},
        {"null", "\"null\""},
        {"\"" + many("é", 280) + "\"", "\"" + many("é", 280) + "\""},
        {"\"" + many("日", 281) + "\"", "\"" + many("日", 279) + "…\""},
        {"\"" + many("\\\"", 300) + "\"", "\"" + many("\\\"", 279) + "…\""},
        {"\"" + many("\\u0001", 281) + "\"", "\"" + many("\\u0001", 279) + "…\""},
        {"[\"" + many("x", 400) + "\"]", "\"[\\\"" + many("x", 277) + "…\""},
    };
    for (const SummaryCase &one : cases) {
        Host asker(R"([["do","T",{}]],"out_fmt":"summary")");
        asker.run.start(kId, 0);
        const std::string request = whole_request(asker, asker.next(0).call, {"A", ""});
        sacp::Run run(asker.memory);
        ASSERT_TRUE(run.read(request, UINT32_MAX, asker.library, false, asker.verdict));
        run.start("agent", 0);
        Effect effect = run.next(0);
        while (effect.kind == Effect::kRecord) effect = run.next(0);
        ASSERT_EQ(run.complete(effect.call, {}, one.output, 0), Reception::kAccepted);
        Buffer<char> out(asker.memory);
        run.write_reply("r", out);
        const std::string reply = accp_unit::text_of(out);
        EXPECT_NE(reply.find(",\"summary\":" + one.summary + ",\"step_results\""), reply.npos)
            << reply;
        EXPECT_EQ(asker.run.receive("A", reply, 0), Reception::kAccepted);
        EXPECT_TRUE(asker.run.succeeded()) << reply;
    }
}

}  // namespace
