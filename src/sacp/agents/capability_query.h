// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A question to the registry: which agents can do this?
#pragma once

#include "sacp/agents/capability.h"

namespace accp::plan {

constexpr double kDefaultThreshold = 0.75;  // of cosines, where a query names none

// Lists of names as 64 bits: whoever has all the names has all the bits of their marks. Of one kind
// with one seed.
uint64_t mark_of(NameList list, std::string_view name, uint64_t seed);
uint64_t marks_of(const Capability &agent, uint64_t seed);

class CapabilityQuery {
public:
    // False: `verdict` says why not. All calls after it are about this value, which must stay.
    bool read(value::TreeView tree, uint32_t root, Verdict &verdict);

    // Is anything asked but for likeness?
    bool has_criteria() const;
    // Does the agent fulfil all criteria? Those that are not there are fulfilled.
    bool matches(const Capability &agent) const;
    uint64_t marks(uint64_t seed) const;

    uint32_t dimension() const { return nodes_[kEmbedding] ? tree_[nodes_[kEmbedding]].len : 0; }
    void read_embedding(double *out) const;
    bool has_model() const { return nodes_[kModel] != 0; }
    std::string_view model() const { return text(kModel); }
    double threshold() const { return threshold_; }
    uint64_t top() const { return top_; }  // 0: all

    // Calls use(text) for each name in it.
    template <class Use>
    void each_name(Use use) const {
        for (const QueryMember m : {kVerb, kTool, kOutput})
            if (nodes_[m]) use(text(m));
        for (const QueryMember m : {kInputs, kTags})
            if (nodes_[m]) each_text(tree_, nodes_[m], use);
    }

private:
    enum QueryMember {
        kVerb,
        kTool,
        kInputs,
        kOutput,
        kTags,
        kConfidence,
        kEmbedding,
        kModel,
        kThreshold,
        kTop,
        kMembers
    };

    std::string_view text(int member) const {
        return nodes_[member] ? tree_.string(nodes_[member]) : std::string_view();
    }
    // Does is_met(name) hold for all names of a list?
    template <class IsMet>
    bool all_of(int member, IsMet is_met) const;

    value::TreeView tree_ = {};
    uint32_t nodes_[kMembers] = {};
    double min_confidence_ = 0, threshold_ = kDefaultThreshold;
    uint64_t top_ = 0;
};

}  // namespace accp::plan
