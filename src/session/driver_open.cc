// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See driver.h: opening a session, and making its memory anew.
#include <new>

#include "base/utf8.h"
#include "session/driver.h"
#include "session/restore.h"

namespace accp::session {

namespace {

// Of what is made: ids are shown, logged and written as JSON. A session that is there may have
// another.
constexpr const char *kNoId = "a session id is UTF-8 text";
bool is_new_id(std::string_view id) { return valid_utf8_prefix(id.data(), id.size()) == id.size(); }

}  // namespace

Status Driver::open(store::Store &store, std::string_view id, bool writes, Scratch &scratch) {
    if (!rules.context.valid())
        return fail(ACCP_ERR_ARG, 0,
                    "rules of contexts do not go together: rule summary_max, rule checkpoint_max, "
                    "rule hot_due and rule hot_max are each at most the next; rule newest_max is "
                    "from 200 to rule hot_due less 16; rule price_cached is at most rule "
                    "price_write");
    id_.reserve_exact(id.size());
    id_.append(id);
    all_ = &store;
    writes_ = writes;
    Status status = writes ? look(store, scratch) : Status{};
    if (status.ok()) status = store.open_session(id, writes, store_);
    if (status.ok()) status = reload(scratch);
    return status.code == ACCP_ERR_CLOSED && !writes ? fail(ACCP_E2001, 0, "the session was erased")
                                                     : status;
}

// Can what was kept be restored? Asked before an older writer is shut out.
Status Driver::look(store::Store &store, Scratch &scratch) {
    Status status = store.open_session(id(), false, store_);
    if (status.code == ACCP_E2001) return is_new_id(id()) ? Status{} : fail(ACCP_ERR_ARG, 0, kNoId);
    if (status.failed()) return status;
    status = read_whole(scratch, false);
    close();
    return status.code == ACCP_ERR_CLOSED ? Status{} : status;  // erased meanwhile
}

Status Driver::reload(Scratch &scratch) {
    stale_ = true;
    Status status = read_whole(scratch, true);
    stale_ = status.failed();
    return status;
}

// The snapshot, and the records after it where `records`. Who reads may find a session while
// another writes it: what is read belongs together, or is read again.
Status Driver::read_whole(Scratch &scratch, bool records) {
    constexpr int kTries = 16;
    scratch.refs.kept.clear();
    for (int i = 0; i < kTries; ++i) {
        make_core(scratch);
        Restore restore(reading(), rules, *core_, scratch);
        Status status = written.load(*store_, scratch);
        if (status.ok()) status = restore.snapshot(snapshot_bytes_);
        if (status.ok() && records) status = restore.records(unsaved_);
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

// The old one stays until the new one is there: questions may be asked at any time.
void Driver::make_core(Scratch &scratch) {
    struct Room {
        Memory &memory;
        void *held;
        ~Room() { memory.release(held, sizeof(Core)); }
    } room = {memory_, memory_.allocate(sizeof(Core))};
    Core *made = new (room.held) Core(memory_, rules, hooks, inbox, scratch);
    room.held = nullptr;
    end_core();
    inbox.forget_senders();
    unsaved_ = 0;
    core_ = made;
}

void Driver::end_core() {
    if (!core_) return;
    core_->~Core();
    memory_.release(core_, sizeof(Core));
    core_ = nullptr;
}

}  // namespace accp::session
