// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random frames and random JSON, on purpose unpleasant: look-alikes, odd keys, every class of code
// point, numbers of every form, deep and wide trees. A seed makes the same thing again in the same
// build.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/** SplitMix64: small and even. */
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}

    uint64_t next();
    size_t below(size_t bound) { return static_cast<size_t>(next() % bound); }
    size_t between(size_t low, size_t high) { return low + below(high - low + 1); }
    bool one_in(size_t n) { return below(n) == 0; }
    char pick(std::string_view characters) { return characters[below(characters.size())]; }
    const char *pick_one(std::initializer_list<const char *> choices) {
        return choices.begin()[below(choices.size())];
    }
    std::string digits(size_t count);

private:
    uint64_t state_;
};

/** A frame that the dialect takes under the default limits. */
std::string random_frame(uint64_t seed, Dialect dialect);

/**
 * `text` with up to three bytes (or short pieces) put in, taken out, changed or doubled, or with
 * its end cut off.
 */
std::string edited(std::string text, Random &random);

/**
 * A JSON value whose containers are at most `depth` deep. Now and then a string in it is no UTF-8
 * that JSON may hold (a surrogate).
 */
Json random_json(uint64_t seed, size_t depth);

/**
 * A message: agent, intent, operation, a payload of random_json() or a text, and often metadata.
 */
Json random_message(uint64_t seed, size_t depth);

/**
 * One of the many JSON texts of a value: with white space, and with escapes where none is needed.
 */
std::string spell_json(const Json &value, Random &random);

}  // namespace accp_ref
