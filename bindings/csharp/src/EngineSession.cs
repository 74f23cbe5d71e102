// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A session: it receives and sends frames with their delivery guarantees (specification 3.7),
/// holds state in three tiers (5), and makes the context for a model in place of the history. Calls
/// of several threads queue. A refused call has changed nothing.
/// </summary>
/// <remarks>
/// Times default to the engine's clock. Methods block while other calls of the session run and
/// while the store writes; each has an …Async form, which enters the queue at once, waits without a
/// thread, and leaves the queue when it is cancelled.
/// </remarks>
public sealed unsafe partial class EngineSession : ExclusiveObject, IEngineSession
{
    private readonly AccpEngine engine;

    internal EngineSession(AccpEngine engine, string id, void* session)
    {
        this.engine = engine;
        Id = id;
        IsTimed = engine.Traces;
        Own(new Handle(session, &Close, Weight.Session, engine.Shared));
    }

    private static void Close(void* session) => Native.accp_session_close(session);

    /// <summary>Its id.</summary>
    public string Id { get; }

    private long Now(DateTimeOffset? at) => (at ?? engine.Clock.GetUtcNow()).ToUnixTimeMilliseconds();

    /// <summary>
    /// Receives a frame; its results are in <see cref="Deliveries"/>. It may fail with E1001 to
    /// E1004, E2001 to E2003, E3002, E3003, E5001, E5002: docs/session.md has the order of checks.
    /// </summary>
    /// <param name="frame">The frame.</param>
    /// <param name="peer">The sender; null: a trusted peer that may use any name except for the
    /// host's own.</param>
    /// <param name="at">The time of arrival.</param>
    /// <exception cref="AccpPolicyDeniedException">The peer may not use its name. The frame is not
    /// counted.</exception>
    public Receipt Receive(Utf8Text frame, AccpPeer? peer = null, DateTimeOffset? at = null) => Receive(frame, peer, at, null);

    private static PeerData DataOf(AccpPeer? peer, byte* names, nuint length) =>
        new() { Agents = new AccpText { Text = names, Length = length }, Origin = (int)(peer?.Origin ?? 0) };

    // Counts the bytes that the store keeps in memory.
    private void Kept(nuint bytes) => engine.Kept(bytes);

    // then: uses the result and its deliveries before any other call of the session.
    internal Receipt Receive(Utf8Text frame, AccpPeer? peer, DateTimeOffset? at, Action<Receipt, IReadOnlyList<Delivery>>? then)
    {
        frame.Check(nameof(frame));
        Utf8Text agents = peer == null ? default : Utf8Text.Of(peer.Agents);
        using var call = Enter();
        ErrorDetail error;
        int status;
        fixed (byte* bytes = frame, names = agents)
        {
            PeerData from = DataOf(peer, names, agents.Length);
            status = Native.accp_session_receive(call.Pointer, bytes, frame.Length, Now(at), peer == null ? null : &from, &error);
        }
        HookHost.Ok(status is (int)Receipt.Dropped or (int)Receipt.Held ? 0 : status, error);
        Kept(frame.Length);
        then?.Invoke((Receipt)status, DeliveriesIn(call.Pointer));
        return (Receipt)status;
    }

    /// <summary>Returns all new results in order, each once.</summary>
    public IReadOnlyList<Delivery> Deliveries()
    {
        using var call = Enter();
        return DeliveriesIn(call.Pointer);
    }

    private static List<Delivery> DeliveriesIn(void* handle)
    {
        var all = new List<Delivery>();
        DeliveryData one;
        while (Native.accp_session_next_delivery(handle, &one) != 0)
            all.Add(new Delivery((AccpStatus)one.Status, one.Seq, one.Message.Span.ToArray(), Wording.Of(Utf8.Static(one.Reason)))
            {
                Origin = (AccpOrigin)one.Origin,
                Warnings = (AccpWarnings)Native.accp_session_delivery_warnings(handle),
                Mid = one.Mid.ToString(),
                Cid = one.Cid.ToString(),
            });
        return all;
    }

