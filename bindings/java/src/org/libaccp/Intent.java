// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.accp_intent;

/** The twelve intents (specification 4.1). */
public enum Intent {
    /** A request. */
    REQ(accp_intent.ACCP_INTENT_REQ),
    /** A result. */
    DONE(accp_intent.ACCP_INTENT_DONE),
    /** A failure. */
    FAIL(accp_intent.ACCP_INTENT_FAIL),
    /** Not yet. */
    WAIT(accp_intent.ACCP_INTENT_WAIT),
    /** Escalation. */
    ESC(accp_intent.ACCP_INTENT_ESC),
    /** Compression. */
    COMP(accp_intent.ACCP_INTENT_COMP),
    /** State or registry. */
    SYNC(accp_intent.ACCP_INTENT_SYNC),
    /** A question. */
    QRY(accp_intent.ACCP_INTENT_QRY),
    /** Acknowledgement. */
    ACK(accp_intent.ACCP_INTENT_ACK),
    /** The end of a chain. */
    CANCEL(accp_intent.ACCP_INTENT_CANCEL),
    /** A chunk. */
    STREAM(accp_intent.ACCP_INTENT_STREAM),
    /** The end of a stream. */
    END(accp_intent.ACCP_INTENT_END);

    final int number;

    Intent(int number) {
        this.number = number;
    }

    /** {@return the code in frames: {@code "req"}} */
    public String code() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /**
     * The intent of a code.
     *
     * @param code such as {@code "req"}
     * @return the intent, or null; a receiver replies to an unknown one with E1002
     */
    public static Intent of(String code) {
        Objects.requireNonNull(code, "code");
        for (Intent one : values()) {
            if (one.code().equals(code)) {
                return one;
            }
        }
        return null;
    }
}
