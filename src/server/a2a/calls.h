// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests of A2A that wait for frames of their tasks.
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
        kSend,     // waits until the task ends or asks a question
        kSendNow,  // waits until its message is durable
        kCancel,   // waits until the task has ended
        kStream    // gets all events until then
    };
    Kind kind;
    A2aShape shape;
    std::string id;    // of JSON-RPC
    std::string task;  // the chain
    std::string session;
    std::string ack = {};    // the reply to a frame without a task, sent when the frame is durable
    uint64_t from = 0;       // the record of its own frame; earlier records are ignored
    bool has_begun = false;  // the first event of a stream was sent
    size_t pending = 0;      // bytes of a stream on their way
    int64_t due_ms = 0;      // when to check it without a new frame
    int64_t ends_at_ms = 0;  // when to reply in any case
};

class A2aCalls {
public:
    // All arguments outlive it.
    A2aCalls(Hub &hub, A2aTasks &tasks, A2aPrinter &printer)
        : hub_(hub), tasks_(tasks), printer_(printer) {}

    // Waits for the frames of the call's chain. Throws A2aRefusal.
    void add(uint64_t connection, A2aCall call, int64_t now_ms);
    // The same for a stream whose first event is given.
    void add(uint64_t connection, A2aCall call, std::string first, int64_t now_ms);
    // The next turn replies with `ack`.
    void add_ended(uint64_t connection, A2aCall call);
    void turn(int64_t now_ms, std::vector<HubEffect> &effects);
    // All data for a connection was sent.
    void drained(uint64_t connection);
    void leave(uint64_t connection);
    // The next turn ends the call with an error that suggests another try.
    void end(uint64_t connection) { dropped_.push_back(connection); }

    // The result of a request that sends a message.
    std::string result(const A2aCall &call, const A2aTask &task, int64_t now_ms);

private:
    using Effects = std::vector<HubEffect>;

    void try_handle_frame(uint64_t connection, A2aCall &call, uint64_t record, int64_t now_ms,
                          Effects &out);
    void handle_frame(uint64_t connection, A2aCall &call, uint64_t record, int64_t now_ms,
                      Effects &out);
    void send_ack(uint64_t connection, A2aCall &call, Effects &out);
    void handle_event(uint64_t connection, A2aCall &call, const A2aTask &task,
                      const A2aEntry *entry, int64_t now_ms, Effects &out);
    void check_again(uint64_t connection, A2aCall &call, int64_t now_ms, Effects &out);
    bool try_end(uint64_t connection, A2aCall &call, int64_t now_ms, Effects &out);
    void answer(uint64_t connection, const A2aCall &call, const A2aTask &task, int64_t now_ms,
                Effects &out);
    void send_unavailable(uint64_t connection, const A2aCall &call, Effects &out);
    void send_event(uint64_t connection, A2aCall &call, const std::string &event, bool is_last,
                    Effects &out);
    void end(uint64_t connection, std::string answer, int http, Effects &out);
    void set_due(uint64_t connection, A2aCall &call, int64_t due_ms);

    Hub &hub_;
    A2aTasks &tasks_;
    A2aPrinter &printer_;
    std::unordered_map<uint64_t, A2aCall> calls_;          // by connection
    std::multimap<int64_t, uint64_t> due_;                 // connections by due_ms
    std::vector<std::pair<uint64_t, std::string>> first_;  // events to send in the next turn
    std::vector<uint64_t> ended_;  // connections that get `ack` in the next turn
    std::vector<uint64_t> dropped_;
};

}  // namespace server
