// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reports on the agents for each step of a plan: every kind of step, plans without a report, and
// lack of memory.
#include "sacp/agents/agents_face.h"

namespace {

using accp_test::agent;
using accp_test::Agents;
using accp_test::Config;
using accp_test::Sacp;
using accp_test::to_string;

const char *const kLibrary = R"({
  "verbs":[{"name":"find","description":"d","inputs":["city"],"outputs":"hotels"},
           {"name":"rank","description":"d","inputs":{"hotels":"array"},"outputs":"ranked",
            "required":["hotels"]}],
  "tools":[{"id":"MAPS","description":"d","supported_verbs":["find"],"fallback":["LIST","WEB"]},
           {"id":"WEB","description":"d","supported_verbs":["find","rank"]},
           {"id":"LIST","description":"d","supported_verbs":["rank"]}],
  "aliases":{"verbs":{"f":"find"}}})";

const std::string kRank = R"([["rank","WEB",{"hotels":[]}]])";

std::string message(const std::string &plan, const std::string &more = "") {
    return R"({"g":"G","plan":)" + plan + more + "}";
}
std::string report(bool feasible, const std::string &steps) {
    return std::string(R"({"feasible":)") + (feasible ? "true" : "false") + R"(,"steps":[)" +
           steps + "]}";
}

// The report lists the agents of each step by name, best first. A verb is compared by its full
// name.
TEST(Feasibility, SACP_11_03_NamesWhoCanDoEachStep) {
    const Sacp sacp(kLibrary);
    Agents agents("[" + agent("A", R"("find")", R"("MAPS")") + "," +
                  agent("C", R"("rank")", R"("WEB")") + "," +
                  agent("B", R"("find")", R"("MAPS","WEB")", R"(,"confidence_score":0.5)") + "]");
    EXPECT_EQ(
        agents.report(sacp, message(R"([["f","MAPS",{}],["rank","WEB",{"hotels":"$step.1"}]])")),
        report(true, R"({"step":"1","verb":"find","tool":"MAPS","by":"agent","agents":["B","A"]},)"
                     R"({"step":"2","verb":"rank","tool":"WEB","by":"agent","agents":["C"]})"));
    EXPECT_EQ(agents.answer, ACCP_PLAN_FEASIBLE);
}

// The report shows that a plan is not feasible, and why.
TEST(Feasibility, SACP_9B_03_SaysWhyNobodyCan) {
    const std::string leased = R"(,"lease_until":7)";
    const struct {
        std::string entry, said;
        int64_t now_ms;
        int32_t answer;
    } cases[] = {
        {"", R"("by":"nobody","why":"no_verb")", 0, ACCP_PLAN_INFEASIBLE},
        {agent("A", R"("find")", R"("WEB")"), R"("by":"nobody","why":"no_verb")", 0,
         ACCP_PLAN_INFEASIBLE},
        {agent("A", R"("Rank")", R"("WEB")"), R"("by":"nobody","why":"no_verb")", 0,
         ACCP_PLAN_INFEASIBLE},
        {agent("A", R"("rank")", R"("LIST")"), R"("by":"nobody","why":"no_tool","near":["A"])", 0,
         ACCP_PLAN_INFEASIBLE},
        {agent("A", R"("rank")", R"("WEB")", leased),
         R"("by":"nobody","why":"lease_ended","near":["A"])", 7000, ACCP_PLAN_INFEASIBLE},
        {agent("A", R"("rank")", R"("LIST")", leased), R"("by":"nobody","why":"no_verb")", 7000,
         ACCP_PLAN_INFEASIBLE},
        {agent("A", R"("rank")", R"("WEB")", leased), R"("by":"agent","agents":["A"])", 6999,
         ACCP_PLAN_FEASIBLE},
        {agent("A", R"("rank")", R"("WEB")", leased), R"("by":"agent","agents":["A"])",
         ACCP_NO_CLOCK, ACCP_PLAN_FEASIBLE},
    };
    const Sacp sacp(kLibrary);
    for (const auto &each : cases) {
        SCOPED_TRACE(each.entry + " " + std::to_string(each.now_ms));
        Agents agents("[" + each.entry + "]");
        EXPECT_EQ(agents.report(sacp, message(kRank), each.now_ms),
                  report(each.answer == ACCP_PLAN_FEASIBLE,
                         R"({"step":"1","verb":"rank","tool":"WEB",)" + each.said + "}"));
        EXPECT_EQ(agents.answer, each.answer);
    }
}

