// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Keeps the items of a packet that are relevant to a task.
#pragma once

#include "accp/packet.h"
#include "packet/file/draft.h"
#include "text/words.h"

namespace accp::packet {

struct ItemScore {
    ItemKind kind;
    uint32_t number;  // within its kind, from 1, after the filter
    double score;
};

// Computes vectors of texts; implemented by the host.
class Embedder {
public:
    virtual ~Embedder() = default;
    // The vector is valid until the next call.
    virtual Status embed(std::string_view text, std::span<const float> &vector) = 0;
};

struct FilterRequest {
    std::string_view task;
    std::string_view name;  // of the task, for not_included
    double threshold;
    Embedder *embedder;  // NULL: compare words
};

// Scores items against a task, from 0 to 1. Without an embedder the score is the cosine of two
// vectors with a dimension for each word and topic (lexicon.h), weighted by how rare it is in the
// packet.
class RelevanceFilter {
public:
    explicit RelevanceFilter(Memory &memory)
        : draft_(memory),
          words_(memory),
          text_(memory),
          terms_(memory),
          sorted_(memory),
          ends_(memory),
          task_(memory),
          hashes_(memory),
          vector_(memory),
          kept_(memory),
          item_scores_(memory) {}

    // Leaves out the items below the threshold, and notes in not_included how many of each kind.
    // Constraints and decisions of a user stay if they have any word or topic of the task.
    Status filter(value::TreeView packet, const FilterRequest &filter, Packet &out);
    // Returns the scores of the items that stayed.
    std::span<const ItemScore> scores() const { return {kept_.data(), kept_.size()}; }

private:
    Status score_words(const FilterRequest &filter);
    Status score_vectors(const FilterRequest &filter);
    struct TaskTerm {
        uint64_t term;
        double share;  // share of the term's weight
    };
    static bool is_before(const TaskTerm &a, const TaskTerm &b) { return a.term < b.term; }
    void append_terms(std::string_view text, uint32_t topics, Buffer<uint64_t> &out);
    void score_items();
    void expand_task();
    double weight(uint64_t term) const;
    double cosine(std::span<const uint64_t> item, double task_norm) const;
    std::span<const uint64_t> terms_of(size_t item) const {
        const uint32_t begin = item ? ends_[item - 1] : 0;
        return {terms_.data() + begin, ends_[item] - begin};
    }
    Status embed(const FilterRequest &filter, std::string_view text);
    void note_dropped(std::string_view task);

    Draft draft_;
    text::Words words_;
    Buffer<char> text_;
    Buffer<uint64_t> terms_;  // of all items, concatenated
    Buffer<uint64_t> sorted_;
    Buffer<uint32_t> ends_;
    Buffer<TaskTerm> task_;
    Buffer<uint64_t> hashes_;
    Buffer<float> vector_;  // of the task, followed by one of an item
    Buffer<ItemScore> kept_;
    Buffer<double> item_scores_;  // by item
};

}  // namespace accp::packet
