// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/code/terms.h"

#include "base/bytes.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "packet/code/files.h"
#include "packet/file/paths.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr size_t kWordDigits = 8, kCountDigits = 2;

void write_hex(uint64_t value, int digits, char *to) {
    for (int i = digits - 1; i >= 0; --i, value >>= 4) to[i] = "0123456789abcdef"[value & 15];
}

void append_term(char kind, uint64_t value, int digits, Buffer<char> &out) {
    char *const to = out.reserve(18);
    to[0] = kind;
    write_hex(value, digits, to + 1);
    to[digits + 1] = ' ';
    out.advance(static_cast<size_t>(digits) + 2);
}

// The index file is untrusted input; its texts enter packets.
bool is_valid_file(const CodeFile &file) {
    for (const std::string_view text : {file.path, file.summary, file.symbols})
        if (text.find('\0') != text.npos ||
            valid_utf8_prefix(text.data(), text.size()) != text.size())
            return false;
    return !file.path.empty() && file.path.size() <= kMaxCodePath &&
           (file.symbols.empty() || file.symbols.ends_with('\n'));
}

}  // namespace

CodeTermRange::CodeTermRange(char kind, uint64_t hash, int digits)
    : len_(static_cast<size_t>(digits) + 1) {
    text_[0] = kind;
    write_hex(hash, digits, text_ + 1);
    text_[len_] = 'g';
}

int count_of_term(std::string_view term) {
    if (term.size() != 1 + kWordDigits + kCountDigits) return 0;
    const int high = hex_digit(static_cast<unsigned char>(term[term.size() - 2]));
    const int low = hex_digit(static_cast<unsigned char>(term[term.size() - 1]));
    return high < 0 || low < 0 ? 0 : high * 16 + low;
}

std::string_view CodeTerms::terms_of(const CodeFile &file) {
    terms_.clear();
    for (size_t i = 0; i < file.words.size(); ++i)
        append_term('w', uint64_t{file.words[i]} << 8 | file.counts[i], kWordDigits + kCountDigits,
                    terms_);
    each_symbol(file, [this](std::string_view symbol) {
        append_term('s', text::hash_word(symbol), 16, terms_);
    });
    append_term('n', file.name_hash, 16, terms_);
    return terms_.view();
}

store::CodeSourceRow CodeTerms::pack(const CodeFile &file, uint64_t number) {
    texts_.clear(), words_.clear();
    Packer texts(texts_), words(words_);
    for (const std::string_view text : {file.path, file.summary, file.symbols}) texts.text(text);
    uint32_t before = 0;
    for (size_t i = 0; i < file.words.size(); ++i) {
        words.number(file.words[i] - before);
        words.number(file.counts[i]);
        before = file.words[i];
    }
    return {number,        file.text_hash, file.length, static_cast<uint64_t>(file.kind),
            texts_.view(), words_.view()};
}

bool CodeTerms::unpack_words(std::string_view packed) {
    hashes_.clear(), counts_.clear();
    Unpacker words(packed);
    uint64_t hash = 0;
    while (!words.rest().empty()) {
        hash += words.number();
        const uint64_t count = words.number();
        if (!words.ok() || hash > UINT32_MAX || count > UINT8_MAX) return false;
        hashes_.push(static_cast<uint32_t>(hash));
        counts_.push(static_cast<uint8_t>(count));
    }
    return true;
}

bool CodeTerms::unpack(const store::CodeSourceRow &row, CodeFile &out) {
    Unpacker texts(row.said);
    out = {};
    out.path = texts.text();
    out.summary = texts.text();
    out.symbols = texts.text();
    if (!texts.ok() || !texts.rest().empty() || row.length > UINT32_MAX ||
        row.kind > static_cast<uint64_t>(CodeKind::kCode) || !is_valid_file(out) ||
        !unpack_words(row.words))
        return false;
    out.words = {hashes_.data(), hashes_.size()};
    out.counts = counts_.data();
    out.length = static_cast<uint32_t>(row.length);
    out.text_hash = row.text_hash;
    out.name_hash = text::hash_word(file_name_of(out.path));
    out.kind = static_cast<CodeKind>(row.kind);
    return true;
}

}  // namespace accp::packet
