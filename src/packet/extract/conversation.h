// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the messages of a conversation into utterances, the input of the extractor.
//
// Structured messages become items as well. Their facts are those of a context's checkpoints
// (context/facts.h); only the newest fact of each subject holds. A fact of a request is a
// constraint, any other fact a decision. A `fail` becomes a failure and an `esc` an open question,
// each with its own text.
#pragma once

#include "base/random.h"
#include "context/facts.h"
#include "packet/extract/extract.h"
#include "packet/extract/sentence.h"
#include "packet/file/schema.h"
#include "value/json_reader.h"

namespace accp::packet {

class StructuredFacts {
public:
    explicit StructuredFacts(Memory &memory)
        : memory_(&memory),
          arena_(memory),
          scratch_(memory, arena_, kSeed),
          records_(memory),
          sources_(memory),
          facts_(memory),
          order_(memory),
          items_(memory),
          text_(memory) {}

    void clear();
    // Adds a structured message. `number` is its number in the conversation and never decreases.
    void add(const message::Message &message, uint32_t number, Speaker speaker);
    // Adds the items of the packet with which a session began. They still hold.
    void add_packet(value::TreeView packet, uint32_t number);
    // Appends the items that still hold. The views are valid until the next change.
    void write(Buffer<Utterance> &out);

private:
    struct Source {
        uint32_t message;
        Speaker speaker;
        SentenceKind kind;
    };
    const Source &source_of(uint32_t fact) const;
    struct Item {
        SentenceKind kind;
        Speaker speaker;
        uint32_t message;
        size_t begin = 0, reason = 0, end = 0;  // offsets into text_
        bool is_explicit = false;               // as certain as a plain statement
        bool is_file = false;                   // only the path of a file
    };
    static constexpr uint64_t kSeed = 0x9E3779B97F4A7C15;  // private tables need no random seed

    void add_event(const message::Message &message, Item item);
    void add_item(value::TreeView packet, const packet::Item &from, Item item);
    void keep_event(Item item);
    void sort_facts();
    void write_facts();
    bool are_same_item(uint32_t fact, uint32_t other) const;

    Memory *memory_;
    Arena arena_;
    context::FactScratch scratch_;
    Buffer<char> records_;
    Buffer<Source> sources_;  // of each message that states facts, by number
    Buffer<context::Fact> facts_;
    Buffer<uint32_t> order_;  // indices into facts_, grouped by item
    Buffer<Item> items_;
    Buffer<char> text_;
    size_t events_ = 0;  // how many of items_ come from events and packets
    size_t event_bytes_ = 0;
};

class Conversation {
public:
    explicit Conversation(Memory &memory)
        : reader_(memory),
          tree_(memory),
          text_(memory),
          closing_(memory),
          turns_(memory),
          utterances_(memory),
          structured_(memory),
          records_(memory),
          request_(memory),
          directory_(memory) {}

    void clear();
    // Sets the directory in which the session worked.
    void set_directory(std::string_view path) { directory_.assign(path); }
    std::string_view directory() const { return directory_.view(); }  // empty: unknown
    // Adds a message in JSON. The text is the payload itself, or its members `content` and
    // `thought`. The arguments of a tool call are searched for paths only. Text that a program put
    // into a user's message does not count as the user's: notices in tags, and summaries of an
    // earlier session. Untrusted data adds no utterance.
    Status add(std::string_view json, uint64_t max_bytes);
    // Adds a message of a session. Its facts count too, see StructuredFacts. Sets `carries_packet`
    // if the message carries the packet with which the session began; the caller then adds that
    // packet with add_packet().
    Status add_session_message(std::string_view json, uint64_t max_bytes, uint64_t record,
                               bool &carries_packet);
    // Adds a packet, as Reader returns it, under the number of the last message.
    void add_packet(value::TreeView packet);
    // Returns all utterances so far. The view is valid until the next call.
    std::span<const Utterance> utterances();
    uint32_t messages() const { return count_; }
    uint32_t untrusted() const { return untrusted_; }  // messages that add no utterance
    // Returns the record number of each message of a session.
    std::span<const uint64_t> records() const { return {records_.data(), records_.size()}; }
    // Returns the first line of the first request of a user; empty if no user made a request.
    std::string_view request() const { return request_.view(); }

private:
    struct Turn {
        Speaker speaker;
        bool has_paths_only;
        bool is_written_path, begins_anew;
        uint32_t message;
        size_t begin, end;
    };
    Status read(std::string_view json, uint64_t max_bytes, message::Message &out);
    void add_talk(const message::Message &message);
    void add_text(Speaker speaker, std::string_view text);
    void add_paths_of(Speaker speaker, std::string_view text, bool writes);
    void append_turn(Speaker speaker, std::string_view text, bool has_paths_only,
                     bool is_written_path);
    void keep_request(const message::Message &message);
    struct ClosingTag {
        uint64_t name;  // hash of the name
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
    Buffer<ClosingTag> closing_;  // of the text being added
    const uint64_t seed_ = random_seed();
    Buffer<Turn> turns_;
    Buffer<Utterance> utterances_;
    StructuredFacts structured_;
    Buffer<uint64_t> records_;
    Buffer<char> request_, directory_;
    uint32_t count_ = 0, untrusted_ = 0;  // counts of messages
};

}  // namespace accp::packet
