// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/sentence.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxClause = 220, kMinClause = 40;  // bytes
constexpr size_t kMinClausePercent = 30;             // an earlier cut leaves too little text
constexpr std::string_view kClauseEnds[] = {"; ",           ". ", " - ", " \xE2\x80\x94 ",
                                            "\xE2\x80\x94", ", ", ": ",  "\xEF\xBC\x8C",
                                            "\xEF\xBC\x9B"};

std::string_view trim_marks(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == ',' || text.back() == ';'))
        text.remove_suffix(1);
    return text;
}

// Removes the question around a proposal.
std::string_view without_lead(std::string_view text, std::span<const std::string_view> leads) {
    for (std::string_view lead : leads) {
        const size_t at = text::find_in_any_case(text, lead);
        if (at == text.npos) continue;
        text.remove_prefix(at + lead.size());
        if (!text.empty() && text.back() == '?') text.remove_suffix(1);
        return text;
    }
    return text;
}

constexpr size_t kMaxLabel = 40;  // bytes; anything longer is a sentence

constexpr std::string_view kRejections[] = {" over ", " instead of ",  " rather than ",
                                            ", not ", " in place of ", " in favor of "};
// Prefixes that only report that something was chosen, longer ones first.
constexpr std::string_view kChoicePrefixes[] = {
    "we will use ", "we should use ", "lets use ", "let's use ", "switch to ", "go with ",
    "we use ",      "use ",           "using ",    "choose ",    "adopt ",     "pick "};
constexpr std::string_view kArticles[] = {"the ", "a ", "an ", "our "};
// An action on something mentioned before, and the noun for it. Others are rather about the whole
// project (`deploy to`).
struct ActionNoun {
    std::string_view verb, noun;
    bool is_of_one_thing = false;
};
constexpr ActionNoun kActions[] = {
    {"store in ", "storage", true},
    {"stored in ", "storage", true},
    {"keep in ", "storage", true},
    {"cache in ", "caching", true},
    {"sign with ", "signing", true},
    {"hash with ", "hashing", true},
    {"encrypt with ", "encryption", true},
    {"deploy to ", "deployment"},
    {"deploy on ", "deployment"},
    {"host on ", "hosting"},
    {"log to ", "logging"},
    {"test with ", "testing"},
    {"validate with ", "validation"},
    {"format with ", "formatting"},
    {"sort by ", "sorting"},
};
// Nouns that only repeat the category of the name before them.
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

std::string_view skip_prefix(std::string_view text, std::span<const std::string_view> starts) {
    for (std::string_view start : starts)
        if (begins_with(text, start)) return trim_phrase(text.substr(start.size()));
    return text;
}

std::string_view last_word(std::string_view text) {
    const size_t at = text.rfind(' ');
    return at == text.npos ? text : text.substr(at + 1);
}

// Writes `24 hours` as 24h; any other value unchanged.
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

// Lowers the first letter, unless the first word is a name.
void append_lower_initial(std::string_view text, Buffer<char> &out) {
    const bool name = is_technical_name(first_word(text));
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

constexpr std::string_view kOutputMarks[] = {"Traceback (most recent",
                                             "::test_",
                                             "Error: ",
                                             "Exception: ",
                                             "error[",
                                             "warning: ",
                                             " at line ",
                                             "exit code "};
constexpr size_t kMinCodeMarks = 4, kCodeMarkPercent = 7;
// Logs and tables: many digits, or several columns.
constexpr size_t kManyDigits = 8, kDigitPercent = 30, kMinColumns = 2;
constexpr std::string_view kColumnMarks[] = {" | ", "\\n", " \xE2\x80\xA2 "};
// Returns whether a name with a line number begins at a colon: `src/a.cc:12`, `a.py:3:4`.
bool is_line_number(std::string_view text, size_t colon) {
    size_t end = colon + 1;
    while (end < text.size() && is_digit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == colon + 1 || colon < 3) return false;
    const size_t dot = text.rfind('.', colon);
    return dot != text.npos && dot + 6 >= colon && dot > 0 &&
           is_word(static_cast<unsigned char>(text[dot - 1])) &&
           text.substr(dot, colon - dot).find(' ') == text.npos;
}

constexpr size_t kMaxDetail = 4;        // words of a detail
constexpr size_t kMaxAmount = 3;        // words of a detail that begins with a number
constexpr int kMinDigitsOfSetting = 2;  // RS256 is a setting, OAuth2 is a thing
constexpr std::string_view kDoubts[] = {" or ",      " not ",    "no ",  "not ", "maybe ",
                                        " without ", " except ", " if ", "?"};

size_t count_blanks(std::string_view text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), ' '));
}

int count_digits(std::string_view text) {
    return static_cast<int>(std::count_if(
        text.begin(), text.end(), [](char c) { return is_digit(static_cast<unsigned char>(c)); }));
}

