// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/pane_words.h"
#include "server/mcp/tools.h"

namespace server {

using host::Failure;
using host::json_string;

namespace {

class McpPacket {
public:
    explicit McpPacket(const McpTools &tools) {
        accp_packet *made = nullptr;
        accp_error err = {};
        host::check(accp_packet_new(tools.environment().config, &made, &err), err);
        held_.reset(made);
    }
    accp_packet *get() const { return held_.get(); }
    template <typename Print>
    std::string print(Print print) const {
        accp_text text = {};
        accp_error err = {};
        host::check(print(held_.get(), &text, &err), err);
        return std::string(host::to_view(text));
    }
    // "checksum":…,"tokens":N
    std::string members() const {
        return "\"checksum\":" +
               host::json_string(host::to_view(accp_packet_checksum(held_.get()))) +
               ",\"tokens\":" + std::to_string(accp_packet_tokens(held_.get()));
    }

private:
    host::Handle<accp_packet> held_;
};

void check_pane(int64_t pane, accp_status status, const accp_error &err) {
    if (status == ACCP_OK) return;
    const std::string of = pane == ACCP_PANES_SHARED ? "shared" : "pane " + std::to_string(pane);
    throw Failure(of + ": " + host::describe_short(err));
}

void make_of_session(const McpCall &call, const accp_packet_request &request,
                     const McpPacket &packet) {
    call.tools.use_session(
        call.session(), McpTools::Use::kRead, [&](accp_session *session, accp_error &err) {
            return accp_session_generate_packet(session, &request, packet.get(), &err);
        });
}

constexpr uint64_t kAllOfIt = 1'000'000;  // tokens of a packet that is only queried

// Collects the packets that can contain an answer: the packet of the worker's own pane, the shared
// one, and one of the whole session.
class PacketIndex {
public:
    explicit PacketIndex(const McpCall &call) : call_(call) {
        accp_error err = {};
        accp_packet_index *made = nullptr;
        host::check(accp_packet_index_new(call.tools.environment().config, &made, &err), err);
        held_.reset(made);
        if (call.tools.environment().project) add_panes(*call.tools.environment().project);
        add_session();
    }
    bool is_empty() const { return accp_packet_index_count(held_.get()) == 0; }
    // Returns an answer as JSON; empty: no packet contains one.
    std::string ask(const std::string &question) {
        accp_text answer = {};
        accp_error err = {};
        const accp_status status = accp_packet_index_query(
            held_.get(), question.data(), question.size(), nullptr, 0, &answer, &err);
        if (status == ACCP_E2001) return {};
        host::check(status, err);
        return std::string(host::to_view(answer));
    }

private:
    struct FreeIndex {
        void operator()(accp_packet_index *index) const { accp_packet_index_free(index); }
    };

    void add(const McpPacket &packet) {
        accp_error err = {};
        host::check(accp_packet_index_add(held_.get(), packet.get(), &err), err);
    }
    void add_panes(McpProject &project) {
        const McpPacket packet(call_.tools);
        const int64_t own = call_.has("pane") ? call_.number("pane", -1) : project.own_pane();
        for (const int64_t pane : {own, ACCP_PANES_SHARED}) {
            if (pane < 0 && pane != ACCP_PANES_SHARED) continue;
            accp_error err = {};
            const accp_status status =
                accp_panes_read(project.panes(false), pane, call_.now_ms, 0, packet.get(), &err);
            if (status == ACCP_E2001) continue;  // no packet
            check_pane(pane, status, err);
            add(packet);
        }
    }
    void add_session() {
        accp_packet_request request = {};
        request.size = sizeof request;
        request.depth = ACCP_PACKET_DEEP;
        request.budget_tokens = kAllOfIt;
        request.now_ms = call_.now_ms;
        const McpPacket packet(call_.tools);
        try {
            make_of_session(call_, request, packet);
        } catch (const Failure &) {
            if (call_.has("session")) throw;
            return;  // no session, or one without requests
        }
        add(packet);
    }

