// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages in the bare specification: its grammar (3.1), its sixteen abbreviations (4.2), and
// nothing of docs/wire.md 3. Tests only; it shares no code with the library.
#pragma once

#include <optional>
#include <string>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/** How a peer spells what the grammar wants escaped. */
enum class Spelling {
    kGrammar,  // as the ABNF asks
    kExamples  // as the examples of the specification do: a bare @name, a bare : in an array
};

/**
 * The frame of {"agent","intent","operation","payload"} with this metadata, which is frame text.
 * Empty where a value or a key has no spelling: the empty string, white space, anything outside
 * ASCII, a string that reads as a literal, a number with an exponent or more than six places, a
 * sixth level, a key that is itself an abbreviation.
 */
std::optional<std::string> write_bare(const Json &message, const std::string &metadata,
                                      Spelling spelling);

/** The message of a frame, without its metadata: keys in full, a ref as the text that it is. */
Json read_bare(const Frame &frame);

/**
 * A field of the frame's metadata as text, whatever it looks like; empty where there is none, and
 * for what is no scalar.
 */
std::string field_of(const Frame &frame, const std::string &name);

}  // namespace accp_ref
