// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The wire to JSON in one pass, as far as that goes: straight from the nodes of a parsed block,
// with no value between. Decoder (decode.h) does the rest: tables, keys that may stand for one
// another, and whatever is wrong. The two write the same bytes.
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "frame/key.h"
#include "frame/q1.h"
#include "value/tree.h"

namespace accp::frame {

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
