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
 * A plan that runs, or has ended: what is to be done, and what came of it. It does nothing itself, and reads no clock; a {@link PlanDriver} drives one with tools that are
 * functions, and these methods are for whoever calls tools in another way. One thread at a time.
 */
public final class PlanRun extends Handle {
    private static final int DROPPED = 1;  // ACCP_DROPPED

    /** How far a run has come. */
    public enum State {
        /** It has not ended. */
        GOING_ON,
        /** It has ended well. */
        DONE,
        /** It has ended with an error. */
        FAILED,
        /** Nothing ran: the message is not valid, or was run before. */
        REFUSED
    }

    /** What is to be done. */
    public enum Kind {
        /** Wait for an answer, or until {@link #due} and tell {@link #tick}. */
        NOTHING,
        /** Call a tool, and tell what comes of it. */
        CALL,
        /** Nobody waits for this call any more. */
        STOP,
        /** The last: the plan has ended. */
        ENDED,
        /** Make the text durable before anything after it is done. */
        RECORD
    }

    /**
     * What {@link #next} says.
     *
     * @param kind what is to be done
     * @param step of a call: the index of its step in {@link #steps}
     * @param call its number, never another's in this run
     * @param due when it has timed out; null where it is no call
     * @param path of the step
     * @param verb by its full name
     * @param tool the step's own, or a fallback
     * @param text a call's params, references replaced; a record
     * @param key the same for each try of this tool for this step of this run, also after a restart; no other's
     */
    public record Effect(Kind kind, int step, long call, Instant due, String path, String verb, String tool, String text, String key) {}

    /** Why a call brought nothing. */
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

    /** What a part of a plan is. */
    public enum Part {
        /** A step. */
        STEP,
        /** Branches that go on at once. */
        PARALLEL,
        /** A branch that is a list of parts. */
        BRANCH
    }

    /** How far a part of a plan has come. It never goes back. */
    public enum StepState {
        /** Nothing was done for it. */
        PENDING,
        /** It goes on. */
        IN_PROGRESS,
        /** It has ended well. */
        DONE,
        /** It has ended with an error. */
        FAILED
    }

    /**
     * A part of a plan, of the messages in it too.
     *
     * @param part what it is
     * @param state how far it has come
     * @param tries how many times a tool was called for it, answered or not in time
     * @param path its path
     * @param verb of a step; else empty, as its tool
     * @param tool the one that is tried, or was the last
     */
    public record Step(Part part, StepState state, int tries, String path, String verb, String tool) {}

    private static final Kind[] KINDS = Kind.values();  // in the order of accp_run_effect_kind

    final PlanRequest.Recorder recorder;
    final AtomicReference<PlanDriver> driver = new AtomicReference<>();

    /**
     * Makes a run with every default.
     *
     * @param request what it is made from
     * @throws AccpException as {@link #PlanRun(PlanRequest, Options)}
     */
    public PlanRun(PlanRequest request) throws AccpException {
        this(request, null);
    }

    /**
     * Makes a run. A message that is not valid, or whose state is not PENDING, is no failure: it is {@link State#REFUSED}, and {@link #finalJson} is the verdict. Where the
     * session has a log, the run goes on from there: nothing whose answer is in it is called again.
     *
     * @param request what it is made from
     * @param options may be null: limits
     * @throws AccpException E1004: the library is none; ERR_ARG: the policy is none, or there is no such session; ERR_CORRUPT: the log is of another run, or damaged; ERR_IO,
     *     ERR_BUSY of the store; ERR_NOMEM
     */
    public PlanRun(PlanRequest request, Options options) throws AccpException {
        super(new Handle.State(Config.make(options, Objects.requireNonNull(request, "request")::make), false, Raw::accp_run_free));
        recorder = request.recorder();
    }

    /**
     * What is to be done next: to be asked until it is {@link Kind#NOTHING} or {@link Kind#ENDED}, and again after anything was told. With a store the log is durable before
     * what depends on it is said.
     *
     * @param now the time
     * @return what
     * @throws AccpException ERR_BUSY, ERR_IO with a full disk, ERR_NOMEM of the store: ask again. ERR_CLOSED: another run has opened the session; a new run goes on from the log
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
     * Takes a record that an earlier run of the same request gave to its caller: all of them, in their order, before the first {@link #next}.
     *
     * @param record as it was given
     * @throws AccpException ERR_CORRUPT: not what can come next, and nothing changes; ERR_ARG: the run keeps its log itself, or has begun
     */
    public void replay(String record) throws AccpException {
        byte[] text = Texts.in(record, "record");
        tell(run -> Raw.accp_run_replay(run, text));
    }

    /**
     * A call brought an output. What is no JSON, or over the policy's limit, is a failure of the tool.
     *
     * @param call its number
     * @param tool whose answer it is; empty where the caller knows
     * @param output JSON
     * @param now the time
     * @return false: nobody waits for it any more
     * @throws AccpException ERR_ARG: another tool was called; ERR_CLOSED as {@link #next}; ERR_NOMEM: the run is only good to be closed
     */
    public boolean complete(long call, String tool, String output, Instant now) throws AccpException {
        return complete(call, tool, Texts.in(output, "output"), now);
    }

