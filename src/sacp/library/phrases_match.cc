// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Matches a prompt against the patterns, and writes the message of the phrase that matched.
//
// The number of ways in which the remaining words match the remaining tokens is computed from the
// end, once for each pair of positions. So a pattern takes at most tokens times words times
// kMaxSlotWords steps. Counts stop at two: the prompt is then ambiguous.
#include "base/bytes.h"
#include "sacp/library/phrases.h"
#include "value/json_writer.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

// Limits for a person's request.
constexpr uint32_t kMaxPromptBytes = 4096, kMaxPromptWords = 256;
constexpr std::string_view kBlanks = " \t\r\n", kMarks = ".,;:!?()'\"";

std::string_view strip(std::string_view word) {
    const size_t begin = word.find_first_not_of(kMarks);
    if (begin == word.npos) return {};
    return word.substr(begin, word.find_last_not_of(kMarks) - begin + 1);
}

constexpr std::string_view kDollars[] = {"USD", "CAD", "AUD", "NZD", "SGD", "HKD"};

bool is_sign(std::string_view text) { return text == "€" || text == "£" || text == "$"; }
bool is_currency_code(std::string_view text) {
    bool code = text.size() == 3;
    for (char c : text) code &= (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    return code;
}

// Splits a prompt at blanks and replaces `out`. The words are views into the prompt.
void split_prompt(std::string_view prompt, Buffer<PromptWord> &out) {
    out.clear();
    while (!prompt.empty()) {
        if (prompt.front() == '"' && prompt.find('"', 1) != prompt.npos) {
            const size_t end = prompt.find('"', 1);
            if (end > 1) out.push({prompt.substr(1, end - 1), true});
            prompt.remove_prefix(end + 1);
            continue;
        }
        const size_t end = prompt.find_first_of(kBlanks);
        const std::string_view word = strip(prompt.substr(0, end));
        if (!word.empty()) out.push({word, false});
        prompt.remove_prefix(end == prompt.npos ? prompt.size() : end + 1);
    }
}

// Compares words without regard to the case of ASCII letters.
bool is_same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (to_lower(a[i]) != to_lower(b[i])) return false;
    return true;
}

bool is_amount(std::string_view text) {
    const value::NumberToken token = value::scan_number(text.data(), text.data() + text.size());
    return token.len && token.len == text.size() && token.kind != ACCP_NUMBER;
}

// A number or an amount of money. The currency is a symbol, a code of three letters, or empty.
struct Money {
    std::string_view amount, currency;
};

// €150, 150€, $150, 150; EUR 150, 150 EUR
bool read_money(std::string_view first, std::string_view second, Money &out) {
    if (!second.empty()) {
        const bool before = is_sign(first) || is_currency_code(first);
        out = before ? Money{second, first} : Money{first, second};
        return is_amount(out.amount) && (is_sign(out.currency) || is_currency_code(out.currency));
    }
    out = {first, {}};
    for (std::string_view sign : {"€", "£", "$"}) {
        if (first.starts_with(sign)) out = {first.substr(sign.size()), sign};
        else if (first.ends_with(sign)) out = {first.substr(0, first.size() - sign.size()), sign};
    }
    return is_amount(out.amount);
}

// Returns whether a symbol or code means this currency. "$" matches every dollar.
bool is_currency(std::string_view symbol, std::string_view code) {
    if (symbol == "€") return code == "EUR";
    if (symbol == "£") return code == "GBP";
    if (symbol != "$") return is_same_word(symbol, code);
    for (std::string_view dollar : kDollars)
        if (dollar == code) return true;
    return false;
}

}  // namespace

// Words of the phrase are not allowed in text slots, unless quoted. Otherwise "in Paris under 100"
// could be a place.
void Phrases::find_reserved(const Phrase &phrase) {
    reserved_.clear();
    for (const PromptWord &word : words_) {
        bool reserved = word.quoted;
        for (uint32_t i = phrase.first_token; i < phrase.end_token; ++i)
            reserved |=
                tokens_[i].kind == TokenKind::kWord && is_same_word(tokens_[i].word, word.text);
        reserved_.push(reserved);
    }
}

