// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registries under which a session's frames were written. The log has frames as sent on the
// wire. To read a value by position, or an omitted value, the schema of that time is needed, not
// the current registry of the engine. Each change of the registry is noted in a blob of the
// session, not in the records:
//
//   marks = mark*             in the order of the records; missing in old sessions, whose frames
//                             are read with the engine's registry
//   mark  = first p1 hash     from this record on
//   first = number            p1 = number   1: payloads may be by position
//   hash  = string            of 64 digits
//
// The hash form of each registry is stored in a blob under its hash, except for registries of
// built-in schemas only, which the library always has.
#pragma once

#include <mutex>

#include "registry/registry_ref.h"
#include "session/scratch.h"

namespace accp::session {

// The registries that an engine has read recently. Any thread may call it.
class RegistryCache {
public:
    registry::RegistryRef find(std::string_view hash);  // empty: not found
    void add(const registry::RegistryRef &registry);

private:
    static constexpr uint32_t kKept = 8;

    std::mutex lock_;
    registry::RegistryRef kept_[kKept];
    uint32_t next_ = 0;
};

class RegistryMarks {
public:
    explicit RegistryMarks(Memory &memory) : marks_(memory) {}

    struct Mark {
        std::string_view hash;  // empty: nothing is noted
        bool by_position = false;

        bool operator==(const Mark &) const = default;
        static Mark of(const codec::CodecSetup &setup) {
            return {setup.registry->hash().view(), setup.by_position};
        }
    };

    Status load(store::StoreSession &store, Scratch &scratch);
    Mark mark_of(uint64_t record) const;
    size_t bytes() const { return marks_.size(); }  // grows with each mark
    std::string_view newest() const { return mark_of(UINT64_MAX).hash; }
    // Notes that the newest record, number `record`, was written with this setup. If the setup has
    // changed, adds the new marks to the batch.
    void note(uint64_t record, const codec::CodecSetup &now, store::StoreBatch &batch);

private:
    Buffer<char> marks_;
    // The mark that mark_of() returned last, and its first record. The next call usually needs the
    // same mark or a later one.
    mutable size_t at_ = 0;
    mutable uint64_t since_ = 0;
};

// Finds the registry with this hash, under which frames of the session were written. Returns
// ACCP_ERR_CORRUPT if it is missing.
Status find_registry(store::StoreSession &store, std::string_view hash, Scratch &scratch,
                     registry::RegistryRef &out);

// Makes a codec read with the registry of a record, as long as this object lives.
class RecordRegistryScope {
public:
    explicit RecordRegistryScope(codec::Codec &codec)
        : setup_(codec.setup), registry_(setup_.registry), by_position_(setup_.by_position) {}
    ~RecordRegistryScope() {
        setup_.registry = registry_;
        setup_.by_position = by_position_;
    }
    RecordRegistryScope(const RecordRegistryScope &) = delete;
    RecordRegistryScope &operator=(const RecordRegistryScope &) = delete;

    Status begin(store::StoreSession &store, const RegistryMarks &written, uint64_t record,
                 Scratch &scratch);

private:
    codec::CodecSetup &setup_;
    const registry::Registry *const registry_;  // the previous registry
    const bool by_position_;
    registry::RegistryRef held_;
};

}  // namespace accp::session
