// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A look at a message's text, over the index of its structure and without a tree: enough to say
// that a usual message is valid. It takes all checks of SACP-RULES at once, in no order, and gives
// up at the first that does not pass, and at whatever it does not know: escapes, references,
// messages inside messages, words that make agents. Checker then has the answer.
#pragma once

#include "sacp/library/aliases.h"
#include "sacp/library/library.h"
#include "sacp/message/message.h"
#include "sacp/message/scopes.h"

namespace accp::sacp {

// The types that a value has: a bit for each Type.
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
    // A place in the index; nullptr: it gives up. By value from one to the next, so that it stays
    // in a register.
    using Cursor = const uint32_t *;
    using Types = TypeBits;

protected:
    // What a text may have and this still knows, so that its cost has a bound.
    static constexpr uint32_t kMaxDepth = 16;
    static constexpr uint32_t kMaxKeys = 64;  // of the objects around a place
    static constexpr uint32_t kMaxKey = 64;   // bytes

    // An object or array that is open.
    struct Level {
        uint64_t seen;   // a bit for each key, by its ends and its length
        uint32_t first;  // of its keys in keys_
        char closing;
        bool has_more;  // does a value come next? else it has ended
    };

    // `index` is JsonReader's of this text.
    JsonScanner(std::string_view text, const uint32_t *index, size_t index_count)
        : text_(text.data()),
          end_(text.data() + text.size()),
          first_(index),
          last_(index + index_count) {}

    // The index says 0 after its last entry, and the text begins with a bracket that opens: only
    // open() must ask whether there is a next entry.
    char peek(Cursor at) const { return text_[*at]; }
    Cursor pass(Cursor at, char c) const { return peek(at) == c ? at + 1 : nullptr; }
    // Each passes what it is named after, or gives up.
    Cursor open(Cursor at, Level &level) const;
    Cursor pass_separator(Cursor at, Level &level);
    Cursor string(Cursor at, std::string_view &out) const;
    Cursor key(Cursor at, Level &level, std::string_view &out);
    Cursor literal(Cursor at, std::string_view word) const;
    Cursor number(Cursor at, Types &types) const;
    Cursor scalar(Cursor at, bool references,
                  Types &types) const;  // without references, if it says so
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
    } keys_[kMaxKeys];  // of the objects that are open; trivial, so that they cost nothing
};

class FastValidator : private JsonScanner {
public:
    // `index` is JsonReader's of this text.
    FastValidator(std::string_view text, const uint32_t *index, size_t index_count,
                  const Library &library, bool strict)
        : JsonScanner(text, index, index_count), library_(library), strict_(strict) {}

    // True: the message is VALID. False: nothing is known. To be called once.
    bool accepts();

private:
    static constexpr uint32_t kMaxParams = 16;  // of a step

    struct Params;

    // Each passes what it is named after, or gives up.
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
