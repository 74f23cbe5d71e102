// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts as ids of tokens, so that two of them can be compared from their beginning.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/host.h"

namespace cli {

using Ids = std::vector<uint32_t>;

// How many ids both begin with.
uint64_t shared_prefix(const Ids &a, const Ids &b);

class ReplayTokens {
public:
    // Both are borrowed.
    ReplayTokens(const accp_tokenizer *tokenizer, accp_counter *counter)
        : counter_(counter), has_ids_(accp_tokenizer_size(tokenizer) != 0) {}

    // A tokenizer without a vocabulary has no ids: there each line has as many as it adds tokens,
    // and they are equal where all of it up to there is.
    accp_status encode(std::string_view text, Ids &out, accp_error &err);

private:
    accp_status estimate(std::string_view text, Ids &out, accp_error &err);

    accp_counter *counter_;
    bool has_ids_;
};

}  // namespace cli
