// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "registry/ontology.h"

#include <cstring>

#include "base/memory.h"

namespace accp::registry {

namespace {

constexpr uint64_t packed(std::string_view text) {
    uint64_t word = 0;
    for (size_t i = 0; i < text.size(); ++i)
        word |= uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
    return word;
}

constexpr std::string_view kIntents[] = {
#define ACCP_INTENT_ROW(symbol, code, meaning) code,
#include "registry/intents.def"
#undef ACCP_INTENT_ROW
};
constexpr uint64_t kIntentWords[] = {
#define ACCP_INTENT_ROW(symbol, code, meaning) packed(code),
#include "registry/intents.def"
#undef ACCP_INTENT_ROW
};
constexpr std::string_view kOperations[] = {
#define ACCP_OPERATION(name) name,
#include "registry/ops.def"
#undef ACCP_OPERATION
};
// Each text has slack after it, because the coders copy whole vectors.
struct PaddedRow {
    char code[8 + Buffer<char>::kSlack];
    char key[24 + Buffer<char>::kSlack];
};
constexpr PaddedRow kRows[] = {
#define ACCP_KEY(code, name) {code, name},
#include "frame/keys.def"
#undef ACCP_KEY
};
struct Abbreviation {
    std::string_view code, key;
};
struct Abbreviations {
    Abbreviation at[kAbbreviationCount];
    constexpr Abbreviations() : at{} {
        for (int i = 0; i < kAbbreviationCount; ++i) at[i] = {kRows[i].code, kRows[i].key};
    }
};
constexpr Abbreviations kAbbreviations;
static_assert(sizeof kIntents == kIntentCount * sizeof *kIntents &&
              sizeof kOperations == kOperationCount * sizeof *kOperations &&
              sizeof kRows == kAbbreviationCount * sizeof *kRows);

constexpr uint16_t bit(int kind) { return static_cast<uint16_t>(1 << kind); }

struct TypeRow {
    std::string_view name;
    uint16_t kinds;
    const char *expected;
};
#define EXPECTED(what) "a value that is not of its field's type: expected " what
constexpr TypeRow kTypes[] = {
    {"any", 0xFFFF, EXPECTED("any value")},
    {"string", bit(ACCP_STRING), EXPECTED("a string")},
    {"integer", bit(ACCP_INT), EXPECTED("an integer")},
    {"decimal", bit(ACCP_INT) | bit(ACCP_DEC), EXPECTED("a decimal or an integer, no exponent")},
    {"number", bit(ACCP_INT) | bit(ACCP_DEC) | bit(ACCP_NUMBER), EXPECTED("a number")},
    {"boolean", bit(ACCP_BOOL), EXPECTED("true or false")},
    {"array", bit(ACCP_ARRAY), EXPECTED("an array")},
    {"object", bit(ACCP_MAP), EXPECTED("an object")},
};
#undef EXPECTED

}  // namespace

const char *const kNoIntent = "an intent that is none of the twelve:"
#define ACCP_INTENT_ROW(symbol, code, meaning) " " code
#include "registry/intents.def"
#undef ACCP_INTENT_ROW
    ;

namespace {

// The same as packed() for 1 to 8 bytes, with overlapping loads.
uint64_t load_word(const char *text, size_t len) {
    auto byte = [text](size_t at) {
        return uint64_t{static_cast<unsigned char>(text[at])} << 8 * at;
    };
    if (len < 4) return byte(0) | byte(len / 2) | byte(len - 1);
    uint32_t first, last;
    std::memcpy(&first, text, sizeof first);
    std::memcpy(&last, text + len - sizeof last, sizeof last);
    return first | uint64_t{last} << 8 * (len - sizeof last);
}

}  // namespace

int find_intent(std::string_view code) {
    if (code.size() - 1 > 7) return -1;
    const uint64_t word = load_word(code.data(), code.size());
    int found = -1;  // no branch depends on the position
    for (int i = 0; i < kIntentCount; ++i) found = kIntentWords[i] == word ? i : found;
    return found >= 0 && kIntents[found].size() == code.size() ? found : -1;
}

std::string_view intent_code(int intent) { return kIntents[intent]; }

int find_operation(std::string_view name) {
    for (int i = 0; i < kOperationCount; ++i)
        if (kOperations[i] == name) return i;
    return -1;
}

std::string_view operation_name(int operation) { return kOperations[operation]; }

std::string_view find_abbreviation(std::string_view key) {
    for (const Abbreviation &row : kAbbreviations.at)
        if (row.key == key) return row.code;
    return {};
}

std::string_view find_abbreviated(std::string_view code) {
    for (const Abbreviation &row : kAbbreviations.at)
        if (row.code == code) return row.key;
    return {};
}

bool find_type(std::string_view name, FieldType &out) {
    for (size_t i = 0; i < sizeof kTypes / sizeof *kTypes; ++i) {
        if (kTypes[i].name != name) continue;
        out = static_cast<FieldType>(i);
        return true;
    }
    return false;
}

std::string_view type_name(FieldType type) { return kTypes[static_cast<size_t>(type)].name; }

const char *expected_type(FieldType type) { return kTypes[static_cast<size_t>(type)].expected; }

bool fits(FieldType type, uint8_t kind) {
    constexpr uint16_t kAlways = bit(ACCP_NULL) | bit(ACCP_REF);
    return ((kTypes[static_cast<size_t>(type)].kinds | kAlways) >> kind & 1) != 0;
}

}  // namespace accp::registry
