// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Composes the frame. The payload is written with keys, or by position (p1, docs/wire.md 5) if its
// schema is bound and the extension is in force.
#include "codec/encode/outgoing.h"

namespace accp::codec {

namespace {

class Composer final : public frame::PayloadWriter {
public:
    explicit Composer(Outgoing &out) : out_(out) {}

    Status write(frame::Encoder &encoder, Buffer<char> &text) override {
        first_ = true;
        if (!by_position) return write_named(encoder, text, false);
        Status status = write_positions(encoder, text);
        return status.failed() ? status : write_named(encoder, text, true);
    }

    bool by_position = false;

private:
    void separate(Buffer<char> &text) {
        if (!first_) text.push('|');
        first_ = false;
    }

    // Writes all members, or only those that are not fields.
    Status write_named(frame::Encoder &encoder, Buffer<char> &text, bool others_only) {
        uint32_t next = 0, written = others_only;
        // a payload that could be sent by position keeps its schema's name in both layouts
        const bool names_schema = out_.writes_schema || !out_.layout.positions;
        value::TreeView tree = out_.tree();
        auto write_schema = [&](uint32_t node) {
            if (others_only || !names_schema || node != out_.schema_node) return;
            separate(text);
            text.append("schema:", 7);
            text.append(out_.schema->code);
            ++written;
        };
        const uint32_t payload = out_.message.payload;
        for (uint32_t i = payload + 1; i < tree[payload].next; i = tree[i].next) {
            if (i == out_.schema_node) {
                write_schema(i);
                continue;
            }
            const Param &param = out_.params[next++];
            if (param.left_out || (others_only && param.key.field)) continue;
            separate(text);
            ++written;
            Status status = encoder.key(param.key.text, param.node, param.key.escape);
            if (status.ok()) status = encoder.element(tree, param.node, 0);
            if (status.failed()) return status;
        }
        write_schema(0);
        if (written > out_.settings.limit(ACCP_LIMIT_PARAMS))
            return fail_limit(ACCP_E1001, payload, "more params than the limit params allows",
                              written, out_.settings.limit(ACCP_LIMIT_PARAMS));
        return {};
    }

    Status write_positions(frame::Encoder &encoder, Buffer<char> &text) {
        const registry::Schema &schema = *out_.schema;
        auto *nodes = out_.arena.allocate<uint32_t>(schema.field_count);
        uint32_t end = 0;
        for (uint32_t i = 0; i < schema.field_count; ++i) nodes[i] = 0;
        for (uint32_t i = 0; i < out_.count; ++i) {
            const Param &param = out_.params[i];
            if (!param.key.field || param.left_out) continue;
            auto index = static_cast<uint32_t>(param.key.field - schema.fields);
            nodes[index] = param.node;
            if (index >= end) end = index + 1;
        }
        separate(text);
        text.append(schema.code);
        text.append(":[", 2);
        for (uint32_t i = 0; i < end; ++i) {
            if (i) text.push(',');
            Status status = write_position(nodes[i], encoder, text);
            if (status.failed()) return status;
        }
        text.push(']');
        return {};
    }

    Status write_position(uint32_t node, frame::Encoder &encoder, Buffer<char> &text) {
        value::TreeView tree = out_.tree();
        const bool mark =
            node && tree[node].kind == ACCP_STRING && tree.string(node) == kOmittedValue;
        if (node && !mark) return encoder.element(tree, node, 1);
        if (mark) text.push('"');
        text.append(kOmittedValue);
        if (mark) text.push('"');
        return {};
    }

    Outgoing &out_;
    bool first_ = true;
};

// Returns whether one more level of nesting is possible: a payload by position is an array.
bool has_room(const Outgoing &out) {
    const uint64_t max = out.settings.limit(ACCP_LIMIT_DEPTH);
    value::TreeView tree = out.tree();
    uint32_t ends[kMaxDepth + 1], depth = 0;
    for (uint32_t i = out.message.payload + 1; i < tree[out.message.payload].next; ++i) {
        while (depth && ends[depth - 1] == i) --depth;
        if (!value::is_container(tree[i].kind)) continue;
        if (depth + 1 >= max) return false;
        ends[depth++] = tree[i].next;
    }
    return true;
}

bool goes_by_position(const Outgoing &out) {
    if (!out.settings.has(ACCP_EXT_P1) || !out.schema || out.has_other_schema) return false;
    if (!out.schema->is_bound(out.intent, out.message.operation)) return false;
    if (out.schema->field_count > out.settings.limit(ACCP_LIMIT_ITEMS)) return false;
    return out.schema->code.size() <= out.settings.limit(ACCP_LIMIT_KEY_BYTES) && has_room(out);
}

}  // namespace

Status compose(Outgoing &out) {
    Composer composer(out);
    out.by_position = composer.by_position =
        out.layout.positions && !out.is_text() && goes_by_position(out);
    frame::MessageStatus result =
        out.coder.build(out.message, out.call.envelope, out.out,
                        out.setup.registry ? &composer : nullptr, out.layout.tables);
    out.at_key = result.at_key;
    out.in_meta = result.in_meta;
    return result.status;
}

}  // namespace accp::codec
