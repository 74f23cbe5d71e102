// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;

/**
 * The configuration of a service that makes agents ({@link AgentRegistry#spawn}).
 *
 * @param allow whether it makes agents; otherwise requests are refused with
 *     {@link Verdict.Code#NO_AGENT}
 * @param leaseUntil end of the lease of new agents, after 1970; null: no end
 * @param msgId of the confirmation; null: none
 */
public record SpawnRules(boolean allow, Instant leaseUntil, String msgId) {
    /**
     * Makes rules for agents without a lease and confirmations without ids.
     *
     * @param allow whether it makes agents
     */
    public SpawnRules(boolean allow) {
        this(allow, null, null);
    }
}
