// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The embeddings of one model and one dimension, normalized, one after the other. What belongs to
// no agent is not there, so a table that is in use has its model from its first one.
#pragma once

#include "sacp/agents/capability.h"
#include "sacp/agents/similar.h"

namespace accp::plan {

class VectorTable {
public:
    VectorTable(Memory &memory, uint32_t dimension)
        : dimension_(dimension), rows_(memory), agents_(memory) {}

    bool empty() const { return agents_.empty(); }
    bool is_of(bool has_model, std::string_view model, uint32_t dimension) const {
        const Capability &first = *agents_[0];
        return dimension_ == dimension && first.has_model() == has_model && first.model() == model;
    }
    Capability *agent(uint32_t row) const { return agents_[row]; }
    const Buffer<float> &rows() const { return rows_; }

    // Room for one more. After it add() takes no memory.
    void reserve() {
        rows_.reserve(dimension_);
        agents_.reserve(1);
    }
    void add(const float *row, Capability *agent) {
        agent->vectors = this;
        agent->row = static_cast<uint32_t>(agents_.size());
        rows_.append(row, dimension_);
        agents_.push(agent);
    }
    // The last row comes into its place.
    void remove(const Capability &agent) {
        const size_t last = agents_.size() - 1;
        std::copy_n(rows_.data() + last * dimension_, dimension_,
                    rows_.data() + agent.row * size_t{dimension_});
        agents_[agent.row] = agents_[last];
        agents_[last]->row = agent.row;
        agents_.resize_down(last);
        rows_.resize_down(last * dimension_);
    }

    uint64_t hash = 0;  // the registry's own

private:
    uint32_t dimension_;
    Buffer<float> rows_;
    Buffer<Capability *> agents_;
};

}  // namespace accp::plan
