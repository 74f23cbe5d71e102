// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The structs of the opaque handles of the C face.
#pragma once

#include "base/handle.h"
#include "base/random.h"
#include "frame/coder.h"

struct accp_options {
    explicit accp_options(const accp::Settings &)
        : memory(settings.allocator, UINT64_MAX), ignored(memory) {}

    accp::Settings settings;  // of the handles to be made
    accp::Memory memory;      // of this one: always the private allocator's
    accp::Buffer<char> ignored;
};

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
    };

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

// What options (NULL: the defaults) ask for.
inline Settings settings_of(const accp_options *options) {
    return options ? options->settings : Settings();
}

// A handle with a coder, and the names to ignore copied into it.
template <class Handle>
Handle *make_coding_handle(const accp_options *options) {
    Handle *handle = make_handle<Handle>(settings_of(options));
    if (!options || options->ignored.empty()) return handle;
    struct Holder {
        Handle *held;
        ~Holder() { end_handle(held); }
    } holder = {handle};
    handle->coder.ignored.append(options->ignored);
    holder.held = nullptr;
    return handle;
}

}  // namespace accp::capi
