// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values to the wire in one pass, as far as that goes: a block whose maps are in order already,
// without tables. Encoder (encode.h) does the rest, and says what is wrong with a value that has no
// spelling; the two write the same bytes.
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "frame/key.h"
#include "frame/scalar.h"
#include "value/tree.h"

namespace accp::frame {

// The brackets of a payload and of a metadata block, and what stands between their params.
struct BlockStyle {
    char opening, separator, closing;
    bool payload;
};
inline constexpr BlockStyle kPayloadStyle = {'{', '|', '}', true};
inline constexpr BlockStyle kMetaStyle = {'[', ',', ']', false};

class BlockWriter {
public:
    explicit BlockWriter(const Settings &settings);

    // Appends the map as a block, brackets and all. False, with some rubbish appended, where
    // Encoder must be asked. The value's text has a Buffer's slack.
    bool write(value::TreeView tree, uint32_t map, BlockStyle style, Buffer<char> &out) const;

private:
    struct Level;
    Level own_level(uint32_t end, BlockStyle style) const;
    Level inner_level(const value::Node &node) const;
    char *write_key(Level &level, const value::Node &node, const char *content, char *to,
                    const Buffer<char> &out) const;
    char *write_scalar(const Level &level, const value::Node &node, const char *content, char *to,
                       Buffer<char> &out) const;

    const KeyCoder keys_;
    const Spelling spelling_;
    const bool tables_, keep_refs_, abbreviate_;
    const size_t max_key_, max_params_, max_items_, max_depth_;
};

// The wire to JSON in one pass, as far as that goes: straight from the nodes of a parsed block,
// with no value between. Decoder (decode.h) does the rest: tables, keys that may stand for one
// another, and whatever is wrong. The two write the same bytes.

// What a block is. Fresh: of a frame as it was parsed, whose refs and whose texts of the envelope
// (take_field_texts()) nobody has looked at.
enum class JsonBlock : uint8_t { kPayload, kMeta, kFreshPayload, kFreshMeta };

class BlockJson {
public:
    explicit BlockJson(const Settings &settings)
        : keys_(settings),
          spelling_(spelling_of(settings)),
          q1_(spelling_.q1),
          tables_(settings.has(ACCP_EXT_T1)),
          abbreviate_(settings.abbreviate),
          keep_refs_(settings.keep_refs),
          strict_(settings.reading() == ACCP_STRICT) {}

    // Appends the map at node `block` as a JSON object. False, with some rubbish appended, where
    // Decoder must be asked; a fresh block: where anything but a plain text of the envelope, or a
    // ref that is not kept, is in it. Refs come out as {"$ref":"…"}. The frame's text has a
    // Buffer's slack.
    bool write(value::TreeView frame, uint32_t block, JsonBlock what, Arena &arena,
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
