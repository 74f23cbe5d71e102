// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: opening, applying records, and making them durable.
#include "session/session.h"

#include <new>

#include "session/checkpoint_json.h"
#include "session/refs.h"

namespace accp {

namespace {

// What a snapshot says is there, and is not.
Status lost(const Status &status, const char *what) { return status.code == ACCP_E2001 ? fail(ACCP_ERR_CORRUPT, 0, what) : status; }

}  // namespace

Session::Session(Memory &memory, const SessionRules &rules, const SessionHooks &hooks)
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
    const ContextHooks hooks = {hooks_.summarise ? &Session::on_summarise : nullptr, &Session::on_checkpoint, this};
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

Status Session::open(Store &store, std::string_view id, bool writes, uint64_t seed, Desk &desk) {
    if (!rules_.context.valid()) return fail(ACCP_ERR_ARG, 0, "summary_max, checkpoint_max, hot_due, hot_max: each is at most the next");
    id_.fit(id.size());
    id_.append(id.data(), id.size());
    mid_letter_ = static_cast<uint32_t>(seed % 6);
    mid_counter_ = seed / 6 % kMidCounters;
    all_ = &store;
    writes_ = writes;
    Status status = writes ? look(store, desk) : Status{};
    if (status.ok()) status = store.open_session(id, writes, store_);
    return status.ok() ? reload(desk) : status;
}

// Can what was kept be restored? Asked before an older writer is shut out.
Status Session::look(Store &store, Desk &desk) {
    Status status = store.open_session({id_.data(), id_.size()}, false, store_);
    if (status.failed()) return status.code == ACCP_E2001 ? Status{} : status;
    make_live(desk);
    status = store_->row().version ? restore_snapshot(desk) : Status{};
    close();
    return status;
}

// Calls that read begin here.
Status Session::current(Desk &desk) {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    Status status = stale_ ? reload(desk) : Status{};
    if (status.ok()) live_->context.set_desk(desk.context);
    return status;
}

// Calls that change something begin here.
Status Session::ready(Desk &desk) {
    Status status = current(desk);
    if (status.failed()) return status;
    if (!writes_) return fail(ACCP_ERR_ARG, 0, "the session was opened to read");
    return live_->ended ? fail(ACCP_ERR_CLOSED, 0, "the session has ended") : Status{};
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
    Status status = store_->row().version ? restore_snapshot(desk) : Status{};
    if (status.failed()) return status;
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

Status Session::restore_snapshot(Desk &desk) {
    Snapshot snapshot;
    auto read = [&] { return std::string_view(desk.blob.data(), desk.blob.size()); };
    Status status = store_->state(desk.blob);
    if (status.ok()) status = snapshot.read(read(), token_rules(desk), live_->context, inbox_);
    if (status.failed()) return status;
    live_->next_key = snapshot.next_key;
    live_->has_pending = snapshot.has_pending;
    live_->ended = snapshot.ended;
    live_->context_from = snapshot.context_from;
    if (snapshot.state_version) {
        status = store_->blob(Tier::kWarm, kStateKey, 0, desk.blob);
        if (status.failed()) return lost(status, "the shared state is not there");
        live_->state.restore(snapshot.state_version, read());
    }
    if (!snapshot.has_pending) return {};
    status = store_->blob(Tier::kWarm, kPendingKey, 0, desk.blob);
    if (status.ok()) status = live_->pending.read(read());
    return status.ok() ? restore_parts(desk) : lost(status, "what the session has open is not there");
}

Status Session::replay(const StoreRecords::Record &stored, Desk &desk) {
    Record record;
    if (!accp::read_record(stored.bytes, record)) return fail(ACCP_ERR_CORRUPT, 0, "a record that is none");
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
    const uint64_t place = store_->row().last + 1;
    checkpointed_ = false;
    Status status = add(record, mid, place, desk, read);
    return status.ok() ? write(place, desk) : status;
}

// A record of the batch, in memory; write() makes all of them the store's.
Status Session::add(const Record &record, std::string_view mid, uint64_t place, Desk &desk, const MessageView *read) {
    desk.record.clear();
    write_record(record, desk.record);
    desk.batch.append({desk.record.data(), desk.record.size()});
    live_->unsaved += desk.record.size();
    if (!mid.empty()) desk.batch.note_mid(mid);
    stale_ = true;
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
    return {};
}

// Not at each checkpoint: opening a session applies some more records, and keeping one writes far less. But what a host's summariser wrote is not asked
// for again.
// The session as it is after record `place`; its context as of the last checkpoint, from where the messages behind it are applied again: this one, if it is one,
// and no other. What it does beside the context is the same twice.
Status Session::keep_state(uint64_t place, Desk &desk) {
    const Context &context = live_->context;
    live_->context_from = context.saved_messages() == context.messages() ? place + 1 : place_;
    if (!live_->state_kept) desk.batch.put(Tier::kWarm, kStateKey, live_->state.json());
    live_->state_kept = true;
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

Status Session::checkpoint(int64_t now_ms, Desk &desk) {
    Status status = ready(desk);
    if (status.failed() || live_->context.messages() == live_->context.saved_messages()) return status;
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
    Status status = current(desk);
    return status.ok() ? live_->context.render(budget, out, tokens) : status;
}

Status Session::budget(Desk &desk, TokenUse &out) {
    Status status = current(desk);
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
