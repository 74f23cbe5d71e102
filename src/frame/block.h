// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values to the wire in one pass, as far as that goes: a block whose maps are in order already,
// without tables. Encoder (encode.h) does the rest, and says what is wrong with a value that has no
// spelling; the two write the same bytes.
#pragma once

#include "base/settings.h"
#include "frame/key.h"
#include "frame/key_order.h"
#include "frame/q1.h"
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

}  // namespace accp::frame
