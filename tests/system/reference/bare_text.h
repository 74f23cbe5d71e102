// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages with the specification alone: its grammar (3.1) and its sixteen abbreviations (4.2),
// without docs/wire.md 3. Tests only; it shares no code with the library.
#pragma once

#include <optional>
#include <string>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/** How a peer spells what the grammar requires to be escaped. */
enum class Spelling {
    kGrammar,  // as the ABNF requires
    kExamples  // like the examples of the specification: @name and : in an array without escapes
};

/**
 * Returns the frame of {"agent","intent","operation","payload"} with this metadata, which is frame
 * text. Returns nothing if a value or a key has no spelling: the empty string, white space,
 * anything outside ASCII, a string that reads as a literal, a number with an exponent or more than
 * six places, a sixth level, or a key that is itself an abbreviation.
 */
std::optional<std::string> write_bare(const Json &message, const std::string &metadata,
                                      Spelling spelling);

/**
 * Returns the message of a frame without its metadata, with keys in full and each ref as its text.
 */
Json read_bare(const Frame &frame);

/**
 * Returns a field of the frame's metadata as text, of any scalar type; empty if it is missing or
 * not a scalar.
 */
std::string field_of(const Frame &frame, const std::string &name);

}  // namespace accp_ref
