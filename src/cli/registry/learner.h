// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Learns a registry document from messages. Every part of it saves tokens on these messages, by
// exact count. A default or a type could lose or refuse a message, so one is proposed only if no
// message contradicts it, whether it was used for learning or not.
//
// There is one schema for each pair of intent and operation. An intent, or an operation, also gets
// a schema for its other pairs, if that would have saved tokens: each known pair is measured under
// the schema that is learned from the others.
#pragma once

#include <map>
#include <set>

#include "cli/registry/learn_costs.h"

namespace cli {

class Learner {
public:
    // Learns from `train`. `all` contains these messages and any others, for the checks.
    Learner(LearnCosts &costs, const LearnSample &train, const LearnSample &all);

    LearnedDocument learn();

private:
    // The messages of one pair or several.
    struct Group {
        LearnSample train, all;
    };
    using Groups = std::map<std::string, Group>;  // key: "intent:operation"

    std::vector<std::string> ordered_fields(const LearnedSchema &schema, const LearnSample &sample);
    // Chooses the fields and their order. Returns false if no schema saves tokens.
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
    std::set<std::string> keys_;   // all payload keys, as JSON
    std::set<std::string> codes_;  // codes in use
    LearnedDocument document_;
};

}  // namespace cli