bool has_doubt(std::string_view text) {
    for (std::string_view doubt : kDoubts) {
        const bool is_anywhere = doubt.front() == ' ' || doubt == "?";
        if (is_anywhere ? text::find_in_any_case(text, doubt) != text.npos
                        : begins_with(text, doubt))
            return true;
    }
    return false;
}

constexpr size_t kMinName = 4, kMaxName = 40;  // bytes of a rejected name

bool is_name_mark(char c) { return c == '`' || c == '*' || c == '"' || c == '_' || c == ' '; }

bool is_category(std::string_view word) {
    return std::find(std::begin(kCategories), std::end(kCategories), word) != std::end(kCategories);
}

}  // namespace

bool begins_with(std::string_view text, std::string_view lower) {
    if (text.size() < lower.size()) return false;
    for (size_t i = 0; i < lower.size(); ++i)
        if (to_lower(text[i]) != lower[i]) return false;
    return true;
}

size_t find_clause_end(std::string_view sentence) {
    constexpr std::string_view kCuts[] = {"; ",      ", and ",       ", but ",      ", so ",
                                          ", also ", " also ",       ", because ",  ", then ",
                                          " and ",   "\xEF\xBC\x9B", "\xEF\xBC\x8C"};
    if (sentence.size() <= kMaxClause) return sentence.size();
    for (std::string_view cut : kCuts) {
        const size_t at = sentence.rfind(cut, kMaxClause);
        if (at != sentence.npos && at >= kMinClause && sentence.size() - at >= kMinClause)
            return at + (cut.front() == ' ' ? 0 : cut.find(' ') == cut.npos ? cut.size() : 1);
    }
    return sentence.size();
}

uint32_t skip_to_clause(std::string_view text, uint32_t at) {
    return static_cast<uint32_t>(std::min(text.find_first_not_of(", \t\r\n", at), text.size()));
}

std::string_view shorten(std::string_view sentence, size_t max_bytes) {
    if (sentence.size() <= max_bytes) return sentence;
    const size_t min = max_bytes * kMinClausePercent / 100;
    size_t best = 0;
    for (std::string_view end : kClauseEnds) {
        const size_t at = sentence.rfind(end, max_bytes - end.size());
        if (at != sentence.npos && at > best) best = at;
    }
    if (best < min) best = sentence.rfind(' ', max_bytes);
    if (best == sentence.npos || best < min) {
        best = max_bytes;
        while (best && (sentence[best] & 0xC0) == 0x80) --best;
    }
    return trim_marks(sentence.substr(0, best));
}

Statement split_reason(std::string_view sentence, std::span<const std::string_view> reasons) {
    size_t at = sentence.npos;
    std::string_view mark;
    for (std::string_view reason : reasons) {
        const size_t found = sentence.find(reason);
        if (found == sentence.npos || found < 8 || found >= at) continue;
        at = found;
        mark = reason;
    }
    if (at != sentence.npos) {
        const std::string_view why = sentence.substr(at + mark.size());
        if (why.size() >= 8) return {trim_marks(sentence.substr(0, at)), why, {}};
    }
    std::string_view text = sentence;
    if (!text.empty() && text.back() == '.') text.remove_suffix(1);
    const size_t open = text.rfind(" (");
    if (open != text.npos && open >= 8 && !text.empty() && text.back() == ')' &&
        text.size() - open > 10)
        return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3), {}};
    return {sentence, {}, {}};
}

Statement make_statement(const Finding &found, size_t max_bytes) {
    if (found.kind == SentenceKind::kConstraint || found.kind == SentenceKind::kQuestion)
        return {shorten(found.text, max_bytes), {}, {}};
    std::string_view text = found.text;
    if (found.is_proposal) text = without_lead(text, found.language->leads);
    text = shorten(text, max_bytes);
    if (found.reason.empty()) return split_reason(text, found.language->reasons);
    while (!text.empty() && (text.back() == '.' || text.back() == ':')) text.remove_suffix(1);
    return {text, shorten(found.reason, max_bytes), shorten(found.cause, max_bytes)};
}

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

bool is_program_output(std::string_view text) {
    if (text.starts_with("{\"") || text.starts_with("[{")) return true;
    size_t marks = 0, letters = 0, digits = 0, columns = 0;
    for (std::string_view mark : kColumnMarks)
        for (size_t at = 0; (at = text.find(mark, at)) != text.npos; at += mark.size()) ++columns;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '`') quoted = !quoted;
        if (quoted || c == ' ') continue;
        ++letters;
        digits += is_digit(static_cast<unsigned char>(c));
        marks += std::string_view("{}[]<>=|;$^~\\").find(c) != std::string_view::npos;
        if (c == ':' && is_line_number(text, i)) return true;
    }
    if (marks >= kMinCodeMarks && marks * 100 >= letters * kCodeMarkPercent) return true;
    if (digits >= kManyDigits && digits * 100 >= letters * kDigitPercent) return true;
    if (columns >= kMinColumns) return true;
    for (std::string_view mark : kOutputMarks) {
        const size_t at = text.find(mark);
        // `TypeError: x`, not `Error: x` of a person
        if (at != text.npos && (mark[0] == ' ' || mark[0] == 'T' || mark[0] == ':' ||
                                (at && is_word(static_cast<unsigned char>(text[at - 1])))))
            return true;
    }
    return false;
}

