// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads the document of phrases.
#include "sacp/library/phrases.h"

namespace accp::sacp {

namespace {

constexpr std::string_view kSlotTypes[] = {"text", "number", "money", "date", "one_of", "some_of"};

// Returns whether a name is in a list that is separated by blanks.
bool is_listed(std::string_view name, std::string_view list) {
    while (!list.empty()) {
        const std::string_view one = list.substr(0, list.find(' '));
        if (one == name) return true;
        list.remove_prefix(one.size() < list.size() ? one.size() + 1 : one.size());
    }
    return false;
}

bool is_slot_name(std::string_view text) {
    return text.size() > 2 && text.front() == '{' && text.back() == '}';
}

}  // namespace

Phrases::Phrases(Memory &memory)
    : reader_(memory),
      document_(memory),
      slots_(memory),
      tokens_(memory),
      patterns_(memory),
      phrases_(memory),
      ignored_(memory),
      words_(memory),
      ways_(memory),
      reserved_(memory),
      slot_matches_(memory),
      alternative_(memory),
      missing_slots_(memory),
      scratch_(memory) {}

bool Phrases::check_members(uint32_t node, std::string_view allowed) {
    if (tree_[node].kind != ACCP_MAP)
        return refuse(Code::kINVALID_TYPE, "a phrase, a slot and a message must be objects", node);
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next)
        if (!is_listed(tree_.key(i), allowed))
            return refuse(Code::kMALFORMED_MESSAGE, "an unknown member", i);
    return true;
}

bool Phrases::read(std::string_view document, uint64_t max_bytes, Verdict &verdict) {
    verdict_ = &verdict;
    verdict.clear();
    if (!read_json(reader_, document, max_bytes, document_, verdict)) return false;
    tree_ = document_.view();
    if (!check_members(0, "phrases ignore")) return false;
    const uint32_t phrases = tree_.find(0, "phrases"), ignored = tree_.find(0, "ignore");
    if (!phrases) return refuse(Code::kMISSING_FIELD, "the document has no phrases", 0);
    if (tree_[phrases].kind != ACCP_ARRAY || (ignored && tree_[ignored].kind != ACCP_ARRAY))
        return refuse(Code::kINVALID_TYPE, "phrases and ignore must be arrays", phrases);
    for (uint32_t i = ignored + 1; ignored && i < tree_[ignored].next; i = tree_[i].next) {
        if (tree_[i].kind != ACCP_STRING)
            return refuse(Code::kINVALID_TYPE, "ignore must have strings", i);
        ignored_.push(tree_.string(i));
    }
    for (uint32_t i = phrases + 1; i < tree_[phrases].next; i = tree_[i].next)
        if (!read_phrase(i)) return false;
    return true;
}

bool Phrases::read_phrase(uint32_t node) {
    if (!check_members(node, "say slots message")) return false;
    const uint32_t say = tree_.find(node, "say"), slots = tree_.find(node, "slots"),
                   message = tree_.find(node, "message");
    if (!say || !message)
        return refuse(Code::kMISSING_FIELD, "a phrase must have say and message", node);
    if (tree_[say].kind != ACCP_ARRAY || tree_[message].kind != ACCP_MAP ||
        (slots && tree_[slots].kind != ACCP_MAP))
        return refuse(Code::kINVALID_TYPE,
                      "say must be an array, slots and message must be objects", node);
    Phrase phrase = {};
    phrase.message = message;
    phrase.first_slot = static_cast<uint32_t>(slots_.size());
    phrase.first_token = static_cast<uint32_t>(tokens_.size());
    if (slots && !read_slots(slots)) return false;
    phrase.end_slot = static_cast<uint32_t>(slots_.size());
    phrases_.push(phrase);
    if (!read_patterns(say)) return false;
    phrases_[phrases_.size() - 1].end_token = static_cast<uint32_t>(tokens_.size());
    return check_slots_of(message);
}

bool Phrases::read_slots(uint32_t slots) {
    for (uint32_t i = slots + 1; i < tree_[slots].next; i = tree_[i].next)
        if (!read_slot(i)) return false;
    return true;
}

