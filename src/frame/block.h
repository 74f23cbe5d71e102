// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The fast paths for blocks: from values to the wire, and from the wire to JSON.
//
// BlockWriter writes values to the wire in one pass if the keys of all maps are sorted already and
// there are no tables. Encoder (encode.h) handles all other values and reports errors. Both write
// the same bytes.
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "frame/key.h"
#include "frame/scalar.h"
#include "value/tree.h"

namespace accp::frame {

// The brackets of a payload or a metadata block, and the separator of its params.
struct BlockStyle {
    char opening, separator, closing;
    bool payload;
};
inline constexpr BlockStyle kPayloadStyle = {'{', '|', '}', true};
inline constexpr BlockStyle kMetaStyle = {'[', ',', ']', false};

class BlockWriter {
public:
    explicit BlockWriter(const Settings &settings);

    // Appends the map as a block with its brackets. Returns false if Encoder is needed; `out` then
    // has extra bytes at its end. The value's text must have a Buffer's slack.
    bool write(value::TreeView tree, uint32_t map, BlockStyle style, Buffer<char> &out) const;

private:
    struct Level;
    Level own_level(uint32_t end, BlockStyle style) const;
    Level inner_level(const value::Node &node) const;
    bool may_open(value::TreeView tree, uint32_t node, const Level &outer, size_t depth) const;
    char *write_key(Level &level, const value::Node &node, const char *content, char *to,
                    const Buffer<char> &out) const;
    char *write_scalar(const Level &level, const value::Node &node, const char *content, char *to,
                       Buffer<char> &out) const;

    const KeyCoder keys_;
    const Spelling spelling_;
    const bool tables_, keep_refs_, abbreviate_;
    const size_t max_key_, max_params_, max_items_, max_depth_;
};

// The kind of a block. A fresh block comes directly from the parser: its refs are not resolved, and
// mark_field_texts() was not called.
enum class BlockKind : uint8_t { kPayload, kMeta, kFreshPayload, kFreshMeta };

// Writes the nodes of a parsed block as JSON in one pass, without a value in between. Decoder
// (decode.h) handles everything else: tables, several mapped keys in one map, and errors. Both
// write the same bytes.
class BlockJsonWriter {
public:
    explicit BlockJsonWriter(const Settings &settings)
        : keys_(settings),
          spelling_(spelling_of(settings)),
          q1_(spelling_.q1),
          tables_(settings.has(ACCP_EXT_T1)),
          abbreviate_(settings.abbreviate),
          keep_refs_(settings.keep_refs),
          strict_(settings.reading() == ACCP_STRICT) {}

    // Appends the map at node `block` as a JSON object, with refs as {"$ref":"…"}. Returns false if
    // Decoder is needed; `out` then has extra bytes at its end. For a fresh block it also returns
    // false if an envelope text is not plain, or if there is a ref and keep_refs is off. The
    // frame's text must have a Buffer's slack.
    bool write(value::TreeView frame, uint32_t block, BlockKind what, Arena &arena,
               Buffer<char> &out) const;

private:
    struct Level;
    bool write_mapped_key(value::TreeView frame, uint32_t node, Level &level, Arena &arena,
                          Buffer<char> &out) const;
    bool write_other(value::TreeView frame, uint32_t node, Arena &arena, Buffer<char> &out) const;

    const KeyCoder keys_;
    const Spelling spelling_;
    const bool q1_, tables_, abbreviate_, keep_refs_, strict_;
};

}  // namespace accp::frame
