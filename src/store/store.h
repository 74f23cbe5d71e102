// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Stores sessions. A session has a log of records, a state, blobs in three tiers, the mids that
// it has seen, and grants to other sessions.
//
//   Writing   StoreSession::commit() accepts or refuses a whole batch. Reads of this store see the
//             batch at once. sync() writes all commits of all sessions as one group. After that
//             they survive a kill, and in the mode kFull a power failure. A crash always leaves a
//             prefix of the commits, in their order.
//   Fencing   A session has one writer. Opening a session to write ends an older writer, in this
//             process or another: its next commit or sync returns ACCP_ERR_CLOSED, and none of its
//             unsynced commits is ever written.
//   Threads   Any number of threads may use a store, but only one at a time a StoreSession. One
//             lock guards a store in memory or in a file. It is released while a sync waits for the
//             device. Meanwhile other sessions read and commit, and the next sync includes all of
//             them (lane.h). Over a host's back end each session has its own lock.
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

class PluginContext;
class RecordForm;

struct SessionRow {
    uint64_t number = 0;      // the back end's key for the session
    uint64_t fence = 0;       // the token of the newest writer
    uint64_t version = 0;     // of the state; 0: no state yet
    uint64_t last = 0;        // sequence of the last record; 0: none
    uint64_t generation = 0;  // the newest generation of a blob
    uint64_t runs = 0;        // runs that were added to the index of mids so far
    uint64_t indexed = 0;     // the last record whose mids are in the index
    // the sum of the checksums of all blobs and grants, which detects a missing row
    uint64_t content_sum = 0;
    // the oldest generation that prune() must keep; 0: prune() removes no generation
    uint64_t floor = 0;
    // Used only by the plugin back end: number of the last write, random token of the session's
    // creation, operations of this writer that are written, and totals over all records and mids.
    uint64_t head = 0, birth = 0, ops = 0, record_bytes = 0, mids = 0;

    // Copies the fields that only the back end changes. The other fields change only with commits,
    // so the thread that owns the handle reads them without the store's lock.
    void copy_backend_fields(const SessionRow &from) {
        number = from.number;
        fence = from.fence;
        runs = from.runs;
        indexed = from.indexed;
        content_sum = from.content_sum;
        head = from.head;
        birth = from.birth;
        ops = from.ops;
        record_bytes = from.record_bytes;
        mids = from.mids;
    }
};

// The state of an open session, for the store and its back end.
struct OpenSession {
    OpenSession(Memory &memory, const SessionRow &from, bool to_write)
        : row(from),
          written(from.last),
          written_version(from.version),
          tail(memory),
          writes(to_write) {}

    SessionRow row;    // includes the queued commits
    uint64_t written;  // last record that the back end has
    uint64_t written_version;
    // The tail: mids that are not in the back end's index yet. They come from this handle's commits
    // and from the newest records.
    Buffer<uint64_t> tail;
    bool tail_loaded = false;  // the mids of those records were read
    // Some mids of the tail belong to no record, so the next write must put them into the index.
    bool has_loose_mids = false;
    bool indexing = false;  // the current write puts the tail into the index
    bool writes;
    bool is_lost = false;      // another writer has the session
    bool is_erased = false;    // if lost or erased, every call returns ACCP_ERR_CLOSED
    bool is_closed = false;    // freed when none of its commits is queued
    uint64_t content_sum = 0;  // the new value, during a write
    uint64_t checked = 0;      // the back end's epoch when it last read the row
    StoreSession *handle = nullptr;
    // The id of an imported session, which the write creates and which must not exist yet.
    std::string_view new_id;
    uint64_t first = 0;  // offset of its first queued commit, plus one; 0: none
    uint64_t newest = 0;
    uint64_t newest_commit = 0;  // its number in the lane (lane.h)
    // How many operations of its queued commits are already written. Always 0, unless a group
    // failed because of another session.
    uint64_t written_ops = 0;
};

// The result of a scan: records in the order of the scan. The views are valid until the next scan
// into this object.
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

