// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See refs.h: what frames refer to while they are read, and values that are kept while one is written.
#include "session/refs.h"

#include <charconv>

#include "base/pack.h"
#include "session/ref_name.h"

namespace accp {

Status SessionRefs::resolve(std::string_view ref, std::string_view &json) {
    Kept kept;
    if (ref.substr(0, kColdPrefix.size()) == kColdPrefix && kept_now(ref.substr(kColdPrefix.size()), &Kept::key, kept)) {
        json = kept.json;
        return {};
    }
    const bool cold = ref.substr(0, kColdPrefix.size()) == kColdPrefix;
    fleeting_ = fleeting_ || !cold || !is_ours(ref.substr(kColdPrefix.size()));
    desk_.resolved.recycle(kKeptBytes);
    Status status = session_.resolve_now(ref, now_ms_, desk_, desk_.resolved);
    RefResolver *elsewhere = session_.rules_.elsewhere;
    if (status.code == ACCP_E2001 && elsewhere && !session_.desk_restores_) {  // what it said is kept with the frame
        fleeting_ = true;
        return elsewhere->resolve(ref, json);
    }
    json = {desk_.resolved.data(), desk_.resolved.size()};
    return status;
}

// Has this call kept a value whose hash, or key, is this?
bool SessionRefs::kept_now(std::string_view wanted, std::string_view Kept::*part, Kept &out) const {
    Unpacker unpacker({desk_.kept.data(), desk_.kept.size()});
    while (!unpacker.rest().empty()) {
        out.hash = unpacker.text();
        out.key = unpacker.text();
        out.json = unpacker.text();
        if (out.*part == wanted) return true;
    }
    return false;
}

Status SessionRefs::keep(std::string_view json, std::string_view &ref) {
    const Digest hash = sha256(json);
    char name[kHashPrefix.size() + sizeof hash.hex], made[24];
    size_t len = kHashPrefix.copy(name, kHashPrefix.size());
    len += hash.view().copy(name + len, hash.view().size());
    Kept kept;
    std::string_view key;
    if (kept_now(hash.view(), &Kept::hash, kept)) {
        key = kept.key;
    } else {
        Status status = session_.store_->blob(Tier::kCold, {name, len}, 0, desk_.blob);
        if (status.failed() && status.code != ACCP_E2001) return status;
        if (status.ok()) {
            key = {desk_.blob.data(), desk_.blob.size()};
        } else {
            made[0] = 't';
            key = {made, static_cast<size_t>(std::to_chars(made + 1, made + sizeof made, next_key_++).ptr - made)};
            status = session_.put_value(Tier::kCold, key, json, 0, desk_);
            if (status.failed()) return status;
            desk_.batch.put(Tier::kCold, {name, len}, key);
            Packer packer(desk_.kept);
            packer.text(hash.view());
            packer.text(key);
            packer.text(json);
        }
    }
    kColdPrefix.copy(ref_, kColdPrefix.size());
    ref = {ref_, kColdPrefix.size() + key.copy(ref_ + kColdPrefix.size(), sizeof ref_ - kColdPrefix.size())};
    return {};
}

}  // namespace accp
