// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A frame that is being decoded, and the six steps (specification 7.3).
#pragma once

#include "codec/codec.h"

namespace accp::codec {

// A member of the message's payload.
struct Member {
    std::string_view key;
    const registry::Field *field;
    uint32_t node;        // of the payload's value; 0: the default of the field
    uint32_t frame_node;  // a node of the frame, for the offset of failures
};

struct Incoming {
    Incoming(const CodecSetup &codec, const DecodeCall &call_of, CodecScratch &scratch_of,
             frame::Coder &coder_of, delivery::PartialMessages &held)
        : setup(codec),
          call(call_of),
          scratch(scratch_of),
          coder(coder_of),
          partial(held),
          untrusted(call_of.untrusted) {}

    value::TreeView tree() const { return {scratch.nodes.data(), scratch.text.data()}; }
    auto size() const { return static_cast<uint32_t>(scratch.nodes.size()); }
    uint32_t meta() const { return frame::metadata_of(scratch.nodes.data(), size()); }

    const CodecSetup &setup;
    const DecodeCall &call;
    CodecScratch &scratch;
    frame::Coder &coder;
    delivery::PartialMessages &partial;
    bool untrusted;  // the frame, or the value of one of its refs
    int intent = -1;
    const registry::Schema *schema = nullptr;
    const registry::Schema *unnamed = nullptr;  // the schema of a frame that names none
    uint32_t schema_node = 0;                   // the node that names the schema
    bool by_position = false;
    bool is_text = false;      // the payload is a text, not an object
    uint64_t expand_left = 0;  // bytes that values of refs may still add
    bool was_parts =
        false;  // the frame was joined from parts, so offsets do not refer to the input
    Member *members = nullptr;
    uint32_t count = 0;
    uint32_t warnings = 0;  // bits of accp_warning
};

// All steps except the first and the last. The offset of a failure is a byte of the frame.
Status decode_steps(Incoming &in);

Status parse_text(CodecScratch &scratch, frame::Coder &coder, std::string_view text);  // 1: E1001
Status find_intent(Incoming &in);                                                      // 1: E1002
Status parse_frame(Incoming &in, std::string_view text);                               // both
// 1, for a message in parts: ACCP_HELD, E1001, E1004, E2003
Status join_parts(Incoming &in);
Status resolve_codes(Incoming &in);  // 2: E1003
// 2: E2001, E2002, E2003, E5002; also reads the values
Status resolve_refs(Incoming &in);
Status expand_keys(Incoming &in);     // 3: E1001, E1004
Status fill_defaults(Incoming &in);   // 4: E1004
Status check_incoming(Incoming &in);  // E1004, E4001, E4003, E5001

// Step 5: append the message as JSON, or build it over the scratch's trees. E1001, E1004: in the
// metadata.
Status write_message(Incoming &in, Buffer<char> &out);
Status compose_message(Incoming &in, message::Message &out);
bool has_policy(const Incoming &in);
Status check_decoded(Incoming &in, std::string_view json);  // E5001

}  // namespace accp::codec
