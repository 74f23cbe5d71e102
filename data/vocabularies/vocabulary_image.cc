// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The program that makes a vocabulary's image while the library is built: merges (PROVENANCE.md)
// from standard input, the image to standard output.
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "token/vocabulary.h"

namespace {

constexpr size_t kHead = 12, kColumns = 6;

void *take(size_t size, void *) { return std::malloc(size); }
void give(void *memory, size_t, void *) { std::free(memory); }

std::vector<unsigned char> read_all() {
    std::vector<unsigned char> all;
    unsigned char block[65536];
    while (size_t got = std::fread(block, 1, sizeof block, stdin))
        all.insert(all.end(), block, block + got);
    return all;
}

// Column-wise: the high bytes of all left halves, the middle ones, the low ones, then those of the
// right halves.
std::vector<accp::token::Merge> merges_of(const unsigned char *columns, size_t count) {
    std::vector<accp::token::Merge> merges(count);
    for (size_t i = 0; i < count; ++i) {
        auto number = [&](size_t side) {
            const unsigned char *from = columns + side * 3 * count + i;
            return uint32_t{from[0]} << 16 | uint32_t{from[count]} << 8 | from[2 * count];
        };
        merges[i] = {number(0), number(1)};
    }
    return merges;
}

}  // namespace

int main() {
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    const std::vector<unsigned char> all = read_all();
    if (all.size() < kHead + accp::token::kByteTokens ||
        std::memcmp(all.data(), "ACCPMRG1", 8) != 0)
        return 1;
    const size_t tokens = all[8] | all[9] << 8 | all[10] << 16;
    const size_t count = tokens - accp::token::kByteTokens;
    if (all.size() != kHead + accp::token::kByteTokens + kColumns * count) return 1;
    uint32_t byte_token[accp::token::kByteTokens];
    for (uint32_t i = 0; i < accp::token::kByteTokens; ++i) byte_token[all[kHead + i]] = i;
    const std::vector<accp::token::Merge> merges =
        merges_of(all.data() + kHead + accp::token::kByteTokens, count);
    accp::Memory memory({take, give, nullptr}, UINT64_MAX);
    accp::Buffer<char> image(memory);
    accp::token::build_image(memory, byte_token, merges.data(), static_cast<uint32_t>(count),
                             image);
    return std::fwrite(image.data(), 1, image.size(), stdout) == image.size() &&
                   std::fflush(stdout) == 0
               ? 0
               : 1;
}
