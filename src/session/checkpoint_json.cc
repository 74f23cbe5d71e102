// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See checkpoint_json.h.
#include "session/checkpoint_json.h"

#include <charconv>

#include "base/text.h"
#include "value/json_writer.h"

namespace accp::session {

namespace {

std::string_view numbered(std::string_view name, uint64_t n, char *to) {
    size_t len = name.copy(to, name.size());
    return {to, static_cast<size_t>(std::to_chars(to + len, to + kRefBytes, n).ptr - to)};
}

}  // namespace

std::string_view checkpoint_key(uint32_t id, char *to) { return numbered("ckpt_", id, to); }
std::string_view message_ref(uint64_t place, char *to) { return numbered("$cold.m", place, to); }

void write_checkpoint(const context::CheckpointView &checkpoint, Buffer<char> &out) {
    out.append("{\"id\":");
    append_decimal(checkpoint.id, out);
    out.append(",\"first\":");
    append_decimal(checkpoint.first, out);
    out.append(",\"last\":");
    append_decimal(checkpoint.last, out);
    out.append(",\"summary\":");
    value::write_json_string(checkpoint.summary, out);
    out.append(",\"facts\":[");
    for (uint32_t i = 0; i < checkpoint.fact_count; ++i) {
        const context::ContextFact &fact = checkpoint.facts[i];
        out.append(i ? ",[" : "[");
        value::write_json_string(fact.entity, out);
        out.append(",");
        value::write_json_string(fact.relationship, out);
        out.append(",");
        value::write_json_string(fact.value, out);
        out.append("]");
    }
    out.append("],\"text\":");
    value::write_json_string(checkpoint.text, out);
    out.append("}");
}

}  // namespace accp::session
