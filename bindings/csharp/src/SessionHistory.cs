// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>What became of a list: <see cref="EngineSession.AppendHistory"/>.</summary>
/// <param name="Count">Messages of ours that the list makes, each one record.</param>
/// <param name="Same">Of these, from the front, the session had already.</param>
/// <param name="Added">Messages that the call appended, to the session or its branch.</param>
/// <param name="Item">The first difference: the number of the list's item, from 0.</param>
/// <param name="Record">The same: the record of the session; 0 where they do not differ.</param>
/// <param name="IsBranched">The branch has taken the list, and the session is as it was.</param>
public sealed record HistoryReport(long Count, long Same, long Added, long Item, long Record, bool IsBranched);

public sealed unsafe partial class EngineSession
{
    /// <summary>Adds a message that takes no frame: what a user said, what a tool answered, whatever a model should remember.</summary>
    public void Append(Utf8Text json, DateTimeOffset? at = null) => Append(json, null, at);

    /// <summary>
    /// Adds a message that a peer said without a frame, through a protocol that the host speaks, such as MCP. The message can raise neither the peer's rights nor its trust; if
    /// the peer is untrusted, the message is marked in the log, in JSON and in each context.
    /// </summary>
    /// <param name="json">The message.</param>
    /// <param name="peer">The peer of the connection that the message came over; null: the host itself.</param>
    /// <param name="at">When it was said.</param>
    /// <exception cref="AccpPolicyDeniedException">
    /// The message names an agent that is the host's own or that the peer may not speak as; or the peer is untrusted, and the member <c>untrusted</c> is not true, or the metadata
    /// has mid, seq, ts or sid. The offset is the byte at fault. Nothing has changed.
    /// </exception>
    public void Append(Utf8Text json, AccpPeer? peer, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        Utf8Text agents = peer == null ? default : Utf8Text.Of(peer.Agents);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = json, names = agents)
        {
            PeerData from = DataOf(peer, names, agents.Length);
            HookHost.Ok(Native.accp_session_append_from(call.Pointer, bytes, json.Length, peer == null ? null : &from, Now(at), &error), error);
        }
        Kept(json.Length);
    }

    /// <summary>
    /// Appends what an interface calls messages, and answers how many of ours came of it, each one record. Images and other binaries become a line that names them.
    /// </summary>
    /// <param name="form">
    /// <see cref="AccpInterface.OpenAI"/> or <see cref="AccpInterface.Anthropic"/>: one message, an array of them, the body of a request, or a line each;
    /// the others: a file.
    /// </param>
    /// <param name="json">The messages.</param>
    /// <param name="at">When they were said.</param>
    /// <exception cref="AccpException">
    /// E1001, E1004 for what is none of it, with its offset: then nothing was appended. After any other <see cref="RecordCount"/> says how many were.
    /// </exception>
    public long AppendMessages(AccpInterface form, Utf8Text json, DateTimeOffset? at = null) => AppendMessages(form, json, null, at);

    /// <summary>
    /// Appends messages of an interface that a peer gives: <see cref="AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>, with each message checked and marked as
    /// <see cref="Append(Utf8Text, AccpPeer?, DateTimeOffset?)"/> does. An untrusted peer says nothing as system, user, assistant or tool unless its agents have that name.
    /// </summary>
    /// <param name="form">The interface.</param>
    /// <param name="json">The messages.</param>
    /// <param name="peer">The peer of the connection that the messages came over; null: the host itself.</param>
    /// <param name="at">When they were said.</param>
    /// <exception cref="AccpPolicyDeniedException">The peer may not say one of the messages. Nothing was appended.</exception>
    public long AppendMessages(AccpInterface form, Utf8Text json, AccpPeer? peer, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        Utf8Text agents = peer == null ? default : Utf8Text.Of(peer.Agents);
        using var call = Enter();
        ulong count;
        ErrorDetail error;
        fixed (byte* bytes = json, names = agents)
        {
            PeerData from = DataOf(peer, names, agents.Length);
            HookHost.Ok(Native.accp_session_append_messages_from(call.Pointer, bytes, json.Length, (int)form, peer == null ? null : &from, Now(at), &count, &error), error);
        }
        Kept(json.Length);
        return checked((long)count);
    }

    /// <summary>
    /// Appends those messages of a whole list that the session does not have yet: a host that holds the list passes it each time, as it does to a provider.
    /// They are compared from the front, by content.
    /// </summary>
    /// <param name="form">Whose messages they are; null: messages of ours, as <see cref="Append(Utf8Text, DateTimeOffset?)"/> takes them.</param>
    /// <param name="json">All messages.</param>
    /// <param name="branch">The id of another session of the same store, which takes the list if it differs from what this session has; null: such a list is refused.</param>
    /// <param name="peer">The peer of the connection that the list came over, as <see cref="AppendMessages(AccpInterface, Utf8Text, AccpPeer?, DateTimeOffset?)"/> takes it; null: the host itself.</param>
    /// <param name="at">When the new ones were said.</param>
    /// <exception cref="AccpSequenceGapException">The list differs from what the session has; its message, record and offset say where. Nothing has changed.</exception>
    /// <exception cref="AccpPolicyDeniedException">The peer may not say one of the new messages. Nothing was appended.</exception>
    /// <exception cref="AccpException">E1001, E1004 for what cannot be read, with its offset: nothing was appended.</exception>
    public HistoryReport AppendHistory(AccpInterface? form, Utf8Text json, string? branch = null, AccpPeer? peer = null, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        Utf8Text id = branch == null ? default : Utf8Text.Of(branch), agents = peer == null ? default : Utf8Text.Of(peer.Agents);
        using var call = Enter();
        HistoryReportData got;
        ErrorDetail error;
        fixed (byte* bytes = json, name = id, names = agents)
        {
            PeerData from = DataOf(peer, names, agents.Length);
            var options = new HistoryOptionsData
            {
                Size = (nuint)sizeof(HistoryOptionsData), Branch = new AccpText { Text = name, Length = id.Length }, Peer = peer == null ? null : &from,
            };
            HookHost.Ok(Native.accp_session_append_history(call.Pointer, bytes, json.Length, (int)(form ?? 0), Now(at), &options, &got, &error), error);
        }
        Kept(json.Length);
        return new HistoryReport((long)got.Count, (long)got.Same, (long)got.Added, (long)got.Item, (long)got.Record, got.IsBranched != 0);
    }
}