bool Phrases::accepts_text(uint32_t word, uint32_t count) const {
    if (count == 1 && words_[word].quoted) return true;
    for (uint32_t i = word; i < word + count; ++i)
        if (reserved_[i]) return false;
    return true;
}

bool Phrases::accepts_money(const Slot &slot, uint32_t word, uint32_t count) const {
    Money money = {};
    const std::string_view second = count == 2 ? words_[word + 1].text : std::string_view();
    if (count > 2 || !read_money(words_[word].text, second, money)) return false;
    const std::string_view code = tree_.string(tree_.find(slot.node, "currency"));
    return money.currency.empty() || is_currency(money.currency, code);
}

// Returns the longest option of the slot that starts at `word` and ends before `end`, or 0.
uint32_t Phrases::option_at(const Slot &slot, uint32_t word, uint32_t end, uint32_t &count) const {
    const uint32_t of = tree_.find(slot.node, "of");
    uint32_t result = 0;
    count = 0;
    for (uint32_t i = of + 1; i < tree_[of].next; i = tree_[i].next) {
        std::string_view rest = tree_.string(i);
        uint32_t at = word;
        while (!rest.empty() && at < end) {
            const std::string_view one = rest.substr(0, rest.find(' '));
            if (!is_same_word(one, words_[at].text)) break;
            rest.remove_prefix(one.size() < rest.size() ? one.size() + 1 : one.size());
            ++at;
        }
        if (rest.empty() && at - word > count) {
            count = at - word;
            result = i;
        }
    }
    return result;
}

bool Phrases::accepts_some(const Slot &slot, uint32_t word, uint32_t count) const {
    const uint32_t end = word + count;
    for (uint32_t at = word; at < end;) {
        uint32_t taken = 0;
        if (!option_at(slot, at, end, taken)) return false;
        at += taken;
        if (at + 1 < end && is_same_word(words_[at].text, "and")) ++at;
    }
    return true;
}

bool Phrases::slot_accepts(const Slot &slot, uint32_t word, uint32_t count) const {
    uint32_t taken = 0;
    switch (slot.type) {
        case Type::kText: return accepts_text(word, count);
        case Type::kNumber: return count == 1 && is_amount(words_[word].text);
        case Type::kMoney: return accepts_money(slot, word, count);
        case Type::kDate:
            return count == 1 &&
                   words_[word].text.find_first_of("0123456789") != std::string_view::npos;
        case Type::kOneOf: return option_at(slot, word, word + count, taken) && taken == count;
        case Type::kSomeOf: return accepts_some(slot, word, count);
    }
    return false;
}

uint32_t Phrases::count_ways(const Pattern &pattern) {
    const auto words = static_cast<uint32_t>(words_.size());
    const size_t row = words + 1, rows = pattern.end - pattern.begin + 1;
    ways_.clear();
    std::memset(ways_.reserve(rows * row), 0, rows * row);
    ways_.advance(rows * row);
    ways_[(rows - 1) * row + words] = 1;
    for (uint32_t t = pattern.end; t-- > pattern.begin;)
        for (uint32_t w = 0; w <= words; ++w) {
            const Token &token = tokens_[t];
            uint32_t ways = 0;
            if (token.kind == TokenKind::kWord) {
                if (w < words && !words_[w].quoted && is_same_word(token.word, words_[w].text))
                    ways = ways_at(pattern, t + 1, w + 1);
            } else if (token.kind == TokenKind::kSlot) {
                for (uint32_t n = 1; n <= kMaxSlotWords && w + n <= words; ++n)
                    if (ways_at(pattern, t + 1, w + n) && slot_accepts(slots_[token.slot], w, n))
                        ways += ways_at(pattern, t + 1, w + n);
            } else {
                ways = ways_at(pattern, t + 1, w);
                if (token.kind == TokenKind::kOpen) ways += ways_at(pattern, token.end + 1, w);
            }
            ways_[(t - pattern.begin) * row + w] = static_cast<uint8_t>(ways > 2 ? 2 : ways);
        }
    return ways_[0];
}

