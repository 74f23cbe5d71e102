// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 3 out: values. Those of a schema's fields are checked, and the fields that it requires are
// there; then what is long, or deep, or has no spelling goes to the state (keep_values.cc).
#include "codec/encode/outgoing.h"
#include "frame/table.h"

namespace accp::codec {

namespace {

bool has_field(const Outgoing &out, const registry::Field *field) {
    for (uint32_t i = 0; i < out.count; ++i)
        if (out.params[i].key.field == field) return true;
    return false;
}

Status check_fields(Outgoing &out) {
    value::TreeView tree = out.tree();
    for (uint32_t i = 0; i < out.count; ++i) {
        Param &param = out.params[i];
        param.reference =
            out.settings.keep_refs &&
            frame::is_reference(tree, param.node, out.settings.limit(ACCP_LIMIT_KEY_BYTES));
        if (!param.key.field) continue;
        Status status = check_type(*param.key.field, tree, param.node, param.reference);
        if (status.failed()) return status;
    }
    for (uint32_t i = 0; i < out.schema->field_count; ++i) {
        const registry::Field *field = out.schema->fields + i;
        if (field->required && !field->has_default() && !has_field(out, field))
            return missing_field(*out.schema, i, out.message.payload);
    }
    return {};
}

}  // namespace

Status compress_values(Outgoing &out) {
    Status status = out.schema ? check_fields(out) : Status{};
    return status.failed() ? status : keep_values(out, nullptr);
}

}  // namespace accp::codec
