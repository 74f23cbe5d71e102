// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>What became of a frame that came in.</summary>
public enum Receipt
{
    /// <summary>Applied, once and in order, with all that had waited for it: <see cref="EngineSession.Deliveries"/>.</summary>
    Applied = 0,
    /// <summary>Expired, or of a chain that was cancelled: answer nothing.</summary>
    Dropped = 1,
    /// <summary>It waits for an earlier frame.</summary>
    Held = 2,
}

/// <summary>What a session hands out, in order.</summary>
/// <param name="Status">
/// OK: a message. <see cref="AccpStatus.SequenceGap"/>: frames before <paramref name="Seq"/> are missing. <see cref="AccpStatus.Timeout"/>: a request of ours was not answered
/// in time. Else a frame that had waited is refused.
/// </param>
/// <param name="Seq">Its number; of a request that was not answered the number of its record, for <see cref="EngineSession.Retry"/>.</param>
/// <param name="Json">The message in JSON, as UTF-8; of a request that was not answered its cid; else empty.</param>
/// <param name="Reason">Of a refusal.</param>
public sealed record Delivery(AccpStatus Status, long Seq, ReadOnlyMemory<byte> Json, string Reason)
{
    /// <summary>The message in JSON.</summary>
    public string Text => Utf8.Decode(Json.Span);

    /// <summary>The message as JSON.</summary>
    public JsonElement ToElement() => Utf8Text.Element(Json.Span);

    /// <summary>The message.</summary>
    public AgentMessage ToMessage() => AgentMessage.FromJson(Json);
}

/// <summary>What a model should be given now.</summary>
/// <param name="Text">The text.</param>
/// <param name="Tokens">How many it has.</param>
public sealed record SessionContext(string Text, long Tokens);

/// <summary>A record of a session's log.</summary>
/// <param name="Kind">R: a frame that came in; S: one that went out; M: a message without one; Q: a request with a deadline that went out; T: the end of waiting; U: used up; P: a checkpoint that was asked for; Z: the end.</param>
/// <param name="Time">When.</param>
/// <param name="Text">As it was said, byte for byte.</param>
public sealed record SessionRecord(char Kind, DateTimeOffset Time, string Text);

/// <summary>
/// A session: frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model should be given
/// instead of the history. Calls of several threads follow one another. A call that is refused has changed nothing.
/// </summary>
/// <remarks>Times are those of the engine's clock where none is given. Methods block while the store writes; those that may have a form on the thread pool.</remarks>
public sealed unsafe class EngineSession : ExclusiveObject
{
    private readonly AccpEngine engine;

    internal EngineSession(AccpEngine engine, string id, void* session)
    {
        this.engine = engine;
        Id = id;
        Own(new Handle(session, &Close, engine.Shared));
    }

    private static void Close(void* session) => Native.accp_session_close(session);

    /// <summary>Its id.</summary>
    public string Id { get; }

    private long Now(DateTimeOffset? at) => (at ?? engine.Clock.GetUtcNow()).ToUnixTimeMilliseconds();

