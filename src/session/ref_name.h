// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The syntax of references: see frame_refs.h.
#pragma once

#include <charconv>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"
#include "store/store.h"

namespace accp::session {

// Names in the store that no ref can contain.
constexpr std::string_view kStateKey = "state!", kPendingKey = "open!", kAgentsKey = "agents!",
                           kValuesKey = "values!", kRegistriesKey = "registries!",
                           kHandoffsKey = "handoffs!", kHistoryKey = "history!";
constexpr std::string_view kHashPrefix = "sha!";
constexpr std::string_view kRegistryPrefix = "registry!";
constexpr std::string_view kContextPrefix = "ctx!";
constexpr std::string_view kColdPrefix = "cold.";
constexpr std::string_view kPacketPrefix = "packet_";  // own_refs.h
constexpr size_t kPacketDigits = 64;

inline bool find_tier(std::string_view name, store::Tier &tier, std::string_view &prefix) {
    prefix = {};
    if (name == "hot") tier = store::Tier::kHot;
    else if (name == "warm") tier = store::Tier::kWarm;
    else if (name == "cold") tier = store::Tier::kCold;
    else if (name == "ctx") tier = store::Tier::kWarm, prefix = kContextPrefix;
    else return false;
    return true;
}

// Removes the leading $, if there is one.
inline std::string_view without_mark(std::string_view ref) {
    return ref.substr(!ref.empty() && ref[0] == '$');
}

// Splits "tier.key"; a bare key has no tier.
inline void split_ref(std::string_view ref, std::string_view &tier, std::string_view &key) {
    ref = without_mark(ref);
    size_t dot = ref.find('.');
    tier = dot == std::string_view::npos ? std::string_view() : ref.substr(0, dot);
    key = dot == std::string_view::npos ? ref : ref.substr(dot + 1);
}

// A key of at most kMaxRefKeyBytes as it is stored, with the prefix of its tier.
class StoredKey {
public:
    StoredKey(std::string_view prefix, std::string_view key)
        : len_(prefix.copy(text_, prefix.size())) {
        len_ += key.copy(text_ + len_, kMaxRefKeyBytes);
    }

    std::string_view view() const { return {text_, len_}; }

private:
    char text_[kMaxRefKeyBytes + kContextPrefix.size()];
    size_t len_;
};

inline bool is_ref_key(std::string_view key) {
    bool open = true;  // at the start of a label
    for (char c : key) {
        if (!is_word(static_cast<unsigned char>(c)) && (c != '.' || open)) return false;
        open = c == '.';
    }
    return !open;
}

inline bool is_numbered(std::string_view key, std::string_view name) {
    return key.size() > name.size() && key.substr(0, name.size()) == name &&
           key.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
}

// packet_ and the digits of a checksum: a packet in cold, or its layers in warm.
inline bool is_packet_key(std::string_view key) {
    return key.size() == kPacketPrefix.size() + kPacketDigits && key.starts_with(kPacketPrefix) &&
           key.find_first_not_of("0123456789abcdef", kPacketPrefix.size()) == key.npos;
}

// t7, m17: a key in cold that the session assigns once.
inline bool is_cold_key(std::string_view key) {
    return is_numbered(key, "t") || is_numbered(key, "m");
}

// A key that only the session itself may set.
inline bool is_reserved_key(std::string_view tier, std::string_view key) {
    if (tier == "cold") return is_cold_key(key);
    if (tier == "hot") return key == "state" || is_numbered(key, "m");
    return tier == "warm" && is_numbered(key, "ckpt_");
}

// Write "ckpt_3" and "$cold.m17" to `to`.
constexpr size_t kRefBytes = 32;
inline std::string_view write_numbered(std::string_view name, uint64_t n, char *to) {
    const size_t len = name.copy(to, name.size());
    return {to, static_cast<size_t>(std::to_chars(to + len, to + kRefBytes, n).ptr - to)};
}
inline std::string_view checkpoint_key(uint32_t id, char *to) {
    return write_numbered("ckpt_", id, to);
}
inline std::string_view message_ref(uint64_t record, char *to) {
    return write_numbered("$cold.m", record, to);
}

inline Status unknown_ref() { return fail(ACCP_E2001, 0, "the reference names nothing"); }

}  // namespace accp::session
