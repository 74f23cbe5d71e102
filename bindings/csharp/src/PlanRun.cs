// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>The options of a run.</summary>
public sealed record PlanOptions
{
    /// <summary>Null: the defaults.</summary>
    public PlanPolicy? Policy { get; init; }

    /// <summary>How to handle verbs and tools that the library does not have.</summary>
    public SacpReading Reading { get; init; }

    /// <summary>
    /// The store of the log: a new run of the same message, library, policy and reading continues
    /// from it, and repeats no call whose result is in the log. Null: no log, or one that the
    /// caller keeps.
    /// </summary>
    public AccpStore? Store { get; init; }

    /// <summary>
    /// The session of the log, 1 to 256 bytes in UTF-8: this run is its only writer.
    /// </summary>
    public string Session { get; init; } = "";

    /// <summary>Without a store: whether the caller keeps the log itself (<see cref="PlanEffectKind.Record"/>, <see cref="PlanRun.Replay"/>).</summary>
    public bool KeepsRecords { get; init; }
}

/// <summary>
/// A running or finished plan: steps in order, branches at once, with retries and fallbacks.
/// <see cref="RunAsync(PlanTool, CancellationToken)"/> runs it to its end. To drive a run by hand,
/// call <see cref="Next"/> for the next action, execute it, and report its result. The time is that
/// of <see cref="AccpConfig.Clock"/>.
/// </summary>
public sealed unsafe partial class PlanRun : ExclusiveObject
{
    private const uint Lenient = 1, Records = 2, Reasons = 4;  // accp_run_flag
    private readonly TimeProvider clock;
    private readonly bool keepsRecords;

    /// <summary>
    /// Makes a run, or continues one from its log. A message that cannot be run causes no exception
    /// here: <see cref="State"/> is <see cref="PlanState.Refused"/>.
    /// </summary>
    /// <param name="message">A SACP message.</param>
    /// <param name="library">The document of its verbs and tools; empty: none.</param>
    /// <param name="options">Null: every default.</param>
    /// <param name="config">Null: all defaults. Its limits and clock are used.</param>
    /// <exception cref="AccpInvalidTypeException">The library is invalid.</exception>
    /// <exception cref="AccpArgumentException">The policy or the session is invalid.</exception>
    /// <exception cref="AccpCorruptException">The log belongs to another run, or is
    /// damaged.</exception>
    public PlanRun(Utf8Text message, Utf8Text library = default, PlanOptions? options = null, AccpConfig? config = null)
    {
        message.Check(nameof(message));
        library.Check(nameof(library));
        options ??= new PlanOptions();
        LibraryResolver.CheckAbi();
        clock = config?.Clock ?? TimeProvider.System;
        keepsRecords = options.KeepsRecords;
        Utf8Text session = Utf8Text.Of(options.Session, nameof(options)), policy = default;
        if (options.Policy != null) policy = options.Policy.ToJsonUtf8();
        using var made = new NativeConfig(config);
        using Use store = options.Store == null ? default : options.Store.Borrow();
        void* run;
        ErrorDetail error;
        fixed (byte* m = message, l = library, p = policy, s = session)
        {
            var request = new RunRequestData
            {
                Size = (nuint)sizeof(RunRequestData), Message = new AccpText { Text = m, Length = message.Length }, Library = new AccpText { Text = l, Length = library.Length },
                Policy = new AccpText { Text = p, Length = policy.Length }, Session = new AccpText { Text = s, Length = session.Length }, Store = store.Pointer, NowMs = Now,
                Flags = (options.Reading == SacpReading.Lenient ? Lenient : 0) | (keepsRecords ? Records : 0) | Reasons,
            };
            Check.Ok(Native.accp_run_new(&request, made.Pointer, &run, &error), error);
        }
        Own(made.Own(run, &Free, Weight.Run));
    }

    private static void Free(void* run) => Native.accp_run_free(run);

