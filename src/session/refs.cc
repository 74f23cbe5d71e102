// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See refs.h: what frames refer to while they are read, and values that are kept while one is
// written.
#include "session/refs.h"

#include <charconv>

#include "base/pack.h"
#include "session/ref_name.h"

namespace accp::session {

namespace {

constexpr const char *kNoResolver =
    "a ref of the peer's session, and no hook `resolve` that could look there";

// A name that every session gives itself, for something else: cold.t7, cold.m17, hot.m17,
// hot.state, warm.ckpt_3; with labels after it or without.
bool is_everybodys(std::string_view ref) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    return is_given(tier, key.substr(0, key.find('.')));
}

}  // namespace

Status SessionRefs::resolve(std::string_view ref, std::string_view &json) {
    // what was a peer's then is kept with its frame
    const bool theirs = owner_ == Session::Owner::kPeer && !session_.scratch_restores_;
    return theirs ? resolve_of_peer(ref, json) : resolve_own(ref, json);
}

Status SessionRefs::resolve_of_peer(std::string_view ref, std::string_view &json) {
    codec::RefResolver *elsewhere = session_.rules_.elsewhere;
    if (!elsewhere && !(session_.rules_.shares_store && is_everybodys(ref)))
        return resolve_own(ref, json);
    fleeting_ = true;
    Status status = elsewhere ? elsewhere->resolve(ref, json) : fail(ACCP_E2001, 0, kNoResolver);
    constexpr std::string_view kHosts = "ctx.";
    return status.code == ACCP_E2001 && ref.substr(0, kHosts.size()) == kHosts
               ? resolve_own(ref, json)
               : status;
}

Status SessionRefs::resolve_own(std::string_view ref, std::string_view &json) {
    Kept kept;
    const bool cold = ref.substr(0, kColdPrefix.size()) == kColdPrefix;
    if (cold && kept_now(ref.substr(kColdPrefix.size()), &Kept::key, kept)) {
        json = kept.json;
        return {};
    }
    fleeting_ = fleeting_ || !cold || !is_ours(ref.substr(kColdPrefix.size()));
    scratch_.resolved.recycle(kKeptBytes);
    Status status = session_.resolve_now(ref, now_ms_, scratch_, scratch_.resolved);
    json = {scratch_.resolved.data(), scratch_.resolved.size()};
    return status;
}

// Has this call kept a value whose hash, or key, is this?
bool SessionRefs::kept_now(std::string_view wanted, std::string_view Kept::*part, Kept &out) const {
    Unpacker unpacker({scratch_.kept.data(), scratch_.kept.size()});
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
        Status status = session_.store_->blob(store::Tier::kCold, {name, len}, 0, scratch_.blob);
        if (status.failed() && status.code != ACCP_E2001) return status;
        if (status.ok()) {
            key = {scratch_.blob.data(), scratch_.blob.size()};
        } else {
            made[0] = 't';
            key = {made, static_cast<size_t>(
                             std::to_chars(made + 1, made + sizeof made, next_key_++).ptr - made)};
            status = session_.put_value(store::Tier::kCold, key, json, 0, scratch_);
            if (status.failed()) return status;
            scratch_.batch.put(store::Tier::kCold, {name, len}, key);
            Packer packer(scratch_.kept);
            packer.text(hash.view());
            packer.text(key);
            packer.text(json);
        }
    }
    kColdPrefix.copy(ref_, kColdPrefix.size());
    ref = {ref_, kColdPrefix.size() +
                     key.copy(ref_ + kColdPrefix.size(), sizeof ref_ - kColdPrefix.size())};
    return {};
}

}  // namespace accp::session
