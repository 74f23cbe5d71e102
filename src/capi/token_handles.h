// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of accp_tokenizer and accp_counter.
#pragma once

#include "base/handle.h"
#include "capi/guard.h"
#include "capi/handle_use.h"
#include "capi/tokenizer_ref.h"
#include "token/count.h"
#include "token/load.h"

struct accp_tokenizer {
    explicit accp_tokenizer(const accp::Settings &from)
        : settings(from), memory(settings.allocator, UINT64_MAX), name(memory), loaded(memory) {}

    void set_name(std::string_view text) {
        name.append(text);
        name.push('\0');
        tokenizer.name = {name.data(), text.size()};
    }

    accp::Settings settings;
    accp::Memory memory;  // used by the thread that makes it, and not after
    accp::Buffer<char> name;
    accp::token::LoadedVocabulary loaded;  // empty where the vocabulary is built in
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
