// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 1 out: which schema the message is under. The payload's `schema`, else the codec's own, else
// the one bound to intent and operation.
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status resolve_schema(Outgoing &out) {
    const registry::Registry *registry = out.setup.registry;
    const message::Message &message = out.message;
    value::TreeView tree = out.tree();
    out.intent = registry::find_intent(message.intent);
    if (out.intent < 0 && !out.settings.any_intent)
        return fail(ACCP_E1002, tree.find(0, "intent"), registry::kNoIntent);
    if (!registry || out.is_text()) return {};  // a text is under none: it has no fields
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

}  // namespace accp::codec
