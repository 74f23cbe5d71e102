// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From the wire to values: decodes the params of a parsed payload or metadata block with the
// extensions in use (docs/wire.md sections 3 and 4).
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"
#include "frame/key.h"
#include "frame/scalar.h"
#include "value/value.h"

namespace accp::frame {

// A flag of a string node: its text is literal, even if it looks like a q1 spelling.
inline constexpr uint8_t kVerbatim = 8;

// Writes the text of a scalar as it is in a value, and updates the node's kind. `to` needs space
// for the text, slack, and with w1 kMaxWordsGrowth more. Returns nullptr for a malformed %u.
char *read_content(value::Node &node, std::string_view text, Spelling spelling, char *to);

// Returns the node of a payload that is a text (its key is kTextKey), or 0 if the payload is an
// object. A string that is an = number does not count as a text.
uint32_t text_node(value::TreeView frame, uint32_t block, const Settings &settings);

class Decoder {
public:
    Decoder(const Settings &settings, Arena &arena, uint64_t seed)
        : settings_(settings),
          arena_(arena),
          keys_(settings),
          spelling_(spelling_of(settings)),
          seed_(seed) {}

    // Replaces `out` by the map at node `block` of a parsed frame. On failure `out` is empty, and
    // the offset is a byte of the frame. If keys_differ is false, two keys of the block may become
    // equal when they are unescaped; the caller handles this.
    Status params(value::TreeView frame, uint32_t block, bool payload, value::Value &out,
                  bool keys_differ = true);

private:
    enum class Kind : uint8_t { kArray, kMap, kRows, kRow };
    struct Level {
        uint32_t next, end;  // nodes of the frame
        uint32_t first;      // first child
        uint32_t out;        // node of the value
        uint32_t count;
        Kind kind;
        bool mapped;  // has a mapped key, so two keys may become equal
    };
    // The columns of a table that is open at this level.
    struct Columns {
        std::string_view *names;
        uint32_t count;
    };

    bool copy_plain(uint32_t block);
    bool rewrite(value::Node &node, std::string_view key, bool other_key);
    Status malformed_point(uint32_t node) const;
    Status too_large(uint32_t node) const;
    Status run();
    Status entry(uint32_t node);
    Status value(uint32_t node);
    Status key(uint32_t node);
    Status close();
    Status open_table(uint32_t node, bool &table);
    Status read_columns(uint32_t node, Columns &columns);
    void push(Kind kind, uint32_t node, uint8_t out_kind);

    const Settings &settings_;
    Arena &arena_;
    KeyCoder keys_;
    const Spelling spelling_;
    uint64_t seed_;
    value::TreeView frame_ = {};
    value::Value *out_ = nullptr;
    bool payload_ = false;
    bool keys_differ_ = true;
    uint32_t depth_ = 0;
    Level levels_[kMaxDepth + 1];
    Columns columns_[kMaxDepth + 1];
};

}  // namespace accp::frame
