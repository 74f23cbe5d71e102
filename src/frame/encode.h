// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From values to the wire: encodes the params of a payload or a metadata block with the extensions
// in use (docs/wire.md sections 3 and 4).
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/status.h"
#include "frame/key.h"
#include "frame/scalar.h"
#include "value/tree.h"

namespace accp::frame {

class Encoder {
public:
    Encoder(const Settings &settings, Arena &arena, Buffer<char> &out);

    // If tables are not allowed, arrays of objects are written as arrays, even with t1.
    void allow_tables(bool yes) { tables_ = yes; }

    // Appends the entries of a map as params separated by `separator`, without brackets. Skips
    // entry i if bit i of `skip` is set; only the first 64 entries can be skipped. The offset of a
    // failure is the index of the invalid node.
    Status params(value::TreeView tree, uint32_t map, char separator, bool payload,
                  uint64_t skip = 0);

    // Appends one entry of a map as a param.
    Status param(value::TreeView tree, uint32_t node, bool payload);

    // For callers that write a block param by param. Appends a key and its colon, as `__…` if
    // `escape` is set. `node` is the offset of a failure.
    Status key(std::string_view text, uint32_t node, bool escape);
    // Appends the value of a node without its key, as if it were inside `nesting` brackets.
    Status element(value::TreeView tree, uint32_t node, uint32_t nesting);

    // Returns whether the last error is in the key of the node, not in its value.
    bool key_at_fault() const { return key_at_fault_; }

private:
    struct Entry {
        std::string_view key;
        uint32_t node;
    };
    // An open array, map or table, or the block itself. If the order is right already, its nodes
    // are visited in order. A map that must be sorted and a table are lists of entries; those of a
    // table are its cells, row by row.
    struct Level {
        const Entry *entries;  // nullptr: visit nodes
        uint32_t next, end;    // nodes, or indices in `entries`
        uint32_t columns;      // 0: not a table
        char separator;
        char bracket;  // 0: no bracket, for the block itself
        bool keys;
        bool payload;
        bool first;
        // It is the map `delta`. A peer with the dialect compat removes its entries that are null
        // (decision A35).
        bool removes;
    };
    static_assert(std::is_trivial_v<Level>);  // an array of levels costs nothing until one is used

    Status run();
    Status next(Level &level);
    Status value(uint32_t node);
    Status scalar(uint32_t node);
    Status field_text(uint32_t node);
    Status field_number(uint32_t node);
    bool is_delta(size_t start) const;
    Status quoted_removal(uint32_t node);
    Status open(uint32_t node);
    Status open_map(uint32_t node, Level &level);
    bool open_reference(uint32_t node);
    bool open_table(uint32_t node);
    Status write_key(uint32_t node, bool payload);
    Status long_key(uint32_t node, size_t len) const;
    uint32_t first_beyond(uint32_t node, uint64_t limit) const;
    Status wire_key(uint32_t node, std::string_view &key);
    void separate(Level &level);
    Status wrong_key(Status status) {
        key_at_fault_ = true;
        return status;
    }

    const Settings &settings_;
    Arena &arena_;
    Buffer<char> &out_;
    KeyCoder keys_;
    Spelling spelling_;
    bool tables_ = true;  // may be written if t1 is on
    value::TreeView tree_ = {};
    bool key_at_fault_ = false;
    bool in_delta_ = false;  // the last key of the payload is `delta`
    bool removes_ = false;   // the next scalar is in that map
    uint64_t skip_ = 0;      // entries of the block to skip
    uint32_t place_ = 0;     // index of the next entry of the block
    uint32_t depth_ = 0;     // size of levels_
    uint32_t nesting_ = 0;   // open brackets; a table counts as three
    Level levels_[kMaxDepth + 1];
};

// The fast path from a JSON message to its frame, without a value in between. It handles messages
// as programs write them: compact, with the members in order, and without anything to sort, look up
// or reject. It gives up on any other message, and then the general path (coder.cc) starts again.
// Both paths produce the same text; a fuzz target checks this.

// Of the JSON, because space for the longest spelling is reserved first.
constexpr size_t kMaxDirectBytes = 64 << 10;

// `json` must have a Buffer's slack after it. `index` is the structure that simdjson's first stage
// found, with two zeros after the last entry. Appends the frame and returns true, or leaves `out`
// unchanged.
bool encode_direct(const Settings &settings, const char *json, size_t len, const uint32_t *index,
                   size_t index_count, Buffer<char> &out);

}  // namespace accp::frame
