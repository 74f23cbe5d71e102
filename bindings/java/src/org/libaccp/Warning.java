// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Set;
import org.libaccp.internal.accp_warning;

/** Non-fatal faults of a message. */
public enum Warning {
    /** A tool's result or a chunk of a stream without its cid. */
    NO_CID(accp_warning.ACCP_WARN_NO_CID),
    /** A tool's error that is not an error frame. */
    TOOL_ERROR(accp_warning.ACCP_WARN_TOOL_ERROR),
    /** A transaction without an id, which cannot be distinguished from its repetition. */
    NO_TRANSACTION_ID(accp_warning.ACCP_WARN_NO_TRANSACTION_ID),
    /** A currency that is not in ISO 4217. */
    CURRENCY(accp_warning.ACCP_WARN_CURRENCY),
    /** An error frame with an unknown code. */
    ERROR_CODE(accp_warning.ACCP_WARN_ERROR_CODE),
    /** An error frame whose retry differs from the error model. */
    RETRY(accp_warning.ACCP_WARN_RETRY),
    /** {@code done}, {@code fail} or {@code ack} with a mid but no cid: the request is unknown. */
    NO_REQUEST(accp_warning.ACCP_WARN_NO_REQUEST);

    final int number;

    Warning(int number) {
        this.number = number;
    }

    static Set<Warning> of(long bits) {
        EnumSet<Warning> set = EnumSet.noneOf(Warning.class);
        for (Warning one : values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }
}
