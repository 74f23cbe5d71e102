// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Standard output and standard error of one run, and how many records it has seen. Both are kept
// back until a block is full, or until the next read would have to wait: whoever types a line sees
// its answer at once.
#pragma once

#include <unistd.h>
#include <cstdint>
#include <string_view>

#include "accp/error.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/writer.h"

namespace cli {

struct Streams {
    Writer out{STDOUT_FILENO, Writer::OnFailure::kThrow};
    Writer err{STDERR_FILENO, Writer::OnFailure::kIgnore};
    Progress progress;
    uint64_t records = 0;  // begun so far, in all inputs
    uint64_t refused = 0;
    uint64_t bytes = 0;  // read so far

    // Says on standard error that the current record was refused, and counts it. `text` is what the
    // error's byte is of; empty: nothing is shown of it.
    void refuse(const accp_error &error, std::string_view text = {});
    void flush();
    void flush_if_full();
    int status() const { return refused == 0 ? 0 : 1; }
};

}  // namespace cli
