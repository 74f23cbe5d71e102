// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See load.h: the .tiktoken format. Ranks are the order of merging and the ids at once; they may
// have gaps, and lines may stand in any order.
#include <algorithm>
#include <charconv>

#include "token/load.h"

namespace accp::token {

namespace {

struct Line {
    uint32_t offset, len;  // of the bytes
    uint32_t rank;
};

int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Appends the bytes; false for what is no Base64.
bool decode_base64(std::string_view text, Buffer<char> &out) {
    if (text.size() % 4 || text.empty()) return false;
    while (text.back() == '=' && text.size() % 4 != 2) text.remove_suffix(1);
    uint32_t bits = 0, count = 0;
    for (char c : text) {
        int digit = base64_digit(c);
        if (digit < 0) return false;
        bits = bits << 6 | static_cast<uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push(static_cast<char>(bits >> count));
    }
    return true;
}

Status read_line(std::string_view line, uint64_t offset, Buffer<char> &bytes, Buffer<Line> &lines) {
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) return {};
    size_t space = line.find(' ');
    if (space == line.npos)
        return fail(ACCP_E1001, offset, "a line is a token in Base64, a space, and a rank");
    uint32_t rank = 0;
    auto end = line.data() + line.size();
    auto read = std::from_chars(line.data() + space + 1, end, rank);
    auto from = static_cast<uint32_t>(bytes.size());
    if (read.ec != std::errc{} || read.ptr != end || !decode_base64(line.substr(0, space), bytes))
        return fail(ACCP_E1001, offset, "a line is a token in Base64, a space, and a rank");
    lines.push({from, static_cast<uint32_t>(bytes.size()) - from, rank});
    return {};
}

}  // namespace

Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out,
                     Tokenizer &tokenizer) {
    Buffer<char> bytes(memory);
    Buffer<Line> lines(memory);
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        Status status = read_line(text.substr(at, end - at), at, bytes, lines);
        if (status.failed()) return status;
        at = end + 1;
    }
    std::sort(lines.data(), lines.end(),
              [](const Line &a, const Line &b) { return a.rank < b.rank; });
    VocabularyMaker maker(memory, lines.size());
    auto token = [&](const Line &line) {
        return std::string_view(bytes.data() + line.offset, line.len);
    };
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i && lines[i].rank == lines[i - 1].rank)
            return fail(ACCP_E1004, 0, "two tokens have one rank");
        if (lines[i].len == 1 && !maker.add_byte(token(lines[i])[0], lines[i].rank))
            return fail(ACCP_E1004, 0, "one token stands there twice");
    }
    if (!maker.has_every_byte()) return fail(ACCP_E1004, 0, "a byte has no token");
    for (size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].len == 1) continue;
        Status status = maker.add(token(lines[i]), 0, lines[i].rank);
        if (status.failed()) return status;
    }
    return maker.finish(true, out, tokenizer);
}

}  // namespace accp::token
