// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.accp_session_flag;

/** How a session is opened. */
public enum SessionFlag {
    /** The session as it stands, which must be there; who writes it goes on. */
    READ_ONLY(accp_session_flag.ACCP_SESSION_READ_ONLY),
    /**
     * The other side is a session of this engine too, opened so: what is over {@link Rule#MAX_TOKENS} goes in parts, both ways, and no negotiation is needed.
     * Refused (ERR_ARG) where {@link Rule#PARTS} was set to 0, an agreement says so, or q1 is not in force.
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