bool Phrases::read_slot(uint32_t node) {
    if (!check_members(node, "type of currency optional default")) return false;
    const uint32_t type = tree_.find(node, "type"), of = tree_.find(node, "of"),
                   optional = tree_.find(node, "optional"), code = tree_.find(node, "currency");
    Slot slot = {node, Type::kText, false, tree_.find(node, "default")};
    uint32_t number = 0;
    const std::string_view name =
        type && tree_[type].kind == ACCP_STRING ? tree_.string(type) : std::string_view("");
    while (number < sizeof kSlotTypes / sizeof *kSlotTypes && kSlotTypes[number] != name) ++number;
    if (number == sizeof kSlotTypes / sizeof *kSlotTypes)
        return refuse(Code::kINVALID_TYPE,
                      "unknown type of a slot: use text, number, money, date, one_of or some_of",
                      node);
    slot.type = static_cast<Type>(number);
    if (optional && tree_[optional].kind != ACCP_BOOL)
        return refuse(Code::kINVALID_TYPE, "optional must be true or false", optional);
    slot.optional = optional && tree_[optional].flags & ACCP_NODE_TRUE;
    if (slot.type == Type::kMoney && (!code || tree_[code].kind != ACCP_STRING))
        return refuse(Code::kMISSING_FIELD, "money must have a currency such as EUR", node);
    const bool lists = slot.type == Type::kOneOf || slot.type == Type::kSomeOf;
    if (lists && (!of || tree_[of].kind != ACCP_ARRAY || !tree_[of].len))
        return refuse(Code::kMISSING_FIELD, "one_of and some_of must have a list `of` with texts",
                      node);
    for (uint32_t i = of + 1; lists && i < tree_[of].next; i = tree_[i].next)
        if (tree_[i].kind != ACCP_STRING || !tree_[i].len)
            return refuse(Code::kINVALID_TYPE, "the list `of` must have texts that are not empty",
                          i);
    slots_.push(slot);
    return true;
}

uint32_t Phrases::find_slot(const Phrase &phrase, std::string_view name) const {
    for (uint32_t i = phrase.first_slot; i < phrase.end_slot; ++i)
        if (tree_.key(slots_[i].node) == name) return i;
    return kNone;
}

bool Phrases::read_patterns(uint32_t say) {
    for (uint32_t i = say + 1; i < tree_[say].next; i = tree_[i].next)
        if (!read_pattern(i)) return false;
    return true;
}

// Reads words, {slots} and [optional parts], separated by blanks.
bool Phrases::read_pattern(uint32_t node) {
    if (tree_[node].kind != ACCP_STRING)
        return refuse(Code::kINVALID_TYPE, "say must have strings", node);
    const auto begin = static_cast<uint32_t>(tokens_.size());
    const std::string_view text = tree_.string(node);
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        size_t end = at + 1;
        if (c == '{') end = text.find('}', at) == text.npos ? text.size() : text.find('}', at) + 1;
        else if (c != ' ' && c != '[' && c != ']')
            end = text.find_first_of(" []{", at) == text.npos ? text.size()
                                                              : text.find_first_of(" []{", at);
        if (c != ' ' && !add_token(text.substr(at, end - at), node, begin)) return false;
        at = end;
    }
    const auto end = static_cast<uint32_t>(tokens_.size());
    for (uint32_t i = begin; i < end; ++i)
        if (tokens_[i].kind == TokenKind::kOpen && !tokens_[i].end)
            return refuse(Code::kMALFORMED_MESSAGE, "a [ has no ]", node);
    if (end > kMaxTokens)
        return refuse(Code::kLIMIT, "the patterns have more than 16384 words", node);
    patterns_.push({static_cast<uint32_t>(phrases_.size()) - 1, begin, end});
    return end > begin || refuse(Code::kMALFORMED_MESSAGE, "a pattern has no words", node);
}

bool Phrases::add_token(std::string_view text, uint32_t node, uint32_t begin) {
    Token token = {TokenKind::kWord, 0, text, 0};
    const auto number = static_cast<uint32_t>(tokens_.size());
    if (text == "[") token.kind = TokenKind::kOpen;
    if (text == "]") {
        uint32_t open = number;
        while (open > begin &&
               !(tokens_[open - 1].kind == TokenKind::kOpen && !tokens_[open - 1].end))
            --open;
        if (open == begin) return refuse(Code::kMALFORMED_MESSAGE, "a ] has no [", node);
        tokens_[open - 1].end = number;
        token.kind = TokenKind::kClose;
    }
    if (text.front() == '{') {
        token.kind = TokenKind::kSlot;
        token.slot = is_slot_name(text)
                         ? find_slot(phrases_[phrases_.size() - 1], text.substr(1, text.size() - 2))
                         : kNone;
        if (token.slot == kNone)
            return refuse(Code::kMALFORMED_MESSAGE, "the slot is not in slots", node);
        for (uint32_t i = begin; i < number; ++i)
            if (tokens_[i].kind == TokenKind::kSlot && tokens_[i].slot == token.slot)
                return refuse(Code::kMALFORMED_MESSAGE, "a slot is used twice", node);
    }
    tokens_.push(token);
    return true;
}

// Checks that every "{name}" in a message is a slot of its phrase.
bool Phrases::check_slots_of(uint32_t node) {
    for (uint32_t i = node + 1; i < tree_[node].next; ++i) {
        if (tree_[i].kind != ACCP_STRING || !is_slot_name(tree_.string(i))) continue;
        const std::string_view name = tree_.string(i).substr(1, tree_[i].len - 2);
        if (find_slot(phrases_[phrases_.size() - 1], name) == kNone)
            return refuse(Code::kMALFORMED_MESSAGE, "the slot is not in slots", i);
    }
    return true;
}

}  // namespace accp::sacp
