// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Accp;

// The …Async forms: each enters the queue before it returns, waits without a thread, and runs on
// the thread pool. Passed bytes must not change until it has ended.
public sealed partial class EngineSession
{
    /// <summary>The same as <see cref="Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task<Receipt> ReceiveAsync(string frame, CancellationToken cancellationToken = default) => ReceiveAsync(frame, null, null, cancellationToken);

    /// <summary>The same as <see cref="Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task<Receipt> ReceiveAsync(string frame, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Receive(frame, peer, at), cancellationToken);

    /// <summary>The same as <see cref="Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task<Receipt> ReceiveAsync(ReadOnlyMemory<byte> frame, CancellationToken cancellationToken = default) => ReceiveAsync(frame, null, null, cancellationToken);

    /// <summary>The same as <see cref="Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task<Receipt> ReceiveAsync(ReadOnlyMemory<byte> frame, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Receive(frame, peer, at), cancellationToken);

    /// <summary>The same as <see cref="Send(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> SendAsync(string json, CancellationToken cancellationToken = default) => SendAsync(json, null, cancellationToken);

    /// <summary>The same as <see cref="Send(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> SendAsync(string json, DateTimeOffset? at, CancellationToken cancellationToken = default) => Queued(() => Send(json, at), cancellationToken);

    /// <summary>The same as <see cref="Send(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> SendAsync(ReadOnlyMemory<byte> json, CancellationToken cancellationToken = default) => SendAsync(json, null, cancellationToken);

    /// <summary>The same as <see cref="Send(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> SendAsync(ReadOnlyMemory<byte> json, DateTimeOffset? at, CancellationToken cancellationToken = default) => Queued(() => Send(json, at), cancellationToken);

    /// <summary>The same as <see cref="Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> ReplyAsync(string request, string answer, CancellationToken cancellationToken = default) =>
        ReplyAsync(request, answer, null, cancellationToken);

    /// <summary>The same as <see cref="Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> ReplyAsync(string request, string answer, DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => Reply(request, answer, at), cancellationToken);

    /// <summary>The same as <see cref="Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> ReplyAsync(ReadOnlyMemory<byte> request, ReadOnlyMemory<byte> answer, CancellationToken cancellationToken = default) =>
        ReplyAsync(request, answer, null, cancellationToken);

    /// <summary>The same as <see cref="Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> ReplyAsync(ReadOnlyMemory<byte> request, ReadOnlyMemory<byte> answer, DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => Reply(request, answer, at), cancellationToken);

    /// <summary>The same as <see cref="Outcome"/>, queued.</summary>
    public Task<CodecOutcome> OutcomeAsync(CancellationToken cancellationToken = default) => Queued(() => Outcome(), cancellationToken);

    /// <summary>The same as <see cref="Append(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task AppendAsync(string json, CancellationToken cancellationToken = default) => AppendAsync(json, null, cancellationToken);

    /// <summary>The same as <see cref="Append(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task AppendAsync(string json, DateTimeOffset? at, CancellationToken cancellationToken = default) => Queued(() => Append(json, at), cancellationToken);

    /// <summary>The same as <see cref="Append(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task AppendAsync(ReadOnlyMemory<byte> json, CancellationToken cancellationToken = default) => AppendAsync(json, null, cancellationToken);

    /// <summary>The same as <see cref="Append(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task AppendAsync(ReadOnlyMemory<byte> json, DateTimeOffset? at, CancellationToken cancellationToken = default) => Queued(() => Append(json, at), cancellationToken);

    /// <summary>The same as <see cref="Append(Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task AppendAsync(string json, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Append(json, peer, at), cancellationToken);

    /// <summary>The same as <see cref="Append(Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task AppendAsync(ReadOnlyMemory<byte> json, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Append(json, peer, at), cancellationToken);

    /// <summary>The same as <see cref="AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<long> AppendMessagesAsync(AccpInterface form, string json, CancellationToken cancellationToken = default) =>
        AppendMessagesAsync(form, json, null, cancellationToken);

