// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values to the wire: the params of a payload or a metadata block, under the extensions in force (WIRE.md sections 3 and 4).
#pragma once

#include "base/arena.h"
#include "base/options.h"
#include "base/status.h"
#include "frame/key.h"
#include "frame/q1.h"
#include "value/tree.h"

namespace accp {

class Encoder {
public:
    Encoder(const Settings &settings, Arena &arena, Buffer<char> &out);

    // Appends the entries of a map as params with `separator` between them, without brackets, passing over those for which `skip` has a bit set
    // (bit i: the i-th entry; entries from the 64th on are never passed over). On failure the status' offset is the index of the node at fault.
    Status params(TreeView tree, uint32_t map, char separator, bool payload, uint64_t skip = 0);

    // Appends one entry of a map as a param.
    Status param(TreeView tree, uint32_t node, bool payload);

private:
    struct Entry {
        std::string_view key;
        uint32_t node;
    };
    // An open array, map or table. A table's entries are its cells, row after row.
    struct Level {
        const Entry *entries;
        uint32_t count;
        uint32_t next;
        uint32_t columns;  // 0: no table
        char separator;
        char bracket;      // 0: none, for the block itself
        bool keys;
    };

    Status run();
    Status value(uint32_t node);
    Status scalar(uint32_t node);
    Status open(uint32_t node);
    bool open_reference(uint32_t node);
    bool open_table(uint32_t node);
    Status list(uint32_t node, bool payload, uint64_t skip, Level &level);
    Status wire_key(uint32_t node, bool payload, std::string_view &key);
    void separate(Level &level);

    const Settings &settings_;
    Arena &arena_;
    Buffer<char> &out_;
    KeyCoder keys_;
    Spelling spelling_;
    TreeView tree_ = {};
    uint32_t depth_ = 0;    // of levels_
    uint32_t nesting_ = 0;  // of brackets: a table counts three
    Level levels_[kMostDepth + 1];
};

}  // namespace accp
