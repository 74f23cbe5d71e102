// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h: what was demanded or decided, and no longer holds.
#include <algorithm>

#include "packet/extract/extract.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr size_t kRetractedPercent = 50;       // of the topics of the shorter one
constexpr size_t kMinName = 4, kMaxName = 40;  // bytes of what is named as rejected
constexpr size_t kMaxRejected = 256;           // the best decisions that name something

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

// By their words, or as they said yes to it.
bool is_users_own(const Found &found) { return found.who == Who::kUser || found.is_proposal; }

bool stands_before(const Found &found, const Found &other) {
    return found.message != other.message ? found.message < other.message
                                          : found.begin < other.begin;
}

}  // namespace

// Takes back what was demanded or decided before with most of the same words.
void Extractor::retract() {
    if (retractions_.empty()) return;
    topics_.clear();
    topic_ends_.clear();
    for (const Found &retraction : retractions_) {
        text::append_topics(retraction.text, topics_);
        topic_ends_.push(static_cast<uint32_t>(topics_.size()));
    }
    for (Found &found : found_) {
        if (found.kind != Kind::kConstraint && found.kind != Kind::kDecision) continue;
        name_.clear();
        text::append_topics(found.text, name_);
        for (size_t i = 0; i < retractions_.size(); ++i) {
            if (!stands_before(found, retractions_[i])) continue;
            const uint32_t begin = i ? topic_ends_[i - 1] : 0;
            const std::span<const uint64_t> own(topics_.data() + begin, topic_ends_[i] - begin);
            const size_t common = text::count_common(own, {name_.data(), name_.size()});
            const size_t fewer = std::min(own.size(), name_.size());
            if (common && common * 100 >= fewer * kRetractedPercent) found.score = kOverturned;
        }
    }
}

// Takes back what was decided for something that a later decision names as not used: what users
// decide, users alone.
void Extractor::supersede() {
    size_t names = 0;
    for (const Found &later : found_) {
        if (later.kind != Kind::kDecision || later.score < 0) continue;
        const std::string_view name = rejected_name(later.text, later.language->rejects);
        if (name.size() < kMinName || name.size() > kMaxName) continue;
        if (++names > kMaxRejected) return;
        for (Found &earlier : found_)
            if (earlier.kind == Kind::kDecision && earlier.message < later.message &&
                (is_users_own(later) || !is_users_own(earlier)) &&
                text::find_in_any_case(earlier.text, name) != name.npos)
                earlier.score = kOverturned;
    }
}

}  // namespace accp::packet
