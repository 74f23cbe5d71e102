// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads JSON: JsonTree for whole texts, and functions that return views of compact JSON, as
// accp_value_print_json() writes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/handles.h"

namespace host {

// Returns the end of the member that begins at `at`: the position of its comma or of the object's
// bracket.
inline size_t member_end(std::string_view json, size_t at) {
    int depth = 0;
    for (bool in_string = false; at < json.size(); ++at) {
        const char c = json[at];
        if (in_string && c == '\\') ++at;
        else if (c == '"') in_string = !in_string;
        else if (in_string) continue;
        else if (c == '{' || c == '[') ++depth;
        else if (depth == 0 && (c == ',' || c == '}')) return at;
        else if (c == '}' || c == ']') --depth;
    }
    return at;
}

// Returns the value of the member `json`, which is "key":value.
inline std::string_view member_value(std::string_view json) {
    size_t at = 1;
    while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    return json.substr(at + 2 < json.size() ? at + 2 : json.size());
}

// Returns the text without white space. Throws Failure if it is not JSON.
std::string compact_json(std::string_view json);

// Returns a member of a compact object; empty if it is missing, or `object` is not an object.
std::string_view json_member(std::string_view object, std::string_view key);
// The same if null counts as missing.
std::string_view json_optional(std::string_view object, std::string_view key);
// Returns the members of a compact object in order. Keys are in the spelling between their quotes.
std::vector<std::pair<std::string_view, std::string_view>> json_members(std::string_view object);
// Returns the values of a compact array; none for other values.
std::vector<std::string_view> json_items(std::string_view array);
// Returns the content of a compact string without escapes; empty for other values.
std::string_view json_word(std::string_view string);
// Returns the text of any string; empty for other values.
std::string json_text(std::string_view string);

// A parsed JSON text.
class JsonTree {
public:
    // Parses with the limits of a config, which may be NULL. Throws Failure.
    explicit JsonTree(std::string_view json, const accp_config *config = nullptr)
        : value_(new_value(config)) {
        accp_error err = {};
        if (accp_value_parse_json(value_.get(), json.data(), json.size(), &err) != ACCP_OK)
            throw Failure(message_of(err));
        tree_ = tree_of(value_.get());
    }

    // Returns a member of an object; 0 if it is missing, or `node` is not an object.
    uint32_t find(uint32_t node, std::string_view key) const {
        if (tree_.nodes[node].kind != ACCP_MAP) return 0;
        for (uint32_t i = node + 1; i < next(node); i = next(i))
            if (tree_.key(i) == key) return i;
        return 0;
    }
    // Is it an object or a list with at least one element?
    bool has_any(uint32_t node) const { return next(node) != node + 1; }
    uint8_t kind(uint32_t node) const { return tree_.nodes[node].kind; }
    // The number of elements of a list, or members of an object.
    uint32_t count(uint32_t node) const { return tree_.nodes[node].len; }
    uint32_t next(uint32_t node) const { return tree_.nodes[node].next; }
    // For a boolean.
    bool is_true(uint32_t node) const { return (tree_.nodes[node].flags & ACCP_NODE_TRUE) != 0; }
    std::string_view key(uint32_t node) const { return tree_.key(node); }
    // For a text or number.
    std::string_view text(uint32_t node) const { return tree_.raw(node); }

private:
    Handle<accp_value> value_;
    Tree tree_;
};

}  // namespace host
