// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts in render form (docs/render.md): which texts need no quotes, and how they are written.
#pragma once

#include <string_view>

#include "base/memory.h"

namespace accp::render {

// Marks for external data: before a record if the caller sets the flag, before a message that is
// marked as untrusted, and in a message before its untrusted fields, which are the last. No record
// or field begins with a word in brackets and a space.
inline constexpr std::string_view kUntrustedMark = "(untrusted data) ",
                                  kUntrustedMessage = "(untrusted message) ";
// The member of a message that marks it.
inline constexpr std::string_view kUntrustedMember = "untrusted";

// Bytes that end a bare text, in addition to the end of its line. Which ones apply depends on the
// position. kStopClose is for ] } ;
enum Stop : unsigned char { kStopSpace = 1, kStopComma = 2, kStopPipe = 4, kStopClose = 8 };

// Other classes of a byte. At a kMarkByte an invisible mark may begin.
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

// In common vocabularies a space before a letter does not cost a token.
inline bool is_letter(char c) { return (text_byte(c) & kLetterByte) != 0; }

// Returns whether `text` begins with `word` and then ends or has a byte that can end a cell. `-` is
// an absent cell, and `null` can be a whole group, so no bare text begins with either.
inline bool is_mark(std::string_view word, const char *text, const char *end) {
    if (static_cast<size_t>(end - text) < word.size() ||
        std::string_view(text, word.size()) != word)
        return false;
    text += word.size();
    return text == end || (text_byte(*text) & (kStopSpace | kStopComma | kStopPipe | kStopClose)) ||
           *text == '\n';
}
inline constexpr std::string_view kAbsent = "-", kNull = "null";

// Returns whether the bare text would be read as another kind than a string.
bool is_literal(std::string_view text);

// Returns whether a string needs no quotes if these bytes end it.
bool is_bare_text(std::string_view text, unsigned stops);

// Returns whether a string can be the rest of its line.
bool is_line_text(std::string_view text);

bool is_bare_key(std::string_view key);

// Returns whether a reader sees the beginning of a message, a mark or a ref after skipping
// invisible characters.
bool looks_like_record(std::string_view text);

// Writes texts. Characters that can change the layout of the text around them (controls, line ends,
// directions, tags) are escaped. The first text in a line cannot look like a message. In untrusted
// texts, texts with spaces are quoted, and all invisible characters are escaped, so that nothing is
// hidden.
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
