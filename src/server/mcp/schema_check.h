// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks arguments of a tool against its JSON Schema in tools/list. It supports this part of the
// schemas of 2020-12: type, properties, required, additionalProperties: false, enum, minimum,
// maximum, minLength, maxLength (in bytes), minItems, maxItems and items. Descriptions have no
// effect. An optional member may be null, whatever its type.
#pragma once

#include <string>
#include <string_view>

namespace server {

// Returns an error message with the location in the value and what the schema allows there; empty:
// the value is valid. Both texts are compact JSON. `name` is what the message calls the value
// ("arguments").
std::string schema_fault(std::string_view schema, std::string_view value, const std::string &name);

}  // namespace server
