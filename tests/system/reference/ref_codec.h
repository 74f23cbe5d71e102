// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reference codec: a JSON message to a frame and back, under q1, t1, u8, w1 and the
// abbreviations (docs/wire.md 3 and 4).
#pragma once

#include <optional>
#include <string>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/** The extensions besides q1, which is always in force. */
struct Codec {
    bool t1 = false;
    bool u8 = false;
    bool w1 = false;
    bool abbreviate = false;
    Limits limits;
};

/** A text, or the status of the refusal (1001 or 1004). */
struct Coded {
    std::optional<std::string> text;
    int status = 0;
};

/**
 * Returns the wire form of one JSON value as the value of a payload key. Refuses a value without a
 * spelling; checks no limit except depth.
 */
Coded write_value(const Json &value, const Codec &codec);

/** Returns the frame of {"agent","intent","operation","payload","meta"?}. */
Coded write_message(const Json &message, const Codec &codec);

/** Returns the message of a frame as compact JSON; refs are refused with 2001. */
Coded read_message(std::string_view frame, const Codec &codec);

/**
 * Returns a message as it comes back: empty metadata is removed, because the grammar does not have
 * it.
 */
Json without_empty_meta(Json message);

/**
 * Removes what the wire does not keep: the order of the keys of a map, and trailing zeros.
 */
Json normal(Json value);

}  // namespace accp_ref