    const McpCall &call_;
    std::unique_ptr<accp_packet_index, FreeIndex> held_;
};

void context_query(McpCall &call, McpResult &result) {
    PacketIndex index(call);
    if (index.is_empty())
        throw Failure(
            "nothing to query: there is no packet of this pane and no shared one, and the session "
            "has no requests");
    const std::string answer = index.ask(call.text("question"));
    result.structured = answer.empty() ? R"({"answer":"","sources":[]})" : answer;
    result.add_text(answer.empty() ? "nothing here answers that"
                                   : host::json_text(host::json_member(answer, "answer")));
}

// A worker trusts what its host passes to it, so an untrusted client may provide none of that.
void check_trusted(const McpCall &call, const char *what) {
    if (!call.client.origin.is_trusted())
        throw Failure(std::string(what) + ": E5001: this requires a trusted client");
}

McpProject &project_of(const McpCall &call) {
    if (!call.tools.environment().project)
        throw Failure(
            "this server has no project: leave pane out, and pass the packet on yourself");
    return *call.tools.environment().project;
}

int64_t pane_of(const McpCall &call) {
    McpProject &project = project_of(call);
    const int64_t pane = call.has("pane") ? call.number("pane", -1) : project.own_pane();
    if (pane >= 0) return pane;
    throw Failure(
        "unknown pane: give pane, a number, or set AGENTWIRE_PANE, or pane in the configuration");
}

accp_packet_request request_of(const McpCall &call, const std::string &task) {
    McpProject *project = call.tools.environment().project;
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
    request.creator = {call.tools.environment().agent.data(),
                       call.tools.environment().agent.size()};
    request.now_ms = call.now_ms;
    request.code = project ? project->code() : nullptr;
    return request;
}

// Makes a packet of a given text, or of code alone.
void make_of_text(const McpCall &call, accp_packet_request request, const McpPacket &packet) {
    const std::string talk = call.text("conversation");
    const int32_t found = accp_interface_detect(talk.data(), talk.size());
    request.conversation = {talk.data(), talk.size()};
    request.an_interface = std::max(found, 0);
    accp_error err = {};
    if (accp_packet_generate(packet.get(), &request, &err) == ACCP_OK) return;
    const bool of_a_message = err.code == ACCP_E1001 || err.code == ACCP_E1004;
    throw Failure(of_a_message ? "conversation: message " + std::to_string(err.record + 1) + ": " +
                                     host::describe_short(err) +
                                     "; turns begin with \"User:\" and \"Assistant:\""
                               : host::describe_short(err));
}

// Makes a packet of a given conversation, else of the session; of code alone if there is no
// session.
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
                   accp_panes_write(project_of(call).panes(false), pane, packet.get(), nullptr, 0,
                                    call.now_ms, 0, &err),
                   err);
        more = ",\"pane\":" + std::to_string(pane) +
               ",\"path\":" + json_string(host::pane_path(pane)) +
               ",\"instruction\":" + json_string(host::reading_line(pane));
    }
    const std::string yaml = packet.print(accp_packet_print_yaml);
    result.add_text(yaml);
    result.structured = "{\"yaml\":" + json_string(yaml) + "," + packet.members() + more + "}";
}

// Leaves a receipt, because the caller serves a worker.
void context_read(McpCall &call, McpResult &result) {
    check_trusted(call, "context_read leaves a receipt");
    const int64_t pane = pane_of(call);
    const McpPacket packet(call.tools);
    accp_error err = {};
    check_pane(pane,
               accp_panes_read(project_of(call).panes(true), pane, call.now_ms, ACCP_PANES_RECEIPT,
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
    check_pane(pane, accp_panes_read_feedback(panes, pane, &missed, &spare, &err), err);
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

// The tools on context packets (seed 003): the host of a worker writes down what the worker must
// know.
McpToolTable mcp_packet_tools() { return {"context", kPacketTools, std::size(kPacketTools)}; }

}  // namespace server
