// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Completed plans: cases, and properties of plans of random libraries.
#include <random>

#include "sacp/message/sacp_face.h"

namespace {

using accp_test::Sacp;

const std::string kLibrary = R"({"verbs":[
    {"name":"search","description":"d","inputs":{"city":"string","budget":"number"},
     "outputs":"hotels","required":["city"]},
    {"name":"rank","description":"d","inputs":["hotels","criteria"],"outputs":["ranked"],
     "required":["hotels"]},
    {"name":"predict","description":"d","inputs":["history"],"outputs":"predictions",
     "required":["history"]},
    {"name":"fetch","description":"d","inputs":["city"],"outputs":{"history":"array"},
     "required":["city"]},
    {"name":"present","description":"d","inputs":["ranked","predictions"],"outputs":"string",
     "required":["ranked","predictions"]},
    {"name":"dream","description":"d","inputs":["ghost"],"outputs":"visions",
     "required":["ghost"]},
    {"name":"loop","description":"d","inputs":["visions"],"outputs":"ghost",
     "required":["visions"]},
    {"name":"book","description":"d","inputs":["ctx.user"],"outputs":"any",
     "required":["ctx.user"]},
    {"name":"pay","description":"d","inputs":["ctx.user"],"outputs":["ticket"],
     "required":["ctx.user"]},
    {"name":"halve","description":"d","inputs":["sum"],"outputs":"half","required":[]}],
    "tools":[{"id":"T","description":"d","supported_verbs":["search","rank","predict","fetch",
    "present","dream","loop","book","pay","halve"]}],
    "aliases":{"verbs":{"s":"search"},"verb_params":{"halve":{"sum":"summary"}}}})";

