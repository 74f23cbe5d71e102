// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.accp_session_flag;

/** Options for opening a session. */
public enum SessionFlag {
    /** Read the session's current state; it must exist, and its writer is not disturbed. */
    READ_ONLY(accp_session_flag.ACCP_SESSION_READ_ONLY),
    /**
     * The other side is a session of this engine that was also opened with this flag: messages over
     * {@link Rule#MAX_TOKENS} go in parts in both directions without a negotiation. It is refused
     * (ERR_ARG) if {@link Rule#PARTS} is 0, an agreement excludes parts, or q1 is not in force.
     */
    LOCAL(accp_session_flag.ACCP_SESSION_LOCAL);

    final int number;

    SessionFlag(int number) {
        this.number = number;
    }

    static int bits(SessionFlag... set) {
        Objects.requireNonNull(set, "flags");
        int bits = 0;
        for (SessionFlag one : set) {
            bits |= one.number;
        }
        return bits;
    }
}
