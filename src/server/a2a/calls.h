// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests of A2A that are not answered yet: what the frames of their tasks make of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/a2a/print.h"
#include "server/a2a/tasks.h"
#include "server/hub/hub.h"

namespace server {

struct A2aCall {
    enum class Kind {
        kSend,     // is answered when the task ends or asks
        kSendNow,  // when its message is safe
        kCancel,   // when the task has ended
        kStream    // is told what happens until then
    };
    Kind kind;
    A2aShape shape;
    std::string id;          // of JSON-RPC
    std::string task;        // the chain
    std::string taken = {};  // the answer where it is no task: when its frame is safe
    uint64_t from = 0;       // the record of its own frame; what came before is not for it
    bool has_begun = false;  // a stream's first event has been told
    size_t pending = 0;      // bytes of a stream on their way
    int64_t due_ms = 0;      // when it is looked at though nothing came
    int64_t ends_at_ms = 0;  // when it is answered whatever has come
};

class A2aCalls {
public:
    // All outlive it.
    A2aCalls(Hub &hub, A2aTasks &tasks, A2aPrinter &printer)
        : hub_(hub), tasks_(tasks), printer_(printer) {}

    // Waits for what comes of the call's chain. Throws A2aRefusal.
    void add(uint64_t connection, A2aCall call, std::string_view session, int64_t now_ms);
    // The same of a stream whose first event is known.
    void add(uint64_t connection, A2aCall call, std::string_view session, std::string first,
             int64_t now_ms);
    // The next turn answers it with what it has taken.
    void add_ended(uint64_t connection, A2aCall call);
    void turn(int64_t now_ms, std::vector<HubEffect> &effects);
    // All that a connection was to be told has gone.
    void drained(uint64_t connection);
    void leave(uint64_t connection);
    // By the next turn it is told to ask again.
    void end(uint64_t connection) { dropped_.push_back(connection); }

    // What a request to send is answered with.
    std::string result(const A2aCall &call, const A2aTask &task, int64_t now_ms);

private:
    using Effects = std::vector<HubEffect>;

    void take_frame(uint64_t connection, A2aCall &call, uint64_t record, int64_t now_ms,
                    Effects &out);
    void tell_taken(uint64_t connection, A2aCall &call, Effects &out);
    void take_event(uint64_t connection, A2aCall &call, const A2aTask &task, const A2aEntry *entry,
                    int64_t now_ms, Effects &out);
    void look_again(uint64_t connection, A2aCall &call, int64_t now_ms, Effects &out);
    void answer(uint64_t connection, const A2aCall &call, const A2aTask &task, int64_t now_ms,
                Effects &out);
    void go_down(uint64_t connection, const A2aCall &call, Effects &out);
    void tell(uint64_t connection, A2aCall &call, const std::string &event, bool is_last,
              Effects &out);
    void end(uint64_t connection, std::string answer, int http, Effects &out);
    void set_due(uint64_t connection, A2aCall &call, int64_t due_ms);

    Hub &hub_;
    A2aTasks &tasks_;
    A2aPrinter &printer_;
    std::unordered_map<uint64_t, A2aCall> calls_;          // by connection
    std::multimap<int64_t, uint64_t> due_;                 // connections by due_ms
    std::vector<std::pair<uint64_t, std::string>> first_;  // events to be told at once
    std::vector<uint64_t> ended_;  // connections that are told at once what they have taken
    std::vector<uint64_t> dropped_;
};

}  // namespace server
