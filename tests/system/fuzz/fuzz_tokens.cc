// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tokens: the fast ways must give the same result as the textbook algorithm. The first byte selects
// the vocabulary and the place at which a growing text is cut; the rest is the text. The textbook
// algorithm takes one piece after another, and searches for the pair with the lowest rank again for
// each merge.
#include <vector>

#include "base/utf8.h"
#include "fuzz/fuzz_input.h"
#include "token/ascii_masks.h"
#include "token/count.h"

using namespace accp_fuzz;

namespace {

struct Counters {
    explicit Counters(const char *name)
        : memory(accp::private_allocator(), UINT64_MAX), counter(memory), growing(memory, counter) {
        REQUIRE(accp::token::open_embedded(name, tokenizer));
        counter.open(tokenizer, 64);
    }
    accp::Memory memory;
    accp::token::Tokenizer tokenizer;
    accp::token::TokenCounter counter;
    accp::token::IncrementalCounter growing;
};

std::string repaired(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        size_t valid = accp::valid_utf8_prefix(text.data(), text.size());
        out.append(text.substr(0, valid));
        text.remove_prefix(valid);
        if (text.empty()) break;
        out.append("\xEF\xBF\xBD");
        text.remove_prefix(accp::broken_utf8_size(text.data(), text.size()));
    }
    return out;
}

void merge(const accp::token::Vocabulary &vocabulary, std::string_view piece,
           std::vector<uint32_t> &ids) {
    std::vector<uint32_t> parts;
    for (char c : piece) parts.push_back(vocabulary.byte(c));
    for (;;) {
        uint32_t min = accp::token::kNoToken;
        size_t at = 0;
        for (size_t i = 0; i + 1 < parts.size(); ++i) {
            uint32_t made = vocabulary.merged(parts[i], parts[i + 1]);
            if (made < min) min = made, at = i;
        }
        if (min == accp::token::kNoToken) break;
        parts[at] = min;
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    ids.insert(ids.end(), parts.begin(), parts.end());
}

std::vector<uint32_t> textbook(const accp::token::Tokenizer &tokenizer, std::string_view text) {
    std::vector<uint32_t> ids;
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
        const char *next = tokenizer.pattern->piece(at, end, tokenizer.pattern->rules);
        REQUIRE(next > at && next <= end);
        merge(tokenizer.vocabulary, {at, static_cast<size_t>(next - at)}, ids);
        at = next;
    }
    return ids;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Counters all[] = {Counters("o200k_base"), Counters("cl100k_base")};
    if (!size) return 0;
    Counters &with = all[data[0] & 1];
    const Exact text(text_of(data + 1, size - 1));
    const std::string clean = repaired(text.view());
    const std::vector<uint32_t> expected = textbook(with.tokenizer, clean);
    for (const char *kernel : {"portable", "avx2", "avx512", "neon"}) {
        if (!accp::token::use_masks_kernel(kernel)) continue;
        accp::Buffer<uint32_t> ids(with.memory);
        with.counter.encode(text.view(), ids);
        REQUIRE(std::vector<uint32_t>(ids.data(), ids.end()) == expected);
        uint64_t tokens = 0;
        REQUIRE(with.counter.count(text.view(), UINT64_MAX, tokens).ok() &&
                tokens == expected.size());
    }
    accp::Buffer<char> decoded(with.memory);
    for (uint32_t id : expected) REQUIRE(with.counter.decode(id, decoded));
    REQUIRE(std::string_view(decoded.data(), decoded.size()) == clean);

    const size_t cut = text.size() * (data[0] >> 1) / 127;
    uint64_t total = 0;
    with.growing.reset();
    with.growing.append(text.view().substr(0, cut));
    REQUIRE(with.growing.total(total).ok() &&
            total == textbook(with.tokenizer, repaired(text.view().substr(0, cut))).size());
    with.growing.append(text.view().substr(cut));
    REQUIRE(with.growing.total(total).ok() && total == expected.size());
    uint64_t within = 0;
    REQUIRE(with.counter.count(text.view(), total / 2, within).ok() &&
            (total == 0 || within > total / 2));
    return 0;
}
