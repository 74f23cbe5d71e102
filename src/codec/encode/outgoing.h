// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message that is being encoded, and the seven steps (specification 7.2).
#pragma once

#include "codec/codec.h"

namespace accp::codec {

// A member of the payload.
struct Param {
    uint32_t node;          // of the message's tree
    registry::KeyForm key;  // how it is written
    bool reference, left_out;
};

// The allowed layouts of a payload, in addition to the message and the extensions.
struct Layout {
    bool positions = true, tables = true;
};

struct Outgoing {
    Outgoing(const CodecSetup &codec, const EncodeCall &call_of, CodecScratch &scratch_of,
             frame::Coder &coder_of, Buffer<char> &out_to)
        : setup(codec),
          call(call_of),
          settings(scratch_of.settings),
          scratch(scratch_of),
          arena(scratch_of.arena),
          coder(coder_of),
          out(out_to),
          start(out_to.size()) {}

    value::TreeView tree() const { return message.tree; }
    bool is_text() const { return message.is_text(); }
    // Returns the node of the original message for a node of its current payload.
    uint32_t origin(uint32_t node) const { return origins ? origins[node] : node; }

    const CodecSetup &setup;
    const EncodeCall &call;
    const Settings &settings;
    CodecScratch &scratch;
    Arena &arena;
    frame::Coder &coder;
    Buffer<char> &out;
    const size_t start;  // offset of the frame in out
    message::Message message;
    int intent = -1;
    const registry::Schema *schema = nullptr;
    uint32_t schema_node = 0;  // the node that names the schema
    // the frame must name the schema, unless the payload is by position
    bool writes_schema = false;
    bool has_other_schema = false;  // the payload has a member `schema` that is not a name
    Param *params = nullptr;
    uint32_t count = 0;
    uint64_t tokens = 0;                // of all frames of the message
    const uint32_t *origins = nullptr;  // nullptr: no value went to the keeper
    int which_kept = 0;                 // index in CodecScratch::kept
    uint32_t kept = 0;                  // values that went to the keeper
    uint32_t parts = 1;                 // number of frames of the message
    Layout layout;                      // what is allowed
    bool by_position = false;           // what the frame uses
    bool respelled = false;             // the spelling is not that of docs/wire.md
    bool in_meta = false;               // the failure is in the metadata
    // the failure is at the key of the node
    bool at_key = false;
    std::string_view json;  // the JSON of the message
    uint32_t warnings = 0;  // bits of accp_warning
};

// Runs all steps for a message that the coder has read. The offset of a failure is a byte of its
// JSON.
Status run_steps(Outgoing &out);

// The steps. The offset of a failure is a node of the message's tree.
Status resolve_schema(Outgoing &out);   // 1: E1002, E1003
Status abbreviate_keys(Outgoing &out);  // 2
Status check_outgoing(Outgoing &out);   // E1004, E4001, E4003, E5001
Status compress_values(Outgoing &out);  // 3: E1004, and failures of the keeper
Status omit_defaults(Outgoing &out);    // 4
Status estimate_tokens(Outgoing &out);  // 5
Status check_budget(Outgoing &out);     // 6: E2003
Status emit_frame(Outgoing &out);       // 7

// Replaces values by refs: those of step 3, or the chosen nodes.
Status keep_values(Outgoing &out, const bool *chosen);

// Replaces the composed frame by the cheapest spelling of the same message, if that has fewer
// tokens (rule spell).
Status spell_frame(Outgoing &out);

// Adds the tokens of a frame.
Status add_tokens(Outgoing &out, std::string_view frame);

// Replaces the composed frame by frames of the same chain, none over the limit. If that is
// impossible, nothing changes and `done` is false.
Status split_frame(Outgoing &out, bool &done);

// Writes the frame as steps 1 to 4 have left it.
Status compose(Outgoing &out);

}  // namespace accp::codec
