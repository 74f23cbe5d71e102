// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/json_reader.h"

#include <simdjson.h>

#include <cstdint>
#include <cstring>

#include "base/bytes.h"
#include "base/random.h"
#include "base/utf8.h"
#include "value/keys.h"
#include "value/number.h"

namespace accp::value {

namespace {

// Returns the value of four hexadecimal digits, or -1.
int hex4(const char *p, const char *end) {
    if (end - p < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        value = value << 4 | digit;
    }
    return value;
}

}  // namespace

bool copy_json_escape(const char *&from, const char *end, char *&to) {
    constexpr char kPlain[] = "\"\\/bfnrt", kMeaning[] = "\"\\/\b\f\n\r\t";
    if (end - from < 2) return false;
    if (from[1] != 'u') {
        const char *at = from[1] ? std::strchr(kPlain, from[1]) : nullptr;
        if (!at) return false;
        *to++ = kMeaning[at - kPlain];
        from += 2;
        return true;
    }
    int unit = hex4(from + 2, end);
    if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return false;
    uint32_t point = static_cast<uint32_t>(unit);
    const char *next = from + 6;
    if (unit >= 0xD800 && unit < 0xDC00) {
        int low = end - next >= 6 && next[0] == '\\' && next[1] == 'u' ? hex4(next + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) return false;
        point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
        next += 6;
    }
    to = write_utf8(point, to);
    from = next;
    return true;
}

// Not inlined, so that Walk keeps its members in registers.
[[gnu::noinline]] StringCopy copy_json_string(const char *from, const char *end, char *to) {
    for (;;) {
        if (end - from >= 16) {
            Bytes16 bytes = Bytes16::load(from);
            bytes.store(to);
            uint32_t special = bytes.equal('"') | bytes.equal('\\');
            if (!special) {
                from += 16;
                to += 16;
                continue;
            }
            int plain = __builtin_ctz(special);
            from += plain;
            to += plain;
        } else {
            while (*from != '"' && *from != '\\') *to++ = *from++;
        }
        if (*from == '"') return {to, nullptr};
        if (!copy_json_escape(from, end, to)) return {to, from};
    }
}

Status json_string_fault(const char *fault, const char *text) {
    auto offset = static_cast<uint64_t>(fault - text);
    bool surrogate = fault[1] == 'u' && (fault[2] | 0x20) == 'd' &&
                     std::strchr("89abcdefABCDEF", fault[3]) && fault[3];
    if (surrogate && hex4(fault + 2, fault + 6) >= 0)
        return fail(ACCP_E1004, offset, "a lone surrogate has no UTF-8");
    return fail(ACCP_E1001, offset, "not a JSON escape");
}

namespace {

// Finds out byte by byte why a text cannot be indexed. Always returns a failure: E1004 for invalid
// UTF-8, E1001 for a control character in a string or a string without an end.
[[gnu::cold]] [[gnu::noinline]] Status json_fault(const char *text, size_t len) {
    size_t valid = valid_utf8_prefix(text, len);
    bool string = false;
    for (size_t i = 0; i < valid; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (string && c < 0x20)
            return fail(ACCP_E1001, i, "a control character inside a JSON string");
        if (string && c == '\\') ++i;
        else if (c == '"') string = !string;
    }
    if (valid < len) return fail(ACCP_E1004, valid, "not UTF-8");
    if (string) return fail(ACCP_E1001, len, "a string without an end");
    return fail(ACCP_E1001, 0, "not JSON");
}

struct Level {
    uint32_t node;
    uint32_t count;
    char closing;  // the bracket that ends it
    KeyFilter keys;
};

// A token must be followed by white space, structure, or the end.
bool ends_token(const char *p, const char *end) {
    return p == end || *p == ',' || *p == '}' || *p == ']' || *p == ' ' || *p == '\n' ||
           *p == '\r' || *p == '\t' || *p == ':';
}

// Computes the plain flag of a key or a string (value.h) at its position in the first word of a
// node. There is one function for strings copied in one vector, and one for all others.
struct NoteKey {
    [[gnu::always_inline]] static uint32_t of(Bytes16 bytes, const char *key, size_t len) {
        return is_plain_key(bytes, key, len) * uint32_t{kPlainKey} << 8;
    }
    static uint32_t of(const char *key, size_t len) {
        return is_plain_key(key, len) * uint32_t{kPlainKey} << 8;
    }
};
struct NoteText {
    [[gnu::always_inline]] static uint32_t of(Bytes16 bytes, const char *text, size_t len) {
        return is_plain_word(bytes, text, len) * uint32_t{kPlainText} << 8;
    }
    static uint32_t of(const char *text, size_t len) {
        return is_plain_text(text, len) * uint32_t{kPlainText} << 8;
    }
};

// One walk over the index of a text. `out` has space for the whole value, which is never longer
// than its JSON. Nothing takes the address of a Walk, so its members stay in registers.
class Walk {
public:
    Walk(const char *text, size_t len, const uint32_t *index, size_t index_count, uint32_t depth,
         Value &out, JsonReader::Origin *origins)
        : text_(text),
          end_(text + len),
          next_(index),
          last_(index + index_count),
          max_depth_(depth),
          first_(out.nodes.data()),
          node_(first_),
          out_text_(out.text.data()),
          write_(out_text_),
          origins_(origins) {}

