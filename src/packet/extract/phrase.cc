// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See phrase.h.
#include "packet/extract/phrase.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxLabel = 40;  // bytes: what is longer is a sentence

constexpr std::string_view kRejections[] = {" over ", " instead of ",  " rather than ",
                                            ", not ", " in place of ", " in favor of "};
// What says no more than that something was chosen. Longer ones first.
constexpr std::string_view kChoosing[] = {
    "we will use ", "we should use ", "lets use ", "let's use ", "switch to ", "go with ",
    "we use ",      "use ",           "using ",    "choose ",    "adopt ",     "pick "};
constexpr std::string_view kArticles[] = {"the ", "a ", "an ", "our "};
// What is done with a thing that was named before, and what that is called.
struct Deed {
    std::string_view verb, noun;
};
constexpr Deed kDeeds[] = {
    {"store in ", "storage"},         {"stored in ", "storage"},      {"keep in ", "storage"},
    {"cache in ", "caching"},         {"sign with ", "signing"},      {"hash with ", "hashing"},
    {"encrypt with ", "encryption"},  {"deploy to ", "deployment"},   {"deploy on ", "deployment"},
    {"host on ", "hosting"},          {"log to ", "logging"},         {"test with ", "testing"},
    {"validate with ", "validation"}, {"format with ", "formatting"}, {"sort by ", "sorting"},
};
// The kind of thing that a name before it is.
constexpr std::string_view kCategories[] = {
    "algorithm", "approach", "backend", "database", "engine",   "format",  "framework",
    "language",  "library",  "method",  "package",  "protocol", "scheme",  "service",
    "standard",  "strategy", "system",  "tool",     "server",   "pattern",
};
struct UnitName {
    std::string_view word, mark;
};
constexpr UnitName kUnits[] = {{"hour", "h"},      {"hours", "h"},  {"minute", "min"},
                               {"minutes", "min"}, {"second", "s"}, {"seconds", "s"},
                               {"day", "d"},       {"days", "d"}};

std::string_view trim_phrase(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && (is_blank(text.back()) || text.back() == '.' || text.back() == ','))
        text.remove_suffix(1);
    return text;
}

bool begins_with(std::string_view text, std::string_view lower) {
    if (text.size() < lower.size()) return false;
    for (size_t i = 0; i < lower.size(); ++i)
        if (to_lower(text[i]) != lower[i]) return false;
    return true;
}

std::string_view skip_one(std::string_view text, std::span<const std::string_view> starts) {
    for (std::string_view start : starts)
        if (begins_with(text, start)) return trim_phrase(text.substr(start.size()));
    return text;
}

std::string_view last_word(std::string_view text) {
    const size_t at = text.rfind(' ');
    return at == text.npos ? text : text.substr(at + 1);
}

// `24 hours` as 24h; anything else as it is.
void append_value(std::string_view value, Buffer<char> &out) {
    const std::string_view number = first_word(value);
    const std::string_view rest = trim_phrase(value.substr(number.size()));
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
    for (const UnitName &unit : kUnits) {
        if (!digits || rest != unit.word) continue;
        out.append(number);
        out.append(unit.mark);
        return;
    }
    out.append(value);
}

// In lower case where it begins a word that is no name.
void append_uncapped(std::string_view text, Buffer<char> &out) {
    const bool name = is_name(first_word(text));
    for (size_t i = 0; i < text.size(); ++i) out.push(i || name ? text[i] : to_lower(text[i]));
}

struct Labelled {
    std::string_view label, value, note;
};
Labelled split_label(std::string_view text) {
    const size_t at = text.find(": ");
    if (at == text.npos || !at || at > kMaxLabel) return {};
    Labelled made = {trim_phrase(text.substr(0, at)), trim_phrase(text.substr(at + 2)), {}};
    const size_t open = made.value.rfind(" (");
    if (open != made.value.npos && made.value.back() == ')') {
        made.note = made.value.substr(open + 2, made.value.size() - open - 3);
        made.value = trim_phrase(made.value.substr(0, open));
    }
    return made;
}

bool is_category(std::string_view word) {
    return std::find(std::begin(kCategories), std::end(kCategories), word) != std::end(kCategories);
}

}  // namespace

Choice split_choice(std::string_view text) {
    size_t at = text.npos;
    std::string_view mark;
    for (std::string_view rejection : kRejections) {
        const size_t found = text.find(rejection);
        if (found >= at) continue;
        at = found;
        mark = rejection;
    }
    if (at == text.npos) return {trim_phrase(text), {}};
    return {trim_phrase(text.substr(0, at)), trim_phrase(text.substr(at + mark.size()))};
}

bool is_name(std::string_view word) {
    int letters = 0, capitals = 0, inner = 0, digits = 0;
    for (size_t i = 0; i < word.size(); ++i) {
        const char c = word[i];
        letters += is_alpha(static_cast<unsigned char>(c));
        capitals += c >= 'A' && c <= 'Z';
        digits += is_digit(static_cast<unsigned char>(c));
        inner += i && i + 1 < word.size() &&
                 ((c >= 'A' && c <= 'Z') || c == '-' || c == '/' || c == '_' || c == '.');
    }
    return letters && (digits || inner || (letters > 1 && capitals == letters));
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, std::min(text.find(' '), text.size()));
}

void append_phrase(std::string_view text, Buffer<char> &out) {
    const std::string_view said = trim_phrase(text);
    const Labelled labelled = split_label(said);
    if (!labelled.value.empty()) {
        append_value(labelled.value, out);
        out.push(' ');
        append_uncapped(labelled.label, out);
        if (labelled.note.empty()) return;
        out.append(" (");
        out.append(labelled.note);
        return out.push(')');
    }
    for (const Deed &deed : kDeeds) {
        if (!begins_with(said, deed.verb)) continue;
        out.append(skip_one(trim_phrase(said.substr(deed.verb.size())), kArticles));
        out.push(' ');
        return out.append(deed.noun);
    }
    const std::string_view chosen = skip_one(said, kChoosing);
    if (chosen.size() < said.size()) return out.append(skip_one(chosen, kArticles));
    append_uncapped(skip_one(said, kArticles), out);
}

void append_brief(std::string_view text, Buffer<char> &out) {
    const Labelled labelled = split_label(trim_phrase(text));
    if (!labelled.value.empty()) {
        append_value(labelled.value, out);
        out.push(' ');
        return append_uncapped(last_word(labelled.label), out);
    }
    const std::string_view chosen =
        skip_one(skip_one(split_choice(text).chosen, kChoosing), kArticles);
    const std::string_view name = first_word(chosen);
    const std::string_view rest = trim_phrase(chosen.substr(name.size()));
    const bool is_tail = std::count(rest.begin(), rest.end(), ' ') <= 1;
    if (is_name(name) && is_tail && is_category(last_word(rest))) return out.append(name);
    append_phrase(chosen, out);
}

bool has_label(std::string_view text) { return !split_label(trim_phrase(text)).value.empty(); }

std::string_view tag_of(std::string_view text) {
    const std::string_view chosen = skip_one(split_choice(text).chosen, kChoosing);
    std::string_view longest;
    for (size_t at = 0; at < chosen.size();) {
        const size_t end = std::min(chosen.find(' ', at), chosen.size());
        const std::string_view word = trim_phrase(chosen.substr(at, end - at));
        if (is_name(word)) return word;
        if (word.size() > longest.size()) longest = word;
        at = end + 1;
    }
    return longest;
}

}  // namespace accp::packet
