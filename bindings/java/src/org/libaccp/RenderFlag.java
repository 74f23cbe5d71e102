// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.accp_render_flag;

/** How a record is rendered. Reading needs none of them. */
public enum RenderFlag {
    /** The text came from outside: it says so in front, is one line, and no character in it is invisible. */
    UNTRUSTED(accp_render_flag.ACCP_RENDER_UNTRUSTED),
    /** No table takes a line a row. */
    ONE_LINE(accp_render_flag.ACCP_RENDER_ONE_LINE),
    /** A message's mid, seq, ts, cid, aid, sid and ttl too. */
    ENVELOPE(accp_render_flag.ACCP_RENDER_ENVELOPE);

    final int number;

    RenderFlag(int number) {
        this.number = number;
    }

    static int bits(RenderFlag... set) {
        Objects.requireNonNull(set, "flags");
        int bits = 0;
        for (RenderFlag one : set) {
            bits |= one.number;
        }
        return bits;
    }

    static Set<RenderFlag> of(long bits) {
        EnumSet<RenderFlag> set = EnumSet.noneOf(RenderFlag.class);
        for (RenderFlag one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
