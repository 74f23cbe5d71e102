// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON for tests: a tree that keeps every number as it was written, of any size. The JSON libraries
// of Debian refuse or round a number that no double holds (1e400, 400 digits), and these tests need
// such numbers.
#pragma once

#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accp_ref {

enum class JsonKind { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };

struct Json;
// a list may have an element type that is still incomplete
using Members = std::list<std::pair<std::string, Json>>;

struct Json {
    JsonKind kind = JsonKind::kNull;
    std::string text;         // number: the literal; string: its UTF-8
    std::vector<Json> items;  // array
    Members members;          // object, in order

    static Json number(std::string literal);
    static Json string(std::string utf8);
    static Json array(std::vector<Json> items);
    static Json object(Members members);

    const Json *find(std::string_view key) const;
    bool is_object() const { return kind == JsonKind::kObject; }
};

bool operator==(const Json &a, const Json &b);  // numbers by literal, members in order

/**
 * Reads one JSON text. Returns nothing if it is not JSON. A lone surrogate is kept as its three
 * bytes, for the caller to refuse.
 */
std::optional<Json> parse_json(std::string_view text);

/** Returns whether `text` is exactly one JSON number. */
bool is_json_number(std::string_view text);

/** Returns compact JSON: without white space, and with only the escapes that RFC 8259 requires. */
std::string write_json(const Json &value);
void append_json_string(std::string_view utf8, std::string &out);

}  // namespace accp_ref
