// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learner.h: which messages have a schema in common: a pair of intent and operation, all of an
// intent, all of an operation.
#include <algorithm>

#include "cli/registry/learner.h"

namespace cli {
namespace {

constexpr size_t kMaxBindings = 64;
constexpr size_t kParts = 8;  // of a pair's messages, each measured under the others
constexpr const char *kErrors = "fail:error";  // the built-in ER is bound to it

// A registry binds no operation that begins like an escape.
bool may_be_bound(const std::string &pair) { return pair.find(":__") == std::string::npos; }

}  // namespace

void Learner::learn_pairs() {
    std::vector<std::string> order;
    for (const auto &[pair, group] : groups_) order.push_back(pair);
    std::stable_sort(order.begin(), order.end(), [this](const auto &a, const auto &b) {
        return groups_[a].train.size() > groups_[b].train.size();
    });
    for (const std::string &pair : order) {
        const Group &group = groups_[pair];
        if (!may_be_bound(pair)) continue;
        LearnedSchema schema;
        schema.name = pair;
        std::replace(schema.name.begin(), schema.name.end(), ':', '_');
        schema.code = "Q";
        schema.bind = {pair};
        if (pair == kErrors) schema.name = "error", schema.code = "ER";
        if (!fit(schema, group.train) || !is_regular(schema, group.train)) continue;
        arrange(schema, group.train);
        choose_defaults(schema, group);
        choose_types(schema, group);
        if (pair != kErrors && !choose_code(schema, group.train)) continue;
        document_.schemas.push_back(schema);
    }
}

// Does each part save under what the others teach, all in all?
bool Learner::saves_unseen(const std::vector<LearnSample> &parts, const LearnedSchema &of) {
    uint64_t plain = 0, learned = 0;
    for (const LearnSample &part : parts) {
        LearnSample others;
        for (const LearnSample &other : parts)
            if (&other != &part) others.insert(others.end(), other.begin(), other.end());
        const uint64_t before = costs_.plain(part);
        LearnedSchema schema = {of.name, of.code, of.bind, {}, {}, {}};
        plain += before;
        learned += fit(schema, others) ? cost(schema, part) : before;
    }
    return learned < plain;
}

// Of a pair: its messages in parts that are alike. One message alone is believed.
bool Learner::is_regular(const LearnedSchema &schema, const LearnSample &sample) {
    if (sample.size() < 2) return true;
    std::vector<LearnSample> parts(std::min(sample.size(), kParts));
    for (size_t i = 0; i < sample.size(); ++i) parts[i % parts.size()].push_back(sample[i]);
    return saves_unseen(parts, schema);
}

// The pairs of an intent, or of an operation, that were not seen.
void Learner::learn_rest(bool of_intents) {
    std::map<std::string, Groups> families;
    std::set<std::string> operations;
    for (uint32_t i = 0; accp_operation_name(static_cast<int32_t>(i)) != nullptr; ++i)
        operations.insert(accp_operation_name(static_cast<int32_t>(i)));
    for (const auto &[pair, group] : groups_) {
        const size_t colon = pair.find(':');
        if (group.train.empty() || pair == kErrors || !may_be_bound(pair)) continue;
        operations.insert(pair.substr(colon + 1));
        families[of_intents ? pair.substr(0, colon) : pair.substr(colon + 1)][pair] = group;
    }
    for (const auto &[name, pairs] : families) {
        if (pairs.size() < 2 || pairs.size() > kMaxBindings) continue;
        LearnSample sample;
        std::vector<LearnSample> parts;
        LearnedSchema schema = {of_intents ? name : "any_" + name, "Q", {}, {}, {}, {}};
        for (const auto &[pair, group] : pairs) {
            schema.bind.push_back(pair);
            sample.insert(sample.end(), group.train.begin(), group.train.end());
            parts.push_back(group.train);
        }
        if (!saves_unseen(parts, schema) || !fit(schema, sample)) continue;
        if (!choose_code(schema, sample)) continue;
        schema.bind.clear();
        if (!of_intents) schema.bind.push_back(name);
        for (const std::string &operation : operations) {
            const std::string pair = name + ":" + operation;
            if (of_intents && pair != kErrors && schema.bind.size() < kMaxBindings &&
                (pairs.count(pair) == 0 || !is_bound(pair)))
                schema.bind.push_back(pair);
        }
        if (!schema.bind.empty()) document_.schemas.push_back(schema);
    }
}

bool Learner::is_bound(const std::string &pair) const {
    return std::any_of(document_.schemas.begin(), document_.schemas.end(), [&](const auto &it) {
        return std::find(it.bind.begin(), it.bind.end(), pair) != it.bind.end();
    });
}

// The built-in ER, which every registry has, refuses an error without a code; the document's own
// takes any.
void Learner::keep_errors() {
    if (groups_.count(kErrors) == 0 || is_bound(kErrors)) return;
    document_.schemas.push_back({"error", "ER", {}, {}, {}, {}});
}

}  // namespace cli
