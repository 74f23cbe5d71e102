// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions of the memory back end. A session's log is rows of packed records, and the newest
// records unpacked. Everything else is kept as copies of the operations that made it, each in its
// own block; the bytes of blobs are packed.
#pragma once

#include <algorithm>

#include "base/random.h"
#include "base/slots.h"
#include "store/backend.h"
#include "store/record_block.h"

namespace accp::store {

// Memory for packing and unpacking, shared by all sessions of a store.
struct MemoryScratch {
    explicit MemoryScratch(Memory &memory) : packer(memory), packed(memory), row(memory) {}

    LzPacker packer;
    Buffer<char> packed;
    RecordBlock row;  // the last row that was read
};

class MemoryLog {
public:
    explicit MemoryLog(Memory &memory) : memory_(&memory), rows_(memory), newest_(memory) {}
    ~MemoryLog() { drop_rows(0); }
    MemoryLog(const MemoryLog &) = delete;
    MemoryLog &operator=(const MemoryLog &) = delete;

    size_t size() const { return packed_ + newest_.count(); }
    uint64_t bytes() const { return packed_bytes_ + newest_.bytes(); }

    // Allocates memory, so that the add() calls for these records allocate none. Packs the newest
    // records if they fill a row.
    void reserve(size_t records, size_t bytes, MemoryScratch &scratch);
    void add(std::string_view record) { newest_.add(record); }

    // Calls visit(seq, record) for the records first … last, or in reverse order, until it returns
    // false.
    template <class Visit>
    void each(uint64_t first, uint64_t last, bool newest_first, MemoryScratch &scratch,
              Visit visit) const {
        const Part *part = nullptr;
        for (uint64_t i = 0, count = last - first + 1; i < count; ++i) {
            const uint64_t seq = newest_first ? last - i : first + i;
            if (seq > packed_) {
                if (!visit(seq, newest_[seq - packed_ - 1])) return;
                continue;
            }
            if (!part || seq < part->first || seq >= part->first + part->count)
                part = &open_row(seq, scratch);
            if (!visit(seq, scratch.row[seq - part->first])) return;
        }
    }

private:
    struct Part {
        uint64_t first;  // sequence of its first record
        uint32_t count, bytes, len;
        char *row;
    };

    const Part &open_row(uint64_t seq, MemoryScratch &scratch) const;
    void pack_newest(MemoryScratch &scratch);
    void drop_rows(size_t from) {
        for (size_t i = from; i < rows_.size(); ++i) memory_->release(rows_[i].row, rows_[i].len);
        rows_.resize_down(from);
    }

    Memory *memory_;
    Buffer<Part> rows_;
    RecordBlock newest_;
    uint64_t packed_ = 0;  // records in rows_
    uint64_t packed_bytes_ = 0;
};

class MemorySession {
public:
    MemorySession(Memory &memory, std::string_view name, uint64_t seed)
        : id(memory),
          log(memory),
          blobs(memory),
          grants(memory),
          mids(memory),
          memory_(&memory),
          seed_(seed) {
        id.append(name);
    }
    ~MemorySession() {
        for (Buffer<StoreOp *> *list : {&blobs, &grants})
            for (size_t i = 0; i < list->size(); ++i) drop((*list)[i]);
        drop(state);
    }

    std::string_view name() const { return {id.data(), id.size()}; }

    // Allocates the memory that apply() needs for `waiting` other operations and this one, apart
    // from the copy of the operation.
    void reserve(const StoreOp &op, size_t waiting) {
        if (op.kind == StoreOp::kPut) blobs.reserve(waiting + 1);
        if (op.kind == StoreOp::kGrant) grants.reserve(waiting + 1);
        if (op.kind == StoreOp::kMid)
            mids.reserve(waiting + 1, [this](uint64_t kept) { return hash(kept); });
    }
    static bool is_kept(const StoreOp &op) {
        return op.kind == StoreOp::kState || op.kind == StoreOp::kPut || op.kind == StoreOp::kGrant;
    }
    // Applies an operation without allocating memory. `kept` is its copy, if the session keeps the
    // operation; the session takes it over.
    void apply(const StoreOp &op, StoreOp *kept);

    bool has_mid(uint64_t word) const {
        return mids.find(hash(word + 1), [&](uint64_t kept) { return kept == word + 1; }) != 0;
    }
    const StoreOp *find_blob(Tier tier, std::string_view key) const {
        size_t at = blob_place(tier, key);
        return at < blobs.size() && is_at(*blobs[at], tier, key) ? blobs[at] : nullptr;
    }
    // Removes the blobs or grants for which goes(op) is true. Returns how many.
    template <class Goes>
    uint64_t drop_if(Buffer<StoreOp *> &list, Goes goes) {
        size_t kept = 0, count = list.size();
        for (size_t i = 0; i < count; ++i)
            if (goes(*list[i])) drop(list[i]);
            else list[kept++] = list[i];
        list.resize_down(kept);
        return count - kept;
    }

    Buffer<char> id;
    SessionRow row;
    MemoryLog log;
    Buffer<StoreOp *> blobs;   // by tier and key
    Buffer<StoreOp *> grants;  // by grantee and prefix
    Slots mids;                // each word plus one
    StoreOp *state = nullptr;

private:
    static bool is_at(const StoreOp &op, Tier tier, std::string_view key) {
        return op.tier == tier && op.key() == key;
    }
    uint64_t hash(uint64_t kept) const {
        return seeded_hash(reinterpret_cast<const char *>(&kept), sizeof kept, seed_);
    }
    size_t blob_place(Tier tier, std::string_view key) const {
        auto before = [&](const StoreOp *op, int) {
            return op->tier != tier ? op->tier < tier : op->key() < key;
        };
        return static_cast<size_t>(
            std::lower_bound(blobs.data(), blobs.data() + blobs.size(), 0, before) - blobs.data());
    }
    size_t grant_place(const StoreOp &of) const {
        auto before = [&](const StoreOp *op, int) {
            return op->bytes() != of.bytes() ? op->bytes() < of.bytes() : op->key() < of.key();
        };
        return static_cast<size_t>(
            std::lower_bound(grants.data(), grants.data() + grants.size(), 0, before) -
            grants.data());
    }
    // Replaces, inserts or (if `kept` is NULL) removes an entry at `place`. `there`: the entry
    // exists at that place; otherwise the next one is there.
    void put(Buffer<StoreOp *> &list, size_t place, bool there, StoreOp *kept);
    void drop(StoreOp *op) {
        if (op) memory_->release(op, op->size());
    }

    Memory *memory_;
    uint64_t seed_;
};

}  // namespace accp::store