// An open session. Store::open_session() creates it, close() ends it.
class StoreSession {
public:
    // The row including all commits of this handle.
    const SessionRow &row() const { return open_.row; }

    // Accepts the whole batch or changes nothing. Returns ACCP_ERR_BUSY if the batch appends
    // records and `last` is not row().last, or if it sets the state and `version` is not
    // row().version. Returns ACCP_ERR_ARG if a text exceeds its limit (kMax… in limits.h) or the
    // session was opened to read. sync() makes the batch durable.
    Status commit(const StoreBatch &batch, uint64_t last, uint64_t version) {
        return commit(batch, last, version, false);
    }
    Status commit(const StoreBatch &batch) {
        return commit(batch, open_.row.last, open_.row.version);
    }
    // Commits the batch and returns when it is durable. If the sync fails, the batch may be visible
    // in this open store and may reach the device with a later sync. Close the handle and open a
    // new one to see the outcome.
    Status commit_now(const StoreBatch &batch) {
        return commit(batch, open_.row.last, open_.row.version, true);
    }
    // Returns ACCP_OK when every commit of this handle is durable. Also writes other commits under
    // the same lock. Threads that sync at the same time wait for the device together.
    Status sync();

    // Copies the state into `out`, replacing its contents; empty if version is 0.
    Status state(Buffer<char> &out);
    // Reads the records first … last (0: to the end), newest first if `newest_first`. Stops after
    // `max_bytes` bytes, but returns at least one record. Replaces `out`.
    Status scan(uint64_t first, uint64_t last, bool newest_first, size_t max_bytes,
                StoreRecords &out);
    // Reads a blob into `out`, replacing its contents. Returns ACCP_E2001 if there is no such blob,
    // and ACCP_E2002 if it has expired.
    Status blob(Tier tier, std::string_view key, uint64_t now, Buffer<char> &out);
    // Reports whether a commit of this session ever noted the mid.
    Status has_mid(std::string_view mid, bool &out) { return has_mid_word(mid_word(mid), out); }
    Status has_mid_word(uint64_t word, bool &out);
    // Returns ACCP_E5002 unless an unexpired grant of session `owner` to this session covers the
    // name. Does not look the blob up, so neither the result nor its time reveals whether the blob
    // exists. Only synced grants count.
    Status check_grant(std::string_view owner, Tier tier, std::string_view key, uint64_t now);
    // Like check_grant(), and then reads the blob as of the last sync.
    Status shared_blob(std::string_view owner, Tier tier, std::string_view key, uint64_t now,
                       Buffer<char> &out);

    // Returns ACCP_ERR_CLOSED if this handle no longer owns the session: it was erased, or another
    // writer has opened it. Reads the file.
    Status check();
    // Like check(). For a session that was opened to read it also reloads the row if the state has
    // been replaced; `moved` reports that.
    Status follow(bool &moved);

    // Ends the handle. Its unsynced commits are written by the next sync of the store, or when the
    // store is closed.
    void close();

private:
    friend class Store;
    Status commit(const StoreBatch &batch, uint64_t last, uint64_t version, bool now);
    Status find_shared(std::string_view owner, Tier tier, std::string_view key, uint64_t now,
                       Buffer<char> *out);
    StoreSession(Store &store, StoreLane &lane, Memory &memory, const SessionRow &row, bool writes)
        : store_(&store), lane_(&lane), open_(memory, row, writes) {
        open_.handle = this;
    }
    Status load_tail();
    Status confirm(const Status &found);
    Status check_owner() const;

    Store *store_;
    StoreLane *lane_;
    OpenSession open_;
};

struct SqliteSetup;

// The location of a store and the options for opening it.
struct StorePlace {
    std::string_view name;  // "memory:" or "sqlite:PATH"
    Durability durability = Durability::kFull;
    bool create = true;                   // creates a missing file
    bool writes = true;                   // false: sessions can be opened only to read
    uint32_t busy_ms = 5000;              // how long to wait for another process' write
    const SqliteSetup *sqlite = nullptr;  // for a file (sqlite_setup.h); NULL: defaults
};

