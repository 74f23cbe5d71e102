// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/a2a/print.h"

#include "server/a2a/types.h"
#include "server/json/reader.h"

namespace server {

using host::json_member;
using host::json_text;
using host::JsonList;
using host::JsonObject;

namespace {

using Kind = A2aEntry::Kind;

std::string artifact_id(uint64_t record) { return "a" + std::to_string(record); }

// For an error frame returns its code and message, else the whole payload.
std::string readable_payload(std::string_view payload) {
    const std::string code = json_text(json_member(payload, "code"));
    if (json_member(payload, "schema") != "\"ER\"" || code.empty()) return std::string(payload);
    std::string json;
    host::append_json_string(code + ": " + json_text(json_member(payload, "msg")), json);
    return json;
}

}  // namespace

void A2aPrinter::open(const A2aTask &task, const A2aShape &shape, int64_t now_ms) {
    uint64_t passed = 0;
    session_ = open_readable(hub_, task.session, now_ms, passed);
    shape_ = shape;
    now_ms_ = now_ms;
}

A2aPrinter::Record A2aPrinter::read(uint64_t record) {
    Record said;
    accp_log_record logged = {};
    accp_error err = {};
    FrameFacts facts;
    if (!session_) return said;
    const accp_status status = accp_session_record(session_, record, &logged, &err);
    check_readable(status);
    if (status != ACCP_OK) return said;
    said.frame = host::to_view(logged.text);
    if (reader_.read(said.frame, facts, err) != ACCP_OK) return said;
    said.mid = facts.mid;
    said.agent = facts.agent;
    said.intent = facts.intent;
    said.operation = facts.operation;
    const std::string ref = "$cold.m" + std::to_string(record);
    accp_text json = {};
    const accp_status resolved =
        accp_session_resolve(session_, ref.data(), ref.size(), nullptr, 0, now_ms_, &json, &err);
    check_readable(resolved);
    if (resolved != ACCP_OK) return said;
    const std::string message(host::to_view(json));
    said.payload = json_member(message, "payload");
    said.is_untrusted = !json_member(message, "untrusted").empty();
    return said;
}

// In 0.3 each object contains its kind.
void A2aPrinter::begin(std::string_view kind, JsonObject &out) const {
    if (shape_.is_old()) out.text("kind", kind);
}

// In 1.0 the name of the enclosing member is the kind.
std::string A2aPrinter::wrap(std::string_view member, std::string object) const {
    return shape_.is_old() ? std::move(object) : JsonObject().json(member, object).end();
}

std::string A2aPrinter::metadata(const Record &said) const {
    JsonObject ours;
    ours.text("agent", said.agent).text("intent", said.intent).text("operation", said.operation);
    if (said.is_untrusted) ours.flag("untrusted", true);
    return JsonObject().json(kA2aExtension, ours.end()).end();
}

std::string A2aPrinter::message(const A2aTask &task, uint64_t record, std::string_view by_a2a) {
    const Record said = read(record);
    const bool is_user = said.agent == task.by;
    JsonObject out;
    begin("message", out);
    out.text("messageId", by_a2a.empty() ? said.mid : by_a2a);
    out.text("contextId", task.session).text("taskId", task.id);
    if (shape_.is_old()) out.text("role", is_user ? "user" : "agent");
    else out.text("role", is_user ? "ROLE_USER" : "ROLE_AGENT");
    out.json("parts", print_parts(readable_payload(said.payload), said.frame, shape_));
    out.json("metadata", metadata(said));
    return out.json("extensions", JsonList().text(kA2aExtension).end()).end();
}

std::string A2aPrinter::status(const A2aTask &task) {
    JsonObject out;
    out.text("state", state_word(task.state, shape_.version));
    if (task.status) out.json("message", message(task, task.status, {}));
    else if (const std::string why = unanswered_text(task); !why.empty())
        out.json("message", own_message(task.id + "-doubt", task.session, why, shape_));
    return out.text("timestamp", print_time(task.time_ms)).end();
}

// The same text, after the same time, as for agents that send frames.
std::string A2aPrinter::unanswered_text(const A2aTask &task) {
    const bool is_late = now_ms_ - task.time_ms >= hub_.rules().wait_ms;
    return task.state == A2aState::kSubmitted && is_late
               ? hub_.unanswered_reason(task.session, task.id, task.by, now_ms_)
               : std::string();
}

std::string A2aPrinter::history(const A2aTask &task) {
    std::vector<const A2aEntry *> messages;
    for (const A2aEntry &entry : task.entries)
        if (entry.kind == Kind::kUserMessage || entry.kind == Kind::kQuestion)
            messages.push_back(&entry);
    const size_t first = messages.size() > shape_.history ? messages.size() - shape_.history : 0;
    JsonList out;
    for (size_t i = first; i < messages.size(); ++i)
        out.json(message(task, messages[i]->record, messages[i]->message));
    return out.end();
}

std::string A2aPrinter::artifact(const Record &said, std::string_view id,
                                 const std::string &parts) const {
    JsonObject out;
    out.text("artifactId", id).text("name", said.operation).json("parts", parts);
    out.json("metadata", metadata(said));
    return out.json("extensions", JsonList().text(kA2aExtension).end()).end();
}

std::string A2aPrinter::parts(const Record &said, const A2aEntry &entry) const {
    const std::string_view data = json_member(said.payload, "data");
    const bool is_chunk = entry.kind == Kind::kChunk && !data.empty();
    return print_parts(is_chunk ? data : std::string_view(said.payload), said.frame, shape_);
}

// The chunks of a stream are parts of one artifact, in order.
std::string A2aPrinter::artifacts(const A2aTask &task) {
    struct Whole {
        Record first;
        uint64_t id;
        std::string parts;
    };
    std::vector<Whole> all;
    std::unordered_map<uint64_t, size_t> places;
    for (const A2aEntry &entry : task.entries) {
        if (entry.kind != Kind::kResult && entry.kind != Kind::kChunk) continue;
        Record said = read(entry.record);
        std::string parts = this->parts(said, entry);
        const uint64_t id = entry.kind == Kind::kChunk ? entry.artifact : entry.record;
        const auto [place, is_new] = places.emplace(id, all.size());
        if (is_new) {
            all.push_back({std::move(said), id, std::move(parts)});
            continue;
        }
        std::string &before = all[place->second].parts;
        before.back() = ',';
        before.append(parts, 1);
    }
    JsonList out;
    for (const Whole &one : all) out.json(artifact(one.first, artifact_id(one.id), one.parts));
    return out.end();
}

std::string A2aPrinter::task(const A2aTask &task, const A2aShape &shape, int64_t now_ms) {
    open(task, shape, now_ms);
    JsonObject out;
    begin("task", out);
    out.text("id", task.id).text("contextId", task.session).json("status", status(task));
    if (shape.with_artifacts) out.json("artifacts", artifacts(task));
    if (shape.history) out.json("history", history(task));
    return out.end();
}

std::string A2aPrinter::artifact_event(const A2aTask &task, const A2aEntry &entry) {
    const bool is_chunk = entry.kind == Kind::kChunk;
    const Record said = read(entry.record);
    const std::string id = artifact_id(is_chunk ? entry.artifact : entry.record);
    JsonObject out;
    begin("artifact-update", out);
    out.text("taskId", task.id).text("contextId", task.session);
    out.json("artifact", artifact(said, id, parts(said, entry)));
    out.flag("append", is_chunk && entry.artifact != entry.record);
    return wrap("artifactUpdate", out.flag("lastChunk", !is_chunk || entry.is_last).end());
}

std::string A2aPrinter::status_event(const A2aTask &task, const A2aShape &shape, int64_t now_ms) {
    open(task, shape, now_ms);
    JsonObject out;
    begin("status-update", out);
    out.text("taskId", task.id).text("contextId", task.session).json("status", status(task));
    if (shape.is_old())
        out.flag("final", is_terminal(task.state) || task.state == A2aState::kInputRequired);
    return wrap("statusUpdate", out.end());
}

std::vector<std::string> A2aPrinter::events(const A2aTask &task, const A2aEntry &entry,
                                            const A2aShape &shape, int64_t now_ms) {
    open(task, shape, now_ms);
    std::vector<std::string> out;
    if (entry.kind == Kind::kResult || entry.kind == Kind::kChunk)
        out.push_back(artifact_event(task, entry));
    if (!entry.changes_state) return out;
    const std::string moved = status_event(task, shape, now_ms);
    out.insert(is_terminal(task.state) ? out.end() : out.begin(), moved);
    return out;
}

std::string A2aPrinter::ack(std::string_view mid, std::string_view session, const A2aShape &shape) {
    std::string out = own_message(std::string(mid) + "-taken", session, "taken", shape);
    return shape.is_old() ? out : JsonObject().json("message", out).end();
}

std::string A2aPrinter::own_message(std::string_view id, std::string_view session,
                                    std::string_view text, const A2aShape &shape) {
    JsonObject out;
    if (shape.is_old()) out.text("kind", "message");
    out.text("messageId", id).text("contextId", session);
    out.text("role", shape.is_old() ? "agent" : "ROLE_AGENT");
    JsonObject part;
    if (shape.is_old()) part.text("kind", "text");
    return out.json("parts", "[" + part.text("text", text).end() + "]").end();
}

}  // namespace server
