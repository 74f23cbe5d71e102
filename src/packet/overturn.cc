// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h: what was demanded or decided, and no longer holds.
#include <algorithm>

#include "base/bytes.h"
#include "packet/extract.h"

namespace accp::packet {

namespace {

constexpr size_t kRetractedPercent = 50;       // of the topics of the shorter one
constexpr size_t kMinName = 4, kMaxName = 40;  // bytes of what is named as rejected

bool is_name_mark(char c) { return c == '`' || c == '*' || c == '"' || c == '_' || c == ' '; }

// What a sentence says is not used: what stands after `instead of`, up to the end of the clause.
std::string_view rejected_name(std::string_view sentence, std::span<const std::string_view> marks) {
    for (std::string_view mark : marks) {
        size_t at = sentence.find(mark);
        if (at == sentence.npos) continue;
        at += mark.size();
        std::string_view name = sentence.substr(at);
        name = name.substr(0, std::min(name.find_first_of(",;:()?!"), name.size()));
        while (!name.empty() && (is_name_mark(name.back()) || name.back() == '.'))
            name.remove_suffix(1);
        while (!name.empty() && is_name_mark(name.front())) name.remove_prefix(1);
        return name;
    }
    return {};
}

bool has_name(std::string_view text, std::string_view name) {
    const auto same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    return std::search(text.begin(), text.end(), name.begin(), name.end(), same) != text.end();
}

}  // namespace

// Takes back what was demanded or decided before with most of the same words.
void Extractor::retract(const Found &sentence) {
    topics_.clear();
    text::append_topics(sentence.text, topics_);
    for (Found &found : found_) {
        if (found.kind != Kind::kConstraint && found.kind != Kind::kDecision) continue;
        name_.clear();
        text::append_topics(found.text, name_);
        const size_t common =
            text::count_common({topics_.data(), topics_.size()}, {name_.data(), name_.size()});
        const size_t fewer = std::min(topics_.size(), name_.size());
        if (common && common * 100 >= fewer * kRetractedPercent) found.score = kOverturned;
    }
}

// Takes back what was decided for something that a later decision names as not used.
void Extractor::supersede() {
    for (const Found &later : found_) {
        if (later.kind != Kind::kDecision || later.score < 0) continue;
        const std::string_view name = rejected_name(later.text, later.language->rejects);
        if (name.size() < kMinName || name.size() > kMaxName) continue;
        for (Found &earlier : found_)
            if (earlier.kind == Kind::kDecision && earlier.message < later.message &&
                has_name(earlier.text, name))
                earlier.score = kOverturned;
    }
}

}  // namespace accp::packet
