// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where the parts of a compact JSON object lie, as accp_value_print_json() writes it.
#pragma once

#include <cstddef>
#include <string_view>

namespace host {

// Where the member that begins at `at` ends: at its comma, or at the object's bracket.
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

// The value of the member `json`, which is "key":value.
inline std::string_view member_value(std::string_view json) {
    size_t at = 1;
    while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    return json.substr(at + 2 < json.size() ? at + 2 : json.size());
}

}  // namespace host
