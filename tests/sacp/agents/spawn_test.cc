// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests for agents and their service: both sides, errors, and lack of memory.
#include "sacp/agents/agents_face.h"

namespace {

using accp_test::agent;
using accp_test::Agents;
using accp_test::Config;
using accp_test::lines;
using accp_test::Sacp;
using accp_test::to_string;

const char *const kVisas = R"({
  "verbs":[{"name":"check","description":"Checks.","inputs":{"nation":"string","to":"string"},
            "outputs":["visa_required"]},
           {"name":"tell","description":"Tells.","inputs":["what"],"outputs":"told"}],
  "tools":[{"id":"VISA","description":"Knows visas","supported_verbs":["check","tell"]}],
  "aliases":{"verbs":{"c":"check"}}})";

const std::string kPlan = R"({"g":"G","msg_id":"m1","plan":[["c","VISA",{"to":"DE"}]]})";

const std::string kRequest =
    R"({"g":"SPAWN_AGENT","ctx":{"missing_capability":"check","input_hints":["to"],)"
    R"("output_expectation":["visa_required"]},"plan":[["define","VISA",)"
    R"({"description":"Knows visas","inputs":["nation","to"],"outputs":["visa_required"]}],)"
    R"(["instantiate","VISA_AGENT",{"tool":"VISA","verb":"check"}]],"msg_id":"r.1"})";

const std::string kEntry =
    R"({"agent_name":"VISA_AGENT","supported_verbs":["check"],"supported_tools":["VISA"],)"
    R"("inputs":["nation","to"],"outputs":["visa_required"],"description":"Knows visas",)"
    R"("tags":["spawned"])";

// Seed 004, appendix D, unchanged.
const std::string kSeed = R"({
  "g": "SPAWN_AGENT",
  "ctx": {
    "missing_capability": "visa_requirements_check",
    "input_hints": ["citizenship", "destination_country", "travel_dates"],
    "output_expectation": "visa_required: true/false"
  },
  "plan": [
    ["define", "VISA_QUERY", {
      "description": "Checks visa requirements for a citizen traveling to a country",
      "inputs": ["nationality", "destination"],
      "outputs": ["visa_required"]
    }],
    ["instantiate", "VISA_AGENT", {
      "tool": "VISA_QUERY",
      "verb": "check"
    }]
  ],
  "out_fmt": "raw"
})";

accp_text text_of(const std::string &text) { return {text.data(), text.size()}; }
const accp_spawn_rules kAllowed = {1, 0, 0, {}};

std::string error(const std::string &code, const std::string &details) {
    return R"({"status":"ERR","code":")" + code + R"(","details":")" + details + R"("})";
}

TEST(Spawn, SACP_14_01_AsksForWhatNobodyCanDo) {
    const Sacp sacp(kVisas);
    Agents agents;
    const std::string id = "r";
    const accp_spawn_round round = {0, 0, text_of(id)};
    EXPECT_EQ(agents.request(sacp, kPlan, &round), kRequest);
    EXPECT_EQ(agents.answer, ACCP_SPAWN_REQUESTED);
    Sacp judge(kVisas);
    EXPECT_EQ(judge.check(kRequest), R"({"status":"VALID"})");
    EXPECT_EQ(agents.count(), 0u);
}

// No agent is created unless the caller enables it.
TEST(Spawn, SACP_14_02_OffByDefault) {
    const Sacp sacp(kVisas);
    Agents agents;
    const std::string refused = error("NO_AGENT", "The spawning of agents is switched off");
    EXPECT_EQ(agents.spawn(sacp, kRequest, {}), refused);
    accp_text out = {};
    EXPECT_EQ(accp_capabilities_spawn(agents.get(), sacp.get(), kRequest.data(), kRequest.size(),
                                      nullptr, &out, nullptr),
              ACCP_OK);
    EXPECT_EQ(to_string(out), refused);
    EXPECT_EQ(to_string(accp_capabilities_verdict(agents.get())), refused);
    EXPECT_EQ(agents.document(), "[]");
}

