// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

namespace Accp;

#pragma warning disable CA1716 // End and Erase are what the library calls them.
/// <summary>What <see cref="EngineSession"/> does, for programs that put something else in its place, as tests do. Texts are strings here.</summary>
public interface IEngineSession : IDisposable, IAsyncDisposable
{
    /// <inheritdoc cref="EngineSession.Id"/>
    string Id { get; }

    /// <inheritdoc cref="EngineSession.NextDeadline"/>
    DateTimeOffset? NextDeadline { get; }

    /// <inheritdoc cref="EngineSession.NextDeadline"/>
    Task<DateTimeOffset?> GetNextDeadlineAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Checkpoints"/>
    int Checkpoints { get; }

    /// <inheritdoc cref="EngineSession.Checkpoints"/>
    Task<int> GetCheckpointsAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Records"/>
    long Records { get; }

    /// <inheritdoc cref="EngineSession.Records"/>
    Task<long> GetRecordsAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.StateVersion"/>
    long StateVersion { get; }

    /// <inheritdoc cref="EngineSession.StateVersion"/>
    Task<long> GetStateVersionAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Receive(Utf8Text, DateTimeOffset?)"/>
    Receipt Receive(string frame, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Receive(Utf8Text, DateTimeOffset?)"/>
    Task<Receipt> ReceiveAsync(string frame, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Receive(Utf8Text, DateTimeOffset?)"/>
    Task<Receipt> ReceiveAsync(string frame, CancellationToken cancellationToken = default) => ReceiveAsync(frame, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.ReceiveFrom"/>
    Receipt ReceiveFrom(string agents, string frame, AccpOrigin origin = AccpOrigin.Untrusted, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.ReceiveFrom"/>
    Task<Receipt> ReceiveFromAsync(string agents, string frame, AccpOrigin origin = AccpOrigin.Untrusted, DateTimeOffset? at = null,
        CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Send(Utf8Text, DateTimeOffset?)"/>
    string Send(string json, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Send(Utf8Text, DateTimeOffset?)"/>
    Task<string> SendAsync(string json, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Send(Utf8Text, DateTimeOffset?)"/>
    Task<string> SendAsync(string json, CancellationToken cancellationToken = default) => SendAsync(json, null, cancellationToken);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, DateTimeOffset?)"/>
    void Append(string json, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, DateTimeOffset?)"/>
    Task AppendAsync(string json, DateTimeOffset? at, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Append(Utf8Text, DateTimeOffset?)"/>
    Task AppendAsync(string json, CancellationToken cancellationToken = default) => AppendAsync(json, null, cancellationToken);

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

    /// <inheritdoc cref="EngineSession.Abandon"/>
    void Abandon(string cid, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Abandon"/>
    Task AbandonAsync(string cid, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

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

    /// <inheritdoc cref="EngineSession.Budget"/>
    TokenBudget Budget();

    /// <inheritdoc cref="EngineSession.Budget"/>
    Task<TokenBudget> BudgetAsync(CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Record"/>
    SessionRecord Record(long number);

    /// <inheritdoc cref="EngineSession.Record"/>
    Task<SessionRecord> RecordAsync(long number, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Resolve"/>
    string Resolve(string name, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.Resolve"/>
    Task<string> ResolveAsync(string name, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ResolveElement"/>
    JsonElement ResolveElement(string name, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.ResolveElement"/>
    Task<JsonElement> ResolveElementAsync(string name, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.ResolveOf"/>
    string ResolveOf(string owner, string name, DateTimeOffset? at = null);

    /// <inheritdoc cref="EngineSession.ResolveOf"/>
    Task<string> ResolveOfAsync(string owner, string name, DateTimeOffset? at = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Erase"/>
    void Erase(string name);

    /// <inheritdoc cref="EngineSession.Erase"/>
    Task EraseAsync(string name, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Grant"/>
    void Grant(string grantee, string prefix, DateTimeOffset? expires = null);

    /// <inheritdoc cref="EngineSession.Grant"/>
    Task GrantAsync(string grantee, string prefix, DateTimeOffset? expires = null, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.Revoke"/>
    void Revoke(string grantee, string prefix);

    /// <inheritdoc cref="EngineSession.Revoke"/>
    Task RevokeAsync(string grantee, string prefix, CancellationToken cancellationToken = default);

    /// <inheritdoc cref="EngineSession.State"/>
    JsonElement State();

    /// <inheritdoc cref="EngineSession.State"/>
    Task<JsonElement> StateAsync(CancellationToken cancellationToken = default);
}
