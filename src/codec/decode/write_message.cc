// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 5: writes the message as JSON, or builds it over trees.
#include "codec/decode/incoming.h"
#include "codec/tree_copy.h"
#include "frame/message/json.h"
#include "value/json_writer.h"

namespace accp::codec {

namespace {

// Calls put(key, member) for the frame's own members in order, then for the schema if it was named
// by position, then for the defaults. The schema has no member.
template <class Put>
void each_member(const Incoming &in, Put put) {
    bool due = in.schema_node != 0;
    for (uint32_t i = 0; i < in.count; ++i) {
        const Member &member = in.members[i];
        if (due && (!member.node || (!in.by_position && member.frame_node > in.schema_node))) {
            put(kSchemaKey, nullptr);
            due = false;
        }
        put(member.key, &member);
    }
    if (due) put(kSchemaKey, nullptr);
}

void put_payload(Incoming &in, Buffer<char> &out) {
    bool first = true;
    each_member(in, [&](std::string_view key, const Member *member) {
        out.push(first ? '{' : ',');
        first = false;
        value::write_json_string(key, out);
        out.push(':');
        if (!member) {
            out.push('"');
            out.append(in.schema->code);
            out.push('"');
        } else if (member->node) {
            value::write_json(in.scratch.payload.view(), member->node, out);
        } else {
            out.append(member->field->default_json);
        }
    });
    out.append(first ? "{}" : "}");
}

// Writes the names of filled-in members, including the schema if a frame that does not name it
// would have the same.
void put_defaults(Incoming &in, Buffer<char> &out) {
    out.append(",\"defaults\":[");
    const size_t start = out.size();
    auto name = [&](std::string_view key) {
        if (out.size() > start) out.push(',');
        value::write_json_string(key, out);
    };
    if (in.schema_node && in.schema == in.unnamed) name(kSchemaKey);
    for (uint32_t i = 0; i < in.count; ++i)
        if (!in.members[i].node) name(in.members[i].key);
    out.push(']');
}

// Adds a value after its key.
Status add_value(Incoming &in, value::TreeView from, uint32_t node, value::Value &to) {
    return copy_tree(from, node, 1, kMaxJsonDepth + 1, in.scratch.arena, to,
                     [](uint32_t, uint32_t, bool &) { return Status{}; });
}

// Builds the same payload as a tree.
Status compose_payload(Incoming &in, value::Value &to) {
    to.clear();
    uint32_t count = 0;
    Status status;
    const uint32_t root = to.open(ACCP_MAP);
    each_member(in, [&](std::string_view key, const Member *member) {
        if (status.failed()) return;
        ++count;
        to.add_key(key);
        if (!member) return to.add_scalar(ACCP_STRING, 0, in.schema->code);
        if (member->node) {
            status = add_value(in, in.scratch.payload.view(), member->node, to);
            return;
        }
        const std::string_view json = member->field->default_json;
        status = in.scratch.reader.read(json.data(), json.size(), {kExpandBytes, kMaxJsonDepth},
                                        in.scratch.found);
        if (status.ok()) status = add_value(in, in.scratch.found.view(), 0, to);
    });
    to.close(root, count);
    return move_to(status, in.tree()[frame::kPayload].offset);
}

}  // namespace

Status write_message(Incoming &in, Buffer<char> &out) {
    value::TreeView tree = in.tree();
    message::open_json(tree.string(frame::kAgent), tree.string(frame::kIntent),
                       tree.string(frame::kOperation), out);
    if (in.is_text) value::write_json(in.scratch.payload.view(), 1, out);
    else put_payload(in, out);
    if (in.meta()) {
        out.append(",\"meta\":");
        Status status;
        if (in.call.resolver) value::write_json(in.scratch.meta.view(), 0, out);
        else status = in.coder.write_block(tree, in.meta(), false, out);
        if (status.failed()) return status;
    }
    if (in.setup.mark_defaults) put_defaults(in, out);
    if (in.untrusted) out.append(message::kUntrustedEnd);
    else out.push('}');
    return {};
}

Status compose_message(Incoming &in, message::Message &out) {
    value::TreeView tree = in.tree();
    CodecScratch &scratch = in.scratch;
    out = {tree.string(frame::kAgent), tree.string(frame::kIntent), tree.string(frame::kOperation)};
    Status status;
    if (in.is_text || !in.setup.registry) {
        out.tree = scratch.payload.view();
        out.payload = in.is_text;  // the text is the only member of the map
    } else {
        status = compose_payload(in, scratch.whole);
        out.tree = scratch.whole.view();
    }
    if (status.ok() && in.meta() && !in.call.resolver)
        status = in.coder.read_block(tree, in.meta(), false, scratch.meta);
    out.has_meta = in.meta() != 0;
    if (out.has_meta) out.meta_tree = scratch.meta.view();
    out.untrusted = in.untrusted;
    return status;
}

}  // namespace accp::codec
