// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "token/load.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"

namespace accp::token {

namespace {

constexpr const char *kOutOfOrder =
    "a token comes before the tokens that it is merged from: such vocabularies are not supported";

}  // namespace

VocabularyBuilder::VocabularyBuilder(Memory &memory, size_t tokens)
    : memory_(memory),
      keys_(memory),
      values_(memory),
      merges_(memory),
      ids_(memory),
      length_(memory),
      late_(memory) {
    std::fill_n(byte_token_, kByteTokens, kNoToken);
    size_t size = 1024;
    while (size < 2 * tokens) size *= 2;
    std::memset(static_cast<void *>(keys_.reserve(size)), 0, size * sizeof(uint64_t));
    keys_.advance(size);
    values_.reserve(size);
    values_.advance(size);
}

// Returns the slot of a pair in the hash table.
uint32_t *VocabularyBuilder::slot(uint64_t key) {
    size_t mask = keys_.size() - 1, at = static_cast<size_t>(pair_hash(key, 0)) & mask;
    while (keys_[at] && keys_[at] != key + 1) at = (at + 1) & mask;
    if (!keys_[at]) values_[at] = kNoToken;
    return &values_[at];
}

bool VocabularyBuilder::add_byte(char byte, uint32_t id) {
    uint32_t &token = byte_token_[static_cast<unsigned char>(byte)];
    if (token != kNoToken) return false;
    token = bytes_++;
    ids_.push(id);
    length_.push(1);
    return true;
}

// Merges the bytes of a token with the tokens added so far. Returns the number of parts.
size_t VocabularyBuilder::split(std::string_view token) {
    size_t count = token.size();
    for (size_t i = 0; i < count; ++i)
        parts_[i] = byte_token_[static_cast<unsigned char>(token[i])];
    for (;;) {
        uint32_t min = kNoToken;
        size_t at = 0;
        for (size_t i = 0; i + 1 < count; ++i) {
            uint32_t made = *slot(pair_key(parts_[i], parts_[i + 1]));
            if (made < min) min = made, at = i;
        }
        if (min == kNoToken) return count;
        parts_[at] = min;
        std::copy(parts_ + at + 2, parts_ + count, parts_ + at + 1);
        --count;
    }
}

Status VocabularyBuilder::add(std::string_view token, size_t left, uint32_t id) {
    if (token.size() > kLongest)
        return fail_limit(ACCP_E1004, 0, "a token of more than 1024 bytes", token.size(), kLongest);
    size_t parts = split(token);
    if (parts == 1) return {};
    if (parts != 2 || !splits_in_two(left)) {
        late_.push({token, left, id});
        return {};
    }
    uint64_t key = pair_key(parts_[0], parts_[1]);
    auto made = static_cast<uint32_t>(ids_.size());
    if (made >= kMaxTokens)
        return fail_limit(ACCP_E1004, 0, "too many tokens", uint64_t{made} + 1, kMaxTokens);
    uint32_t *value = slot(key);
    keys_[static_cast<size_t>(value - values_.data())] = key + 1;
    *value = made;
    merges_.push({parts_[0], parts_[1]});
    ids_.push(id);
    length_.push(static_cast<uint32_t>(token.size()));
    return {};
}

// Stores the ids if they differ from the numbers.
void VocabularyBuilder::write_ids(LoadedVocabulary &out, Tokenizer &tokenizer) const {
    auto count = static_cast<uint32_t>(ids_.size());
    bool same = true;
    for (uint32_t i = 0; i < count && same; ++i) same = ids_[i] == i;
    if (same) return;
    out.ids.append(ids_.data(), count);
    uint32_t *by_id = out.by_id.reserve(count);
    for (uint32_t i = 0; i < count; ++i) by_id[i] = i;
    out.by_id.advance(count);
    std::sort(out.by_id.data(), out.by_id.end(),
              [this](uint32_t a, uint32_t b) { return ids_[a] < ids_[b]; });
    tokenizer.ids = out.ids.data();
    tokenizer.by_id = out.by_id.data();
}

Status VocabularyBuilder::finish(bool whole, LoadedVocabulary &out, Tokenizer &tokenizer) {
    size_t bytes = 0;
    for (size_t i = 0; i < late_.size(); ++i) bytes += late_[i].token.size();
    out.text.reserve(bytes);
    for (size_t i = 0; i < late_.size(); ++i) {
        const LateToken &late = late_[i];
        size_t parts = split(late.token);
        if (parts == 1) continue;
        if (parts == 2 && splits_in_two(late.left)) return fail(ACCP_E1004, 0, kOutOfOrder);
        if (!whole) continue;
        const char *text = out.text.end();
        out.text.append(late.token);
        out.whole.push({{text, late.token.size()}, late.id});
    }
    std::sort(out.whole.data(), out.whole.end(),
              [](const SpecialToken &a, const SpecialToken &b) { return a.text < b.text; });
    build_image(memory_, byte_token_, merges_.data(), static_cast<uint32_t>(merges_.size()),
                out.image);
    tokenizer.vocabulary = Vocabulary(out.image.data());
    tokenizer.whole = out.whole.data();
    tokenizer.whole_count = static_cast<uint32_t>(out.whole.size());
    write_ids(out, tokenizer);
    return {};
}

// The .tiktoken format. The rank of a token is its merge order and its id. Ranks may have gaps, and
// lines can be in any order.

namespace {

struct Line {
    uint32_t offset, len;  // of the bytes
    uint32_t rank;
};

// Appends the decoded bytes. Returns false if the text is not Base64.
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
    VocabularyBuilder maker(memory, lines.size());
    auto token = [&](const Line &line) {
        return std::string_view(bytes.data() + line.offset, line.len);
    };
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i && lines[i].rank == lines[i - 1].rank)
            return fail(ACCP_E1004, 0, "two tokens have one rank");
        if (lines[i].len == 1 && !maker.add_byte(token(lines[i])[0], lines[i].rank))
            return fail(ACCP_E1004, 0, "a token occurs twice");
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
