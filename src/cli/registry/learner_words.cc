// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learner.h: codes of schemas, and short keys.
#include <algorithm>

#include "cli/registry/learner.h"

namespace cli {
namespace {

// One capital, or two, in their order.
std::vector<std::string> all_codes() {
    std::vector<std::string> codes;
    for (char a = 'A'; a <= 'Z'; ++a) codes.emplace_back(1, a);
    for (char a = 'A'; a <= 'Z'; ++a)
        for (char b = 'A'; b <= 'Z'; ++b) codes.push_back({a, b});
    return codes;
}

// What a key may be cut to: the first letters of its parts, its first letters.
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

// The one that is cheapest where it stands: a tokenizer may join it with what is around it. False
// where none is left.
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

// Keys that more than one pair has, or that messages of one pair have beside their schema's fields.
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

// Measured by key, as a message of an unseen pair goes: under no schema.
bool Learner::try_alias(const std::string &key, const LearnSample &sample) {
    LearnedDocument tried;
    uint64_t best = costs_.under(tried, sample);
    std::string chosen;
    for (const std::string &form : short_forms(key)) {
        const bool taken = codes_.count(form) != 0 || keys_.count("\"" + form + "\"") != 0 ||
                           std::any_of(document_.aliases.begin(), document_.aliases.end(),
                                       [&](const auto &entry) { return entry.second == form; });
        if (taken || !is_word(form) || !costs_.may_abbreviate(key, form)) continue;
        tried.aliases = {{key, form}};
        const uint64_t tokens = costs_.under(tried, sample);
        if (tokens >= best) continue;
        best = tokens;
        chosen = form;
    }
    if (!chosen.empty()) document_.aliases[key] = chosen;
    return !chosen.empty();
}

}  // namespace cli
