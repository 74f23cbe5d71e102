// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON text with its tree, for changing some bytes of it and keeping all others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "value/json_reader.h"

namespace proxy {

// Returns the byte after the value that begins at `begin`. The text must be valid JSON.
size_t json_value_end(std::string_view text, size_t begin);

// Returns the text as a JSON string.
std::string json_string(std::string_view text);

class JsonText {
public:
    JsonText()
        : memory_(accp::private_allocator(), UINT64_MAX), reader_(memory_), value_(memory_) {}

    // Reads a JSON object, which must outlive all use of it. Returns false if it is not one.
    bool read(std::string_view text);

    accp::value::TreeView tree() const { return value_.view(); }
    size_t begin_of(uint32_t node) const { return reader_.origin(node).value; }
    // The opening quote of the key of a node in a map.
    size_t key_of(uint32_t node) const { return reader_.origin(node).key; }
    size_t end_of(uint32_t node) const { return json_value_end(text_, begin_of(node)); }
    // The bytes of a node.
    std::string_view raw(uint32_t node) const {
        return text_.substr(begin_of(node), end_of(node) - begin_of(node));
    }
    // Returns a member that is a string; empty if it is missing.
    std::string_view text_of(uint32_t map, std::string_view key) const;
    // Returns a member that is a list or a map; 0 if it is missing.
    uint32_t list_of(uint32_t map, std::string_view key) const {
        return find(map, key, ACCP_ARRAY);
    }
    uint32_t map_of(uint32_t map, std::string_view key) const { return find(map, key, ACCP_MAP); }
    // Reads a member that is a whole number from 0. Returns false if it is missing.
    bool number_of(uint32_t map, std::string_view key, uint64_t &out) const;

private:
    uint32_t find(uint32_t map, std::string_view key, uint8_t kind) const;

    accp::Memory memory_;
    accp::value::JsonReader reader_;
    accp::value::Value value_;
    std::string_view text_;
};

// A replacement of the bytes from `begin` to `end`.
struct Edit {
    size_t begin, end;
    std::string text;
};

// Returns the edit that removes a member and one comma. `key`: the opening quote of its key; `end`:
// the byte after its value.
Edit member_removal(std::string_view text, size_t key, size_t end);

// Appends an element to the inside of a JSON array.
inline void add_listed(std::string &list, std::string_view json) {
    if (!list.empty()) list += ',';
    list += json;
}

// Returns the text with these edits, which must not overlap. Insertions at the same place keep
// their order.
std::string apply_edits(std::string_view text, std::vector<Edit> edits);

}  // namespace proxy
