// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/registry_marks.h"

#include "base/pack.h"
#include "session/frame_refs.h"

namespace accp::session {

namespace {

constexpr const char *kLost =
    "the registry that the session was written under is missing in the store";

// The key of a registry in the store.
class BlobKey {
public:
    explicit BlobKey(std::string_view hash) : len_(kRegistryPrefix.copy(text_, sizeof text_)) {
        len_ += hash.copy(text_ + len_, sizeof text_ - len_);
    }
    std::string_view view() const { return {text_, len_}; }

private:
    char text_[kRegistryPrefix.size() + sizeof Digest::hex];
    size_t len_;
};

// Registries that were accepted once are read without the limits of the engine.
Settings settings_of_registries(const Settings &engine) {
    Settings settings;
    settings.allocator = engine.allocator;
    settings.limits[ACCP_LIMIT_JSON_BYTES] = kMaxTextBytes;
    return settings;
}

// Finds a registry that consists of built-in schemas only.
Status find_built_in(const Settings &settings, std::string_view hash, registry::RegistryRef &out) {
    registry::RegistryRef made;
    for (uint32_t profiles = 0; profiles <= ACCP_PROFILE_ALL; ++profiles) {
        Status status = registry::make_registry(settings, profiles, {}, made);
        if (status.failed()) return status;
        if (made->hash().view() != hash) continue;
        out = made;
        return {};
    }
    return fail(ACCP_ERR_CORRUPT, 0, kLost);
}

Status load_registry(store::StoreSession &store, std::string_view hash, Scratch &scratch,
                     registry::RegistryRef &out) {
    const Settings settings = settings_of_registries(scratch.settings);
    Buffer<char> text(scratch.memory);
    Status status = store.blob(store::Tier::kWarm, BlobKey(hash).view(), 0, text);
    if (status.code == ACCP_E2001) return find_built_in(settings, hash, out);
    registry::RegistryRef made;
    if (status.ok())
        status = registry::make_registry(settings, ACCP_PROFILE_NONE, text.view(), made);
    if (status.code > 0 || (status.ok() && made->hash().view() != hash))
        return fail(ACCP_ERR_CORRUPT, 0, kLost);
    if (status.ok()) out = made;
    return status;
}

}  // namespace

registry::RegistryRef RegistryCache::find(std::string_view hash) {
    std::lock_guard<std::mutex> guard(lock_);
    for (const registry::RegistryRef &one : kept_)
        if (one && one->hash().view() == hash) return one;
    return {};
}

void RegistryCache::add(const registry::RegistryRef &registry) {
    std::lock_guard<std::mutex> guard(lock_);
    kept_[next_++ % kKept] = registry;
}

Status RegistryMarks::load(store::StoreSession &store, Scratch &scratch) {
    marks_.clear();
    at_ = since_ = 0;
    Buffer<char> &found = scratch.log.found;
    Status status = store.blob(store::Tier::kWarm, kRegistriesKey, 0, found);
    if (status.code == ACCP_E2001) return {};
    if (status.ok()) marks_.append(found.view());
    return status;
}

RegistryMarks::Mark RegistryMarks::mark_of(uint64_t record) const {
    if (record < since_) at_ = since_ = 0;
    Mark mark;
    for (size_t next = at_; next < marks_.size();) {
        Unpacker marks(marks_.view().substr(next));
        const uint64_t first = marks.number();
        if (first > record) break;
        at_ = next;
        since_ = first;
        mark.by_position = marks.number() != 0;
        mark.hash = marks.text();
        next = marks_.size() - marks.rest().size();
    }
    return mark;
}

void RegistryMarks::note(uint64_t record, const codec::CodecSetup &now, store::StoreBatch &batch) {
    const registry::Registry &registry = *now.registry;
    const Mark mark = Mark::of(now);
    if (mark_of(record) == mark) return;
    if (!registry.is_built_in() && marks_.view().find(mark.hash) == std::string_view::npos)
        batch.put(store::Tier::kWarm, BlobKey(mark.hash).view(), registry.canonical());
    Packer packer(marks_);
    packer.number(record);
    packer.number(mark.by_position);
    packer.text(mark.hash);
    batch.put(store::Tier::kWarm, kRegistriesKey, marks_.view());
}

Status find_registry(store::StoreSession &store, std::string_view hash, Scratch &scratch,
                     registry::RegistryRef &out) {
    out = scratch.registry_cache->find(hash);
    if (out) return {};
    Status status = load_registry(store, hash, scratch, out);
    if (status.ok()) scratch.registry_cache->add(out);
    return status;
}

Status RecordRegistryScope::begin(store::StoreSession &store, const RegistryMarks &written,
                                  uint64_t record, Scratch &scratch) {
    const RegistryMarks::Mark mark = written.mark_of(record);
    if (mark.hash.empty() || mark == RegistryMarks::Mark::of(setup_)) return {};
    Status status = find_registry(store, mark.hash, scratch, held_);
    if (status.failed()) return status;
    setup_.registry = &*held_;
    setup_.by_position = mark.by_position;
    return {};
}

}  // namespace accp::session
