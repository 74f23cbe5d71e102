// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: applying records, and making them durable.
#include "session/checkpoint_json.h"
#include "session/refs.h"
#include "session/session.h"

namespace accp {

// Memory, as the record makes it. desk.json has the message of a frame; `read`: what was read of the message already.
Status Session::apply(const Record &record, uint64_t place, Desk &desk, const MessageView *read) {
    live_->next_key = record.next_key;
    switch (record.kind) {
        case RecordKind::kReceived:
        case RecordKind::kSent:
        case RecordKind::kRequest: {
            Status status = record.json.empty() ? Status{} : apply_frame(record, place, desk);
            return status.ok() ? apply_message(record, place, {desk.json.data(), desk.json.size()}, desk, read) : status;
        }
        case RecordKind::kPartReceived:
        case RecordKind::kPartSent: return apply_frame(record, place, desk);
        case RecordKind::kMessage: return apply_message(record, place, record.text, desk, read);
        case RecordKind::kUsedUp: {
            inbox_.advance(record.agent, record.seq);
            return record.text.empty() || live_->pending.parts.empty() ? Status{} : apply_frame(record, place, desk);
        }
        case RecordKind::kAbandoned: live_->pending.abandon(record.text); return {};
        case RecordKind::kTimeout: expire_until(static_cast<int64_t>(record.time_ms), desk); return {};
        case RecordKind::kPhase: return live_->context.checkpoint();
        case RecordKind::kClosed: live_->ended = true; return {};
    }
    return fail(ACCP_ERR_CORRUPT, 0, "a record of a kind that is not known");
}

Status Session::read_message(std::string_view json, Desk &desk, MessageView &out) {
    const Settings &settings = desk.settings;
    Status status = desk.reader.read(json.data(), json.size(), {settings.limit(ACCP_LIMIT_JSON_BYTES), kMostJsonDepth}, desk.message);
    if (status.failed()) return status;
    return view_message(desk.message.view(), out);
}

Status Session::apply_message(const Record &record, uint64_t place, std::string_view json, Desk &desk, const MessageView *read) {
    MessageView message;
    Status status = read ? Status{} : read_message(json, desk, message);
    if (status.failed()) return status;
    if (read) message = *read;
    status = apply_pending(record, place, message);
    if (status.failed()) return status;
    if (message.is_state()) {
        status = live_->state.apply(message.tree, message.payload, jump_of(record), desk.state);
        if (status.ok()) {
            live_->state.take();
            live_->state_kept = false;
        } else if (!desk_restores_ && record.kind != RecordKind::kMessage) {  // what a snapshot has already is passed over
            return status;
        }
    }
    const bool sent = record.is_sent();
    if (record.kind == RecordKind::kReceived && message.intent == "sync" && message.operation == "state")
        inbox_.jump(message.agent, message.seq());
    else if (record.kind != RecordKind::kMessage) inbox_.advance(message.agent, message.seq(), sent);
    if (record.is_sent() && !live_->own_agents.has(message.agent)) {
        live_->own_agents.add(message.agent);
        live_->own_agents_kept = false;
    }
    char ref[kRefRoom];
    ContextMessage turn = {message.agent, message.intent, message.operation, message.tree, message.payload, message_ref(place, ref), 0};
    turn.untrusted = record.untrusted || message.untrusted;
    place_ = place;
    return live_->context.append(turn);
}

// One record: memory first, then the store.
Status Session::keep(const Record &record, const Arrival *frame, Desk &desk, const MessageView *read) {
    const uint64_t place = store_->row().last + 1;
    checkpointed_ = false;
    Status status = add(record, frame, place, desk, read);
    return status.ok() ? write(place, desk) : status;
}

// A record of the batch, in memory; write() makes all of them the store's. `frame`: whose mid is used up with it; NULL: none is.
Status Session::add(const Record &record, const Arrival *frame, uint64_t place, Desk &desk, const MessageView *read) {
    desk.record.clear();
    write_record(record, desk.record);
    desk.batch.append({desk.record.data(), desk.record.size()});
    live_->unsaved += desk.record.size();
    if (frame) desk.batch.note_mid_word(mid_word(frame->agent, {frame->envelope.mid.text, frame->envelope.mid.len}));
    stale_ = true;
    if (frame) note_cause(frame->envelope, place);
    Status status = apply(record, place, desk, read);
    if (status.failed()) desk.batch.clear();
    return status;
}

Status Session::write(uint64_t place, Desk &desk) {
    Status status;
    if (snapshot_is_due()) status = keep_state(place, desk);
    if (status.ok()) status = store_->commit(desk.batch);
    desk.batch.clear();
    if (status.failed()) return status;
    stale_ = false;
    unsynced_ = true;
    ++taken_;
    return {};
}

// The session as it is after record `place`; its context as of the last checkpoint, from where the messages behind it are applied again: this one, if it is one,
// and no other. What it does beside the context is the same twice.
Status Session::keep_state(uint64_t place, Desk &desk) {
    const Context &context = live_->context;
    live_->context_from = context.saved_messages() == context.messages() ? place + 1 : place_;
    if (!live_->state_kept) desk.batch.put(Tier::kWarm, kStateKey, live_->state.json());
    live_->state_kept = true;
    if (!live_->own_agents_kept) desk.batch.put(Tier::kWarm, kAgentsKey, live_->own_agents.text());
    live_->own_agents_kept = true;
    Pending &pending = live_->pending;
    if (!pending.kept) {
        desk.record.clear();
        pending.write(desk.record);
        desk.batch.put(Tier::kWarm, kPendingKey, {desk.record.data(), desk.record.size()});
        pending.kept = true;
        live_->has_pending = true;
    }
    live_->unsaved = 0;
    desk.record.clear();
    Snapshot snapshot;
    snapshot.place = place;
    snapshot.has_pending = live_->has_pending;
    snapshot.context_from = live_->context_from;
    snapshot.next_key = live_->next_key;
    snapshot.state_version = live_->state.version();
    snapshot.ended = live_->ended;
    snapshot.write(token_rules(desk), context, inbox_, desk.record);
    desk.batch.set_state({desk.record.data(), desk.record.size()});
    return {};
}

bool Session::on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out, void *user) {
    const SessionHooks &hooks = static_cast<Session *>(user)->hooks_;
    const char *text = nullptr;
    size_t len = 0;
    if (!hooks.summarise(hot.data(), hot.size(), summary_max, &text, &len, hooks.summarise_user) || !text) return false;
    out.append(text, len);
    return true;
}

void Session::on_checkpoint(const CheckpointView &checkpoint, void *user) {
    auto &session = *static_cast<Session *>(user);
    session.checkpointed_ = true;
    if (session.desk_restores_) return;
    Desk &desk = *session.desk_;
    char key[kRefRoom];
    desk.blob.clear();
    write_checkpoint(checkpoint, desk.blob);
    desk.batch.put(Tier::kWarm, checkpoint_key(checkpoint.id, key), {desk.blob.data(), desk.blob.size()}, 0, checkpoint.id);
}

}  // namespace accp
