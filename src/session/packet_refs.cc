// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See packet_refs.h.
#include "session/packet_refs.h"

#include "session/ref_name.h"

namespace accp::session {

PacketRef::PacketRef(std::string_view tier, std::string_view digits) {
    for (std::string_view part : {tier, kPacketPrefix, digits})
        len_ += part.copy(text_ + len_, sizeof text_ - len_);
}

std::string_view packet_digits(std::string_view ref) {
    ref = unmarked(ref);
    if (!ref.starts_with(kPacketTier)) return {};
    ref.remove_prefix(kPacketTier.size());
    return is_packet(ref) ? ref.substr(kPacketPrefix.size()) : std::string_view();
}

Status PacketRefs::put(std::string_view digits, std::string_view json, std::string_view layers,
                       Scratch &scratch) {
    const PacketRef ref(kPacketTier, digits);
    Status status = driver_.begin(scratch);
    if (status.ok())
        status = put_value(driver_.rules.cold, store::Tier::kCold, ref.key(), json, 0, scratch);
    if (status.ok())
        status = put_value(driver_.rules.cold, store::Tier::kWarm, ref.key(), layers, 0, scratch);
    return status.ok() ? driver_.commit(scratch) : status;
}

Status PacketRefs::find(std::string_view digits, int64_t now_ms, Scratch &scratch,
                        Buffer<char> &out) {
    const PacketRef ref(kPacketTier, digits);
    const size_t start = out.size();
    Status status = refs_.resolve(ref.view(), now_ms, scratch, out);
    if (status.code != ACCP_E2001 || !driver_.rules.elsewhere) return status;
    out.resize_down(start);
    std::string_view json;
    status = driver_.rules.elsewhere->resolve(ref.view(), json);
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
