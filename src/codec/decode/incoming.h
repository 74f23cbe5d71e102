// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A frame on its way in, and the six steps (specification 7.3), one file each.
#pragma once

#include "codec/codec.h"

namespace accp::codec {

// One member of the message's payload.
struct Member {
    std::string_view key;
    const registry::Field *field;
    uint32_t node;   // of the payload's value; 0: the field's default
    uint32_t place;  // a node of the frame, for the offset of what is wrong
};

struct Incoming {
    Incoming(const CodecSetup &codec, CodecScratch &scratch_of, frame::Coder &coder_of,
             Sequences &held, Buffer<char> &out_to)
        : setup(codec),
          scratch(scratch_of),
          coder(coder_of),
          sequences(held),
          out(out_to),
          start(out_to.size()) {}

    value::TreeView tree() const { return {scratch.nodes.data(), scratch.text.data()}; }
    auto size() const { return static_cast<uint32_t>(scratch.nodes.size()); }
    uint32_t meta() const {
        return tree()[frame::kPayload].next < size() ? tree()[frame::kPayload].next : 0;
    }

    const CodecSetup &setup;
    CodecScratch &scratch;
    frame::Coder &coder;
    Sequences &sequences;
    Buffer<char> &out;
    const size_t start;  // in out: where the message begins
    int intent = -1;
    const registry::Schema *schema = nullptr;
    const registry::Schema *unnamed = nullptr;  // what a frame that names none would be under
    uint32_t schema_node = 0;                   // where the frame names it
    bool by_position = false;
    bool is_text = false;      // the payload is a text and no object
    uint64_t expand_left = 0;  // bytes that refs may still put in
    bool was_parts = false;    // the frame was put together: offsets in it are none of what came in
    Member *members = nullptr;
    uint32_t count = 0;
    uint32_t warnings = 0;  // bits of accp_warning
};

// All of them. The offset of a failure is a byte of the frame.
Status receive(Incoming &in, std::string_view text);

Status parse_frame(Incoming &in, std::string_view text);  // 1: E1001, E1002
// 1, of a message in parts: ACCP_HELD, E1001, E1004, E2003
Status join_parts(Incoming &in);
Status resolve_codes(Incoming &in);  // 2: E1003
// 2: E2001, E2002, E2003, E5002; and values are read
Status resolve_refs(Incoming &in);
Status expand_keys(Incoming &in);      // 3: E1001, E1004
Status fill_defaults(Incoming &in);    // 4: E1004
Status check_incoming(Incoming &in);   // E1004, E4001, E4003, E5001
Status rebuild_message(Incoming &in);  // 5: E1001, E1004, in the metadata
Status check_rebuilt(Incoming &in);    // E5001
Status return_message(Incoming &in);   // 6

}  // namespace accp::codec