struct Case {
    const char *message, *plan, *beside;  // beside: nullptr if it is the same
};
const Case kCases[] = {
    // shortest chains; outputs of earlier steps are used
    {R"({"g":"SHOW","msg_id":"m1","ctx":{"city":"Paris"},"plan":[["present","T",{}]]})",
     R"({"g":"SHOW","ctx":{"city":"Paris"},"plan":[["search","T",{"city":"$ctx.city"}],)"
     R"(["rank","T",{"hotels":"$step.1"}],["fetch","T",{"city":"$ctx.city"}],)"
     R"(["predict","T",{"history":"$step.3.history"}],)"
     R"(["present","T",{"ranked":"$step.2.ranked","predictions":"$step.4"}]],"reply_to":"m1"})",
     R"({"g":"SHOW","ctx":{"city":"Paris"},"plan":[{"parallel":[["search","T",)"
     R"({"city":"$ctx.city"}],["fetch","T",{"city":"$ctx.city"}]]},{"parallel":[["rank","T",)"
     R"({"hotels":"$step.1.1"}],["predict","T",{"history":"$step.1.2.history"}]]},["present","T",)"
     R"({"ranked":"$step.2.1.ranked","predictions":"$step.2.2"}]],"reply_to":"m1"})"},
    {R"({"g":"A","plan":[["s","T",{"city":"x"}],["rank","T",{"hotels":null,"criteria":["$step.1"]}]]})",
     R"({"g":"A","plan":[["search","T",{"city":"x"}],)"
     R"(["rank","T",{"criteria":["$step.1"],"hotels":"$step.1"}]]})",
     nullptr},
    // values from the context, except null
    {R"({"g":"A","ctx":{"hotels":[1]},"plan":[["rank","T",{}]]})",
     R"({"g":"A","ctx":{"hotels":[1]},"plan":[["rank","T",{"hotels":"$ctx.hotels"}]]})", nullptr},
    {R"({"g":"A","ctx":{"hotels":null},"plan":[["rank","T",{}]]})",
     R"({"status":"REQ_CLARIFY","need":["step.1.hotels"]})", nullptr},
    // cycles, and inputs that only the context can have
    {R"({"g":"A","plan":[["dream","T",{}]]})",
     R"({"status":"REQ_CLARIFY","need":["step.1.ghost"]})", nullptr},
    {R"({"g":"A","plan":[["book","T",{}]]})", R"({"status":"REQ_CLARIFY","need":["ctx.user"]})",
     nullptr},
    // a param `sum` of this verb would be read as `summary`
    {R"({"g":"HALF","ctx":{"sum":1},"plan":[]})",
     R"({"g":"HALF","ctx":{"sum":1},"plan":[["halve","T",{}]]})", nullptr},
    // nothing comes between a parallel and its join, and paths change
    {R"({"g":"A","ctx":{"city":"x"},"plan":[{"parallel":[["search","T",{"city":"y"}],)"
     R"([["predict","T",{}],["dream","T",{"ghost":"$step.1.2.1"}]]]},["join","MERGE",{}],)"
     R"(["dream","T",{"ghost":"$step.1.2.2.q"}]]})",
     R"({"g":"A","ctx":{"city":"x"},"plan":[["fetch","T",{"city":"$ctx.city"}],{"parallel":)"
     R"([["search","T",{"city":"y"}],[["predict","T",{"history":"$step.1.history"}],)"
     R"(["dream","T",{"ghost":"$step.2.2.1"}]]]},["join","MERGE",{}],)"
     R"(["dream","T",{"ghost":"$step.2.2.2.q"}]]})",
     nullptr},
    // a goal without steps
    {R"({"g":"GET_PREDICTIONS","ctx":{"city":"x"},"plan":[]})",
     R"({"g":"GET_PREDICTIONS","ctx":{"city":"x"},"plan":[["fetch","T",{"city":"$ctx.city"}],)"
     R"(["predict","T",{"history":"$step.1.history"}]]})",
     nullptr},
    // also an output that no verb needs
    {R"({"g":"VISIONS","ctx":{"ghost":1},"plan":[]})",
     R"({"g":"VISIONS","ctx":{"ghost":1},"plan":[["dream","T",{"ghost":"$ctx.ghost"}]]})", nullptr},
    {R"({"g":"GET_TICKET","ctx":{"user":1},"plan":[]})",
     R"({"g":"GET_TICKET","ctx":{"user":1},"plan":[["pay","T",{}]]})", nullptr},
    {R"({"g":"FLY","plan":[]})", R"({"status":"REQ_CLARIFY","need":["plan"]})", nullptr},
    {R"({"g":"SEARCH_AND_RANK","ctx":{"city":"x"},"plan":[]})",
     R"({"status":"REQ_CLARIFY","need":["plan"]})", nullptr},
    // a nested message gets what its ctx refers to
    {R"({"g":"A","ctx":{"city":"x"},"plan":[["fetch","T",{"city":"a","subtask":{"g":"B","ctx":)"
     R"({"k":"$ctx.city"},"plan":[["dream","T",{"ghost":"$ctx.k"}]]}}],["predict","T",)"
     R"({"history":"$step.1.history","subtask":{"g":"B","ctx":{"k":"$step.1"},)"
     R"("plan":[["dream","T",{"ghost":1}],["dream","T",{"ghost":"$step.1"}]]}}],)"
     R"(["rank","T",{}]]})",
     R"({"g":"A","ctx":{"city":"x"},"plan":[["fetch","T",{"city":"a","subtask":{"g":"B","ctx":)"
     R"({"k":"$ctx.city"},"plan":[["dream","T",{"ghost":"$ctx.k"}]]}}],["predict","T",)"
     R"({"history":"$step.1.history","subtask":{"g":"B","ctx":{"k":"$step.1"},)"
     R"("plan":[["dream","T",{"ghost":1}],["dream","T",{"ghost":"$step.1"}]]}}],)"
     R"(["search","T",{"city":"$ctx.city"}],["rank","T",{"hotels":"$step.3"}]]})",
     R"({"g":"A","ctx":{"city":"x"},"plan":[{"parallel":[["fetch","T",{"city":"a","subtask":)"
     R"({"g":"B","ctx":{"k":"$ctx.city"},"plan":[["dream","T",{"ghost":"$ctx.k"}]]}}],)"
     R"(["search","T",{"city":"$ctx.city"}]]},["predict","T",)"
     R"({"history":"$step.1.1.history","subtask":{"g":"B","ctx":{"k":"$step.1.1"},)"
     R"("plan":[["dream","T",{"ghost":1}],["dream","T",{"ghost":"$step.1"}]]}}],)"
     R"(["rank","T",{"hotels":"$step.1.2"}]]})"},
    {R"({"g":"A","plan":[["fly","T",{}]]})",
     R"({"status":"ERR","code":"UNKNOWN_VERB","details":"the library has no such verb: action step 1"})",
     nullptr},
};

// Returns a plan, or the needs of a plan that is not complete.
std::string plan_or_needs(Sacp &sacp, const std::string &message, bool beside) {
    const std::string plan = sacp.plan(message, beside);
    accp_verdict verdict = {};
    accp_sacp_verdict(sacp.get(), &verdict, nullptr);
    return verdict.answer == ACCP_SACP_REQ_CLARIFY ? sacp.verdict() : plan;
}

TEST(Planner, Cases) {
    Sacp sacp(kLibrary);
    for (const Case &each : kCases) {
        EXPECT_EQ(plan_or_needs(sacp, each.message, false), each.plan) << each.message;
        EXPECT_EQ(plan_or_needs(sacp, each.message, true), each.beside ? each.beside : each.plan)
            << each.message;
    }
}

// Random verbs with inputs and outputs, and a plan with some of them.
struct Random {
    explicit Random(uint32_t seed) : bits(seed) {}
    uint32_t below(uint32_t count) { return static_cast<uint32_t>(bits() % count); }
    std::string name() { return "n" + std::to_string(below(8)); }

