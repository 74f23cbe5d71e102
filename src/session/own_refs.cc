// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/own_refs.h"

#include "base/utf8.h"
#include "session/frames.h"
#include "session/ref_name.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

// Checks a ref that the host wants to write: a tier and labels.
Status check_ref(std::string_view ref, store::Tier &tier, std::string_view &prefix,
                 std::string_view &key) {
    std::string_view name;
    split_ref(ref, name, key);
    if (!find_tier(name, tier, prefix))
        return fail(ACCP_E1004, 0, "the tiers are hot, warm, cold and ctx");
    if (key.size() > kMaxRefKeyBytes)
        return fail_limit(ACCP_E1004, 0, "too many bytes in the key of a ref", key.size(),
                          kMaxRefKeyBytes);
    const auto place = static_cast<uint64_t>(key.data() - ref.data());
    if (!is_ref_key(key))
        return fail(ACCP_E1004, place,
                    "a key of a ref has labels of letters, digits and _, separated by dots");
    if (is_reserved_key(name, key) || is_packet_key(key))
        return fail(ACCP_E1004, place,
                    "cold.t7, cold.m17, cold.packet_…, warm.ckpt_3, hot.m17 and hot.state are "
                    "reserved for the session: use another key");
    return {};
}

// Returns whether a value under this ref is part of contexts.
bool is_context_value(store::Tier tier, std::string_view prefix) {
    return tier != store::Tier::kCold && prefix.empty();
}

}  // namespace

Status OwnRefs::resolve(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out) {
    Status status = driver_.prepare_read(scratch);
    return status.ok() ? session::resolve(driver_.ref_source(), ref, now_ms, scratch, out) : status;
}

Status OwnRefs::resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms,
                           Scratch &scratch, Buffer<char> &out) {
    Status status = driver_.prepare_read(scratch);
    if (status.failed()) return status;
    std::string_view tier, key, prefix;
    split_ref(ref, tier, key);
    store::Tier where;
    // hot.m17 is the same message as cold.m17
    if (tier == "hot" && is_numbered(key.substr(0, key.find('.')), "m")) tier = "cold";
    if (!find_tier(tier, where, prefix) || !prefix.empty())
        return fail(ACCP_E2001, 0, "the tiers of another session are hot, warm and cold");
    store::StoreSession &own = driver_.store();
    const auto now = static_cast<uint64_t>(now_ms);
    status = own.check_grant(owner, where, key, now);
    if (status.ok() && !is_ref_key(key)) status = unknown_ref();
    store::StoreSession *opened = nullptr;
    if (status.ok()) status = driver_.whole_store().open_session(owner, false, opened);
    if (status.failed()) return status;
    struct Holder {
        store::StoreSession *held;
        ~Holder() { held->close(); }
    } holder = {opened};
    // another session may have this id now
    status = own.check_grant(owner, where, key, now);
    RegistryMarks written(scratch.memory);
    const RefSource other = {*opened, written, nullptr, driver_.rules.cold_store};
    if (status.ok()) status = written.load(*opened, scratch);
    if (status.ok()) status = look_up(other, tier, key, now_ms, scratch, out);
    if (status.code != ACCP_ERR_CLOSED && status.code != ACCP_ERR_CORRUPT) return status;
    return opened->check().code == ACCP_ERR_CLOSED
               ? fail(ACCP_E5002, 0, "the session was erased, and its grants with it")
               : status;
}

Status OwnRefs::put(std::string_view ref, std::string_view json, int64_t expires_ms,
                    Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    if (status.failed()) return status;
    status = read_json(json, scratch);
    store::Tier tier;
    std::string_view prefix, key;
    if (status.ok()) status = check_ref(ref, tier, prefix, key);
    if (status.failed()) return status;
    Buffer<char> &out = scratch.json.out;
    out.recycle(kKeptBytes);
    value::write_json(scratch.json.value.view(), 0, out);
    status = put_value(driver_.rules.cold_store, tier, StoredKey(prefix, key).view(), out.view(),
                       static_cast<uint64_t>(expires_ms), scratch);
    const bool stands = is_context_value(tier, prefix);
    if (status.ok() && stands) status = context_values_.add(without_mark(ref), out.view(), scratch);
    return status.ok() ? commit(stands, scratch) : status;
}

