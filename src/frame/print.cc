// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See print.h. A frame is printed from slices of its own text: a param whose value is a scalar is one slice, key and all. Only maps out of order,
// decimals with zeros at their end, and what the compat dialect took are written anew.
#include "frame/print.h"

#include "base/limits.h"
#include "frame/bytes.h"
#include "frame/parse.h"
#include "frame/q1.h"
#include "value/order.h"

namespace accp {

namespace {

struct Open {
    const uint32_t *children;  // nullptr: in the order of the nodes
    uint32_t next;             // the node, or the place in `children`
    uint32_t end;
    char separator;
    char bracket;
    bool keys;
    bool first;
};

class Printer {
public:
    Printer(TreeView tree, size_t text_len, Arena &arena, Buffer<char> &out) : tree_(tree), text_len_(text_len), arena_(arena), out_(out) {}

    Status block(uint32_t map, char separator, char bracket);
    void slice(const char *from, size_t len) {
        char *to = out_.end();  // print_frame() made room for the whole text and slack
        if (len <= 32 && from + 32 <= tree_.text + text_len_) {
            std::memcpy(to, from, 16);
            std::memcpy(to + 16, from + 16, 16);
        } else {
            std::memcpy(to, from, len);
        }
        out_.advance(len);
    }
    void put(char c) {
        *out_.end() = c;
        out_.advance(1);
    }

private:
    void open(uint32_t node);
    Status entry(uint32_t node, bool key);
    Status rewrite(uint32_t node);

    TreeView tree_;
    size_t text_len_;
    Arena &arena_;
    Buffer<char> &out_;
    Open levels_[kMostDepth + 1];
    uint32_t depth_ = 0;
};

bool is_sorted(TreeView tree, uint32_t map) {
    uint32_t last = map + 1;
    for (uint32_t i = tree[last].next; i < tree[map].next; last = i, i = tree[i].next)
        if (tree.key(i) < tree.key(last)) return false;
    return true;
}

void Printer::open(uint32_t node) {
    bool map = tree_[node].kind == ACCP_MAP;
    put(map ? '{' : '[');
    Open &level = levels_[depth_++];
    level = {nullptr, node + 1, tree_[node].next, ',', map ? '}' : ']', map, true};
    if (!map || tree_[node].len < 2 || is_sorted(tree_, node)) return;
    Children children = list_children(tree_, node, arena_);
    sort_children(children, [this](uint32_t a, uint32_t b) { return tree_.key(a) < tree_.key(b); });
    level.children = children.nodes;
    level.next = 0;
    level.end = children.count;
}

// A scalar whose text is not canonical as it stands.
Status Printer::rewrite(uint32_t i) {
    std::string_view text = tree_.string(i);
    if (tree_[i].kind == ACCP_DEC) {
        if (write_decimal(text, out_) > kDecimalPlaces) return fail(ACCP_E1004, tree_[i].offset, "a decimal of more than six places");
        return {};
    }
    if (tree_[i].kind == ACCP_NULL) {
        put('~');
        return {};
    }
    char *to = out_.room(2 * text.size() + text_len_ + Buffer<char>::kSlack);
    for (size_t at = 0; at < text.size(); ++at) {  // a loose string: what is escaped already stays so
        if (text[at] == '\\') *to++ = text[at++];
        else if (is_delimiter(static_cast<unsigned char>(text[at]))) *to++ = '\\';
        *to++ = text[at];
    }
    out_.set_end(to);
    return {};
}

Status Printer::entry(uint32_t i, bool key) {
    const Node &node = tree_[i];
    const char *value = tree_.text + node.offset - (node.kind == ACCP_REF);
    const char *begin = key ? tree_.text + ACCP_NODE_KEY(&node) : value;
    bool as_it_stands = node.kind == ACCP_STRING ? !(node.flags & ACCP_NODE_LOOSE)
                                                 : node.kind != ACCP_DEC && !(node.kind == ACCP_NULL && node.len != 1);
    if (as_it_stands && !is_container(node.kind)) {
        slice(begin, static_cast<size_t>(tree_.text + node.offset + node.len - begin));
        return {};
    }
    slice(begin, static_cast<size_t>(value - begin));
    if (!is_container(node.kind)) return rewrite(i);
    open(i);
    return {};
}

Status Printer::block(uint32_t map, char separator, char bracket) {
    levels_[0] = {nullptr, map + 1, tree_[map].next, separator, bracket, true, true};
    depth_ = 1;
    while (depth_) {
        Open &level = levels_[depth_ - 1];
        if (level.next == level.end) {
            put(level.bracket);
            --depth_;
            continue;
        }
        if (!level.first) put(level.separator);
        level.first = false;
        uint32_t node = level.children ? level.children[level.next++] : level.next;
        if (!level.children) level.next = tree_[node].next;
        Status status = entry(node, level.keys);
        if (status.failed()) return status;
    }
    return {};
}

}  // namespace

Status print_frame(TreeView tree, uint32_t count, size_t text_len, Arena &arena, Buffer<char> &out) {
    // The canonical text is never longer than the text itself, but for the escapes of loose strings, which make their own room.
    out.room(text_len + Buffer<char>::kSlack);
    Printer printer(tree, text_len, arena, out);
    printer.slice(tree.text, tree[kOperation].offset + tree[kOperation].len);
    printer.put('{');
    Status status = printer.block(kPayload, '|', '}');
    uint32_t meta = tree[kPayload].next;
    if (status.failed() || meta == count) return status;
    printer.put('[');
    return printer.block(meta, ',', ']');
}

}  // namespace accp
