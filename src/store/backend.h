// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The interface of a store's back end. Every call except flush() is made with the store's lock
// held. tests/store runs the same suite on each back end.
#pragma once

#include "store/queue.h"

namespace accp::store {

struct BlobRow {
    Tier tier = Tier::kHot;
    uint64_t expires = 0;  // 0: never
    uint64_t generation = 0;
};

// one object in all of the program: it is told by its address
inline constexpr char kDiskFull[] = "the disk is full";
constexpr const char *kReadOnly = "the store was opened to read";
constexpr const char *kLost = "another writer has opened this session";
constexpr const char *kErased = "the session was erased";
constexpr const char *kNoSession = "no such session";
constexpr const char *kIsThere = "a session of this id is there already";
constexpr const char *kNoBlob = "nothing is kept under that name";
constexpr const char *kNotGranted = "no grant of that session covers it";
constexpr std::string_view kTierNames[] = {"", "hot", "warm", "cold"};

inline bool has_expired(uint64_t expires, uint64_t now) { return expires && expires <= now; }

// Generations below this one are pruned: not the newest, and nothing that the session's floor
// names.
inline uint64_t pruned_below(const PrunePolicy &policy, const SessionRow &row) {
    if (!policy.keep_generations || row.generation < policy.keep_generations) return 0;
    uint64_t below = row.generation - policy.keep_generations + 1;
    return below < row.floor ? below : row.floor;
}

// A session as export and import see it.
class SessionSink {
public:
    virtual Status row(std::string_view id, const SessionRow &row, std::string_view state) = 0;
    virtual Status record(uint64_t seq, std::string_view bytes) = 0;
    virtual Status blob(std::string_view key, const BlobRow &row, std::string_view bytes) = 0;
    virtual Status mid(uint64_t word) = 0;
    virtual Status grant(std::string_view grantee, std::string_view prefix, uint64_t expires) = 0;

protected:
    ~SessionSink() = default;
};

class Backend {
public:
    virtual ~Backend() = default;

    // The row of a session; to write: made where it is missing, under a new fence, which other
    // processes see at once. ACCP_E2001.
    virtual Status open_session(std::string_view id, bool writes, SessionRow &out) = 0;
    // Writes all commits of the queue, or none. A session that has lost its fence is marked as
    // lost, and its commits are left out. ACCP_ERR_BUSY: a new session exists already. to_device:
    // returns when the data is on the device. Without it, a back end that flushes apart returns
    // when the operating system has the data.
    virtual Status write(CommitQueue &queue, bool to_device) = 0;

    // Does write() without `to_device` need a flush() before the data is on the device?
    virtual bool flushes_apart() const { return false; }
    // Call begin_flush(), then flush() without the store's lock, then end_flush() with the result
    // of flush(). Everything that was written before begin_flush() is then on the device. Meanwhile
    // others may read, and nothing is written.
    virtual Status begin_flush() { return {}; }
    virtual Status flush() { return {}; }
    virtual Status end_flush(const Status &flushed) { return flushed; }

    // Checks that this handle still owns the session. If it does not, marks the session lost or
    // erased. fresh: reads the file; else reads only if the last read has shown that somebody has
    // written. `now`: receives the current row.
    virtual Status check(OpenSession &session, bool fresh, SessionRow &now) = 0;

    // None of these sees the queue. `out` is replaced. What they find of a session that is lost
    // means nothing: check() after each says so.
    virtual Status state(const OpenSession &session, Buffer<char> &out) = 0;
    virtual Status scan(const OpenSession &session, uint64_t first, uint64_t last,
                        bool newest_first, size_t max_bytes, StoreRecords &out) = 0;
    // ACCP_E2001
    virtual Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                        Buffer<char> &out) = 0;
    // Mids of the newest records that the index has not: appended to the session's tail.
    virtual Status read_tail(OpenSession &session) = 0;
    virtual Status has_mid(OpenSession &session, uint64_t word, bool &out) = 0;
    // ACCP_OK where a grant of session `owner` covers this name; else ACCP_E5002. `out`, where it
    // is not NULL: its blob `name` too.
    struct Shared {
        std::string_view owner, name;
        Tier tier;
        std::string_view key;
        uint64_t now;
    };
    virtual Status find_shared(const Shared &wanted, const OpenSession &grantee, BlobRow &row,
                               Buffer<char> *out) = 0;

    virtual Status prune(const PrunePolicy &policy, uint64_t &pruned) = 0;
    virtual Status verify(void (*report)(const Damage &damage, void *user), void *user) = 0;
    virtual Status stats(StoreStats &out) = 0;
    virtual Status status(const StatusSink &sink) = 0;
    virtual Status next_session(uint64_t &after, Buffer<char> &out) = 0;
    virtual Status export_session(std::string_view id, SessionSink &sink) = 0;
    // with all that is its own, and grants to it
    virtual Status erase_session(std::string_view id) = 0;

    // Is a commit durable as soon as it is written? Then none waits for sync().
    virtual bool is_durable_at_once() const { return false; }

    size_t object_bytes = 0;  // what was taken for this object
};

}  // namespace accp::store
