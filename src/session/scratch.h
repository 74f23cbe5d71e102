// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Working memory for one call on a session. The next call on another session uses it again, so a
// hundred thousand sessions stay small. Each part of a session has its own struct.
#pragma once

#include "codec/codec.h"
#include "codec/log.h"
#include "context/scratch.h"
#include "session/shared_state.h"
#include "store/store.h"

namespace accp::session {

class RegistryCache;

// For frames.h: frames that are inspected while the codec may have another one.
struct FrameScratch {
    explicit FrameScratch(Memory &memory)
        : nodes(memory), part_nodes(memory), arena(memory), joined(memory) {}

    Buffer<value::Node> nodes;       // of one of several sent frames
    Buffer<value::Node> part_nodes;  // of a frame that may be a part, or that caused another
    Arena arena;                     // of a part
    Buffer<char> joined;             // the frame that the parts form together
};

// Messages as JSON.
struct JsonScratch {
    explicit JsonScratch(Memory &memory) : reader(memory), value(memory), out(memory) {}

    value::JsonReader reader;
    value::Value value;  // input
    Buffer<char> out;    // output
};

// For driver.h: what the call stores, and what it reads from the log.
struct LogScratch {
    explicit LogScratch(Memory &memory)
        : batch(memory), records(memory), found(memory), out(memory), expired(memory) {}

    store::StoreBatch batch;
    store::StoreRecords records;  // of a scan
    Buffer<char> found;           // a record or blob that was read
    Buffer<char> out;             // a record or blob to be written
    Buffer<char> expired;         // packed requests: see Effects
};

// For frame_refs.h.
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
    Buffer<char> found;           // the stored value of a ref
    Buffer<char> resolved;
    bool untrusted = false;  // the last resolved value, or a part of it, is untrusted
    Buffer<char> kept;       // hashes, keys and texts of the values that this call has stored
    Buffer<char> stub;       // of a value in the host's cold store
    value::JsonReader reader;
    value::Value value;  // in which the labels after a key are looked up
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
    // Sets the registry of the call: of the engine, or of the session.
    void set_registry(const registry::Registry &registry) {
        codec.setup.registry = codec_inside.setup.registry = &registry;
    }

    Memory &memory;
    const Settings &settings;
    codec::Codec codec;
    // for a frame that is read while another is decoded; keeps refs
    codec::Codec codec_inside;
    frame::EnvelopeStore envelope;  // of a frame to be sent
    token::TokenCounter counter;
    codec::CodecLog debug_log;  // of the log hook
    context::ContextScratch context;
    FrameScratch frames;
    JsonScratch json;
    LogScratch log;
    RefScratch refs;
    SharedState::Scratch state;
    Buffer<char> text;                        // a composed text, or a frame to be sent again
    RegistryCache *registry_cache = nullptr;  // of the engine (registry_marks.h)
};

}  // namespace accp::session
