// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

// Context packets in messages. The session's turn comes before the packet's.
public sealed unsafe partial class EngineSession
{
    /// <summary>
    /// Seals a packet and stores it: under its checksum in cold, and the text of each layer in
    /// warm. Neither is in contexts.
    /// </summary>
    /// <returns>Members for the payload of a message that carries it:
    /// <c>{"packet":"$cold.packet_c3b0…","tokens":380,"layers":{"goals":90}}</c>.</returns>
    /// <exception cref="AccpArgumentException">The packet is empty.</exception>
    public string PutPacket(ContextPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        using var call = Enter();
        using var of = packet.Enter();
        AccpText members;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_put_packet(call.Pointer, of.Pointer, &members, &error), error);
        Kept(members.Length);
        return members.ToString();
    }

    /// <summary>
    /// Does the same and sends a message that carries the packet: a sync of operation context that
    /// announces it, or an esc or a req with it.
    /// </summary>
    /// <param name="json">The message; its payload is an object.</param>
    /// <param name="packet">Sealed by this call.</param>
    /// <param name="at">The time of sending.</param>
    /// <returns>The frame, as from <see cref="Send(Utf8Text, DateTimeOffset?)"/>.</returns>
    public string SendPacket(Utf8Text json, ContextPacket packet, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        ArgumentNullException.ThrowIfNull(packet);
        using var call = Enter();
        using var of = packet.Enter();
        AccpText frame;
        ErrorDetail error;
        fixed (byte* bytes = json)
            HookHost.Ok(Native.accp_session_send_packet(call.Pointer, bytes, json.Length, of.Pointer, Now(at), &frame, &error), error);
        Kept(frame.Length);
        return frame.ToString();
    }

    /// <summary>Reads the packet of a message.</summary>
    /// <param name="message">A received message or one from this session.</param>
    /// <param name="packet">Replaced; empty after an exception.</param>
    /// <param name="at">The time.</param>
    /// <exception cref="AccpParseErrorException">It has none, or its name refers to something
    /// else.</exception>
    /// <exception cref="AccpRefNotFoundException">It is not available: request it by a qry of
    /// operation context.</exception>
    public void ReadPacket(Utf8Text message, ContextPacket packet, DateTimeOffset? at = null)
    {
        message.Check(nameof(message));
        ArgumentNullException.ThrowIfNull(packet);
        using var call = Enter();
        using var into = packet.Enter();
        ErrorDetail error;
        fixed (byte* bytes = message)
            HookHost.Ok(Native.accp_session_read_packet(call.Pointer, bytes, message.Length, Now(at), into.Pointer, &error), error);
    }

    /// <summary>
    /// Replies to a qry of operation context for a packet of this session, or for some of its
    /// layers: <c>{"packet":"$cold.packet_c3b0…","layers":["decisions"]}</c>.
    /// </summary>
    /// <param name="request">The received message.</param>
    /// <param name="agent">The sender of the reply.</param>
    /// <param name="at">The time.</param>
    /// <exception cref="AccpArgumentException">It is another request.</exception>
    /// <exception cref="AccpRefNotFoundException">The packet does not exist here.</exception>
    public string AnswerPacket(Utf8Text request, string agent, DateTimeOffset? at = null)
    {
        request.Check(nameof(request));
        Utf8Text who = Utf8Text.Of(agent, nameof(agent));
        using var call = Enter();
        AccpText frame;
        ErrorDetail error;
        fixed (byte* bytes = request, whoBytes = who)
            HookHost.Ok(Native.accp_session_reply_packet(call.Pointer, bytes, request.Length, whoBytes, who.Length, Now(at), &frame, &error), error);
        Kept(frame.Length);
        return frame.ToString();
    }

    /// <summary>
    /// Makes a packet from all messages of this session: <see cref="ContextPacket.FromSession"/>.
    /// </summary>
    /// <param name="packet">Replaced; empty after an exception.</param>
    /// <param name="task">The worker's task; empty: the first request in the session.</param>
    /// <param name="depth">The level of detail.</param>
    /// <param name="budgetTokens">The most tokens of its prompt; 0: those of the depth.</param>
    /// <param name="creator">The creator; empty: <c>accp</c>.</param>
    /// <param name="at">The time; null: now.</param>
    /// <exception cref="AccpArgumentException">No task, and the session has no request.</exception>
    /// <exception cref="AccpBudgetExceededException">The mandatory items exceed the
    /// budget.</exception>
    public void MakePacket(ContextPacket packet, string task = "", PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "", DateTimeOffset? at = null)
    {
        ArgumentNullException.ThrowIfNull(packet);
        packet.FromSession(this, task, depth, budgetTokens, creator, at);
    }

    /// <summary>The same as <see cref="MakePacket"/>, queued.</summary>
    public Task MakePacketAsync(ContextPacket packet, string task = "", PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "",
        DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => MakePacket(packet, task, depth, budgetTokens, creator, at), cancellationToken);

    /// <summary>
    /// Makes the session report the results of packets to a project. For a message that carries a
    /// packet and names a worker in <c>to</c>, the worker's <c>ack</c> of operation context becomes
    /// feedback, and its <c>done</c> or <c>fail</c> a recorded task.
    /// </summary>
    /// <param name="panes">The project with its current settings; null: stop the reports.</param>
    /// <param name="at">The time.</param>
    /// <exception cref="AccpArgumentException">The session was opened for reading.</exception>
    public void SetPanes(ProjectPanes? panes, DateTimeOffset? at = null)
    {
        using var call = Enter();
        using var of = panes == null ? default : panes.Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_set_panes(call.Pointer, of.Pointer, Now(at), &error), error);
    }

    /// <summary>The same as <see cref="SetPanes"/>, queued.</summary>
    public Task SetPanesAsync(ProjectPanes? panes, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => SetPanes(panes, at), cancellationToken);

    /// <summary>The same as <see cref="PutPacket"/>, queued.</summary>
    public Task<string> PutPacketAsync(ContextPacket packet, CancellationToken cancellationToken = default) => Queued(() => PutPacket(packet), cancellationToken);

    /// <summary>The same as <see cref="SendPacket"/>, queued.</summary>
    public Task<string> SendPacketAsync(string json, ContextPacket packet, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => SendPacket(json, packet, at), cancellationToken);

    /// <summary>The same as <see cref="ReadPacket"/>, queued.</summary>
    public Task ReadPacketAsync(string message, ContextPacket packet, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => ReadPacket(message, packet, at), cancellationToken);

    /// <summary>The same as <see cref="AnswerPacket"/>, queued.</summary>
    public Task<string> AnswerPacketAsync(string request, string agent, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => AnswerPacket(request, agent, at), cancellationToken);

    string IEngineSession.SendPacket(string json, ContextPacket packet, DateTimeOffset? at) => SendPacket(json, packet, at);

    void IEngineSession.ReadPacket(string message, ContextPacket packet, DateTimeOffset? at) => ReadPacket(message, packet, at);

    string IEngineSession.AnswerPacket(string request, string agent, DateTimeOffset? at) => AnswerPacket(request, agent, at);
}