    /// <summary>The same as <see cref="AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<long> AppendMessagesAsync(AccpInterface form, string json, DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => AppendMessages(form, json, at), cancellationToken);

    /// <summary>The same as <see cref="AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<long> AppendMessagesAsync(AccpInterface form, ReadOnlyMemory<byte> json, CancellationToken cancellationToken = default) =>
        AppendMessagesAsync(form, json, null, cancellationToken);

    /// <summary>The same as <see cref="AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<long> AppendMessagesAsync(AccpInterface form, ReadOnlyMemory<byte> json, DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => AppendMessages(form, json, at), cancellationToken);

    /// <summary>The same as <see cref="AppendMessages(AccpInterface, Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task<long> AppendMessagesAsync(AccpInterface form, string json, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => AppendMessages(form, json, peer, at), cancellationToken);

    /// <summary>The same as <see cref="AppendMessages(AccpInterface, Utf8Text, AccpPeer?, DateTimeOffset?)"/>, queued.</summary>
    public Task<long> AppendMessagesAsync(AccpInterface form, ReadOnlyMemory<byte> json, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => AppendMessages(form, json, peer, at), cancellationToken);

    /// <summary>The same as <see cref="AppendHistory"/>, queued.</summary>
    public Task<HistoryReport> AppendHistoryAsync(AccpInterface? form, string json, CancellationToken cancellationToken = default) =>
        AppendHistoryAsync(form, json, null, null, null, cancellationToken);

    /// <summary>The same as <see cref="AppendHistory"/>, queued.</summary>
    public Task<HistoryReport> AppendHistoryAsync(AccpInterface? form, string json, string? branch, AccpPeer? peer = null, DateTimeOffset? at = null,
        CancellationToken cancellationToken = default) => Queued(() => AppendHistory(form, json, branch, peer, at), cancellationToken);

    /// <summary>The same as <see cref="AppendHistory"/>, queued.</summary>
    public Task<HistoryReport> AppendHistoryAsync(AccpInterface? form, ReadOnlyMemory<byte> json, CancellationToken cancellationToken = default) =>
        AppendHistoryAsync(form, json, null, null, null, cancellationToken);

    /// <summary>The same as <see cref="AppendHistory"/>, queued.</summary>
    public Task<HistoryReport> AppendHistoryAsync(AccpInterface? form, ReadOnlyMemory<byte> json, string? branch, AccpPeer? peer = null, DateTimeOffset? at = null,
        CancellationToken cancellationToken = default) => Queued(() => AppendHistory(form, json, branch, peer, at), cancellationToken);

    /// <summary>The same as <see cref="Put"/>, queued.</summary>
    public Task PutAsync(string name, string json, DateTimeOffset? expires = null, CancellationToken cancellationToken = default) =>
        Queued(() => Put(name, json, expires), cancellationToken);

    /// <summary>The same as <see cref="SendState"/>, queued.</summary>
    public Task<string?> SendStateAsync(string agent, string json, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => SendState(agent, json, at), cancellationToken);

    /// <summary>The same as <see cref="Put"/>, queued.</summary>
    public Task PutAsync(string name, ReadOnlyMemory<byte> json, DateTimeOffset? expires = null, CancellationToken cancellationToken = default) =>
        Queued(() => Put(name, json, expires), cancellationToken);

    /// <summary>The same as <see cref="SendState"/>, queued.</summary>
    public Task<string?> SendStateAsync(string agent, ReadOnlyMemory<byte> json, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => SendState(agent, json, at), cancellationToken);

    /// <summary>The same as <see cref="Checkpoint"/>, queued.</summary>
    public Task CheckpointAsync(CancellationToken cancellationToken = default) => CheckpointAsync(null, cancellationToken);

    /// <summary>The same as <see cref="IsCancelled"/>, queued.</summary>
    public Task<bool> IsCancelledAsync(string cid, CancellationToken cancellationToken = default) =>
        Queued(() => IsCancelled(cid), cancellationToken);

