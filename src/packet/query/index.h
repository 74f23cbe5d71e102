// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A search index of packets: their items by words, and the packets by their references. A packet
// refers to others in the member `references` of its context: "sha256:…" for a whole packet,
// "sha256:…#2" for its second decision.
#pragma once

#include <cstdint>

#include "base/slots.h"
#include "packet/file/schema.h"
#include "packet/query/question.h"
#include "text/rank_fusion.h"
#include "text/vectors.h"

namespace accp::packet {

// XORed with the hash of a word of a packet's task or goal.
constexpr uint64_t kPacketSalt = 0x9E3779B97F4A7C15;

// Maximum number of references from the first packet to a found one. Each source lists this path.
constexpr uint32_t kMaxHops = 32;

// Views into the index, valid until it changes.
struct IndexEntry {
    ItemKind kind;
    uint32_t packet, number;
    std::string_view what, why, by;
};
struct Hit {
    uint32_t entry;
    float score;  // 0 to 1
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
          concerns_task_(memory),
          pending_(memory),
          hashes_(memory),
          task_(memory),
          scratch_(memory),
          scores_(memory),
          has_own_(memory),
          has_subject_(memory),
          last_terms_(memory),
          is_open_(memory),
          is_whole_(memory),
          reached_(memory),
          referrers_(memory),
          hits_(memory),
          vectors_(memory),
          asked_(memory),
          texts_(memory),
          cosines_(memory),
          hit_scores_(memory),
          ranks_(memory),
          ranked_(memory) {}

    // Adds a packet, unless it is already there. If it throws OutOfMemory, nothing has changed.
    void add(value::TreeView packet, std::string_view checksum);
    size_t size() const { return packets_.size(); }

    // Finds the entries that match a question, best first, each with at least kMinScore. Entries
    // with equal scores are sorted by their packets, newest first. Packets of the same task,
    // creator and time are sorted by version. If `from` is the checksum of a packet, searches only
    // that packet and those it refers to, directly or indirectly. Cost: linear in the entries that
    // have a word of the question.
    static constexpr float kMinScore = 0.5F;
    Status search(const Question &question, std::string_view from);
    // After a search: adds the items that are near the question by meaning, and orders all hits by
    // both. An item is near if its cosine stands out of those of all items, whatever the model; the
    // first call makes the vectors of all items, later ones those of new items only. Fails with the
    // error of the embedder.
    Status add_similar(std::string_view text, const Question &question, text::Embedder &embedder);
    std::span<const Hit> hits() const { return {hits_.data(), hits_.size()}; }

    IndexEntry operator[](uint32_t entry) const;
    std::string_view checksum_of(uint32_t packet) const { return view(packets_[packet].checksum); }
    std::string_view task_of(uint32_t packet) const { return view(packets_[packet].task); }
    // After a search with `from`: returns the packet that refers to this one on the shortest path.
    // The first packet returns itself.
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
        uint32_t first_decision, decisions;  // entry number and count
    };
    struct StoredEntry {
        Span what, why, by;
        ItemKind kind;
        bool is_value;       // has_label() in extract/sentence.h
        bool concerns_task;  // shares a word with the packet's task or goal, or is only a detail
        uint32_t packet, number;
    };
    struct Reference {
        Span checksum;
        uint32_t decision;  // 0: the whole packet
    };
    struct Term {
        uint64_t hash;
        uint32_t first, count;  // of postings
    };
    struct Posting {
        uint32_t holder, next;  // entry or packet; next posting, from 1
    };

    std::string_view view(const Span &span) const { return {text_.data() + span.begin, span.len}; }
    Span store_text(std::string_view text);
    void collect_terms(value::TreeView packet);
    void add_terms(std::string_view text, uint64_t salt, uint32_t holder);
    void reserve(value::TreeView packet);
    void add_entry(value::TreeView packet, const Item &item);
    void add_references(value::TreeView packet, uint32_t list);
    void add_posting(uint64_t hash, uint32_t holder);
    const Term *find_term(uint64_t hash) const;
    size_t find_packet(std::string_view checksum) const;

    bool open_reachable(std::string_view checksum);
    void open_entries(size_t packet, uint32_t decision);
    bool can_answer(const Question &question, uint32_t entry) const;
    void add_scores(const Question &question, uint64_t term, uint32_t term_number);
    float rarity(uint64_t term) const;
    bool is_newer(uint32_t a, uint32_t b) const;
    void collect(const Question &question, float whole);
    void drop_beside_subject();
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
    // Scratch space while a packet is added.
    Buffer<Item> items_;
    Buffer<char> concerns_task_;  // of each item
    Buffer<Pending> pending_;
    Buffer<uint64_t> hashes_, task_;
    Buffer<char> scratch_;

    Buffer<float> scores_;         // of each entry
    Buffer<char> has_own_;         // of each entry: it has a word of the question itself
    Buffer<char> has_subject_;     // of each packet: a hit concerns its task
    Buffer<uint32_t> last_terms_;  // last term that scored the entry
    Buffer<char> is_open_;         // of each entry: may be returned
    Buffer<char> is_whole_;        // of each packet: all its entries may be returned
    Buffer<uint32_t> reached_, referrers_;
    Buffer<Hit> hits_;

    Status embed_entries(std::string_view text, text::Embedder &embedder);
    text::Vectors vectors_, asked_;  // of the entries; of the question
    Buffer<std::string_view> texts_;
    Buffer<double> cosines_, hit_scores_;
    text::RankFusion ranks_;
    Buffer<Hit> ranked_;
};

}  // namespace accp::packet
