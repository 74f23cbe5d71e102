// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References of a session, as its host asks for them, puts values under them, and lets other
// sessions read them.
#pragma once

#include "session/context_values.h"

namespace accp::session {

class OwnRefs {
public:
    OwnRefs(Driver &driver, ContextValues &context_values)
        : driver_(driver), context_values_(context_values) {}

    // What a ref ("warm.k") stands for, as JSON, appended. E2001, E2002.
    Status resolve(std::string_view ref, int64_t now_ms, Scratch &scratch, Buffer<char> &out);
    // The same of another session, by its grant. E5002 without one, whether it is there or not.
    Status resolve_of(std::string_view owner, std::string_view ref, int64_t now_ms,
                      Scratch &scratch, Buffer<char> &out);
    // Puts JSON under a ref of ours; expires_ms 0: never. E1001: no JSON; E1004: no such tier;
    // E2003: under hot or warm, whose values stand in contexts, too much for that.
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

// Context packets of a session: values that their checksum names, so that whoever has a name knows
// what stands under it.
//
//   $cold.packet_c3b0…               the packet, as JSON: 64 digits of its SHA-256
//   $warm.packet_c3b0….decisions     what a model reads of one layer: goals, decisions, codebase,
//                                    history
//
// Neither stands in contexts. A frame spells such a name as a text: a ref would bring all of the
// packet along.

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
