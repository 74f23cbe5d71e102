// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See json.h.
#include "sacp/message/json.h"

namespace accp::plan {

size_t find_too_deep(std::string_view text, uint32_t max) {
    uint32_t depth = 0;
    bool string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (string) {
            if (c == '\\') ++i;
            else string = c != '"';
            continue;
        }
        if (c == '"') string = true;
        else if ((c == '{' || c == '[') && ++depth > max) return i + 1;
        else if ((c == '}' || c == ']') && depth) --depth;
    }
    return 0;
}

bool read_json(value::JsonReader &reader, std::string_view text, uint64_t max_bytes,
               value::Value &out, Verdict &verdict) {
    const Status indexed = reader.make_index(text.data(), text.size(), message_limits(max_bytes));
    return read_indexed_json(reader, indexed, text, max_bytes, out, verdict);
}

bool read_indexed_json(value::JsonReader &reader, Status status, std::string_view text,
                       uint64_t max_bytes, value::Value &out, Verdict &verdict) {
    const value::JsonLimits limits = message_limits(max_bytes);
    out.clear();
    if (status.ok()) {
        status = reader.read_indexed(text.data(), text.size(), limits, out);
    } else if (!status.limit) {
        // the whole text has a fault that its structure could not be read for: before it, one may
        // be that comes first
        const size_t end = find_too_deep(text.substr(0, status.offset));
        if (end) status = reader.read(text.data(), end, limits, out);
    }
    if (status.ok()) return true;
    out.clear();
    return verdict.refuse(status.limit ? Code::kLIMIT : Code::kMALFORMED_MESSAGE, status.message,
                          status.offset);
}

}  // namespace accp::plan
