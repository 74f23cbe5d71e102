// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The limits of a context, and the prices of tokens. All sizes are tokens.
#pragma once

#include <array>
#include <cstdint>

namespace accp::context {

// Bytes of one message in a context; a longer one is cut.
constexpr size_t kMaxNewestBytes = 256 << 10;

// Tokens of an image, a document or audio in a provider's bill, about. Anthropic documents
// width * height / 750 for an image, at most some 1,600. A context has one line for each.
constexpr uint32_t kMediaTokens = 1500;

struct ContextOptions {
    uint32_t hot_max = 1 << 18;  // maximum of messages that are not pinned; without prices, of hot
    uint32_t hot_due = 1 << 18;  // above it a checkpoint is due
    uint32_t checkpoint_max = 1 << 14;  // maximum of a checkpoint: its summary and its facts
    uint32_t summary_max = 1 << 14;     // maximum of the summary
    uint32_t retained = 4;              // checkpoints; then the two oldest are merged
    // A longer message is cut when it comes. Agents cut their own results at 25,000 tokens of their
    // model's tokenizer, and those are not cut again.
    uint32_t newest_max = 32000;
    uint32_t pinned_max = 30000;  // of each message that is pinned
    // Prices of a token against plain input, in thousandths: read from the cache, written to it,
    // and written by the model. price_write 0: no page is evicted because of prices.
    uint32_t price_cached = 100;
    uint32_t price_write = 1250;
    uint32_t price_output = 5000;
    uint32_t cache_ttl_ms = 300'000;  // the provider forgets a context after so long; 0: never
    uint32_t whole_max = 3000;        // up to here, with host_tokens, no page is evicted
    uint32_t host_tokens = 0;         // in front of a context, by the host

    // Specification 5.1 and 5.2, A58.
    static constexpr ContextOptions specification() {
        ContextOptions made;
        made.hot_max = 500;
        made.hot_due = 400;
        made.checkpoint_max = 200;
        made.summary_max = 100;
        made.retained = 10;
        made.newest_max = 320;
        made.pinned_max = 0;
        made.price_cached = made.price_write = 0;
        return made;
    }

    uint64_t warm_max() const { return uint64_t{checkpoint_max} * retained; }
    uint64_t total_max() const { return hot_max + warm_max(); }
    // 0 < summary_max <= checkpoint_max <= hot_due <= hot_max <= 2^20, 1 to 64 retained, 200 <=
    // newest_max <= hot_due - 16, price_cached <= price_write.
    bool valid() const;
    // Returns all of them. A state that was saved under others cannot be restored.
    static constexpr size_t kCount = 13;
    std::array<uint32_t, kCount> all() const {
        return {hot_max,      hot_due,    checkpoint_max, summary_max, retained,
                newest_max,   pinned_max, price_cached,   price_write, price_output,
                cache_ttl_ms, whole_max,  host_tokens};
    }
};

}  // namespace accp::context
