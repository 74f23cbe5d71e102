// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See yaml_gaps.h.
#include "value/yaml_gaps.h"

namespace accp::value {

namespace {

bool ends_line(char c) { return c == '\n' || c == '\r'; }

// One stretch between two scalars.
Status check_gap(std::string_view text, size_t from, size_t to) {
    for (size_t at = from; at < to; ++at) {
        const char c = text[at];
        const bool begins_line = at == 0 || ends_line(text[at - 1]);
        if (c == '#') {
            while (at + 1 < to && !ends_line(text[at + 1])) ++at;
        } else if (c == '\t') {
            return fail(ACCP_E1001, at, "tab");
        } else if (c == '%' && begins_line) {
            return fail(ACCP_E1001, at, "directive");
        } else if (c == '?') {
            return fail(ACCP_E1001, at, "complex key");
        }
    }
    return {};
}

}  // namespace

Status check_yaml_gaps(std::string_view text, const Buffer<ScalarRange> &scalars, size_t end) {
    size_t from = 0;
    for (const ScalarRange &scalar : scalars) {
        if (scalar.begin >= end) break;
        Status status = check_gap(text, from, scalar.begin);
        if (status.failed()) return status;
        from = scalar.end;
        if (!scalar.plain) continue;
        const size_t tab = text.substr(scalar.begin, scalar.end - scalar.begin).find('\t');
        if (tab != text.npos) return fail(ACCP_E1001, scalar.begin + tab, "tab");
    }
    return from < end ? check_gap(text, from, end) : Status{};
}

}  // namespace accp::value
