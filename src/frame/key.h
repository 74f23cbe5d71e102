// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Keys on the wire (WIRE.md section 3): the identity for nearly all, `__` and an escaped form for the rest, an abbreviation at payload level.
#pragma once

#include <string_view>

#include "base/options.h"
#include "base/status.h"

namespace accp {

// The most bytes that a key of `len` bytes has on the wire.
constexpr size_t wire_key_room(size_t len) { return 2 + 3 * len; }

class KeyCoder {
public:
    explicit KeyCoder(const Settings &settings) : q1_(settings.has(ACCP_EXT_Q1)), abbreviate_(settings.abbreviate) {}

    // True when `key` is its own wire form. payload: it is a key of the payload itself.
    bool is_plain(std::string_view key, bool payload) const;

    // Writes the wire form of a key that is not plain; returns its end, or nullptr where it has none (without q1).
    char *write(std::string_view key, bool payload, char *to) const;

    // True when a wire key means something else than itself.
    bool is_mapped(std::string_view wire, bool payload) const;

    // Writes the key that a mapped wire key stands for, which is never longer but for abbreviations (at most 32 bytes); nullptr where it is no UTF-8.
    char *read(std::string_view wire, bool payload, char *to) const;

private:
    bool q1_;
    bool abbreviate_;
};

}  // namespace accp
