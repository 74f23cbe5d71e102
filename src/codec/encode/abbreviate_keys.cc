// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 2 out: the keys of the payload, by the schema's aliases and the abbreviations in force.
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status abbreviate_keys(Outgoing &out) {
    const registry::Registry *registry = out.setup.registry;
    if (!registry || out.is_text()) return {};
    value::TreeView tree = out.tree();
    const uint32_t payload = out.message.payload;
    out.params = out.arena.allocate<Param>(tree[payload].len);
    for (uint32_t i = payload + 1; i < tree[payload].next; i = tree[i].next) {
        if (i == out.schema_node) continue;
        registry::KeyForm form = registry->write_key(out.schema, tree.key(i));
        // Under p1 a schema's code as a key says that the payload is by position.
        if (out.settings.has(ACCP_EXT_P1) && !form.escape && registry->by_code(form.text))
            form = {tree.key(i), form.field, true};
        out.params[out.count++] = {i, form, false, false};
    }
    return {};
}

}  // namespace accp::codec