    /// <summary>The same as <see cref="Deliveries"/>, queued.</summary>
    public Task<IReadOnlyList<Delivery>> DeliveriesAsync(CancellationToken cancellationToken = default) =>
        Queued(() => Deliveries(), cancellationToken);

    /// <summary>The same as <see cref="Expire"/>, queued.</summary>
    public Task ExpireAsync(DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Expire(at), cancellationToken);

    /// <summary>The same as <see cref="Retry"/>, queued.</summary>
    public Task<string> RetryAsync(long record, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Retry(record, at), cancellationToken);

    /// <summary>The same as <see cref="RemoveParts"/>, queued.</summary>
    public Task RemovePartsAsync(string cid, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => RemoveParts(cid, at), cancellationToken);

    /// <summary>The same as <see cref="End"/>, queued.</summary>
    public Task EndAsync(DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => End(at), cancellationToken);

    /// <summary>The same as <see cref="Sync"/>, queued.</summary>
    public Task SyncAsync(CancellationToken cancellationToken = default) =>
        Queued(() => Sync(), cancellationToken);

    /// <summary>The same as <see cref="Checkpoint"/>, queued.</summary>
    public Task CheckpointAsync(DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => Checkpoint(at), cancellationToken);

    /// <summary>The same as <see cref="Context(long)"/>, queued.</summary>
    public Task<SessionContext> ContextAsync(long budgetTokens = 0, CancellationToken cancellationToken = default) =>
        Queued(() => Context(budgetTokens), cancellationToken);

    /// <summary>The same as <see cref="ContextBlocks"/>, queued.</summary>
    public Task<IReadOnlyList<ContextBlock>> ContextBlocksAsync(long budgetTokens = 0, CancellationToken cancellationToken = default) =>
        Queued(() => ContextBlocks(budgetTokens), cancellationToken);

    /// <summary>The same as <see cref="ContextPages"/>, queued.</summary>
    public Task<string> ContextPagesAsync(CancellationToken cancellationToken = default) => Queued(ContextPages, cancellationToken);

    /// <summary>The same as <see cref="ContextMessages(AccpInterface, long)"/>, queued.</summary>
    public Task<SessionMessages> ContextMessagesAsync(AccpInterface form, long budgetTokens = 0, CancellationToken cancellationToken = default) =>
        Queued(() => ContextMessages(form, budgetTokens), cancellationToken);

    /// <summary>The same as <see cref="Answer(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> AnswerAsync(string arguments, CancellationToken cancellationToken = default) => AnswerAsync(arguments, null, cancellationToken);

    /// <summary>The same as <see cref="Answer(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> AnswerAsync(string arguments, DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => Answer(arguments, at), cancellationToken);

    /// <summary>The same as <see cref="Answer(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> AnswerAsync(ReadOnlyMemory<byte> arguments, CancellationToken cancellationToken = default) => AnswerAsync(arguments, null, cancellationToken);

    /// <summary>The same as <see cref="Answer(Utf8Text, DateTimeOffset?)"/>, queued.</summary>
    public Task<string> AnswerAsync(ReadOnlyMemory<byte> arguments, DateTimeOffset? at, CancellationToken cancellationToken = default) =>
        Queued(() => Answer(arguments, at), cancellationToken);

    /// <summary>The same as <see cref="Budget"/>, queued.</summary>
    public Task<TokenBudget> BudgetAsync(CancellationToken cancellationToken = default) =>
        Queued(() => Budget(), cancellationToken);

    /// <summary>The same as <see cref="Record"/>, queued.</summary>
    public Task<SessionRecord> RecordAsync(long number, CancellationToken cancellationToken = default) =>
        Queued(() => Record(number), cancellationToken);