    /// <summary>
    /// Returns whether a chain (a cid, or the mid of a request without one) was cancelled. Handlers
    /// check it before they continue.
    /// </summary>
    public bool IsCancelled(string cid)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        fixed (byte* bytes = text)
            return Native.accp_session_is_cancelled(call.Pointer, bytes, text.Length) != 0;
    }

    private ReadOnlySpan<byte> SendIn(void* handle, Utf8Text json, DateTimeOffset? at)
    {
        AccpText result;
        ErrorDetail error;
        fixed (byte* bytes = json)
            HookHost.Ok(Native.accp_session_send(handle, bytes, json.Length, Now(at), &result, &error), error);
        Kept(result.Length);
        return result.Span;
    }

    /// <summary>
    /// Makes the frame of a JSON message with a new mid, seq and ts, and records it. Transmit it
    /// unchanged, repeatedly if necessary: it is applied once. With <see cref="AccpRule.Parts"/> it
    /// may be several frames, separated by newlines.
    /// </summary>
    /// <exception cref="AccpDroppedException">Its chain was cancelled: only ack and cancel are
    /// sent.</exception>
    public string Send(Utf8Text json, DateTimeOffset? at = null) => Send(json, at, null);

    // then: uses the frames before any other call of the session.
    internal string Send(Utf8Text json, DateTimeOffset? at, Action<string>? then)
    {
        json.Check(nameof(json));
        using var call = Enter();
        string sent = Utf8.Decode(SendIn(call.Pointer, json, at));
        then?.Invoke(sent);
        return sent;
    }

    /// <summary>The same, to UTF-8.</summary>
    public void Send(Utf8Text json, IBufferWriter<byte> output, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(SendIn(call.Pointer, json, at));
    }

    private ReadOnlySpan<byte> ReplyIn(void* handle, Utf8Text request, Utf8Text answer, DateTimeOffset? at)
    {
        AccpText result;
        ErrorDetail error;
        fixed (byte* asked = request, bytes = answer)
            HookHost.Ok(Native.accp_session_reply(handle, asked, request.Length, bytes, answer.Length, Now(at), &result, &error), error);
        Kept(result.Length);
        return result.Span;
    }

    /// <summary>
    /// Sends a reply as <see cref="Send(Utf8Text, DateTimeOffset?)"/> does, with the cid and
    /// operation of the request and its mid as aid (specification 3.5). Fields that the reply sets
    /// are kept.
    /// </summary>
    /// <param name="request">The message to reply to: <see cref="Delivery.Json"/> or
    /// <see cref="Delivery.Utf8Json"/>.</param>
    /// <param name="answer">The reply in JSON; the operation may be missing.</param>
    /// <param name="at">The time of sending.</param>
    /// <exception cref="AccpDroppedException">Its chain was cancelled: only ack and cancel are
    /// sent.</exception>
    /// <exception cref="AccpParseErrorException">The request is not a message, or has neither cid
    /// nor mid: the offset is then 0.</exception>
    public string Reply(Utf8Text request, Utf8Text answer, DateTimeOffset? at = null) => Reply(request, answer, at, null);

    // then: as for Send.
    internal string Reply(Utf8Text request, Utf8Text answer, DateTimeOffset? at, Action<string>? then)
    {
        request.Check(nameof(request));
        answer.Check(nameof(answer));
        using var call = Enter();
        string sent = Utf8.Decode(ReplyIn(call.Pointer, request, answer, at));
        then?.Invoke(sent);
        return sent;
    }

    /// <summary>The same, to UTF-8.</summary>
    public void Reply(Utf8Text request, Utf8Text answer, IBufferWriter<byte> output, DateTimeOffset? at = null)
    {
        request.Check(nameof(request));
        answer.Check(nameof(answer));
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(ReplyIn(call.Pointer, request, answer, at));
    }

    /// <summary>
    /// Describes the message that Send, Reply or SendState sent last; no parts after a refusal. For
    /// a received message see <see cref="Delivery.Warnings"/>.
    /// </summary>
    public CodecOutcome Outcome()
    {
        using var call = Enter();
        OutcomeData got;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_outcome(call.Pointer, &got, &error), error);
        return new CodecOutcome(got);
    }

    /// <summary>
    /// Checks our requests for passed deadlines (<see cref="AccpRule.DeadlineMs"/>): each no longer
    /// waits, and <see cref="Deliveries"/> has an <see cref="AccpStatus.Timeout"/> for it.
    /// </summary>
    public void Expire(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_expire(call.Pointer, Now(at), &error), error);
    }

    /// <summary>The earliest deadline; null if no request waits.</summary>
    public DateTimeOffset? NextDeadline
    {
        get
        {
            using var call = Enter();
            long next = Native.accp_session_next_deadline(call.Pointer);
            return next == long.MaxValue ? null : DateTimeOffset.FromUnixTimeMilliseconds(next);
        }
    }

    /// <summary>
    /// Makes a frame that repeats one of our frames, with a new mid, seq and ts; <paramref
    /// name="record"/>: the number of its record.
    /// </summary>
    public string Retry(long record, DateTimeOffset? at = null)
    {
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_retry(call.Pointer, Arg.Unsigned(record), Now(at), &result, &error), error);
        return result.ToString();
    }

    /// <summary>
    /// Drops the held parts of a chain that will not be completed; of all chains if the cid is
    /// empty.
    /// </summary>
    public void RemoveParts(string cid, DateTimeOffset? at = null)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            HookHost.Ok(Native.accp_session_remove_parts(call.Pointer, bytes, text.Length, Now(at), &error), error);
    }

    /// <summary>
    /// Ends the session itself: every later change throws <see cref="AccpClosedException"/>, in
    /// every process. Its values can still be resolved.
    /// </summary>
    public void End(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_end(call.Pointer, Now(at), &error), error);
    }

    /// <summary>Returns when all changes so far are durable.</summary>
    public void Sync()
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_sync(call.Pointer, &error), error);
    }
}
