// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on SACP: validate messages, find agents, and run plans in test mode.
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/plan_run.h"
#include "server/mcp/tools.h"
#include "server/mcp/wrap_messages.h"

namespace server {

using host::Failure;
using host::json_items;
using host::json_member;
using host::json_text;
using host::to_view;

namespace {

// The library of the call, or the server's.
std::string library_of(const McpCall &call) {
    return call.has("library") ? std::string(call.json("library"))
                               : call.tools.environment().library;
}

host::Handle<accp_sacp> validator_of(const McpCall &call) {
    const std::string document = library_of(call);
    accp_error err = {};
    accp_library *library = nullptr;
    accp_sacp *sacp = nullptr;
    host::check(accp_library_new(document.data(), document.size(), nullptr, &library, &err), err);
    const host::Handle<accp_library> held(library);
    host::check(accp_sacp_new(library, nullptr, &sacp, &err), err);
    return host::Handle<accp_sacp>(sacp);
}

// Prints a verdict of the specification: "ERR MALFORMED_PLAN: Missing parameters for action step
// 2".
std::string verdict_text(std::string_view json) {
    std::string text = json_text(json_member(json, "status"));
    const std::string code = json_text(json_member(json, "code")),
                      details = json_text(json_member(json, "details"));
    if (!code.empty()) text += " " + code;
    if (!details.empty()) text += ": " + details;
    for (const std::string_view need : json_items(json_member(json, "need")))
        text += " " + json_text(need);
    return text;
}

void sacp_validate(McpCall &call, McpResult &result) {
    const host::Handle<accp_sacp> sacp = validator_of(call);
    const std::string_view message = call.json("message");
    const int32_t reading = call.is_set("lenient") ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT;
    accp_error err = {};
    accp_text verdict = {};
    host::check(accp_sacp_check(sacp.get(), message.data(), message.size(), reading, nullptr, &err),
                err);
    host::check(accp_sacp_print_verdict(sacp.get(), &verdict, &err), err);
    result.structured = to_view(verdict);
    result.add_text(verdict_text(result.structured));
}

// Prints one agent a line: "lister exact", "painter similar 0.870000".
std::string agents_text(std::string_view agents) {
    std::string text;
    for (const std::string_view one : json_items(agents)) {
        text.append(text.empty() ? "" : "\n").append(json_text(json_member(one, "agent_name")));
        text.append(" ").append(json_text(json_member(one, "match")));
        const std::string_view score = json_member(one, "score");
        if (!score.empty()) text.append(" ").append(score);
    }
    return text.empty() ? "nobody" : text;
}

void sacp_query(McpCall &call, McpResult &result) {
    accp_capabilities *agents = call.tools.agents();
    const std::string request = "{\"query\":" + std::string(call.json("query")) + "}";
    const uint32_t ranking = (call.is_set("lexical") ? uint32_t{ACCP_RANK_LEXICAL} : 0) |
                             (call.is_set("by_outcomes") ? uint32_t{ACCP_RANK_BY_OUTCOMES} : 0);
    accp_text answer = {};
    accp_error err = {};
    const accp_status status = accp_capabilities_query(agents, request.data(), request.size(),
                                                       call.now_ms, ranking, &answer, &err);
    const std::string_view verdict = to_view(accp_capabilities_verdict(agents));
    if (status != ACCP_OK && !verdict.empty()) throw Failure("query: " + verdict_text(verdict));
    host::check(status, err);
    result.structured = "{\"agents\":" + std::string(to_view(answer)) + "}";
    result.add_text(agents_text(to_view(answer)));
}

// Runs the plan to its end. The clock advances only when the plan waits for it. In test mode the
// run makes no calls; if it makes one, the call fails.
void run_dry(host::PlanRun &run, int64_t now) {
    for (;;) {
        const accp_run_effect effect = run.next(now);
        if (effect.kind == ACCP_RUN_ENDED) return;
        if (effect.kind == ACCP_RUN_CALL) run.fail(effect.call, ACCP_RUN_NO_AGENT, "", now);
        if (effect.kind != ACCP_RUN_NOTHING) continue;
        if (run.due() < 0) throw Failure("the plan waits for nothing");
        run.tick(now = run.due());
    }
}

constexpr const char *kStateNames[] = {"GOING_ON", "DONE", "FAILED", "REFUSED"};

void sacp_run(McpCall &call, McpResult &result) {
    const std::string message = replace_member(call.json("message"), "test_mode", "true"),
                      library = library_of(call);
    host::PlanSource source;
    source.message = message;
    source.library = library;
    source.policy = call.json("policy");
    source.lenient = call.is_set("lenient");
    source.reasons = true;
    source.now_ms = call.now_ms;
    host::PlanRun run(source);
    run_dry(run, call.now_ms);
    const std::string trace = run.trace(), final = run.final();
    const std::vector<std::string_view> attempts = json_items(trace);
    std::string text;
    uint64_t done = 0;
    for (const std::string_view one : attempts) {
        std::string line;
        for (const char *part : {"step", "verb", "tool", "outcome", "reason"}) {
            const std::string word = json_text(json_member(one, part));
            if (!word.empty()) line.append(line.empty() ? "" : " ").append(word);
        }
        if (call.progress) call.progress(++done, attempts.size(), line);
        text.append(line).append("\n");
    }
    const char *state = kStateNames[run.state()];
    result.add_text(text + final);
    result.structured = "{\"state\":\"" + std::string(state) + "\",\"attempts\":" + trace +
                        ",\"final\":" + final + "}";
}

#define LIBRARY_MEMBER R"(,"library":{"type":"object"},"lenient":{"type":"boolean"})"

constexpr McpTool kSacpTools[] = {
    {"sacp_validate", "Validate a SACP message",
     "Whether a SACP message {\"g\",\"ctx\",\"plan\",…} can be run: VALID, ERR or REQ_CLARIFY, and "
     "why.",
     R"({"type":"object","properties":{"message":{"type":"object"})" LIBRARY_MEMBER
     R"(},"required":["message"],"additionalProperties":false})",
     R"({"type":"object","properties":{"status":{"type":"string"},"code":{"type":"string"},)"
     R"("details":{"type":"string"},"need":{"type":"array","items":{"type":"string"}}},)"
     R"("required":["status"]})",
     kReadsOnly, 0, sacp_validate},
    {"sacp_query", "Ask for agents", "Which registered agents can do something.",
     R"({"type":"object","properties":{"query":{"type":"object","description":"such as )"
     R"({\"verb\":\"search\"}"},"lexical":{"type":"boolean"},"by_outcomes":{"type":"boolean"}},)"
     R"("required":["query"],"additionalProperties":false})",
     R"({"type":"object","properties":{"agents":{"type":"array","items":{"type":"object",)"
     R"("properties":{"agent_name":{"type":"string"},"match":{"type":"string"},)"
     R"("score":{"type":"number"}},"required":["agent_name","match"]}}},"required":["agents"]})",
     kReadsOnly | kQuotes, 0, sacp_query},
    {"sacp_run", "Try a plan",
     "Run the plan of a SACP message in test mode: no tool is called, outputs are made up.",
     R"({"type":"object","properties":{"message":{"type":"object"})" LIBRARY_MEMBER
     R"(,"policy":{"type":"object"}},"required":["message"],"additionalProperties":false})",
     R"({"type":"object","properties":{"state":{"type":"string","enum":["DONE","FAILED","REFUSED"]},)"
     R"("attempts":{"type":"array","items":{"type":"object"}},"final":{"type":"object"}},)"
     R"("required":["state","attempts","final"]})",
     kReadsOnly, 0, sacp_run},
};
#undef LIBRARY_MEMBER

}  // namespace

McpToolTable mcp_sacp_tools() { return {"sacp", kSacpTools, std::size(kSacpTools)}; }

}  // namespace server
