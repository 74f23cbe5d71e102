// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;
import java.util.Objects;
import org.libaccp.internal.accp_spawn_answer;

/**
 * The result of {@link AgentRegistry#requestAgents}.
 *
 * @param answer the result
 * @param requests for {@link Answer#REQUESTED}: one message with goal SPAWN_AGENT for each missing
 *     pair of verb and tool; else empty
 * @param report of {@link Answer#NOT_NEEDED}: {@link PlanReport#json}; else null
 * @param verdict the fault for {@link Answer#INVALID}, {@link Verdict.Code#NO_AGENT} for
 *     {@link Answer#GIVEN_UP}; else valid
 */
public record AgentRequests(Answer answer, List<String> requests, String report, Verdict verdict) {
    /** The result of a round. */
    public enum Answer {
        /** The message is not valid, or an agent cannot be requested. */
        INVALID(accp_spawn_answer.ACCP_SPAWN_INVALID),
        /** Each step has an agent. */
        NOT_NEEDED(accp_spawn_answer.ACCP_SPAWN_NOT_NEEDED),
        /** Agents are requested. */
        REQUESTED(accp_spawn_answer.ACCP_SPAWN_REQUESTED),
        /** All rounds are used up. */
        GIVEN_UP(accp_spawn_answer.ACCP_SPAWN_GIVEN_UP);

        final int number;

        Answer(int number) {
            this.number = number;
        }

        static Answer of(long number) {
            return values()[(int) number - INVALID.number];
        }
    }

    /**
     * Copies the requests.
     *
     * @param answer the result
     * @param requests messages
     * @param report the steps
     * @param verdict on the message
     */
    public AgentRequests {
        Objects.requireNonNull(answer, "answer");
        requests = List.copyOf(Objects.requireNonNull(requests, "requests"));
        Objects.requireNonNull(verdict, "verdict");
    }
}
