// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_run_cause;

/**
 * A running or finished plan: its next actions and results. It does nothing itself and reads no
 * clock. A {@link PlanDriver} drives one with functions as tools; these methods are for callers
 * that call tools in another way. One thread at a time.
 */
public final class PlanRun extends Handle {
    private static final int DROPPED = 1;  // ACCP_DROPPED

    /** The progress of a run. */
    public enum State {
        /** It has not ended. */
        GOING_ON,
        /** It has succeeded. */
        DONE,
        /** It has failed. */
        FAILED,
        /** Nothing ran: the message is not valid or was run before. */
        REFUSED
    }

    /** The kind of an action. */
    public enum Kind {
        /** Wait for a result, or until {@link #due} and then call {@link #tick}. */
        NOTHING,
        /** Call a tool and report its result. */
        CALL,
        /** The result of this call is no longer needed. */
        STOP,
        /** The last: the plan has ended. */
        ENDED,
        /** Make the text durable before any later action. */
        RECORD
    }

    /**
     * An action that {@link #next} returns.
     *
     * @param kind the kind of the action
     * @param step index of the call's step in {@link #steps}
     * @param call unique number of the call in this run
     * @param due when it times out; null if it is not a call
     * @param path of the step
     * @param verb its full name
     * @param tool the step's own, or a fallback
     * @param text a call's params with replaced references; or a record
     * @param key equal for each try of this tool for this step of this run, also after a restart;
     *     unique otherwise
     */
    public record Effect(Kind kind, int step, long call, Instant due, String path, String verb, String tool, String text, String key) {}

    /** The reason for a failed call. */
    public enum Cause {
        /** The tool failed. */
        TOOL_FAILED(accp_run_cause.ACCP_RUN_TOOL_FAILED),
        /** It took too long. */
        TIMED_OUT(accp_run_cause.ACCP_RUN_TIMED_OUT),
        /** Nobody has this tool. */
        NO_AGENT(accp_run_cause.ACCP_RUN_NO_AGENT);

        final int number;

        Cause(int number) {
            this.number = number;
        }
    }

    /** The kind of a part of a plan. */
    public enum Part {
        /** A step. */
        STEP,
        /** Branches that run at once. */
        PARALLEL,
        /** A branch that is a list of parts. */
        BRANCH
    }

    /** The progress of a part of a plan. It never goes back. */
    public enum StepState {
        /** It has not started. */
        PENDING,
        /** It is running. */
        IN_PROGRESS,
        /** It has succeeded. */
        DONE,
        /** It has failed. */
        FAILED
    }

    /**
     * A part of a plan or of a message in it.
     *
     * @param part its kind
     * @param state the progress
     * @param tries number of calls of tools for it, including late and unanswered ones
     * @param path its path
     * @param verb of a step; else empty, as for tool
     * @param tool the current or the last one
     */
    public record Step(Part part, StepState state, int tries, String path, String verb, String tool) {}

    private static final Kind[] KINDS = Kind.values();  // in the order of accp_run_effect_kind

    final PlanRequest.Recorder recorder;
    final AtomicReference<PlanDriver> driver = new AtomicReference<>();

    /**
     * Makes a run with all defaults.
     *
     * @param request the inputs
     * @throws AccpException as {@link #PlanRun(PlanRequest, Options)}
     */
    public PlanRun(PlanRequest request) throws AccpException {
        this(request, null);
    }

    /**
     * Makes a run. A message that is not valid or whose state is not PENDING causes no exception:
     * the run is {@link State#REFUSED}, and {@link #finalJson} is the verdict. If the session has a
     * log, the run continues from it: no call is repeated whose result is in the log.
     *
     * @param request the inputs
     * @param options may be null: limits
     * @throws AccpException E1004: an invalid library; ERR_ARG: an invalid policy or a missing
     *     session; ERR_CORRUPT: the log of another run, or a damaged one; ERR_IO, ERR_BUSY of the
     *     store; ERR_NOMEM
     */
    public PlanRun(PlanRequest request, Options options) throws AccpException {
        super(new Handle.State(Config.make(options, Objects.requireNonNull(request, "request")::make), false, Raw::accp_run_free));
        recorder = request.recorder();
    }

