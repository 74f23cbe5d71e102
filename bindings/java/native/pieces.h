// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Results of several pieces, so that Java gets them in one crossing.
#pragma once

#include <initializer_list>

#include "callback.h"

namespace accp_java {

// One part of a result: bytes, one part after another.
struct Piece {
    const void *bytes;
    size_t len;
};

jbyteArray join(JNIEnv *env, std::initializer_list<Piece> pieces);

// A value as Java keeps it: its nodes, then its text.
struct Packed {
    explicit Packed(const accp_value *value) {
        size_t count = 0;
        nodes.bytes = accp_value_nodes(value, &count);
        nodes.len = count * sizeof(accp_node);
        accp_text all = accp_value_text(value);
        text = {all.text, all.len};
    }
    jint size() const { return static_cast<jint>(nodes.len + text.len); }
    Piece nodes, text;
};

}  // namespace accp_java
