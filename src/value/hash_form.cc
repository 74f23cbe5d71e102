// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hash form: RFC 8785 with exact numbers. See accp_value_print_hash_form() in value.h.
#include "base/limits.h"
#include "value/json_writer.h"
#include "value/number.h"
#include "value/order.h"

namespace accp::value {

namespace {

// RFC 8785 sorts by UTF-16 code units. Bytewise order of UTF-8 is the same, save that U+E000 to
// U+FFFF come after the surrogates, with which everything above U+FFFF begins: so at the first byte
// that differs, EE and EF are moved after F0 to F4.
bool less_utf16(std::string_view a, std::string_view b) {
    size_t common = a.size() < b.size() ? a.size() : b.size();
    for (size_t i = 0; i < common; ++i) {
        auto x = static_cast<unsigned char>(a[i]), y = static_cast<unsigned char>(b[i]);
        if (x == y) continue;
        auto weight = [](unsigned char c) {
            return c == 0xEE || c == 0xEF ? c + 0x10 : static_cast<int>(c);
        };
        return weight(x) < weight(y);
    }
    return a.size() < b.size();
}

Status write_number(std::string_view text, Buffer<char> &out) {
    Decimal number;
    if (!read_decimal(text, number))
        return fail(ACCP_E1004, 0, "an exponent of more than 18 digits");
    out.set_end(layout_number(number, out.reserve(text.size() + kLayoutRoom)));
    return {};
}

struct Open {
    Children children;
    uint32_t next;
    bool map;
};

Status write_leaf(TreeView tree, uint32_t i, Buffer<char> &out) {
    if (is_number(tree[i].kind)) return write_number(tree.string(i), out);
    write_json(tree, i, out);
    return {};
}

}  // namespace

Status write_hash_form(TreeView tree, uint32_t root, Arena &arena, Buffer<char> &out) {
    Open *open = arena.allocate<Open>(kMaxJsonDepth + 1);
    uint32_t depth = 0;
    uint32_t node = root;
    for (;;) {
        if (is_container(tree[node].kind)) {
            bool map = tree[node].kind == ACCP_MAP;
            Children children = list_children(tree, node, arena);
            if (map)
                sort_children(children, [&](uint32_t a, uint32_t b) {
                    return less_utf16(tree.key(a), tree.key(b));
                });
            out.push(map ? '{' : '[');
            open[depth++] = {children, 0, map};
        } else {
            Status status = write_leaf(tree, node, out);
            if (status.failed()) return status;
        }
        while (depth && open[depth - 1].next == open[depth - 1].children.count)
            out.push(open[--depth].map ? '}' : ']');
        if (!depth) return {};
        Open &level = open[depth - 1];
        if (level.next) out.push(',');
        node = level.children.nodes[level.next++];
        if (!level.map) continue;
        write_json_string(tree.key(node), out);
        out.push(':');
    }
}

}  // namespace accp::value