    private long Now => clock.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>
    /// Returns the next action. Call it until it returns <see cref="PlanEffectKind.Nothing"/> or
    /// <see cref="PlanEffectKind.Ended"/>, and again after each event. With a store the log is
    /// durable before it returns an action that depends on it.
    /// </summary>
    /// <exception cref="AccpClosedException">Another run has opened the session, or memory ran out
    /// in this one: a new run continues from the log.</exception>
    public PlanEffect Next()
    {
        using var call = Enter();
        RunEffectData data;
        ErrorDetail error;
        Check.Ok(Native.accp_run_next(call.Pointer, Now, &data, &error), error);
        var kind = (PlanEffectKind)data.Kind;
        long number = checked((long)data.Call);
        PlanCall? asked = kind != PlanEffectKind.Call ? null : new PlanCall(number, data.Path.ToString(), data.Verb.ToString(), data.Tool.ToString(), data.Text.ToString(),
            data.Key.ToString(), DateTimeOffset.FromUnixTimeMilliseconds(data.DueMs));
        return new PlanEffect(kind, asked, number, kind == PlanEffectKind.Record ? data.Text.ToString() : "");
    }

    /// <summary>
    /// Takes a record that an earlier run of the same request returned: all of them, in order,
    /// before the first <see cref="Next"/>.
    /// </summary>
    /// <exception cref="AccpCorruptException">The record cannot come next; nothing
    /// changes.</exception>
    /// <exception cref="AccpArgumentException">The run keeps its log itself, or has
    /// begun.</exception>
    public void Replay(Utf8Text record)
    {
        record.Check(nameof(record));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = record) Check.Ok(Native.accp_run_replay(call.Pointer, bytes, record.Length, &error), error);
    }

    /// <summary>
    /// Reports the JSON output of a call; invalid JSON counts as a failure of the tool. False: the
    /// result is no longer needed.
    /// </summary>
    /// <param name="number">The number of the call.</param>
    /// <param name="output">JSON.</param>
    /// <param name="tool">The tool that answered; empty if the caller is certain.</param>
    /// <exception cref="AccpArgumentException">Another tool was called.</exception>
    public bool Complete(long number, Utf8Text output, string tool = "")
    {
        output.Check(nameof(output));
        Utf8Text who = Utf8Text.Of(tool);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = output, w = who)
            return Told(Native.accp_run_complete(call.Pointer, Arg.Unsigned(number), w, who.Length, bytes, output.Length, Now, &error), error);
    }

    /// <summary>Reports that a call failed. False: the result is no longer needed.</summary>
    /// <param name="number">The number of the call.</param>
    /// <param name="cause">The reason.</param>
    /// <param name="reason">For the log.</param>
    /// <param name="tool">The tool that failed; empty if the caller is certain.</param>
    public bool Fail(long number, PlanCause cause, string reason = "", string tool = "")
    {
        Utf8Text why = Utf8Text.Of(reason), who = Utf8Text.Of(tool);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = why, w = who)
            return Told(Native.accp_run_fail(call.Pointer, Arg.Unsigned(number), w, who.Length, (int)cause, bytes, why.Length, Now, &error), error);
    }

    /// <summary>
    /// Reports the SACP message with which an agent answered a call: a DONE message has the output;
    /// prose is one if the role may write it; anything else is a failure of the tool. After an
    /// IN_PROGRESS message the call continues. False: the result is no longer needed.
    /// </summary>
    /// <param name="number">The number of the call.</param>
    /// <param name="role">The agent's role: <c>executor</c>, <c>formatter</c>.</param>
    /// <param name="reply">The agent's message.</param>
    /// <param name="tool">The tool that answered; empty if the caller is certain.</param>
    public bool Reply(long number, string role, Utf8Text reply, string tool = "")
    {
        reply.Check(nameof(reply));
        Utf8Text from = Utf8Text.Of(role), who = Utf8Text.Of(tool);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = reply, f = from, w = who)
            return Told(Native.accp_run_receive_reply(call.Pointer, Arg.Unsigned(number), w, who.Length, f, from.Length, bytes, reply.Length, Now, &error), error);
    }

    /// <summary>
    /// Prints a call as a SACP message for an agent: the goal and the ctx, the step as its plan,
    /// and a msg_id that is the same after a restart. Null: the result is no longer needed.
    /// </summary>
    /// <param name="number">The number of the call.</param>
    /// <param name="agent">The agent: only its reply counts.</param>
    /// <param name="role">The agent's, as in <see cref="Reply"/>; may be empty.</param>
    /// <exception cref="AccpArgumentException">An invalid agent, or the call is a join.</exception>
    public string? RequestMessage(long number, string agent, string role = "")
    {
        Utf8Text who = Utf8Text.Of(agent), its = Utf8Text.Of(role);
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* a = who, r = its)
        {
            int status = Native.accp_run_print_request(call.Pointer, Arg.Unsigned(number), a, who.Length, r, its.Length, &text, &error);
            if (status == (int)AccpStatus.Dropped) return null;
            Check.Ok(status, error);
        }
        return text.ToString();
    }

    /// <summary>
    /// Takes a SACP message of an agent. If its reply_to is the msg_id of
    /// <see cref="RequestMessage"/>, it counts as that call's reply (see <see cref="Reply"/>). False: the
    /// result is not needed.
    /// </summary>
    /// <param name="reply">The agent's message.</param>
    /// <param name="sender">The authenticated sender; empty: the requested agent.</param>
    /// <exception cref="AccpArgumentException">Another agent was requested.</exception>
    /// <exception cref="AccpParseErrorException">It is not a JSON object with a
    /// reply_to.</exception>
    public bool Receive(Utf8Text reply, string sender = "")
    {
        reply.Check(nameof(reply));
        Utf8Text who = Utf8Text.Of(sender);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = reply, w = who)
            return Told(Native.accp_run_receive(call.Pointer, w, who.Length, bytes, reply.Length, Now, &error), error);
    }

    /// <summary>
    /// The latest time for the next <see cref="Tick"/>; null: no time is awaited.
    /// </summary>
    public DateTimeOffset? Due
    {
        get
        {
            using var call = Enter();
            long due = Native.accp_run_due(call.Pointer);
            return due < 0 ? null : DateTimeOffset.FromUnixTimeMilliseconds(due);
        }
    }

    /// <summary>
    /// Reports that time has passed: calls time out, and waiting steps are tried again.
    /// </summary>
    public void Tick()
    {
        using var call = Enter();
        ErrorDetail error;
        Told(Native.accp_run_tick(call.Pointer, Now, &error), error);
    }

    /// <summary>
    /// Ends a plan: running calls are stopped, no other is made, and the plan has failed. It does
    /// nothing if the plan has ended. Any thread may call it, also while the plan is driven.
    /// </summary>
    public void Cancel()
    {
        using var call = Enter();
        ErrorDetail error;
        Told(Native.accp_run_cancel(call.Pointer, Now, &error), error);
    }

    // False: the report is no longer needed. The driver calls Next again.
    private bool Told(int status, in ErrorDetail error)
    {
        if (status != (int)AccpStatus.Dropped) Check.Ok(status, error);
        driver?.Wake();
        return status == 0;
    }

    /// <summary>The progress.</summary>
    public PlanState State
    {
        get
        {
            using var call = Enter();
            return (PlanState)Native.accp_run_state(call.Pointer);
        }
    }

    /// <summary>The parts of the plan and of messages in it; empty for a refused message.</summary>
    public IReadOnlyList<PlanStep> Steps()
    {
        using var call = Enter();
        var steps = new PlanStep[Native.accp_run_step_count(call.Pointer)];
        RunStepData data;
        ErrorDetail error;
        for (int i = 0; i < steps.Length; ++i)
        {
            Check.Ok(Native.accp_run_step_at(call.Pointer, (uint)i, &data, &error), error);
            steps[i] = new PlanStep((PlanStepKind)data.Kind, (PlanStepState)data.State, checked((int)data.Tries), data.Path.ToString(), data.Verb.ToString(), data.Tool.ToString());
        }
        return steps;
    }

    /// <summary>
    /// The attempts so far as a JSON array in the order of the steps' paths; a failed one has its
    /// <c>reason</c> if it is known.
    /// </summary>
    public string Trace()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_run_print_trace(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>The result of the plan, as <see cref="PlanResult.Json"/>.</summary>
    /// <exception cref="AccpArgumentException">The plan has not ended.</exception>
    public string Final()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_run_print_final(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>The result as a reply to the request; for a refused message the verdict.</summary>
    /// <param name="messageId">The id of the reply: 1 to 128 letters, digits, dots, colons,
    /// <c>-</c> and <c>_</c>.</param>
    /// <exception cref="AccpArgumentException">The plan has not ended, or the id is
    /// invalid.</exception>
    public string ReplyMessage(string messageId)
    {
        Utf8Text id = Utf8Text.Of(messageId);
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = id) Check.Ok(Native.accp_run_print_reply(call.Pointer, bytes, id.Length, &text, &error), error);
        return text.ToString();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        if (disposing) driver?.Wake();
    }
}
