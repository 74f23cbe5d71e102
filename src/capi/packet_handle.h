// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of accp_packet and accp_packet_code.
#pragma once

#include "accp/hooks.h"
#include "accp/packet.h"
#include "accp/tokenizer.h"
#include "base/handle.h"
#include "capi/guard.h"
#include "capi/token_handles.h"
#include "packet/code/memory.h"
#if ACCP_SQLITE
#include "packet/code/disk.h"
#endif
#include "packet/extract/conversation.h"
#include "packet/file/generate.h"
#include "packet/file/host_items.h"
#include "packet/query/relevance.h"

struct accp_packet {
    explicit accp_packet(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          reader(memory),
          packet(memory),
          conversation(memory),
          host_items(memory),
          given_items(memory),
          generator(memory),
          counter(memory),
          prompt(memory, settings.redact_secrets),
          out(memory),
          scratch(memory),
          report(memory),
          scores(memory),
          arena(memory) {}

    accp::Settings settings;
    accp::Memory memory;
    accp::capi::HandleUses uses;
    accp::capi::TokenizerRef tokenizer;
    accp::packet::Reader reader;
    accp::packet::Packet packet;
    accp::packet::Conversation conversation;
    accp::packet::HostItems host_items;
    accp::packet::GivenItems given_items;
    accp::packet::Generator generator;
    accp::token::TokenCounter counter;
    accp::packet::Prompt prompt;
    accp::Buffer<char> out, scratch, report;
    // the scores of the packet that had this checksum when it was filtered
    accp::Buffer<accp::packet::ItemScore> scores;
    char scored_sum[sizeof accp::packet::Packet::sum] = {};
    accp::Arena arena;
    uint32_t warnings = 0;
    accp_hooks hooks = {};
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
    std::atomic<uint32_t> owners{1};  // includes running calls that make a packet of it
    accp::Buffer<char> paths;
    accp::packet::MemoryCodeIndex in_memory;
#if ACCP_SQLITE
    accp::packet::DiskCodeIndex on_disk;
#endif
    accp::packet::CodeFiles *files = &in_memory;
};

namespace accp::capi {

constexpr const char *kNoPacket = "the packet is empty: read one first";

using PacketUse = HandleUse<accp_packet>;

// Fails if the handle is NULL or a call works with it.
inline accp_status check_idle(const accp_packet *packet, accp_error *err) noexcept {
    return packet ? check_unused(*packet, err) : refuse(err, kNoHandle);
}
// Also fails if the packet is empty.
inline accp_status check_filled(const accp_packet *packet, accp_error *err) noexcept {
    if (accp_status status = check_idle(packet, err)) return status;
    return packet->packet.empty() ? refuse(err, kNoPacket) : accp_status{ACCP_OK};
}

// Use these two in a call that works with the packet already.

// Fails if a text of the caller cannot be part of a packet: it is not UTF-8, or has a NUL.
Status check_packet_text(std::string_view text);

// Redacts a packet made with the handle's memory, unless the rule redact_secrets is off.
Status redact(accp_packet &handle, packet::Packet &packet, bool &changed);

// Redacts a packet, unless the rule redact_secrets is off, and seals it. On failure it is
// unchanged.
Status seal(accp_packet &packet);
accp_status read_in_call(accp_packet &packet, std::string_view text, uint32_t reading,
                         accp_error *err) noexcept;

}  // namespace accp::capi
