// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See streams.h.
#include "cli/streams.h"
#include "cli/failure.h"

namespace cli {

void Streams::refuse(const accp_error &error) {
    ++refused;
    err.text.append("accp: record ")
        .append(std::to_string(records))
        .append(": ")
        .append(accp_status_code_name(error.code));
    err.text.append(" at byte ").append(std::to_string(error.offset)).append(": ");
    err.text.append(message_of(error)).append("\n");
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
