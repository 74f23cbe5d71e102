// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See recall.h. Written without a look at how the library finds names, as it is what checks it.
#include "cli/replay/recall.h"

namespace cli {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool joins(char c) { return c == '_' || c == '.' || c == '/' || c == '-'; }
bool is_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; }

bool is_name(std::string_view run) {
    bool letter = false, mark = false;
    for (size_t i = 0; i < run.size(); ++i) {
        letter |= is_letter(run[i]);
        mark |= is_digit(run[i]) || joins(run[i]) || (i && run[i] >= 'A' && run[i] <= 'Z');
    }
    return run.size() >= 4 && letter && mark;
}

template <typename Use>
void each_name(std::string_view text, Use use) {
    for (size_t i = 0; i < text.size();) {
        size_t from = i;
        while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) || joins(text[i]))) ++i;
        std::string_view run = text.substr(from, i - from);
        while (!run.empty() && (run.front() == '.' || run.front() == '-')) run.remove_prefix(1);
        while (!run.empty() && (run.back() == '.' || run.back() == '-')) run.remove_suffix(1);
        if (is_name(run)) use(run);
        if (i == from) ++i;
    }
}

std::vector<uint64_t> words_as_hashes(std::string_view text) {
    std::vector<uint64_t> words;
    for (size_t i = 0; i < text.size();) {
        size_t from = i;
        while (i < text.size() && is_word(text[i])) ++i;
        if (i == from && !is_blank(text[i++]))
            words.push_back(std::hash<std::string_view>()(text.substr(from, 1)));
        else if (is_word(text[from]))
            words.push_back(std::hash<std::string_view>()(text.substr(from, i - from)));
    }
    return words;
}

template <typename Use>
void each_phrase(std::string_view text, Use use) {
    constexpr size_t kRun = 6;
    const std::vector<uint64_t> words = words_as_hashes(text);
    for (size_t i = 0; i + kRun <= words.size(); ++i) {
        uint64_t hash = 0;
        for (size_t j = 0; j < kRun; ++j)
            hash = (hash ^ words[i + j]) * 0x9E3779B97F4A7C15 + (hash >> 29);
        use(hash);
    }
}

}  // namespace

std::unordered_set<std::string> names_of(std::string_view text) {
    std::unordered_set<std::string> names;
    each_name(text, [&](std::string_view name) { names.emplace(name); });
    return names;
}

std::unordered_set<uint64_t> phrases_of(std::string_view text) {
    std::unordered_set<uint64_t> phrases;
    each_phrase(text, [&](uint64_t phrase) { phrases.insert(phrase); });
    return phrases;
}

void each_use(std::string_view text, const std::function<void(uint64_t)> &name,
              const std::function<void(uint64_t)> &phrase) {
    each_name(text, [&](std::string_view run) { name(std::hash<std::string_view>()(run)); });
    each_phrase(text, [&](uint64_t hash) { phrase(hash); });
}

RecallCount &RecallCount::operator+=(const RecallCount &other) {
    names += other.names;
    names_present += other.names_present;
    phrases += other.phrases;
    phrases_present += other.phrases_present;
    return *this;
}

RecallCount Recall::need(const std::vector<std::string_view> &texts,
                         std::string_view context) const {
    std::string whole;
    for (std::string_view text : texts) whole.append(text).push_back('\n');
    RecallCount count;
    const auto names = names_of(context);
    for (const std::string &name : names_of(whole)) {
        if (!names_.count(name)) continue;
        ++count.names;
        count.names_present += names.count(name);
    }
    const auto phrases = phrases_of(context);
    for (uint64_t phrase : phrases_of(whole)) {
        if (!phrases_.count(phrase)) continue;
        ++count.phrases;
        count.phrases_present += phrases.count(phrase);
    }
    return count;
}

void Recall::add(const std::vector<std::string_view> &texts) {
    for (std::string_view text : texts) {
        names_.merge(names_of(text));
        phrases_.merge(phrases_of(text));
    }
}

}  // namespace cli
