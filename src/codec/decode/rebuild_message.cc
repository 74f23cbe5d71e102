// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 5 in: the message as JSON.
#include "codec/decode/incoming.h"
#include "value/json_writer.h"

namespace accp {

namespace {

void put(Buffer<char> &out, std::string_view text) { out.append(text.data(), text.size()); }

// A key may lie where nothing may be read after it.
void put_key(Incoming &in, std::string_view key) {
    char *padded = in.scratch.arena.allocate<char>(key.size() + Buffer<char>::kSlack);
    if (!key.empty()) std::memcpy(padded, key.data(), key.size());
    write_json_string({padded, key.size()}, in.out);
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
        put(in.out, in.schema->code);
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
        if (member.node) write_json(in.scratch.payload.view(), member.node, in.out);
        else put(in.out, member.field->default_json);
    }
    if (due) put_schema();
    put(in.out, first ? "{}" : "}");
}

// The names of what was filled in, or would have been: the schema itself, where a frame without its
// name is under the same.
void put_defaults(Incoming &in) {
    put(in.out, ",\"defaults\":[");
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
    TreeView tree = in.tree();
    put(in.out, "{\"agent\":\"");
    put(in.out, tree.string(kAgent));
    put(in.out, "\",\"intent\":\"");
    put(in.out, tree.string(kIntent));
    put(in.out, "\",\"operation\":\"");
    put(in.out, tree.string(kOperation));
    put(in.out, "\",\"payload\":");
    if (in.is_text) write_json(in.scratch.payload.view(), 1, in.out);
    else put_payload(in);
    if (in.meta()) {
        put(in.out, ",\"meta\":");
        Status status;
        if (in.setup.resolver) write_json(in.scratch.meta.view(), 0, in.out);
        else status = in.coder.write_block(tree, in.meta(), false, in.out);
        if (status.failed()) return status;
    }
    if (in.setup.mark_defaults) put_defaults(in);
    if (in.setup.untrusted) put(in.out, ",\"untrusted\":true");
    in.out.push('}');
    return {};
}

}  // namespace accp
