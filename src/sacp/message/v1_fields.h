// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The objects of messages of version 1.0.0: which members they have, of what form. As the schema of
// Matías Iacono's SACP says it (data/sacp/README.md).
#pragma once

#include <span>
#include <string_view>

#include "value/tree.h"

namespace accp::plan {

enum class Form : uint8_t {
    kObject,
    kArray,
    kBoolean,
    kText,    // of so many characters
    kId,      // [A-Za-z0-9._:-], so many
    kCode,    // [A-Z0-9_], so many
    kTime,    // RFC 3339, in UTC, written with a Z
    kWhole,   // an integer in these bounds
    kAmount,  // a number that is not negative
    kOutFmt,
    kState,
    kOnError,
    kStrategy
};

struct Field {
    std::string_view name;
    Form form;
    bool required;
    uint32_t min, max;
};

extern const std::span<const Field> kV1Message, kV1Step, kV1Retry, kV1Result, kV1Error, kV1Trace,
    kV1Metrics;

// nullptr: these have no member of this name.
const Field *find_field(std::span<const Field> fields, std::string_view name);
// The first member of an object that is none of these, or 0.
uint32_t find_unknown(value::TreeView tree, uint32_t object, std::span<const Field> fields);
// The first of these that the object must have and has not; nullptr: it has all.
const Field *find_missing(value::TreeView tree, uint32_t object, std::span<const Field> fields);

// Is it of the JSON type that the form asks for? And of the form itself, if it is of that type?
bool has_form_type(value::TreeView tree, uint32_t node, const Field &field);
bool has_form(value::TreeView tree, uint32_t node, const Field &field);
// Does the form list all its words?
constexpr bool is_word(Form form) { return form >= Form::kOutFmt; }

// A member of ext: an organisation's name, a dot, a name.
bool is_extension_name(std::string_view key);

}  // namespace accp::plan