    /// <summary>
    /// Takes a frame that has come in; what it brought is in <see cref="Deliveries"/>. Refused with E1001 to E1004, E2001 to E2003, E3002, E3003, E5002: docs/session.md has
    /// the order of checks.
    /// </summary>
    public Receipt Receive(Utf8Text frame, DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        int status;
        fixed (byte* bytes = frame)
            status = Native.accp_session_receive(call.Pointer, bytes, frame.Length, Now(at), &error);
        if (status is not (1 or 2)) EngineCallbacks.Ok(status, error);
        return (Receipt)status;
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<Receipt> ReceiveAsync(string frame, CancellationToken cancellationToken = default) => Task.Run(() => Receive(frame), cancellationToken);

    /// <summary>The same on the thread pool.</summary>
    public Task<Receipt> ReceiveAsync(ReadOnlyMemory<byte> frame, CancellationToken cancellationToken = default) => Task.Run(() => Receive(frame), cancellationToken);

    /// <summary>All that there is to hand out, in order; it is handed out once.</summary>
    public IReadOnlyList<Delivery> Deliveries()
    {
        using var call = Enter();
        var all = new List<Delivery>();
        DeliveryData one;
        while (Native.accp_session_next(call.Pointer, &one) != 0)
            all.Add(new Delivery((AccpStatus)one.Status, one.Seq, one.Message.Span.ToArray(), Utf8.Static(one.Reason)));
        return all;
    }

    /// <summary>Was this chain (a cid, or the mid of a request without one) cancelled? Handlers ask before they go on.</summary>
    public bool IsCancelled(string cid)
    {
        Utf8Text text = cid;
        using var call = Enter();
        fixed (byte* bytes = text)
            return Native.accp_session_is_cancelled(call.Pointer, bytes, text.Length) != 0;
    }

    private ReadOnlySpan<byte> SendIn(void* handle, Utf8Text json, DateTimeOffset? at)
    {
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* bytes = json)
            EngineCallbacks.Ok(Native.accp_session_send(handle, bytes, json.Length, Now(at), &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>Makes the frame of a JSON message, with mid, seq and ts of its own, and keeps it. Send it as it is, and again if need be: it is applied once.</summary>
    public string Send(Utf8Text json, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8.Decode(SendIn(call.Pointer, json, at));
    }

    /// <summary>The same, to UTF-8.</summary>
    public void Send(Utf8Text json, IBufferWriter<byte> output, DateTimeOffset? at = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(SendIn(call.Pointer, json, at));
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<string> SendAsync(string json, CancellationToken cancellationToken = default) => Task.Run(() => Send(json), cancellationToken);

    /// <summary>The same on the thread pool.</summary>
    public Task<string> SendAsync(ReadOnlyMemory<byte> json, CancellationToken cancellationToken = default) => Task.Run(() => Send(json), cancellationToken);

    /// <summary>
    /// Looks for requests of ours whose deadline has passed (<see cref="AccpRule.DeadlineMs"/>): each waits no more, and <see cref="Deliveries"/> has an
    /// <see cref="AccpStatus.Timeout"/> for it.
    /// </summary>
    public void Expire(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_expire(call.Pointer, Now(at), &error), error);
    }

    /// <summary>The earliest deadline; null where no request waits.</summary>
    public DateTimeOffset? NextDeadline
    {
        get
        {
            using var call = Enter();
            long next = Native.accp_session_next_deadline(call.Pointer);
            return next == long.MaxValue ? null : DateTimeOffset.FromUnixTimeMilliseconds(next);
        }
    }

    /// <summary>Makes the frame that sends a frame of ours again, with mid, seq and ts of its own; <paramref name="record"/>: the number of its record.</summary>
    public string Retry(long record, DateTimeOffset? at = null)
    {
        using var call = Enter();
        byte* result;
        nuint length;
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_retry(call.Pointer, checked((ulong)record), Now(at), &result, &length, &error), error);
        return Utf8.Decode(result, length);
    }

    /// <summary>Adds a message that takes no frame: what a user said, what a tool answered, whatever a model should remember.</summary>
    public void Append(Utf8Text json, DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = json)
            EngineCallbacks.Ok(Native.accp_session_append(call.Pointer, bytes, json.Length, Now(at), &error), error);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task AppendAsync(string json, CancellationToken cancellationToken = default) => Task.Run(() => Append(json), cancellationToken);

    /// <summary>The same on the thread pool.</summary>
    public Task AppendAsync(ReadOnlyMemory<byte> json, CancellationToken cancellationToken = default) => Task.Run(() => Append(json), cancellationToken);

    /// <summary>Makes a checkpoint, as at a phase boundary; done, esc, comp and too many tokens make one by themselves.</summary>
    public void Checkpoint(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_checkpoint(call.Pointer, Now(at), &error), error);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task CheckpointAsync(CancellationToken cancellationToken = default) => Task.Run(() => Checkpoint(), cancellationToken);

    /// <summary>What a model should be given now, instead of the history. <paramref name="budgetTokens"/> 0: as much as is worth it.</summary>
    public SessionContext Context(long budgetTokens = 0)
    {
        using var call = Enter();
        byte* result;
        nuint length;
        ulong tokens;
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_context(call.Pointer, checked((ulong)budgetTokens), &result, &length, &tokens, &error), error);
        return new SessionContext(Utf8.Decode(result, length), checked((long)tokens));
    }

    /// <summary>Tokens in use and at most.</summary>
    public TokenBudget Budget()
    {
        using var call = Enter();
        BudgetData got;
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_budget(call.Pointer, &got, &error), error);
        return new TokenBudget(checked((int)got.HotUsed), checked((int)got.HotMax), checked((int)got.WarmUsed), checked((int)got.WarmMax), checked((int)got.TotalUsed),
            checked((int)got.TotalMax));
    }

    /// <summary>The number of the newest checkpoint (<c>$warm.ckpt_N</c>), or 0.</summary>
    public int Checkpoints
    {
        get
        {
            using var call = Enter();
            return checked((int)Native.accp_session_checkpoints(call.Pointer));
        }
    }