bool has_technical_name(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        if (is_technical_name(trim_phrase(text.substr(at, end - at)))) return true;
        at = end + 1;
    }
    return false;
}

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
        return name.size() < kMinName || name.size() > kMaxName ? std::string_view() : name;
    }
    return {};
}

bool is_technical_name(std::string_view word) {
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
    const std::string_view phrase = trim_phrase(text);
    const Labelled labelled = split_label(phrase);
    if (!labelled.value.empty()) {
        append_value(labelled.value, out);
        out.push(' ');
        append_lower_initial(labelled.label, out);
        if (labelled.note.empty()) return;
        out.append(" (");
        out.append(labelled.note);
        return out.push(')');
    }
    for (const ActionNoun &deed : kActions) {
        if (!begins_with(phrase, deed.verb)) continue;
        out.append(skip_prefix(trim_phrase(phrase.substr(deed.verb.size())), kArticles));
        out.push(' ');
        return out.append(deed.noun);
    }
    const std::string_view chosen = skip_prefix(phrase, kChoicePrefixes);
    if (chosen.size() < phrase.size()) return out.append(skip_prefix(chosen, kArticles));
    append_lower_initial(skip_prefix(phrase, kArticles), out);
}

void append_brief(std::string_view text, Buffer<char> &out) {
    const Labelled labelled = split_label(trim_phrase(text));
    if (!labelled.value.empty()) {
        append_value(labelled.value, out);
        out.push(' ');
        return append_lower_initial(last_word(labelled.label), out);
    }
    const std::string_view chosen =
        skip_prefix(skip_prefix(split_choice(text).chosen, kChoicePrefixes), kArticles);
    const std::string_view name = first_word(chosen);
    const std::string_view rest = trim_phrase(chosen.substr(name.size()));
    const bool is_tail = std::count(rest.begin(), rest.end(), ' ') <= 1;
    if (is_technical_name(name) && is_tail && is_category(last_word(rest))) return out.append(name);
    append_phrase(chosen, out);
}

bool names_one_thing(std::string_view text) {
    const std::string_view chosen = split_choice(text).chosen;
    const std::string_view name = skip_prefix(skip_prefix(chosen, kChoicePrefixes), kArticles);
    if (name.empty() || name.find(' ') != name.npos || is_detail(text) || has_doubt(text))
        return false;
    const bool has_capital = name.front() >= 'A' && name.front() <= 'Z';
    return is_technical_name(name) || (has_capital && name.size() < chosen.size());
}

bool is_detail(std::string_view text) {
    const std::string_view phrase = trim_phrase(text);
    if (phrase.empty() || has_doubt(phrase) || !split_choice(phrase).rejected.empty()) return false;
    const Labelled labelled = split_label(phrase);
    if (!labelled.value.empty())
        return count_digits(labelled.value) && count_blanks(labelled.label) < kMaxDetail / 2 &&
               count_blanks(labelled.value) < kMaxAmount;
    if (is_digit(static_cast<unsigned char>(phrase.front())))
        return count_blanks(phrase) < kMaxAmount;
    for (const ActionNoun &action : kActions)
        if (begins_with(phrase, action.verb))
            return action.is_of_one_thing &&
                   count_blanks(phrase.substr(action.verb.size())) < kMaxDetail;
    const std::string_view setting = skip_prefix(phrase, kChoicePrefixes);
    const std::string_view name = first_word(setting);
    return is_technical_name(name) && count_digits(name) >= kMinDigitsOfSetting &&
           name.find('/') == name.npos && count_blanks(setting) < kMaxAmount &&
           (name.size() == setting.size() || is_category(last_word(setting)));
}

bool has_label(std::string_view text) { return !split_label(trim_phrase(text)).value.empty(); }

std::string_view keyword_of(std::string_view text) {
    const std::string_view chosen = skip_prefix(split_choice(text).chosen, kChoicePrefixes);
    std::string_view longest;
    for (size_t at = 0; at < chosen.size();) {
        const size_t end = std::min(chosen.find(' ', at), chosen.size());
        const std::string_view word = trim_phrase(chosen.substr(at, end - at));
        if (is_technical_name(word)) return word;
        if (word.size() > longest.size()) longest = word;
        at = end + 1;
    }
    return longest;
}

}  // namespace accp::packet
