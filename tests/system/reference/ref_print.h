// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Prints a parsed frame: its canonical form (specification 3.1.1), and the typed JSON that `accp
// parse` prints.
#pragma once

#include <string>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/**
 * The canonical form. If a decimal has more than six places, the offset of the first one in
 * canonical order instead (E1004).
 */
struct Canonical {
    std::optional<std::string> text;
    size_t offset = 0;
};

Canonical canonical(const Frame &frame);

/** Returns `text` with a `\` before each of the 12 delimiters. */
std::string escape(std::string_view text);

/**
 * Returns {"agent":…,"intent":…,"operation":…,"payload":V,"meta":V or null}, which `accp parse`
 * prints after "ok".
 */
Json typed(const Frame &frame);

}  // namespace accp_ref
