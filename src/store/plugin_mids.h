// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which mids a session of a host's back end has seen: sorted runs in its map, merged sixteen at a
// time, as in mid_index.h. A run of level 2 is sixteen values, each of the words that hash there,
// so that looking for one reads one.
#pragma once

#include "store/plugin_format.h"
#include "store/plugin_port.h"

namespace accp::store {

class PluginMids {
public:
    PluginMids(Memory &memory, PluginPlace &place, PluginPort &port)
        : place_(place), port_(port), words_(memory), part_(memory) {}

    // Is it in the runs?
    Status has(std::string_view id, const SessionRow &row, uint64_t word, bool &out);
    // The tail becomes a run: what that puts and erases, in `arena`, appended to `changes`.
    Status add_tail(std::string_view id, const OpenSession &session, Arena &arena,
                    Buffer<accp_store_change> &changes);
    // All runs of a session, appended.
    Status read_all(std::string_view id, const SessionRow &row, Buffer<uint64_t> &out);
    // The runs of `before` became those of `after` by these words.
    void note_added(const SessionRow &before, const SessionRow &after,
                    const Buffer<uint64_t> &words) {
        place_.extend_filter(before, after, words);
    }

private:
    Status read_part(std::string_view id, const PluginKey &key, Buffer<uint64_t> &out);
    Status read_run(std::string_view id, uint64_t level, uint64_t run, Buffer<uint64_t> &out);
    void put_run(uint64_t level, uint64_t run, Arena &arena, Buffer<accp_store_change> &changes);
    Status merge(std::string_view id, uint64_t level, uint64_t newest, Arena &arena,
                 Buffer<accp_store_change> &changes);

    PluginPlace &place_;
    PluginPort &port_;
    Buffer<uint64_t> words_, part_;
};

}  // namespace accp::store
