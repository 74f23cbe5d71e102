// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: opening, applying records, and making them durable.
#include "session/session.h"

#include <new>

#include "session/checkpoint_json.h"
#include "session/refs.h"
#include "session/snapshot.h"

namespace accp {

Session::Session(Memory &memory, const SessionRules &rules, const ContextHooks &hooks)
    : memory_(memory), rules_(rules), hooks_(hooks), id_(memory), inbox_(memory, rules.inbox), delivered_(memory) {}

Session::~Session() { close(); }

void Session::close() {
    end_live();
    if (store_) store_->close();
    store_ = nullptr;
}

void Session::end_live() {
    if (!live_) return;
    live_->~Live();
    memory_.give(live_, sizeof(Live));
    live_ = nullptr;
}

// The old one stays until the new one is there: questions may be asked at any time.
void Session::make_live(Desk &desk) {
    ContextHooks hooks = hooks_;
    hooks.checkpointed = &Session::on_checkpoint;
    hooks.user = this;
    struct Room {
        Memory &memory;
        void *held;
        ~Room() { memory.give(held, sizeof(Live)); }
    } room = {memory_, memory_.take(sizeof(Live))};
    Live *made = new (room.held) Live(memory_, desk.context, rules_.context, hooks);
    room.held = nullptr;
    end_live();
    inbox_.forget_senders();
    live_ = made;
}

Status Session::open(Store &store, std::string_view id, uint64_t seed, Desk &desk) {
    if (!rules_.context.valid()) return fail(ACCP_ERR_ARG, 0, "summary_max, checkpoint_max, hot_due, hot_max: each is at most the next");
    id_.fit(id.size());
    id_.append(id.data(), id.size());
    mid_letter_ = static_cast<uint32_t>(seed % 6);
    mid_counter_ = seed / 6 % kMidCounters;
    Status status = store.open_session(id, true, store_);
    return status.ok() ? reload(desk) : status;
}

// Every call begins here.
Status Session::ready(Desk &desk) {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    Status status = stale_ ? reload(desk) : Status{};
    if (status.failed()) return status;
    if (live_->ended) return fail(ACCP_ERR_CLOSED, 0, "the session has ended");
    live_->context.set_desk(desk.context);
    return {};
}

Status Session::reload(Desk &desk) {
    stale_ = true;
    make_live(desk);
    DeskUse use(*this, desk, true);
    Status status = restore(desk);
    stale_ = status.failed();
    return status;
}

Status Session::restore(Desk &desk) {
    Snapshot snapshot;
    Status status = store_->state(desk.blob);
    if (status.failed()) return status;
    if (store_->row().version && !snapshot.read({desk.blob.data(), desk.blob.size()}))
        return fail(ACCP_ERR_CORRUPT, 0, "the session's state is not one");
    status = snapshot.give(live_->context, live_->chains, inbox_);
    if (status.failed()) return status;
    live_->next_key = snapshot.next_key;
    live_->ended = snapshot.ended;
    live_->context_from = snapshot.context_from;
    if (snapshot.state_version) {
        status = store_->blob(Tier::kWarm, kStateKey, 0, desk.blob);
        if (status.failed()) return fail(ACCP_ERR_CORRUPT, 0, "the shared state is not there");
        live_->state.restore(snapshot.state_version, {desk.blob.data(), desk.blob.size()});
    }
    for (uint64_t from = live_->context_from; from <= store_->row().last;) {
        const StoreRecords &found = desk.replayed;
        status = store_->scan(from, 0, false, kScanBytes, desk.replayed);
        for (size_t i = 0; status.ok() && i < found.size(); ++i) status = replay(found[i], desk);
        if (status.failed()) return status;
        if (!found.size() || found[0].seq != from) return fail(ACCP_ERR_CORRUPT, 0, "records are missing");
        from = found[found.size() - 1].seq + 1;
    }
    return {};
}

Status Session::replay(const StoreRecords::Record &stored, Desk &desk) {
    Record record;
    if (!read_record(stored.bytes, record)) return fail(ACCP_ERR_CORRUPT, 0, "a record that is none");
    live_->unsaved += stored.bytes.size();
    if (record.has_json() && !record.json.empty()) {
        desk.json.clear();
        desk.json.append(record.json.data(), record.json.size());
    } else if (record.has_json()) {
        Status status = decode(record.text, static_cast<int64_t>(record.time_ms), desk);
        if (status.code == ACCP_ERR_NOMEM) return status;
        if (status.failed()) return fail(ACCP_ERR_CORRUPT, 0, "a record with a frame that is none");
    }
    return apply(record, stored.seq, desk);
}

// Memory, as the record makes it. desk.json has the message of a frame; `read`: what was read of the message already.
Status Session::apply(const Record &record, uint64_t place, Desk &desk, const MessageView *read) {
    live_->next_key = record.next_key;
    MessageView message;
    if (record.has_json() || record.kind == RecordKind::kMessage) {
        Status status;
        if (!read)
            status = read_message(record.has_json() ? std::string_view(desk.json.data(), desk.json.size()) : record.text, desk, message);
        return status.ok() ? apply_message(record, place, read ? *read : message, desk) : status;
    }
    switch (record.kind) {
        case RecordKind::kUsedUp: inbox_.advance(record.agent, record.seq); return {};
        case RecordKind::kPhase: return live_->context.checkpoint();
        case RecordKind::kClosed: live_->ended = true; return {};
        default: break;
    }
    return fail(ACCP_ERR_CORRUPT, 0, "a record of a kind that is not known");
}

Status Session::read_message(std::string_view json, Desk &desk, MessageView &out) {
    const Settings &settings = desk.settings;
    Status status = desk.reader.read(json.data(), json.size(), {settings.limit(ACCP_LIMIT_JSON_BYTES), kMostJsonDepth}, desk.message);
    if (status.failed()) return status;
    return view_message(desk.message.view(), out);
}

Status Session::apply_message(const Record &record, uint64_t place, const MessageView &message, Desk &desk) {
    Status status;
    if (message.intent == "cancel") {
        status = message.chain().empty() ? Status{} : live_->chains.add(message.chain());
        if (status.failed()) return status;
    }
    if (message.is_state()) {
        status = live_->state.apply(message.tree, message.payload, desk.state);
        if (status.ok()) {
            live_->state.take();
            live_->state_kept = false;
        } else if (!desk_restores_ && record.kind != RecordKind::kMessage) {  // what a snapshot has already is passed over
            return status;
        }
    }
    if (record.kind != RecordKind::kMessage) inbox_.advance(message.agent, message.seq());
    char ref[kRefRoom];
    ContextMessage turn = {message.agent, message.intent, message.operation, message.tree, message.payload, message_ref(place, ref), 0};
    place_ = place;
    return live_->context.append(turn);
}

// One record: memory first, then the store.
Status Session::keep(const Record &record, std::string_view mid, Desk &desk, const MessageView *read) {
    desk.record.clear();
    write_record(record, desk.record);
    desk.batch.append({desk.record.data(), desk.record.size()});
    live_->unsaved += desk.record.size();
    if (!mid.empty()) desk.batch.note_mid(mid);
    stale_ = true;
    checkpointed_ = false;
    const uint64_t place = store_->row().last + 1;
    Status status = apply(record, place, desk, read);
    if (status.ok() && snapshot_is_due()) status = keep_state(place, desk);
    if (status.ok()) status = store_->commit(desk.batch);
    desk.batch.clear();
    if (status.failed()) return status;
    stale_ = false;
    unsynced_ = true;
    return {};
}

// Not at each checkpoint: opening a session applies some more records, and keeping one writes far less. But what a host's summariser wrote is not asked
// for again. The session as it is after record `place`; its context as of the last checkpoint, from where the messages behind it are applied again.
Status Session::keep_state(uint64_t place, Desk &desk) {
    const Context &context = live_->context;
    live_->context_from = context.saved_messages() == context.messages() ? place + 1 : place_;
    if (!live_->state_kept) desk.batch.put(Tier::kWarm, kStateKey, live_->state.json());
    live_->state_kept = true;
    live_->unsaved = 0;
    desk.record.clear();
    Snapshot snapshot;
    snapshot.context_from = live_->context_from;
    snapshot.next_key = live_->next_key;
    snapshot.state_version = live_->state.version();
    snapshot.ended = live_->ended;
    snapshot.write(context, live_->chains, inbox_, desk.record);
    desk.batch.set_state({desk.record.data(), desk.record.size()});
    return {};
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

Status Session::checkpoint(int64_t now_ms, Desk &desk) {
    return note({RecordKind::kPhase, static_cast<uint64_t>(now_ms), 0, 0, {}, {}, {}}, desk);
}

Status Session::end(int64_t now_ms, Desk &desk) {
    return note({RecordKind::kClosed, static_cast<uint64_t>(now_ms), 0, 0, {}, {}, {}}, desk);
}

Status Session::note(Record record, Desk &desk) {
    Status status = ready(desk);
    if (status.failed()) return status;
    DeskUse use(*this, desk, false);
    record.next_key = live_->next_key;
    status = keep(record, {}, desk);
    return status.ok() ? settle() : status;
}

Status Session::context(uint64_t budget, Desk &desk, Buffer<char> &out, uint64_t &tokens) {
    Status status = ready(desk);
    return status.ok() ? live_->context.render(budget, out, tokens) : status;
}

Status Session::budget(Desk &desk, TokenUse &out) {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    Status status = refresh(desk);
    live_->context.set_desk(desk.context);
    return status.ok() ? live_->context.use(out) : status;
}

// What the call changed, durable, where that was asked for.
Status Session::settle() { return rules_.durable ? sync() : Status{}; }

Status Session::sync() {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    if (!unsynced_) return {};
    Status status = store_->sync();
    if (status.ok()) unsynced_ = false;
    return status;
}

}  // namespace accp
