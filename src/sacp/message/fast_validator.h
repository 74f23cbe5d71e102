// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decides quickly that a typical message is valid, from the structure index of its text and without
// a tree. It runs all checks of SACP-RULES in one pass and gives up at the first failure and at
// anything unusual: escapes, references, nested messages, requests for agents. Checker then
// decides.
#pragma once

#include "sacp/library/aliases.h"
#include "sacp/library/library.h"
#include "sacp/message/message.h"
#include "sacp/message/scopes.h"

namespace accp::sacp {

// The types that a value has: one bit for each Type.
using TypeBits = uint32_t;
constexpr TypeBits type_bit(Type type) { return TypeBits{1} << static_cast<uint32_t>(type); }
constexpr TypeBits kNullBits = ~TypeBits{0},
                   kTextBits = type_bit(Type::kAny) | type_bit(Type::kString),
                   kBooleanBits = type_bit(Type::kAny) | type_bit(Type::kBoolean),
                   kNumberBits = type_bit(Type::kAny) | type_bit(Type::kNumber),
                   kIntegerBits = kNumberBits | type_bit(Type::kInteger),
                   kArrayBits = type_bit(Type::kAny) | type_bit(Type::kArray),
                   kObjectBits = type_bit(Type::kAny) | type_bit(Type::kObject);

class JsonScanner {
public:
    // A position in the index; nullptr means that the pass gave up. Passed by value to stay in a
    // register.
    using Cursor = const uint32_t *;
    using Types = TypeBits;

protected:
    // Bounds of what one pass handles.
    static constexpr uint32_t kMaxDepth = 16;
    static constexpr uint32_t kMaxKeys = 64;  // of all open objects
    static constexpr uint32_t kMaxKey = 64;   // bytes

    // An open object or array.
    struct Level {
        uint64_t seen;   // a bit for each key, from its first and last byte and its length
        uint32_t first;  // of its keys in keys_
        char closing;
        bool has_more;  // whether another value follows
    };

    // `index` is that of JsonReader for this text.
    JsonScanner(std::string_view text, const uint32_t *index, size_t index_count)
        : text_(text.data()),
          end_(text.data() + text.size()),
          first_(index),
          last_(index + index_count) {}

    // The index has a 0 after its last entry, and the text starts with an opening bracket. So only
    // open() has to check for the end.
    char peek(Cursor at) const { return text_[*at]; }
    Cursor pass(Cursor at, char c) const { return peek(at) == c ? at + 1 : nullptr; }
    // Each passes one element and returns the next position, or nullptr.
    Cursor open(Cursor at, Level &level) const;
    Cursor pass_separator(Cursor at, Level &level);
    Cursor string(Cursor at, std::string_view &out) const;
    Cursor key(Cursor at, Level &level, std::string_view &out);
    Cursor literal(Cursor at, std::string_view word) const;
    Cursor number(Cursor at, Types &types) const;
    Cursor scalar(Cursor at, bool references,
                  Types &types) const;  // `references`: fail on strings that begin with $
    Cursor value(Cursor at, bool references, Types &types);
    Cursor container(Cursor at, bool references, Types &types);

    const char *const text_, *const end_;
    const Cursor first_, last_;

private:
    static bool ends_token(const char *p, const char *end) {
        return p == end || *p == ',' || *p == '}' || *p == ']' || *p == ' ' || *p == '\n' ||
               *p == '\r' || *p == '\t';
    }

    uint32_t key_count_ = 0;
    struct Key {
        const char *text;
        size_t len;
    } keys_[kMaxKeys];  // of all open objects; not initialized, which would cost time
};

class FastValidator : private JsonScanner {
public:
    // `index` is that of JsonReader for this text.
    FastValidator(std::string_view text, const uint32_t *index, size_t index_count,
                  const Library &library, bool strict)
        : JsonScanner(text, index, index_count), library_(library), strict_(strict) {}

    // Returns true if the message is VALID; false means undecided. Call it once.
    bool accepts();

private:
    static constexpr uint32_t kMaxParams = 16;  // of a step

    struct Params;

    // Each passes one element and returns the next position, or nullptr.
    Cursor member(Cursor at, Member member);
    Cursor ctx(Cursor at);
    Cursor parts(Cursor at, uint32_t parallels);
    Cursor parallel(Cursor at, uint32_t parallels);
    Cursor step(Cursor at, bool may_join);
    Cursor params(Cursor at, Params &params);
    Cursor param(Cursor at, Params &params, std::string_view key);

    bool find(std::string_view text, NameId &out) const;

    const Library &library_;
    const bool strict_;
};

}  // namespace accp::sacp
