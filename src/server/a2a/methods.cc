// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sends messages as frames, and lists tasks.

#include <algorithm>
#include <charconv>
#include <tuple>

#include "server/a2a/a2a.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {
namespace {

constexpr std::string_view kOperation = "execute";  // the default for requests

// Returns the first agent of a token.
std::string first_agent(const Grant &grant, const std::string &otherwise) {
    const std::string first = grant.agents.substr(0, grant.agents.find(','));
    return first.empty() || first == "*" ? otherwise : first;
}

// Returns a new context that this token may use.
std::string new_context(const Grant &grant, const std::string &mid) {
    for (const std::string &one : grant.sessions) {
        if (!one.ends_with('*')) return one;
        return one.substr(0, one.size() - 1) + (one.size() == 1 ? "ctx-" : "") + mid;
    }
    return {};
}

[[noreturn]] void refuse_list_param(const std::string &name, const std::string &why) {
    throw A2aRefusal(kA2aInvalidParams, name + ": " + why, {{"field", name}});
}

// The position in a list: after the task with this time, id and session.
struct Cursor {
    int64_t time_ms = INT64_MAX;
    std::string id, session;

    bool is_before(const A2aTask &task) const {
        return std::tie(time_ms, id, session) > std::tie(task.time_ms, task.id, task.session);
    }
};

Cursor read_cursor(const std::string &token) {
    Cursor out;
    if (token.empty()) return out;
    size_t id_size = 0;
    const char *end = token.data() + token.size();
    const auto time = std::from_chars(token.data(), end, out.time_ms);
    const bool has_size = time.ec == std::errc() && time.ptr != end && *time.ptr == '-';
    const auto size = std::from_chars(has_size ? time.ptr + 1 : end, end, id_size);
    if (size.ec != std::errc() || size.ptr == end || *size.ptr != '-' ||
        static_cast<size_t>(end - size.ptr - 1) < id_size)
        refuse_list_param("pageToken", "it must be from an earlier reply");
    out.id.assign(size.ptr + 1, id_size);
    out.session.assign(size.ptr + 1 + id_size, end);
    return out;
}

// Selects the tasks of a list.
struct Filter {
    std::optional<A2aState> state;
    bool has_none = false;  // no task here can have the state
    int64_t after_ms = INT64_MIN;

    explicit Filter(const A2aRequest &request) {
        const std::string word = request.text("status"),
                          after = request.text("statusTimestampAfter");
        if (!word.empty() && !is_state_word(word)) refuse_list_param("status", "unknown state");
        state = find_state(word);
        has_none = !word.empty() && !state && word != "TASK_STATE_UNSPECIFIED";
        if (!after.empty() && !read_time(after, after_ms))
            refuse_list_param("statusTimestampAfter", "it must be a time of ISO 8601");
    }
    bool takes(const A2aTask &task) const {
        return !has_none && (!state || task.state == *state) && task.time_ms >= after_ms;
    }
};

bool is_newer(const A2aTask *a, const A2aTask *b) {
    return std::tie(a->time_ms, a->id, a->session) > std::tie(b->time_ms, b->id, b->session);
}

std::string token_of(const A2aTask &task) {
    return std::to_string(task.time_ms) + "-" + std::to_string(task.id.size()) + "-" + task.id +
           task.session;
}

}  // namespace

void A2a::refuse_frame(const accp_error &err) const {
    constexpr int kBad = 400, kForbidden = 403;
    const char *code = accp_status_code_name(wire_code(err.code));
    A2aRefusal::Details details{{"accpCode", code}};
    const std::string why = host::message_of(err);
    if (const int status = http_status(err.code); status != kBad)
        throw A2aRefusal(kA2aInternalError, why, std::move(details), status);
    if (err.code == ACCP_E5001)
        throw A2aRefusal(kA2aUnsupportedOperation, why, std::move(details), kForbidden);
    details.emplace_back("offset", std::to_string(err.offset));
    throw A2aRefusal(kA2aInvalidParams, code + (": " + why), std::move(details));
}

