// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on context packets (seed 003): what a worker must know, written by whoever starts it.
#include "server/json/json_parts.h"
#include "server/library/pane_words.h"
#include "server/json/typed_json.h"
#include "server/mcp/packet.h"
#include "server/mcp/text_cut.h"

namespace server {
namespace {

using host::Failure;
using host::json_string;

// A worker trusts what its host passes to it, so an untrusted client may provide none of that.
void check_trusted(const McpCall &call, const char *what) {
    if (!call.client.origin.is_trusted())
        throw Failure(std::string(what) + ": E5001: this client is not trusted with that");
}

McpProject &project_of(const McpCall &call) {
    if (!call.tools.house().project)
        throw Failure(
            "this server has no project: leave pane out, and pass the packet on yourself");
    return *call.tools.house().project;
}

int64_t pane_of(const McpCall &call) {
    McpProject &project = project_of(call);
    const int64_t pane = call.has("pane") ? call.number("pane", -1) : project.own_pane();
    if (pane >= 0) return pane;
    throw Failure(
        "which pane this is is not known: give pane, a number; or the server is told by "
        "AGENTWIRE_PANE, or by pane in its configuration");
}

accp_packet_request request_of(const McpCall &call, const std::string &task) {
    McpProject *project = call.tools.house().project;
    accp_panes *panes = project ? project->panes(false) : nullptr;
    const auto setting = [&](int32_t number, int64_t otherwise) {
        return panes ? accp_panes_setting(panes, number) : otherwise;
    };
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task.data(), task.size()};
    request.depth =
        call.has("depth")
            ? host::depth_of(call.text("depth"))
            : static_cast<int32_t>(setting(ACCP_PANES_DEFAULT_DEPTH, ACCP_PACKET_STANDARD));
    request.budget_tokens = static_cast<uint64_t>(
        call.number("budget_tokens", setting(ACCP_PANES_BUDGET_MINIMAL + request.depth, 0)));
    request.creator = {call.tools.house().agent.data(), call.tools.house().agent.size()};
    request.now_ms = call.now_ms;
    request.code = project ? project->code() : nullptr;
    return request;
}

// Of a text that was given; or of code alone.
void make_of_text(const McpCall &call, accp_packet_request request, const McpPacket &packet) {
    const std::string talk = call.text("conversation");
    const int32_t found = accp_interface_detect(talk.data(), talk.size());
    request.conversation = {talk.data(), talk.size()};
    request.an_interface = std::max(found, 0);
    accp_error err = {};
    if (accp_packet_generate(packet.get(), &request, &err) == ACCP_OK) return;
    const bool of_a_message = err.code == ACCP_E1001 || err.code == ACCP_E1004;
    throw Failure(of_a_message
                      ? "conversation: message " + std::to_string(err.record + 1) + ": " +
                            tell_error(err) + "; turns begin with \"User:\" and \"Assistant:\""
                      : tell_error(err));
}

// Of a conversation that is given, else of the session; of code alone where there is no session.
void make_packet(const McpCall &call, const accp_packet_request &request, const McpPacket &packet) {
    if (call.has("conversation")) return make_of_text(call, request, packet);
    try {
        make_of_session(call, request, packet);
    } catch (const Failure &failure) {
        if (request.code && !call.has("session")) return make_of_text(call, request, packet);
        throw Failure(std::string(failure.what()) +
                      "; say what was discussed with session_append, or give it as conversation");
    }
}

void context_generate(McpCall &call, McpResult &result) {
    const std::string task = call.text("task");
    if (call.has("pane")) check_trusted(call, "pane");
    const McpPacket packet(call.tools);
    make_packet(call, request_of(call, task), packet);
    std::string more;
    if (call.has("pane")) {
        const int64_t pane = call.number("pane", 0);
        accp_error err = {};
        check_pane(pane,
                   accp_panes_write(project_of(call).panes(false), pane, nullptr, 0, 0, call.now_ms,
                                    packet.get(), &err),
                   err);
        more = ",\"pane\":" + std::to_string(pane) +
               ",\"path\":" + json_string(host::pane_path(pane)) +
               ",\"instruction\":" + json_string(host::reading_line(pane));
    }
    const std::string yaml = packet.print(accp_packet_print_yaml);
    result.add_text(yaml);
    result.structured = "{\"yaml\":" + json_string(yaml) + "," + packet.members() + more + "}";
}

// With a receipt: whoever serves a worker is asked by it.
void context_read(McpCall &call, McpResult &result) {
    check_trusted(call, "context_read leaves a receipt");
    const int64_t pane = pane_of(call);
    const McpPacket packet(call.tools);
    accp_error err = {};
    check_pane(pane,
               accp_panes_read(project_of(call).panes(true), pane, ACCP_PANES_RECEIPT, call.now_ms,
                               packet.get(), &err),
               err);
    result.add_text(packet.print(accp_packet_print_prompt));
    result.structured = "{\"pane\":" + std::to_string(pane) + "," + packet.members() +
                        ",\"packet\":" + packet.print(accp_packet_print_json) + "}";
}

void context_feedback(McpCall &call, McpResult &result) {
    if (call.has("gaps") || call.has("unused")) check_trusted(call, "context_feedback");
    const int64_t pane = pane_of(call);
    accp_panes *panes = project_of(call).panes(false);
    const std::string gaps = call.lines("gaps"), unused = call.lines("unused");
    accp_error err = {};
    if (call.has("gaps") || call.has("unused"))
        check_pane(pane,
                   accp_panes_write_feedback(panes, pane, gaps.data(), gaps.size(), unused.data(),
                                             unused.size(), &err),
                   err);
    accp_text missed = {}, spare = {};
    check_pane(pane, accp_panes_feedback(panes, pane, &missed, &spare, &err), err);
    result.add_text(host::feedback_text(host::to_view(missed), host::to_view(spare)));
    result.structured = host::feedback_json(pane, host::to_view(missed), host::to_view(spare));
}

#define PANE_MEMBER R"("pane":{"type":"integer","minimum":0,"maximum":9999})"
#define PACKET_SESSION R"("session":{"type":"string","minLength":1,"maxLength":256})"
#define TEXT_LIST R"({"type":"array","items":{"type":"string"}})"

constexpr McpTool kPacketTools[] = {
    {"context_generate", "Generate a context packet",
     "A packet for the worker of a task, of what was said in the session or in conversation; with "
     "pane it is written where that worker reads it.",
     R"({"type":"object","properties":{"task":{"type":"string","minLength":1},)"
     R"("depth":{"type":"string","enum":["minimal","standard","deep"]},)" PANE_MEMBER
     "," PACKET_SESSION
     R"(,"conversation":{"type":"string"},"budget_tokens":{"type":"integer","minimum":1}},)"
     R"("required":["task"],"additionalProperties":false})",
     R"({"type":"object","properties":{"yaml":{"type":"string"},"checksum":{"type":"string"},)"
     R"("tokens":{"type":"integer"},"pane":{"type":"integer"},"path":{"type":"string"},)"
     R"("instruction":{"type":"string"}},"required":["yaml","checksum","tokens"]})",
     kDestructive | kIdempotent | kQuotes, 0, context_generate},
    {"context_read", "Read the worker's packet",
     "The context packet of this worker, or of a pane: read it before you begin.",
     R"({"type":"object","properties":{)" PANE_MEMBER R"(},"additionalProperties":false})",
     R"({"type":"object","properties":{"pane":{"type":"integer"},"checksum":{"type":"string"},)"
     R"("tokens":{"type":"integer"},"packet":{"type":"object"}},)"
     R"("required":["pane","checksum","tokens","packet"]})",
     kIdempotent | kQuotes, kNeedsProject, context_read},
    {"context_feedback", "Say what the packet was like",
     "When you are done: what your packet missed (gaps), and what was there and not needed "
     "(unused).",
     R"({"type":"object","properties":{"gaps":)" TEXT_LIST R"(,"unused":)" TEXT_LIST "," PANE_MEMBER
     R"(},"additionalProperties":false})",
     R"({"type":"object","properties":{"pane":{"type":"integer"},"gaps":)" TEXT_LIST
     R"(,"unused":)" TEXT_LIST R"(},"required":["pane","gaps","unused"]})",
     kDestructive | kIdempotent | kQuotes, kNeedsProject, context_feedback},
    {"context_query", "Ask the context",
     "Ask what was decided, demanded or tried: \"What authentication approach was decided?\"",
     R"({"type":"object","properties":{"question":{"type":"string","minLength":1},)" PANE_MEMBER
     "," PACKET_SESSION R"(},"required":["question"],"additionalProperties":false})",
     R"({"type":"object","properties":{"answer":{"type":"string"},"sources":{"type":"array",)"
     R"("items":{"type":"object"}}},"required":["answer","sources"]})",
     kReadsOnly | kQuotes, 0, context_query},
};
#undef PANE_MEMBER
#undef PACKET_SESSION
#undef TEXT_LIST

}  // namespace

McpToolTable mcp_packet_tools() { return {"context", kPacketTools, std::size(kPacketTools)}; }

}  // namespace server
