// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The wire to values: the params of a parsed payload or metadata block, under the extensions in
// force (docs/wire.md sections 3 and 4).
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"
#include "frame/key.h"
#include "frame/scalar.h"
#include "value/value.h"

namespace accp::frame {

// A flag of a string node: its text is read as it stands, whatever q1 makes of one like it.
inline constexpr uint8_t kVerbatim = 8;

// Writes the text of a scalar as a value has it, and sets what the node then is. `to` has room for
// all of it, kMaxWordsGrowth under w1, and slack. nullptr for a malformed %u.
char *read_content(value::Node &node, std::string_view text, Spelling spelling, char *to);

// The node of the text that a payload is, as the key rule spells one; 0 where it is an object. A
// string that turns out to be an = number is none.
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
    // the offset is a byte of the frame. Where keys_differ is false, two of the block's own keys
    // may come to be equal without their escapes: the caller knows what they stand for.
    Status params(value::TreeView frame, uint32_t block, bool payload, value::Value &out,
                  bool keys_differ = true);

private:
    enum class Kind : uint8_t { kArray, kMap, kRows, kRow };
    struct Level {
        uint32_t next, end;  // nodes of the frame
        uint32_t first;      // the first child
        uint32_t out;        // node of the value
        uint32_t count;
        Kind kind;
        bool mapped;  // a key stands for another: two of them may stand for one
    };
    // The columns of the table that is open at a level.
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
