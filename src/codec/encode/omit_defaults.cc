// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 4 out: what the other side fills in by itself is left out.
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status omit_defaults(Outgoing &out) {
    for (uint32_t i = 0; i < out.count; ++i) {
        Param &param = out.params[i];
        if (param.key.field)
            param.left_out =
                registry::is_default(*out.schema, *param.key.field, out.tree(), param.node);
    }
    return {};
}

}  // namespace accp::codec
