// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>The result of <see cref="EngineSession.AppendHistory"/>.</summary>
/// <param name="Count">Number of our messages in the list, each one record.</param>
/// <param name="Same">How many of them, from the front, the session had already.</param>
/// <param name="Added">Messages that the call appended to the session or its branch.</param>
/// <param name="Item">The first difference: the index in the list, from 0.</param>
/// <param name="Record">The first difference: the record of the session; 0 without one.</param>
/// <param name="IsBranched">The branch took the list; the session is unchanged.</param>
public sealed record HistoryReport(long Count, long Same, long Added, long Item, long Record, bool IsBranched);

public sealed unsafe partial class EngineSession
{
    /// <summary>
    /// Adds a message without a frame: a user's text, a tool's result, or anything that a model
    /// should remember.
    /// </summary>
    public void Append(Utf8Text json, DateTimeOffset? at = null) => Append(json, null, at);

    /// <summary>
    /// Adds a message that a peer sent without a frame, through a protocol of the host such as MCP.
    /// The message can raise neither the peer's rights nor its trust. If the peer is untrusted, the
    /// message is marked in the log, in JSON and in each context.
    /// </summary>
    /// <param name="json">The message.</param>
    /// <param name="peer">The peer of the connection; null: the host itself.</param>
    /// <param name="at">The time of the message.</param>
    /// <exception cref="AccpPolicyDeniedException"> The peer may not use the message's agent, or
    /// the peer is untrusted and the member <c>untrusted</c> is not true or the metadata has mid,
    /// seq, ts or sid. The offset is the byte at fault. Nothing has changed.</exception>
    public void Append(Utf8Text json, AccpPeer? peer, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        Utf8Text agents = peer == null ? default : Utf8Text.Of(peer.Agents);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = json, names = agents)
        {
            PeerData from = DataOf(peer, names, agents.Length);
            HookHost.Ok(Native.accp_session_append_from(call.Pointer, bytes, json.Length, Now(at), peer == null ? null : &from, &error), error);
        }
        Kept(json.Length);
    }

    /// <summary>
    /// Appends messages of an interface, and returns the number of our messages, each one record.
    /// Images and other binaries become a line with their name.
    /// </summary>
    /// <param name="form"> <see cref="AccpInterface.OpenAI"/> or
    /// <see cref="AccpInterface.Anthropic"/>: one message, an array, the body of a request, or one
    /// per line; the others: a file.</param>
    /// <param name="json">The messages.</param>
    /// <param name="at">The time of the messages.</param>
    /// <exception cref="AccpException"> E1001, E1004 for text in another format, with its offset:
    /// nothing was appended. After any other see <see cref="RecordCount"/>.</exception>
    public long AppendMessages(AccpInterface form, Utf8Text json, DateTimeOffset? at = null) => AppendMessages(form, json, null, at);

    /// <summary>
    /// Appends a peer's messages in the format of an interface:
    /// <see cref="AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/> with each message
    /// checked and marked as by <see cref="Append(Utf8Text, AccpPeer?, DateTimeOffset?)"/>. An
    /// untrusted peer may use system, user, assistant or tool only if its agents have that name.
    /// </summary>
    /// <param name="form">The interface.</param>
    /// <param name="json">The messages.</param>
    /// <param name="peer">The peer of the connection; null: the host itself.</param>
    /// <param name="at">The time of the messages.</param>
    /// <exception cref="AccpPolicyDeniedException">The peer may not send one of the messages.
    /// Nothing was appended.</exception>
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
            HookHost.Ok(Native.accp_session_append_messages_from(call.Pointer, bytes, json.Length, (int)form, Now(at), peer == null ? null : &from, &count, &error), error);
        }
        Kept(json.Length);
        return checked((long)count);
    }

    /// <summary>
    /// Appends the messages of a whole list that the session does not have yet; a host passes its
    /// list each time, as to a provider. The messages are compared from the front by content.
    /// </summary>
    /// <param name="form">The format of the messages; null: ours, as for
    /// <see cref="Append(Utf8Text, DateTimeOffset?)"/>.</param>
    /// <param name="json">All messages.</param>
    /// <param name="branch">The id of another session of the same store, which takes the list if it
    /// differs from this session; null: such a list is refused.</param>
    /// <param name="peer">The peer of the connection, as for
    /// <see cref="AppendMessages(AccpInterface, Utf8Text, AccpPeer?, DateTimeOffset?)"/>; null: the
    /// host itself.</param>
    /// <param name="at">The time of the new messages.</param>
    /// <exception cref="AccpSequenceGapException">The list differs from the session; the
    /// exception's message, record and offset have the place. Nothing has changed.</exception>
    /// <exception cref="AccpPolicyDeniedException">The peer may not send one of the new messages.
    /// Nothing was appended.</exception>
    /// <exception cref="AccpException">E1001, E1004 for unreadable text, with its offset: nothing
    /// was appended.</exception>
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
