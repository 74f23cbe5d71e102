// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A value: a flat tree with its own text.
//
// A child of a map is stored as its key, one byte, and its text (a ref has one more byte before its
// text). So a node needs no field for the position of its key. Readers write directly into the two
// buffers. Other code uses the add functions, which keep this layout.
#pragma once

#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/memory.h"
#include "value/number.h"
#include "value/tree.h"

namespace accp::value {

// Flags in accp_node.flags that readers of values set for the writer of frames (frame/block.h).
// They mark texts that need no check there. A node without these flags can be plain too.

// The text of the scalar is also its wire form, with any extension except w1: a string without
// delimiters that is not a literal and not `null`, an integer, or a canonical decimal.
inline constexpr uint8_t kPlainText = 0x20;
// The key has only word characters and does not begin with an underscore.
inline constexpr uint8_t kPlainKey = 0x40;

// Returns whether the text is `true`, `false` or `null`, which a peer may not read as a string.
[[gnu::always_inline]] inline bool is_literal_word(const char *text, size_t len) {
    uint32_t word, t, n, f;
    std::memcpy(&word, text, sizeof word);
    std::memcpy(&t, "true", sizeof t);
    std::memcpy(&n, "null", sizeof n);
    std::memcpy(&f, "fals", sizeof f);
    return ((len == 4) & ((word == t) | (word == n))) |
           ((len == 5) & (word == f) & (text[4] == 'e'));
}

// Compute kPlainText for a string and kPlainKey for a key, without branches for short texts. A
// string without letters may be a number, so it is not plain. The text needs a Buffer's slack.
[[gnu::always_inline]] inline bool is_plain_text(const char *text, size_t len) {
    uint32_t unsafe = 0, letters = 0;
    const char *last = text;  // the vector with the end of the text
    for (; text + len - last > 16; last += 16) {
        const Bytes16 bytes = Bytes16::load(last);
        unsafe |= bytes.unsafe();
        letters |= bytes.letters();
    }
    const Bytes16 bytes = Bytes16::load(last);
    const uint32_t own = (uint32_t{1} << (text + len - last)) - 1;
    unsafe |= bytes.unsafe() & own;
    letters |= bytes.letters() & own;
    const bool literal = is_literal_word(text, len);
    return !unsafe & (letters != 0) & (*text != '=') & (*text != '"') & !literal;
}
[[gnu::always_inline]] inline bool is_plain_key(const char *key, size_t len) {
    uint32_t other = 0;
    const char *last = key;
    for (; key + len - last > 16; last += 16) other |= ~Bytes16::load(last).words();
    const uint32_t own = (uint32_t{1} << (key + len - last)) - 1;
    other |= ~Bytes16::load(last).words() & own;
    return !(other & 0xFFFF) & (*key != '_') & (len != 0);
}

// The same for a text of less than 16 bytes that is in a vector already, but cheaper: only a text
// of word characters is plain.
[[gnu::always_inline]] inline bool is_plain_word(Bytes16 bytes, const char *text, size_t len) {
    const uint32_t own = (uint32_t{1} << len) - 1;
    const bool word = !(~bytes.words() & own), number = !(~bytes.digits() & own),
               literal = is_literal_word(text, len);
    return word & !number & !literal;
}
[[gnu::always_inline]] inline bool is_plain_key(Bytes16 bytes, const char *key, size_t len) {
    const uint32_t own = (uint32_t{1} << len) - 1;
    const bool word = !(~bytes.words() & own);
    return word & (len != 0) & (*key != '_');
}

// Returns the flags of a node.
inline uint8_t plain_flags(const Node &node, const char *text) {
    const char *content = text + node.offset;
    const bool plain = node.kind == ACCP_STRING ? is_plain_text(content, node.len)
                       : node.kind == ACCP_DEC  ? is_plain_decimal({content, node.len})
                                                : node.kind == ACCP_INT;
    const bool word = node.key_len && is_plain_key(text + ACCP_NODE_KEY(&node), node.key_len);
    return static_cast<uint8_t>((plain ? kPlainText : 0) | (word ? kPlainKey : 0));
}

class Value {
public:
    explicit Value(Memory &memory) : nodes(memory), text(memory) {}

    TreeView view() const { return {nodes.data(), text.data() ? text.data() : kNoText}; }
    bool empty() const { return nodes.empty(); }
    void clear() {
        nodes.recycle(kKeptBytes);
        text.recycle(kKeptBytes);
        key_len_ = 0;
    }
    // Removes everything that was added since the buffers had these sizes.
    void rewind(size_t node_count, size_t text_len) {
        nodes.resize_down(node_count);
        text.resize_down(text_len);
        key_len_ = 0;
    }

    // Sets the plain flags of the nodes from `first` on.
    void set_plain_flags(size_t first) {
        for (size_t i = first; i < nodes.size(); ++i)
            nodes[i].flags |= plain_flags(nodes[i], view().text);
    }

    // Keeps only the last node, a scalar, as the value, without its key.
    void keep_last() {
        Node last = nodes[nodes.size() - 1];
        last.key_len = 0;
        last.next = 1;
        nodes.clear();
        nodes.push(last);
    }

    // Appends a key and the byte after it. The next call adds its value.
    void add_key(std::string_view key) {
        text.append(key);
        text.push('\0');
        key_len_ = static_cast<uint16_t>(key.size());
    }
    void add_scalar(uint8_t kind, uint8_t flags, std::string_view content) {
        if (kind == ACCP_REF) text.push('$');
        uint32_t offset = static_cast<uint32_t>(text.size());
        text.append(content);
        add(kind, flags, offset, content.size());
    }
    // Adds a scalar whose text is already at the end of `text`, from `offset` on.
    void add_written(uint8_t kind, uint8_t flags, uint32_t offset) {
        add(kind, flags, offset, text.size() - offset);
    }

    // Opens a container. Pass the returned index to close().
    uint32_t open(uint8_t kind) {
        add(kind, 0, static_cast<uint32_t>(text.size()), 0);
        return static_cast<uint32_t>(nodes.size() - 1);
    }
    void close(uint32_t container, uint32_t children) {
        nodes[container].len = children;
        nodes[container].next = static_cast<uint32_t>(nodes.size());
    }

    Buffer<Node> nodes;
    Buffer<char> text;

private:
    // also an empty text has slack
    static constexpr char kNoText[Buffer<char>::kSlack] = {};

    // kPlainKey is not copied: the node can have another key.
    void add(uint8_t kind, uint8_t flags, uint32_t offset, size_t len) {
        flags &= static_cast<uint8_t>(~kPlainKey);
        nodes.push({kind, flags, key_len_, offset, static_cast<uint32_t>(len),
                    static_cast<uint32_t>(nodes.size() + 1)});
        key_len_ = 0;
    }

    uint16_t key_len_ = 0;
};

}  // namespace accp::value
