// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values of a JSON text, passed over its index without a tree: what types they have, and that no
// object has a key twice. It gives up at the first that is not sound, and at escapes. All of it is
// inlined into who uses it (glance.cc).
#pragma once

#include "base/bytes.h"
#include "sacp/library/library.h"
#include "value/number.h"

namespace accp::plan {

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

class JsonWalk {
public:
    // A place in the index; nullptr: it gives up. By value from one to the next, so that it stays
    // in a register.
    using At = const uint32_t *;
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
        bool more;  // does a value come next? else it has ended
    };

    // `index` is JsonReader's of this text.
    JsonWalk(std::string_view text, const uint32_t *index, size_t index_count)
        : text_(text.data()),
          end_(text.data() + text.size()),
          first_(index),
          last_(index + index_count) {}

    // The index says 0 after its last entry, and the text begins with a bracket that opens: only
    // open() must ask whether there is a next entry.
    char peek(At at) const { return text_[*at]; }
    At pass(At at, char c) const { return peek(at) == c ? at + 1 : nullptr; }
    // Each passes what it is named after, or gives up.
    At open(At at, Level &level) const;
    At go_on(At at, Level &level);
    At string(At at, std::string_view &out) const;
    At key(At at, Level &level, std::string_view &out);
    At literal(At at, std::string_view word) const;
    At number(At at, Types &types) const;
    At scalar(At at, bool references, Types &types) const;  // without references, if it says so
    At value(At at, bool references, Types &types);
    At container(At at, bool references, Types &types);

    const char *const text_, *const end_;
    const At first_, last_;

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

// The text has no backslash, so a string ends at the last quote before the next entry: between
// them is only white space.
[[gnu::always_inline]] inline JsonWalk::At JsonWalk::string(At at, std::string_view &out) const {
    const uint32_t begin = at[0], next = at[1];
    if (text_[begin] != '"' || next <= begin) return nullptr;
    const char *close = text_ + next - 1;
    while (__builtin_expect(*close != '"', 0)) --close;
    out = {text_ + begin + 1, static_cast<size_t>(close - text_ - begin - 1)};
    return at + 1;
}

// A comma, or the end of the object or array.
[[gnu::always_inline]] inline JsonWalk::At JsonWalk::go_on(At at, Level &level) {
    level.more = peek(at) == ',';
    if (level.more) return at + 1;
    key_count_ = level.first;
    return pass(at, level.closing);
}

// The bracket, and the end where nothing is in it.
[[gnu::always_inline]] inline JsonWalk::At JsonWalk::open(At at, Level &level) const {
    if (at >= last_) return nullptr;
    level = {0, key_count_, static_cast<char>(peek(at) + 2), true};  // in ASCII
    ++at;
    level.more = peek(at) != level.closing;
    return at + !level.more;
}

// A key that its object has not yet, and its colon.
[[gnu::always_inline]] inline JsonWalk::At JsonWalk::key(At at, Level &level,
                                                         std::string_view &out) {
    if (!(at = string(at, out)) || out.size() - 1 >= kMaxKey || key_count_ == kMaxKeys)
        return nullptr;
    const auto first = static_cast<unsigned char>(out.front()),
               last = static_cast<unsigned char>(out.back());
    const uint64_t own = uint64_t{1} << ((first + last * 8u + out.size()) & 63);
    if (__builtin_expect((level.seen & own) != 0, 0))
        for (uint32_t i = level.first; i < key_count_; ++i)
            if (std::string_view(keys_[i].text, keys_[i].len) == out) return nullptr;
    level.seen |= own;
    keys_[key_count_++] = {out.data(), out.size()};
    return pass(at, ':');
}

inline JsonWalk::At JsonWalk::literal(At at, std::string_view word) const {
    const char *p = text_ + *at;
    const bool is_it = static_cast<size_t>(end_ - p) >= word.size() &&
                       word == std::string_view(p, word.size()) &&
                       ends_token(p + word.size(), end_);
    return is_it ? at + 1 : nullptr;
}

[[gnu::always_inline]] inline JsonWalk::At JsonWalk::number(At at, Types &types) const {
    const char *p = text_ + *at;
    types = kIntegerBits;
    if (*p != '0') {
        const char *end = p;
        while (end < end_ && is_digit(static_cast<unsigned char>(*end))) ++end;
        if (end > p && ends_token(end, end_)) return at + 1;
    }
    const value::NumberToken token = value::scan_number(p, end_);
    if (!token.len || !ends_token(p + token.len, end_)) return nullptr;
    if (std::string_view(p, token.len).find_first_of(".eE") != std::string_view::npos)
        types = kNumberBits;
    return at + 1;
}

[[gnu::always_inline]] inline JsonWalk::At JsonWalk::scalar(At at, bool references,
                                                            Types &types) const {
    std::string_view text;
    const char c = peek(at);
    if (c == '"') {
        types = kTextBits;
        at = string(at, text);
        return at && !(references && *text.data() == '$') ? at : nullptr;
    }
    if (c == 't' || c == 'f') {
        types = kBooleanBits;
        return literal(at, c == 't' ? "true" : "false");
    }
    if (c != 'n') return number(at, types);
    types = kNullBits;
    return literal(at, "null");
}

[[gnu::always_inline]] inline JsonWalk::At JsonWalk::value(At at, bool references, Types &types) {
    const char c = peek(at);
    return c == '{' || c == '[' ? container(at, references, types) : scalar(at, references, types);
}

// One turn takes one value, with its key, and closes what ends there.
[[gnu::noinline]] inline JsonWalk::At JsonWalk::container(At at, bool references, Types &types) {
    Level levels[kMaxDepth];
    uint32_t depth = 0;
    types = peek(at) == '{' ? kObjectBits : kArrayBits;
    for (std::string_view name;;) {
        const char c = peek(at);
        bool more = false;
        if (c == '{' || c == '[') {
            if (depth == kMaxDepth || !(at = open(at, levels[depth]))) return nullptr;
            more = levels[depth].more;
            depth += more;
        } else {
            Types own;
            if (!(at = scalar(at, references, own))) return nullptr;
        }
        while (!more) {
            if (!depth) return at;
            if (!(at = go_on(at, levels[depth - 1]))) return nullptr;
            more = levels[depth - 1].more;
            depth -= !more;
        }
        if (levels[depth - 1].closing == '}' && !(at = key(at, levels[depth - 1], name)))
            return nullptr;
    }
}

}  // namespace accp::plan
