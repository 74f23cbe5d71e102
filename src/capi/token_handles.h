// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of accp_tokenizer and accp_counter, and shares of a tokenizer.
#pragma once

#include "accp/tokenizer.h"
#include "base/handle.h"
#include "capi/guard.h"
#include "token/count.h"
#include "token/load.h"

namespace accp::capi {

// A share of a tokenizer, for a handle that counts with it.
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

struct accp_tokenizer {
    explicit accp_tokenizer(const accp::Settings &from)
        : settings(from), memory(settings.allocator, UINT64_MAX), name(memory), loaded(memory) {}

    void set_name(std::string_view text) {
        name.append(text);
        name.push('\0');
        tokenizer.name = {name.data(), text.size()};
    }

    accp::Settings settings;
    accp::Memory memory;  // used only while the handle is made
    accp::Buffer<char> name;
    accp::token::LoadedVocabulary loaded;  // empty if the vocabulary is built in
    accp::token::Tokenizer tokenizer;
    std::atomic<uint32_t> owners{1};
};

struct accp_counter {
    explicit accp_counter(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          counter(memory),
          growing(memory, counter),
          ids(memory),
          text(memory) {}

    void recycle() {
        counter.recycle();
        ids.recycle(accp::kKeptBytes);
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::capi::TokenizerRef tokenizer;
    accp::capi::HandleUses uses;
    accp::token::TokenCounter counter;
    accp::token::IncrementalCounter growing;
    accp::Buffer<uint32_t> ids;
    accp::Buffer<char> text;
};
