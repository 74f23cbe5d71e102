// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;
import java.util.Map;

/**
 * The result of a plan.
 *
 * @param state done, failed or refused
 * @param output of a DONE plan; else null
 * @param stepResults outputs of the steps by their paths
 * @param simulated no tool was called
 * @param verdict why it failed or was refused; null: it is done
 * @param json everything, as {@link PlanRun#finalJson} returns it
 * @param failures of the tools in their order; a DONE plan may have some too
 */
public record PlanResult(PlanRun.State state, Json output, Map<String, Json> stepResults, boolean simulated, Verdict verdict, String json, List<Failure> failures) {
    /**
     * A try that failed.
     *
     * @param call the call
     * @param cause the exception: a {@link java.util.concurrent.TimeoutException} if the tool was
     *     late
     */
    public record Failure(ToolCall call, Throwable cause) {}

    /**
     * Returns the output.
     *
     * @return the output
     * @throws AccpException of the class of the plan's code ({@link AccpException.Timeout}), with
     *     the verdict. Its cause is the exception of the last tool of the failed step; those of
     *     other tries are suppressed in it
     */
    public Json orThrow() throws AccpException {
        if (verdict == null) {
            return output;
        }
        AccpException failed = verdict.toException();
        Throwable cause = lastFailure();
        if (cause != null) {
            failed.initCause(cause);
        }
        failures.stream().map(Failure::cause).filter(one -> one != cause).forEach(failed::addSuppressed);
        throw failed;
    }

    private Throwable lastFailure() {
        Throwable last = null;
        for (Failure one : failures) {
            if (verdict.step().isEmpty() || verdict.step().equals(one.call().path())) {
                last = one.cause();
            }
        }
        return last;
    }

    static PlanResult of(PlanRun.State state, String json, List<Failure> failures) throws AccpException {
        if (state == PlanRun.State.REFUSED) {
            return new PlanResult(state, null, Map.of(), false, Verdict.of(json, 0), json, List.copyOf(failures));
        }
        Json result = Json.parse(json).get("result"), error = result.get("error");
        return new PlanResult(state, result.get("output"), result.get("step_results").members(), result.get("simulated") != null,
                error == null ? null : Verdict.of(error.toString(), 0), json, List.copyOf(failures));
    }
}
