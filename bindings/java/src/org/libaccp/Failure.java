// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;

/**
 * The content of an error frame (specification 3.6):
 * {@code @agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}}.
 *
 * @param code the number of the code, 3001 for E3001; a peer's code may have no name here
 * @param retry reading: whether sending again may help; writing: ignored, the table of codes
 *     decides
 * @param agent the sender; required
 * @param message one line for people; null: the name of the code
 * @param detail more details; null: none
 * @param source the failed component; null: none
 * @param cid the correlation id of the failed frame; null: none
 */
public record Failure(int code, boolean retry, String agent, String message, String detail, String source, String cid) {
    /**
     * Checks that a sender is given.
     *
     * @param code the number of the code
     * @param retry whether sending again may help
     * @param agent the sender
     * @param message one line for people; null: the name of the code
     * @param detail more details; null: none
     * @param source the failed component; null: none
     * @param cid the correlation id of the failed frame; null: none
     */
    public Failure {
        Objects.requireNonNull(agent, "agent");
    }

    /**
     * Makes the reply to a frame from a call's exception.
     *
     * @param agent the sender
     * @param failed the exception, with a code of the specification
     * @param cid the correlation id of the failed frame; null: none
     */
    public Failure(String agent, AccpException failed, String cid) {
        this(Objects.requireNonNull(failed, "failed").code(), failed.retryable(), agent, failed.reason(), null, null, cid);
    }
}
