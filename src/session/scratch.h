// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What one call on one session works with, and the next call on another one uses again: so a
// hundred thousand sessions stay small. Each part of a session has its own.
#pragma once

#include "codec/codec.h"
#include "codec/log.h"
#include "context/scratch.h"
#include "session/shared_state.h"
#include "store/store.h"

namespace accp::session {

class RegistryCache;

// frames.h: frames that are looked at, perhaps while the codec has another.
struct FrameScratch {
    explicit FrameScratch(Memory &memory)
        : nodes(memory), part_nodes(memory), arena(memory), joined(memory) {}

    Buffer<value::Node> nodes;       // of one of several that went out
    Buffer<value::Node> part_nodes;  // of one that may be a part, or that caused another
    Arena arena;                     // of a part
    Buffer<char> joined;             // the frame that parts are together
};

// Messages as JSON.
struct JsonScratch {
    explicit JsonScratch(Memory &memory) : reader(memory), value(memory), out(memory) {}

    value::JsonReader reader;
    value::Value value;  // what came in
    Buffer<char> out;    // what goes out
};

// driver.h: what the call makes durable, and what it reads of the log.
struct LogScratch {
    explicit LogScratch(Memory &memory)
        : batch(memory), records(memory), found(memory), out(memory), expired(memory) {}

    store::StoreBatch batch;
    store::StoreRecords records;  // of a scan
    Buffer<char> found;           // one record, or a blob, on its way in
    Buffer<char> out;             // one on its way out
    Buffer<char> expired;         // requests, packed: see Effects
};

// refs.h
struct RefScratch {
    explicit RefScratch(Memory &memory)
        : records(memory),
          found(memory),
          resolved(memory),
          kept(memory),
          stub(memory),
          reader(memory),
          value(memory) {}

    store::StoreRecords records;  // a record that a ref names
    Buffer<char> found;           // what the store has under a ref
    Buffer<char> resolved;
    bool untrusted = false;  // what was resolved last, or a part of it, is data from outside
    Buffer<char> kept;       // hashes, keys and texts of the values that this call has kept
    Buffer<char> stub;       // of a value that the host keeps
    value::JsonReader reader;
    value::Value value;  // into which the labels after a key lead
};

struct Scratch {
    Scratch(Memory &memory_of, const Settings &settings_of)
        : memory(memory_of),
          settings(settings_of),
          codec(memory_of, settings),
          codec_inside(memory_of, settings),
          envelope(memory_of),
          counter(memory_of),
          debug_log(memory_of, settings),
          context(memory_of, counter),
          frames(memory_of),
          json(memory_of),
          log(memory_of),
          refs(memory_of),
          state(memory_of),
          text(memory_of) {}

    const registry::Registry &registry() const { return *codec.setup.registry; }
    // That the call goes by: the engine's, or the session's own.
    void set_registry(const registry::Registry &registry) {
        codec.setup.registry = codec_inside.setup.registry = &registry;
    }

    Memory &memory;
    const Settings &settings;
    codec::Codec codec;
    // for a frame that is looked up while another is decoded; keeps refs
    codec::Codec codec_inside;
    frame::EnvelopeStore envelope;  // of a frame that goes out
    token::TokenCounter counter;
    codec::CodecLog debug_log;  // the host's log
    context::ContextScratch context;
    FrameScratch frames;
    JsonScratch json;
    LogScratch log;
    RefScratch refs;
    SharedState::Scratch state;
    Buffer<char> text;                        // what a call composes, or reads to send again
    RegistryCache *registry_cache = nullptr;  // the engine's (written_under.h)
};

}  // namespace accp::session
