// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tasks of A2A, which are chains of frames: what each has come to is read from the log of its
// session, and which there are from a session of the hub's own, so both outlive the process.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/a2a/types.h"
#include "server/hub/hub.h"

namespace server {

// A frame of a task.
struct A2aEntry {
    enum class Kind {
        kSaid,      // by who asked
        kQuestion,  // to who asked
        kTold,      // anything else of the other side
        kResult,    // `done`
        kChunk,     // of a stream
        kFailed,
        kCanceled
    };
    Kind kind;
    uint64_t record;
    uint64_t artifact = 0;     // of a chunk: the record of the first of its stream
    bool is_last = false;      // of a chunk
    bool moves = false;        // the state became another by it, or has another message
    std::string message = {};  // of what was said by A2A: its messageId
};

struct A2aTask {
    std::string id, session, by, operation;
    A2aState state = A2aState::kSubmitted;
    int64_t time_ms = 0;      // when it came to that
    uint64_t status = 0;      // the record of the message that goes with it; 0: none
    int64_t ended_at_ms = 0;  // when its last stream ended; 0: one is open, or none was
    std::string question;     // the mid of what is not answered yet
    std::string asked;        // its operation
    uint64_t stream = 0;      // the record that began the one that is open; 0: none is
    std::string streamer;     // whose it is
    std::vector<A2aEntry> entries;
    size_t bytes = 0;  // of their frames

    // A stream that ended is an answer where no other comes within a second.
    static constexpr int64_t kStreamGraceMs = 1000;
    // The state now; it may have changed by the time alone.
    A2aState settle(int64_t now_ms);
};

class A2aTasks {
public:
    // Both outlive it. Throws Failure.
    A2aTasks(Hub &hub, const accp_config *config) : hub_(hub), reader_(config) {}

    // Is there such a task, whoever may see it?
    bool has(std::string_view id, int64_t now_ms);
    // A message that was taken: record `record` of a session, of task `id`, which it may begin.
    void add(std::string_view id, std::string_view session, std::string_view by, uint64_t record,
             std::string_view message, int64_t now_ms);

    // The task as it is now, or nullptr: there is none that this grant may see. Until the next
    // add().
    A2aTask *find(std::string_view id, const Grant &grant, int64_t now_ms);
    // The same as of a record, and what that record is of it, or nullptr.
    A2aTask *find_at(std::string_view id, uint64_t record, const A2aEntry *&entry, int64_t now_ms);
    // All that a grant may see, of a session or, where it is empty, of all, as they were read last.
    std::vector<A2aTask *> list(std::string_view session, const Grant &grant, int64_t now_ms);
    // Reads on in the sessions of those of them that have not ended, where nothing was read of them
    // since begin_list() gave this number: in kMaxReads sessions between two calls of begin_turn().
    // False: some are left.
    bool refresh(std::string_view session, const Grant &grant, uint64_t list, int64_t now_ms);
    uint64_t begin_list() { return ++lists_; }
    void begin_turn() { reads_left_ = kMaxReads; }
    bool may_read() const { return reads_left_ > 0; }

    static constexpr size_t kMaxReads = 32;

    static constexpr size_t kMaxTasks = 16'384;  // the newest

private:
    // The tasks of one session, and how far its log was read for them.
    struct Context {
        uint64_t read = 0;
        uint64_t list = 0;  // that had begun when all of it was read
        std::unordered_map<uint64_t, std::string> messages;  // messageIds by record
        size_t tasks = 0;
    };

    void load(int64_t now_ms);
    void note(std::string_view id, std::string_view session, std::string_view by, uint64_t record,
              std::string_view message);
    void read_to(std::string_view session, uint64_t record, int64_t now_ms);
    // A frame of a task, and how long it is.
    void take(A2aTask &task, const FrameFacts &facts, size_t bytes, uint64_t record,
              int64_t time_ms);
    void forget_oldest();

    Hub &hub_;
    FrameReader reader_;
    std::unordered_map<std::string, A2aTask> tasks_;
    std::unordered_map<std::string, Context> contexts_;
    std::deque<std::string> order_;  // ids, the oldest first
    uint64_t lists_ = 0;
    size_t reads_left_ = kMaxReads;
    bool is_loaded_ = false;
};

}  // namespace server
