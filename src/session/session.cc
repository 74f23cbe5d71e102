// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h: opening, which makes memory anew from the store; and what is asked of the whole
// session.
#include "session/session.h"

#include <new>

#include "base/utf8.h"
#include "session/refs.h"

namespace accp::session {

namespace {

// What a snapshot says is there, and is not.
Status lost(const Status &status, const char *what) {
    return status.code == ACCP_E2001 ? fail(ACCP_ERR_CORRUPT, 0, what) : status;
}

// Of what is made: ids are shown, logged and written as JSON. A session that is there may have
// another.
constexpr const char *kNoId = "a session id is UTF-8 text";
bool is_new_id(std::string_view id) { return valid_utf8_prefix(id.data(), id.size()) == id.size(); }

}  // namespace

Session::Session(Memory &memory, const SessionRules &rules, const SessionHooks &hooks)
    : memory_(memory),
      rules_(rules),
      hooks_(hooks),
      id_(memory),
      inbox_(memory, rules.inbox),
      deliveries_(memory) {}

Session::~Session() { close(); }

void Session::close() {
    end_live();
    if (store_) store_->close();
    store_ = nullptr;
}

void Session::end_live() {
    if (!live_) return;
    live_->~Live();
    memory_.release(live_, sizeof(Live));
    live_ = nullptr;
}

// The old one stays until the new one is there: questions may be asked at any time.
void Session::make_live(Scratch &scratch) {
    const context::ContextHooks hooks = {hooks_.summarise ? &Session::on_summarise : nullptr,
                                         &Session::on_checkpoint, this};
    struct Room {
        Memory &memory;
        void *held;
        ~Room() { memory.release(held, sizeof(Live)); }
    } room = {memory_, memory_.allocate(sizeof(Live))};
    Live *made = new (room.held) Live(memory_, scratch.context, rules_.context, hooks);
    room.held = nullptr;
    end_live();
    inbox_.forget_senders();
    live_ = made;
}

Status Session::open(store::Store &store, std::string_view id, bool writes,
                     const PermutationKey &mids, Scratch &scratch) {
    if (!rules_.context.valid())
        return fail(ACCP_ERR_ARG, 0,
                    "summary_max, checkpoint_max, hot_due, hot_max: each is at most the next");
    id_.reserve_exact(id.size());
    id_.append(id);
    mid_letter_ = static_cast<uint32_t>(mids.low % 6);
    mid_key_ = mids;
    all_ = &store;
    writes_ = writes;
    Status status = writes ? look(store, scratch) : Status{};
    if (status.ok()) status = store.open_session(id, writes, store_);
    if (status.ok()) status = reload(scratch);
    return status.code == ACCP_ERR_CLOSED && !writes ? fail(ACCP_E2001, 0, "the session was erased")
                                                     : status;
}

Status Session::judged(const Status &status) {
    if (status.code != ACCP_ERR_CORRUPT || !store_) return status;
    Status mine = store_->check();
    return mine.code == ACCP_ERR_CLOSED ? mine : status;
}

// Who reads may find a session while another writes it: what is read belongs together, or is read
// again.
Status Session::read_whole(Scratch &scratch, Status (Session::*read)(Scratch &)) {
    constexpr int kTries = 16;
    for (int i = 0; i < kTries; ++i) {
        make_live(scratch);
        Status status = (this->*read)(scratch);
        // of what was kept, and is not what it was
        if (status.code > 0) status = fail(ACCP_ERR_CORRUPT, 0, status.message);
        if (status.failed() && status.code != ACCP_ERR_CORRUPT) return status;
        bool moved = false;
        Status mine = store_->follow(moved);
        if (mine.failed()) return mine;
        if (!moved) return status;
    }
    return fail(ACCP_ERR_BUSY, 0, "the session is being written");
}

// Can what was kept be restored? Asked before an older writer is shut out.
Status Session::look(store::Store &store, Scratch &scratch) {
    Status status = store.open_session({id_.data(), id_.size()}, false, store_);
    if (status.code == ACCP_E2001) return is_new_id(id()) ? Status{} : fail(ACCP_ERR_ARG, 0, kNoId);
    if (status.failed()) return status;
    status = read_whole(scratch, &Session::restore_snapshot);
    close();
    return status.code == ACCP_ERR_CLOSED ? Status{} : status;  // erased meanwhile
}

// Calls that read begin here. `asks`: whether the session is this handle's still.
Status Session::current(Scratch &scratch, bool asks) {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    Status status = asks ? store_->check() : Status{};
    if (status.ok() && stale_) status = reload(scratch);
    if (status.ok()) live_->context.set_scratch(scratch.context);
    return status;
}

// Calls that change something begin here.
Status Session::ready(Scratch &scratch) {
    Status status = current(scratch, rules_.durable);  // where sync() says when, it says this too
    if (status.failed()) return status;
    if (!writes_) return fail(ACCP_ERR_ARG, 0, "the session was opened to read");
    return live_->ended ? fail(ACCP_ERR_CLOSED, 0, "the session has ended") : Status{};
}

Status Session::reload(Scratch &scratch) {
    stale_ = true;
    ScratchUse use(*this, scratch, true);
    Status status = read_whole(scratch, &Session::restore);
    stale_ = status.failed();
    return status;
}

Status Session::restore(Scratch &scratch) {
    Status status = restore_snapshot(scratch);
    if (status.failed()) return status;
    for (uint64_t from = live_->context_from; from <= store_->row().last;) {
        const store::StoreRecords &found = scratch.replayed;
        status = store_->scan(from, 0, false, kScanBytes, scratch.replayed);
        for (size_t i = 0; status.ok() && i < found.size(); ++i) status = replay(found[i], scratch);
        if (status.failed()) return status;
        if (!found.size() || found[0].seq != from)
            return fail(ACCP_ERR_CORRUPT, 0, "records are missing");
        from = found[found.size() - 1].seq + 1;
    }
    return {};
}

Status Session::restore_snapshot(Scratch &scratch) {
    if (!store_->row().version) return {};
    Snapshot snapshot;
    auto read = [&] { return std::string_view(scratch.blob.data(), scratch.blob.size()); };
    Status status = store_->state(scratch.blob);
    if (status.ok()) status = snapshot.read(read(), token_rules(scratch), live_->context, inbox_);
    if (status.failed()) return status;
    live_->next_key = snapshot.next_key;
    live_->has_pending = snapshot.has_pending;
    live_->ended = snapshot.ended;
    live_->context_from = snapshot.context_from;
    status = restore_agents(scratch);
    if (status.failed()) return status;
    if (snapshot.state_version) {
        status = store_->blob(store::Tier::kWarm, kStateKey, 0, scratch.blob);
        if (status.failed()) return lost(status, "the shared state is not there");
        live_->state.restore(snapshot.state_version, read());
    }
    if (!snapshot.has_pending) return {};
    status = store_->blob(store::Tier::kWarm, kPendingKey, 0, scratch.blob);
    if (status.ok()) status = live_->pending.read(read());
    return status.ok() ? restore_parts(scratch)
                       : lost(status, "what the session has open is not there");
}

Status Session::replay(const store::StoreRecords::Record &stored, Scratch &scratch) {
    Record record;
    if (!accp::session::read_record(stored.bytes, record))
        return fail(ACCP_ERR_CORRUPT, 0, "a record that cannot be read");
    live_->unsaved += stored.bytes.size();
    message::Message message;
    Status status;
    if (record.kind == RecordKind::kMessage) {
        status = read_message(record.text, scratch, message);
    } else if (record.has_json() && !record.json.empty()) {
        status = read_message(record.json, scratch, message);
    } else if (record.has_json()) {
        status = scratch.codec.parse(record.text);
        if (status.ok())
            status = decode(Owner::kOurs, record.untrusted, static_cast<int64_t>(record.time_ms),
                            scratch, message);
    }
    if (status.code == ACCP_ERR_NOMEM) return status;
    if (status.failed()) return fail(ACCP_ERR_CORRUPT, 0, "a record whose message cannot be read");
    return apply(record, stored.seq, scratch, &message);
}

Status Session::checkpoint(int64_t now_ms, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed() || live_->context.messages() == live_->context.saved_messages())
        return status;
    return note({RecordKind::kPhase, static_cast<uint64_t>(now_ms), 0, 0, {}, {}, {}}, scratch);
}

