// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/** Does the work of a step of a plan: a function, a program, a model, an agent. */
@FunctionalInterface
public interface Tool {
    /**
     * Does it, on a thread of the driver's executor. That thread is interrupted when nobody waits for the answer any more; a tool that goes on all the same keeps nobody
     * waiting, and what it answers is dropped.
     *
     * @param call what for
     * @return what goes on: a {@link Json} as it is, a {@link Reply} as what an agent said, anything else as {@link Json#of} takes it; or a
     *     {@link java.util.concurrent.CompletionStage} of these, which is cancelled where the thread would be interrupted; one that never completes where an agent was asked by
     *     {@link PlanRun#requestMessage}, and {@link PlanRun#receive} is told what it answers
     * @throws Exception the tool has failed; {@link AccpException.ToolNotFound}: nobody has it, so that it is not tried again
     */
    Object call(ToolCall call) throws Exception;

    /**
     * The answer of a tool that is an agent, with SACP. A message that is IN_PROGRESS is no answer: after it the call goes on until it times out, so the tool waits for
     * the one that ends it.
     *
     * @param role of the agent
     * @param text what it said
     */
    record Reply(String role, String text) {}
}
