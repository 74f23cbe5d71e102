// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a parsed frame looks like: its canonical form (specification 3.1.1), and the typed JSON that
// `accp parse` prints.
#pragma once

#include <string>

#include "reference/ref_json.h"
#include "reference/ref_parser.h"

namespace accp_ref {

/**
 * The canonical form, or the offset of the first decimal in its order that has more than six
 * places, so that there is none (E1004).
 */
struct Canonical {
    std::optional<std::string> text;
    size_t offset = 0;
};

Canonical canonical(const Frame &frame);

/** `text` with a `\` before each of the 12 delimiters. */
std::string escape(std::string_view text);

/**
 * {"agent":…,"intent":…,"operation":…,"payload":V,"meta":V or null}: what `accp parse` prints,
 * without its leading "ok".
 */
Json typed(const Frame &frame);

}  // namespace accp_ref
