// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 3 in: the keys in full, each of them once.
#include "codec/decode/incoming.h"
#include "frame/table.h"
#include "value/keys.h"

namespace accp::codec {

namespace {

// A key of the payload: `wire` as the frame has it, `key` the same without the escape of q1.
Member read_key(const Incoming &in, std::string_view wire, std::string_view key, uint32_t node,
                uint32_t place) {
    if (!in.setup.registry) return {key, nullptr, node, place};
    const registry::Registry &registry = *in.setup.registry;
    if (in.scratch.settings.has(ACCP_EXT_Q1) && wire.substr(0, 2) == "__")
        return {key, in.schema ? registry.field_by_name(*in.schema, key) : nullptr, node, place};
    registry::KeyForm form = registry.read_key(in.schema, wire);
    return {form.text, form.field, node, place};
}

Status read_positions(Incoming &in, uint32_t list, uint32_t wire) {
    value::TreeView frame = in.tree(), value = in.scratch.payload.view();
    if (frame[wire].len > in.schema->field_count)
        return fail_limit(ACCP_E1004, frame[wire].offset, "more values than the schema has fields",
                          frame[wire].len, in.schema->field_count);
    const registry::Field *field = in.schema->fields;
    for (uint32_t i = wire + 1, j = list + 1; i < frame[wire].next;
         i = frame[i].next, j = value[j].next, ++field)
        if (frame[i].kind != ACCP_STRING || frame.string(i) != kLeftOut)
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
        const value::Node &place = frame[member.place];
        if (status.failed()) return move_to(status, place.offset - (place.kind == ACCP_REF));
    }
    uint32_t twin = value::find_equal(keys, in.count, in.scratch.arena, in.scratch.seed);
    if (!twin) return {};
    const value::Node &node = frame.nodes[in.members[twin].place];
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

}  // namespace accp::codec
