// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learner.h: one schema. learner_pairs.cc has what each is bound to, learner_words.cc codes and
// short keys.
#include "cli/registry/learner.h"

#include <algorithm>

namespace cli {
namespace {

// Fewer messages are no ground to say that all to come are alike: of none among n, the next is one
// with a chance of 1 in n + 2. A default or a type that is wrong is worse than one that is missing.
constexpr size_t kSure = 8;

constexpr size_t kMaxFields = 256, kMaxKeyBytes = 256, kMaxDefaultBytes = size_t{16} << 10;
constexpr size_t kMaxArranged = 32;  // the places tried grow with the square

std::string pair_of(const LearnMessage &message) {
    return message.intent + ":" + message.operation;
}

bool may_be_field(const std::string &key) {
    return key.size() > 2 && key.size() <= kMaxKeyBytes && key != "\"schema\"";
}

// The bytes of a schema's defaults, as a registry counts them.
size_t bytes_of(const std::map<std::string, std::string> &defaults) {
    size_t bytes = 0;
    for (const auto &[field, value] : defaults) bytes += field.size() + value.size() + 2;
    return bytes;
}

// The widest type that has a value, by its first byte; null goes with every one.
const char *type_of(const std::string &value) {
    switch (value[0]) {
        case '"': return "string";
        case '[': return "array";
        case '{': return "object";
        case 't':
        case 'f': return "boolean";
        default: return "number";
    }
}

}  // namespace

Learner::Learner(LearnCosts &costs, const LearnSample &train, const LearnSample &all)
    : costs_(costs), codes_{"ER", "CH", "TC", "TX", "ST", "TA"} {
    for (const LearnMessage *message : train) groups_[pair_of(*message)].train.push_back(message);
    for (const LearnMessage *message : all) {
        groups_[pair_of(*message)].all.push_back(message);
        for (const LearnMember &member : message->payload) keys_.insert(member.key);
    }
}

LearnedDocument Learner::learn() {
    learn_pairs();
    learn_rest(true);
    learn_rest(false);
    keep_errors();
    choose_aliases();
    return document_;
}

uint64_t Learner::cost(const LearnedSchema &schema, const LearnSample &sample) {
    return costs_.under({{schema}, {}}, sample);
}

// By how often a frame would have them, then by where they were first seen.
std::vector<std::string> Learner::ordered_fields(const LearnedSchema &schema,
                                                 const LearnSample &sample) {
    std::vector<std::pair<std::string, size_t>> counts;
    for (const LearnMessage *message : sample)
        for (const LearnMember &member : message->payload) {
            if (!may_be_field(member.key)) continue;
            auto found = std::find_if(counts.begin(), counts.end(),
                                      [&](const auto &it) { return it.first == member.key; });
            if (found == counts.end()) found = counts.insert(found, {member.key, 0});
            const auto value = schema.defaults.find(member.key);
            found->second += value == schema.defaults.end() || value->second != member.value;
        }
    std::stable_sort(counts.begin(), counts.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    std::vector<std::string> fields;
    for (const auto &[key, count] : counts) fields.push_back(key);
    return fields;
}

// The others go by key: a rare field costs a mark in each frame that has one after it.
bool Learner::fit(LearnedSchema &schema, const LearnSample &sample) {
    const std::vector<std::string> ordered = ordered_fields(schema, sample);
    uint64_t best = costs_.plain(sample);
    size_t best_count = 0;
    for (size_t count = 1; count <= std::min(ordered.size(), kMaxFields); ++count) {
        schema.fields.assign(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(count));
        const uint64_t tokens = cost(schema, sample);
        if (tokens >= best && (best_count == 0 || tokens > best)) continue;
        best = tokens;
        best_count = count;
    }
    schema.fields.assign(ordered.begin(),
                         ordered.begin() + static_cast<std::ptrdiff_t>(best_count));
    return best_count != 0;
}

// Fields that come together belong together: each is tried at every place, and outside, as long as
// that saves.
void Learner::arrange(LearnedSchema &schema, const LearnSample &sample) {
    const std::vector<std::string> known = ordered_fields(schema, sample);
    if (sample.size() < 2 || known.size() > kMaxArranged) return;
    uint64_t best = cost(schema, sample);
    for (bool saved = true; saved;) {
        saved = false;
        for (const std::string &field : known) {
            LearnedSchema without = schema;
            without.fields.erase(std::remove(without.fields.begin(), without.fields.end(), field),
                                 without.fields.end());
            for (size_t place = 0; place <= without.fields.size() + 1; ++place) {
                LearnedSchema tried = without;
                if (place <= without.fields.size())
                    tried.fields.insert(tried.fields.begin() + static_cast<std::ptrdiff_t>(place),
                                        field);
                if (tried.fields.empty()) continue;
                const uint64_t tokens = cost(tried, sample);
                if (tokens >= best) continue;
                best = tokens;
                schema = tried;
                saved = true;
            }
        }
    }
}

// Of a field that every message has: what comes back is then what was sent.
void Learner::choose_defaults(LearnedSchema &schema, const Group &group) {
    if (group.train.size() < kSure) return;
    uint64_t best = cost(schema, group.train);
    for (const std::string &field : std::vector<std::string>(schema.fields)) {
        std::map<std::string, size_t> values;
        for (const LearnMessage *message : group.train)
            if (const std::string *value = message->find(field)) ++values[*value];
        const bool always = std::all_of(group.all.begin(), group.all.end(),
                                        [&](const auto *it) { return it->find(field) != nullptr; });
        const auto top =
            std::max_element(values.begin(), values.end(),
                             [](const auto &a, const auto &b) { return a.second < b.second; });
        // what fewer than half say is nobody's habit, and would be put in the mouth of others
        if (!always || 2 * top->second <= group.train.size()) continue;
        LearnedSchema tried = schema;
        tried.defaults[field] = top->first;
        if (bytes_of(tried.defaults) > kMaxDefaultBytes) continue;
        const std::vector<std::string> ordered = ordered_fields(tried, group.train);
        std::stable_sort(tried.fields.begin(), tried.fields.end(),
                         [&](const auto &a, const auto &b) {
                             return std::find(ordered.begin(), ordered.end(), a) <
                                    std::find(ordered.begin(), ordered.end(), b);
                         });
        const uint64_t tokens = cost(tried, group.train);
        if (tokens >= best) continue;
        best = tokens;
        schema = tried;
    }
}

void Learner::choose_types(LearnedSchema &schema, const Group &group) {
    for (const std::string &field : schema.fields) {
        const char *type = nullptr;
        size_t count = 0;
        bool mixed = false;
        for (const LearnMessage *message : group.all) {
            const std::string *value = message->find(field);
            if (value == nullptr || *value == "null") continue;
            mixed = mixed || (type != nullptr && std::string_view(type) != type_of(*value));
            type = type_of(*value);
            ++count;
        }
        // an object may be a ref, which is of any type
        if (!mixed && count >= kSure && std::string_view(type) != "object")
            schema.types[field] = type;
    }
}

}  // namespace cli
