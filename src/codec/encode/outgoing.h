// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message on its way out, and the seven steps (specification 7.2), one file each.
#pragma once

#include "codec/codec.h"

namespace accp {

// One member of the payload.
struct Param {
    uint32_t node;  // of the message's tree
    KeyForm key;    // how it is written
    bool reference, left_out;
};

struct Outgoing {
    Outgoing(const CodecSetup &codec, CodecDesk &desk, Coder &coder_of, Buffer<char> &out_to)
        : setup(codec), settings(desk.settings), arena(desk.arena), coder(coder_of), out(out_to), start(out_to.size()) {}

    TreeView tree() const { return message.payload_tree; }

    const CodecSetup &setup;
    const Settings &settings;
    Arena &arena;
    Coder &coder;
    Buffer<char> &out;
    const size_t start;  // in out: where the frame begins
    Message message;
    int intent = -1;
    const Schema *schema = nullptr;
    uint32_t schema_node = 0;       // where the message names it
    bool writes_schema = false;     // the frame has to name it, where the payload is not by position
    bool has_other_schema = false;  // the payload has a member `schema` that names none
    Param *params = nullptr;
    uint32_t count = 0;
    FrameTokens tokens = {};
    std::string_view json;  // the message as it came
    uint32_t warnings = 0;  // bits of accp_warning
    bool at_key = false;    // what was wrong is the key of the node that a status has for an offset
};

// All of them, for a message in JSON. The offset of a failure is a byte of it.
Status send(Outgoing &out, std::string_view json);

// The offset of a failure is a node of the message's tree.
Status resolve_schema(Outgoing &out);   // 1: E1002, E1003
Status abbreviate_keys(Outgoing &out);  // 2
Status check_outgoing(Outgoing &out);   // E1004, E4001, E4003, E5001
Status compress_values(Outgoing &out);  // 3: E1004
Status omit_defaults(Outgoing &out);    // 4
Status estimate_tokens(Outgoing &out);  // 5
Status check_budget(Outgoing &out);     // 6: E2003
Status emit_frame(Outgoing &out);       // 7

// Writes the frame as the steps up to the fourth have left it.
Status compose(Outgoing &out);

}  // namespace accp
