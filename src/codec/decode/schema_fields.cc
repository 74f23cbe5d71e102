// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Steps 2 to 4 for the schema of a frame: finding it, expanding keys, and filling in defaults.
#include "codec/decode/incoming.h"

#include "frame/table.h"
#include "value/keys.h"

namespace accp::codec {

namespace {

Status name_schema(Incoming &in, uint32_t node, std::string_view code) {
    in.schema = in.setup.registry->by_code(code);
    in.schema_node = node;
    return in.schema ? Status{}
                     : fail(ACCP_E1003, in.tree()[node].offset, "no schema has this code");
}

}  // namespace

// Step 2: finds the schema of the frame. Refs follow in resolve_refs.cc.
Status resolve_codes(Incoming &in) {
    value::TreeView tree = in.tree();
    if (!in.setup.registry || frame::text_node(tree, frame::kPayload, in.scratch.settings))
        return {};
    const registry::Registry &registry = *in.setup.registry;
    const registry::Schema *bound = registry.bound(in.intent, tree.string(frame::kOperation));
    in.unnamed = in.setup.schema ? in.setup.schema : bound;
    in.schema = bound;
    uint32_t named = tree.find(frame::kPayload, kSchemaKey);
    const uint32_t first = frame::kPayload + 1;
    if (in.setup.by_position && tree[frame::kPayload].len && registry.by_code(tree.key(first))) {
        if (tree[first].kind != ACCP_ARRAY || named)
            return fail(
                ACCP_E1004, tree[first].offset,
                "a schema's code as a key must have an array, and no other schema may be named");
        in.by_position = true;
        Status status = name_schema(in, first, tree.key(first));
        bool is_bound =
            status.ok() && in.schema->is_bound(in.intent, tree.string(frame::kOperation));
        if (status.ok() && !is_bound)
            return fail(
                ACCP_E1003, ACCP_NODE_KEY(&tree.nodes[first]),
                "values by position require a schema that is bound to the intent and operation");
        return status;
    }
    if (!named) return {};
    if (tree[named].kind != ACCP_STRING)
        return fail(ACCP_E1004, tree[named].offset,
                    "the member schema must be the code of a schema");
    return name_schema(in, named, tree.string(named));
}

// Step 3: expands the keys, and checks that none is repeated.

namespace {

// Reads a key of the payload. `wire`: as in the frame; `key`: without the escape of q1.
Member read_key(const Incoming &in, std::string_view wire, std::string_view key, uint32_t node,
                uint32_t frame_node) {
    if (!in.setup.registry) return {key, nullptr, node, frame_node};
    const registry::Registry &registry = *in.setup.registry;
    if (in.scratch.settings.has(ACCP_EXT_Q1) && wire.substr(0, 2) == "__")
        return {key, in.schema ? registry.field_by_name(*in.schema, key) : nullptr, node,
                frame_node};
    registry::KeyForm form = registry.read_key(in.schema, wire);
    return {form.text, form.field, node, frame_node};
}

Status read_positions(Incoming &in, uint32_t list, uint32_t wire) {
    value::TreeView frame = in.tree(), value = in.scratch.payload.view();
    if (frame[wire].len > in.schema->field_count)
        return fail_limit(ACCP_E1004, frame[wire].offset, "more values than the schema has fields",
                          frame[wire].len, in.schema->field_count);
    const registry::Field *field = in.schema->fields;
    for (uint32_t i = wire + 1, j = list + 1; i < frame[wire].next;
         i = frame[i].next, j = value[j].next, ++field)
        if (frame[i].kind != ACCP_STRING || frame.string(i) != kOmittedValue)
            in.members[in.count++] = {field->name, field, j, i};
    return {};
}

Status check_values(const Incoming &in) {
    value::TreeView frame = in.tree(), value = in.scratch.payload.view();
    auto *keys = in.scratch.arena.allocate<std::string_view>(in.count);
    for (uint32_t i = 0; i < in.count; ++i) {
        const Member &member = in.members[i];
        keys[i] = member.key;
        if (!member.field) continue;
        Status status = check_type(*member.field, value, member.node, false);
        const value::Node &place = frame[member.frame_node];
        if (status.failed()) return move_to(status, place.offset - (place.kind == ACCP_REF));
    }
    uint32_t repeated = value::find_equal(keys, in.count, in.scratch.arena, in.scratch.seed);
    if (!repeated) return {};
    const value::Node &node = frame.nodes[in.members[repeated].frame_node];
    return fail(ACCP_E1001, node.key_len ? ACCP_NODE_KEY(&node) : node.offset,
                "two keys that stand for one");
}

}  // namespace

Status expand_keys(Incoming &in) {
    if (in.is_text) return {};
    Status status;
    value::TreeView frame = in.tree(), value = in.scratch.payload.view();
    const uint32_t fields = in.schema ? in.schema->field_count : 0;
    in.members = in.scratch.arena.allocate<Member>(size_t{value[0].len} + fields);
    for (uint32_t i = frame::kPayload + 1, j = 1; i < frame[frame::kPayload].next;
         i = frame[i].next, j = value[j].next) {
        if (i != in.schema_node)
            in.members[in.count++] = read_key(in, frame.key(i), value.key(j), j, i);
        else if (in.by_position) status = read_positions(in, j, i);
        if (status.failed()) return status;
    }
    return check_values(in);
}

// Step 4: fills in omitted fields. A field with the value null is not omitted.
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
