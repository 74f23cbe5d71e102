// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/registry/learner.h"

#include <algorithm>

namespace cli {
namespace {

// The minimum number of messages from which a default or a type is learned. After n messages
// without an exception, the next message is an exception with a probability of about 1 / (n + 2). A
// wrong default or type is worse than a missing one.
constexpr size_t kMinSample = 8;

constexpr size_t kMaxFields = 256, kMaxKeyBytes = 256, kMaxDefaultBytes = size_t{16} << 10;
constexpr size_t kMaxArranged = 32;  // the work grows with the square

std::string pair_of(const LearnMessage &message) {
    return message.intent + ":" + message.operation;
}

bool may_be_field(const std::string &key) {
    return key.size() > 2 && key.size() <= kMaxKeyBytes && key != "\"schema\"";
}

// Counts the bytes of a schema's defaults as a registry does.
size_t bytes_of(const std::map<std::string, std::string> &defaults) {
    size_t bytes = 0;
    for (const auto &[field, value] : defaults) bytes += field.size() + value.size() + 2;
    return bytes;
}

// Returns the widest type of a value, by its first byte. null fits every type.
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

constexpr size_t kMaxBindings = 64;
constexpr size_t kParts =
    8;  // the messages of a pair are split into parts, each measured under the others
constexpr const char *kErrors = "fail:error";  // the pair that the built-in schema ER is bound to

// A registry cannot bind an operation that begins like an escape.
bool may_be_bound(const std::string &pair) { return pair.find(":__") == std::string::npos; }

// Returns all codes of one capital letter, then all of two.
std::vector<std::string> all_codes() {
    std::vector<std::string> codes;
    for (char a = 'A'; a <= 'Z'; ++a) codes.emplace_back(1, a);
    for (char a = 'A'; a <= 'Z'; ++a)
        for (char b = 'A'; b <= 'Z'; ++b) codes.push_back({a, b});
    return codes;
}

// Returns short forms of a key: the initials of its parts, and its first one to three letters.
std::vector<std::string> short_forms(const std::string &key) {
    std::string initials;
    for (size_t i = 1; i + 1 < key.size(); ++i)
        if (key[i] != '_' && (i == 1 || key[i - 1] == '_')) initials += key[i];
    std::vector<std::string> forms = {initials};
    for (size_t n = 1; n <= 3 && n + 2 < key.size(); ++n) forms.push_back(key.substr(1, n));
    return forms;
}

bool is_word(const std::string &text) {
    return !text.empty() && text != "schema" && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    });
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
    return costs_.with_document({{schema}, {}}, sample);
}

// Orders the fields by how often a frame would contain them, then by first appearance.
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

// Chooses how many fields go by position; the others go by key. A rare field by position costs a
// mark in each frame that has a later field.
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

// Moves each field to every other place, and out of the schema, as long as that saves tokens.
// Fields that occur together then become neighbours.
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

// Chooses defaults only for fields that every message has, so that decoding adds no field.
void Learner::choose_defaults(LearnedSchema &schema, const Group &group) {
    if (group.train.size() < kMinSample) return;
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
        // A value that at most half of the messages have is not a useful default.
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
        // An object can be a ref, which fits any type.
        if (!mixed && count >= kMinSample && std::string_view(type) != "object")
            schema.types[field] = type;
    }
}

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

// Returns whether the parts together save tokens, each under the schema learned from the others.
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

// Returns whether the messages of a pair are so alike that a schema learned from some of them saves
// tokens on the others. A single message is accepted.
bool Learner::is_regular(const LearnedSchema &schema, const LearnSample &sample) {
    if (sample.size() < 2) return true;
    std::vector<LearnSample> parts(std::min(sample.size(), kParts));
    for (size_t i = 0; i < sample.size(); ++i) parts[i % parts.size()].push_back(sample[i]);
    return saves_unseen(parts, schema);
}

// Adds schemas for pairs that no message has: one for each intent (`of_intents`), or one for each
// operation.
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

// Replaces the built-in schema ER by one that accepts any error. Every registry has ER, which
// refuses an error without a code.
void Learner::keep_errors() {
    if (groups_.count(kErrors) == 0 || is_bound(kErrors)) return;
    document_.schemas.push_back({"error", "ER", {}, {}, {}, {}});
}

// Chooses the code that costs the fewest tokens in its frames, because a tokenizer may join it with
// its neighbours. Returns false if no code is left.
bool Learner::choose_code(LearnedSchema &schema, const LearnSample &sample) {
    static const std::vector<std::string> kCodes = all_codes();
    const std::vector<std::string> frames = costs_.frames({{schema}, {}}, sample);
    const std::string mark = "{" + schema.code + ":[";
    uint64_t best = UINT64_MAX;
    std::string chosen;
    for (const std::string &code : kCodes) {
        if (codes_.count(code) != 0 || keys_.count("\"" + code + "\"") != 0) continue;
        uint64_t tokens = 0;
        for (std::string frame : frames) {
            const size_t at = frame.find(mark);
            if (at == std::string::npos) continue;
            frame.replace(at + 1, schema.code.size(), code);
            tokens += costs_.count(frame);
        }
        if (tokens >= best) continue;
        best = tokens;
        chosen = code;
    }
    if (chosen.empty()) return false;
    schema.code = chosen;
    codes_.insert(chosen);
    return true;
}

// Tries a short key for each key that is used by several pairs, or that is not a field of its
// schema.
void Learner::choose_aliases() {
    std::map<std::string, LearnSample> uses;
    std::map<std::string, std::set<std::string>> pairs;
    for (const auto &[pair, group] : groups_)
        for (const LearnMessage *message : group.train)
            for (const LearnMember &member : message->payload) {
                uses[member.key].push_back(message);
                pairs[member.key].insert(is_field(*message, member.key) ? pair : pair + " beside");
            }
    for (const auto &[key, sample] : uses)
        if (sample.size() > 1 && (pairs[key].size() > 1 || !is_field(*sample[0], key)))
            try_alias(key, sample);
}

bool Learner::is_field(const LearnMessage &message, const std::string &key) const {
    for (const LearnedSchema &schema : document_.schemas)
        if (std::find(schema.bind.begin(), schema.bind.end(),
                      message.intent + ":" + message.operation) != schema.bind.end())
            return std::find(schema.fields.begin(), schema.fields.end(), key) !=
                   schema.fields.end();
    return false;
}

// Measures a short key without a schema, as in a message of an unseen pair.
bool Learner::try_alias(const std::string &key, const LearnSample &sample) {
    LearnedDocument tried;
    uint64_t best = costs_.with_document(tried, sample);
    std::string chosen;
    for (const std::string &form : short_forms(key)) {
        const bool taken = codes_.count(form) != 0 || keys_.count("\"" + form + "\"") != 0 ||
                           std::any_of(document_.aliases.begin(), document_.aliases.end(),
                                       [&](const auto &entry) { return entry.second == form; });
        if (taken || !is_word(form) || !costs_.may_abbreviate(key, form)) continue;
        tried.aliases = {{key, form}};
        const uint64_t tokens = costs_.with_document(tried, sample);
        if (tokens >= best) continue;
        best = tokens;
        chosen = form;
    }
    if (!chosen.empty()) document_.aliases[key] = chosen;
    return !chosen.empty();
}

}  // namespace cli
