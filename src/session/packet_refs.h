// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Context packets of a session: values that their checksum names, so that whoever has a name knows
// what stands under it.
//
//   $cold.packet_c3b0…               the packet, as JSON: 64 digits of its SHA-256
//   $warm.packet_c3b0….decisions     what a model reads of one layer: goals, decisions, codebase,
//                                    history
//
// Neither stands in contexts. A frame spells such a name as a text: a ref would bring all of the
// packet along.
#pragma once

#include "session/own_refs.h"

namespace accp::session {

constexpr std::string_view kPacketTier = "cold.", kLayerTier = "warm.";
constexpr size_t kPacketKeyBytes = kPacketPrefix.size() + kPacketDigits;

// "cold.packet_c3b0…" or "warm.packet_c3b0…" of a digest in hexadecimal digits.
class PacketRef {
public:
    PacketRef(std::string_view tier, std::string_view digits);
    std::string_view view() const { return {text_, len_}; }
    std::string_view key() const { return view().substr(kPacketTier.size()); }
    std::string_view digits() const { return key().substr(kPacketPrefix.size()); }

private:
    char text_[kPacketTier.size() + kPacketKeyBytes];
    size_t len_ = 0;
};

// The digits of "$cold.packet_c3b0…", with its $ or without; empty: it is no such name.
std::string_view packet_digits(std::string_view ref);

class PacketRefs {
public:
    PacketRefs(Driver &driver, OwnRefs &refs) : driver_(driver), refs_(refs) {}

    // `layers`: a JSON object with a text for each layer that has any.
    Status put(std::string_view digits, std::string_view json, std::string_view layers,
               Scratch &scratch);
    // The packet of these digits, appended: ours, or where there is none the peer's, by the host's
    // resolver. What comes back is to be held against its digits. E2001.
    Status find(std::string_view digits, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The text of a layer of one of ours, as JSON; E2001: there is none.
    Status find_layer(std::string_view digits, std::string_view layer, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);

private:
    Driver &driver_;
    OwnRefs &refs_;
};

}  // namespace accp::session
