// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Learns a registry's document from messages: what it proposes saves tokens on them, by the exact
// count. What could lose or refuse a message (a default, a type) is only proposed where no message
// that was seen, learned from or not, goes against it.
//
// A schema is made for each intent and operation, and one for an intent, or for an operation, whose
// other messages would have saved: each of its pairs is measured under what the others teach.
#pragma once

#include <map>
#include <set>

#include "cli/registry/learn_costs.h"

namespace cli {

class Learner {
public:
    // `train` is learned from; `all` are those and any others that were seen.
    Learner(LearnCosts &costs, const LearnSample &train, const LearnSample &all);

    LearnedDocument learn();

private:
    // Messages of one pair, or of several: train and all.
    struct Group {
        LearnSample train, all;
    };
    using Groups = std::map<std::string, Group>;  // by "intent:operation"

    std::vector<std::string> ordered_fields(const LearnedSchema &schema, const LearnSample &sample);
    // Fields and their order; false where no schema saves.
    bool fit(LearnedSchema &schema, const LearnSample &sample);
    void arrange(LearnedSchema &schema, const LearnSample &sample);
    void choose_defaults(LearnedSchema &schema, const Group &group);
    void choose_types(LearnedSchema &schema, const Group &group);
    bool choose_code(LearnedSchema &schema, const LearnSample &sample);
    void learn_pairs();
    void learn_rest(bool of_intents);
    bool saves_unseen(const std::vector<LearnSample> &parts, const LearnedSchema &of);
    bool is_regular(const LearnedSchema &schema, const LearnSample &sample);
    void keep_errors();
    void choose_aliases();
    bool try_alias(const std::string &key, const LearnSample &sample);
    bool is_bound(const std::string &pair) const;
    bool is_field(const LearnMessage &message, const std::string &key) const;
    uint64_t cost(const LearnedSchema &schema, const LearnSample &sample);

    LearnCosts &costs_;
    Groups groups_;
    std::set<std::string> keys_;   // of all payloads, as JSON
    std::set<std::string> codes_;  // taken
    LearnedDocument document_;
};

}  // namespace cli
