// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One owner's share of a tokenizer, which whatever counts with it has.
#pragma once

#include "accp/tokenizer.h"

namespace accp::capi {

class TokenizerRef {
public:
    TokenizerRef() = default;
    ~TokenizerRef() { accp_tokenizer_free(held_); }
    TokenizerRef(const TokenizerRef &) = delete;
    TokenizerRef &operator=(const TokenizerRef &) = delete;

    void share(const accp_tokenizer *tokenizer) noexcept;  // NULL: none
    void own(accp_tokenizer *made) noexcept {              // whose first owner this is
        accp_tokenizer_free(held_);
        held_ = made;
    }
    const accp_tokenizer *get() const { return held_; }

private:
    accp_tokenizer *held_ = nullptr;
};

}  // namespace accp::capi
