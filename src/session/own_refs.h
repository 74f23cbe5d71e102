// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References of a session for its host: resolve them, put values under them, and grant other
// sessions access.
#pragma once

#include "session/context_values.h"

namespace accp::session {

class OwnRefs {
public:
    OwnRefs(Driver &driver, ContextValues &context_values)
        : driver_(driver), context_values_(context_values) {}

    // Appends the JSON value of a ref ("warm.k"). E2001, E2002.
    Status resolve(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The same for another session, which must have granted access. E5002: no grant, whether the
    // value exists or not.
    Status resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);
    // Stores JSON under a ref; expires_ms 0: never. E1001: not JSON; E1004: no such tier; E2003:
    // values under hot and warm are part of contexts, and this one is too large.
    Status put(std::string_view ref, std::string_view json, int64_t expires_ms, Scratch &scratch);
    Status erase(std::string_view ref, Scratch &scratch);
    Status grant(std::string_view grantee, std::string_view prefix, int64_t expires_ms,
                 Scratch &scratch);
    uint64_t last_record() const { return driver_.last_record(); }
    Status revoke(std::string_view grantee, std::string_view prefix, Scratch &scratch);

private:
    Status commit(bool stands, Scratch &scratch);

    Driver &driver_;
    ContextValues &context_values_;
};

// Context packets of a session. They are stored under their checksum, so a reader can verify the
// content.
//
//   $cold.packet_c3b0…               the packet, as JSON: 64 digits of its SHA-256
//   $warm.packet_c3b0….decisions     what a model reads of one layer: goals, decisions, codebase,
//                                    history
//
// They are not part of contexts. A frame contains the name as a text: a ref would include the whole
// packet.

constexpr std::string_view kPacketTier = "cold.", kLayerTier = "warm.";
constexpr size_t kPacketKeyBytes = kPacketPrefix.size() + kPacketDigits;

// The ref "cold.packet_c3b0…" or "warm.packet_c3b0…" of a digest in hexadecimal digits.
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

// Returns the digits of "$cold.packet_c3b0…", with or without $; empty: not such a name.
std::string_view packet_digits(std::string_view ref);

class PacketRefs {
public:
    PacketRefs(Driver &driver, OwnRefs &refs) : driver_(driver), refs_(refs) {}

    // `layers`: a JSON object with a text for each layer that is not empty.
    Status put(std::string_view digits, std::string_view json, std::string_view layers,
               Scratch &scratch);
    // Appends the packet with these digits: of this session, or otherwise of the peer through the
    // host's resolver. The caller must verify the digits. E2001.
    Status find(std::string_view digits, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // Appends the text of a layer as JSON. E2001: not found.
    Status find_layer(std::string_view digits, std::string_view layer, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);

private:
    Driver &driver_;
    OwnRefs &refs_;
};

}  // namespace accp::session
