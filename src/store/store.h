// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where sessions are kept. Each has a log of records, a state, blobs in three tiers, the mids that
// it has seen, and grants to other sessions.
//
//   Writing   StoreSession::commit() accepts or refuses a whole batch. Reads of this store see the
//             batch at once. sync() writes all commits of all sessions as one group. After that
//             they survive a kill, and in the mode kFull a power failure. A crash always leaves a
//             prefix of the commits, in their order.
//   Fencing   One writer a session. Opening a session to write ends an older writer, in this
//             process or another: its next commit or sync returns ACCP_ERR_CLOSED, and none of its
//             unsynced commits is ever written.
//   Threads   Any number of threads may use a store, but only one at a time a StoreSession. One
//             lock guards a store in memory or in a file. It is released while a sync waits for the
//             device. Meanwhile other sessions read and commit, and the next sync includes all of
//             them (lane_sync.h). Over a host's back end each session has its own lock (lane.h).
//   Failures  ACCP_ERR_NOMEM, ACCP_ERR_BUSY (another process writes): nothing happened, call again.
//             ACCP_ERR_IO with a full disk: the commits wait, call sync() again. Any other
//             ACCP_ERR_IO: nothing more is written until the store is reopened; reads still work.
//             ACCP_ERR_CORRUPT: the requested data is damaged. Reads never return wrong or
//             shortened data.
//   Time      The caller passes it, in milliseconds.
#pragma once

#include <atomic>

#include "accp/config.h"
#include "accp/store_backend.h"
#include "base/settings.h"
#include "base/status.h"
#include "base/text.h"
#include "store/batch.h"

namespace accp::store {

class Backend;
struct StoreLane;
class Store;
class StoreSession;

enum class Durability : uint8_t {
    kFull,   // sync() waits for the device: nothing that was synced is lost, whatever happens
    kNormal  // sync() waits for the operating system: power failure leaves a prefix
};

class PluginPlace;
class RecordForm;

struct SessionRow {
    uint64_t number = 0;      // the backend's name for the session
    uint64_t fence = 0;       // the token of the newest writer
    uint64_t version = 0;     // of the state; 0: there is none
    uint64_t last = 0;        // sequence of the last record; 0: none
    uint64_t generation = 0;  // the newest that a blob was put with
    uint64_t runs = 0;        // of the index of mids: how many it was made from
    uint64_t indexed = 0;     // the last sequence whose mids are in it
    // the sums of all blobs and grants, added up: so that one that is missing is noticed
    uint64_t held = 0;
    // the oldest that pruning may not take; 0: none was named, and nothing is pruned by generation
    uint64_t floor = 0;
    // Of a session behind accp_store_backend alone: its last write, its making, what its writer has
    // had written, and what all records and mids come to.
    uint64_t head = 0, birth = 0, ops = 0, record_bytes = 0, mids = 0;

    // What a back end has done to a row. The rest changes with commits alone, and the thread whose
    // handle it is reads it without the store's lock.
    void take_kept(const SessionRow &from) {
        number = from.number;
        fence = from.fence;
        runs = from.runs;
        indexed = from.indexed;
        held = from.held;
        head = from.head;
        birth = from.birth;
        ops = from.ops;
        record_bytes = from.record_bytes;
        mids = from.mids;
    }
};

// What a store and its backend keep of an open session.
struct OpenSession {
    OpenSession(Memory &memory, const SessionRow &from, bool to_write)
        : row(from),
          written(from.last),
          written_version(from.version),
          tail(memory),
          writes(to_write) {}

    SessionRow row;    // with what is queued
    uint64_t written;  // last sequence that the backend has
    uint64_t written_version;
    // mids that the backend's index has not: of this handle, and of the newest records
    Buffer<uint64_t> tail;
    bool has_tail = false;  // the latter were read
    // some are in no record, so that the index must take them with the next write
    bool loose = false;
    bool indexing = false;  // the write that is going on puts the tail into the index
    bool writes;
    bool lost = false;     // another writer has the session
    bool erased = false;   // or nobody has: of both, no call answers anything but ACCP_ERR_CLOSED
    bool closed = false;   // freed once nothing of it is queued
    uint64_t held = 0;     // as the write that is going on makes it
    uint64_t checked = 0;  // the backend's epoch in which the row was looked at
    StoreSession *handle = nullptr;
    // of a session that comes into being with this write, and must not be there yet
    std::string_view new_id;
    uint64_t first = 0;  // where its commits in the queue begin, plus one; 0: there are none
    uint64_t newest = 0;
    uint64_t newest_commit = 0;  // its number in the lane (lane_sync.h)
    // how many operations of its first queued commits are written, by a group that failed for
    // another session
    uint64_t taken = 0;
};

// Records that a scan found, in its order. Views until the next scan into it.
class StoreRecords {
public:
    struct Record {
        uint64_t seq;
        std::string_view bytes;
    };

    explicit StoreRecords(Memory &memory) : entries_(memory), text_(memory) {}

