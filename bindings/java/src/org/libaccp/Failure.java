// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;

/**
 * What an error frame says (specification 3.6): {@code @agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}}.
 *
 * @param code the number of the code, 3001 for E3001; a peer's may be one that has no name here
 * @param retry reading: whether sending again may help; writing: not looked at, the table says it
 * @param agent who says it; must be given
 * @param message one line for people; null: the name of the code
 * @param detail more about it; null: none
 * @param source where it happened; null: none
 * @param cid the correlation id of what failed; null: none
 */
public record Failure(int code, boolean retry, String agent, String message, String detail, String source, String cid) {
    /**
     * Checks that somebody says it.
     *
     * @param code the number of the code
     * @param retry whether sending again may help
     * @param agent who says it
     * @param message one line for people; null: the name of the code
     * @param detail more about it; null: none
     * @param source where it happened; null: none
     * @param cid the correlation id of what failed; null: none
     */
    public Failure {
        Objects.requireNonNull(agent, "agent");
    }

    /**
     * What a call failed with, as an answer to a frame.
     *
     * @param agent who says it
     * @param failed why; its code must be one of the specification's
     * @param cid the correlation id of what failed; null: none
     */
    public Failure(String agent, AccpException failed, String cid) {
        this(Objects.requireNonNull(failed, "failed").code(), failed.retryable(), agent, failed.reason(), null, null, cid);
    }
}
