// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The index of the mids that a session over a host's back end has seen: sorted runs of words
// (mid_word() in batch.h) in its map, merged sixteen at a time, as in mid_index.h. A run of level 2
// is split into sixteen values by a hash of the word, so a lookup reads one value.
#pragma once

#include "store/plugin_format.h"
#include "store/plugin_port.h"

namespace accp::store {

class PluginMids {
public:
    PluginMids(Memory &memory, PluginContext &context, PluginPort &port)
        : context_(context), port_(port), words_(memory), part_(memory) {}

    // Reports whether the index has the word.
    Status has(std::string_view id, const SessionRow &row, uint64_t word, bool &out);
    // Adds the tail of the session as a run. Appends the necessary changes to `changes`; their data
    // is in `arena`.
    Status add_tail(std::string_view id, const OpenSession &session, Arena &arena,
                    Buffer<accp_store_change> &changes);
    // Appends the words of all runs of a session.
    Status read_all(std::string_view id, const SessionRow &row, Buffer<uint64_t> &out);
    // Updates the filter after a write that added these words.
    void note_added(const SessionRow &before, const SessionRow &after,
                    const Buffer<uint64_t> &words) {
        context_.extend_filter(before, after, words);
    }

private:
    Status read_part(std::string_view id, const PluginKey &key, Buffer<uint64_t> &out);
    Status read_run(std::string_view id, uint64_t level, uint64_t run, Buffer<uint64_t> &out);
    void put_run(uint64_t level, uint64_t run, Arena &arena, Buffer<accp_store_change> &changes);
    Status merge(std::string_view id, uint64_t level, uint64_t newest, Arena &arena,
                 Buffer<accp_store_change> &changes);

    PluginContext &context_;
    PluginPort &port_;
    Buffer<uint64_t> words_, part_;
};

}  // namespace accp::store
