// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random frames and random JSON, difficult on purpose: look-alikes, odd keys, every class of code
// point, numbers of every form, deep and wide trees. In the same build a seed always gives the same
// result.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/** SplitMix64: small and uniform. */
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

/** Returns a frame that the dialect accepts with the default limits. */
std::string random_frame(uint64_t seed, Dialect dialect);

/**
 * Returns `text` with up to three bytes or short pieces inserted, removed, changed or doubled, or
 * with its end cut off.
 */
std::string edited(std::string text, Random &random);

/**
 * Returns a JSON value with containers nested at most `depth` deep. Sometimes a string in it has a
 * surrogate, which is not valid in JSON.
 */
Json random_json(uint64_t seed, size_t depth);

/**
 * Returns a message: agent, intent, operation, a payload of random_json() or a text, and often
 * metadata.
 */
Json random_message(uint64_t seed, size_t depth);

/**
 * Returns one of the many JSON texts of a value, with white space and with unnecessary escapes.
 */
std::string spell_json(const Json &value, Random &random);

}  // namespace accp_ref
