// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The seven steps of encoding, and the short steps among them. The others have files of their own.
#include "codec/encode/outgoing.h"

#include "frame/table.h"

namespace accp::codec {

// Step 1: finds the schema of the message: the payload's `schema`, otherwise the codec's own,
// otherwise the one bound to intent and operation.
Status resolve_schema(Outgoing &out) {
    const registry::Registry *registry = out.setup.registry;
    const message::Message &message = out.message;
    value::TreeView tree = out.tree();
    out.intent = registry::find_intent(message.intent);
    if (out.intent < 0 && !out.settings.any_intent)
        return fail(ACCP_E1002, tree.find(0, "intent"), registry::kNoIntent);
    if (!registry || out.is_text()) return {};  // a text has no fields, so it has no schema
    const registry::Schema *bound = registry->bound(out.intent, message.operation);
    uint32_t named = tree.find(message.payload, kSchemaKey);
    if (named && tree[named].kind == ACCP_STRING) {
        out.schema = registry->by_code(tree.string(named));
        out.schema_node = named;
        out.writes_schema = true;
        return out.schema ? Status{} : fail(ACCP_E1003, named, "no schema has this code");
    }
    out.has_other_schema = named != 0;
    out.schema = out.setup.schema && !named ? out.setup.schema : bound;
    out.writes_schema = out.schema != bound;
    return {};
}

// Step 2: abbreviates the keys of the payload, by the schema's aliases and the abbreviations in
// force.
Status abbreviate_keys(Outgoing &out) {
    const registry::Registry *registry = out.setup.registry;
    if (!registry || out.is_text()) return {};
    value::TreeView tree = out.tree();
    const uint32_t payload = out.message.payload;
    out.params = out.arena.allocate<Param>(tree[payload].len);
    for (uint32_t i = payload + 1; i < tree[payload].next; i = tree[i].next) {
        if (i == out.schema_node) continue;
        registry::KeyForm form = registry->write_key(out.schema, tree.key(i));
        // With p1 a schema's code as a key means that the payload is by position.
        if (out.settings.has(ACCP_EXT_P1) && !form.escape && registry->by_code(form.text))
            form = {tree.key(i), form.field, true};
        out.params[out.count++] = {i, form, false, false};
    }
    return {};
}

// Step 3: checks the values of fields, and that required fields exist. Then hands values that are
// long or deep, or that have no spelling, to the keeper (keep_values.cc).

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

// Step 4: omits values that the other side fills in.
Status omit_defaults(Outgoing &out) {
    for (uint32_t i = 0; i < out.count; ++i) {
        Param &param = out.params[i];
        if (param.key.field)
            param.left_out =
                registry::is_default(*out.schema, *param.key.field, out.tree(), param.node);
    }
    return {};
}

// Step 7: checks that the frame was composed.
Status emit_frame(Outgoing &out) {
    return out.out.size() > out.start ? Status{} : fail(ACCP_E9999, 0, "a defect of this library");
}

// The seven steps of encoding (specification 7.2) in order.
Status run_steps(Outgoing &out) {
    static constexpr Status (*kSteps[])(Outgoing &) = {
        resolve_schema,   // 1
        abbreviate_keys,  // 2
        check_outgoing,   // profile rules, and hooks of the host
        compress_values,  // 3
        omit_defaults,    // 4
        estimate_tokens,  // 5
        check_budget,     // 6
        emit_frame,       // 7
    };
    for (auto step : kSteps) {
        Status status = step(out);
        if (status.ok()) continue;
        out.out.resize_down(out.start);
        const auto node = static_cast<uint32_t>(status.offset);
        value::JsonReader::Origin origin = out.coder.origin(out.in_meta ? node : out.origin(node));
        return move_to(status, out.at_key ? origin.key : origin.value);
    }
    return {};
}

}  // namespace accp::codec
