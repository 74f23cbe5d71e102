// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.EnumSet;
import java.util.Set;
import org.libaccp.internal.accp_warning;

/** What is odd about a message that was taken all the same. */
public enum Warning {
    /** A tool's answer or a chunk of a stream without its cid. */
    NO_CID(accp_warning.ACCP_WARN_NO_CID),
    /** A tool's error that is not an error frame. */
    TOOL_ERROR(accp_warning.ACCP_WARN_TOOL_ERROR),
    /** A transaction that cannot be told from its repetition. */
    NO_TRANSACTION_ID(accp_warning.ACCP_WARN_NO_TRANSACTION_ID),
    /** None of ISO 4217. */
    CURRENCY(accp_warning.ACCP_WARN_CURRENCY),
    /** An error frame whose code is none. */
    ERROR_CODE(accp_warning.ACCP_WARN_ERROR_CODE),
    /** An error frame whose retry is not what the error model says. */
    RETRY(accp_warning.ACCP_WARN_RETRY),
    /** {@code done}, {@code fail} or {@code ack} with a mid, and so of a session, that has no cid: nobody can tell what it answers. */
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