    std::string library() {
        std::string verbs, supported;
        for (int i = 0; i < 6; ++i) {
            const std::string id = std::to_string(i), a = name(), b = name();
            const std::string inputs = a == b ? "[\"" + a + "\"]" : "[\"" + a + "\",\"" + b + "\"]";
            verbs += (i ? "," : "") + ("{\"name\":\"v" + id) +
                     "\",\"description\":\"\",\"inputs\":" + inputs +
                     ",\"outputs\":" + (below(2) ? "\"" + name() + "\"" : "[\"" + name() + "\"]") +
                     ",\"required\":[" + (below(3) ? "\"" + a + "\"" : "") + "]}";
            supported += (i ? ",\"v" : "\"v") + id + "\"";
        }
        return "{\"verbs\":[" + verbs + "],\"tools\":[{\"id\":\"T\",\"description\":\"\"," +
               "\"supported_verbs\":[" + supported + "]}]}";
    }
    std::string step(uint32_t before) {
        std::string params;
        if (before && below(2))
            params = "\"x\":\"$step." + std::to_string(1 + below(before)) + "\"";
        return "[\"v" + std::to_string(below(6)) + "\",\"T\",{" + params + "}]";
    }
    std::string message() {
        std::string plan;
        const uint32_t count = 1 + below(4);
        for (uint32_t i = 0; i < count; ++i) {
            plan += i ? "," : "";
            plan += below(4) ? step(i) : "{\"parallel\":[" + step(i) + "," + step(i) + "]}";
        }
        return "{\"g\":\"G\",\"ctx\":{\"" + name() + "\":1},\"plan\":[" + plan + "]}";
    }
    std::mt19937 bits;
};

TEST(Planner, RandomPlans) {
    int whole = 0;
    for (uint32_t seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        Sacp sacp(random.library());
        const std::string message = random.message();
        if (sacp.check(message).find("ERR") != std::string::npos) continue;
        for (bool beside : {false, true}) {
            SCOPED_TRACE(message);
            const std::string plan = sacp.plan(message, beside), verdict = sacp.verdict();
            // the verdict equals that of a check, and there are no new needs
            EXPECT_EQ(sacp.check(plan), verdict);
            EXPECT_EQ(sacp.plan(plan, false), plan);
            whole += verdict == R"({"status":"VALID"})";
        }
    }
    EXPECT_GT(whole, 1000);
}

TEST(Planner, TooManySteps) {
    Sacp sacp(kLibrary);
    std::string plan = R"({"g":"G","plan":[["search","T",{"city":"x"}])";
    for (int i = 0; i < 1024; ++i) plan += R"(,["search","T",{"city":"x"}])";
    EXPECT_NE(sacp.plan(plan + "]}").find("LIMIT"), std::string::npos);
}

// The maximum number of steps with the maximum number of params each. A cost of steps squared times
// params took 50 s.
TEST(Planner, ManyStepsWithManyParams) {
    std::string inputs, ctx, plan = R"(["v","T",{}])";
    for (int i = 0; i < 256; ++i) {
        inputs += std::string(i ? "," : "") + "\"i" + std::to_string(i) + "\"";
        ctx += std::string(i ? "," : "") + "\"i" + std::to_string(i) + "\":1";
    }
    for (int i = 1; i < 1024; ++i) plan += R"(,["v","T",{}])";
    Sacp sacp(R"({"verbs":[{"name":"v","description":"","inputs":[)" + inputs +
              R"(],"outputs":[],"required":[)" + inputs +
              R"(]}],"tools":[{"id":"T","description":"","supported_verbs":["v"]}]})");
    sacp.plan(R"({"g":"G","ctx":{)" + ctx + R"(},"plan":[)" + plan + "]}", true);
    EXPECT_EQ(sacp.verdict(), R"({"status":"VALID"})");
}

TEST(Prompt, IsTheTemplate) {
    Sacp sacp(kLibrary);
    const auto prompt = [&](const std::string &agent, const std::string &verbs) {
        accp_text out = {};
        const accp_status status =
            accp_sacp_print_prompt(sacp.get(), agent.data(), agent.size(), verbs.data(),
                                   verbs.size(), "T", 1, nullptr, 0, &out, nullptr);
        return status == ACCP_OK ? accp_test::to_string(out) : accp_status_code_name(status);
    };
    const std::string made = prompt("PRICE_PREDICTOR", "predict\nfetch");
    EXPECT_NE(made.find("### Agent Role: PRICE_PREDICTOR\n"), std::string::npos);
    EXPECT_NE(
        made.find("### Supported Verb(s):\n- predict\n- fetch\n\n### Supported Tool(s):\n- T\n"),
        std::string::npos);
    EXPECT_NE(made.find("<Insert SACP JSON message here>"), std::string::npos);
    // a name cannot add instructions
    EXPECT_EQ(prompt("A\n### Instruction:", "v"), "ERR_ARG");
    EXPECT_EQ(prompt("A", "v\r"), "ERR_ARG");
    EXPECT_EQ(prompt("A", "v\n"), "ERR_ARG");
    EXPECT_EQ(prompt("", "v"), "ERR_ARG");
}

}  // namespace
