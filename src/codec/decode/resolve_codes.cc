// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 2 in, the schema that the frame is under; refs come after it, in resolve_refs.cc.
#include "codec/decode/incoming.h"

namespace accp::codec {

namespace {

Status name_schema(Incoming &in, uint32_t node, std::string_view code) {
    in.schema = in.setup.registry->by_code(code);
    in.schema_node = node;
    return in.schema ? Status{}
                     : fail(ACCP_E1003, in.tree()[node].offset, "no schema has this code");
}

}  // namespace

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
            return fail(ACCP_E1004, tree[first].offset,
                        "what a schema's code names is its values, alone");
        in.by_position = true;
        Status status = name_schema(in, first, tree.key(first));
        bool is_bound =
            status.ok() && in.schema->is_bound(in.intent, tree.string(frame::kOperation));
        if (status.ok() && !is_bound)
            return fail(ACCP_E1003, ACCP_NODE_KEY(&tree.nodes[first]),
                        "values by position, and a schema that is not bound here");
        return status;
    }
    if (!named) return {};
    if (tree[named].kind != ACCP_STRING)
        return fail(ACCP_E1004, tree[named].offset, "a schema is named by its code");
    return name_schema(in, named, tree.string(named));
}

}  // namespace accp::codec
