// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See lz.h.
#include "base/lz.h"

#include <algorithm>
#include <bit>

namespace accp {

namespace {

constexpr size_t kMinMatch = 4;
constexpr size_t kMaxOffset = 65535;
constexpr size_t kTail = 8;      // bytes at the end that no match begins in: words are read whole
constexpr size_t kMinText = 32;  // in fewer bytes nothing repeats
constexpr int kMinBits = 8, kMaxBits = 12;  // of the table: 16 KiB, which stay in cache
constexpr int kPatience = 5;                // after 32 bytes without a match every second is tried

template <class Word>
Word word_at(const char *at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

size_t hash_of(const char *at, int bits) {
    return word_at<uint32_t>(at) * 2654435761u >> (32 - bits);
}

// How many bytes from `a` on are those from `b` on; b < end.
size_t same_bytes(const char *a, const char *b, const char *end) {
    const char *from = b;
    for (; end - b >= 8; a += 8, b += 8)
        if (const uint64_t other = word_at<uint64_t>(a) ^ word_at<uint64_t>(b))
            return static_cast<size_t>(b - from) + static_cast<size_t>(std::countr_zero(other)) / 8;
    for (; b < end && *a == *b; ++a) ++b;
    return static_cast<size_t>(b - from);
}

char *write_more(size_t left, char *to) {
    for (; left >= 255; left -= 255) *to++ = '\xFF';
    *to++ = static_cast<char>(left);
    return to;
}

// match: its length, of which there is none below kMinMatch.
char *write_sequence(std::string_view literals, size_t offset, size_t match, char *to) {
    const size_t len = literals.size(), rest = match < kMinMatch ? 0 : match - kMinMatch;
    *to++ = static_cast<char>(std::min<size_t>(len, 15) << 4 | std::min<size_t>(rest, 15));
    if (len >= 15) to = write_more(len - 15, to);
    std::memcpy(to, literals.data(), len);
    to += len;
    if (match < kMinMatch) return to;
    *to++ = static_cast<char>(offset);
    *to++ = static_cast<char>(offset >> 8);
    return rest >= 15 ? write_more(rest - 15, to) : to;
}

// What is unpacked, from a text that may be anybody's.
class Unpacking {
public:
    Unpacking(std::string_view from, char *to, size_t room)
        : at_(from.data()), end_(at_ + from.size()), begin_(to), to_(to), stop_(to + room) {}

    bool run() {
        while (at_ < end_) {
            const auto counts = static_cast<unsigned char>(*at_++);
            if (!copy_literals(counts >> 4)) return false;
            if (at_ == end_) break;
            if (!copy_match(counts & 15)) return false;
        }
        return to_ == stop_;
    }

private:
    bool read_more(size_t &count) {
        if (count < 15) return true;
        while (at_ < end_) {
            const auto byte = static_cast<unsigned char>(*at_++);
            count += byte;
            if (byte < 255) return true;
        }
        return false;
    }
    bool copy_literals(size_t count) {
        if (!read_more(count) || count > static_cast<size_t>(end_ - at_) ||
            count > static_cast<size_t>(stop_ - to_))
            return false;
        if (count) std::memcpy(to_, at_, count);
        at_ += count;
        to_ += count;
        return true;
    }
    // Writes up to 15 bytes behind the match, which a buffer has room for.
    bool copy_match(size_t count) {
        if (end_ - at_ < 2) return false;
        const size_t offset = word_at<uint16_t>(at_);
        at_ += 2;
        if (!read_more(count)) return false;
        count += kMinMatch;
        if (!offset || offset > static_cast<size_t>(to_ - begin_) ||
            count > static_cast<size_t>(stop_ - to_))
            return false;
        const char *from = to_ - offset;
        if (offset >= 16)
            for (size_t i = 0; i < count; i += 16) std::memcpy(to_ + i, from + i, 16);
        else
            for (size_t i = 0; i < count; ++i) to_[i] = from[i];
        to_ += count;
        return true;
    }

    const char *at_, *end_;
    char *begin_, *to_, *stop_;
};

}  // namespace

void LzPacker::pack(std::string_view text, Buffer<char> &out) {
    if (text.size() < kMinText || text.size() > UINT32_MAX) return out.append(text);
    const int bits =
        std::clamp(static_cast<int>(std::bit_width(text.size())) - 2, kMinBits, kMaxBits);
    places_.clear();
    uint32_t *const places = places_.reserve(size_t{1} << bits);
    std::memset(places, 0, sizeof(uint32_t) << bits);
    char *const to = out.reserve(text.size() + text.size() / 255 + 16), *end = to;
    const char *const begin = text.data(), *const stop = begin + text.size();
    const char *literals = begin, *at = begin + 1;
    for (size_t tries = 1 << kPatience; at < stop - kTail;) {
        uint32_t &place = places[hash_of(at, bits)];
        const char *seen = begin + place;
        place = static_cast<uint32_t>(at - begin);
        if (word_at<uint32_t>(seen) != word_at<uint32_t>(at) ||
            static_cast<size_t>(at - seen) > kMaxOffset) {
            at += tries++ >> kPatience;
            continue;
        }
        for (; at > literals && seen > begin && at[-1] == seen[-1]; --seen) --at;
        const size_t match = kMinMatch + same_bytes(seen + kMinMatch, at + kMinMatch, stop);
        end = write_sequence({literals, static_cast<size_t>(at - literals)},
                             static_cast<size_t>(at - seen), match, end);
        at += match;
        literals = at;
        tries = 1 << kPatience;
    }
    end = write_sequence({literals, static_cast<size_t>(stop - literals)}, 0, 0, end);
    if (static_cast<size_t>(end - to) >= text.size()) return out.append(text);
    out.set_end(end);
}

bool lz_unpack(std::string_view packed, size_t size, Buffer<char> &out) {
    if (packed.size() >= size) {
        if (packed.size() == size) out.append(packed);
        return packed.size() == size;
    }
    if (size / 255 > packed.size()) return false;
    if (!Unpacking(packed, out.reserve(size), size).run()) return false;
    out.advance(size);
    return true;
}

}  // namespace accp
