// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See terminal.h.
#include "cli/terminal/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace cli {

bool colour_wanted() {
    const char *no_color = std::getenv("NO_COLOR");
    const char *term = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && (no_color == nullptr || *no_color == '\0') &&
           (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace cli
