// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/json_writer.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "value/keys.h"
#include "value/number.h"

namespace accp::value {

namespace {

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Copies up to the first byte that needs an escape. `to` has space for the rest and 16 more bytes.
const char *copy_plain(const char *from, const char *end, char *&to) {
    while (end - from >= 16) {
        Bytes16 bytes = Bytes16::load(from);
        bytes.store(to);
        uint32_t special = bytes.below(0x20) | bytes.equal('"') | bytes.equal('\\');
        int plain = special ? __builtin_ctz(special) : 16;
        from += plain;
        to += plain;
        if (special) return from;
    }
    while (from < end && !needs_escape(static_cast<unsigned char>(*from))) *to++ = *from++;
    return from;
}

// Writes a string of up to 16 bytes without escapes, as almost all are, in one vector. Returns
// nullptr for any other string. Both buffers have slack.
[[gnu::always_inline]] inline char *write_short_string(std::string_view text, char *to) {
    if (text.size() > 16) return nullptr;
    Bytes16 bytes = Bytes16::load(text.data());
    bytes.store(to + 1);
    uint32_t special = bytes.below(0x20) | bytes.equal('"') | bytes.equal('\\');
    if (special & ((uint32_t{1} << text.size()) - 1)) return nullptr;
    to[0] = to[text.size() + 1] = '"';
    return to + text.size() + 2;
}

// The output position of one write_json() call. It reserves space once for each node and then
// writes through a bare pointer.
struct Cursor {
    Buffer<char> &out;
    char *to;
    char *end;

    [[gnu::always_inline]] void need(size_t bytes) {
        if (static_cast<size_t>(end - to) < bytes) grow(bytes);
    }
    [[gnu::noinline]] void grow(size_t bytes) {
        out.set_end(to);
        to = out.reserve(bytes + 1024);
        end = to + bytes + 1024;
    }
    void put(std::string_view word) {
        std::memcpy(to, word.data(), word.size());
        to += word.size();
    }
};

[[gnu::noinline]] char *write_long_string(std::string_view text, Cursor cursor, char *&room_end) {
    cursor.out.set_end(cursor.to);
    write_json_string(text, cursor.out);
    room_end = cursor.out.end();
    return room_end;
}

[[gnu::always_inline]] inline void write_string(std::string_view text, Cursor &cursor) {
    char *to = write_short_string(text, cursor.to);
    cursor.to = to ? to : write_long_string(text, cursor, cursor.end);
}

[[gnu::always_inline]] inline void write_scalar(const Node &node, const char *text,
                                                Cursor &cursor) {
    switch (node.kind) {
        case ACCP_STRING: return write_string({text, node.len}, cursor);
        case ACCP_NULL: return cursor.put("null");
        case ACCP_BOOL: return cursor.put(node.flags & ACCP_NODE_TRUE ? "true" : "false");
        case ACCP_REF:
            cursor.put("{\"$ref\":");
            write_string({text, node.len}, cursor);
            cursor.need(1);
            return cursor.put("}");
        default: copy_padded(cursor.to, text, node.len); cursor.to += node.len;
    }
}

}  // namespace

char *write_json_escape(unsigned char c, char *to) {
    constexpr char kHex[] = "0123456789abcdef";
    *to++ = '\\';
    switch (c) {
        case '"':
        case '\\': *to++ = static_cast<char>(c); return to;
        case '\b': *to++ = 'b'; return to;
        case '\f': *to++ = 'f'; return to;
        case '\n': *to++ = 'n'; return to;
        case '\r': *to++ = 'r'; return to;
        case '\t': *to++ = 't'; return to;
        default: break;
    }
    std::memcpy(to, "u00", 3);
    to[3] = kHex[c >> 4];
    to[4] = kHex[c & 15];
    return to + 5;
}

void write_json_string(std::string_view text, Buffer<char> &out) {
    const char *from = text.data(), *end = from + text.size();
    char *to = out.reserve(text.size() + 18);
    *to++ = '"';
    for (;;) {
        from = copy_plain(from, end, to);
        if (from == end) break;
        out.set_end(to);
        to = out.reserve(static_cast<size_t>(end - from) + kMaxJsonEscape + 18);
        to = write_json_escape(static_cast<unsigned char>(*from++), to);
    }
    *to++ = '"';
    out.set_end(to);
}

void write_json(TreeView tree, uint32_t root, Buffer<char> &out) {
    struct Open {
        uint32_t end;
        bool map;
    };
    Open open[kMaxJsonDepth + 1];
    uint32_t depth = 0;
    const uint32_t last = tree[root].next;
    uint32_t end = last;  // of the innermost open container
    bool first = true, map = false;
    Cursor cursor = {out, out.end(), out.end()};
    for (uint32_t i = root;; ++i) {
        while (depth && end == i) {
            cursor.need(1);
            *cursor.to++ = map ? '}' : ']';
            --depth;
            end = open[depth].end;
            map = open[depth].map;
            first = false;
        }
        if (i == last) break;
        const Node &node = tree[i];
        cursor.need(size_t{node.key_len} + (is_container(node.kind) ? 0 : node.len) +
                    64);  // strings that need more reserve it themselves
        if (!first) *cursor.to++ = ',';
        first = false;
        if (map) {
            write_string(tree.key(i), cursor);
            cursor.need(size_t{is_container(node.kind) ? 0 : node.len} + 64);
            *cursor.to++ = ':';
        }
        if (!is_container(node.kind)) {
            write_scalar(node, tree.text + node.offset, cursor);
            continue;
        }
        open[depth++] = {end, map};
        map = node.kind == ACCP_MAP;
        end = node.next;
        *cursor.to++ = map ? '{' : '[';
        first = true;
    }
    out.set_end(cursor.to);
}

// The hash form: RFC 8785 with exact numbers. See accp_value_print_hash_form() in accp/value.h.

namespace {

// RFC 8785 sorts by UTF-16 code units. This equals the byte order of UTF-8, except that U+E000 to
// U+FFFF come after the surrogates, with which all code points above U+FFFF begin. So at the first
// different byte, EE and EF count as greater than F0 to F4.
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