// Definition, registration and confirmation.
TEST(Spawn, SACP_14_04_RegistersTheAgent) {
    const Sacp sacp(kVisas);
    Agents agents;
    const std::string id = "a1";
    const std::string said = agents.spawn(sacp, kRequest, {1, 0, 9500, text_of(id)});
    const std::string registered = kEntry + R"(,"lease_until":9.5})";
    EXPECT_EQ(agents.document(), "[" + registered + "]");
    const size_t plan = kRequest.find("\"plan\""), end = kRequest.find(",\"msg_id\"");
    const std::string confirmed =
        R"({"g":"SPAWN_AGENT",)" + kRequest.substr(plan, end - plan) +
        R"(,"state":"DONE","msg_id":"a1","reply_to":"r.1","result":{"agent_name":"VISA_AGENT",)" +
        R"("registered":)" + registered + R"(,"prompt":"You are an autonomous agent)";
    EXPECT_EQ(said.substr(0, confirmed.size()), confirmed);
    Sacp judge(kVisas);
    EXPECT_EQ(judge.check(said), R"({"status":"VALID"})");
    agents.report(sacp, kPlan, 9000);
    EXPECT_EQ(agents.answer, ACCP_PLAN_FEASIBLE);
    agents.report(sacp, kPlan, 9500);
    EXPECT_EQ(agents.answer, ACCP_PLAN_INFEASIBLE);
}

// The template is filled as by accp_sacp_print_prompt().
TEST(Spawn, SACP_14_03_TheDefinitionFollowsTheTemplate) {
    const Sacp sacp(kVisas);
    Agents agents;
    accp_text prompt = {};
    ASSERT_EQ(accp_sacp_print_prompt(sacp.get(), "VISA_AGENT", 10, "check", 5, "VISA", 4, nullptr,
                                     0, &prompt, nullptr),
              ACCP_OK);
    std::string wanted = "\"prompt\":\"";
    for (const char c : to_string(prompt)) wanted += c == '\n' ? "\\n" : std::string(1, c);
    EXPECT_NE(agents.spawn(sacp, kRequest, kAllowed).find(wanted + "\"}}"), std::string::npos);
}

TEST(Spawn, SACP_14_EX1_TheSpecificationsRequest) {
    const Sacp sacp;
    Agents agents;
    const std::string said = agents.spawn(sacp, kSeed, kAllowed);
    EXPECT_NE(said.find(R"("result":{"agent_name":"VISA_AGENT")"), std::string::npos) << said;
    EXPECT_EQ(said.find("reply_to"), std::string::npos);  // the request has no msg_id
    EXPECT_EQ(agents.document(),
              R"([{"agent_name":"VISA_AGENT","supported_verbs":["check"],)"
              R"("supported_tools":["VISA_QUERY"],"inputs":["nationality","destination"],)"
              R"("outputs":["visa_required"],)"
              R"("description":"Checks visa requirements for a citizen traveling to a country",)"
              R"("tags":["spawned"]}])");
}

// The maximum number of rounds, then NO_AGENT.
TEST(Spawn, SACP_14_06_RoundsAreBounded) {
    const Sacp sacp(kVisas);
    Agents agents;
    const std::string given_up = error("NO_AGENT", "No agent for action step 1");
    for (const uint32_t max : {0u, 1u, 2u, 3u}) {
        for (uint32_t asked = 0; asked < 5; ++asked) {
            const accp_spawn_round round = {asked, max, {}};
            const std::string said = agents.request(sacp, kPlan, &round);
            const bool ends = asked >= (max ? max : 1);
            EXPECT_EQ(agents.answer, ends ? ACCP_SPAWN_GIVEN_UP : ACCP_SPAWN_REQUESTED);
            EXPECT_EQ(said == given_up, ends) << said;
        }
    }
    agents.spawn(sacp, kRequest, kAllowed);
    const accp_spawn_round late = {9, 1, {}};
    EXPECT_EQ(agents.request(sacp, kPlan, &late), agents.report(sacp, kPlan));
    agents.request(sacp, kPlan, &late);
    EXPECT_EQ(agents.answer, ACCP_SPAWN_NOT_NEEDED);
    EXPECT_EQ(agents.request(sacp, R"({"plan":[]})"),
              error("MISSING_FIELD", "a message must have a goal, g"));
    EXPECT_EQ(agents.answer, ACCP_SPAWN_INVALID);
}

