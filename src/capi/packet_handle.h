// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of accp_packet and accp_packet_code.
#pragma once

#include "accp/hooks.h"
#include "accp/packet.h"
#include "accp/tokenizer.h"
#include "base/handle.h"
#include "packet/code_memory.h"
#if ACCP_SQLITE
#include "packet/code_disk.h"
#endif
#include "packet/conversation.h"
#include "packet/generate.h"
#include "packet/host_items.h"
#include "packet/relevance.h"

struct accp_packet {
    explicit accp_packet(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          reader(memory),
          packet(memory),
          conversation(memory),
          host_items(memory),
          generator(memory),
          counter(memory),
          prompt(memory),
          out(memory),
          scratch(memory),
          scores(memory),
          arena(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::packet::Reader reader;
    accp::packet::Packet packet;
    accp::packet::Conversation conversation;
    accp::packet::HostItems host_items;
    accp::packet::Generator generator;
    accp::token::TokenCounter counter;
    accp_tokenizer *own_tokenizer = nullptr;  // where the config has none
    accp::packet::Prompt prompt;
    accp::Buffer<char> out, scratch;
    // of the packet that had this checksum when it was filtered
    accp::Buffer<accp::packet::Score> scores;
    char scored_sum[sizeof accp::packet::Packet::sum] = {};
    accp::Arena arena;
    uint32_t warnings = 0;
    accp_hooks hooks = {};
    bool asks = false;  // a function of the host's runs
};

struct accp_packet_code {
    explicit accp_packet_code(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          paths(memory),
          in_memory(memory)
#if ACCP_SQLITE
          ,
          on_disk(memory)
#endif
    {
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::Buffer<char> paths;
    accp::packet::CodeMemory in_memory;
#if ACCP_SQLITE
    accp::packet::CodeDisk on_disk;
#endif
    accp::packet::CodeFiles *files = &in_memory;
};
