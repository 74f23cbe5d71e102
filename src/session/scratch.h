// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What one call on one session works with, and the next call on another one uses again: so a
// hundred thousand sessions stay small.
#pragma once

#include "codec/codec.h"
#include "codec/log.h"
#include "context/scratch.h"
#include "session/shared_state.h"
#include "store/store.h"

namespace accp::session {

struct Scratch {
    Scratch(Memory &memory_of, const Settings &settings_of)
        : memory(memory_of),
          settings(settings_of),
          codec(memory_of, settings),
          codec_inside(memory_of, settings),
          counter(memory_of),
          log(memory_of, settings),
          context(memory_of, counter),
          nodes(memory_of),
          ancestor_nodes(memory_of),
          message(memory_of),
          json(memory_of),
          reader(memory_of),
          batch(memory_of),
          records(memory_of),
          replayed(memory_of),
          record(memory_of),
          blob(memory_of),
          resolved(memory_of),
          kept(memory_of),
          text(memory_of),
          arena(memory_of),
          state(memory_of) {}

    Memory &memory;
    const Settings &settings;
    codec::Codec codec;
    codec::Codec
        codec_inside;  // for a frame that is looked up while another is decoded; keeps refs
    token::TokenCounter counter;
    codec::CodecLog log;
    context::ContextScratch context;
    Buffer<value::Node> nodes;           // of a part of a message that went out
    Buffer<value::Node> ancestor_nodes;  // of one that caused it
    value::Value message;                // what comes in as JSON
    Buffer<char> json;                   // what goes out as JSON
    value::JsonReader reader;
    store::StoreBatch batch;  // what the call makes durable
    store::StoreRecords records, replayed;
    Buffer<char> record, blob, resolved;
    Buffer<char> kept;  // hashes and keys of the values that this call has kept
    Buffer<char> text;  // what the call composes
    Arena arena;        // of a part of a message
    SharedState::Scratch state;
};

}  // namespace accp::session
