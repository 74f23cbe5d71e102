// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sacp_verdicts.h.
#include "cli/sacp/verdicts.h"

#include "cli/terminal/streams.h"

namespace cli {
namespace {

// A first line of a laid-out message ends in the middle of it.
bool is_part(const accp_verdict &verdict, std::string_view line) {
    const size_t last = line.find_last_not_of(" \t\r");
    return verdict.code == ACCP_SACP_MALFORMED_MESSAGE && last != line.npos &&
           std::string_view("{[,:").find(line[last]) != line.npos;
}

}  // namespace

void tell_fault(const accp_verdict &verdict, uint64_t record, std::string_view line, Streams &io) {
    std::string &err = io.err.text;
    err.append("accp: record ").append(std::to_string(record)).append(": ");
    err.append(accp_sacp_code_name(verdict.code)).append(" at byte ");
    err.append(std::to_string(verdict.byte)).append(": ");
    append_printable(to_view(verdict.details), err);
    const std::string found = excerpt_at(line, verdict.byte);
    if (!found.empty()) err.append("; found ").append(found);
    err.append("\n");
}

void VerdictPlaces::tell(const accp_sacp *sacp, std::string_view line, Streams &io) {
    accp_verdict verdict = {};
    const bool is_fault =
        accp_sacp_verdict(sacp, &verdict, nullptr) == ACCP_OK && verdict.answer == ACCP_SACP_ERR;
    const bool follows_part = was_part_;
    was_part_ = is_fault && is_part(verdict, line);
    if (!is_fault) return;
    tell_fault(verdict, io.records, line, io);
    if (!follows_part || is_said_ || verdict.code != ACCP_SACP_MALFORMED_MESSAGE) return;
    is_said_ = true;
    io.err.text.append("accp: one message a line is expected, not one over several lines\n");
}

}  // namespace cli
