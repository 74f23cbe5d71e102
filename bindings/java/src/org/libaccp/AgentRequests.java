// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;
import java.util.Objects;
import org.libaccp.internal.accp_spawn_answer;

/**
 * What comes of a round of requests for agents, as {@link AgentRegistry#requestAgents} answers it.
 *
 * @param answer what
 * @param requests of {@link Answer#REQUESTED}: a message under the goal SPAWN_AGENT for each pair of a verb and a tool that nobody has; else empty
 * @param report of {@link Answer#NOT_NEEDED}: {@link PlanReport#json}; else null
 * @param verdict of {@link Answer#INVALID} why, of {@link Answer#GIVEN_UP} {@link Verdict.Code#NO_AGENT}; else valid
 */
public record AgentRequests(Answer answer, List<String> requests, String report, Verdict verdict) {
    /** What comes of a round. */
    public enum Answer {
        /** The message is not valid, or an agent cannot be asked for. */
        INVALID(accp_spawn_answer.ACCP_SPAWN_INVALID),
        /** Each step has somebody. */
        NOT_NEEDED(accp_spawn_answer.ACCP_SPAWN_NOT_NEEDED),
        /** Agents are asked for. */
        REQUESTED(accp_spawn_answer.ACCP_SPAWN_REQUESTED),
        /** There were as many rounds as there may be. */
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
     * @param answer what
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
