// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Writes a packet as the Markdown that a worker's model reads.
#pragma once

#include "accp/packet.h"
#include "base/memory.h"
#include "base/status.h"
#include "token/count.h"
#include "value/tree.h"

namespace accp::packet {

// Appends the prompt of a packet, as Reader returns it, for these layers (accp_packet_layer). It
// has the task as a heading, the goals, and a section for each known member that is not empty.
// Every further line of a text is indented by two blanks, so no text can forge a heading or an
// item. Unknown members are left out, except those of items, which follow in parentheses.
void write_prompt(value::TreeView packet, uint32_t layers, Buffer<char> &out);

// The name of one bit of accp_packet_layer.
struct Layer {
    uint32_t bit;
    std::string_view name;
};
constexpr Layer kLayers[] = {{ACCP_PACKET_GOALS, "goals"},
                             {ACCP_PACKET_DECISIONS, "decisions"},
                             {ACCP_PACKET_CODEBASE, "codebase"},
                             {ACCP_PACKET_HISTORY, "history"}};

struct Prompt {
    explicit Prompt(Memory &memory, bool without_secrets = true)
        : text(memory), scratch(memory), redacts(without_secrets) {}
    // Writes the prompt and counts its tokens.
    Status make(value::TreeView packet, token::TokenCounter &counter);
    // Replaces `out` by the prompt of some layers.
    void write(value::TreeView packet, uint32_t layers, Buffer<char> &out);

    Buffer<char> text, scratch;
    uint64_t tokens = 0;
    bool redacts;  // secrets (text/secrets.h)
};

}  // namespace accp::packet
