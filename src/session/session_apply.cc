// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: applying records, and making them durable.
#include "base/text.h"
#include "message/read.h"
#include "session/checkpoint_json.h"
#include "session/refs.h"
#include "session/session.h"

namespace accp::session {

// Memory, as the record makes it. `message`: of a record that has one.
Status Session::apply(const Record &record, uint64_t place, Scratch &scratch,
                      const message::Message *message) {
    live_->next_key = record.next_key;
    switch (record.kind) {
        case RecordKind::kReceived:
        case RecordKind::kSent:
        case RecordKind::kRequest: {
            Status status = record.json.empty() ? Status{} : apply_frame(record, place, scratch);
            return status.ok() ? apply_message(record, place, *message, scratch) : status;
        }
        case RecordKind::kPartReceived:
        case RecordKind::kPartSent: return apply_frame(record, place, scratch);
        case RecordKind::kMessage: return apply_message(record, place, *message, scratch);
        case RecordKind::kUsedUp: {
            inbox_.advance(record.agent, record.seq);
            return record.text.empty() || live_->pending.parts.empty()
                       ? Status{}
                       : apply_frame(record, place, scratch);
        }
        case RecordKind::kAbandoned: live_->pending.abandon(record.text); return {};
        case RecordKind::kTimeout:
            expire_until(static_cast<int64_t>(record.time_ms), scratch);
            return {};
        case RecordKind::kPhase: return live_->context.checkpoint();
        case RecordKind::kClosed: live_->ended = true; return {};
    }
    return fail(ACCP_ERR_CORRUPT, 0, "a record of a kind that is not known");
}

// A message in JSON, whoever wrote it: of names that no frame has too, and with other members.
Status Session::read_message(std::string_view json, Scratch &scratch, message::Message &out) {
    const Settings &settings = scratch.settings;
    Status status = scratch.reader.read(json.data(), json.size(),
                                        {settings.limit(ACCP_LIMIT_JSON_BYTES), kMaxJsonDepth},
                                        scratch.message);
    if (status.failed()) return status;
    const message::ReadStatus read = message::read_message(scratch.message.view(), 0, {}, out);
    if (read.status.ok()) return {};
    return move_to(read.status,
                   scratch.reader.origin(static_cast<uint32_t>(read.status.offset)).value);
}

Status Session::apply_message(const Record &record, uint64_t place, const message::Message &message,
                              Scratch &scratch) {
    Status status = apply_pending(record, place, message);
    if (status.failed()) return status;
    if (message.is_state()) {
        status = live_->state.apply(message.tree, message.payload, jump_of(record), scratch.state);
        if (status.ok()) {
            live_->state.take();
            live_->state_kept = false;
        } else if (!scratch_restores_ && record.kind != RecordKind::kMessage) {
            // what a snapshot has already is passed over
            return status;
        }
    }
    const bool sent = record.is_sent();
    if (record.kind == RecordKind::kReceived && message.intent == "sync" &&
        message.operation == "state")
        inbox_.jump(message.agent, message.seq());
    else if (record.kind != RecordKind::kMessage)
        inbox_.advance(message.agent, message.seq(), sent);
    if (record.is_sent() && !live_->own_agents.has(message.agent)) {
        live_->own_agents.add(message.agent);
        live_->own_agents_kept = false;
    }
    char ref[kRefRoom];
    message::Message said = message;
    said.untrusted = record.untrusted || message.untrusted;
    place_ = place;
    return live_->context.append(said, message_ref(place, ref));
}

// One record: memory first, then the store.
Status Session::keep(const Record &record, const delivery::Arrival *frame, Scratch &scratch,
                     const message::Message *message) {
    const uint64_t place = store_->row().last + 1;
    checkpointed_ = false;
    Status status = add(record, frame, place, scratch, message);
    return status.ok() ? write(place, scratch) : status;
}

// A record of the batch, in memory; write() makes all of them the store's. `frame`: whose mid is
// used up with it; NULL: none is.
Status Session::add(const Record &record, const delivery::Arrival *frame, uint64_t place,
                    Scratch &scratch, const message::Message *message) {
    scratch.record.clear();
    write_record(record, scratch.record);
    scratch.batch.append({scratch.record.data(), scratch.record.size()});
    live_->unsaved += scratch.record.size();
    if (frame) scratch.batch.note_mid_word(frame->mid_word ? frame->mid_word : mid_word_of(*frame));
    stale_ = true;
    if (frame) note_cause(frame->envelope, place);
    Status status = apply(record, place, scratch, message);
    if (status.failed()) scratch.batch.clear();
    return status;
}

Status Session::write(uint64_t place, Scratch &scratch) {
    Status status;
    if (snapshot_is_due()) status = keep_state(place, scratch);
    if (status.ok()) status = store_->commit(scratch.batch);
    scratch.batch.clear();
    if (status.failed()) return status;
    stale_ = false;
    unsynced_ = true;
    ++taken_;
    return {};
}

// The session as it is after record `place`; its context as of the last checkpoint, from where the
// messages after it are applied again: this one, if it is one, and no other. What it does beside
// the context is the same twice.
Status Session::keep_state(uint64_t place, Scratch &scratch) {
    const context::Context &context = live_->context;
    live_->context_from = context.saved_messages() == context.messages() ? place + 1 : place_;
    if (!live_->state_kept) scratch.batch.put(store::Tier::kWarm, kStateKey, live_->state.json());
    live_->state_kept = true;
    if (!live_->own_agents_kept)
        scratch.batch.put(store::Tier::kWarm, kAgentsKey, live_->own_agents.text());
    live_->own_agents_kept = true;
    Pending &pending = live_->pending;
    if (!pending.kept) {
        scratch.record.clear();
        pending.write(scratch.record);
        scratch.batch.put(store::Tier::kWarm, kPendingKey,
                          {scratch.record.data(), scratch.record.size()});
        pending.kept = true;
        live_->has_pending = true;
    }
    live_->unsaved = 0;
    scratch.record.clear();
    Snapshot snapshot;
    snapshot.place = place;
    snapshot.has_pending = live_->has_pending;
    snapshot.context_from = live_->context_from;
    snapshot.next_key = live_->next_key;
    snapshot.state_version = live_->state.version();
    snapshot.ended = live_->ended;
    snapshot.write(token_rules(scratch), context, inbox_, scratch.record);
    scratch.batch.set_state({scratch.record.data(), scratch.record.size()});
    return {};
}

bool Session::on_summarise(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                           void *user) {
    const SessionHooks &hooks = static_cast<Session *>(user)->hooks_;
    accp_text made = {};
    if (!hooks.summarise(hot.data(), hot.size(), summary_max, &made, hooks.user) || !made.text)
        return false;
    out.append(to_view(made));
    return true;
}

void Session::on_checkpoint(const context::CheckpointView &checkpoint, void *user) {
    auto &session = *static_cast<Session *>(user);
    session.checkpointed_ = true;
    if (session.scratch_restores_) return;
    Scratch &scratch = *session.scratch_;
    char key[kRefRoom];
    scratch.blob.clear();
    write_checkpoint(checkpoint, scratch.blob);
    scratch.batch.put(store::Tier::kWarm, checkpoint_key(checkpoint.id, key),
                      {scratch.blob.data(), scratch.blob.size()}, 0, checkpoint.id);
}

}  // namespace accp::session
