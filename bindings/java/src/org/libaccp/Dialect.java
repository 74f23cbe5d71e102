// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_dialect;

/**
 * Selects the accepted frames. A dialect is for reading; writing depends only on the extensions.
 */
public enum Dialect {
    /** The specification's grammar, exactly. */
    STRICT(accp_dialect.ACCP_STRICT),
    /**
     * Also a bare {@code @name} as a value, a bare {@code :} in an element, and null as a removal
     * inside {@code delta}.
     */
    COMPAT(accp_dialect.ACCP_COMPAT),
    /** Also raw non-ASCII code points inside strings. */
    U8(accp_dialect.ACCP_U8);

    final int number;

    Dialect(int number) {
        this.number = number;
    }
}