// Assigns words to slots in one of the ways: the first, with the shortest slots and optional parts
// present, or the last.
void Phrases::assign_slots(const Pattern &pattern, bool last, Buffer<SlotMatch> &out) const {
    const Phrase &phrase = phrases_[pattern.phrase];
    out.clear();
    for (uint32_t i = phrase.first_slot; i < phrase.end_slot; ++i) out.push({});
    uint32_t w = 0;
    for (uint32_t t = pattern.begin; t < pattern.end;) {
        const Token &token = tokens_[t];
        if (token.kind == TokenKind::kWord) ++w;
        if (token.kind == TokenKind::kOpen) {
            const bool in = ways_at(pattern, t + 1, w), past = ways_at(pattern, token.end + 1, w);
            if (past && (!in || last)) t = token.end;
        }
        if (token.kind == TokenKind::kSlot) {
            uint32_t count = 0;
            for (uint32_t n = 1; n <= kMaxSlotWords && w + n <= words_.size(); ++n)
                if (ways_at(pattern, t + 1, w + n) && slot_accepts(slots_[token.slot], w, n) &&
                    (!count || last))
                    count = n;
            out[token.slot - phrase.first_slot] = {w, count};
            w += count;
        }
        ++t;
    }
}

void Phrases::request_goal(uint32_t phrase) {
    const uint32_t goal = tree_.find(phrases_[phrase].message, "g");
    scratch_.assign("goal");
    if (goal && tree_[goal].kind == ACCP_STRING) {
        scratch_.push('.');
        scratch_.append(tree_.string(goal));
    }
    verdict_->need(scratch_.view());
}

// Returns false if the prompt is now ambiguous.
bool Phrases::accept_match(const Pattern &pattern, uint32_t ways, Buffer<char> &message) {
    const Phrase &phrase = phrases_[pattern.phrase];
    assign_slots(pattern, false, slot_matches_);
    if (ways > 1) {
        assign_slots(pattern, true, alternative_);
        bool same = true;
        for (uint32_t i = phrase.first_slot; i < phrase.end_slot; ++i) {
            if (slot_matches_[i - phrase.first_slot] == alternative_[i - phrase.first_slot])
                continue;
            same = false;
            scratch_.assign("ctx.");
            scratch_.append(tree_.key(slots_[i].node));
            verdict_->need(scratch_.view());
        }
        if (same) verdict_->need("prompt");
        return false;
    }
    phrase_ = &phrase;
    scratch_.clear();
    write_node(phrase.message, true, scratch_);
    if (matched_phrase_ == kNone) {
        matched_phrase_ = pattern.phrase;
        message.append(scratch_);
        for (uint32_t i = phrase.first_slot; i < phrase.end_slot; ++i)
            if (!slot_matches_[i - phrase.first_slot].count && !slots_[i].optional &&
                !slots_[i].default_node)
                missing_slots_.push(i);  // needed if nothing else matches
        return true;
    }
    if (scratch_.view() == message.view()) return true;
    request_goal(matched_phrase_);
    request_goal(pattern.phrase);
    return false;
}

Phrases::Result Phrases::match(std::string_view prompt, Buffer<char> &message, Verdict &verdict) {
    verdict_ = &verdict;
    matched_phrase_ = kNone;
    split_prompt(prompt, words_);
    if (prompt.size() > kMaxPromptBytes || words_.size() > kMaxPromptWords) {
        verdict.refuse(Code::kLIMIT, "a prompt has at most 4096 bytes and 256 words");
        return Result::kAmbiguous;
    }
    size_t kept = 0;
    for (const PromptWord &word : words_) {
        bool ignored = false;
        for (std::string_view one : ignored_)
            ignored |= !word.quoted && is_same_word(one, word.text);
        if (!ignored) words_[kept++] = word;
    }
    words_.resize_down(kept);
    const size_t begin = message.size();
    missing_slots_.clear();
    uint32_t of = kNone;  // the phrase that reserved_ is for
    for (const Pattern &pattern : patterns_) {
        if (pattern.phrase != of) find_reserved(phrases_[of = pattern.phrase]);
        const uint32_t ways = words_.empty() ? 0 : count_ways(pattern);
        if (!ways || accept_match(pattern, ways, message)) continue;
        message.resize_down(begin);
        return Result::kAmbiguous;
    }
    if (matched_phrase_ == kNone) return Result::kNoMatch;
    const Phrase &phrase = phrases_[matched_phrase_];
    for (const uint32_t slot : missing_slots_) {
        if (slot < phrase.first_slot || slot >= phrase.end_slot) continue;
        scratch_.assign("ctx.");
        scratch_.append(tree_.key(slots_[slot].node));
        verdict.need(scratch_.view());
    }
    return Result::kMatch;
}

