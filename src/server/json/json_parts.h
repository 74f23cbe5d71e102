// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parts of a compact JSON text, as views of it: for values that are handed on as they are.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace host {

// The text without white space. Throws Failure for what is no JSON.
std::string compact_json(std::string_view json);

// The value of a member of a compact object; empty: there is none, or it is no object.
std::string_view json_member(std::string_view object, std::string_view key);
// The members of a compact object, in their order; a key as it stands between its quotes.
std::vector<std::pair<std::string_view, std::string_view>> json_members(std::string_view object);
// The values of a compact array; none of anything else.
std::vector<std::string_view> json_items(std::string_view array);
// Of a compact string without escapes; of anything else empty.
std::string_view json_word(std::string_view string);
// The text of any string; of anything else empty.
std::string json_text(std::string_view string);

}  // namespace host