    size_t size() const { return entries_.size(); }
    Record operator[](size_t i) const {
        return {entries_[i].seq, {text_.data() + entries_[i].at, entries_[i].len}};
    }
    size_t bytes() const { return text_.size(); }

    void clear() {
        entries_.recycle(kKeptBytes);
        text_.recycle(kKeptBytes);
    }
    void add(uint64_t seq, std::string_view bytes) {
        entries_.push({seq, text_.size(), bytes.size()});
        text_.append(bytes);
    }

private:
    struct Entry {
        uint64_t seq;
        size_t at;
        size_t len;
    };
    Buffer<Entry> entries_;
    Buffer<char> text_;
};

// A session, opened. Made by Store::open(); close() ends it.
class StoreSession {
public:
    // As it stands with every commit of this handle.
    const SessionRow &row() const { return inside_.row; }

    // Takes the batch: ACCP_OK or nothing changed. `last` must be row().last where the batch
    // appends, `version` row().version where it sets the state: else ACCP_ERR_BUSY. ACCP_ERR_ARG
    // for a text over its limit (kMax… of limits.h), or a session opened to read. It is durable
    // after sync().
    Status commit(const StoreBatch &batch, uint64_t last, uint64_t version) {
        return commit(batch, last, version, false);
    }
    Status commit(const StoreBatch &batch) {
        return commit(batch, inside_.row.last, inside_.row.version);
    }
    // Commits the batch and returns when it is durable. If the sync fails, the batch may be visible
    // in this open store and may reach the device with a later sync. Close the handle and open a
    // new one to see the outcome.
    Status commit_now(const StoreBatch &batch) {
        return commit(batch, inside_.row.last, inside_.row.version, true);
    }
    // Returns ACCP_OK when every commit of this handle is durable. Also writes other commits under
    // the same lock. Threads that sync at the same time wait for the device together.
    Status sync();

    // Copies the state into `out`, replacing its contents; empty if version is 0.
    Status state(Buffer<char> &out);
    // Records first … last (0: to the end), newest first if asked; stops after `max_bytes` of them,
    // but gives at least one. Replaces `out`.
    Status scan(uint64_t first, uint64_t last, bool newest_first, size_t max_bytes,
                StoreRecords &out);
    // A blob, into `out` (replaced). ACCP_E2001: there is none; ACCP_E2002: it has expired.
    Status blob(Tier tier, std::string_view key, uint64_t now, Buffer<char> &out);
    // Was it noted, ever?
    Status has_mid(std::string_view mid, bool &out) { return has_mid_word(mid_word(mid), out); }
    Status has_mid_word(uint64_t word, bool &out);
    // ACCP_E5002 unless a grant of session `owner` to this one covers the name and has not expired.
    // Nothing of what it names is looked up, so the answer and its cost tell nothing of what is
    // there. Grants are those that were synced.
    Status check_grant(std::string_view owner, Tier tier, std::string_view key, uint64_t now);
    // The same, and then the blob, as it was synced.
    Status shared_blob(std::string_view owner, Tier tier, std::string_view key, uint64_t now,
                       Buffer<char> &out);

    // ACCP_ERR_CLOSED where the session is this handle's no more: erased, or opened by another
    // writer. Asks the file.
    Status check();
    // The same, and for a session opened to read: has its state been replaced since its row was
    // read? Then the row is read anew.
    Status follow(bool &moved);

    // Ends the handle. What was committed and not synced is written with the store's next sync, or
    // when the store is closed.
    void close();

private:
    friend class Store;
    Status commit(const StoreBatch &batch, uint64_t last, uint64_t version, bool now);
    Status find_shared(std::string_view owner, Tier tier, std::string_view key, uint64_t now,
                       Buffer<char> *out);
    StoreSession(Store &store, StoreLane &lane, Memory &memory, const SessionRow &row, bool writes)
        : store_(&store), lane_(&lane), inside_(memory, row, writes) {
        inside_.handle = this;
    }
    Status load_tail();
    Status seal(const Status &found);
    Status mine() const;

    Store *store_;
    StoreLane *lane_;
    OpenSession inside_;
};

// Where a store is, and how it is opened.
struct SqliteSetup;

struct StorePlace {
    std::string_view name;  // "memory:" or "sqlite:PATH"
    Durability durability = Durability::kFull;
    bool create = true;       // a file that is missing
    bool writes = true;       // false: nothing is changed, sessions are opened to read only
    uint32_t busy_ms = 5000;  // how long another process' write is waited for
    const SqliteSetup *sqlite = nullptr;  // of a file (sqlite_setup.h); NULL: as always
};

struct PrunePolicy {
    uint64_t now = 0;  // blobs and grants that have expired by then go
    // of each session the blobs of its newest so many; 0: all of them
    uint64_t keep_generations = 0;
};

struct StoreStats {
    uint64_t sessions = 0, records = 0, record_bytes = 0, blobs = 0, blob_bytes = 0, mids = 0,
             grants = 0;
};

// Takes what there is to say of a store; false: no more.
struct StatusSink {
    accp_store_status_function function;
    void *user;

