// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What terms of an index are beside the words of items.
//
// Many packets, to be asked: their items by the words that they have, and the packets by what they
// refer to. A packet refers to others in the member `references` of its context: "sha256:…" for all
// that one says, "sha256:…#2" for its second decision.
#pragma once

#include <cstdint>

#include "base/slots.h"
#include "packet/file/schema.h"
#include "packet/query/question.h"

namespace accp::packet {

// Of a word of a packet's task and goal.
constexpr uint64_t kPacketSalt = 0x9E3779B97F4A7C15;
// Of a topic; no hash that a text is likely to have.
constexpr uint64_t kTopicTerm = 0x746F706963000000;

// From one packet to what it refers to: a source tells its whole way.
constexpr uint32_t kMaxHops = 32;

// Views into the index, until it is changed.
struct IndexEntry {
    ItemKind kind;
    uint32_t packet, number;
    std::string_view what, why, by;
};
struct Hit {
    uint32_t entry;
    float score;  // from 0 to 1
};

class PacketIndex {
public:
    explicit PacketIndex(Memory &memory)
        : text_(memory),
          packets_(memory),
          entries_(memory),
          references_(memory),
          terms_(memory),
          postings_(memory),
          by_term_(memory),
          by_sum_(memory),
          items_(memory),
          topics_(memory),
          pending_(memory),
          hashes_(memory),
          scratch_(memory),
          words_(memory),
          scores_(memory),
          stamps_(memory),
          open_(memory),
          whole_(memory),
          reached_(memory),
          referrers_(memory),
          hits_(memory) {}

    // A packet that is there is not added again. Takes memory or leaves all as it is.
    void add(value::TreeView packet, std::string_view checksum);
    size_t size() const { return packets_.size(); }

    // What answers a question best first, each at least kMinScore; of several as good the one of
    // the newer packet (of one task and creator, made at one time, the one of the higher version).
    // `from`: the checksum of a packet; then only what is in it, and in what it refers to, directly
    // or by others. Cost: of the words that are in most items, linear in these.
    static constexpr float kMinScore = 0.5F;
    Status search(const Question &question, std::string_view from);
    std::span<const Hit> hits() const { return {hits_.data(), hits_.size()}; }

    IndexEntry operator[](uint32_t entry) const;
    uint32_t topics_of(uint32_t entry) const { return entries_[entry].topics; }
    std::string_view checksum_of(uint32_t packet) const { return view(packets_[packet].checksum); }
    std::string_view task_of(uint32_t packet) const { return view(packets_[packet].task); }
    // After ask() with `from`: the packet that refers to this one, on the shortest way; itself for
    // the first.
    uint32_t referrer_of(uint32_t packet) const { return referrers_[packet]; }

private:
    struct Span {
        uint32_t begin = 0, len = 0;
    };
    struct StoredPacket {
        Span checksum, task, creator;
        int64_t created;
        uint64_t version;
        uint32_t entries_begin, entries_end, references_begin, references_end;
        uint32_t first_decision, decisions;  // an entry, and how many
    };
    struct StoredEntry {
        Span what, why, by;
        ItemKind kind;
        bool is_value;  // phrase.h: has_label()
        uint32_t packet, number, topics;
    };
    struct Reference {
        Span checksum;
        uint32_t decision;  // 0: all
    };
    struct Term {
        uint64_t hash;
        uint32_t first, count;  // postings
    };
    struct Posting {
        uint32_t holder, next;  // of an entry, or of a packet; the next from 1
    };

    std::string_view view(const Span &span) const { return {text_.data() + span.begin, span.len}; }
    Span keep(std::string_view text);
    void gather(value::TreeView packet);
    void gather_terms(std::string_view text, uint64_t salt, uint32_t holder);
    void gather_topics(uint32_t topics, uint32_t holder);
    void reserve(value::TreeView packet);
    void add_entry(value::TreeView packet, const Item &item);
    void add_references(value::TreeView packet, uint32_t list);
    void add_posting(uint64_t hash, uint32_t holder);
    const Term *find_term(uint64_t hash) const;
    size_t find_packet(std::string_view checksum) const;

    bool open_reachable(std::string_view checksum);
    void open_entries(size_t packet, uint32_t decision);
    bool may_answer(const Question &question, uint32_t entry) const;
    void add_scores(const Question &question, const QuestionTerm &term, uint32_t stamp);
    float rarity(const QuestionTerm &term) const;
    bool is_newer(uint32_t a, uint32_t b) const;
    void collect(const Question &question, float whole);
    void collect_newest(const Question &question);

    Buffer<char> text_;
    Buffer<StoredPacket> packets_;
    Buffer<StoredEntry> entries_;
    Buffer<Reference> references_;
    Buffer<Term> terms_;
    Buffer<Posting> postings_;
    Slots by_term_, by_sum_;

    struct Pending {
        uint64_t hash;
        uint32_t holder;
    };
    // of the packet that is added
    Buffer<Item> items_;
    Buffer<uint32_t> topics_;  // of each item
    uint32_t packet_topics_ = 0;
    Buffer<Pending> pending_;
    Buffer<uint64_t> hashes_;
    Buffer<char> scratch_;
    text::Words words_;

    Buffer<float> scores_;     // of each entry
    Buffer<uint32_t> stamps_;  // the last term that gave it something
    Buffer<char> open_;        // may it answer
    Buffer<char> whole_;       // of each packet: all of it may
    Buffer<uint32_t> reached_, referrers_;
    Buffer<Hit> hits_;
};

}  // namespace accp::packet
