// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tasks of A2A, which are chains of frames. The state of a task is read from the log of its
// session. The list of tasks is read from a session of the hub. So both outlive the process.
//
// A task is identified by its session and its id: a client may choose the id, so several sessions
// can have the same one.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/a2a/types.h"
#include "server/hub/hub.h"

namespace server {

// A frame of a task.
struct A2aEntry {
    enum class Kind {
        kUserMessage,  // from the client
        kQuestion,     // to the client
        kUpdate,       // any other frame to the client
        kResult,       // `done`
        kChunk,        // of a stream
        kFailed,
        kCanceled
    };
    Kind kind;
    uint64_t record;
    uint64_t artifact = 0;       // for a chunk: the record of the first chunk of its stream
    bool is_last = false;        // for a chunk
    bool changes_state = false;  // it changed the state, or the message of the state
    std::string message = {};    // the messageId, if the client sent it by A2A
};

struct A2aTask {
    std::string id, session, by, operation;
    uint64_t number = 0;  // tasks are numbered in the order in which they began
    uint64_t read = 0;    // the last record of the session that was read for it
    A2aState state = A2aState::kSubmitted;
    int64_t time_ms = 0;      // time of the state
    uint64_t status = 0;      // the record of its message; 0: none
    int64_t ended_at_ms = 0;  // when its last stream ended; 0: one is open, or there was none
    std::string question;     // the mid of the open question
    std::string question_operation;  // the operation of the open question
    uint64_t stream = 0;             // the first record of the open stream; 0: none
    std::string streamer;            // the agent that sends it
    std::vector<A2aEntry> entries;
    size_t bytes = 0;  // of their frames

    // The end of a stream completes the task if no other reply follows within a second.
    static constexpr int64_t kStreamGraceMs = 1000;
    // Returns the current state, which may change with time alone.
    A2aState settle(int64_t now_ms);
};

// Hub::open_view() for A2A. Returns nullptr if the session does not exist. Throws A2aRefusal (503)
// if it cannot be read now.
accp_session *open_readable(Hub &hub, std::string_view session, int64_t now_ms, uint64_t &passed);

class A2aTasks {
public:
    // Both outlive it. Throws Failure.
    A2aTasks(Hub &hub, const accp_config *config) : hub_(hub), reader_(config) {}

    // Functions that read the store throw A2aRefusal (503) if it cannot be read now. The next call
    // tries again.

    // Reads the new entries of the list of tasks.
    void load(int64_t now_ms);
    // Does a task with this id exist, in any session and for any grant, as of the last load()?
    bool has(std::string_view id) const;
    bool has(std::string_view id, std::string_view session) const;
    // Adds an accepted message: record `record` of a session, of task `id`. It may start the task.
    // Does not read the store.
    void add(std::string_view id, std::string_view session, std::string_view by, uint64_t record,
             std::string_view message, int64_t now_ms);

    // Returns the current task, or nullptr if this grant may see none with this id. If `session` is
    // empty and the grant may see tasks with this id in several sessions, returns the one that
    // began first. Valid until the next add() or load().
    A2aTask *find(std::string_view id, std::string_view session, const Grant &grant,
                  int64_t now_ms);
    // The same as of a record. Sets `entry` to the entry of that record, or to nullptr.
    A2aTask *find_at(std::string_view id, std::string_view session, uint64_t record,
                     const A2aEntry *&entry, int64_t now_ms);
    // Returns all tasks that a grant may see, in one session or (if empty) in all, as of their last
    // read.
    std::vector<A2aTask *> list(std::string_view session, const Grant &grant, int64_t now_ms);
    // Reads the new records of the unfinished tasks among them, unless they were read since
    // begin_list() returned `list`. Reads at most kMaxReads sessions between two calls of
    // begin_turn(). Returns false if some are left.
    bool refresh(std::string_view session, const Grant &grant, uint64_t list, int64_t now_ms);
    uint64_t begin_list() { return ++lists_; }
    void begin_turn() { reads_left_ = kMaxReads; }
    bool may_read() const { return reads_left_ > 0; }

    static constexpr size_t kMaxReads = 32;

    static constexpr size_t kMaxTasks = 16'384;  // the newest

private:
    using Tasks = std::map<std::pair<std::string, std::string>, A2aTask>;  // by id and session

    // The tasks of one session. Its records up to `read` were read for all of them.
    struct Context {
        uint64_t read = 0;
        uint64_t list = 0;  // the newest list at the time of the last full read
        std::unordered_map<uint64_t, std::string> messages;  // messageIds by record
        size_t tasks = 0;
    };

    void note(std::string_view id, std::string_view session, std::string_view by, uint64_t record,
              std::string_view message);
    void read_to(std::string_view session, uint64_t record, int64_t now_ms);
    // Adds a frame of `bytes` bytes to a task.
    void take(A2aTask &task, const FrameFacts &facts, size_t bytes, uint64_t record,
              int64_t time_ms);
    void forget_oldest();

    Hub &hub_;
    FrameReader reader_;
    Tasks tasks_;
    std::unordered_map<std::string, Context> contexts_;
    std::deque<Tasks::iterator> order_;  // the oldest first
    uint64_t begun_ = 0;                 // number of the newest task
    uint64_t loaded_ = 0;                // the last record of the list that was read
    uint64_t lists_ = 0;
    size_t reads_left_ = kMaxReads;
};

}  // namespace server