// Refuses a request that could not wait for its reply.
void A2a::check_capacity() const {
    if (!hub_.can_add_waiter())
        refuse_frame({ACCP_ERR_BUSY, 0, 0, "too many requests are waiting", 0, 0});
}

std::optional<std::string> A2a::send(const Incoming &incoming) {
    const A2aMessage message = read_a2a_message(incoming.request);
    FrameFacts facts;
    accp_error err = {};
    const std::string &given = message.content.frame;
    if (!given.empty() && reader_.read(given, facts, err) != ACCP_OK) refuse_frame(err);
    check_capacity();
    tasks_.load(incoming.now_ms);
    const A2aTask *task = open_task(message, facts, incoming);
    const Frame frame = frame_of(message, facts, task, incoming.grant);
    FrameSender::SentFrame sent;
    const accp_status status = send_frame(message, facts, frame, incoming, sent, err);
    const std::string chain = frame.chain.empty() ? sent.mid : frame.chain;
    const std::string ack =
        frame.begins_task || task ? "" : A2aPrinter::ack(sent.mid, frame.session, message.shape);
    const bool has_expired = status == ACCP_DROPPED && !ack.empty();  // no frame may report that
    if (status != ACCP_OK && !has_expired) refuse_frame(err);
    if (ack.empty())
        tasks_.add(chain, frame.session, frame.agent, sent.record, message.id, incoming.now_ms);
    using Kind = A2aCall::Kind;
    const Kind kind = incoming.request.method == A2aMethod::kStream ? Kind::kStream
                      : message.waits                               ? Kind::kSend
                                                                    : Kind::kSendNow;
    A2aCall call{kind, message.shape, incoming.request.id, chain, frame.session, ack, sent.record};
    if (has_expired) calls_.add_ended(incoming.connection, std::move(call));
    else calls_.add(incoming.connection, std::move(call), incoming.now_ms);
    return std::nullopt;
}

// Returns the task that a message belongs to; nullptr: it starts one. A frame whose cid is a task
// of another context starts one.
A2aTask *A2a::open_task(const A2aMessage &message, const FrameFacts &facts,
                        const Incoming &incoming) {
    const std::string id(message.task.empty() ? std::string(facts.cid) : message.task);
    if (id.empty()) return nullptr;
    const std::string context(message.context.empty() ? std::string(facts.sid) : message.context);
    A2aTask *task = tasks_.find(id, context, incoming.grant, incoming.now_ms);
    if (!task && message.task.empty()) return nullptr;
    if (!task && !tasks_.find(id, {}, incoming.grant, incoming.now_ms))
        throw A2aRefusal(kA2aTaskNotFound, "no such task", {{"taskId", id}});
    if (!task)
        throw A2aRefusal(kA2aInvalidParams,
                         "message.contextId: the task belongs to another context",
                         {{"field", "message.contextId"}});
    if (!facts.mid.empty() && facts.cid != id)
        throw A2aRefusal(kA2aInvalidParams, "message.parts: the frame's cid is not the taskId",
                         {{"field", "message.parts"}});
    if (is_terminal(task->state))
        throw A2aRefusal(kA2aUnsupportedOperation, "the task has ended: start another",
                         {{"taskId", id}});
    return task;
}

// Returns the named context; else a context where the target agent is connected; else the default
// context; else a new one.
std::string A2a::session_of(const A2aMessage &message, const FrameFacts &facts,
                            const Grant &grant) {
    std::string session(message.context.empty() ? std::string(facts.sid) : message.context);
    const std::string_view target = message.agent.empty() ? facts.target : message.agent;
    if (session.empty() && !target.empty()) session = hub_.session_with(target, grant);
    if (session.empty() && grant.allows_session(hub_.rules().default_session))
        session = hub_.rules().default_session;
    if (session.empty()) session = new_context(grant, sender_.next_mid());
    if (!grant.allows_session(session))
        throw A2aRefusal(kA2aInvalidParams, "message.contextId: this token has no right to it",
                         {{"field", "message.contextId"}});
    return session;
}

