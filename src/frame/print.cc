// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Most of a frame is canonical already. One pass over the nodes finds the exceptions: a map that is
// not sorted, a decimal with trailing zeros, and syntax of the compat dialect. Everything in
// between is copied in one piece.
#include "frame/parse.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "frame/scalar.h"
#include "value/keys.h"

namespace accp::frame {

namespace {

// A run of nodes with the text between them, up to `end`; or a map that is not sorted, child by
// child.
struct PrintLevel {
    uint32_t next, last;       // of a run: nodes; of a map: indices in `children`
    const uint32_t *children;  // nullptr: a run
    // of a run: the end of its text; of a map: the beginning of the text after it
    const char *end;
};

class Printer {
public:
    Printer(value::TreeView tree, Arena &arena, Buffer<char> &out)
        : tree_(tree), arena_(arena), out_(out), from_(tree.text) {}

    Status frame(uint32_t count, const char *end);

private:
    Status run(PrintLevel &level);
    Status rewrite(uint32_t node);
    void begin_map(uint32_t map);
    void next_child(PrintLevel &level);
    void flush(const char *to) {
        out_.append(from_, static_cast<size_t>(to - from_));
        from_ = to;
    }
    // params are not sorted
    bool is_block(uint32_t node) const { return node == kPayload || node == tree_[kPayload].next; }
    const char *end_of(uint32_t node) const;
    const char *begin_of(uint32_t node) const {
        return tree_.text + tree_[node].offset - (tree_[node].kind == ACCP_REF);
    }

    value::TreeView tree_;
    Arena &arena_;
    Buffer<char> &out_;
    const char *from_;  // the next copy begins here
    PrintLevel levels_[2 * kMaxDepth + 1];
    uint32_t depth_ = 0;
};

bool is_sorted(value::TreeView tree, uint32_t map) {
    uint32_t last = map + 1;
    for (uint32_t i = tree[last].next; i < tree[map].next; last = i, i = tree[i].next)
        if (tree.key(i) < tree.key(last)) return false;
    return true;
}

bool is_canonical_decimal(std::string_view text) {
    size_t places = 1;
    while (places <= static_cast<size_t>(kDecimalPlaces) && text[text.size() - 1 - places] != '.')
        ++places;
    return places <= static_cast<size_t>(kDecimalPlaces) && (text.back() != '0' || places == 1) &&
           text != "-0.0";
}

bool is_canonical(value::TreeView tree, uint32_t i) {
    const value::Node &node = tree[i];
    switch (node.kind) {
        case ACCP_MAP: return node.len < 2 || is_sorted(tree, i);
        // also with more digits than an encoder writes
        case ACCP_DEC: return is_canonical_decimal(tree.string(i));
        case ACCP_STRING: return !(node.flags & ACCP_NODE_LOOSE);
        case ACCP_NULL: return node.len == 1;
        default: return true;
    }
}

// Returns the end of a node, including its closing brackets.
const char *Printer::end_of(uint32_t node) const {
    uint32_t closing = 0;
    while (value::is_container(tree_[node].kind)) {
        ++closing;
        if (!tree_[node].len) return tree_.text + tree_[node].offset + 1 + closing;
        uint32_t child = node + 1;
        while (tree_[child].next < tree_[node].next) child = tree_[child].next;
        node = child;
    }
    return tree_.text + tree_[node].offset + tree_[node].len + closing;
}

// Writes a scalar that is not canonical. The text before it is copied already.
Status Printer::rewrite(uint32_t i) {
    std::string_view text = tree_.string(i);
    from_ = text.data() + text.size();
    if (tree_[i].kind == ACCP_DEC) {
        bool fits = write_decimal(text, out_) <= kDecimalPlaces;
        return fits ? Status{}
                    : fail(ACCP_E1004, tree_[i].offset, "a decimal of more than six places");
    }
    if (tree_[i].kind == ACCP_NULL) {
        out_.push('~');
        return {};
    }
    char *to = out_.reserve(2 * text.size());
    // in a loose string, existing escapes are kept
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\') *to++ = text[at++];
        else if (is_delimiter(static_cast<unsigned char>(text[at]))) *to++ = '\\';
        *to++ = text[at];
    }
    out_.set_end(to);
    return {};
}

void Printer::begin_map(uint32_t map) {
    value::Children children = value::list_children(tree_, map, arena_);
    value::sort_children(children,
                         [this](uint32_t a, uint32_t b) { return tree_.key(a) < tree_.key(b); });
    levels_[depth_++] = {0, children.count, children.nodes, end_of(map)};
    out_.push('{');
}

void Printer::next_child(PrintLevel &level) {
    if (level.next == level.last) {
        out_.push('}');
        from_ = level.end;
        --depth_;
        return;
    }
    if (level.next) out_.push(',');
    uint32_t child = level.children[level.next++];
    from_ = tree_.key(child).data();
    levels_[depth_++] = {child, tree_[child].next, nullptr, end_of(child)};
}

// Continues a run up to the next node that is not canonical.
Status Printer::run(PrintLevel &level) {
    while (level.next < level.last && (is_block(level.next) || is_canonical(tree_, level.next)))
        ++level.next;
    uint32_t node = level.next;
    if (node == level.last) {
        flush(level.end);
        --depth_;
        return {};
    }
    flush(begin_of(node));
    if (tree_[node].kind != ACCP_MAP) {
        ++level.next;
        return rewrite(node);
    }
    level.next = tree_[node].next;
    begin_map(node);
    return {};
}

Status Printer::frame(uint32_t count, const char *end) {
    levels_[depth_++] = {0, count, nullptr, end};
    while (depth_) {
        PrintLevel &level = levels_[depth_ - 1];
        if (level.children) {
            next_child(level);
            continue;
        }
        Status status = run(level);
        if (status.failed()) return status;
    }
    return {};
}

}  // namespace

Status print_frame(value::TreeView tree, uint32_t count, size_t text_len, Arena &arena,
                   Buffer<char> &out) {
    out.reserve(text_len);
    return Printer(tree, arena, out).frame(count, tree.text + text_len);
}

}  // namespace accp::frame
