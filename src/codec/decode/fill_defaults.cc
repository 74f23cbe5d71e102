// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 4 in: what the other side left out. A field that is null is there.
#include "codec/decode/incoming.h"

namespace accp::codec {

Status fill_defaults(Incoming &in) {
    if (!in.schema) return {};
    auto *given = in.scratch.arena.allocate<bool>(in.schema->field_count);
    for (uint32_t i = 0; i < in.schema->field_count; ++i) given[i] = false;
    for (uint32_t i = 0; i < in.count; ++i)
        if (in.members[i].field) given[in.members[i].field - in.schema->fields] = true;
    for (uint32_t i = 0; i < in.schema->field_count; ++i) {
        const registry::Field &field = in.schema->fields[i];
        if (given[i]) continue;
        if (field.has_default()) in.members[in.count++] = {field.name, &field, 0, frame::kPayload};
        else if (field.required)
            return missing_field(*in.schema, i, in.tree()[frame::kPayload].offset);
    }
    return {};
}

}  // namespace accp::codec
