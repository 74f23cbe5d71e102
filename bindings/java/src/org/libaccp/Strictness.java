// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.accp_strictness;

/** Additional refusals. */
public enum Strictness {
    /** An operation that neither the specification nor the registry has: E5001. */
    OPERATIONS(accp_strictness.ACCP_STRICT_OPERATIONS),
    /** Anything that would be a warning: E1004. */
    PROFILES(accp_strictness.ACCP_STRICT_PROFILES),
    /** A payload member that is not in its schema: E1004. */
    SCHEMA(accp_strictness.ACCP_STRICT_SCHEMA),
    /** {@code done}, {@code fail} or {@code ack} with a mid and without a cid: E1004. */
    REPLIES(accp_strictness.ACCP_STRICT_REPLIES);

    final int number;

    Strictness(int number) {
        this.number = number;
    }

    static int bits(Strictness... set) {
        Objects.requireNonNull(set, "strictness");
        int bits = 0;
        for (Strictness one : set) {
            bits |= one.number;
        }
        return bits;
    }

    static Set<Strictness> of(long bits) {
        EnumSet<Strictness> set = EnumSet.noneOf(Strictness.class);
        for (Strictness one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
