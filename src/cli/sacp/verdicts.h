// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where the fault lies that a verdict tells of: verdicts themselves have no place for it.
#pragma once

#include <string_view>

#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// Says on standard error the byte of the fault in the record `line`, where the verdict of the last
// call is an ERR; and once, where two records are parts of one message laid out over lines, that
// one message a line is expected.
class VerdictPlaces {
public:
    void tell(const accp_sacp *sacp, std::string_view line, Streams &io);

private:
    bool was_part_ = false, is_said_ = false;
};

// "record N: CODE at byte B: details; found …".
void tell_fault(const accp_verdict &verdict, uint64_t record, std::string_view line, Streams &io);

}  // namespace cli
