// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See summary.h.
#include "sacp/run/summary.h"

#include "sacp/run/json_slice.h"
#include "sacp/message/validator.h"

namespace accp::execute {
namespace {

bool is_text(std::string_view json) { return json.size() > 2 && json[0] == '"'; }

// The text that says it: a JSON string, or any other value.
std::string_view find_text(std::string_view output) {
    if (output[0] != '{') return output;
    const std::string_view member = find_member(output, "\"summary\"");
    return is_text(member) ? member : output;
}

}  // namespace

void write_summary(size_t begin, size_t end, Buffer<char> &out) {
    const std::string_view output = out.view().substr(begin, end - begin), text = find_text(output);
    const bool is_string = is_text(text);
    // places, as `out` moves while it grows
    size_t at = begin + static_cast<size_t>(text.data() - output.data()) + is_string, last = 0;
    end = at + text.size() - 2 * is_string;
    out.push('"');
    for (size_t count = 0; at < end && count < plan::kMaxSummary; ++count) {
        last = out.size();
        size_t bytes = 1;
        if (is_string && out[at] == '\\') bytes = out[at + 1] == 'u' ? 6 : 2;
        while (at + bytes < end && (out[at + bytes] & 0xC0) == 0x80) ++bytes;
        if (!is_string && (out[at] == '"' || out[at] == '\\')) out.push('\\');
        for (; bytes > 0; --bytes) {
            const char c = out[at++];
            out.push(c);
        }
    }
    if (at < end) {
        out.resize_down(last);
        out.append("…");
    }
    out.push('"');
}

}  // namespace accp::execute
