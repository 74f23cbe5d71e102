// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Brackets are counted, so there is no recursion.
#include "transcript/items.h"

namespace accp::transcript {

namespace {

bool is_json_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

bool ends_scalar(char c) {
    return is_json_space(c) || c == ',' || c == ']' || c == '}' || c == '[' || c == '{' ||
           c == '"' || c == ':';
}

constexpr const char *kEndsEarly = "the JSON text ends too early";

}  // namespace

ItemScanner::ItemScanner(const Item &item, Within within)
    : text_(item.text), begin_(item.begin), within_(within) {
    if (within != Within::kText) at_ = 1;
}

bool ItemScanner::fault(size_t at, const char *message) {
    status_ = fail(ACCP_E1001, begin_ + at, message);
    return false;
}

void ItemScanner::pass_space() {
    while (at_ < text_.size() && is_json_space(text_[at_])) ++at_;
}

bool ItemScanner::pass_string() {
    for (++at_; at_ < text_.size(); ++at_) {
        if (text_[at_] == '"') {
            ++at_;
            return true;
        }
        if (text_[at_] == '\\') ++at_;
    }
    return fault(text_.size(), "a string without an end");
}

bool ItemScanner::pass_nested() {
    for (size_t depth = 0; at_ < text_.size();) {
        const char c = text_[at_];
        if (c == '"') {
            if (!pass_string()) return false;
            continue;
        }
        ++at_;
        if (c == '[' || c == '{') ++depth;
        if ((c == ']' || c == '}') && !--depth) return true;
    }
    return fault(text_.size(), kEndsEarly);
}

bool ItemScanner::pass_value() {
    if (at_ == text_.size()) return fault(at_, kEndsEarly);
    const char c = text_[at_];
    if (c == '"') return pass_string();
    if (c == '[' || c == '{') return pass_nested();
    const size_t begin = at_;
    while (at_ < text_.size() && !ends_scalar(text_[at_])) ++at_;
    return at_ > begin || fault(at_, "not a JSON value");
}

bool ItemScanner::pass_key(Item &out) {
    if (at_ == text_.size() || text_[at_] != '"') return fault(at_, "a key was expected");
    const size_t begin = at_ + 1;
    if (!pass_string()) return false;
    out.key = text_.substr(begin, at_ - 1 - begin);
    pass_space();
    if (at_ == text_.size() || text_[at_] != ':') return fault(at_, "a colon was expected");
    ++at_;
    pass_space();
    return true;
}

bool ItemScanner::pass_comma(bool &ended) {
    const char closing = within_ == Within::kArray ? ']' : '}';
    ended = at_ < text_.size() && text_[at_] == closing;
    if (ended || first_) return true;
    if (at_ == text_.size() || text_[at_] != ',')
        return fault(at_, "a comma or the closing bracket was expected");
    ++at_;
    pass_space();
    return true;
}

bool ItemScanner::next(Item &out) {
    out = {};
    pass_space();
    bool ended = at_ == text_.size();
    if (within_ == Within::kText && ended) return false;
    if (within_ != Within::kText && (!pass_comma(ended) || ended)) return false;
    first_ = false;
    if (within_ == Within::kObject && !pass_key(out)) return false;
    const size_t begin = at_;
    if (!pass_value()) return false;
    out.begin = begin_ + begin;
    out.text = text_.substr(begin, at_ - begin);
    return true;
}

}  // namespace accp::transcript
