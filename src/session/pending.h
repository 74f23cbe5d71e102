// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session has open, beside its context and its state. It is kept in a blob of its own, written with a checkpoint where it changed: a snapshot is small, and
// is written with each.
#pragma once

#include "base/pack.h"
#include "delivery/chains.h"

namespace accp {

struct Pending {
    explicit Pending(Memory &memory) : chains(memory) {}

    CancelledChains chains;
    bool kept = true;  // the store has it as it is

    void write(Buffer<char> &out) const { Packer(out).text(chains.all()); }

    // Into one that is empty. ACCP_ERR_CORRUPT for what write() did not write.
    Status read(std::string_view bytes) {
        Unpacker unpacker(bytes);
        for (std::string_view all = unpacker.text(); !all.empty();) {
            std::string_view id = all.substr(0, all.find('\0'));
            Status status = chains.add(id);
            if (status.failed()) return status;
            all.remove_prefix(id.size() < all.size() ? id.size() + 1 : all.size());
        }
        return unpacker.ok() ? Status{} : fail(ACCP_ERR_CORRUPT, 0, "what the session has open is not what was kept");
    }
};

}  // namespace accp
