// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The registries that a session's frames were written under. The log has frames as they went over
// the wire, so a value by its position, or one that was left out, is what the schema of then says,
// whatever registry an engine has later. Where the registry changes is noted in a blob of the
// session; the records know nothing of it:
//
//   marks = mark*             in the order of the records; none in sessions of before: these are
//                             read by the engine's registry
//   mark  = first p1 hash     from this record on
//   first = number            p1 = number   1: payloads may be by position
//   hash  = string            of 64 digits
//
// The registry itself, in its hash form, is a blob under its hash. One that is built-in schemas
// alone has none: the library has them, whichever session it is.
#pragma once

#include <mutex>

#include "registry/registry_ref.h"
#include "session/scratch.h"

namespace accp::session {

// Those of an engine's that were read lately. Any thread.
class RegistryCache {
public:
    registry::RegistryRef find(std::string_view hash);  // nothing: none of them
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
    size_t bytes() const { return marks_.size(); }  // more with each mark
    std::string_view newest() const { return mark_of(UINT64_MAX).hash; }
    // Record `record`, the newest, is written by this: into the batch, where that is news.
    void note(uint64_t record, const codec::CodecSetup &now, store::StoreBatch &batch);

private:
    Buffer<char> marks_;
    // The mark that was asked for last, and from where it is: mostly the next one asks for it too,
    // or for a later one.
    mutable size_t at_ = 0;
    mutable uint64_t since_ = 0;
};

// The registry of that hash, which a session was written under. ACCP_ERR_CORRUPT: it is lost.
Status find_registry(store::StoreSession &store, std::string_view hash, Scratch &scratch,
                     registry::RegistryRef &out);

// While it lives, a codec reads by the registry of a record.
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
    const registry::Registry *const registry_;  // of before
    const bool by_position_;
    registry::RegistryRef held_;
};

}  // namespace accp::session
