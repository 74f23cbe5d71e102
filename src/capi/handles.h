// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of accp_value, accp_frame and accp_batch.
#pragma once

#include "accp/batch.h"
#include "accp/frame.h"
#include "accp/value.h"
#include "base/handle.h"
#include "base/random.h"
#include "frame/coder.h"
#include "value/keys.h"

struct accp_value {
    explicit accp_value(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          value(memory),
          open(memory),
          arena(memory),
          out(memory),
          reader(memory),
          seed(accp::random_seed()) {}

    // A container that accp_value_end() has yet to close.
    struct Open {
        uint32_t node;
        uint32_t count;
        bool is_map;
        bool may_repeat;  // whether two of its keys may be equal
        accp::value::KeySketch keys;

        // The key must have a Buffer's slack.
        void enter_key(const char *key, size_t len) { may_repeat |= keys.add(key, len); }
    };
    // Opens the last node. `open` must have space for it.
    void open_last() {
        const size_t node = value.nodes.size() - 1;
        open.push({static_cast<uint32_t>(node), 0, value.nodes[node].kind == ACCP_MAP, false, {}});
    }

    bool complete() const { return !value.empty() && open.empty(); }
    void clear() {
        value.clear();
        open.clear();
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::value::Value value;
    accp::Buffer<Open> open;
    accp::Arena arena;
    accp::Buffer<char> out;
    accp::value::JsonReader reader;
    uint64_t seed;
};

struct accp_frame {
    explicit accp_frame(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          coder(memory, settings),
          envelope(memory),
          nodes(memory),
          out(memory) {}

    accp::value::TreeView tree() const { return {nodes.data(), text}; }
    uint32_t count() const { return static_cast<uint32_t>(nodes.size()); }
    void clear() {
        nodes.recycle(accp::kKeptBytes);
        text = nullptr;
        text_len = 0;
    }
    uint32_t meta() const {
        uint32_t next = nodes[accp::frame::kPayload].next;
        return next < count() ? next : 0;
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::frame::Coder coder;
    accp::frame::EnvelopeStore envelope;  // for encoded frames
    accp::Buffer<accp::value::Node> nodes;
    accp::Buffer<char> out;
    const char *text = nullptr;
    size_t text_len = 0;
};

struct accp_batch {
    explicit accp_batch(const accp::Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          coder(memory, settings),
          nodes(memory),
          scratch(memory),
          out(memory),
          records(memory) {}

    void clear() {
        nodes.clear();
        out.clear();
        records.clear();
    }

    accp::Settings settings;
    accp::Memory memory;
    accp::frame::Coder coder;
    accp::Buffer<accp::value::Node> nodes;
    accp::Buffer<accp::value::Node> scratch;  // the tree of the frame being decoded
    accp::Buffer<char> out;
    accp::Buffer<accp_record> records;
};

namespace accp::capi {

// The settings and the ignored names for a handle of the grammar. A NULL config gives the defaults.
Settings settings_of(const accp_config *config);
std::string_view ignored_of(const accp_config *config);

// Frees a new handle at the end of a block, unless it is released.
template <class Handle, void (*kFree)(Handle *) noexcept = destroy_handle<Handle>>
struct Held {
    explicit Held(Handle *made) : handle(made) {}
    Held(const Held &) = delete;
    Held &operator=(const Held &) = delete;
    ~Held() { kFree(handle); }
    Handle *operator->() const { return handle; }
    Handle *release() {
        Handle *made = handle;
        handle = nullptr;
        return made;
    }

    Handle *handle;
};

// Makes a handle with a coder, and copies the ignored names into it.
template <class Handle>
Handle *make_coding_handle(const accp_config *config) {
    Held<Handle> made(make_handle<Handle>(settings_of(config)));
    made->coder.ignored.append(ignored_of(config));
    return made.release();
}

}  // namespace accp::capi
