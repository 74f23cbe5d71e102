// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>How a run is made.</summary>
public sealed record PlanOptions
{
    /// <summary>Null: the defaults.</summary>
    public PlanPolicy? Policy { get; init; }

    /// <summary>What is done with verbs and tools that the library does not have.</summary>
    public SacpReading Reading { get; init; }

    /// <summary>
    /// Where the log is kept: a new run of the same message, library, policy and reading goes on from there, and calls nothing again whose answer is in the log. Null: nowhere,
    /// or by the caller.
    /// </summary>
    public AccpStore? Store { get; init; }

    /// <summary>Of the store, 1 to 256 bytes in UTF-8: its only writer is this run.</summary>
    public string Session { get; init; } = "";

    /// <summary>Without a store: whether the caller keeps the log itself (<see cref="PlanEffectKind.Record"/>, <see cref="PlanRun.Replay"/>).</summary>
    public bool KeepsRecords { get; init; }
}

/// <summary>
/// A plan that runs, or has ended: steps in order, branches at once, tried again and by other tools where one fails. <see cref="RunAsync(PlanTool, CancellationToken)"/> runs it to its
/// end. Who drives a run by hand asks <see cref="Next"/> what is to be done, does it, and tells what came of it. The time is that of <see cref="AccpConfig.Clock"/>.
/// </summary>
public sealed unsafe partial class PlanRun : ExclusiveObject
{
    private const uint Lenient = 1, Records = 2, Reasons = 4;  // accp_run_flag
    private readonly TimeProvider clock;
    private readonly bool keepsRecords;

    /// <summary>Makes a run, or goes on with one from its log. A message that cannot be run is no failure here: <see cref="State"/> is <see cref="PlanState.Refused"/>.</summary>
    /// <param name="message">A message of SACP.</param>
    /// <param name="library">The document of its verbs and tools; empty: none.</param>
    /// <param name="options">Null: every default.</param>
    /// <param name="config">Null: every default. The limits and the clock are read.</param>
    /// <exception cref="AccpInvalidTypeException">The library is none.</exception>
    /// <exception cref="AccpArgumentException">The policy or the session cannot be.</exception>
    /// <exception cref="AccpCorruptException">The log is of another run, or damaged.</exception>
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
    /// What is to be done next: to be asked until it is <see cref="PlanEffectKind.Nothing"/> or <see cref="PlanEffectKind.Ended"/>, and again after anything was told. With a store,
    /// what this depends on is durable by then.
    /// </summary>
    /// <exception cref="AccpClosedException">Another run has opened the session, or memory ran out in this one before: a new run goes on from the log.</exception>
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