    /**
     * A call brought this JSON.
     *
     * @param call as {@link #complete(long, String, String, Instant)}
     * @param tool as there
     * @param output as there, UTF-8
     * @param now as there
     * @return as there
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
     * @param cause why
     * @param reason for the log
     * @param now the time
     * @return false: nobody waits for it any more
     * @throws AccpException as {@link #complete}
     */
    public boolean fail(long call, String tool, Cause cause, String reason, Instant now) throws AccpException {
        int why = Objects.requireNonNull(cause, "cause").number;
        byte[] name = Texts.in(tool, "tool"), text = Texts.in(reason, "reason");
        long at = millis(now);
        return told(run -> Raw.accp_run_fail(run, call, name, why, text, at));
    }

    /**
     * A call was answered by an agent with SACP, whose output discipline holds: a message that is DONE brings its result's output, or else its result. After one that is
     * IN_PROGRESS the call goes on.
     *
     * @param call its number
     * @param tool as {@link #complete}
     * @param role of the agent
     * @param reply what it said
     * @param now the time
     * @return false: nobody waits for it any more
     * @throws AccpException as {@link #complete}
     */
    public boolean reply(long call, String tool, String role, String reply, Instant now) throws AccpException {
        byte[] name = Texts.in(tool, "tool"), who = Texts.in(role, "role"), text = Texts.in(reply, "reply");
        long at = millis(now);
        return told(run -> Raw.accp_run_reply(run, call, name, who, text, at));
    }

    /**
     * A call as a message of SACP for an agent that is to do it: the goal and the ctx, the one step as its plan, and a {@code msg_id} of its own, which is the same after a restart.
     * Nobody else's answer counts then; a call that is printed again is the other agent's. {@link Sacp#toMessage} makes a message of ACCP of it.
     *
     * @param call its number
     * @param agent who is asked, 1 to 256 bytes in UTF-8
     * @param role the agent's, at most 256 bytes, as in {@link #reply}; may be empty
     * @return JSON; null: nobody waits for the call any more
     * @throws AccpException ERR_ARG: no such agent; or the call is a join, which is no plan by itself, or its params are too deep for a message; ERR_NOMEM
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
     * An agent sent this message of SACP, which {@link Sacp#fromMessage} makes of one of ACCP. Where its {@code reply_to} is the {@code msg_id} of a {@link #requestMessage} it answers
     * that call, as {@link #reply} does; anything else changes nothing.
     *
     * @param sender who sent it, as the caller knows; empty: the one who was asked
     * @param message JSON
     * @param now the time
     * @return false: nobody waits for it
     * @throws AccpException ERR_ARG: another agent was asked; E1001: it is no JSON object with a {@code reply_to}, or longer than the policy's {@code max_output_bytes}; ERR_CLOSED,
     *     ERR_NOMEM as {@link #complete}
     */
    public boolean receive(String sender, String message, Instant now) throws AccpException {
        byte[] who = Texts.in(sender, "sender"), text = Texts.in(message, "message");
        long at = millis(now);
        return told(run -> Raw.accp_run_receive(run, who, text, at));
    }

    /**
     * Time has passed: calls time out, and what waited is tried again.
     *
     * @param now the time
     * @throws AccpException as {@link #complete}
     */
    public void tick(Instant now) throws AccpException {
        long at = millis(now);
        told(run -> Raw.accp_run_tick(run, at));
    }

    /**
     * Ends a plan: calls that go on are stopped, no other is made, and it has failed. Of a plan that has ended nothing changes.
     *
     * @param now the time
     * @throws AccpException as {@link #complete}
     */
    public void cancel(Instant now) throws AccpException {
        long at = millis(now);
        told(run -> Raw.accp_run_cancel(run, at));
    }

    /** {@return when {@link #tick} has to be told at the latest; null: nothing waits for a time} */
    public Instant due() {
        long at = know(Raw::accp_run_due);
        return at < 0 ? null : Instant.ofEpochMilli(at);
    }

    /** {@return how far it has come} */
    public State state() {
        return State.values()[know(Raw::accp_run_state)];
    }

    /**
     * All parts of the plan.
     *
     * @return them; none of a message that was refused
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
     * The attempts so far, in the order of the steps' paths.
     *
     * @return a JSON array
     * @throws AccpException ERR_NOMEM
     */
    public String trace() throws AccpException {
        return Texts.out(ask(Raw::accp_run_print_trace));
    }

    /**
     * What the plan ended with.
     *
     * @return <code>{"state":"DONE","result":{"output":…,"step_results":{…}}}</code>, or FAILED with an error; of a message that was refused the verdict
     * @throws AccpException ERR_ARG: it has not ended
     */
    public String finalJson() throws AccpException {
        return Texts.out(ask(Raw::accp_run_print_final));
    }

    /**
     * The same as a message that replies to the one that came.
     *
     * @param id its own: 1 to 128 letters, digits, dots, colons, {@code -} and {@code _}
     * @return JSON
     * @throws AccpException ERR_ARG: it has not ended, or no message can have this id
     */
    public String replyMessage(String id) throws AccpException {
        byte[] text = Texts.in(id, "id");
        return Texts.out(ask(run -> Raw.accp_run_print_reply(run, text)));
    }

    /** Frees the run; what it has called goes on, and a driver of it ends with an {@link IllegalStateException}. */
    @Override
    public void close() {
        super.close();
        wake();
    }

    // False where nobody waits any more.
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