Status Session::end(int64_t now_ms, Scratch &scratch) {
    return note({RecordKind::kClosed, static_cast<uint64_t>(now_ms), 0, 0, {}, {}, {}}, scratch);
}

Status Session::note(Record record, Scratch &scratch) {
    Status status = ready(scratch);
    if (status.failed()) return status;
    ScratchUse use(*this, scratch, false);
    record.next_key = live_->next_key;
    status = keep(record, nullptr, scratch);
    return status.ok() ? settle() : status;
}

Status Session::context(uint64_t budget, Scratch &scratch, Buffer<char> &out, uint64_t &tokens) {
    Status status = current(scratch);
    return status.ok() ? live_->context.render(budget, out, tokens) : status;
}

Status Session::budget(Scratch &scratch, context::TokenUse &out) {
    Status status = current(scratch);
    return status.ok() ? live_->context.use(out) : status;
}

// What the call changed, durable, where that was asked for.
Status Session::settle() { return rules_.durable && unsynced_ ? sync() : Status{}; }

Status Session::sync() {
    if (!store_) return fail(ACCP_ERR_CLOSED, 0, "the session is closed");
    if (!unsynced_) return store_->check();
    Status status = store_->sync();
    if (status.ok()) unsynced_ = false;
    return status;
}

}  // namespace accp::session