    /// <summary>Tells a record that an earlier run of the same request gave: all of them, in their order, before the first <see cref="Next"/>.</summary>
    /// <exception cref="AccpCorruptException">It is not what can come next; nothing changes.</exception>
    /// <exception cref="AccpArgumentException">The run keeps its log itself, or has begun.</exception>
    public void Replay(Utf8Text record)
    {
        record.Check(nameof(record));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = record) Check.Ok(Native.accp_run_replay(call.Pointer, bytes, record.Length, &error), error);
    }

    /// <summary>A call brought an output, JSON; what is none is a failure of the tool. False: nobody waits for it any more.</summary>
    /// <param name="number">Of the call.</param>
    /// <param name="output">JSON.</param>
    /// <param name="tool">Whose answer it is; empty where the caller knows.</param>
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

    /// <summary>A call failed. False: nobody waits for it any more.</summary>
    /// <param name="number">Of the call.</param>
    /// <param name="cause">Why.</param>
    /// <param name="reason">For the log.</param>
    /// <param name="tool">Whose failure it is; empty where the caller knows.</param>
    public bool Fail(long number, PlanCause cause, string reason = "", string tool = "")
    {
        Utf8Text why = Utf8Text.Of(reason), who = Utf8Text.Of(tool);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = why, w = who)
            return Told(Native.accp_run_fail(call.Pointer, Arg.Unsigned(number), w, who.Length, (int)cause, bytes, why.Length, Now, &error), error);
    }

    /// <summary>
    /// A call was answered by an agent with SACP: a message that is DONE brings its output; prose is one where the role may write it; anything else is a failure of the tool. After
    /// one that is IN_PROGRESS the call goes on. False: nobody waits for it any more.
    /// </summary>
    /// <param name="number">Of the call.</param>
    /// <param name="role">Of the agent: <c>executor</c>, <c>formatter</c>.</param>
    /// <param name="reply">What it said.</param>
    /// <param name="tool">Whose answer it is; empty where the caller knows.</param>
    public bool Reply(long number, string role, Utf8Text reply, string tool = "")
    {
        reply.Check(nameof(reply));
        Utf8Text from = Utf8Text.Of(role), who = Utf8Text.Of(tool);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = reply, f = from, w = who)
            return Told(Native.accp_run_reply(call.Pointer, Arg.Unsigned(number), w, who.Length, f, from.Length, bytes, reply.Length, Now, &error), error);
    }

    /// <summary>
    /// A call as a message of SACP for an agent that is to do it: the goal and the ctx, the one step as its plan, and a msg_id of its own, which is the same after a restart. Null:
    /// nobody waits for it any more.
    /// </summary>
    /// <param name="number">Of the call.</param>
    /// <param name="agent">Who is asked: nobody else's answer counts.</param>
    /// <param name="role">The agent's, as in <see cref="Reply"/>; may be empty.</param>
    /// <exception cref="AccpArgumentException">No such agent, or the call is a join.</exception>
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
    /// An agent sent this message of SACP: where its reply_to is the msg_id of <see cref="RequestMessage"/> it answers that call, as <see cref="Reply"/> does. False: nobody waits
    /// for it.
    /// </summary>
    /// <param name="reply">What it sent.</param>
    /// <param name="sender">Who sent it, as the caller knows; empty: the one who was asked.</param>
    /// <exception cref="AccpArgumentException">Another agent was asked.</exception>
    /// <exception cref="AccpParseErrorException">It is no JSON object with a reply_to.</exception>
    public bool Receive(Utf8Text reply, string sender = "")
    {
        reply.Check(nameof(reply));
        Utf8Text who = Utf8Text.Of(sender);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = reply, w = who)
            return Told(Native.accp_run_receive(call.Pointer, w, who.Length, bytes, reply.Length, Now, &error), error);
    }

    /// <summary>When <see cref="Tick"/> has to be told at the latest; null: nothing waits for a time.</summary>
    public DateTimeOffset? Due
    {
        get
        {
            using var call = Enter();
            long due = Native.accp_run_due(call.Pointer);
            return due < 0 ? null : DateTimeOffset.FromUnixTimeMilliseconds(due);
        }
    }

    /// <summary>Time has passed: calls time out, and what waited is tried again.</summary>
    public void Tick()
    {
        using var call = Enter();
        ErrorDetail error;
        Told(Native.accp_run_tick(call.Pointer, Now, &error), error);
    }

    /// <summary>Ends a plan: calls that go on are stopped, no other is made, and it has failed. Of a plan that has ended nothing changes. Any thread, also while it is driven.</summary>
    public void Cancel()
    {
        using var call = Enter();
        ErrorDetail error;
        Told(Native.accp_run_cancel(call.Pointer, Now, &error), error);
    }

    // False: nobody waits for what was told. Whoever drives the run asks again what is to be done.
    private bool Told(int status, in ErrorDetail error)
    {
        if (status != (int)AccpStatus.Dropped) Check.Ok(status, error);
        driver?.Wake();
        return status == 0;
    }

    /// <summary>How far it has come.</summary>
    public PlanState State
    {
        get
        {
            using var call = Enter();
            return (PlanState)Native.accp_run_state(call.Pointer);
        }
    }

    /// <summary>The parts of the plan, those of messages in it too; none where nothing runs.</summary>
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

    /// <summary>The attempts so far, a JSON array, in the order of the steps' paths; one that failed has its <c>reason</c>, where it is known.</summary>
    public string Trace()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_run_print_trace(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>What the plan ended with, as <see cref="PlanResult.Json"/>.</summary>
    /// <exception cref="AccpArgumentException">It has not ended.</exception>
    public string Final()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_run_print_final(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>The same as a message that replies to the one that came; of a message that was refused the verdict.</summary>
    /// <param name="messageId">Its own id: 1 to 128 letters, digits, dots, colons, <c>-</c> and <c>_</c>.</param>
    /// <exception cref="AccpArgumentException">It has not ended, or no message can have this id.</exception>
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
