// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * A round of requests for agents ({@link AgentRegistry#requestAgents}).
 *
 * @param asked number of rounds before this one, for the same message
 * @param maxAsked the most rounds: 1 to 3
 * @param msgId prefix of the id of each request, at most 120 letters, digits, dots, colons,
 *     {@code -} and {@code _}; null: no ids
 */
public record AgentRound(int asked, int maxAsked, String msgId) {
    /**
     * Checks the numbers of rounds.
     *
     * @param asked number of rounds before this one
     * @param maxAsked the most rounds
     * @param msgId prefix of the ids
     * @throws IllegalArgumentException a number below 0
     */
    public AgentRound {
        if (asked < 0 || maxAsked < 0) {
            throw new IllegalArgumentException("no number of rounds: " + asked + " of " + maxAsked);
        }
    }

    /**
     * Makes a single round whose requests have no ids.
     *
     * @param asked number of rounds before this one
     */
    public AgentRound(int asked) {
        this(asked, 1, null);
    }
}