Status OwnRefs::erase(std::string_view ref, Scratch &scratch) {
    store::Tier tier;
    std::string_view prefix, key;
    Status status = driver_.prepare_write(scratch);
    if (status.ok()) status = check_ref(ref, tier, prefix, key);
    if (status.failed()) return status;
    const bool stands = is_context_value(tier, prefix);
    if (stands) status = context_values_.remove(without_mark(ref), scratch);
    scratch.log.batch.erase(tier, StoredKey(prefix, key).view());
    return status.ok() ? commit(stands, scratch) : status;
}

// If the commit succeeded but is not durable yet, the values still take effect.
Status OwnRefs::commit(bool stands, Scratch &scratch) {
    const uint64_t before = driver_.commits();
    Status status = driver_.commit_batch(scratch);
    if (stands && driver_.commits() != before) context_values_.commit();
    return status;
}

Status OwnRefs::grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms,
                      Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    if (status.failed()) return status;
    if (valid_utf8_prefix(grantee.data(), grantee.size()) != grantee.size())
        return fail(ACCP_ERR_ARG, 0, "a session id must be UTF-8 text");
    scratch.log.batch.grant(grantee, without_mark(prefix), static_cast<uint64_t>(expires_ms));
    return driver_.commit_batch(scratch);
}

Status OwnRefs::revoke(std::string_view grantee, std::string_view prefix, Scratch &scratch) {
    Status status = driver_.prepare_write(scratch);
    if (status.failed()) return status;
    scratch.log.batch.revoke(grantee, without_mark(prefix));
    return driver_.commit_batch(scratch);
}

PacketRef::PacketRef(std::string_view tier, std::string_view digits) {
    for (std::string_view part : {tier, kPacketPrefix, digits})
        len_ += part.copy(text_ + len_, sizeof text_ - len_);
}

std::string_view packet_digits(std::string_view ref) {
    ref = without_mark(ref);
    if (!ref.starts_with(kPacketTier)) return {};
    ref.remove_prefix(kPacketTier.size());
    return is_packet_key(ref) ? ref.substr(kPacketPrefix.size()) : std::string_view();
}

Status PacketRefs::put(std::string_view digits, std::string_view json, std::string_view layers,
                       Scratch &scratch) {
    const PacketRef ref(kPacketTier, digits);
    Status status = driver_.prepare_write(scratch);
    if (status.ok())
        status =
            put_value(driver_.rules.cold_store, store::Tier::kCold, ref.key(), json, 0, scratch);
    if (status.ok())
        status =
            put_value(driver_.rules.cold_store, store::Tier::kWarm, ref.key(), layers, 0, scratch);
    return status.ok() ? driver_.commit_batch(scratch) : status;
}

Status PacketRefs::find(std::string_view digits, int64_t now_ms, Scratch &scratch,
                        Buffer<char> &out) {
    const PacketRef ref(kPacketTier, digits);
    const size_t start = out.size();
    Status status = refs_.resolve(ref.view(), now_ms, scratch, out);
    if (status.code != ACCP_E2001 || !driver_.rules.peer_resolver) return status;
    out.resize_down(start);
    std::string_view json;
    status = driver_.rules.peer_resolver->resolve(ref.view(), json);
    if (status.ok()) out.append(json);
    return status;
}

Status PacketRefs::find_layer(std::string_view digits, std::string_view layer, int64_t now_ms,
                              Scratch &scratch, Buffer<char> &out) {
    Buffer<char> ref(scratch.memory);
    ref.append(PacketRef(kLayerTier, digits).view());
    ref.push('.');
    ref.append(layer);
    return refs_.resolve(ref.view(), now_ms, scratch, out);
}

}  // namespace accp::session
