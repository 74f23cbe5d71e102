// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Arguments of a tool against the JSON Schema that its list shows: so that both say the same. Of
// the schemas of 2020-12 it knows type, properties, required, additionalProperties: false, enum,
// minimum, maximum, minLength, maxLength (in bytes), minItems, maxItems and items; a description
// says nothing here. A member that may be left out may be null, whatever its type.
#pragma once

#include <string>
#include <string_view>

namespace server {

// What is wrong with a value, where, and what may stand there instead; empty: nothing. Both are
// compact JSON; `name` is what the value is called ("arguments").
std::string schema_fault(std::string_view schema, std::string_view value, const std::string &name);

}  // namespace server
