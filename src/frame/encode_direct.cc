// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The index gives the end of a string: its closing quote is directly before the next entry, if
// there is no white space. Escapes are noticed because a backslash is not a safe byte of a frame.
#include "frame/encode.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "frame/key.h"
#include "frame/message/message.h"
#include "frame/scalar.h"
#include "value/keys.h"
#include "value/number.h"

namespace accp::frame {

namespace {

// An open array or map, or the payload or metadata itself.
struct DirectLevel {
    char json_closing, closing, separator;
    bool payload;
    uint32_t count;
    uint64_t max;
    KeyOrder order;  // of an inner map
    value::KeyFilter keys;
};
static_assert(
    std::is_trivial_v<DirectLevel>);  // an array of levels costs nothing until one is used

// The positions of reading and writing. All functions are inlined, and nothing takes the address of
// a Cursor, so its members stay in registers.
struct Cursor {
    const char *text;
    const uint32_t *next;
    char *to;

    [[gnu::always_inline]] char peek() const { return text[*next]; }
    [[gnu::always_inline]] bool accept(char c) {
        if (peek() != c) return false;
        ++next;
        return true;
    }
    // Skips `wanted`, which has this many index entries, or returns false.
    template <size_t size>
    [[gnu::always_inline]] bool accept(const char (&wanted)[size], uint32_t entries) {
        static_assert(size - 1 >= 8 && size - 1 <= 16);  // two overlapping words
        const char *at = text + *next;
        const uint64_t differ =
            (word_at(at) ^ word_at(wanted)) | (word_at(at + size - 9) ^ word_at(wanted + size - 9));
        if (differ) return false;
        next += entries;
        return true;
    }
    [[gnu::always_inline]] static uint64_t word_at(const char *at) {
        uint64_t word;
        std::memcpy(&word, at, sizeof word);
        return word;
    }
    [[gnu::always_inline]] bool string(std::string_view &view) {
        if (peek() != '"') return false;
        uint32_t begin = *next++ + 1, end = *next - 1;
        if (*next <= begin || text[end] != '"') return false;
        view = {text + begin, end - begin};
        return true;
    }
    [[gnu::always_inline]] bool word(std::string_view json, std::string_view wire) {
        if (next[1] != *next + json.size() || std::memcmp(text + *next, json.data(), json.size()))
            return false;
        ++next;
        std::memcpy(to, wire.data(), wire.size());
        to += wire.size();
        return true;
    }
    [[gnu::always_inline]] void copy(const char *from, size_t len) {
        copy_padded(to, from, len);
        to += len;
    }
    [[gnu::always_inline]] bool number() {
        const char *begin = text + *next;
        size_t len = next[1] - *next;
        if (next[1] <= *next) return false;
        // the fast case, which is nearly every number in a message: up to 16 digits
        const uint32_t others = ~Bytes16::load(begin).digits();
        if (len > 16 || *begin == '0' || (others & ((uint32_t{1} << len) - 1))) {
            value::NumberToken token = value::scan_number(begin, begin + len);
            if (!token.len || token.len != len || token.kind == ACCP_NUMBER) return false;
            if (token.kind == ACCP_DEC && !is_plain_decimal({begin, len})) return false;
        }
        ++next;
        copy(begin, len);
        return true;
    }
};

class DirectEncoder {
public:
    DirectEncoder(const Settings &settings, Buffer<char> &out)
        : settings_(settings), out_(out), keys_(settings), spelling_(spelling_of(settings)) {}

    bool message(Cursor cursor, const uint32_t *last, size_t start);

private:
    bool name(Cursor &cursor, ByteClass wanted) const;
    bool block(Cursor &outside, char separator, char closing, bool payload) const;
    char *string(std::string_view view, char *to) const;

