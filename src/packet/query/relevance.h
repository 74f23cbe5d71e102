// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Keeps the items of a packet that are relevant to a task.
#pragma once

#include "accp/packet.h"
#include "packet/file/draft.h"
#include "text/rank_fusion.h"
#include "text/tf_idf.h"
#include "text/vectors.h"

namespace accp::packet {

struct ItemScore {
    ItemKind kind;
    uint32_t number;  // within its kind, from 1, after the filter
    double score;
};

struct FilterRequest {
    std::string_view task;
    std::string_view name;  // of the task, for not_included
    double threshold;
    text::Embedder *embedder;  // NULL: compare words only
    // With an embedder: words decide how many items stay, by the threshold, and the ranks by words
    // and by vectors together which.
    bool is_by_rank = false;
};

// Scores items against a task, from 0 to 1: by words, or by the vectors of an embedder.
class RelevanceFilter {
public:
    explicit RelevanceFilter(Memory &memory)
        : draft_(memory),
          text_(memory),
          ends_(memory),
          words_(memory),
          vectors_(memory),
          texts_(memory),
          ranks_(memory),
          kept_(memory),
          item_scores_(memory) {}

    // Leaves out the items below the threshold, and notes in not_included how many of each kind.
    // Constraints and decisions of a user stay if they have any word of the task.
    Status filter(value::TreeView packet, const FilterRequest &filter, Packet &out);
    // Returns the scores of the items that stayed.
    std::span<const ItemScore> scores() const { return {kept_.data(), kept_.size()}; }

private:
    void collect_texts();
    std::string_view text_of(size_t item) const;
    void score_words(std::string_view task);
    Status score_vectors(const FilterRequest &filter);
    void keep_by_rank(double threshold);
    void note_dropped(std::string_view task);

    Draft draft_;
    Buffer<char> text_;  // of all items, concatenated
    Buffer<uint32_t> ends_;
    text::TfIdf words_;
    text::Vectors vectors_;  // of the task, then of the items
    Buffer<std::string_view> texts_;
    text::RankFusion ranks_;
    Buffer<ItemScore> kept_;
    Buffer<double> item_scores_;  // by item
};

}  // namespace accp::packet
