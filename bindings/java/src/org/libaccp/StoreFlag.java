// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Set;
import org.libaccp.internal.accp_store_flag;

/** Options for opening a store. */
public enum StoreFlag {
    /** Nothing is changed; the file must exist. */
    READ_ONLY(accp_store_flag.ACCP_STORE_READ_ONLY),
    /** A missing file is not created. */
    EXISTING(accp_store_flag.ACCP_STORE_EXISTING),
    /** A write is done when the operating system has it: safe from a kill, and power failure leaves a prefix. */
    NO_WAIT(accp_store_flag.ACCP_STORE_NO_WAIT),
    /** Pruning returns unused space of a SQLite file to the file system. */
    VACUUM(accp_store_flag.ACCP_STORE_VACUUM);

    final int number;

    StoreFlag(int number) {
        this.number = number;
    }

    static int bits(StoreFlag... set) {
        int bits = 0;
        for (StoreFlag one : set) {
            bits |= one.number;
        }
        return bits;
    }

    static Set<StoreFlag> of(long bits) {
        EnumSet<StoreFlag> set = EnumSet.noneOf(StoreFlag.class);
        for (StoreFlag one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