    /// <summary>The same as <see cref="RegistryOf"/>, queued.</summary>
    public Task<SchemaRegistry> RegistryOfAsync(long record, CancellationToken cancellationToken = default) =>
        Queued(() => RegistryOf(record), cancellationToken);

    /// <summary>The same as <see cref="Resolve"/>, queued.</summary>
    public Task<string> ResolveAsync(string name, string? owner = null, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => Resolve(name, owner, at), cancellationToken);

    /// <summary>The same as <see cref="ResolveElement"/>, queued.</summary>
    public Task<JsonElement> ResolveElementAsync(string name, string? owner = null, DateTimeOffset? at = null, CancellationToken cancellationToken = default) =>
        Queued(() => ResolveElement(name, owner, at), cancellationToken);

    /// <summary>The same as <see cref="Remove"/>, queued.</summary>
    public Task RemoveAsync(string name, CancellationToken cancellationToken = default) =>
        Queued(() => Remove(name), cancellationToken);

    /// <summary>The same as <see cref="AddGrant"/>, queued.</summary>
    public Task AddGrantAsync(string grantee, string prefix, DateTimeOffset? expires = null, CancellationToken cancellationToken = default) =>
        Queued(() => AddGrant(grantee, prefix, expires), cancellationToken);

    /// <summary>The same as <see cref="RemoveGrant"/>, queued.</summary>
    public Task RemoveGrantAsync(string grantee, string prefix, CancellationToken cancellationToken = default) =>
        Queued(() => RemoveGrant(grantee, prefix), cancellationToken);

    /// <summary>The same as <see cref="State"/>, queued.</summary>
    public Task<JsonElement> StateAsync(CancellationToken cancellationToken = default) =>
        Queued(() => State(), cancellationToken);

    /// <summary>The same as <see cref="NextDeadline"/>, queued.</summary>
    public Task<DateTimeOffset?> GetNextDeadlineAsync(CancellationToken cancellationToken = default) => Queued(() => NextDeadline, cancellationToken);

    /// <summary>The same as <see cref="NewestCheckpoint"/>, queued.</summary>
    public Task<int> GetNewestCheckpointAsync(CancellationToken cancellationToken = default) => Queued(() => NewestCheckpoint, cancellationToken);

    /// <summary>The same as <see cref="RecordCount"/>, queued.</summary>
    public Task<long> GetRecordCountAsync(CancellationToken cancellationToken = default) => Queued(() => RecordCount, cancellationToken);

    /// <summary>The same as <see cref="StateVersion"/>, queued.</summary>
    public Task<long> GetStateVersionAsync(CancellationToken cancellationToken = default) => Queued(() => StateVersion, cancellationToken);

    Receipt IEngineSession.Receive(string frame, AccpPeer? peer, DateTimeOffset? at) => Receive(frame, peer, at);

    string IEngineSession.Send(string json, DateTimeOffset? at) => Send(json, at);

    string IEngineSession.Reply(string request, string answer, DateTimeOffset? at) => Reply(request, answer, at);

    void IEngineSession.Append(string json, DateTimeOffset? at) => Append(json, at);

    void IEngineSession.Append(string json, AccpPeer? peer, DateTimeOffset? at) => Append(json, peer, at);

    long IEngineSession.AppendMessages(AccpInterface form, string json, DateTimeOffset? at) => AppendMessages(form, json, at);

    long IEngineSession.AppendMessages(AccpInterface form, string json, AccpPeer? peer, DateTimeOffset? at) => AppendMessages(form, json, peer, at);

    HistoryReport IEngineSession.AppendHistory(AccpInterface? form, string json, string? branch, AccpPeer? peer, DateTimeOffset? at) => AppendHistory(form, json, branch, peer, at);

    string IEngineSession.Answer(string arguments, DateTimeOffset? at) => Answer(arguments, at);

    void IEngineSession.Put(string name, string json, DateTimeOffset? expires) => Put(name, json, expires);

    string? IEngineSession.SendState(string agent, string json, DateTimeOffset? at) => SendState(agent, json, at);
}