    // Returns false if the text is invalid; fault() is then the error.
    bool run(Arena &arena, uint64_t seed);
    const Status &fault() const { return fault_; }
    const Node *node_end() const { return node_; }
    const char *text_end() const { return write_; }

private:
    // After its last entry the index holds 0 (a sentinel of simdjson, which make_index() sets
    // again). Inside a container the byte at 0 is an opening bracket, so it is not a comma, colon,
    // quote or closing bracket. So only value() must check for the end of the index.
    [[gnu::always_inline]] char peek() const { return text_[*next_]; }
    [[gnu::always_inline]] uint32_t here() const {
        return next_ < last_ ? *next_ : static_cast<uint32_t>(end_ - text_);
    }
    [[gnu::always_inline]] bool fail_here(const char *message) {
        return fail_at(ACCP_E1001, here(), message);
    }
    [[gnu::always_inline]] bool fail_at(accp_status code, uint64_t offset, const char *message) {
        fault_ = fail(code, offset, message);
        return false;
    }
    bool fail_limit_at(uint64_t offset, const char *message, uint64_t had, uint64_t limit) {
        fault_ = fail_limit(ACCP_E1004, offset, message, had, limit);
        return false;
    }
    [[gnu::always_inline]] uint32_t count() const { return static_cast<uint32_t>(node_ - first_); }

    [[gnu::always_inline]] void add(uint32_t kind_and_flags, const char *begin, uint32_t origin) {
        origins_[count()] = {origin, value_at_};
        uint64_t words[2] = {kind_and_flags | key_note_ | key_len_ << 16 |
                                 static_cast<uint64_t>(begin - out_text_) << 32,
                             static_cast<uint64_t>(write_ - begin) | uint64_t{count() + 1} << 32};
        std::memcpy(static_cast<void *>(node_), words, sizeof words);
        ++node_;
    }
    template <class Note>
    [[gnu::always_inline]] bool string(uint32_t &note);
    [[gnu::always_inline]] bool value(uint32_t origin, Arena &arena);
    [[gnu::always_inline]] bool key();
    [[gnu::always_inline]] bool open(bool map, uint32_t origin, Arena &arena);
    [[gnu::always_inline]] bool close(Arena &arena, uint64_t seed);
    [[gnu::always_inline]] bool literal(const char *word, size_t len, uint32_t kind_and_flags,
                                        uint32_t origin);
    [[gnu::always_inline]] bool number(uint32_t origin);

