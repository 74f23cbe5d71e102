// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/frame_refs.h"

#include <charconv>

#include "base/pack.h"
#include "base/sha256.h"
#include "session/frames.h"
#include "session/ref_name.h"

namespace accp::session {

namespace {

constexpr const char *kNoResolver =
    "the ref belongs to the peer's session: set the hook `resolve` to read it there";

// Returns whether every session uses this name for something of its own: cold.t7, cold.m17,
// hot.m17, hot.state or warm.ckpt_3, with or without labels after it.
bool is_session_local(std::string_view ref) {
    std::string_view tier, key;
    split_ref(ref, tier, key);
    return is_reserved_key(tier, key.substr(0, key.find('.')));
}

Status put_cold(ColdStore &cold, std::string_view text, Buffer<char> &stub) {
    const Digest name = sha256(text);
    Status status = cold.put(name.view(), text);
    if (status.failed()) return status;
    stub.clear();
    stub.push(kStubMark);
    stub.append(name.view().data(), name.view().size());
    return {};
}

}  // namespace

Status FrameRefs::resolve(std::string_view ref, std::string_view &json) {
    untrusted = false;
    return origin_ == FrameOrigin::kPeer ? resolve_of_peer(ref, json) : resolve_own(ref, json);
}

Status FrameRefs::resolve_of_peer(std::string_view ref, std::string_view &json) {
    if (!rules_.peer_resolver && !(rules_.shares_store && is_session_local(ref)))
        return resolve_own(ref, json);
    has_changeable_refs_ = true;
    Status status = rules_.peer_resolver ? rules_.peer_resolver->resolve(ref, json)
                                         : fail(ACCP_E2001, 0, kNoResolver);
    constexpr std::string_view kHosts = "ctx.";
    return status.code == ACCP_E2001 && ref.substr(0, kHosts.size()) == kHosts
               ? resolve_own(ref, json)
               : status;
}

Status FrameRefs::resolve_own(std::string_view ref, std::string_view &json) {
    Kept kept;
    const bool cold = ref.substr(0, kColdPrefix.size()) == kColdPrefix;
    if (cold && find_kept(ref.substr(kColdPrefix.size()), &Kept::key, kept)) {
        json = kept.json;
        return {};
    }
    has_changeable_refs_ =
        has_changeable_refs_ || !cold || !is_cold_key(ref.substr(kColdPrefix.size()));
    Buffer<char> &resolved = scratch_.refs.resolved;
    resolved.recycle(kKeptBytes);
    scratch_.refs.untrusted = false;
    Status status = session::resolve(own_, ref, now_ms_, scratch_, resolved);
    untrusted = scratch_.refs.untrusted;
    json = resolved.view();
    return status;
}

// Finds a value that this call has stored, by its hash or its key.
bool FrameRefs::find_kept(std::string_view wanted, std::string_view Kept::*part, Kept &out) const {
    Unpacker unpacker(scratch_.refs.kept.view());
    while (!unpacker.rest().empty()) {
        out.hash = unpacker.text();
        out.key = unpacker.text();
        out.json = unpacker.text();
        if (out.*part == wanted) return true;
    }
    return false;
}

Status FrameRefs::keep(std::string_view json, std::string_view &ref) {
    const Digest hash = sha256(json);
    Kept kept;
    std::string_view key;
    Status status;
    if (find_kept(hash.view(), &Kept::hash, kept)) key = kept.key;
    else status = find_key(hash.view(), json, key);
    if (status.failed()) return status;
    size_t len = kColdPrefix.copy(ref_, sizeof ref_);
    len += key.copy(ref_ + len, sizeof ref_ - len);
    ref = {ref_, len};
    return {};
}

// Finds the key of a value that an earlier call stored. Otherwise stores the value under a new key.
Status FrameRefs::find_key(std::string_view hash, std::string_view json, std::string_view &key) {
    char name[kHashPrefix.size() + sizeof Digest::hex];
    size_t len = kHashPrefix.copy(name, kHashPrefix.size());
    len += hash.copy(name + len, hash.size());
    Buffer<char> &found = scratch_.refs.found;
    Status status = own_.store.blob(store::Tier::kCold, {name, len}, 0, found);
    if (status.ok()) key = found.view();
    if (status.code != ACCP_E2001) return status;
    made_[0] = 't';
    const char *end = std::to_chars(made_ + 1, made_ + sizeof made_, next_key_++).ptr;
    key = {made_, static_cast<size_t>(end - made_)};
    Buffer<char> &marked = scratch_.refs.resolved;
    if (keeps_untrusted_) json = mark_value(json, marked);
    status = put_value(rules_.cold_store, store::Tier::kCold, key, json, 0, scratch_);
    if (status.failed()) return status;
    scratch_.log.batch.put(store::Tier::kCold, {name, len}, key);
    Packer packer(scratch_.refs.kept);
    packer.text(hash);
    packer.text(key);
    packer.text(json);
    return {};
}

Status decode(FrameRefs &refs, bool untrusted, bool checked, Scratch &scratch,
              message::Message &out) {
    Status status = scratch.codec.decode_parsed({&refs, untrusted, checked}, out);
    const bool lost =
        status.code == ACCP_E2001 || status.code == ACCP_E2002 || status.code == ACCP_E2003;
    if (!lost || refs.origin() != FrameOrigin::kRecord) return status;
    status = scratch.codec.decode_parsed({nullptr, untrusted, checked}, out);
    if (status.ok()) status = write_message(out, scratch);
    return status.ok() ? read_message(scratch.json.out.view(), scratch, out) : status;
}

Status put_value(ColdStore *cold, store::Tier where, std::string_view name, std::string_view json,
                 uint64_t expires_ms, Scratch &scratch) {
    store::StoreBatch &batch = scratch.log.batch;
    if (where != store::Tier::kCold || !cold) {
        batch.put(where, name, json, expires_ms);
        return {};
    }
    Buffer<char> &stub = scratch.refs.stub;
    Status status = put_cold(*cold, json, stub);
    if (status.ok()) batch.put(where, name, stub.view(), expires_ms);
    return status;
}

}  // namespace accp::session
