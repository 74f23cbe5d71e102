// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.accp_render_flag;

/** Options for rendering a record; reading needs none of them. */
public enum RenderFlag {
    /** The text is untrusted: it is marked, on one line, and without invisible characters. */
    UNTRUSTED(accp_render_flag.ACCP_RENDER_UNTRUSTED),
    /** Tables do not use one line per row. */
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
