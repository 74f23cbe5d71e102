// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A conversation as messages of ours, to who said what.
#pragma once

#include "base/random.h"
#include "packet/extract/extract.h"
#include "packet/extract/stated.h"
#include "value/json_reader.h"

namespace accp::packet {

class Conversation {
public:
    explicit Conversation(Memory &memory)
        : reader_(memory),
          tree_(memory),
          text_(memory),
          closing_(memory),
          turns_(memory),
          said_(memory),
          stated_(memory),
          records_(memory),
          request_(memory) {}

    void clear();
    // A message as JSON: who spoke, and `content`, or a text, or what was thought at a call of a
    // tool. What a tool was given and answered names files, and says nothing else. What a program
    // put into a user's message is not the user's: notices in tags, a summary of what was before.
    // Data from outside says nothing.
    Status add(std::string_view json, uint64_t max_bytes);
    // The same of a session's message: what it states in names and numbers counts too (stated.h).
    // One with which a session began after another ended carries a packet: then `begins` is set,
    // and the packet is to be added. What a model read of it is no talk.
    Status add_of_session(std::string_view json, uint64_t max_bytes, uint64_t record, bool &begins);
    // Of the message that was added last; as Reader makes it.
    void add_packet(value::TreeView packet);
    // Of all that was added; a view until the next call.
    std::span<const Said> said();
    uint32_t messages() const { return count_; }
    uint32_t untrusted() const { return untrusted_; }  // of them: these say nothing
    // Of each message of a session.
    std::span<const uint64_t> records() const { return {records_.data(), records_.size()}; }
    // The first line of what a user of the session asked for first; empty: nobody asked.
    std::string_view request() const { return request_.view(); }

private:
    struct Turn {
        Who who;
        bool names_files;
        uint32_t message;
        size_t begin, end;
    };
    Status read(std::string_view json, uint64_t max_bytes, message::Message &out);
    void add_talk(const message::Message &message);
    void add_text(Who who, bool names_files, std::string_view text);
    void note_request(const message::Message &message);
    struct ClosingTag {
        uint64_t name;  // its hash
        size_t at;
        bool operator<(const ClosingTag &other) const {
            return name != other.name ? name < other.name : at < other.at;
        }
    };
    void blank_notices(std::span<char> bytes);
    size_t find_closing(std::string_view text, std::string_view name, size_t at) const;

    value::JsonReader reader_;
    value::Value tree_;
    Buffer<char> text_;
    Buffer<ClosingTag> closing_;  // of one text
    const uint64_t seed_ = random_seed();
    Buffer<Turn> turns_;
    Buffer<Said> said_;
    StatedFacts stated_;
    Buffer<uint64_t> records_;
    Buffer<char> request_;
    uint32_t count_ = 0, untrusted_ = 0;  // messages
};

}  // namespace accp::packet
