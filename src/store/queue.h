// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Commits that wait to be written as one group, in their order. The commits of one session form a
// linked list.
#pragma once

#include "store/store.h"

namespace accp::store {

// Checks the limits of an operation, except those on the length of keys and texts, which StoreBatch
// checks.
Status check_op(const StoreOp &op);

class CommitQueue {
public:
    struct Commit {
        OpenSession *session;
        uint64_t next;  // offset of the session's next commit, plus one; 0: this is its newest
        uint64_t size;  // of the operations after it

        const char *begin() const { return reinterpret_cast<const char *>(this + 1); }
        template <class Visit>
        void each(Visit visit) const {
            for (const char *at = begin(), *end = at + size; at < end;) {
                const StoreOp &op = *reinterpret_cast<const StoreOp *>(at);
                visit(op);
                at += op.size();
            }
        }
    };

    explicit CommitQueue(Memory &memory) : bytes_(memory) {}

    bool empty() const { return bytes_.empty(); }
    size_t size() const { return bytes_.size(); }
    void clear() { bytes_.recycle(kKeptBytes); }

    // Appends a batch. Numbers its records and its state, and updates the row of the session.
    void add(OpenSession &session, const StoreBatch &batch);

    // Removes the last batch, which belongs to this session. `size` and `newest` are the values
    // before the batch was added.
    void take_back(size_t size, OpenSession &session, uint64_t newest);

    template <class Visit>
    void each(Visit visit) {
        for (size_t at = 0; at < bytes_.size();) {
            Commit &commit = at_offset(at);
            at += sizeof(Commit) + commit.size;
            visit(commit);
        }
    }
    // Visits each session once, in the order of their first commits.
    template <class Visit>
    void each_session(Visit visit) const {
        for (size_t at = 0; at < bytes_.size();) {
            const Commit &commit = *reinterpret_cast<const Commit *>(bytes_.data() + at);
            if (commit.session->first == at + 1) visit(*commit.session);
            at += sizeof(Commit) + commit.size;
        }
    }
    // Visits the operations of one session, oldest first.
    template <class Visit>
    void each_of(const OpenSession &session, Visit visit) const {
        for (uint64_t at = session.first; at;) {
            const Commit &commit = *reinterpret_cast<const Commit *>(bytes_.data() + at - 1);
            commit.each(visit);
            at = commit.next;
        }
    }

private:
    Commit &at_offset(size_t at) { return *reinterpret_cast<Commit *>(bytes_.data() + at); }

    Buffer<char> bytes_;
};

}  // namespace accp::store
