// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values to the wire: the params of a payload or a metadata block, under the extensions in force
// (docs/wire.md sections 3 and 4).
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

    // Without them arrays of objects go as such, also under t1.
    void allow_tables(bool yes) { tables_ = yes; }

    // Appends the entries of a map as params with `separator` between them, without brackets,
    // passing over those for which `skip` has a bit set (bit i: the i-th entry; entries from the
    // 64th on are never passed over). On failure the status' offset is the index of the node at
    // fault.
    Status params(value::TreeView tree, uint32_t map, char separator, bool payload,
                  uint64_t skip = 0);

    // Appends one entry of a map as a param.
    Status param(value::TreeView tree, uint32_t node, bool payload);

    // For those who write a block param by param. Appends a key and its colon, as `__…` where
    // escape; `node` is who is at fault.
    Status key(std::string_view text, uint32_t node, bool escape);
    // Appends the value of a node, without its key, as if it stood inside `nesting` brackets.
    Status element(value::TreeView tree, uint32_t node, uint32_t nesting);

    // Whether what was wrong is the key of the node at fault.
    bool key_at_fault() const { return key_at_fault_; }

private:
    struct Entry {
        std::string_view key;
        uint32_t node;
    };
    // An open array, map or table, or the block itself. What is in the right order already is
    // walked node by node; a map that must be sorted and a table are walked by entries, a table's
    // being its cells, row after row.
    struct Level {
        const Entry *entries;  // nullptr: nodes
        uint32_t next, end;    // nodes, or places in `entries`
        uint32_t columns;      // 0: no table
        char separator;
        char bracket;  // 0: none, for the block itself
        bool keys;
        bool payload;
        bool first;
        // it is the map `delta`, whose entries a peer that reads compat removes where they are null
        // (decision A35)
        bool removes;
    };
    static_assert(std::is_trivial_v<Level>);  // an array of them costs nothing until one is opened

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
    bool tables_ = true;  // may be written, where t1 is in force
    value::TreeView tree_ = {};
    bool key_at_fault_ = false;
    bool in_delta_ = false;  // the key of the payload that was written last is `delta`
    bool removes_ = false;   // the scalar to be written stands in that map
    uint64_t skip_ = 0;      // of the block's entries
    uint32_t place_ = 0;     // of the block's next entry
    uint32_t depth_ = 0;     // of levels_
    uint32_t nesting_ = 0;   // of brackets: a table counts three
    Level levels_[kMaxDepth + 1];
};

// The short way from a JSON message to its frame: no value in between. It takes messages as
// programs write them (compact, the members in their order, nothing that must be sorted, looked up
// or refused) and gives up on every other, whatever the reason; the general way (message.cc) then
// starts again. So nothing is decided here: for what it takes, its text equals the general way's,
// and a fuzz target holds it to that.

// of JSON: room for the worst spelling is taken up front
constexpr size_t kMaxDirectBytes = 64 << 10;

// json: the message, with a Buffer's slack after it. index: where simdjson's first stage found its
// structure, two zeros after the last entry. Appends the frame and returns true, or leaves `out` as
// it was.
bool encode_direct(const Settings &settings, const char *json, size_t len, const uint32_t *index,
                   size_t index_count, Buffer<char> &out);

}  // namespace accp::frame
