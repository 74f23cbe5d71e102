// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Accp;

#pragma warning disable CA1716 // End is the library's name for it.
/// <summary>
/// The interface of <see cref="EngineSession"/>, for replacements such as mocks. Texts are strings
/// here.
/// </summary>
public interface IEngineSession : IDisposable, IAsyncDisposable
{
    /// <inheritdoc cref="EngineSession.Id"/>
    string Id { get; }

    /// <inheritdoc cref="EngineSession.NextDeadline"/>
    DateTimeOffset? NextDeadline { get; }

    /// <inheritdoc cref="EngineSession.NextDeadline"/>
    Task<DateTimeOffset?> GetNextDeadlineAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.NewestCheckpoint"/>
    int NewestCheckpoint { get; }

    /// <inheritdoc cref="EngineSession.NewestCheckpoint"/>
    Task<int> GetNewestCheckpointAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.RecordCount"/>
    long RecordCount { get; }

    /// <inheritdoc cref="EngineSession.RecordCount"/>
    Task<long> GetRecordCountAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.StateVersion"/>
    long StateVersion { get; }

    /// <inheritdoc cref="EngineSession.StateVersion"/>
    Task<long> GetStateVersionAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    Receipt Receive(string frame, AccpPeer? peer = null, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    Task<Receipt> ReceiveAsync(string frame, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Receive(Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    Task<Receipt> ReceiveAsync(string frame, CancellationToken cancellationToken = default) => ReceiveAsync(frame, null, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Send(Utf8Text, DateTimeOffset?)"/>
    string Send(string json, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Send(Utf8Text, DateTimeOffset?)"/>
    Task<string> SendAsync(string json, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Send(Utf8Text, DateTimeOffset?)"/>
    Task<string> SendAsync(string json, CancellationToken cancellationToken = default) => SendAsync(json, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>
    string Reply(string request, string answer, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>
    Task<string> ReplyAsync(string request, string answer, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Reply(Utf8Text, Utf8Text, DateTimeOffset?)"/>
    Task<string> ReplyAsync(string request, string answer, CancellationToken cancellationToken = default) => ReplyAsync(request, answer, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Outcome"/>
    CodecOutcome Outcome();

    /// <inheritdoc cref="EngineSession.Outcome"/>
    Task<CodecOutcome> OutcomeAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, DateTimeOffset?)"/>
    void Append(string json, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, DateTimeOffset?)"/>
    Task AppendAsync(string json, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, DateTimeOffset?)"/>
    Task AppendAsync(string json, CancellationToken cancellationToken = default) => AppendAsync(json, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    void Append(string json, AccpPeer? peer, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    Task AppendAsync(string json, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>
    long AppendMessages(AccpInterface form, string json, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>
    Task<long> AppendMessagesAsync(AccpInterface form, string json, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.AppendMessages(AccpInterface, Utf8Text, DateTimeOffset?)"/>
    Task<long> AppendMessagesAsync(AccpInterface form, string json, CancellationToken cancellationToken = default) => AppendMessagesAsync(form, json, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.AppendMessages(AccpInterface, Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    long AppendMessages(AccpInterface form, string json, AccpPeer? peer, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.AppendMessages(AccpInterface, Utf8Text, AccpPeer?, DateTimeOffset?)"/>
    Task<long> AppendMessagesAsync(AccpInterface form, string json, AccpPeer? peer, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.AppendHistory"/>
    HistoryReport AppendHistory(AccpInterface? form, string json, string? branch = null, AccpPeer? peer = null, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.AppendHistory"/>
    Task<HistoryReport> AppendHistoryAsync(AccpInterface? form, string json, string? branch, AccpPeer? peer = null, DateTimeOffset? at = null,
        CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.AppendHistory"/>
    Task<HistoryReport> AppendHistoryAsync(AccpInterface? form, string json, CancellationToken cancellationToken = default) =>
        AppendHistoryAsync(form, json, null, null, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Put"/>
    void Put(string name, string json, DateTimeOffset? expires = null);

    /// <inheritdoc cref="EngineSession.Put"/>
    Task PutAsync(string name, string json, DateTimeOffset? expires = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.SendState"/>
    string? SendState(string agent, string json, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.SendState"/>
    Task<string?> SendStateAsync(string agent, string json, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.IsCancelled"/>
    bool IsCancelled(string cid);

    /// <inheritdoc cref="EngineSession.IsCancelled"/>
    Task<bool> IsCancelledAsync(string cid, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Deliveries"/>
    IReadOnlyList<Delivery> Deliveries();

    /// <inheritdoc cref="EngineSession.Deliveries"/>
    Task<IReadOnlyList<Delivery>> DeliveriesAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Expire"/>
    void Expire(DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Expire"/>
    Task ExpireAsync(DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Retry"/>
    string Retry(long record, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Retry"/>
    Task<string> RetryAsync(long record, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.RemoveParts"/>
    void RemoveParts(string cid, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.RemoveParts"/>
    Task RemovePartsAsync(string cid, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.End"/>
    void End(DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.End"/>
    Task EndAsync(DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Sync"/>
    void Sync();

    /// <inheritdoc cref="EngineSession.Sync"/>
    Task SyncAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Checkpoint"/>
    void Checkpoint(DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Checkpoint"/>
    Task CheckpointAsync(DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Context(long)"/>
    SessionContext Context(long budgetTokens = 0);

    /// <inheritdoc cref="EngineSession.Context(long)"/>
    Task<SessionContext> ContextAsync(long budgetTokens = 0, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ContextBlocks"/>
    IReadOnlyList<ContextBlock> ContextBlocks(long budgetTokens = 0);

    /// <inheritdoc cref="EngineSession.ContextBlocks"/>
    Task<IReadOnlyList<ContextBlock>> ContextBlocksAsync(long budgetTokens = 0, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ContextPages"/>
    string ContextPages();

    /// <inheritdoc cref="EngineSession.ContextPages"/>
    Task<string> ContextPagesAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ContextMessages(AccpInterface, long)"/>
    SessionMessages ContextMessages(AccpInterface form, long budgetTokens = 0);

    /// <inheritdoc cref="EngineSession.ContextMessages(AccpInterface, long)"/>
    Task<SessionMessages> ContextMessagesAsync(AccpInterface form, long budgetTokens = 0, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Answer(Utf8Text, DateTimeOffset?)"/>
    string Answer(string arguments, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Answer(Utf8Text, DateTimeOffset?)"/>
    Task<string> AnswerAsync(string arguments, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Answer(Utf8Text, DateTimeOffset?)"/>
    Task<string> AnswerAsync(string arguments, CancellationToken cancellationToken = default) => AnswerAsync(arguments, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Budget"/>
    TokenBudget Budget();

    /// <inheritdoc cref="EngineSession.Budget"/>
    Task<TokenBudget> BudgetAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Record"/>
    SessionRecord Record(long number);

    /// <inheritdoc cref="EngineSession.Record"/>
    Task<SessionRecord> RecordAsync(long number, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.RegistryOf"/>
    SchemaRegistry RegistryOf(long record);

    /// <inheritdoc cref="EngineSession.RegistryOf"/>
    Task<SchemaRegistry> RegistryOfAsync(long record, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Resolve"/>
    string Resolve(string name, string? owner = null, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Resolve"/>
    Task<string> ResolveAsync(string name, string? owner = null, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ResolveElement"/>
    JsonElement ResolveElement(string name, string? owner = null, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.ResolveElement"/>
    Task<JsonElement> ResolveElementAsync(string name, string? owner = null, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Remove"/>
    void Remove(string name);

    /// <inheritdoc cref="EngineSession.Remove"/>
    Task RemoveAsync(string name, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.AddGrant"/>
    void AddGrant(string grantee, string prefix, DateTimeOffset? expires = null);

    /// <inheritdoc cref="EngineSession.AddGrant"/>
    Task AddGrantAsync(string grantee, string prefix, DateTimeOffset? expires = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.RemoveGrant"/>
    void RemoveGrant(string grantee, string prefix);

    /// <inheritdoc cref="EngineSession.RemoveGrant"/>
    Task RemoveGrantAsync(string grantee, string prefix, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.State"/>
    JsonElement State();

    /// <inheritdoc cref="EngineSession.State"/>
    Task<JsonElement> StateAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.PutPacket"/>
    string PutPacket(ContextPacket packet);

    /// <inheritdoc cref="EngineSession.PutPacket"/>
    Task<string> PutPacketAsync(ContextPacket packet, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.SendPacket"/>
    string SendPacket(string json, ContextPacket packet, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.SendPacket"/>
    Task<string> SendPacketAsync(string json, ContextPacket packet, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ReadPacket"/>
    void ReadPacket(string message, ContextPacket packet, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.ReadPacket"/>
    Task ReadPacketAsync(string message, ContextPacket packet, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.AnswerPacket"/>
    string AnswerPacket(string request, string agent, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.AnswerPacket"/>
    Task<string> AnswerPacketAsync(string request, string agent, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.MakePacket"/>
    void MakePacket(ContextPacket packet, string task = "", PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "", DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.MakePacket"/>
    Task MakePacketAsync(ContextPacket packet, string task = "", PacketDepth depth = PacketDepth.Standard,
        long budgetTokens = 0, string creator = "", DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.SetPanes"/>
    void SetPanes(ProjectPanes? panes, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.SetPanes"/>
    Task SetPanesAsync(ProjectPanes? panes, DateTimeOffset? at = null, CancellationToken cancellationToken = default);
}
