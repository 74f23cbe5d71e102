// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.accp_feasibility;

/**
 * Who can do each step of a plan, as {@link AgentRegistry#checkPlan} answers it.
 *
 * @param answer whether the plan can be carried out
 * @param verdict of an {@link Answer#INVALID} message why; else valid. It has no step and no byte of its own
 * @param json the steps, as docs/sacp.md of the project has them; null where the message is invalid
 */
public record PlanReport(Answer answer, Verdict verdict, String json) {
    /** Whether a plan can be carried out by the agents that there are. */
    public enum Answer {
        /** The message is not valid. */
        INVALID(accp_feasibility.ACCP_PLAN_INVALID),
        /** There is a step that nobody can do. */
        INFEASIBLE(accp_feasibility.ACCP_PLAN_INFEASIBLE),
        /** Each has somebody, for its tool or for one that it falls back on. */
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
     * Refuses null where there must be something.
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
