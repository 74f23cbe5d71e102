// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "transcript/call_names.h"

#include <charconv>
#include <cstring>

#include "base/bytes.h"
#include "base/random.h"
#include "base/sha256.h"

namespace accp::transcript {

namespace {

constexpr size_t kMaxCallName = 64;
constexpr size_t kMaxCallId = 40;
constexpr size_t kCallNameDigits = 16;

}  // namespace

bool is_call_name(std::string_view text) {
    if (text.empty() || text.size() > kMaxCallName) return false;
    for (char c : text)
        if (!(byte_class(c) & kAgentByte)) return false;
    return true;
}

void write_call_name(std::string_view name, Buffer<char> &out) {
    if (is_call_name(name)) return out.append(name);
    for (char c : name.substr(0, kMaxCallName - 1 - kCallNameDigits))
        out.push(byte_class(c) & kAgentByte ? c : '_');
    out.push('_');
    out.append(sha256(name).first(kCallNameDigits));
}

CallIds::CallIds(size_t max_calls, Arena &arena) : arena_(arena), seed_(random_seed()) {
    size_t slots = 16;
    while (slots < 2 * max_calls) slots *= 2;
    mask_ = slots - 1;
    slots_ = arena.allocate<std::string_view>(slots);
    for (size_t i = 0; i < slots; ++i) slots_[i] = {};
}

bool CallIds::insert(std::string_view id) {
    for (size_t i = seeded_hash(id.data(), id.size(), seed_) & mask_;; i = (i + 1) & mask_) {
        if (slots_[i] == id) return false;
        if (!slots_[i].empty()) continue;
        slots_[i] = id;
        return true;
    }
}

std::string_view CallIds::add(std::string_view wanted, uint64_t number) {
    if (wanted.size() <= kMaxCallId && is_call_name(wanted) && insert(wanted)) return wanted;
    constexpr size_t kRoom = 48;  // two numbers of 20 digits and the other characters
    char *text = arena_.allocate<char>(kRoom);
    std::memcpy(text, "call_", 5);
    char *end = std::to_chars(text + 5, text + kRoom, number).ptr;
    if (insert({text, static_cast<size_t>(end - text)}))
        return {text, static_cast<size_t>(end - text)};
    *end++ = '_';
    for (uint64_t twin = 1;; ++twin) {
        const char *last = std::to_chars(end, text + kRoom, twin).ptr;
        const std::string_view id(text, static_cast<size_t>(last - text));
        if (insert(id)) return id;
    }
}

}  // namespace accp::transcript