struct RefusedRequest {
    const char *what, *plan, *more, *said;
};

const RefusedRequest kRefusedRequests[] = {
    {"no instantiate", R"(["define","T",{"description":"d","inputs":[],"outputs":[]}])", "",
     "MALFORMED_PLAN\",\"details\":\"no instantiate follows the define: action step 1"},
    {"two agents",
     R"(["define","T",{"description":"d","inputs":[],"outputs":[]}],)"
     R"(["instantiate","A",{"tool":"T","verb":"v"}],["instantiate","B",{"tool":"T","verb":"v"}])",
     "", "MALFORMED_PLAN\",\"details\":\"a request for an agent must be one define and one"},
    {"in a parallel", R"({"parallel":[["instantiate","A",{"tool":"VISA","verb":"check"}]]})", "",
     "MALFORMED_PLAN"},
    {"another verb", R"(["tell","VISA",{}],["instantiate","A",{"tool":"VISA","verb":"check"}])", "",
     "MALFORMED_PLAN"},
    {"a subtask", R"(["instantiate","A",{"tool":"VISA","verb":"check"}])",
     R"(,"subtask":{"g":"G","plan":[["tell","VISA",{}]]})", "MALFORMED_PLAN"},
    {"a reference", R"(["instantiate","A",{"tool":"VISA","verb":"$ctx.v"}])",
     R"(,"ctx":{"v":"check"})",
     "MALFORMED_PLAN\",\"details\":\"a request for an agent cannot have references: action step 1"},
    {"a tool of nobody", R"(["instantiate","A",{"tool":"NONE","verb":"check"}])", "",
     "UNKNOWN_TOOL"},
    {"another tool than the one defined",
     R"(["define","T",{"description":"d","inputs":[],"outputs":[]}],)"
     R"(["instantiate","A",{"tool":"VISA","verb":"check"}])",
     "", "MALFORMED_PLAN\",\"details\":\"the tool of the agent is not the defined one"},
    {"a tool that has not the verb", R"(["instantiate","A",{"tool":"LIST","verb":"check"}])", "",
     "VERB_TOOL_MISMATCH"},
    {"lines in a name", R"(["instantiate","A\nB",{"tool":"VISA","verb":"check"}])", "",
     "MALFORMED_PLAN\",\"details\":\"the name of an agent, its verb or its tool is empty or has a "
     "line break"},
    {"inputs that are no names",
     R"(["define","T",{"description":"d","inputs":[1],"outputs":[]}],)"
     R"(["instantiate","A",{"tool":"T","verb":"v"}])",
     "",
     "INVALID_TYPE\",\"details\":\"the inputs of an agent must be an array of names: action step "
     "1"},
    {"outputs that are no names",
     R"(["define","T",{"description":"d","inputs":[],"outputs":7}],)"
     R"(["instantiate","A",{"tool":"T","verb":"v"}])",
     "", "INVALID_TYPE"},
    {"a state", R"(["instantiate","A",{"tool":"VISA","verb":"check"}])", R"(,"state":"DONE")",
     "INVALID_STATE_TRANSITION"},
    {"a name that is taken", R"(["instantiate","TAKEN",{"tool":"VISA","verb":"check"}])", "",
     "MALFORMED_PLAN\",\"details\":\"another agent has this name: action step 1"},
};

TEST(Spawn, WhatIsRefusedRegistersNothing) {
    std::string library = kVisas;
    library.insert(library.find("\"tools\":[") + 9,
                   R"({"id":"LIST","description":"d","supported_verbs":["tell"]},)");
    const Sacp sacp(library);
    Agents agents("[" + agent("TAKEN", R"("check")", R"("LIST")") + "]");
    const std::string before = agents.document();
    for (const RefusedRequest &each : kRefusedRequests) {
        SCOPED_TRACE(each.what);
        const std::string wanted = std::string(R"({"status":"ERR","code":")") + each.said;
        const std::string said = agents.spawn(
            sacp, std::string(R"({"g":"SPAWN_AGENT","plan":[)") + each.plan + "]" + each.more + "}",
            kAllowed);
        EXPECT_EQ(said.substr(0, wanted.size()), wanted) << said;
        EXPECT_EQ(agents.document(), before);
    }
    EXPECT_EQ(agents.spawn(sacp, kPlan, kAllowed).substr(0, 42),
              R"({"status":"ERR","code":"MALFORMED_MESSAGE")");
}

