// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The first pass over a frame: every vector kernel must find the same as the plain loop. If the
// first byte is odd, raw text is accepted.
#include <vector>

#include "frame/symbols.h"
#include "fuzz/fuzz_input.h"

using namespace accp_fuzz;

namespace {

struct Found {
    bool good;
    bool escapes, high;
    std::vector<uint32_t> positions;
    std::vector<uint8_t> codes;
    bool operator==(const Found &other) const {
        if (!good || !other.good) return good == other.good;
        return escapes == other.escapes && high == other.high && positions == other.positions &&
               codes == other.codes;
    }
};

Found find(const char *kernel, const Exact &text, bool raw) {
    REQUIRE(accp::frame::use_symbols_kernel(kernel));
    std::unique_ptr<uint32_t[]> positions(new uint32_t[text.size() + 64]);
    std::unique_ptr<uint8_t[]> codes(new uint8_t[text.size() + 64]);
    accp::frame::Symbols symbols = {};
    symbols.positions = positions.get();
    symbols.codes = codes.get();
    Found found = {};
    found.good = accp::frame::find_symbols(text.data(), text.size(), raw, symbols);
    if (!found.good) return found;
    found.escapes = symbols.escapes;
    found.high = symbols.high;
    found.positions.assign(positions.get(), positions.get() + symbols.count);
    for (uint32_t position : found.positions) found.codes.push_back(codes[position]);
    return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    const Exact text(text_of(data + 1, size - 1));
    const Found expected = find("portable", text, data[0] & 1);
    for (const char *kernel : {"ssse3", "avx2", "avx512", "neon"})
        if (accp::frame::use_symbols_kernel(kernel))
            REQUIRE(find(kernel, text, data[0] & 1) == expected);
    return 0;
}
