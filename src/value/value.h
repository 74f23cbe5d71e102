// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A value: a flat tree with its own text, and the one way to build it.
//
// A child of a map is laid out as its key, one byte, then its text (a ref's text after one byte
// more), so that a node needs no room for where its key is. Readers write straight into the two
// buffers; others use the add functions, which keep the invariants.
#pragma once

#include "base/limits.h"
#include "base/memory.h"
#include "value/plain.h"

namespace accp::value {

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
    // Takes back what was added since the buffers had these sizes.
    void rewind(size_t node_count, size_t text_len) {
        nodes.resize_down(node_count);
        text.resize_down(text_len);
        key_len_ = 0;
    }

    // Leaves the notes of plain.h on the nodes from `first` on.
    void note_plain(size_t first) {
        for (size_t i = first; i < nodes.size(); ++i)
            nodes[i].flags |= notes_on(nodes[i], view().text);
    }

    // Takes away all but the last node, a scalar, which is then the value and has no key.
    void keep_last() {
        Node last = nodes[nodes.size() - 1];
        last.key_len = 0;
        last.next = 1;
        nodes.clear();
        nodes.push(last);
    }

    // Appends a key and the byte after it; what is added next is that entry's value.
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
    // A scalar whose text was written to the end of `text` already, from `offset` on.
    void add_written(uint8_t kind, uint8_t flags, uint32_t offset) {
        add(kind, flags, offset, text.size() - offset);
    }

    // Opens a container; close() it with the index that this returns.
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
    // an empty text too may be read a vector at a time
    static constexpr char kNoText[Buffer<char>::kSlack] = {};

    // A note on a key is not true of another key.
    void add(uint8_t kind, uint8_t flags, uint32_t offset, size_t len) {
        flags &= static_cast<uint8_t>(~kPlainKey);
        nodes.push({kind, flags, key_len_, offset, static_cast<uint32_t>(len),
                    static_cast<uint32_t>(nodes.size() + 1)});
        key_len_ = 0;
    }

    uint16_t key_len_ = 0;
};

}  // namespace accp::value
