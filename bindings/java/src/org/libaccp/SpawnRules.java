// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;

/**
 * How a service that makes agents is set ({@link AgentRegistry#spawn}).
 *
 * @param allow whether it makes any; if not, requests are refused with {@link Verdict.Code#NO_AGENT}
 * @param leaseUntil when the lease of those that it makes ends, after 1970; null: never
 * @param msgId of the confirmation; null: it has none
 */
public record SpawnRules(boolean allow, Instant leaseUntil, String msgId) {
    /**
     * One for agents without a lease and confirmations without ids.
     *
     * @param allow whether it makes any
     */
    public SpawnRules(boolean allow) {
        this(allow, null, null);
    }
}
