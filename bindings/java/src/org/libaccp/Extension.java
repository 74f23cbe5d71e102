// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.accp_extension;

/** Extensions to the specification. Each is in force only if both sides have named it. */
public enum Extension {
    /** Any JSON value, without loss, inside the strict grammar. */
    Q1(accp_extension.ACCP_EXT_Q1),
    /** An array of similar objects as a table; implies q1. */
    T1(accp_extension.ACCP_EXT_T1),
    /** Strings carry raw non-ASCII code points; implies q1 and the u8 dialect. */
    U8(accp_extension.ACCP_EXT_U8),
    /** Payloads by position with a schema of the agreed registry; implies q1; negotiated. */
    P1(accp_extension.ACCP_EXT_P1),
    /** A quantity in words ("minus 12 percent") as symbols (-12%); implies q1; negotiated. */
    W1(accp_extension.ACCP_EXT_W1);

    final int number;

    Extension(int number) {
        this.number = number;
    }

    static int bits(Extension... set) {
        Objects.requireNonNull(set, "extensions");
        int bits = 0;
        for (Extension one : set) {
            bits |= one.number;
        }
        return bits;
    }

    static Set<Extension> of(long bits) {
        EnumSet<Extension> set = EnumSet.noneOf(Extension.class);
        for (Extension one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