    /**
     * Returns the next action. Call it until it returns {@link Kind#NOTHING} or {@link Kind#ENDED},
     * and again after each event. With a store the log is durable before it returns an action that
     * depends on it.
     *
     * @param now the time
     * @return the action
     * @throws AccpException ERR_BUSY, ERR_IO with a full disk, ERR_NOMEM of the store: call it
     *     again. ERR_CLOSED: another run has opened the session; a new run continues from the log
     */
    public Effect next(Instant now) throws AccpException {
        long at = millis(now);
        long[] numbers = new long[4];
        byte[][] texts = ask(run -> Native.runNext(run, at, numbers));
        Kind kind = KINDS[(int) numbers[0]];
        return new Effect(kind, (int) numbers[1], numbers[2], kind == Kind.CALL ? Instant.ofEpochMilli(numbers[3]) : null, Texts.out(texts[0]), Texts.out(texts[1]),
                Texts.out(texts[2]), Texts.out(texts[3]), Texts.out(texts[4]));
    }

    /**
     * Takes a record that an earlier run of the same request returned: all of them, in order,
     * before the first {@link #next}.
     *
     * @param record an unchanged record
     * @throws AccpException ERR_CORRUPT: the record cannot come next, and nothing changes; ERR_ARG:
     *     the run keeps its log itself, or has begun
     */
    public void replay(String record) throws AccpException {
        byte[] text = Texts.in(record, "record");
        tell(run -> Raw.accp_run_replay(run, text));
    }

    /**
     * Reports the output of a call. Invalid JSON or more than the policy's limit counts as a
     * failure of the tool.
     *
     * @param call its number
     * @param tool the tool that answered; empty if the caller is certain
     * @param output JSON
     * @param now the time
     * @return false: the result is no longer needed
     * @throws AccpException ERR_ARG: another tool was called; ERR_CLOSED as {@link #next};
     *     ERR_NOMEM: the run can only be closed
     */
    public boolean complete(long call, String tool, String output, Instant now) throws AccpException {
        return complete(call, tool, Texts.in(output, "output"), now);
    }

    /**
     * Reports the output of a call.
     *
     * @param call as {@link #complete(long, String, String, Instant)}
     * @param tool as {@link #complete(long, String, String, Instant)}
     * @param output JSON in UTF-8
     * @param now the time
     * @return as for the overload with a {@code String}
     * @throws AccpException as {@link #complete(long, String, String, Instant)}
     */
    public boolean complete(long call, String tool, byte[] output, Instant now) throws AccpException {
        byte[] name = Texts.in(tool, "tool"), text = Texts.in(output, "output");
        long at = millis(now);
        return told(run -> Raw.accp_run_complete(run, call, name, text, at));
    }

    /**
     * A call failed.
     *
     * @param call its number
     * @param tool as {@link #complete}
     * @param cause the reason
     * @param reason for the log
     * @param now the time
     * @return false: the result is no longer needed
     * @throws AccpException as {@link #complete}
     */
    public boolean fail(long call, String tool, Cause cause, String reason, Instant now) throws AccpException {
        int why = Objects.requireNonNull(cause, "cause").number;
        byte[] name = Texts.in(tool, "tool"), text = Texts.in(reason, "reason");
        long at = millis(now);
        return told(run -> Raw.accp_run_fail(run, call, name, why, text, at));
    }

    /**
     * Reports the SACP message with which an agent answered a call, under the rules for its output.
     * A DONE message has its result's output, or else its result. After an IN_PROGRESS message the
     * call continues.
     *
     * @param call its number
     * @param tool as {@link #complete}
     * @param role of the agent
     * @param reply the agent's message
     * @param now the time
     * @return false: the result is no longer needed
     * @throws AccpException as {@link #complete}
     */
    public boolean reply(long call, String tool, String role, String reply, Instant now) throws AccpException {
        byte[] name = Texts.in(tool, "tool"), who = Texts.in(role, "role"), text = Texts.in(reply, "reply");
        long at = millis(now);
        return told(run -> Raw.accp_run_receive_reply(run, call, name, who, text, at));
    }

    /**
     * Prints a call as a SACP message for an agent: the goal and the ctx, the step as its plan, and
     * a {@code msg_id} that is the same after a restart. Then only that agent's reply counts;
     * printing the call again for another agent replaces it. {@link Sacp#toMessage} makes an ACCP
     * message from it.
     *
     * @param call its number
     * @param agent the agent, 1 to 256 bytes in UTF-8
     * @param role the agent's, at most 256 bytes, as in {@link #reply}; may be empty
     * @return JSON; null: the result of the call is no longer needed
     * @throws AccpException ERR_ARG: an invalid agent, a join, which is not a plan by itself, or
     *     params that are too deep for a message; ERR_NOMEM
     */
    public String requestMessage(long call, String agent, String role) throws AccpException {
        byte[] who = Texts.in(agent, "agent"), its = Texts.in(role, "role");
        try {
            return Texts.out(ask(run -> Raw.accp_run_print_request(run, call, who, its)));
        } catch (AccpException refused) {
            if (refused.code() == DROPPED) {
                return null;
            }
            throw refused;
        }
    }

