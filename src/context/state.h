// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// All that a context holds between two calls: what save() writes, and the hot messages since.
#pragma once

#include "context/warm.h"

namespace accp::context {

struct HotEntry {      // a message in hot
    uint32_t end = 0;  // of its text, the newline with it
    uint32_t tokens = 0;
    uint32_t number = 0;
    uint32_t ref_end = 0;  // in refs
    Source source = Source::kResult;
    bool closed = false;  // by a checkpoint: it is only still there
    bool stated = false;  // all that it says is facts
};

struct ContextState {
    explicit ContextState(Memory &memory)
        : warm(memory), hot(memory), refs(memory), facts(memory), entries(memory) {}

    Warm warm;
    Buffer<char> hot;    // the reference to the last checkpoint, then the messages
    Buffer<char> refs;   // of the entries
    Buffer<char> facts;  // records (learn.h) of what no checkpoint has closed yet
    Buffer<HotEntry> entries;
    // of the line in hot that names the last checkpoint
    uint32_t reference_end = 0, reference_tokens = 0;
    uint64_t messages = 0, history = 0;
    struct Base {  // as of the last checkpoint
        uint32_t checkpoint = 0, entries = 0, tokens = 0;
        uint64_t messages = 0, history = 0;
    } base;

    std::string_view text(size_t i) const {
        uint32_t from = i ? entries[i - 1].end : reference_end;
        return {hot.data() + from, entries[i].end - from};
    }
    std::string_view ref(size_t i) const {
        uint32_t from = i ? entries[i - 1].ref_end : 0;
        return {refs.data() + from, entries[i].ref_end - from};
    }
    uint32_t hot_tokens() const {
        uint32_t tokens = reference_tokens;
        for (size_t i = 0; i < entries.size(); ++i) tokens += entries[i].tokens;
        return tokens;
    }
    // Room for one more message and its facts, and not much more.
    void reserve(size_t text_bytes, size_t ref_bytes, size_t fact_bytes) {
        hot.reserve_exact(hot.size() + text_bytes);
        refs.reserve_exact(refs.size() + ref_bytes);
        facts.reserve_exact(facts.size() + fact_bytes);
        entries.reserve_exact(entries.size() + 1);
    }
    void add(HotEntry entry, std::string_view text, std::string_view ref);
    void clear_hot() {
        hot.clear();
        refs.clear();
        entries.clear();
    }
    void assign(const ContextState &other);
    // The same with room for what the other has, and not much more; OutOfMemory leaves all as it
    // was.
    void assign_tightly(const ContextState &other, Memory &memory);
    void swap(ContextState &other) noexcept;
};

// The text of the checkpoint-time state, appended; and back. ACCP_ERR_ARG for what is no such text.
void write_state(const ContextState &state, const ContextOptions &options, Buffer<char> &out);
Status read_state(const char *text, size_t len, const ContextOptions &options, ContextState &out);

}  // namespace accp::context
