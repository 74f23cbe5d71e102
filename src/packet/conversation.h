// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A conversation as messages of ours, to who said what.
#pragma once

#include "packet/extract.h"
#include "value/json_reader.h"

namespace accp::packet {

class Conversation {
public:
    explicit Conversation(Memory &memory)
        : reader_(memory), tree_(memory), text_(memory), turns_(memory), said_(memory) {}

    void clear();
    // A message as JSON: who spoke, and `content`, or a text, or what was thought at a call of a
    // tool. What a tool was given and answered names files, and says nothing else. What a program
    // put into a user's message is not the user's: notices in tags, a summary of what was before.
    Status add(std::string_view json, uint64_t max_bytes);
    // Of all that was added; a view until the next call.
    std::span<const Said> said();
    uint32_t messages() const { return count_; }

private:
    struct Turn {
        Who who;
        bool names_files;
        uint32_t message;
        size_t begin, end;
    };
    void add_text(Who who, bool names_files, std::string_view text);

    value::JsonReader reader_;
    value::Value tree_;
    Buffer<char> text_;
    Buffer<Turn> turns_;
    Buffer<Said> said_;
    uint32_t count_ = 0;  // of messages
};

}  // namespace accp::packet