    const Settings &settings_;
    Buffer<char> &out_;
    const KeyCoder keys_;
    const Spelling spelling_;
};

// Writes a name, from its opening quote to the comma.
[[gnu::always_inline]] inline bool DirectEncoder::name(Cursor &cursor, ByteClass wanted) const {
    std::string_view view;
    if (!cursor.string(view) || view.size() - 1 >= settings_.limit(ACCP_LIMIT_KEY_BYTES))
        return false;
    if (__builtin_expect(view.size() > message::kShortNameBytes, 0)) {
        for (char c : view)
            if (!(byte_class(c) & wanted)) return false;
    } else if (!message::is_valid_short_name(Bytes16::load(view.data()), view.size(), wanted)) {
        return false;
    }
    cursor.copy(view.data(), view.size());
    return true;
}

// Writes a string that is not plain. Returns nullptr if it has a JSON escape or no spelling.
[[gnu::noinline]] char *DirectEncoder::string(std::string_view view, char *to) const {
    if (std::memchr(view.data(), '\\', view.size())) return nullptr;
    if (char *end = write_escaped_string(view, to)) return end;
    out_.set_end(to);
    return write_wire_string(view, spelling_, out_) ? out_.end() : nullptr;
}

// Writes a key and its colon. If `sorted` is set, the key must be greater than the last one.
[[gnu::always_inline]] inline bool write_key(Cursor &cursor, DirectLevel &level,
                                             const KeyCoder &keys, uint64_t max_key,
                                             const char *out, bool sorted) {
    std::string_view key;
    if (!cursor.string(key) || !cursor.accept(':') || level.keys.add(key.data(), key.size()))
        return false;
    char *begin = cursor.to;
    cursor.to = keys.write(key, level.payload, begin);
    std::string_view wire(begin, static_cast<size_t>(cursor.to - begin));
    if (!cursor.to || wire.size() > max_key) return false;
    if (wire.size() > key.size() && !is_schema(key.data(), key.size()) &&
        std::memchr(key.data(), '\\', key.size()))
        return false;  // the wire form differs, so a backslash may be a JSON escape
    if (sorted && !level.order.follows(out, wire.data(), wire.size())) return false;
    *cursor.to++ = ':';
    return true;
}

// Writes the entries of the payload or the metadata, from after the opening brace to after the
// closing one.
bool DirectEncoder::block(Cursor &outside, char separator, char closing, bool payload) const {
    const KeyCoder keys = keys_;
    const bool tables = settings_.has(ACCP_EXT_T1);
    const uint64_t max_key = settings_.limit(ACCP_LIMIT_KEY_BYTES),
                   max_depth = settings_.limit(ACCP_LIMIT_DEPTH);
    Cursor cursor = outside;
    DirectLevel levels[kMaxDepth + 1];
    DirectLevel *level = levels;
    *level = {'}', closing, separator, payload, 0, settings_.limit(ACCP_LIMIT_PARAMS), {}, {}};
    for (;;) {
        if (cursor.peek() == level->json_closing) {
            ++cursor.next;
            *cursor.to++ = level->closing;
            if (level == levels) break;
            --level;
            continue;
        }
        if (level->count++) {
            if (!cursor.accept(',')) return false;
            *cursor.to++ = level->separator;
        }
        if (level->count > level->max) return false;
        if (level->json_closing == '}') {
            if (!write_key(cursor, *level, keys, max_key, out_.data(), level != levels))
                return false;
        }
        char c = cursor.peek();
        if (__builtin_expect(c == '"', 1)) {
            std::string_view view;
            if (!cursor.string(view)) return false;
            // it has another spelling in a delta
            if (level == levels + 1 && view == "null") return false;
            if (write_plain_string(view.data(), view.size(), cursor.to)) cursor.to += view.size();
            else if (!payload && level == levels) return false;  // may be a text of the envelope
            else if (!(cursor.to = string(view, cursor.to))) return false;
        } else if (c == '{' || c == '[') {
            bool map = c == '{';
            if (static_cast<uint64_t>(level - levels) == max_depth ||
                (tables && level->json_closing == ']' && map))
                return false;
            ++cursor.next;
            *cursor.to++ = c;
            char end = map ? '}' : ']';
            *++level = {end, end, ',', false, 0, settings_.limit(ACCP_LIMIT_ITEMS), {}, {}};
        } else {
            bool taken = c == 't'   ? cursor.word("true", "true")
                         : c == 'f' ? cursor.word("false", "false")
                         : c == 'n' ? cursor.word("null", "~")
                                    : cursor.number();
            if (!taken) return false;
        }
    }
    outside = cursor;
    return true;
}

bool DirectEncoder::message(Cursor cursor, const uint32_t *last, size_t start) {
    auto put = [&cursor](char c) {
        *cursor.to++ = c;
        return true;
    };
    bool done = cursor.accept("{\"agent\":\"", 3) && put('@') && name(cursor, kAgentByte) &&
                cursor.accept(",\"intent\":\"", 3) && put('>') && name(cursor, kAlphaByte) &&
                cursor.accept(",\"operation\":\"", 3) && put(':') && name(cursor, kWordByte) &&
                cursor.accept(",\"payload\":{", 4) && put('{') && block(cursor, '|', '}', true);
    if (done && cursor.peek() == ',')
        done = cursor.accept(",\"meta\":{", 4) && cursor.peek() != '}' && put('[') &&
               block(cursor, ',', ']', false);
    if (!done || !cursor.accept('}') || cursor.next != last) return false;
    if (static_cast<uint64_t>(cursor.to - (out_.data() + start)) >
        settings_.limit(ACCP_LIMIT_FRAME_BYTES))
        return false;
    out_.set_end(cursor.to);
    return true;
}

}  // namespace

bool encode_direct(const Settings &settings, const char *json, size_t len, const uint32_t *index,
                   size_t index_count, Buffer<char> &out) {
    size_t start = out.size();
    char *to = out.reserve(6 * len + 256);
    if (DirectEncoder(settings, out).message({json, index, to}, index + index_count, start))
        return true;
    out.resize_down(start);
    return false;
}

}  // namespace accp::frame