A2a::Frame A2a::frame_of(const A2aMessage &message, const FrameFacts &facts, const A2aTask *task,
                         const Grant &grant) {
    Frame out;
    out.session = task ? task->session : session_of(message, facts, grant);
    out.agent = task                   ? task->by
                : !facts.agent.empty() ? std::string(facts.agent)
                                       : first_agent(grant, rules_.agent);
    const bool answers = task && !task->question.empty();
    out.intent = answers ? "done" : "req";
    out.operation = !message.operation.empty() ? message.operation
                    : answers                  ? task->question_operation
                    : task                     ? task->operation
                                               : std::string(kOperation);
    if (task) out.chain = task->id;
    else if (!facts.mid.empty()) out.chain = facts.chain();
    if (answers) out.cause = task->question;
    out.begins_task = !task && (message.content.frame.empty() || facts.is_request());
    return out;
}

accp_status A2a::send_frame(const A2aMessage &message, const FrameFacts &facts, const Frame &frame,
                            const Incoming &incoming, FrameSender::SentFrame &sent,
                            accp_error &err) {
    const std::string &given = message.content.frame;
    if (given.empty()) {
        std::string members;
        if (!message.agent.empty() && frame.chain.empty()) {
            members = "\"target\":";
            host::append_json_string(message.agent, members);
        }
        if (!members.empty() && !message.content.members.empty()) members += ',';
        return send_members(members + message.content.members, frame, incoming, sent, err);
    }
    const FrameSender::Header place{frame.session, frame.agent, frame.chain, frame.cause};
    if (facts.mid.empty())
        return sender_.send_frame(incoming.grant, place, given, incoming.now_ms, sent, err);
    if (frame.begins_task && tasks_.has(frame.chain, frame.session))
        throw A2aRefusal(kA2aInvalidParams, "message.parts: the frame's mid is already used");
    sent.mid = facts.mid;
    return hub_.receive(incoming.grant, frame.session, given, incoming.now_ms, sent.record, err);
}

// Sends a frame whose payload has these members.
accp_status A2a::send_members(std::string_view members, const Frame &frame,
                              const Incoming &incoming, FrameSender::SentFrame &sent,
                              accp_error &err) {
    host::JsonObject json;
    json.text("agent", frame.agent).text("intent", frame.intent);
    json.text("operation", frame.operation);
    json.json("payload", "{" + std::string(members) + "}");
    return sender_.send(incoming.grant, {frame.session, frame.agent, frame.chain, frame.cause},
                        json.end(), incoming.now_ms, sent, err);
}

// Lists tasks, the newest first. A page may be shorter than requested if its tasks are long.
std::string A2a::list(const Incoming &incoming) {
    constexpr uint64_t kPage = 50, kMaxPage = 100;
    constexpr size_t kMaxPageBytes = 4 << 20;
    const A2aRequest &request = incoming.request;
    const uint64_t size = request.number("pageSize").value_or(kPage);
    if (size < 1 || size > kMaxPage) refuse_list_param("pageSize", "it must be from 1 to 100");
    const Cursor begin = read_cursor(request.text("pageToken"));
    const Filter filter(request);
    A2aShape shape = request.shape();
    if (!request.number("historyLength")) shape.history = 0;
    shape.with_artifacts = host::json_member(request.params, "includeArtifacts") == "true";

    std::vector<A2aTask *> tasks =
        tasks_.list(request.text("contextId"), incoming.grant, incoming.now_ms);
    std::erase_if(tasks, [&](const A2aTask *task) { return !filter.takes(*task); });
    const size_t total = tasks.size();
    std::erase_if(tasks, [&](const A2aTask *task) { return !begin.is_before(*task); });
    std::sort(tasks.begin(), tasks.end(), is_newer);
    host::JsonList page;
    size_t count = 0;
    for (size_t bytes = 0; count < tasks.size() && count < size && bytes < kMaxPageBytes;) {
        const std::string task = printer_.task(*tasks[count++], shape, incoming.now_ms);
        bytes += task.size();
        page.json(task);
    }
    const bool has_more = count < tasks.size();
    host::JsonObject out;
    out.json("tasks", page.end());
    out.text("nextPageToken", has_more ? token_of(*tasks[count - 1]) : "");
    out.json("pageSize", std::to_string(size)).json("totalSize", std::to_string(total));
    return out.end();
}

}  // namespace server
