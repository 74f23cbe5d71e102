// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The vocabulary of every agent: intents, core operations, abbreviations of keys, and types of
// fields. registry.h adds the vocabulary of a registry.
#pragma once

#include <cstdint>
#include <string_view>

namespace accp::registry {

constexpr int kIntentCount = 12;
constexpr int kCoreOperationCount = 19;  // the first of kOperationCount
constexpr int kOperationCount = 27;
constexpr int kAbbreviationCount = 16;

// The number of an intent (intents.def), or -1: E1002.
int find_intent(std::string_view code);
std::string_view intent_code(int intent);  // 0 <= intent < kIntentCount
// The message of E1002, with all intents.
extern const char *const kNoIntent;

// The number of an operation in ops.def, or -1.
int find_operation(std::string_view name);
std::string_view operation_name(int operation);

// The abbreviation of a key, and the key of an abbreviation (keys.def); empty: none.
std::string_view find_abbreviation(std::string_view key);
std::string_view find_abbreviated(std::string_view code);

// The types of a schema's fields (decision A50). A field without a type accepts any value. A ref is
// accepted by every type, and its value is checked when it is resolved. Null means a missing value,
// and every type accepts it.
enum class FieldType : uint8_t {
    kAny,
    kString,
    kInteger,
    kDecimal,
    kNumber,
    kBoolean,
    kArray,
    kObject
};

// Finds the type with this name ("integer"). Returns false for an unknown name.
bool find_type(std::string_view name, FieldType &out);
std::string_view type_name(FieldType type);

// Returns whether a field of this type accepts a value of this kind (accp_kind). kDecimal also
// accepts integers, but no quotes and no exponents: it has exact digits (decisions A7, A10).
bool fits(FieldType type, uint8_t kind);
// The static message of E1004 for this type.
const char *expected_type(FieldType type);

}  // namespace accp::registry
