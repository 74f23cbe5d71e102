// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An open index on disk, with its memory.
#pragma once

#include "packet/code/disk.h"
#include "packet/code_trees.h"
#include "store/sqlite_setup.h"

namespace code_trees {

struct OnDisk {
    explicit OnDisk(const std::string &path, const accp_allocator &from = private_allocator(),
                    const char *vfs = nullptr)
        : memory(from, UINT64_MAX) {
        place.name = path;
        place.durability = store::Durability::kNormal;
        setup.vfs = vfs;
        if (vfs) setup.wal_pages = 12;  // on a test's disk, so that checkpoints occur
        place.sqlite = &setup;
        status = files.open(place);
    }
    packet::DiskCodeIndex *operator->() { return &files; }

    Memory memory;
    packet::DiskCodeIndex files{memory};
    store::SqliteSetup setup;
    store::StorePlace place;
    Status status;
};

}  // namespace code_trees
