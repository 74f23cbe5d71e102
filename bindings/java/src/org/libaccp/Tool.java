// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

/** Does the work of a step of a plan: a function, a program, a model, an agent. */
@FunctionalInterface
public interface Tool {
    /**
     * Does the work, on a thread of the driver's executor. That thread is interrupted when the
     * result is no longer needed. A tool that continues delays nothing; its result is dropped.
     *
     * @param call the call
     * @return the result: a {@link Json} unchanged, a {@link Reply} as an agent's message, anything
     *     else as for {@link Json#of}; or a {@link java.util.concurrent.CompletionStage} of these,
     *     which is cancelled instead of an interrupt. For an agent that was requested by {@link
     *     PlanRun#requestMessage}, return a stage that never completes and pass its reply to {@link
     *     PlanRun#receive}
     * @throws Exception the tool has failed; {@link AccpException.ToolNotFound}: no agent has it,
     *     so it is not tried again
     */
    Object call(ToolCall call) throws Exception;

    /**
     * The SACP message of a tool that is an agent. An IN_PROGRESS message is not a result: the call
     * continues until its timeout, so the tool should wait for the final message.
     *
     * @param role of the agent
     * @param text the message
     */
    record Reply(String role, String text) {}
}
