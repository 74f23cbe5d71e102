// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/**
 * A round of requests for agents ({@link AgentRegistry#requestAgents}).
 *
 * @param asked rounds before this one, for the same message
 * @param maxAsked how many there may be: 1 to 3
 * @param msgId what that of each request begins with, at most 120 letters, digits, dots, colons, {@code -} and {@code _}; null: they have none
 */
public record AgentRound(int asked, int maxAsked, String msgId) {
    /**
     * Refuses a number of rounds that is none.
     *
     * @param asked rounds before this one
     * @param maxAsked how many there may be
     * @param msgId what ids begin with
     * @throws IllegalArgumentException a number below 0
     */
    public AgentRound {
        if (asked < 0 || maxAsked < 0) {
            throw new IllegalArgumentException("no number of rounds: " + asked + " of " + maxAsked);
        }
    }

    /**
     * One of one round, whose requests have no ids.
     *
     * @param asked rounds before this one
     */
    public AgentRound(int asked) {
        this(asked, 1, null);
    }
}
