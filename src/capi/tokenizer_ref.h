// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A share of a tokenizer, for a handle that counts with it.
#pragma once

#include "accp/tokenizer.h"

namespace accp::capi {

class TokenizerRef {
public:
    TokenizerRef() = default;
    ~TokenizerRef() { accp_tokenizer_free(held_); }
    TokenizerRef(const TokenizerRef &) = delete;
    TokenizerRef &operator=(const TokenizerRef &) = delete;

    void share(const accp_tokenizer *tokenizer) noexcept;  // NULL: releases it
    void own(accp_tokenizer *made) noexcept {              // takes over the first share
        accp_tokenizer_free(held_);
        held_ = made;
    }
    const accp_tokenizer *get() const { return held_; }

private:
    accp_tokenizer *held_ = nullptr;
};

}  // namespace accp::capi