struct PrunePolicy {
    uint64_t now = 0;  // blobs and grants that have expired by then are removed
    // how many of the newest generations of each session to keep; 0: all
    uint64_t keep_generations = 0;
};

struct StoreStats {
    uint64_t sessions = 0, records = 0, record_bytes = 0, blobs = 0, blob_bytes = 0, mids = 0,
             grants = 0;
};

// Receives the properties of a store, one per call. Returns false to stop.
struct StatusSink {
    accp_store_property_function function;
    void *user;

    bool operator()(std::string_view part, std::string_view name, std::string_view value) const {
        return function(to_text(part), to_text(name), to_text(value), user) == 0;
    }
};

// One damage that verify() found. The views are valid until the callback returns.
struct Damage {
    std::string_view session;  // its id; empty: the whole file
    const char *what;          // static text
    uint64_t seq;              // of a record
    std::string_view name;     // of a blob
};

// An allocator on top of the host's, which enforces one limit for several Memories. Any number of
// threads may use it.
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

    // Opens the store at `place`; call it once. Returns ACCP_ERR_ARG if the kind of store is
    // unknown, or if the file is not a store or has a later version. Also returns ACCP_ERR_IO and
    // ACCP_ERR_CORRUPT.
    Status open(const StorePlace &place);
    // Opens a store over a host's back end, which the store closes at its end. The caller has
    // checked the table.
    Status open(const accp_store_backend &backend, void *user, bool writes);
    // Opens a session. In write mode it is created if it does not exist, and older writers lose the
    // right to write. In read mode, returns ACCP_E2001 if it does not exist. `id` has 1 to
    // kMaxSessionIdBytes bytes. Close every StoreSession before the store.
    Status open_session(std::string_view id, bool writes, StoreSession *&out);
    // Makes all commits durable. Succeeds even if a session has lost its fence: the calls on that
    // session report it.
    Status sync();
    // Calls sync(). Only the destructor may follow. Commits that could not be synced are lost.
    Status close();

    Status prune(const PrunePolicy &policy, uint64_t &pruned);
    // Reads everything and calls `report` for each damage. Returns ACCP_ERR_CORRUPT if there was
    // one.
    Status verify(void (*report)(const Damage &damage, void *user), void *user);
    Status stats(StoreStats &out);
    // Reports the kind of the store and the state of its back end. Writes no queued commit.
    Status status(const StatusSink &sink);
    // Writes the id of the session after number `after` and sets `after` to its number. Start with
    // 0. Returns ACCP_E2001 after the last session.
    Status next_session(uint64_t &after, Buffer<char> &out);
    // Appends a session to `out` as lines of JSON (docs/store.md). Equal contents give equal bytes
    // with every back end. `form` writes records and states as JSON; without it they are written as
    // bytes.
    Status export_session(std::string_view id, Buffer<char> &out, RecordForm *form = nullptr);
    // Imports the sessions of an export, in the current form or the one before. Imports all of it,
    // durably, or nothing. Returns ACCP_ERR_BUSY if a session exists already. The record number of
    // an error is the line, counted from 0.
    Status import(std::string_view text, RecordForm *form = nullptr);

    // Erases a session with everything in it, and the grants to it, durably. Its open handles
    // lose it: their calls return ACCP_ERR_CLOSED. Returns ACCP_E2001 if it does not exist.
    Status erase_session(std::string_view id);

    const Settings &settings() const { return settings_; }

private:
    friend class StoreSession;
    struct Impl;
    Status open_in(StoreLane &lane, std::string_view id, bool writes, StoreSession *&out);
    template <class Work>
    Status after_writing(std::string_view only, Work work);
    void destroy();

    Settings settings_;
    SharedCap cap_;
    Memory memory_;
    Impl *impl_ = nullptr;
};

// Closes a session at the end of a block.
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

// Opens the session, commits a batch durably, and closes the session: for sessions that several
// processes write in turn. If another writer opens the session meanwhile, nothing was written, and
// the call tries again. Returns ACCP_ERR_BUSY with the message `busy` if that happens too often.
Status commit_shared(Store &store, std::string_view id, const StoreBatch &batch, const char *busy);

}  // namespace accp::store
