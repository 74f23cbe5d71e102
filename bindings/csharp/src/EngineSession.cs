// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A session: frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model should be given
/// instead of the history. Calls of several threads queue. A call that is refused has changed nothing.
/// </summary>
/// <remarks>
/// Times are those of the engine's clock where none is given. Methods block while other calls of the session run and while the store writes; each has an …Async form, which
/// takes its place in the queue at once, waits without a thread, and leaves the queue when it is cancelled.
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
    /// Takes a frame that has come in; what it brought is in <see cref="Deliveries"/>. Refused with E1001 to E1004, E2001 to E2003, E3002, E3003, E5001, E5002: docs/session.md
    /// has the order of checks.
    /// </summary>
    /// <param name="frame">The frame.</param>
    /// <param name="peer">The peer that it came from; null: one that is trusted, under any name but the host's own.</param>
    /// <param name="at">When it came.</param>
    /// <exception cref="AccpPolicyDeniedException">It comes under a name that is not the peer's, or that is the host's own. Nothing of it counts.</exception>
    public Receipt Receive(Utf8Text frame, AccpPeer? peer = null, DateTimeOffset? at = null) => Receive(frame, peer, at, null);

    private static PeerData DataOf(AccpPeer? peer, byte* names, nuint length) =>
        new() { Agents = new AccpText { Text = names, Length = length }, Origin = (int)(peer?.Origin ?? 0) };

    // Of what was said, what the store keeps in memory.
    private void Kept(nuint bytes) => engine.Kept(bytes);

    // then: what is done with it and all that it brought, before any other call of the session.
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
            status = Native.accp_session_receive(call.Pointer, bytes, frame.Length, peer == null ? null : &from, Now(at), &error);
        }
        HookHost.Ok(status is (int)Receipt.Dropped or (int)Receipt.Held ? 0 : status, error);
        Kept(frame.Length);
        then?.Invoke((Receipt)status, DeliveriesIn(call.Pointer));
        return (Receipt)status;
    }

    /// <summary>All that there is to hand out, in order; it is handed out once.</summary>
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

    /// <summary>Was this chain (a cid, or the mid of a request without one) cancelled? Handlers ask before they go on.</summary>
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
    /// Makes the frame of a JSON message, with mid, seq and ts of its own, and keeps it. Send it as it is, and again if need be: it is applied once. With
    /// <see cref="AccpRule.Parts"/> perhaps several frames, a newline between two.
    /// </summary>
    /// <exception cref="AccpDroppedException">Its chain was cancelled: nothing of it goes out but ack and cancel.</exception>
    public string Send(Utf8Text json, DateTimeOffset? at = null) => Send(json, at, null);

    // then: what is done with the frames before any other call of the session.
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
    /// Sends an answer: what <see cref="Send(Utf8Text, DateTimeOffset?)"/> would, with the cid and the operation of what it answers, and an aid that is its mid (specification
    /// 3.5). Fields that the answer names itself are its own.
    /// </summary>
    /// <param name="request">What is answered: <see cref="Delivery.Json"/> or <see cref="Delivery.Utf8Json"/>.</param>
    /// <param name="answer">The answer in JSON; it may have no operation.</param>
    /// <param name="at">When it is sent.</param>
    /// <exception cref="AccpDroppedException">Its chain was cancelled: nothing of it goes out but ack and cancel.</exception>
    /// <exception cref="AccpParseErrorException">The request is no message, or has neither cid nor mid: the offset is then 0.</exception>
    public string Reply(Utf8Text request, Utf8Text answer, DateTimeOffset? at = null) => Reply(request, answer, at, null);

    // then: as of Send.
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
    /// What became of the message that was sent last, by Send, Reply or SendState; no parts where it was refused. Of one that came in <see cref="Delivery.Warnings"/> says it.
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
    /// Looks for requests of ours whose deadline has passed (<see cref="AccpRule.DeadlineMs"/>): each waits no more, and <see cref="Deliveries"/> has an
    /// <see cref="AccpStatus.Timeout"/> for it.
    /// </summary>
    public void Expire(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_expire(call.Pointer, Now(at), &error), error);
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
        AccpText result;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_retry(call.Pointer, Arg.Unsigned(record), Now(at), &result, &error), error);
        return result.ToString();
    }

    /// <summary>Forgets the parts held of messages of a chain, which will not become whole; of all chains where the cid is empty.</summary>
    public void RemoveParts(string cid, DateTimeOffset? at = null)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            HookHost.Ok(Native.accp_session_remove_parts(call.Pointer, bytes, text.Length, Now(at), &error), error);
    }

    /// <summary>Ends the session itself: from now on <see cref="AccpClosedException"/>, whoever opens it. What it holds can still be resolved.</summary>
    public void End(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_end(call.Pointer, Now(at), &error), error);
    }

    /// <summary>Returns when everything so far is durable.</summary>
    public void Sync()
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_sync(call.Pointer, &error), error);
    }
}
