// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kinds of handles: how each is freed, whether threads may share it, and roughly how many bytes
// it holds.
#include "handle.h"

namespace accp_addon {

#define ACCP_KIND(type, ending, shared, bytes)                                               \
    template <>                                                                              \
    const Kind &kind_of<accp_##type>() {                                                     \
        static const Kind kind = {                                                           \
            #type, [](void *of) { accp_##type##_##ending(static_cast<accp_##type *>(of)); }, \
            shared, bytes};                                                                  \
        return kind;                                                                         \
    }
ACCP_KIND(config, free, false, 2048)
ACCP_KIND(engine, free, true, 16384)
ACCP_KIND(session, close, false, 65536)
ACCP_KIND(registry, free, true, 8192)
ACCP_KIND(tokenizer, free, true, 256)
ACCP_KIND(counter, free, false, 65536)
ACCP_KIND(codec, free, false, 32768)
ACCP_KIND(batch, free, false, 32768)
ACCP_KIND(render, free, false, 16384)
ACCP_KIND(packet, free, false, 32768)
ACCP_KIND(packet_code, free, false, 32768)
ACCP_KIND(packet_index, free, false, 32768)
ACCP_KIND(library, free, true, 16384)
ACCP_KIND(sacp, free, false, 16384)
ACCP_KIND(run, free, false, 32768)
#undef ACCP_KIND

template <>
const Kind &kind_of<accp_store>() {
    static const Kind kind = {
        "store", [](void *of) { (void)accp_store_close(static_cast<accp_store *>(of), nullptr); },
        true, 65536};
    return kind;
}

}  // namespace accp_addon
