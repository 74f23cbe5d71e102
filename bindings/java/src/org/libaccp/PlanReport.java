// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.accp_feasibility;

/**
 * The agents that can do each step of a plan: the result of {@link AgentRegistry#checkPlan}.
 *
 * @param answer whether the plan can be carried out
 * @param verdict the fault of an {@link Answer#INVALID} message; else valid. It has no step and no
 *     byte
 * @param json the steps (docs/sacp.md); null if the message is invalid
 */
public record PlanReport(Answer answer, Verdict verdict, String json) {
    /** Whether the registered agents can carry out a plan. */
    public enum Answer {
        /** The message is not valid. */
        INVALID(accp_feasibility.ACCP_PLAN_INVALID),
        /** No agent can do one of the steps. */
        INFEASIBLE(accp_feasibility.ACCP_PLAN_INFEASIBLE),
        /** Each step has an agent, for its tool or for a fallback. */
        FEASIBLE(accp_feasibility.ACCP_PLAN_FEASIBLE);

        final int number;

        Answer(int number) {
            this.number = number;
        }

        static Answer of(long number) {
            return values()[(int) number - INVALID.number];
        }
    }

    /**
     * Checks that required values are not null.
     *
     * @param answer whether the plan can be carried out
     * @param verdict on the message
     * @param json the steps
     */
    public PlanReport {
        Objects.requireNonNull(answer, "answer");
        Objects.requireNonNull(verdict, "verdict");
    }
}
