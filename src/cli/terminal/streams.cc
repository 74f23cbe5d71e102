// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See streams.h.
#include "cli/terminal/streams.h"
#include "cli/frames/found.h"
#include "cli/host.h"

namespace cli {

void Streams::refuse(const accp_error &error, std::string_view text) {
    ++refused;
    err.text.append("accp: record ")
        .append(std::to_string(records))
        .append(": ")
        .append(describe(error));
    // byte 0 may be none, except of what is no frame, or no JSON
    const bool is_place = error.offset != 0 || error.code == ACCP_E1001;
    const std::string found = is_place ? found_at(text, error.offset) : std::string();
    if (!found.empty()) err.text.append("; found ").append(found);
    err.text.append("\n");
}

void Streams::flush() {
    progress.wipe();
    err.flush();
    out.flush();
}

void Streams::flush_if_full() {
    if (!err.text.empty()) progress.wipe();
    err.flush_if_full();
    out.flush_if_full();
}

}  // namespace cli