    /// <summary>How many records the log has, counted from 1.</summary>
    public long Records
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_session_records(call.Pointer));
        }
    }

    /// <summary>A record of the log.</summary>
    public SessionRecord Record(long number)
    {
        using var call = Enter();
        int kind;
        long time;
        byte* result;
        nuint length;
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_record(call.Pointer, checked((ulong)number), &kind, &time, &result, &length, &error), error);
        return new SessionRecord((char)kind, DateTimeOffset.FromUnixTimeMilliseconds(time), Utf8.Decode(result, length));
    }

    private ReadOnlySpan<byte> ResolveIn(void* handle, string name, DateTimeOffset? at)
    {
        Utf8Text text = name;
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* bytes = text)
            EngineCallbacks.Ok(Native.accp_session_resolve(handle, bytes, text.Length, Now(at), &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>What a ref (<c>warm.ckpt_1.summary</c>, without <c>$</c>) stands for, as JSON.</summary>
    /// <exception cref="AccpRefNotFoundException">It names nothing.</exception>
    /// <exception cref="AccpRefExpiredException">It has expired.</exception>
    public string Resolve(string name, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8.Decode(ResolveIn(call.Pointer, name, at));
    }

    /// <summary>What a ref stands for.</summary>
    public JsonElement ResolveElement(string name, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8Text.Element(ResolveIn(call.Pointer, name, at));
    }

    /// <summary>The same of another session that has granted it.</summary>
    /// <exception cref="AccpUnauthorizedRefException">Without a grant, whether it is there or not.</exception>
    public string ResolveOf(string owner, string name, DateTimeOffset? at = null)
    {
        Utf8Text of = owner, text = name;
        using var call = Enter();
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* ofBytes = of, bytes = text)
            EngineCallbacks.Ok(Native.accp_session_resolve_of(call.Pointer, ofBytes, of.Length, bytes, text.Length, Now(at), &result, &length, &error), error);
        return Utf8.Decode(result, length);
    }

    /// <summary>Puts a JSON value under a ref of the host's choice: of the tiers hot, warm, cold, or ctx, which frames only read.</summary>
    public void Put(string name, Utf8Text json, DateTimeOffset? expires = null)
    {
        Utf8Text text = name;
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* nameBytes = text, bytes = json)
            EngineCallbacks.Ok(Native.accp_session_put(call.Pointer, nameBytes, text.Length, bytes, json.Length, expires?.ToUnixTimeMilliseconds() ?? 0, &error), error);
    }

    /// <summary>Forgets what was put there.</summary>
    public void Erase(string name)
    {
        Utf8Text text = name;
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            EngineCallbacks.Ok(Native.accp_session_erase(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Lets another session read values of this one whose name begins with <paramref name="prefix"/>.</summary>
    public void Grant(string grantee, string prefix, DateTimeOffset? expires = null)
    {
        Utf8Text to = grantee, what = prefix;
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* toBytes = to, bytes = what)
            Check.Ok(Native.accp_session_grant(call.Pointer, toBytes, to.Length, bytes, what.Length, expires?.ToUnixTimeMilliseconds() ?? 0, &error), error);
    }

    /// <summary>Takes a grant back.</summary>
    public void Revoke(string grantee, string prefix)
    {
        Utf8Text to = grantee, what = prefix;
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* toBytes = to, bytes = what)
            Check.Ok(Native.accp_session_revoke(call.Pointer, toBytes, to.Length, bytes, what.Length, &error), error);
    }

    /// <summary>Makes this JSON object the state that both sides share, and the frame that tells the other side; null where nothing changed.</summary>
    public string? SendState(string agent, Utf8Text json, DateTimeOffset? at = null)
    {
        Utf8Text who = agent;
        using var call = Enter();
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* whoBytes = who, bytes = json)
            EngineCallbacks.Ok(Native.accp_session_send_state(call.Pointer, whoBytes, who.Length, bytes, json.Length, Now(at), &result, &length, &error), error);
        return length == 0 ? null : Utf8.Decode(result, length);
    }

    /// <summary>The state that both sides share.</summary>
    public JsonElement State()
    {
        using var call = Enter();
        long version;
        return Utf8Text.Element(Native.accp_session_state(call.Pointer, &version).Span);
    }

    /// <summary>Its version, 0 before the first.</summary>
    public long StateVersion
    {
        get
        {
            using var call = Enter();
            long version;
            _ = Native.accp_session_state(call.Pointer, &version);
            return version;
        }
    }

    /// <summary>Ends the session itself: from now on <see cref="AccpClosedException"/>, whoever opens it. What it holds can still be resolved.</summary>
    public void End(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        EngineCallbacks.Ok(Native.accp_session_end(call.Pointer, Now(at), &error), error);
    }

    /// <summary>Returns when everything so far is durable.</summary>
    public void Sync()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_session_sync(call.Pointer, &error), error);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task SyncAsync(CancellationToken cancellationToken = default) => Task.Run(Sync, cancellationToken);
}
