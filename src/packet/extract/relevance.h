// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How much each finding of a conversation concerns a task. Conversations are often about several
// things, and a worker needs only its own.
#pragma once

#include <span>

#include "base/memory.h"
#include "packet/extract/sentence.h"
#include "text/rank_fusion.h"
#include "text/tf_idf.h"
#include "text/vectors.h"

namespace accp::packet {

constexpr size_t kFewFindings = 16;  // among fewer, the order says little

class TaskRelevance {
public:
    explicit TaskRelevance(Memory &memory)
        : words_(memory),
          own_(memory),
          ranks_(memory),
          vectors_(memory),
          scores_(memory),
          sorted_(memory),
          texts_(memory) {}

    // Sets `relevance` of each finding: its place among all of them, from 1 to 100. In a
    // conversation that is about other things too, it is 0 for those with no word of the task,
    // neither in it nor around it. A finding is compared with the words around it, because alone
    // it is often too short. Only the order of the scores is used, because their size depends on
    // the conversation. With an embedder, the places by words and by vectors are joined, and
    // findings that are near the task by meaning are not 0, while what an assistant said far from
    // it is. Fails with the error of the embedder only. Cost: O(n log n) in the words of the
    // findings.
    Status rank(std::string_view task, std::span<Finding> findings, text::Embedder *embedder);

private:
    text::TfIdf words_;
    Buffer<double> own_;  // scores by the words of the task alone
    text::RankFusion ranks_;
    text::Vectors vectors_;
    Buffer<double> scores_, sorted_;  // by vectors; sorted_: of findings with a word of the task
    Buffer<std::string_view> texts_;
};

}  // namespace accp::packet