// A repeated request, for example after a lost reply, is confirmed again.
TEST(Spawn, TheSameRequestAgain) {
    const Sacp sacp(kVisas);
    Agents agents;
    const std::string said = agents.spawn(sacp, kRequest, kAllowed);
    EXPECT_EQ(agents.spawn(sacp, kRequest, kAllowed), said);
    EXPECT_EQ(agents.count(), 1u);
    std::string other = kRequest;
    other.replace(other.find("Knows visas"), 5, "Hides");
    EXPECT_EQ(agents.spawn(sacp, other, kAllowed),
              error("MALFORMED_PLAN", "another agent has this name: action step 2"));
}

// If the request does not define the tool, the entry comes from the library.
TEST(Spawn, AToolOfTheLibrary) {
    const Sacp sacp(kVisas);
    Agents agents;
    agents.spawn(sacp,
                 R"({"g":"SPAWN_AGENT","plan":[["instantiate","VISA_AGENT",)"
                 R"({"tool":"VISA","verb":"c"}]]})",
                 kAllowed);
    EXPECT_EQ(agents.document(), "[" + kEntry + "}]");
}

TEST(Spawn, ADryRunMakesNoAgent) {
    const Sacp sacp(kVisas);
    for (const char *more : {R"(,"test_mode":true)", R"(,"ctx":{"test_mode":true})"}) {
        Agents agents;
        const std::string said =
            agents.spawn(sacp,
                         std::string(R"({"g":"SPAWN_AGENT","plan":[["instantiate","N",)"
                                     R"({"tool":"VISA","verb":"check"}]])") +
                             more + "}",
                         kAllowed);
        EXPECT_EQ(said.substr(said.size() - 20), R"(","simulated":true}})") << said;
        EXPECT_EQ(agents.count(), 0u);
    }
}

// A name is new to the registry and to the round; each pair is requested once.
TEST(Spawn, NamesAreFree) {
    const Sacp sacp(kVisas);
    Agents agents("[" + agent("VISA_AGENT", "", "") + "," + agent("VISA_AGENT_3", "", "") + "]");
    const std::string said = agents.request(
        sacp, R"({"g":"G","plan":[["check","VISA",{}],["tell","VISA",{}],["check","VISA",{}]]})");
    const std::vector<std::string> all = lines(said);
    ASSERT_EQ(all.size(), 2u) << said;
    EXPECT_NE(all[0].find(R"(["instantiate","VISA_AGENT_2",{"tool":"VISA","verb":"check"}])"),
              std::string::npos);
    EXPECT_NE(all[1].find(R"(["instantiate","VISA_AGENT_4",{"tool":"VISA","verb":"tell"}])"),
              std::string::npos);
}

// Texts of the library that look like references are text in a request.
TEST(Spawn, TextsThatLookLikeReferences) {
    const char *library = R"({"verbs":[{"name":"v","description":"d","inputs":["$ctx.a"],
        "outputs":{"o":["$step.1","$$x"]}}],
        "tools":[{"id":"T","description":"$sub.1 it","supported_verbs":["v"]}]})";
    const Sacp sacp(library);
    Agents agents;
    const std::string request = agents.request(sacp, R"({"g":"G","plan":[["v","T",{}]]})");
    ASSERT_EQ(agents.answer, ACCP_SPAWN_REQUESTED) << request;
    EXPECT_NE(request.find(R"({"description":"$$sub.1 it","inputs":["$$ctx.a"],)"
                           R"("outputs":{"o":["$$step.1","$$$x"]}})"),
              std::string::npos)
        << request;
    agents.spawn(sacp, request, kAllowed);
    EXPECT_NE(
        agents.document().find(R"("inputs":["$ctx.a"],"outputs":["o"],"description":"$sub.1 it")"),
        std::string::npos)
        << agents.document();
}

