// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See a2a.h: messages, and the frames that they become.
#include "server/library/failure.h"
#include "server/json/json_object.h"
#include "server/a2a/a2a.h"

namespace server {
namespace {

constexpr std::string_view kOperation = "execute";  // of a request that names none

// The first that a token names.
std::string first_agent(const Grant &grant, const std::string &otherwise) {
    const std::string first = grant.agents.substr(0, grant.agents.find(','));
    return first.empty() || first == "*" ? otherwise : first;
}

// A context of its own, that this token may use.
std::string new_context(const Grant &grant, const std::string &mid) {
    for (const std::string &one : grant.sessions) {
        if (!one.ends_with('*')) return one;
        return one.substr(0, one.size() - 1) + (one.size() == 1 ? "ctx-" : "") + mid;
    }
    return {};
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

// Before something is said of which nobody could be told what comes.
void A2a::need_place() const {
    if (!hub_.has_place()) refuse_frame({ACCP_ERR_BUSY, 0, 0, "too many requests wait", 0, 0});
}

std::optional<std::string> A2a::send(const Asked &asked) {
    const A2aMessage message = read_a2a_message(asked.request);
    FrameFacts facts;
    accp_error err = {};
    const std::string &given = message.content.frame;
    if (!given.empty() && reader_.read(given, facts, err) != ACCP_OK) refuse_frame(err);
    need_place();
    const A2aTask *task = open_task(message, facts, asked);
    const Frame frame = frame_of(message, facts, task, asked.grant);
    Speaker::Said said;
    const accp_status status = say(message, facts, frame, asked, said, err);
    const std::string chain = frame.chain.empty() ? said.mid : frame.chain;
    const std::string taken =
        frame.begins_task || task ? "" : A2aPrinter::taken(said.mid, frame.session, message.shape);
    const bool has_expired = status == ACCP_DROPPED && !taken.empty();  // nothing may say so
    if (status != ACCP_OK && !has_expired) refuse_frame(err);
    if (taken.empty())
        tasks_.add(chain, frame.session, frame.agent, said.record, message.id, asked.now_ms);
    using Kind = A2aCall::Kind;
    const Kind kind = asked.request.method == A2aMethod::kStream ? Kind::kStream
                      : message.waits                            ? Kind::kSend
                                                                 : Kind::kSendNow;
    A2aCall call{kind, message.shape, asked.request.id, chain, taken, said.record};
    if (has_expired) calls_.add_ended(asked.connection, std::move(call));
    else calls_.add(asked.connection, std::move(call), frame.session, asked.now_ms);
    return std::nullopt;
}

// The task that a message belongs to; nullptr: it begins one.
A2aTask *A2a::open_task(const A2aMessage &message, const FrameFacts &facts, const Asked &asked) {
    const std::string id(message.task.empty() ? std::string(facts.cid) : message.task);
    if (id.empty()) return nullptr;
    A2aTask *task = tasks_.find(id, asked.grant, asked.now_ms);
    if (!task && message.task.empty()) return nullptr;
    if (!task) throw A2aRefusal(kA2aTaskNotFound, "there is no such task", {{"taskId", id}});
    if (!message.context.empty() && message.context != task->session)
        throw A2aRefusal(kA2aInvalidParams, "message.contextId: the task is of another context",
                         {{"field", "message.contextId"}});
    if (!facts.mid.empty() && facts.cid != id)
        throw A2aRefusal(kA2aInvalidParams, "message.parts: the frame's cid is not the taskId",
                         {{"field", "message.parts"}});
    if (is_terminal(task->state))
        throw A2aRefusal(kA2aUnsupportedOperation, "the task has ended; begin another",
                         {{"taskId", id}});
    return task;
}

// The context that is named; else where the agent is that it is for; else where agents are that
// name none; else a new one.
std::string A2a::session_of(const A2aMessage &message, const FrameFacts &facts,
                            const Grant &grant) {
    std::string session(message.context.empty() ? std::string(facts.sid) : message.context);
    const std::string_view target = message.agent.empty() ? facts.target : message.agent;
    if (session.empty() && !target.empty()) session = hub_.session_with(target, grant);
    if (session.empty() && grant.allows_session(hub_.rules().default_session))
        session = hub_.rules().default_session;
    if (session.empty()) session = new_context(grant, speaker_.next_mid());
    if (!grant.allows_session(session))
        throw A2aRefusal(kA2aInvalidParams, "message.contextId: it is not for you",
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
                    : answers                  ? task->asked
                    : task                     ? task->operation
                                               : std::string(kOperation);
    if (task) out.chain = task->id;
    else if (!facts.mid.empty()) out.chain = facts.chain();
    if (answers) out.cause = task->question;
    out.begins_task = !task && (message.content.frame.empty() || facts.is_request());
    return out;
}

accp_status A2a::say(const A2aMessage &message, const FrameFacts &facts, const Frame &frame,
                     const Asked &asked, Speaker::Said &said, accp_error &err) {
    const std::string &given = message.content.frame;
    if (given.empty()) {
        std::string members;
        if (!message.agent.empty() && frame.chain.empty()) {
            members = "\"target\":";
            host::append_json_string(message.agent, members);
        }
        if (!members.empty() && !message.content.members.empty()) members += ',';
        return say_members(members + message.content.members, frame, asked, said, err);
    }
    const Speaker::Place place{frame.session, frame.agent, frame.chain, frame.cause};
    if (facts.mid.empty())
        return speaker_.complete(asked.grant, place, given, asked.now_ms, said, err);
    if (frame.begins_task && tasks_.has(frame.chain, asked.now_ms))
        throw A2aRefusal(kA2aInvalidParams, "message.parts: the frame's mid is taken");
    said.mid = facts.mid;
    return hub_.receive(asked.grant, frame.session, given, asked.now_ms, said.record, err);
}

// A frame of these members of a payload.
accp_status A2a::say_members(std::string_view members, const Frame &frame, const Asked &asked,
                             Speaker::Said &said, accp_error &err) {
    host::JsonObject json;
    json.text("agent", frame.agent).text("intent", frame.intent);
    json.text("operation", frame.operation);
    json.json("payload", "{" + std::string(members) + "}");
    return speaker_.say(asked.grant, {frame.session, frame.agent, frame.chain, frame.cause},
                        json.end(), asked.now_ms, said, err);
}

}  // namespace server
