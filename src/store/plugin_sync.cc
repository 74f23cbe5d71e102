// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See plugin_sync.h.
#include "store/plugin_sync.h"

#include <algorithm>

namespace accp::store {

namespace {

struct Part {
    StoreLane *lane;
    size_t begin, count;  // its writes in the call
    bool goes_on;

    PluginBackend &backend() const { return static_cast<PluginBackend &>(*lane->backend); }
};

// One call for all parts that go on. status: the first failure.
void write_parts(PluginPlace &place, Buffer<accp_store_write> &writes, Buffer<Part> &parts,
                 Status &status) {
    const auto stop = [&status](Part &part, const Status &why) {
        part.goes_on = false;
        if (status.ok()) status = why;
    };
    writes.clear();
    for (Part &part : parts) {
        if (!part.goes_on) continue;
        const Status collected = part.backend().collect(part.lane->queue);
        if (collected.failed()) stop(part, collected);
        const auto own = part.backend().writes();
        part.begin = writes.size();
        part.count = part.goes_on ? own.size() : 0;
        writes.append(own.data(), part.count);
    }
    Status called;
    if (!writes.empty()) called = PluginPort(place.table).write(writes.data(), writes.size());
    for (Part &part : parts) {
        if (!part.goes_on) continue;
        if (part.count && called.failed()) {
            stop(part, called);
            continue;
        }
        std::copy_n(writes.data() + part.begin, part.count, part.backend().writes().data());
        bool again = false;
        const Status settled = part.backend().settle(part.lane->queue, again);
        if (settled.failed()) stop(part, settled);
        if (settled.failed() || again) continue;
        part.lane->note_written(true);
        part.goes_on = false;
    }
}

}  // namespace

Status write_lanes(PluginPlace &place, Memory &memory, const Buffer<StoreLane *> &lanes) {
    Buffer<accp_store_write> writes(memory);
    Buffer<Part> parts(memory);
    for (StoreLane *lane : lanes) parts.push({lane, 0, 0, !lane->queue.empty()});
    Status status;
    for (int tries = 0; tries < kGroupTries; ++tries) {
        write_parts(place, writes, parts, status);
        const auto goes_on = [](const Part &part) { return part.goes_on; };
        if (std::none_of(parts.begin(), parts.end(), goes_on)) return status;
    }
    return status.failed() ? status : fail(ACCP_ERR_BUSY, 0, kWrittenTooOften);
}

}  // namespace accp::store
