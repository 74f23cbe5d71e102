// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A message on its way out, and the seven steps (specification 7.2), one file each.
#pragma once

#include "codec/codec.h"

namespace accp::codec {

// One member of the payload.
struct Param {
    uint32_t node;          // of the message's tree
    registry::KeyForm key;  // how it is written
    bool reference, left_out;
};

// How a payload is laid out, beside what the message and the extensions say: what is left off here.
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
    // The node of the message as it was read that this node of its payload was, or stands for.
    uint32_t origin(uint32_t node) const { return origins ? origins[node] : node; }

    const CodecSetup &setup;
    const EncodeCall &call;
    const Settings &settings;
    CodecScratch &scratch;
    Arena &arena;
    frame::Coder &coder;
    Buffer<char> &out;
    const size_t start;  // in out: where the frame begins
    message::Message message;
    int intent = -1;
    const registry::Schema *schema = nullptr;
    uint32_t schema_node = 0;  // where the message names it
    // the frame has to name it, where the payload is not by position
    bool writes_schema = false;
    bool has_other_schema = false;  // the payload has a member `schema` that names none
    Param *params = nullptr;
    uint32_t count = 0;
    uint64_t tokens = 0;                // of all frames that the message became
    const uint32_t *origins = nullptr;  // nullptr: no value has gone to the keeper
    int which_kept = 0;                 // of the scratch's two
    uint32_t kept = 0;                  // values that went to the keeper
    uint32_t parts = 1;                 // frames that the message became
    Layout layout;                      // may be
    bool by_position = false;           // the frame is
    bool respelled = false;             // it is none of docs/wire.md's own spelling
    bool in_meta = false;               // what was wrong is in the metadata
    // what was wrong is the key of the node that a status has for an offset
    bool at_key = false;
    std::string_view json;  // the message as it came
    uint32_t warnings = 0;  // bits of accp_warning
};

// All of them, for the message that the coder has read. The offset of a failure is a byte of its
// JSON.
Status run_steps(Outgoing &out);

// The offset of a failure is a node of the message's tree.
Status resolve_schema(Outgoing &out);   // 1: E1002, E1003
Status abbreviate_keys(Outgoing &out);  // 2
Status check_outgoing(Outgoing &out);   // E1004, E4001, E4003, E5001
Status compress_values(Outgoing &out);  // 3: E1004, and what the keeper fails with
Status omit_defaults(Outgoing &out);    // 4
Status estimate_tokens(Outgoing &out);  // 5
Status check_budget(Outgoing &out);     // 6: E2003
Status emit_frame(Outgoing &out);       // 7

// Puts refs in the place of values: of those that the third step sends to the keeper, or of the
// nodes that are chosen.
Status keep_values(Outgoing &out, const bool *chosen);

// Puts the cheapest of the spellings that are read as the same message in the place of the frame
// that was composed, where it has fewer tokens (rule spell).
Status spell_frame(Outgoing &out);

// Adds what a frame costs.
Status add_tokens(Outgoing &out, std::string_view frame);

// Puts frames of the same chain, none over the limit, in the place of the one that was composed;
// where that cannot be, all stays and `done` is false.
Status split_frame(Outgoing &out, bool &done);

// Writes the frame as the steps up to the fourth have left it.
Status compose(Outgoing &out);

}  // namespace accp::codec
