// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// TextStats of the render form (docs/render.md): which may stand bare, and how they are written.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::render {

// What says that a text came from outside: in front of a record, where the caller says so; in front
// of a message that says so itself; and in a message in front of those fields that do, which are
// its last. No record and no field begins with a bracket and a word and has a space after them.
inline constexpr std::string_view kUntrustedMark = "(untrusted data) ",
                                  kUntrustedMessage = "(untrusted message) ";
// The member of a message that says it.
inline constexpr std::string_view kUntrustedMember = "untrusted";

// What ends a bare text, beside the end of its line. Which of them count depends on where it
// stands.
// ] } ;
enum Stop : unsigned char { kStopSpace = 1, kStopComma = 2, kStopPipe = 4, kStopClose = 8 };

// The other classes of a byte.
// a mark may begin here
enum TextByte : unsigned char {
    kEscapedByte = 16,
    kNoKeyByte = 32,
    kLetterByte = 64,
    kMarkByte = 128
};

struct TextBytes {
    unsigned char at[256] = {};
    constexpr TextBytes() {
        for (int i = 0; i < 256; ++i) {
            auto c = static_cast<unsigned char>(i);
            bool letter = static_cast<unsigned>((c | 0x20) - 'a') < 26 || c >= 0x80;
            at[i] = static_cast<unsigned char>(
                letter * kLetterByte | (c < 0x20 || c == '\\') * (kEscapedByte | kNoKeyByte));
        }
        for (char c : {' ', ':', ',', ';', '|', '[', ']', '{', '}', '(', ')', '?', '"'})
            at[static_cast<unsigned char>(c)] = kNoKeyByte;
        auto add = [this](char c, unsigned char bits) {
            at[static_cast<unsigned char>(c)] |= bits;
        };
        add(' ', kStopSpace);
        add(',', kStopComma);
        add('|', kStopPipe);
        for (char c : {']', '}', ';'}) add(c, kStopClose);
        for (char c : {'\x7F', '\xC2', '\xD8', '\xE2', '\xF3'}) add(c, kMarkByte);
    }
};
inline constexpr TextBytes kTextBytes;

inline unsigned char text_byte(char c) { return kTextBytes.at[static_cast<unsigned char>(c)]; }

// A space in front of one is no token of its own in any vocabulary of note.
inline bool is_letter(char c) { return (text_byte(c) & kLetterByte) != 0; }

// Does this word stand at `text`, and after it the end or what may end a cell? `-` is an absent
// cell and `null` may be a whole group, so no bare text begins like either.
inline bool is_mark(std::string_view word, const char *text, const char *end) {
    if (static_cast<size_t>(end - text) < word.size() ||
        std::string_view(text, word.size()) != word)
        return false;
    text += word.size();
    return text == end || (text_byte(*text) & (kStopSpace | kStopComma | kStopPipe | kStopClose)) ||
           *text == '\n';
}
inline constexpr std::string_view kAbsent = "-", kNull = "null";

// Would this text, bare, be read as something else than a string?
bool is_literal(std::string_view text);

// May a string stand without quotes where these bytes end it?
bool is_bare_text(std::string_view text, unsigned stops);

// May a string be the rest of its line?
bool is_line_text(std::string_view text);

bool is_bare_key(std::string_view key);

// Does a reader see the beginning of a message, of a mark or of a ref, once what cannot be seen is
// left out?
bool looks_like_record(std::string_view text);

// How texts are written: what moves the text around it (controls, ends of lines, directions, tags)
// is escaped, and what a line of its own begins with looks like no message. Untrusted ones: those
// with spaces are in quotes, and all that cannot be seen is escaped, so that nothing needs_escape
// in them.
class TextWriter {
public:
    explicit TextWriter(Buffer<char> &out) : out(out) {}

    void put(char c) { out.push(c); }
    void put(std::string_view text) { out.append(text); }
    void bare(std::string_view text);
    void quoted(std::string_view text);
    void string(std::string_view text, unsigned stops) {
        is_bare(text, stops) ? bare(text) : quoted(text);
    }
    void key(std::string_view key) {
        is_bare_key(key) && !needs_escape(key) ? bare(key) : quoted(key);
    }
    bool is_bare(std::string_view text, unsigned stops) const {
        if (untrusted) return is_bare_text(text, stops | kStopSpace) && !needs_escape(text);
        return is_bare_text(text, stops) && !(begins_line() && looks_like_record(text));
    }

    Buffer<char> &out;
    bool untrusted = false;

private:
    bool begins_line() const { return out.size() && out.data()[out.size() - 1] == '\n'; }
    bool is_escaped(uint32_t point) const;
    void point(const char *&from, bool quotes);
    bool needs_escape(std::string_view text) const;
};

}  // namespace accp::render