    const char *text_, *end_;
    const uint32_t *next_, *last_;
    uint32_t max_depth_;
    Node *first_, *node_;
    char *out_text_, *write_;
    JsonReader::Origin *origins_;
    uint32_t value_at_ = 0;
    uint32_t key_len_ = 0;
    uint32_t key_note_ = 0;
    uint32_t depth_ = 0;
    uint32_t levels_capacity_ = 0;
    Level *levels_ = nullptr;
    Level *level_ = nullptr;  // the innermost level
    Status fault_;
};

// Copies the string at the current entry to write_, and advances.
template <class Note>
inline bool Walk::string(uint32_t &note) {
    const char *from = text_ + *next_ + 1;
    if (end_ - from >= 16) {  // most strings are shorter than a vector, and have no escape
        Bytes16 bytes = Bytes16::load(from);
        bytes.store(write_);
        uint32_t quote = bytes.equal('"');
        // the first quote and all bytes before it; all bits if there is no quote
        uint32_t before = quote ^ (quote - 1);
        if (__builtin_expect(quote && !(bytes.equal('\\') & before), 1)) {
            const auto len = static_cast<size_t>(__builtin_ctz(quote));
            note = Note::of(bytes, from, len);
            write_ += len;
            ++next_;
            return true;
        }
    }
    StringCopy copy = copy_json_string(from, end_, write_);
    if (copy.fault) {
        fault_ = json_string_fault(copy.fault, text_);
        return false;
    }
    note = Note::of(write_, static_cast<size_t>(copy.written - write_));
    write_ = copy.written;
    ++next_;
    return true;
}

inline bool Walk::literal(const char *word, size_t len, uint32_t kind_and_flags, uint32_t origin) {
    const char *p = text_ + *next_;
    if (static_cast<size_t>(end_ - p) < len || std::memcmp(p, word, len) ||
        !ends_token(p + len, end_))
        return fail_here("not a JSON value");
    ++next_;
    add(kind_and_flags, write_, origin);
    return true;
}

inline bool Walk::number(uint32_t origin) {
    const char *p = text_ + *next_;
    // The fast case, which is nearly every number in a message: up to three digits, directly before
    // a comma or bracket.
    NumberToken token = {0, ACCP_INT};
    if (end_ - p > 4 && *p != '0') {
        while (token.len < 3 && static_cast<unsigned char>(p[token.len] - '0') < 10) ++token.len;
        if (!ends_token(p + token.len, end_)) token.len = 0;
    }
    if (!token.len) token = scan_number(p, end_);
    if (!token.len || !ends_token(p + token.len, end_)) return fail_here("not a JSON value");
    ++next_;
    const char *begin = write_;
    if (token.len <= 16 && end_ - p >= 16) Bytes16::load(p).store(write_);
    else std::memcpy(write_, p, token.len);
    write_ += token.len;
    const bool plain =
        token.kind == ACCP_INT || (token.kind == ACCP_DEC && is_plain_decimal({begin, token.len}));
    add(token.kind | (plain ? kPlainText : 0u) << 8, begin, origin);
    return true;
}

inline bool Walk::open(bool map, uint32_t origin, Arena &arena) {
    if (depth_ == max_depth_)
        return fail_limit_at(
            here(), "arrays and objects are nested deeper than the limit json_depth allows",
            depth_ + uint64_t{1}, max_depth_);
    if (depth_ == levels_capacity_) {
        uint32_t room = levels_capacity_ ? levels_capacity_ * 4 : 16;
        auto *levels = arena.allocate<Level>(room);
        if (depth_) std::memcpy(static_cast<void *>(levels), levels_, depth_ * sizeof *levels);
        levels_ = levels;
        levels_capacity_ = room;
    }
    ++next_;
    level_ = levels_ + depth_++;
    *level_ = {count(), 0, map ? '}' : ']', {}};
    add(map ? ACCP_MAP : ACCP_ARRAY, write_, origin);
    return true;
}

inline bool Walk::close(Arena &arena, uint64_t seed) {
    Level &level = *level_;
    Node &node = first_[level.node];
    node.len = level.count;
    node.next = count();
    ++next_;
    --depth_;
    --level_;
    if (level.closing == ']' || __builtin_expect(level.count <= kLinearKeys, 1)) return true;
    uint32_t duplicate = find_equal_key({first_, out_text_}, level.node, arena, seed);
    return !duplicate || fail_at(ACCP_E1001, origins_[duplicate].key, "duplicate key");
}

inline bool Walk::key() {
    if (peek() != '"') return fail_here("a key was expected");
    const char *begin = write_;
    if (!string<NoteKey>(key_note_)) return false;
    size_t len = static_cast<size_t>(write_ - begin);
    bool known = level_->keys.add(begin, len);
    if (__builtin_expect(known || len > kMaxKeyBytes, 0)) {
        if (len > kMaxKeyBytes)
            return fail_limit_at(next_[-1], "more bytes in a key than a key may have", len,
                                 kMaxKeyBytes);
        if (level_->count <= kLinearKeys &&
            // the count includes this entry
            has_key({first_, out_text_}, level_->node, count(), begin, len))
            return fail_at(ACCP_E1001, next_[-1], "duplicate key");
    }
    *write_++ = '\0';
    key_len_ = static_cast<uint32_t>(len);
    if (peek() != ':') return fail_here("a colon was expected");
    ++next_;
    return true;
}

inline bool Walk::value(uint32_t origin, Arena &arena) {
    if (next_ >= last_) return fail_here("the JSON text ends too early");
    value_at_ = *next_;
    char c = peek();
    if (__builtin_expect(c == '"', 1)) {
        const char *begin = write_;
        uint32_t note = 0;
        if (!string<NoteText>(note)) return false;
        add(ACCP_STRING | note, begin, origin);
        return true;
    }
    switch (c) {
        case '{': return open(true, origin, arena);
        case '[': return open(false, origin, arena);
        case 't': return literal("true", 4, ACCP_BOOL | ACCP_NODE_TRUE << 8, origin);
        case 'f': return literal("false", 5, ACCP_BOOL, origin);
        case 'n': return literal("null", 4, ACCP_NULL, origin);
        default: return number(origin);
    }
}

// Each iteration reads one value and its key, and closes the containers that end there. There is no
// recursion, so depth costs no stack.
bool Walk::run(Arena &arena, uint64_t seed) {
    if (next_ == last_) return fail_here("an empty text is not JSON");
    for (uint32_t origin = *next_;;) {
        if (!value(origin, arena)) return false;
        key_len_ = key_note_ = 0;
        for (;;) {  // close all containers that end here
            if (!depth_) return next_ == last_ || fail_here("text after the JSON value");
            if (peek() != level_->closing) break;
            if (!close(arena, seed)) return false;
        }
        if (level_->count++) {
            if (peek() != ',') return fail_here("a comma or the closing bracket was expected");
            ++next_;
        }
        origin = *next_;
        if (level_->closing == ']') continue;
        if (!key()) return false;
    }
}

}  // namespace

JsonReader::JsonReader(Memory &memory) : origins_(memory), arena_(memory), seed_(random_seed()) {}
JsonReader::~JsonReader() = default;

// Returns false if the text cannot be indexed: invalid UTF-8, a string without an end, or a control
// character in a string. json_fault() then finds the error.
bool JsonReader::run_first_stage(const char *text, size_t len) {
    using simdjson::internal::dom_parser_implementation;
    // do not keep the index of one large text
    if (index_ && index_->capacity() > kKeptBytes && len < kKeptBytes / 8) index_.reset();
    if (!index_ &&
        simdjson::get_active_implementation()->create_dom_parser_implementation(1024, 16, index_))
        throw OutOfMemory{};
    if (len > index_->capacity() && index_->set_capacity(len + len / 2)) throw OutOfMemory{};
    return index_->stage1(reinterpret_cast<const uint8_t *>(text), len,
                          simdjson::stage1_mode::regular) == simdjson::SUCCESS;
}

const uint32_t *JsonReader::index() const { return index_->structural_indexes.get(); }
size_t JsonReader::index_count() const { return index_->n_structural_indexes; }

Status JsonReader::make_index(const char *text, size_t len, const JsonLimits &limits) {
    origins_.recycle(kKeptBytes);
    arena_.reset();
    if (len > limits.bytes)
        return fail_limit(ACCP_E1001, limits.bytes,
                          "the JSON text is longer than the limit json_bytes allows", len,
                          limits.bytes);
    if (!len) return fail(ACCP_E1001, 0, "an empty text is not JSON");
    if (!run_first_stage(text, len)) return json_fault(text, len);
    std::memset(&index_->structural_indexes[index_->n_structural_indexes], 0, 2 * sizeof(uint32_t));
    return {};
}

Status JsonReader::read_indexed(const char *text, size_t len, const JsonLimits &limits,
                                Value &out) {
    size_t max = index_count() + 1;
    out.clear();
    origins_.reserve(max);
    out.nodes.reserve(max);
    out.text.reserve(len + 64);
    Walk walk(text, len, index(), index_count(), limits.depth, out, origins_.data());
    if (!walk.run(arena_, seed_)) return walk.fault();
    out.nodes.set_end(walk.node_end());
    out.text.set_end(walk.text_end());
    return {};
}

Status JsonReader::read(const char *text, size_t len, const JsonLimits &limits, Value &out) {
    out.clear();
    Status status = make_index(text, len, limits);
    return status.failed() ? status : read_indexed(text, len, limits, out);
}

}  // namespace accp::value
