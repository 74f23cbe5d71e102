// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Prints tasks and their events as JSON of A2A.
#pragma once

#include <string>
#include <string_view>

#include "server/a2a/tasks.h"
#include "server/json/writer.h"

namespace server {

// Throws A2aRefusal (503) if the store cannot be read now.
class A2aPrinter {
public:
    // Both outlive it.
    A2aPrinter(Hub &hub, FrameReader &reader) : hub_(hub), reader_(reader) {}

    std::string task(const A2aTask &task, const A2aShape &shape, int64_t now_ms);
    // Prints the events of an entry in order, each as a result; possibly none.
    std::vector<std::string> events(const A2aTask &task, const A2aEntry &entry,
                                    const A2aShape &shape, int64_t now_ms);
    // An event with the current state.
    std::string status_event(const A2aTask &task, const A2aShape &shape, int64_t now_ms);
    // The reply to a frame that starts no task.
    static std::string ack(std::string_view mid, std::string_view session, const A2aShape &shape);

private:
    // A record: its frame, and its message as the session resolves it.
    struct Record {
        std::string frame, payload;
        std::string mid, agent, intent, operation;
        bool is_untrusted = false;
    };
    Record read(uint64_t record);
    void open(const A2aTask &task, const A2aShape &shape, int64_t now_ms);
    void begin(std::string_view kind, host::JsonObject &out) const;
    std::string wrap(std::string_view member, std::string object) const;
    std::string metadata(const Record &said) const;
    std::string message(const A2aTask &task, uint64_t record, std::string_view by_a2a);
    std::string status(const A2aTask &task);
    std::string unanswered_text(const A2aTask &task);
    // A message of the hub itself, without a frame.
    static std::string own_message(std::string_view id, std::string_view session,
                                   std::string_view text, const A2aShape &shape);
    std::string history(const A2aTask &task);
    std::string artifacts(const A2aTask &task);
    std::string artifact(const Record &said, std::string_view id, const std::string &parts) const;
    std::string parts(const Record &said, const A2aEntry &entry) const;
    std::string artifact_event(const A2aTask &task, const A2aEntry &entry);

    Hub &hub_;
    FrameReader &reader_;
    // of the current call
    accp_session *session_ = nullptr;
    A2aShape shape_;
    int64_t now_ms_ = 0;
};

}  // namespace server