    /**
     * Takes a SACP message of an agent, which {@link Sacp#fromMessage} makes from an ACCP message.
     * If its {@code reply_to} is the {@code msg_id} of a {@link #requestMessage}, it counts as the
     * reply to that call, see {@link #reply}; otherwise it changes nothing.
     *
     * @param sender the authenticated sender; empty: the requested agent
     * @param message JSON
     * @param now the time
     * @return false: the result is not needed
     * @throws AccpException ERR_ARG: another agent was requested; E1001: it is not a JSON object
     *     with a {@code reply_to}, or longer than the policy's {@code max_output_bytes};
     *     ERR_CLOSED, ERR_NOMEM as {@link #complete}
     */
    public boolean receive(String sender, String message, Instant now) throws AccpException {
        byte[] who = Texts.in(sender, "sender"), text = Texts.in(message, "message");
        long at = millis(now);
        return told(run -> Raw.accp_run_receive(run, who, text, at));
    }

    /**
     * Reports that time has passed: calls time out, and waiting steps are tried again.
     *
     * @param now the time
     * @throws AccpException as {@link #complete}
     */
    public void tick(Instant now) throws AccpException {
        long at = millis(now);
        told(run -> Raw.accp_run_tick(run, at));
    }

    /**
     * Ends a plan: running calls are stopped, no other is made, and the plan has failed. It does
     * nothing if the plan has ended.
     *
     * @param now the time
     * @throws AccpException as {@link #complete}
     */
    public void cancel(Instant now) throws AccpException {
        long at = millis(now);
        told(run -> Raw.accp_run_cancel(run, at));
    }

    /** {@return the latest time for the next {@link #tick}; null: no time is awaited} */
    public Instant due() {
        long at = know(Raw::accp_run_due);
        return at < 0 ? null : Instant.ofEpochMilli(at);
    }

    /** {@return the progress} */
    public State state() {
        return State.values()[know(Raw::accp_run_state)];
    }

    /**
     * All parts of the plan.
     *
     * @return the parts; empty for a refused message
     * @throws AccpException ERR_NOMEM
     */
    public List<Step> steps() throws AccpException {
        return ask(run -> {
            int count = (int) Raw.accp_run_step_count(run);
            List<Step> steps = new ArrayList<>(count);
            long[] numbers = new long[3];
            for (int i = 0; i < count; i++) {
                byte[][] texts = Native.runStep(run, i, numbers);
                steps.add(new Step(Part.values()[(int) numbers[0]], StepState.values()[(int) numbers[1]], (int) numbers[2], Texts.out(texts[0]), Texts.out(texts[1]),
                        Texts.out(texts[2])));
            }
            return List.copyOf(steps);
        });
    }

    /**
     * Returns the attempts so far, in the order of the steps' paths.
     *
     * @return a JSON array
     * @throws AccpException ERR_NOMEM
     */
    public String trace() throws AccpException {
        return Texts.out(ask(Raw::accp_run_print_trace));
    }

    /**
     * Returns the result of the plan.
     *
     * @return <code>{"state":"DONE","result":{"output":…,"step_results":{…}}}</code>, FAILED with
     *     an error, or the verdict of a refused message
     * @throws AccpException ERR_ARG: it has not ended
     */
    public String finalJson() throws AccpException {
        return Texts.out(ask(Raw::accp_run_print_final));
    }

    /**
     * Returns the result as a reply to the request.
     *
     * @param id the msg_id of the reply: 1 to 128 letters, digits, dots, colons, {@code -} and
     *     {@code _}
     * @return JSON
     * @throws AccpException ERR_ARG: the plan has not ended, or the id is invalid
     */
    public String replyMessage(String id) throws AccpException {
        byte[] text = Texts.in(id, "id");
        return Texts.out(ask(run -> Raw.accp_run_print_reply(run, text)));
    }

    /**
     * Frees the run. Running tools continue, and a driver of it ends with an
     * {@link IllegalStateException}.
     */
    @Override
    public void close() {
        super.close();
        wake();
    }

    // False if the result is no longer needed.
    private boolean told(Tell call) throws AccpException {
        try {
            tell(call);
        } catch (AccpException refused) {
            if (refused.code() == DROPPED) {
                return false;
            }
            throw refused;
        }
        wake();
        return true;
    }

    private void wake() {
        PlanDriver driving = driver.get();
        if (driving != null) {
            driving.wake();
        }
    }

    private static long millis(Instant now) {
        return Objects.requireNonNull(now, "now").toEpochMilli();
    }
}
