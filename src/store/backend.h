// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The interface of a store's back ends. Every call except flush() is made with the lane's lock
// held. tests/store runs the same suite on each back end.
#pragma once

#include "store/queue.h"

namespace accp::store {

struct BlobRow {
    Tier tier = Tier::kHot;
    uint64_t expires = 0;  // 0: never
    uint64_t generation = 0;
};

// compared by its address, so it must be one object
inline constexpr char kDiskFull[] = "the disk is full";
constexpr const char *kReadOnly = "the store was opened read-only: open it to write";
constexpr const char *kLost = "another writer has opened this session";
constexpr const char *kErased = "the session was erased";
constexpr const char *kNoSession = "no such session";
constexpr const char *kBadSessionId = "a session id has 1 to 256 bytes";
constexpr const char *kIsThere = "a session of this id is there already";
constexpr const char *kNoBlob = "nothing is kept under that name";
constexpr const char *kNotGranted = "no grant of that session covers it";
constexpr std::string_view kTierNames[] = {"", "hot", "warm", "cold"};

inline bool has_expired(uint64_t expires, uint64_t now) { return expires && expires <= now; }

// prune() removes the generations below the result: never the newest ones that the policy keeps,
// nor those from the session's floor on.
inline uint64_t pruned_below(const PrunePolicy &policy, const SessionRow &row) {
    if (!policy.keep_generations || row.generation < policy.keep_generations) return 0;
    uint64_t below = row.generation - policy.keep_generations + 1;
    return below < row.floor ? below : row.floor;
}

// Receives the contents of a session.
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

    // Reads the row of a session. In write mode the session is created if it does not exist and
    // gets a new fence, which other processes see at once. In read mode, returns ACCP_E2001 if it
    // does not exist.
    virtual Status open_session(std::string_view id, bool writes, SessionRow &out) = 0;
    // Writes all commits of the queue, or none. A session that has lost its fence is marked as
    // lost, and its commits are left out. Returns ACCP_ERR_BUSY if a new session exists already.
    // With `to_device`, returns when the data is on the device. Without it, a back end that flushes
    // apart returns when the operating system has the data.
    virtual Status write(CommitQueue &queue, bool to_device) = 0;

    // Reports whether data that was written without `to_device` needs a flush() to reach the
    // device.
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

    // These functions replace `out` and do not see the queue. Their results are valid only if a
    // later check() finds that the session is not lost.
    virtual Status state(const OpenSession &session, Buffer<char> &out) = 0;
    virtual Status scan(const OpenSession &session, uint64_t first, uint64_t last,
                        bool newest_first, size_t max_bytes, StoreRecords &out) = 0;
    // Returns ACCP_E2001 if there is no such blob.
    virtual Status blob(uint64_t number, Tier tier, std::string_view key, BlobRow &row,
                        Buffer<char> &out) = 0;
    // Appends the mids of the newest records, which are not in the index yet, to the session's
    // tail.
    virtual Status read_tail(OpenSession &session) = 0;
    virtual Status has_mid(OpenSession &session, uint64_t word, bool &out) = 0;
    // Returns ACCP_E5002 unless a grant of session `owner` covers the name. If `out` is not NULL,
    // also reads the blob.
    struct SharedBlob {
        std::string_view owner, name;
        Tier tier;
        std::string_view key;
        uint64_t now;
    };
    virtual Status find_shared(const SharedBlob &wanted, const OpenSession &grantee, BlobRow &row,
                               Buffer<char> *out) = 0;

    virtual Status prune(const PrunePolicy &policy, uint64_t &pruned) = 0;
    virtual Status verify(void (*report)(const Damage &damage, void *user), void *user) = 0;
    virtual Status stats(StoreStats &out) = 0;
    virtual Status status(const StatusSink &sink) = 0;
    virtual Status next_session(uint64_t &after, Buffer<char> &out) = 0;
    virtual Status export_session(std::string_view id, SessionSink &sink) = 0;
    // Also erases the grants to the session.
    virtual Status erase_session(std::string_view id) = 0;

    // Reports whether a commit is durable as soon as it is written. Then no commit waits for
    // sync().
    virtual bool is_durable_at_once() const { return false; }

    size_t object_bytes = 0;  // the size of this object
};

}  // namespace accp::store
