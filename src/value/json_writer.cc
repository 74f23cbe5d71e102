// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See json_writer.h.
#include "value/json_writer.h"

#include "base/vector.h"
#include "base/limits.h"

namespace accp {

namespace {

constexpr size_t kMostEscape = 6;  // \u001f

char *write_escape(unsigned char c, char *to) {
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

bool needs_escape(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }

// Copies up to the first byte that needs an escape. `to` has room for what is left and 16 bytes more.
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

void write_scalar(TreeView tree, uint32_t i, Buffer<char> &out) {
    const Node &node = tree[i];
    std::string_view text = tree.string(i);
    auto put = [&out](std::string_view word) { out.append(word.data(), word.size()); };
    switch (node.kind) {
        case ACCP_NULL: return put("null");
        case ACCP_BOOL: return put(node.flags & ACCP_NODE_TRUE ? "true" : "false");
        case ACCP_STRING: return write_json_string(text, out);
        case ACCP_REF:
            put("{\"$ref\":");
            write_json_string(text, out);
            return put("}");
        default: return out.append_padded(text.data(), text.size());
    }
}

// Short and plain, as almost all strings are: one vector. The text has slack behind it.
bool write_short_string(std::string_view text, Buffer<char> &out) {
    if (text.size() > 16) return false;
    char *to = out.room(text.size() + 2);
    Bytes16 bytes = Bytes16::load(text.data());
    bytes.store(to + 1);
    uint32_t special = bytes.below(0x20) | bytes.equal('"') | bytes.equal('\\');
    if (special & ((1u << text.size()) - 1)) return false;
    to[0] = to[text.size() + 1] = '"';
    out.advance(text.size() + 2);
    return true;
}

}  // namespace

void write_json_string(std::string_view text, Buffer<char> &out) {
    if (write_short_string(text, out)) return;
    const char *from = text.data(), *end = from + text.size();
    char *to = out.room(text.size() + 18);
    *to++ = '"';
    for (;;) {
        from = copy_plain(from, end, to);
        if (from == end) break;
        out.set_end(to);
        to = out.room(static_cast<size_t>(end - from) + kMostEscape + 18);
        to = write_escape(static_cast<unsigned char>(*from++), to);
    }
    *to++ = '"';
    out.set_end(to);
}

void write_json(TreeView tree, uint32_t root, Buffer<char> &out) {
    struct Open {
        uint32_t end;
        bool map;
    };
    Open open[kMostJsonDepth + 1];
    uint32_t depth = 0;
    uint32_t last = tree[root].next;
    bool first = true;
    for (uint32_t i = root;; ++i) {
        while (depth && open[depth - 1].end == i) {
            out.push(open[--depth].map ? '}' : ']');
            first = false;
        }
        if (i == last) return;
        if (!first) out.push(',');
        first = false;
        if (depth && open[depth - 1].map) {
            write_json_string(tree.key(i), out);
            out.push(':');
        }
        if (is_container(tree[i].kind)) {
            bool map = tree[i].kind == ACCP_MAP;
            out.push(map ? '{' : '[');
            open[depth++] = {tree[i].next, map};
            first = true;
        } else {
            write_scalar(tree, i, out);
        }
    }
}

}  // namespace accp
