// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 5 in: the message as JSON.
#include "codec/decode/incoming.h"
#include "value/json_writer.h"

namespace accp::codec {

namespace {

// A key may lie where nothing may be read after it.
void put_key(Incoming &in, std::string_view key) {
    char *padded = in.scratch.arena.allocate<char>(key.size() + Buffer<char>::kSlack);
    if (!key.empty()) std::memcpy(padded, key.data(), key.size());
    value::write_json_string({padded, key.size()}, in.out);
}

// The frame's own members in its order, then the schema where it is named by position, then what
// was filled in.
void put_payload(Incoming &in) {
    bool first = true;
    auto begin = [&](std::string_view key) {
        in.out.push(first ? '{' : ',');
        first = false;
        put_key(in, key);
        in.out.push(':');
    };
    auto put_schema = [&] {
        begin(kSchemaKey);
        in.out.push('"');
        in.out.append(in.schema->code);
        in.out.push('"');
    };
    bool due = in.schema_node != 0;
    for (uint32_t i = 0; i < in.count; ++i) {
        const Member &member = in.members[i];
        if (due && (!member.node || (!in.by_position && member.place > in.schema_node))) {
            put_schema();
            due = false;
        }
        begin(member.key);
        if (member.node) value::write_json(in.scratch.payload.view(), member.node, in.out);
        else in.out.append(member.field->default_json);
    }
    if (due) put_schema();
    in.out.append(first ? "{}" : "}");
}

// The names of what was filled in, or would have been: the schema itself, where a frame without its
// name is under the same.
void put_defaults(Incoming &in) {
    in.out.append(",\"defaults\":[");
    const size_t start = in.out.size();
    auto name = [&](std::string_view key) {
        if (in.out.size() > start) in.out.push(',');
        put_key(in, key);
    };
    if (in.schema_node && in.schema == in.unnamed) name(kSchemaKey);
    for (uint32_t i = 0; i < in.count; ++i)
        if (!in.members[i].node) name(in.members[i].key);
    in.out.push(']');
}

}  // namespace

Status rebuild_message(Incoming &in) {
    value::TreeView tree = in.tree();
    in.out.append("{\"agent\":\"");
    in.out.append(tree.string(frame::kAgent));
    in.out.append("\",\"intent\":\"");
    in.out.append(tree.string(frame::kIntent));
    in.out.append("\",\"operation\":\"");
    in.out.append(tree.string(frame::kOperation));
    in.out.append("\",\"payload\":");
    if (in.is_text) value::write_json(in.scratch.payload.view(), 1, in.out);
    else put_payload(in);
    if (in.meta()) {
        in.out.append(",\"meta\":");
        Status status;
        if (in.setup.resolver) value::write_json(in.scratch.meta.view(), 0, in.out);
        else status = in.coder.write_block(tree, in.meta(), false, in.out);
        if (status.failed()) return status;
    }
    if (in.setup.mark_defaults) put_defaults(in);
    if (in.setup.untrusted) in.out.append(",\"untrusted\":true");
    in.out.push('}');
    return {};
}

}  // namespace accp::codec