// If no agent has a step's tool, a fallback tool with an agent is shown. Fallbacks that do not
// support the verb are skipped, as in a run.
TEST(Feasibility, SACP_11_06_ShowsTheFallback) {
    const Sacp sacp(kLibrary);
    const std::string plan = message(R"([["find","MAPS",{}]])");
    Agents agents("[" + agent("A", R"("find")", R"("LIST")") + "]");
    EXPECT_EQ(agents.report(sacp, plan),
              report(false, R"({"step":"1","verb":"find","tool":"MAPS","by":"nobody",)"
                            R"("why":"no_tool","near":["A"]})"));
    Agents more("[" + agent("A", R"("find")", R"("LIST")") + "," +
                agent("B", R"("find")", R"("WEB")") + "]");
    EXPECT_EQ(more.report(sacp, plan),
              report(true, R"({"step":"1","verb":"find","tool":"MAPS","by":"fallback",)"
                           R"("why":"no_tool","near":["A","B"],)"
                           R"("fallback":[{"tool":"WEB","agents":["B"]}]})"));
    EXPECT_EQ(more.answer, ACCP_PLAN_FEASIBLE);
}

// Built-in steps and nested messages need no agent; the steps of nested messages are included.
TEST(Feasibility, StepsThatNeedNobody) {
    const Sacp sacp(kLibrary);
    Agents agents("[" + agent("A", R"("rank")", R"("WEB")") + "]");
    const std::string inner = R"({"g":"G","plan":[["find","WEB",{}]]})";
    EXPECT_EQ(
        agents.report(sacp, message(R"([{"parallel":[["rank","WEB",{"hotels":[]}]]},)"
                                    R"(["join","MERGE",{}],["find","WEB",{"subtask":)" +
                                        inner + "}]]",
                                    R"(,"subtask":)" + inner)),
        report(false, R"({"step":"1.1","verb":"rank","tool":"WEB","by":"agent","agents":["A"]},)"
                      R"({"step":"2","verb":"join","tool":"MERGE","by":"built_in"},)"
                      R"({"step":"3","verb":"find","tool":"WEB","by":"message"},)"
                      R"({"step":"s1/1","verb":"find","tool":"WEB","by":"nobody","why":"no_verb"},)"
                      R"({"step":"3/1","verb":"find","tool":"WEB","by":"nobody",)"
                      R"("why":"no_verb"})"));
    EXPECT_EQ(agents.report(sacp, R"({"g":"SPAWN_AGENT","plan":[["define","T",{"description":"d",)"
                                  R"("inputs":[],"outputs":[]}],["instantiate","N",)"
                                  R"({"tool":"T","verb":"find"}]]})"),
              report(true, R"({"step":"1","verb":"define","tool":"T","by":"built_in"},)"
                           R"({"step":"2","verb":"instantiate","tool":"N","by":"built_in"})"));
}

// A join passes its branches to its tool, so any agent with the tool can do it, whatever its verbs.
TEST(Feasibility, AJoinNeedsItsTool) {
    const Sacp sacp(kLibrary);
    Agents agents("[" + agent("A", R"("rank")", R"("WEB")") + "]");
    const std::string begin = R"([{"parallel":[["rank","WEB",{"hotels":[]}]]},["join",)";
    EXPECT_EQ(
        agents.report(sacp, message(begin + R"("MAPS",{}]])"), ACCP_NO_CLOCK, ACCP_SACP_LENIENT)
            .substr(0, 9),
        R"({"status")");  // in the library MAPS does not support the verb
    EXPECT_EQ(
        agents.report(sacp, message(begin + R"("X",{}]])"), ACCP_NO_CLOCK, ACCP_SACP_LENIENT),
        report(false, R"({"step":"1.1","verb":"rank","tool":"WEB","by":"agent","agents":["A"]},)"
                      R"({"step":"2","verb":"join","tool":"X","by":"nobody","why":"no_tool"})"));
    Agents more("[" + agent("A", R"("rank")", R"("WEB","X")") + "]");
    more.report(sacp, message(begin + R"("X",{}]])"), ACCP_NO_CLOCK, ACCP_SACP_LENIENT);
    EXPECT_EQ(more.answer, ACCP_PLAN_FEASIBLE);
}

TEST(Feasibility, NamesAreBounded) {
    const Sacp sacp(kLibrary);
    std::string entries;
    for (int i = 0; i < 30; ++i)
        entries += (i ? "," : "") +
                   agent("A" + std::to_string(10 + (i * 7) % 30), R"("rank")", R"("WEB")");
    Agents agents("[" + entries + "]");
    EXPECT_EQ(agents.report(sacp, message(kRank)),
              report(true, R"({"step":"1","verb":"rank","tool":"WEB","by":"agent","agents":)"
                           R"(["A10","A11","A12","A13","A14","A15","A16","A17"],"more":22})"));
}

