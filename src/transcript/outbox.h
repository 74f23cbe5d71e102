// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Collects the messages that are made from an item, until the item is complete.
#pragma once

#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

namespace accp::transcript {

// Receives the messages. `json` is valid during the call.
struct Sink {
    Status (*take)(std::string_view json, void *user);
    void *user;
};

// Is it more than white space and controls?
bool has_words(std::string_view text);

// Without these at its end.
std::string_view trim_end(std::string_view text);

// Appends a text after what is there, on a line of its own; nothing where it has no words.
void join_text(std::string_view text, Buffer<char> &out);

// What came of a call.
struct Outcome {
    std::string_view tool_name, call_id;  // empty: not known
    std::string_view text;
    bool is_error = false;
};

class Outbox {
public:
    explicit Outbox(Memory &memory) : bytes_(memory), kept_(memory), ends_(memory) {}

    // Each of these makes one message. A text without words makes none, except for an outcome or if
    // `must` is set.
    void add_guide(std::string_view text, bool must = false);
    void add_request(std::string_view name, std::string_view text, bool must = false);
    void add_reply(std::string_view text, bool must = false);
    void add_outcome(const Outcome &outcome);
    // `tail` is the JSON of the payload from `"tool_name"` to the end of the message.
    void add_call(std::string_view thought, std::string_view tail);

    // Keeps the original message of a provider, as metadata of the first message made from it.
    void keep(std::string_view interface_name, std::string_view json);

    bool is_empty() const { return ends_.empty(); }
    void clear() {
        kept_.recycle(kKeptBytes);
        bytes_.recycle(kKeptBytes);
        ends_.recycle(kKeptBytes);
    }
    // Passes all of them to the sink, and stops if it fails.
    Status deliver(const Sink &sink);

private:
    void add_content(std::string_view agent, std::string_view intent, std::string_view operation,
                     std::string_view text, bool must);

    Buffer<char> bytes_, kept_;
    Buffer<size_t> ends_;
};

// Appends what an agent of this name is called.
void write_agent(std::string_view name, Buffer<char> &out);

}  // namespace accp::transcript