uint32_t Phrases::slot_of(uint32_t node) const {
    if (tree_[node].kind != ACCP_STRING || tree_[node].len < 3) return kNone;
    const std::string_view text = tree_.string(node);
    return text.front() == '{' && text.back() == '}'
               ? find_slot(*phrase_, text.substr(1, text.size() - 2))
               : kNone;
}

bool Phrases::is_omitted(uint32_t node) const {
    const uint32_t slot = slot_of(node);
    return slot != kNone && !slot_matches_[slot - phrase_->first_slot].count &&
           !slots_[slot].default_node;
}

// `is_data`: the node is in the message's own ctx or outside the plan, so it has no references.
void Phrases::write_node(uint32_t node, bool is_data, Buffer<char> &out) const {
    const uint32_t slot = slot_of(node);
    if (slot != kNone) return write_slot(slot, is_data, out);
    if (!value::is_container(tree_[node].kind)) return value::write_json(tree_, node, out);
    const bool map = tree_[node].kind == ACCP_MAP;
    bool first = true;
    out.push(map ? '{' : '[');
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
        if (is_omitted(i)) continue;
        if (!first) out.push(',');
        first = false;
        if (map) {
            value::write_json_string(tree_.key(i), out);
            out.push(':');
        }
        const bool own = node == phrase_->message;
        write_node(i, own ? tree_.key(i) != "plan" && tree_.key(i) != "subtask" : is_data, out);
    }
    out.push(map ? '}' : ']');
}

std::string_view Phrases::text_of(const SlotMatch &taken) const {
    const PromptWord &first = words_[taken.word], &last = words_[taken.word + taken.count - 1];
    const auto size = static_cast<size_t>(last.text.data() + last.text.size() - first.text.data());
    return {first.text.data(), size};
}

std::string_view Phrases::amount_of(const SlotMatch &taken) const {
    Money money = {};
    read_money(words_[taken.word].text,
               taken.count == 2 ? words_[taken.word + 1].text : std::string_view(), money);
    return money.amount;
}

void Phrases::write_some(const Slot &slot, const SlotMatch &taken, Buffer<char> &out) const {
    const uint32_t end = taken.word + taken.count;
    char before = '[';
    for (uint32_t at = taken.word; at < end;) {
        uint32_t count = 0;
        const uint32_t option = option_at(slot, at, end, count);
        if (!count) {
            ++at;  // the word "and"
            continue;
        }
        out.push(before);
        before = ',';
        value::write_json(tree_, option, out);
        at += count;
    }
    out.push(']');
}

// A person's text is never a reference: in places that allow references a leading $ is doubled.
void Phrases::write_slot(uint32_t number, bool is_data, Buffer<char> &out) const {
    const Slot &slot = slots_[number];
    const SlotMatch &taken = slot_matches_[number - phrase_->first_slot];
    uint32_t count = 0;
    if (!taken.count) return value::write_json(tree_, slot.default_node, out);
    switch (slot.type) {
        case Type::kNumber: return out.append(words_[taken.word].text);
        case Type::kMoney: return out.append(amount_of(taken));
        case Type::kOneOf:
            return value::write_json(
                tree_, option_at(slot, taken.word, taken.word + taken.count, count), out);
        case Type::kSomeOf: return write_some(slot, taken, out);
        default: break;
    }
    const std::string_view text = text_of(taken);
    const size_t quote = out.size();
    value::write_json_string(text, out);
    if (is_data || !text.starts_with('$')) return;
    out.resize_down(quote);
    out.append("\"$");
    const size_t second = out.size();
    value::write_json_string(text, out);
    std::memmove(out.data() + second, out.data() + second + 1, out.size() - second - 1);
    out.resize_down(out.size() - 1);
}

}  // namespace accp::sacp
