// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The struct of accp_packet.
#pragma once

#include "accp/packet.h"
#include "accp/tokenizer.h"
#include "base/handle.h"
#include "packet/conversation.h"
#include "packet/generate.h"
#include "packet/prompt.h"
#include "token/count.h"

struct accp_packet {
    explicit accp_packet(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          reader(memory),
          packet(memory),
          conversation(memory),
          generator(memory),
          counter(memory),
          prompt(memory),
          out(memory),
          scratch(memory),
          arena(memory) {}

    // Makes the prompt, and counts it.
    accp::Status count_prompt() {
        prompt.clear();
        accp::packet::write_prompt(packet.view(), prompt);
        counter.recycle();
        return counter.count(prompt.view(), UINT64_MAX, tokens);
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::packet::Reader reader;
    accp::packet::Packet packet;
    accp::packet::Conversation conversation;
    accp::packet::Generator generator;
    accp::token::TokenCounter counter;
    accp_tokenizer *own_tokenizer = nullptr;  // where the config has none
    accp::Buffer<char> prompt, out, scratch;
    accp::Arena arena;
    uint64_t tokens = 0;
    uint32_t warnings = 0;
};