    bool operator()(std::string_view part, std::string_view name, std::string_view value) const {
        return function(to_text(part), to_text(name), to_text(value), user) == 0;
    }
};

// One thing that verify() found wrong. The views last until the call it is given to returns.
struct Damage {
    std::string_view session;  // its id; empty: the file as a whole
    const char *what;          // static text
    uint64_t seq;              // of a record
    std::string_view name;     // of a blob
};

// An allocator over the host's with one limit for several Memories. Any number of threads may use
// it.
class SharedCap {
public:
    SharedCap(const accp_allocator &from, uint64_t cap) : from_(from), left_(cap) {}
    SharedCap(const SharedCap &) = delete;
    SharedCap &operator=(const SharedCap &) = delete;

    accp_allocator allocator() { return {allocate, release, this}; }

private:
    static void *allocate(size_t size, void *user) {
        SharedCap &it = *static_cast<SharedCap *>(user);
        uint64_t left = it.left_.load(std::memory_order_relaxed);
        do {
            if (size > left) return nullptr;
        } while (!it.left_.compare_exchange_weak(left, left - size, std::memory_order_relaxed));
        void *memory = it.from_.alloc(size, it.from_.user);
        if (!memory) it.left_.fetch_add(size, std::memory_order_relaxed);
        return memory;
    }
    static void release(void *memory, size_t size, void *user) {
        SharedCap &it = *static_cast<SharedCap *>(user);
        it.from_.release(memory, size, it.from_.user);
        it.left_.fetch_add(size, std::memory_order_relaxed);
    }

    accp_allocator from_;
    std::atomic<uint64_t> left_;
};

class Store {
public:
    explicit Store(const Settings &settings);
    ~Store();
    Store(const Store &) = delete;
    Store &operator=(const Store &) = delete;

    // Opens what `place` names, once. ACCP_ERR_ARG: no such kind of store, no store file, or one of
    // a later version; ACCP_ERR_IO; ACCP_ERR_CORRUPT.
    Status open(const StorePlace &place);
    // The same over a back end of the host's, which ends with the store; checked by the caller.
    Status open(const accp_store_backend &backend, void *user, bool writes);
    // Opens a session. To write: it is made where it is missing, and older writers are fenced off.
    // To read: ACCP_E2001 where it is missing. id: 1 to kMaxSessionIdBytes bytes. Every
    // StoreSession is closed before the store is.
    Status open_session(std::string_view id, bool writes, StoreSession *&out);
    // Makes every commit so far durable. A session that has lost its fence is no failure here: its
    // own calls say so.
    Status sync();
    // sync(), then the end: only the destructor may follow. What could not be synced is lost.
    Status close();

    Status prune(const PrunePolicy &policy, uint64_t &pruned);
    // Reads everything. ACCP_ERR_CORRUPT when anything is wrong, each with a call of `report`.
    Status verify(void (*report)(const Damage &damage, void *user), void *user);
    Status stats(StoreStats &out);
    // What it is, and how its place is; nothing of it is written for that.
    Status status(const StatusSink &sink);
    // The id of the session after number `after`, which becomes its number; ACCP_E2001 after the
    // last. 0: the first.
    Status next_session(uint64_t &after, Buffer<char> &out);
    // A session as lines of JSON, appended to `out`: with the same bytes whenever it holds the
    // same, whatever the backend. docs/store.md has the form. `form`: who reads records and states;
    // nullptr: they stand as bytes.
    Status export_session(std::string_view id, Buffer<char> &out, RecordForm *form = nullptr);
    // What was exported, in this form or the one before, as sessions that are not there yet (else
    // ACCP_ERR_BUSY): all of it, durable, or nothing. The record of a failure is the line, from 0.
    Status import(std::string_view text, RecordForm *form = nullptr);

    // Takes a session and all that is its own out of the store, and what others have granted it,
    // durably. Handles of it are lost. ACCP_E2001.
    Status erase_session(std::string_view id);

    const Settings &settings() const { return settings_; }

private:
    friend class StoreSession;
    struct Inside;
    Status open_in(StoreLane &lane, std::string_view id, bool writes, StoreSession *&out);
    template <class Work>
    Status after_writing(std::string_view only, Work work);
    void end();

    Settings settings_;
    SharedCap cap_;
    Memory memory_;
    Inside *inside_ = nullptr;
};

// A session of the store that is closed.
class HeldSession {
public:
    explicit HeldSession(StoreSession *session) : session_(session) {}
    HeldSession(const HeldSession &) = delete;
    HeldSession &operator=(const HeldSession &) = delete;
    ~HeldSession() {
        if (session_) session_->close();
    }
    StoreSession *operator->() const { return session_; }

private:
    StoreSession *session_;
};

// Makes a batch durable that appends to such a session, all or none. Of a writer that was overtaken
// nothing was written, so it is done again. ACCP_ERR_BUSY, with the message `busy`: too often.
Status commit_shared(Store &store, std::string_view id, const StoreBatch &batch, const char *busy);

}  // namespace accp::store
