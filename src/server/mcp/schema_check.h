// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks arguments of a tool against the JSON Schema in its list. It supports this part of the
// schemas of 2020-12: type, properties, required, additionalProperties: false, enum, minimum,
// maximum, minLength, maxLength (in bytes), minItems, maxItems and items. Descriptions have no
// effect. An optional member may be null, whatever its type.
#pragma once

#include <string>
#include <string_view>

namespace server {

// Returns the error in a value, with its location and the allowed values; empty: none. Both texts
// are compact JSON; `name` is the name of the value ("arguments").
std::string schema_fault(std::string_view schema, std::string_view value, const std::string &name);

}  // namespace server
