// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The output for a node does not grow with its depth, because dots replace the rest of a long path.
#include "context/text_fields.h"

#include <algorithm>

#include "context/cut.h"
#include "context/untrusted_text.h"

namespace accp::context {

namespace {

// bytes; a text with spaces of at most this size is written among the other values
constexpr size_t kShortText = 40;
constexpr size_t kMaxParentBytes = 64;  // of the path before a field's own key
constexpr std::string_view kDots = "\xE2\x80\xA6.";

static_assert(kMaxParentBytes + kDots.size() + kMaxKeyText + 2 <= kMaxPathBytes);

}  // namespace

bool is_text(value::TreeView tree, uint32_t node) {
    if (tree[node].kind != ACCP_STRING) return false;
    std::string_view text = tree.string(node);
    if (text.size() > kShortText && text.find(' ') != text.npos) return true;
    return needs_escapes(text);
}

bool holds_text(value::TreeView tree, uint32_t node) {
    uint32_t end = value::is_container(tree[node].kind) ? tree[node].next : node + 1;
    for (uint32_t i = node; i < end; ++i)
        if (is_text(tree, i)) return true;
    return false;
}

bool TextFields::holds(uint32_t node) const {
    const uint32_t end = value::is_container(tree_[node].kind) ? tree_[node].next : node + 1;
    const uint32_t *text = std::lower_bound(texts_.begin(), texts_.end(), node);
    return text != texts_.end() && *text < end;
}

// Writes the members of a map that contain no text.
void TextFields::block(uint32_t map) {
    if (tree_[map].kind != ACCP_MAP) return;
    const Arena::Mark mark = arena_.mark();
    auto *nodes = arena_.allocate<uint32_t>(tree_[map].len + 1);
    uint32_t count = 0;
    for (uint32_t i = map + 1; i < tree_[map].next; i = tree_[i].next)
        if (!holds(i)) nodes[count++] = i;
    if (count) {
        if (path_.size()) {
            out_.push('\n');
            out_.append(path_.data(), path_.size() - 1);
        }
        out_.push(' ');
        render::RenderStyle style;
        style.one_line = true;
        text_.clear();
        writer_.block(tree_, nodes, count, style, text_);
        write_untrusted({text_.data(), text_.size()}, out_);
    }
    arena_.rewind(mark);
}

void TextFields::put_name(uint32_t node, Buffer<char> &to) const {
    if (tree_[node].key_len) write_untrusted_key(tree_.key(node), to);
    else to.push('-');
}

void TextFields::field(uint32_t node) {
    out_.push('\n');
    out_.append(path_);
    put_name(node, out_);
    out_.append(": ");
    if (tree_[node].kind == ACCP_STRING) return write_untrusted(tree_.string(node), out_);
    render::RenderStyle style;
    style.one_line = true;
    text_.clear();
    writer_.value(tree_, node, style, text_);
    write_untrusted({text_.data(), text_.size()}, out_);
}

void TextFields::enter(uint32_t container, size_t path) {
    block(container);
    levels_.push({tree_[container].next, path, tree_[container].kind == ACCP_ARRAY});
}

// Enters a container and extends the path.
void TextFields::step_into(uint32_t node) {
    const size_t path = path_.size();
    const bool dotted =
        path >= kDots.size() && std::string_view(path_.end() - kDots.size(), kDots.size()) == kDots;
    if (!dotted) {
        put_name(node, path_);
        path_.push('.');
        if (path_.size() > kMaxParentBytes) {
            path_.resize_down(path);
            path_.append(kDots);
        }
    }
    enter(node, path);
}

void TextFields::write(uint32_t root) {
    const size_t start = out_.size();
    for (uint32_t i = root; i < tree_[root].next; ++i)
        if (is_text(tree_, i)) texts_.push(i);
    enter(root, 0);
    for (uint32_t i = root + 1; levels_.size();) {
        const Level &level = levels_[levels_.size() - 1];
        if (i >= level.end) {
            path_.resize_down(level.path);
            levels_.resize_down(levels_.size() - 1);
            continue;
        }
        if (out_.size() - start > kMaxWrittenBytes) return out_.append("\n\xE2\x80\xA6");
        const bool deep = value::is_container(tree_[i].kind) && holds(i);
        if (deep) {
            step_into(i++);
            continue;
        }
        if (level.array || is_text(tree_, i)) field(i);
        i = tree_[i].next;
    }
}

}  // namespace accp::context
