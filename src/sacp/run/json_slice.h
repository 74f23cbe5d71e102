// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Answers of tools are kept as JSON, as the library writes it (value/json_writer.h): a reference
// into one is a slice of its text, found without a tree.
#pragma once

#include "sacp/library/library.h"

namespace accp::execute {

// What labels lead to from a value on, as plan::TreeIndex finds it in a tree; its pointer is
// null: nowhere. `scratch` is replaced.
std::string_view find_labels(std::string_view json, std::string_view labels, Buffer<char> &scratch);

// A member of an object, by its key as JSON.
std::string_view find_member(std::string_view object, std::string_view key);

// Appends a value so that in a message's params it means what it is: text that would be read as a
// reference gets a `$` before it (R30).
void write_as_text(std::string_view json, Buffer<char> &out);

// As plan::has_type().
bool has_type(std::string_view json, plan::Type type);

}  // namespace accp::execute
