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
    explicit McpPacket(const McpTools &tools) : McpPacket(tools.environment().config) {}
    explicit McpPacket(const accp_config *config) {
        accp_packet *made = nullptr;
        accp_error err = {};
        host::check(accp_packet_new(config, &made, &err), err);
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
    const std::string id = call.session();
    const auto generate = [&](accp_session *session, accp_error &err) {
        return accp_session_generate_packet(session, &request, packet.get(), &err);
    };
    if (!call.client.runs_apart) return call.tools.use_session(id, McpTools::Use::kRead, generate);
    accp_error err = {};
    const host::Handle<accp_session> session =
        call.tools.environment().sessions->open_to_read(id, err);
    if (!session || generate(session.get(), err) != ACCP_OK)
        throw Failure("session " + id + ": " + host::describe_short(err));
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
    const bool of_items = std::string_view(err.message).starts_with("items: ");
    const bool of_a_message = !of_items && (err.code == ACCP_E1001 || err.code == ACCP_E1004);
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

// Returns the items of the call or of a model.
std::string items_of(const McpCall &call) {
    return call.has("items") || !call.found ? std::string(call.json("items")) : call.found->items;
}

// The member `model` of an answer, with a comma before it; empty: none was asked.
std::string model_member(const McpCall &call) {
    if (!call.found) return {};
    host::JsonList notes;
    for (const std::string &note : call.found->notes) notes.text(note);
    return ",\"model\":" + host::JsonObject()
                               .flag("used", !call.found->items.empty())
                               .json("notes", notes.end())
                               .end();
}

void add_model_notes(const McpCall &call, McpResult &result) {
    if (!call.found || call.found->notes.empty()) return;
    std::string text = "About the model:";
    for (const std::string &note : call.found->notes) text += "\n- " + note;
    result.add_text(text);
}

std::string frequent_gaps_of(accp_panes *panes) {
    accp_error err = {};
    accp_text stats = {};
    host::check(accp_panes_print_stats_json(panes, 0, &stats, &err), err);
    return host::frequent_gaps(host::to_view(stats));
}

void context_generate(McpCall &call, McpResult &result) {
    const std::string task = call.text("task");
    if (call.has("pane")) check_trusted(call, "pane");
    const McpPacket packet(call.tools);
    const std::string items = items_of(call);
    accp_packet_request request = request_of(call, task);
    request.items = {items.data(), items.size()};
    make_packet(call, request, packet);
    std::string more = model_member(call), missed;
    if (!items.empty()) more += ",\"items\":" + packet.print(accp_packet_print_report);
    if (call.has("pane")) {
        const int64_t pane = call.number("pane", 0);
        accp_error err = {};
        check_pane(pane,
                   accp_panes_write(project_of(call).panes(false), pane, packet.get(), nullptr, 0,
                                    call.now_ms, ACCP_PANES_MADE, &err),
                   err);
        missed = frequent_gaps_of(project_of(call).panes(true));
        more += ",\"pane\":" + std::to_string(pane) +
                ",\"path\":" + json_string(host::pane_path(pane)) +
                ",\"instruction\":" + json_string(host::reading_line(pane));
    }
    const std::string yaml = packet.print(accp_packet_print_yaml);
    result.add_text(yaml);
    add_model_notes(call, result);
    if (!missed.empty())
        result.add_text(
            "Earlier workers often lacked what follows. If you know it, make the packet again with "
            "it as items:\n" +
            missed);
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
    std::string stale;
    if (const accp_packet_code *code = project_of(call).code()) {
        accp_text files = {};
        host::check(accp_packet_stale_files(packet.get(), code, &files, &err), err);
        stale = host::to_view(files);
    }
    result.add_text(packet.print(accp_packet_print_prompt) +
                    host::about_packet(packet.print(accp_packet_print_json), call.now_ms, stale,
                                       frequent_gaps_of(project_of(call).panes(true))));
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

// The result of a tool that wrote the packet of a pane.
void set_written(int64_t pane, const McpPacket &packet, McpResult &result) {
    result.add_text("written: " + host::pane_path(pane) + ", " +
                    std::to_string(accp_packet_tokens(packet.get())) + " tokens");
    result.structured = "{\"pane\":" + std::to_string(pane) +
                        ",\"path\":" + json_string(host::pane_path(pane)) + "," + packet.members() +
                        "}";
}

void read_current(const McpCall &call, int64_t pane, const McpPacket &packet) {
    accp_error err = {};
    check_pane(pane,
               accp_panes_read(project_of(call).panes(false), pane, call.now_ms,
                               ACCP_PANES_UNVERIFIED, packet.get(), &err),
               err);
}

void write_given(McpCall &call, bool is_edit, McpResult &result) {
    const int64_t pane = pane_of(call);
    const std::string text = call.text("packet");
    std::string revision = call.text("revision");
    const McpPacket packet(call.tools);
    if (is_edit) {
        read_current(call, pane, packet);
        if (revision.empty())
            revision = std::string(host::to_view(accp_packet_checksum(packet.get())));
    }
    accp_error err = {};
    if (accp_packet_parse(packet.get(), text.data(), text.size(), ACCP_PACKET_UNVERIFIED, &err) !=
        ACCP_OK)
        throw Failure("packet: " + host::describe_short(err));
    check_pane(
        pane,
        accp_panes_write(project_of(call).panes(is_edit), pane, packet.get(), revision.data(),
                         revision.size(), call.now_ms, is_edit ? ACCP_PANES_EDITED : 0, &err),
        err);
    set_written(pane, packet, result);
}

void context_push(McpCall &call, McpResult &result) {
    check_trusted(call, "context_push");
    write_given(call, false, result);
}

void context_edit(McpCall &call, McpResult &result) {
    check_trusted(call, "context_edit");
    write_given(call, true, result);
}

// The packet of a pane, for a refresh.
struct CurrentPacket {
    CurrentPacket(const McpCall &call, int64_t pane) {
        const McpPacket packet(call.tools);
        read_current(call, pane, packet);
        const std::string json = packet.print(accp_packet_print_json);
        task = host::json_text(host::json_member(json, "target_task"));
        creator = host::json_text(host::json_member(json, "creator"));
    }
    std::string task, creator;
};

// Makes the packet of a pane again, for its own task.
void context_refresh(McpCall &call, McpResult &result) {
    check_trusted(call, "context_refresh");
    const int64_t pane = pane_of(call);
    const CurrentPacket current(call, pane);
    const McpPacket packet(call.tools);
    const std::string note = call.text("note");
    accp_packet_request request = request_of(call, current.task);
    request.creator = {current.creator.data(), current.creator.size()};
    const std::string items = items_of(call);
    request.items = {items.data(), items.size()};
    make_packet(call, request, packet);
    accp_error err = {};
    check_pane(pane,
               accp_panes_refresh(project_of(call).panes(false), pane, packet.get(), nullptr, 0,
                                  note.data(), note.size(), &err),
               err);
    set_written(pane, packet, result);
    add_model_notes(call, result);
}

// Catches the messages that a packet of the call would be made from.
std::string capture_conversation(const McpCall &call) {
    const std::string task =
        call.has("task") ? call.text("task") : CurrentPacket(call, pane_of(call)).task;
    accp_packet_request request = request_of(call, task);
    request.code = nullptr;
    ConversationCapture capture;
    const accp_hooks hooks = capture.hooks();
    const host::Handle<accp_config> config = call.tools.environment().new_packet_config();
    accp_error err = {};
    host::check(accp_config_set_tokenizer(config.get(), call.tools.environment().tokenizer, &err),
                err);
    host::check(accp_config_set_hooks(config.get(), &hooks, &err), err);
    const McpPacket packet(config.get());
    try {
        make_packet(call, request, packet);
    } catch (const Failure &) {  // the call itself reports it
    }
    return capture.take();
}

void context_stats(McpCall &call, McpResult &result) {
    accp_panes *panes = project_of(call).panes(true);
    const int32_t compared = call.json("compare") == "true";
    const std::string kind = call.text("kind");
    accp_error err = {};
    accp_text text = {};
    host::check(accp_panes_print_stats(panes, compared, &text, &err), err);
    std::string stats(host::to_view(text));
    host::check(accp_panes_print_stats_json(panes, compared, &text, &err), err);
    result.structured = "{\"stats\":" + std::string(host::to_view(text));
    int32_t depth = 0;
    host::check(accp_panes_advise(panes, kind.data(), kind.size(), &depth, &text, &err), err);
    const std::string advice(host::to_view(text));
    result.structured += ",\"advice\":" + json_string(advice) + "}";
    result.add_text(stats + "Next packet: " + advice + "\n");
}

#define PANE_MEMBER R"("pane":{"type":"integer","minimum":0,"maximum":9999})"
#define PACKET_SESSION R"("session":{"type":"string","minLength":1,"maxLength":256})"
#define WRITE_INPUT                                                                           \
    R"({"type":"object","properties":{"packet":{"type":"string","minLength":1},)" PANE_MEMBER \
    R"(,"revision":{"type":"string"}},"required":["packet"],"additionalProperties":false})"
#define WRITE_OUTPUT                                                                        \
    R"({"type":"object","properties":{"pane":{"type":"integer"},"path":{"type":"string"},)" \
    R"("checksum":{"type":"string"},"tokens":{"type":"integer"}},)"                         \
    R"("required":["pane","path","checksum","tokens"]})"
#define MODEL_MEMBER R"("model":{"type":"string","enum":["auto","none"]})"
#define TEXT_LIST R"({"type":"array","items":{"type":"string"}})"

constexpr McpTool kPacketTools[] = {
    {"context_generate", "Generate a context packet",
     "A packet for the worker of a task, of what was said in the session or in conversation; with "
     "pane it is written where that worker reads it. You know the conversation, so give items; "
     "rules find only half. Lists, each optional:\n"
     "constraints: text. success_criteria: text.\n"
     "decisions: {choice, reason, made_by: user or agent}, only those that still hold.\n"
     "failed_attempts: {approach, reason_failed}. relevant_files: {path, summary}.\n"
     "patterns, anti_patterns, examples, pivots, open_questions: text. goal: one text.\n"
     "One fact an item, clear without the conversation: names and paths, no it or this. Leave out "
     "what this worker does not need, narration and output of programs.\n"
     "An item {text or choice …, quote} has a quote: some words of the conversation, byte for "
     "byte. "
     "The answer's items says what was dropped, not found, or contradicted by a user later. "
     "Without "
     "items, a model is asked for them if the host offers one, unless model is none.",
     R"({"type":"object","properties":{"task":{"type":"string","minLength":1},)"
     R"("items":{"type":"object"},)" MODEL_MEMBER ","
     R"("depth":{"type":"string","enum":["minimal","standard","deep"]},)" PANE_MEMBER
     "," PACKET_SESSION
     R"(,"conversation":{"type":"string"},"budget_tokens":{"type":"integer","minimum":1}},)"
     R"("required":["task"],"additionalProperties":false})",
     R"({"type":"object","properties":{"yaml":{"type":"string"},"checksum":{"type":"string"},)"
     R"("tokens":{"type":"integer"},"pane":{"type":"integer"},"path":{"type":"string"},)"
     R"("items":{"type":"object"},"model":{"type":"object"},"instruction":{"type":"string"}},)"
     R"("required":["yaml","checksum","tokens"]})",
     kDestructive | kIdempotent | kQuotes | kAsksModel, 0, context_generate},
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
    {"context_push", "Replace a worker's packet",
     "Writes this packet (YAML or JSON) for the worker of pane, in place of the one that is there.",
     WRITE_INPUT, WRITE_OUTPUT, kDestructive | kIdempotent, kNeedsProject, context_push},
    {"context_edit", "Edit a worker's packet",
     "Writes the packet that context_read or context_generate gave, with your changes: a later "
     "context_refresh keeps them.",
     WRITE_INPUT, WRITE_OUTPUT, kDestructive | kIdempotent, kNeedsProject, context_edit},
    {"context_refresh", "Make a worker's packet again",
     "Makes the packet of pane again, for the same task, from the newer session or conversation. "
     "What was edited stays.",
     R"({"type":"object","properties":{)" PANE_MEMBER "," PACKET_SESSION
     R"(,"conversation":{"type":"string"},"note":{"type":"string"},)" MODEL_MEMBER ","
     R"("depth":{"type":"string","enum":["minimal","standard","deep"]},)"
     R"("budget_tokens":{"type":"integer","minimum":1}},"additionalProperties":false})",
     WRITE_OUTPUT, kDestructive | kAsksModel, kNeedsProject, context_refresh},
    {"context_stats", "Results of all tasks",
     "Sizes, success and reported gaps of earlier tasks, and the depth that they suggest for the "
     "next packet (of a kind).",
     R"({"type":"object","properties":{"compare":{"type":"boolean"},)"
     R"("kind":{"type":"string","maxLength":64}},"additionalProperties":false})",
     R"({"type":"object","properties":{"stats":{"type":"object"},"advice":{"type":"string"}},)"
     R"("required":["stats","advice"]})",
     kReadsOnly | kQuotes, kNeedsProject, context_stats},
};
#undef WRITE_INPUT
#undef WRITE_OUTPUT
#undef PANE_MEMBER
#undef PACKET_SESSION
#undef MODEL_MEMBER
#undef TEXT_LIST

}  // namespace

bool may_ask_model(const McpCall &call) {
    return !call.has("items") && call.text("model") != "none" &&
           call.tools.environment().new_packet_config;
}

std::string conversation_of(const McpCall &call) {
    if (!may_ask_model(call)) return {};
    try {
        return capture_conversation(call);
    } catch (const Failure &) {
        return {};
    }
}

// The tools on context packets (seed 003): the host of a worker writes down what the worker must
// know.
McpToolTable mcp_packet_tools() { return {"context", kPacketTools, std::size(kPacketTools)}; }

}  // namespace server
