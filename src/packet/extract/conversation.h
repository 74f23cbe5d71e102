// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What structured messages state in names and numbers, as items of a packet: the facts of a
// context's checkpoints (context/facts.h), of which the newest of each subject holds. What a
// request states is a constraint, what anything else states a decision; a `fail` is a failure, and
// an `esc` an open question, each as it was said.
//
// A conversation as messages of ours, to who said what.
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
    // A message that is no talk, of this number; numbers do not fall.
    void add(const message::Message &message, uint32_t number, Speaker speaker);
    // What a packet says with which a session began: it holds as it did there.
    void add_packet(value::TreeView packet, uint32_t number);
    // Appends what holds; views until the next change.
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
        size_t begin = 0, reason = 0, end = 0;  // of text_
        bool is_explicit = false;               // as sure as what was said in plain words
        bool is_file = false;                   // the path of one, and of no kind
    };
    static constexpr uint64_t kSeed = 0x9E3779B97F4A7C15;  // of tables that nobody else looks into

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
    Buffer<Source> sources_;  // of each message that states facts, by its number
    Buffer<context::Fact> facts_;
    Buffer<uint32_t> order_;  // of facts_: those of one item follow each other
    Buffer<Item> items_;
    Buffer<char> text_;
    size_t events_ = 0;  // of items_: those that stand as they were said
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
    Status add_session_message(std::string_view json, uint64_t max_bytes, uint64_t record,
                               bool &carries_packet);
    // Of the message that was added last; as Reader makes it.
    void add_packet(value::TreeView packet);
    // Of all that was added; a view until the next call.
    std::span<const Utterance> utterances();
    uint32_t messages() const { return count_; }
    uint32_t untrusted() const { return untrusted_; }  // of them: these say nothing
    // Of each message of a session.
    std::span<const uint64_t> records() const { return {records_.data(), records_.size()}; }
    // The first line of what a user of the session asked for first; empty: nobody asked.
    std::string_view request() const { return request_.view(); }

private:
    struct Turn {
        Speaker speaker;
        bool has_paths_only;
        uint32_t message;
        size_t begin, end;
    };
    Status read(std::string_view json, uint64_t max_bytes, message::Message &out);
    void add_talk(const message::Message &message);
    void add_text(Speaker speaker, bool has_paths_only, std::string_view text);
    void keep_request(const message::Message &message);
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
    Buffer<Utterance> utterances_;
    StructuredFacts structured_;
    Buffer<uint64_t> records_;
    Buffer<char> request_;
    uint32_t count_ = 0, untrusted_ = 0;  // messages
};

}  // namespace accp::packet
