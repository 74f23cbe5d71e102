// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes the fields of a message that has texts: short members in one block, and each text on lines
// of its own after the path of its key.
#pragma once

#include "base/arena.h"
#include "render/write.h"
#include "value/tree.h"

namespace accp::context {

// Returns whether the text has characters that render text escapes.
inline bool needs_escapes(std::string_view text) {
    for (char c : text)
        if (c == '\n' || c == '\r' || c == '\\' || c == '"') return true;
    return false;
}

// Returns whether the node is a text of words or lines, not a name or a number.
bool is_text(value::TreeView tree, uint32_t node);

// Returns whether the value contains such a text.
bool holds_text(value::TreeView tree, uint32_t node);

class TextFields {
public:
    // All are borrowed. The writer uses the arena.
    TextFields(value::TreeView tree, Memory &memory, Arena &arena, render::RenderWriter &writer,
               Buffer<char> &out)
        : tree_(tree),
          arena_(arena),
          writer_(writer),
          out_(out),
          levels_(memory),
          path_(memory),
          text_(memory),
          texts_(memory) {}

    // Appends the members of a map after the header of its message. Stops after kMaxWrittenBytes.
    // Costs O(n log n).
    void write(uint32_t root);

private:
    struct Level {
        uint32_t end;
        size_t path;
        bool array;
    };

    bool holds(uint32_t node) const;
    void enter(uint32_t container, size_t path);
    void block(uint32_t map);
    void field(uint32_t node);
    void put_name(uint32_t node, Buffer<char> &to) const;
    void step_into(uint32_t node);

    value::TreeView tree_;
    Arena &arena_;
    render::RenderWriter &writer_;
    Buffer<char> &out_;
    Buffer<Level> levels_;
    Buffer<char> path_, text_;
    Buffer<uint32_t> texts_;  // the nodes of all texts, in order
};

}  // namespace accp::context
