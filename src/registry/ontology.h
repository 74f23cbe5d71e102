// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What every agent knows before it has met another: intents, core operations, the abbreviations of
// keys, and the types of fields. Tables only; what a registry adds to them is registry.h's.
#pragma once

#include <cstdint>
#include <string_view>

namespace accp::registry {

constexpr int kIntentCount = 12;
constexpr int kCoreOperationCount = 19;  // of kOperationCount, the first
constexpr int kOperationCount = 27;
constexpr int kAbbreviationCount = 16;

// The number of an intent (intents.def), or -1: E1002. Twelve comparisons of one word.
int find_intent(std::string_view code);
std::string_view intent_code(int intent);  // 0 <= intent < kIntentCount
// Why E1002: with all of them.
extern const char *const kNoIntent;

// The number of an operation of ops.def, or -1.
int find_operation(std::string_view name);
std::string_view operation_name(int operation);

// The abbreviation of a key, and the key of an abbreviation (keys.def); empty where there is none.
std::string_view find_abbreviation(std::string_view key);
std::string_view find_abbreviated(std::string_view code);

// The types that a schema may give a field (decision A50). A field of no stated type takes any
// value. A ref has the type of what it names: it is asked about again when it is resolved. Null is
// the absence of a value, and stands for every type.
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

// The type of that name ("integer"), or false.
bool find_type(std::string_view name, FieldType &out);
std::string_view type_name(FieldType type);

// May a value of this kind (accp_kind) stand in a field of this type? kDecimal takes integers too,
// and neither quotes nor exponents: what it holds is exact digits (decisions A7, A10).
bool fits(FieldType type, uint8_t kind);
// Why E1004, where it does not: static text.
const char *expected_type(FieldType type);

}  // namespace accp::registry
