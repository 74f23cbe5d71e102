// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/canonical.h"

namespace proxy {

namespace {

// A result has blocks in its content; nothing known has more levels of blocks.
constexpr int kMaxBlockDepth = 2;

bool is_text_type(std::string_view type) {
    return type == "text" || type == "input_text" || type == "output_text";
}

}  // namespace

void CanonicalText::add_number(uint64_t n) {
    for (; n >= 0x80; n >>= 7) out_.push_back(static_cast<char>(n | 0x80));
    out_.push_back(static_cast<char>(n));
}

void CanonicalText::add_sized(char tag, std::string_view text) {
    out_.push_back(tag);
    add_number(text.size());
    out_.append(text);
}

void CanonicalText::add_value(uint32_t node) {
    for (uint32_t i = node; i < tree_[node].next; ++i) {
        // The key of the first node is its place in its parent, which the caller has added.
        add_sized(static_cast<char>(tree_[i].kind), i == node ? "" : tree_.key(i));
        if (accp::value::is_container(tree_[i].kind)) add_number(tree_[i].len);
        else if (tree_[i].kind == ACCP_BOOL) add_number(tree_[i].flags & ACCP_NODE_TRUE);
        else add_sized('=', tree_.string(i));
    }
}

// Adds the block and returns true if it is a text block with nothing else except a cache mark.
bool CanonicalText::add_plain_text_block(uint32_t block) {
    uint32_t text = 0, mark = 0;
    for (uint32_t i = block + 1; i < tree_[block].next; i = tree_[i].next) {
        const std::string_view key = tree_.key(i);
        if (key == "cache_control") mark = i;
        else if (key == "text" && tree_[i].kind == ACCP_STRING) text = i;
        else if (key != "type" || !is_text_type(tree_.string(i))) return false;
    }
    if (!text) return false;
    if (mark) mark_ = mark;
    add_text_block(tree_.string(text));
    return true;
}

void CanonicalText::add_block(uint32_t block, int depth) {
    if (tree_[block].kind != ACCP_MAP) return add_value(block);
    if (add_plain_text_block(block)) return;
    out_.push_back('{');
    for (uint32_t i = block + 1; i < tree_[block].next; i = tree_[i].next) {
        const std::string_view key = tree_.key(i);
        if (key == "cache_control") {
            mark_ = i;
            continue;
        }
        add_sized('k', key);
        if (key == "content" || key == "output") add_content(i, depth + 1);
        else add_value(i);
    }
    out_.push_back('}');
}

void CanonicalText::add_content(uint32_t content, int depth) {
    const uint8_t kind = tree_[content].kind;
    if (kind != ACCP_STRING && (kind != ACCP_ARRAY || depth > kMaxBlockDepth))
        return add_value(content);
    out_.push_back('[');
    if (kind == ACCP_STRING) {
        add_text_block(tree_.string(content));
    } else {
        for (uint32_t i = content + 1; i < tree_[content].next; i = tree_[i].next)
            add_block(i, depth);
    }
    out_.push_back(']');
}

}  // namespace proxy