// A plan that is not VALID gets its verdict instead of a report.
TEST(Feasibility, WhatIsNotValidHasItsVerdict) {
    const Sacp sacp(kLibrary);
    Agents agents;
    const struct {
        std::string text, said;
    } cases[] = {
        {"{", R"({"status":"ERR","code":"MALFORMED_MESSAGE")"},
        {message(R"([["lift","WEB",{}]])"), R"({"status":"ERR","code":"UNKNOWN_VERB")"},
        {message(R"([["rank","WEB",{}]])"), R"({"status":"REQ_CLARIFY","need":["step.1.hotels"]})"},
        {R"({"proto_ver":"1.0.0","msg_id":"a","ts":"2025-01-01T00:00:00Z","sender":"s","g":"G",)"
         R"("state":"PENDING","plan":[{"id":"a","verb":"find","tool":"WEB","params":{}}]})",
         R"({"status":"ERR","code":"UNSUPPORTED_VERSION")"},
    };
    agents.report(sacp, message(kRank));  // the previous report has no effect
    for (const auto &each : cases) {
        EXPECT_EQ(agents.report(sacp, each.text).substr(0, each.said.size()), each.said);
        EXPECT_EQ(agents.answer, ACCP_PLAN_INVALID) << each.text;
        EXPECT_EQ(to_string(accp_capabilities_verdict(agents.get())).substr(0, each.said.size()),
                  each.said);
    }
}

// The maximum number of different pairs, and one more.
TEST(Feasibility, PairsAreBounded) {
    const Sacp sacp;
    Agents agents;
    std::string plan;
    for (int i = 0; i < 1024; ++i)
        plan += std::string(i ? "," : "") + R"(["v","T)" + std::to_string(i) + R"(",{}])";
    const auto said = [&](const std::string &steps) {
        agents.report(sacp, message("[" + steps + "]"), ACCP_NO_CLOCK, ACCP_SACP_LENIENT);
        return to_string(accp_capabilities_verdict(agents.get())).substr(0, 30);
    };
    EXPECT_EQ(said(plan + R"(,["v","T0",{}])"), R"({"status":"VALID"})");
    EXPECT_EQ(said(plan + R"(,["v","T",{}])"), R"({"status":"ERR","code":"LIMIT")");
}

TEST(Feasibility, ArgumentsThatAreWrong) {
    const Sacp sacp(kLibrary);
    Agents agents;
    accp_text out = {"kept", 4};
    int32_t answer = 7;
    accp_error err = {};
    const std::string text = message(kRank);
    const auto ask = [&](accp_capabilities *registry, accp_sacp *judge, const char *from,
                         int32_t reading, int64_t now) {
        return accp_capabilities_check_plan(registry, judge, from, text.size(), now, reading, &out,
                                            &answer, &err);
    };
    EXPECT_EQ(ask(nullptr, sacp.get(), text.data(), 0, 0), ACCP_ERR_ARG);
    EXPECT_EQ(ask(agents.get(), nullptr, text.data(), 0, 0), ACCP_ERR_ARG);
    EXPECT_EQ(ask(agents.get(), sacp.get(), nullptr, 0, 0), ACCP_ERR_ARG);
    EXPECT_EQ(ask(agents.get(), sacp.get(), text.data(), 2, 0), ACCP_ERR_ARG);
    EXPECT_EQ(ask(agents.get(), sacp.get(), text.data(), 0, -2), ACCP_ERR_ARG);
    EXPECT_EQ(to_string(out), "kept");
    EXPECT_EQ(answer, 7);
    EXPECT_EQ(ask(agents.get(), sacp.get(), text.data(), 0, 0), ACCP_OK);
    EXPECT_EQ(accp_capabilities_check_plan(agents.get(), sacp.get(), out.text, out.len, 0, 0, &out,
                                           nullptr, &err),
              ACCP_ERR_ARG);  // a view into the handle
}

// Each allocation fails once: there is no result, and then the same call succeeds.
TEST(Feasibility, MemoryRunsOut) {
    const std::string entries = "[" + agent("A", R"("find")", R"("LIST")") + "," +
                                agent("B", R"("find")", R"("WEB")") + "]";
    const std::string text = message(R"([["find","MAPS",{}],["find","WEB",{}]])");
    const Sacp whole(kLibrary);
    const std::string wanted = Agents(entries).report(whole, text);
    bool done = false;
    for (int64_t at = 0; !done; ++at) {
        ASSERT_LT(at, 1000);
        accp_test::FailingMemory failing;
        Config config;
        config.allocator(failing.allocator());
        const Sacp sacp(kLibrary, config.get());
        Agents agents(entries, config.get());
        accp_text out = {"kept", 4};
        failing.left = at;
        const accp_status status =
            accp_capabilities_check_plan(agents.get(), sacp.get(), text.data(), text.size(), 0,
                                         ACCP_SACP_STRICT, &out, nullptr, nullptr);
        done = failing.left >= 0;
        failing.left = -1;
        EXPECT_EQ(status, done ? ACCP_OK : ACCP_ERR_NOMEM);
        EXPECT_EQ(to_string(out), done ? wanted : "kept");
        EXPECT_EQ(agents.report(sacp, text), wanted) << at;
    }
}

}  // namespace