TEST(Spawn, EveryHandleOnAStoreHasTheAgent) {
    accp_store *store = nullptr;
    ASSERT_EQ(accp_store_open("memory:", 7, 0, nullptr, &store, nullptr), ACCP_OK);
    {
        const Sacp sacp(kVisas);
        Agents agents("[]", nullptr, store), other("[]", nullptr, store);
        agents.spawn(sacp, kRequest, kAllowed);
        other.report(sacp, kPlan);
        EXPECT_EQ(other.answer, ACCP_PLAN_FEASIBLE);
    }
    accp_store_close(store, nullptr);
}

TEST(Spawn, ArgumentsThatAreWrong) {
    const Sacp sacp(kVisas);
    Agents agents;
    accp_text out = {"kept", 4};
    const auto spawn = [&](const accp_spawn_rules &rules) {
        return accp_capabilities_spawn(agents.get(), sacp.get(), kRequest.data(), kRequest.size(),
                                       &rules, &out, nullptr);
    };
    const auto ask = [&](const accp_spawn_round &round) {
        return accp_capabilities_request_agents(agents.get(), sacp.get(), kPlan.data(),
                                                kPlan.size(), 0, 0, &round, &out, nullptr, nullptr);
    };
    const std::string space = "a b", long_id(129, 'a');
    EXPECT_EQ(spawn({2, 0, 0, {}}), ACCP_ERR_ARG);
    EXPECT_EQ(spawn({1, 1, 0, {}}), ACCP_ERR_ARG);
    EXPECT_EQ(spawn({1, 0, -1, {}}), ACCP_ERR_ARG);
    EXPECT_EQ(spawn({1, 0, 0, text_of(space)}), ACCP_ERR_ARG);
    EXPECT_EQ(spawn({1, 0, 0, text_of(long_id)}), ACCP_ERR_ARG);
    EXPECT_EQ(spawn({1, 0, 0, {nullptr, 1}}), ACCP_ERR_ARG);
    EXPECT_EQ(ask({0, 4, {}}), ACCP_ERR_ARG);
    EXPECT_EQ(ask({0, 1, {long_id.data(), 121}}), ACCP_ERR_ARG);
    EXPECT_EQ(ask({0, 1, {nullptr, 1}}), ACCP_ERR_ARG);
    EXPECT_EQ(to_string(out), "kept");
    EXPECT_EQ(agents.count(), 0u);
    EXPECT_EQ(ask({0, 1, {long_id.data(), 120}}), ACCP_OK);
    EXPECT_EQ(agents.spawn(sacp, to_string(out), kAllowed).substr(0, 9), R"({"g":"SPA)");
}

// Each allocation fails once: the agent is registered completely or not at all, there is no result,
// and then the same call succeeds.
TEST(Spawn, MemoryRunsOut) {
    const Sacp whole(kVisas);
    const std::string confirmed = Agents().spawn(whole, kRequest, kAllowed),
                      requested = Agents().request(whole, kPlan);
    for (const bool serves : {false, true}) {
        bool done = false;
        for (int64_t at = 0; !done; ++at) {
            ASSERT_LT(at, 1000);
            accp_test::FailingMemory failing;
            Config config;
            config.allocator(failing.allocator());
            const Sacp sacp(kVisas, config.get());
            Agents agents("[]", config.get());
            accp_text out = {"kept", 4};
            failing.left = at;
            const accp_status status =
                serves ? accp_capabilities_spawn(agents.get(), sacp.get(), kRequest.data(),
                                                 kRequest.size(), &kAllowed, &out, nullptr)
                       : accp_capabilities_request_agents(agents.get(), sacp.get(), kPlan.data(),
                                                          kPlan.size(), 0, 0, nullptr, &out,
                                                          nullptr, nullptr);
            done = failing.left >= 0;
            failing.left = -1;
            EXPECT_EQ(status, done ? ACCP_OK : ACCP_ERR_NOMEM);
            EXPECT_EQ(to_string(out), done ? serves ? confirmed : requested : "kept");
            EXPECT_LE(agents.count(), serves ? 1u : 0u);
            EXPECT_EQ(serves ? agents.spawn(sacp, kRequest, kAllowed) : agents.request(sacp, kPlan),
                      serves ? confirmed : requested)
                << at;
            EXPECT_EQ(agents.count(), serves ? 1u : 0u);
        }
    }
}

}  // namespace
