// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

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
    /// <summary>
    /// Appends those messages of a whole list that the session does not have yet: a host that holds the list passes it each time, as it does to a provider.
    /// They are compared from the front, by content.
    /// </summary>
    /// <param name="form">Whose messages they are; null: messages of ours, as <see cref="Append(Utf8Text, DateTimeOffset?)"/> takes them.</param>
    /// <param name="json">All messages.</param>
    /// <param name="branch">The id of another session of the same store, which takes the list if it differs from what this session has; null: such a list is refused.</param>
    /// <param name="peer">Who the messages come from; null: somebody trusted.</param>
    /// <param name="at">When the new ones were said.</param>
    /// <exception cref="AccpSequenceGapException">The list differs from what the session has; its message, record and offset say where. Nothing has changed.</exception>
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
            var from = new PeerData { Agents = new AccpText { Text = names, Length = agents.Length }, Origin = (int)(peer?.Origin ?? 0) };
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
