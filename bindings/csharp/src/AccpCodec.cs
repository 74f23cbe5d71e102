// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The codec of specification 7.1 over sessions of the library: <see cref="Encode"/> makes frames
/// to send, <see cref="Decode(AccpFrame, AccpSession)"/> takes incoming ones. Any number of threads
/// may use one; calls of one session queue. Each call has a form that waits without a thread.
/// </summary>
public sealed partial class AccpCodec : IAccpCodec, IDisposable, IAsyncDisposable
{
    private readonly AccpConfig config;
    private readonly AccpStore store;
    private readonly bool ownsStore, ownsRegistry;

    /// <summary>
    /// Makes a codec; config null: sessions in memory, the schemas of the profiles, q1.
    /// </summary>
    /// <exception cref="AccpArgumentException">Messages in parts without q1, or an invalid
    /// agreement.</exception>
    public AccpCodec(AccpConfig? config = null)
    {
        this.config = config?.Copy() ?? new AccpConfig();
        ownsStore = this.config.Store == null;
        SchemaRegistry? given = this.config.Agreement is { } agreed ? agreed.Registry : this.config.Registry;
        ownsRegistry = given == null;
        store = this.config.Store ?? AccpStore.Open("memory:");
        Registry = given ?? new SchemaRegistry(default, this.config.Agreement == null ? AccpProfiles.All : AccpProfiles.None);
        try
        {
            KindOf(this.config.ColdStore ?? ExternalStore.Inside, Registry);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The schemas of sessions from <see cref="OpenSession"/>.</summary>
    public SchemaRegistry Registry { get; }

    /// <summary>Opens a new or existing session of the store.</summary>
    public AccpSession OpenSession(string sessionId, IExternalStore? coldState = null)
    {
        AccpSession session = NewRecord(sessionId, coldState);
        return session with { CurrentCheckpointVersion = Opened(session, nameof(coldState)).Session!.NewestCheckpoint };
    }

    /// <summary>The same on the thread pool.</summary>
    public async Task<AccpSession> OpenSessionAsync(string sessionId, IExternalStore? coldState = null, CancellationToken cancellationToken = default)
    {
        AccpSession session = NewRecord(sessionId, coldState);
        Entry entry = await OpenedAsync(session, cancellationToken, nameof(coldState)).ConfigureAwait(false);
        return session with { CurrentCheckpointVersion = await entry.Session!.GetNewestCheckpointAsync(cancellationToken).ConfigureAwait(false) };
    }

    private AccpSession NewRecord(string sessionId, IExternalStore? coldState)
    {
        ArgumentNullException.ThrowIfNull(sessionId);
        return new AccpSession(sessionId, new StateStore(), new StateStore(), coldState ?? config.ColdStore ?? ExternalStore.Inside, Registry, 0);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// With <see cref="AccpRule.Parts"/> a message may become several frames: this is the first,
    /// and <see cref="TakeParts"/> returns the others.
    /// </remarks>
    public AccpFrame Encode(AgentMessage message, AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(message);
        return EncodeIn(Opened(session), message.ToJsonUtf8(config.Json));
    }

    /// <summary>
    /// The same without holding a thread while it waits; it reads the message before it returns.
    /// </summary>
    public async Task<AccpFrame> EncodeAsync(AgentMessage message, AccpSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        byte[] json = message.ToJsonUtf8(config.Json);
        Entry entry = await OpenedAsync(session, cancellationToken).ConfigureAwait(false);
        return await entry.Session!.Queued(() => EncodeIn(entry, json), cancellationToken).ConfigureAwait(false);
    }

    private AccpFrame EncodeIn(Entry entry, byte[] json) => FirstOf(entry, then => entry.Session!.Send(json, null, then));

    /// <summary>
    /// Encodes a reply as <see cref="Encode"/> does, with the cid of the request and its mid as aid
    /// (specification 3.5), unless the reply's metadata has them.
    /// </summary>
    /// <param name="request">The message to reply to, as
    /// <see cref="Decode(AccpFrame, AccpSession)"/> returned it.</param>
    /// <param name="answer">The reply.</param>
    /// <param name="session">The session.</param>
    /// <exception cref="AccpDroppedException">Its chain was cancelled: only ack and cancel are
    /// sent.</exception>
    /// <exception cref="AccpParseErrorException">The request has neither cid nor mid.</exception>
    public AccpFrame Reply(AgentMessage request, AgentMessage answer, AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(answer);
        return ReplyIn(Opened(session), request.ToJsonUtf8(config.Json), answer.ToJsonUtf8(config.Json));
    }

    /// <summary>
    /// The same without holding a thread while it waits; it reads the messages before it returns.
    /// </summary>
    public async Task<AccpFrame> ReplyAsync(AgentMessage request, AgentMessage answer, AccpSession session, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(answer);
        byte[] asked = request.ToJsonUtf8(config.Json), json = answer.ToJsonUtf8(config.Json);
        Entry entry = await OpenedAsync(session, cancellationToken).ConfigureAwait(false);
        return await entry.Session!.Queued(() => ReplyIn(entry, asked, json), cancellationToken).ConfigureAwait(false);
    }

    private AccpFrame ReplyIn(Entry entry, byte[] request, byte[] answer) => FirstOf(entry, then => entry.Session!.Reply(request, answer, null, then));

    // Returns the first frame; the others are for TakeParts.
    private AccpFrame FirstOf(Entry entry, Action<Action<string>> send)
    {
        AccpFrame? first = null;
        send(sent =>
        {
            string[] frames = sent.Split('\n');
            first = Parse(frames[0]);
            lock (entry)
                foreach (string part in frames.AsSpan(1)) entry.Parts.Enqueue(Parse(part));
        });
        return first!;
    }

    private AccpFrame Parse(string frame) =>
        AccpFrame.Parse(frame, (config.Agreement?.Extensions ?? config.Extensions).HasFlag(AccpExtensions.U8) ? AccpDialect.U8 : AccpDialect.Strict);

    /// <summary>
    /// Returns the other frames of messages that were encoded since the last call, in order.
    /// </summary>
    public IReadOnlyList<AccpFrame> TakeParts(AccpSession session) => Take(session, entry => entry.Parts);

    /// <inheritdoc/>
    /// <remarks>
    /// A frame may release others that waited for it: <see cref="TakeWaiting"/> returns them.
    /// </remarks>
    /// <exception cref="AccpHeldException">The frame waits for an earlier one, or is a part of an
    /// incomplete message: its message comes with another frame.</exception>
    /// <exception cref="AccpDroppedException">Expired, or its chain was cancelled: send no
    /// answer.</exception>
    public AgentMessage Decode(AccpFrame frame, AccpSession session) => Decode(frame, session, null);

    /// <summary>The same for a peer that the host has authenticated; null: a trusted one.</summary>
    /// <exception cref="AccpPolicyDeniedException">The peer may not use its name. The frame is not
    /// counted.</exception>
    public AgentMessage Decode(AccpFrame frame, AccpSession session, AccpPeer? peer)
    {
        ArgumentNullException.ThrowIfNull(frame);
        return DecodeIn(Opened(session), frame, frame.ToCanonical(), peer);
    }

    /// <summary>The same without holding a thread while it waits.</summary>
    public Task<AgentMessage> DecodeAsync(AccpFrame frame, AccpSession session, CancellationToken cancellationToken = default) =>
        DecodeAsync(frame, session, null, cancellationToken);

    /// <summary>The same without holding a thread while it waits.</summary>
    public async Task<AgentMessage> DecodeAsync(AccpFrame frame, AccpSession session, AccpPeer? peer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(frame);
        string text = frame.ToCanonical();
        Entry entry = await OpenedAsync(session, cancellationToken).ConfigureAwait(false);
        return await entry.Session!.Queued(() => DecodeIn(entry, frame, text, peer), cancellationToken).ConfigureAwait(false);
    }

    private static AgentMessage DecodeIn(Entry entry, AccpFrame frame, string text, AccpPeer? peer)
    {
        AgentMessage? own = null;
        Receipt receipt = entry.Session!.Receive(text, peer, null, (came, brought) =>
        {
            lock (entry)
            {
                foreach (Delivery delivery in brought)
                {
                    if (delivery.Status != AccpStatus.Ok) continue;
                    AgentMessage message = delivery.ToMessage();
                    if (own == null && came == Receipt.Applied && delivery.Mid == frame.Metadata?.GetValueOrDefault("mid")) own = message;
                    else entry.Waiting.Enqueue(message);
                }
            }
        });
        return own ?? throw AccpExceptions.Make((int)(receipt == Receipt.Dropped ? AccpStatus.Dropped : AccpStatus.Held), 0, "");
    }

    /// <summary>Returns the messages that frames since the last call released, in order.</summary>
    public IReadOnlyList<AgentMessage> TakeWaiting(AccpSession session) => Take(session, entry => entry.Waiting);

    private T[] Take<T>(AccpSession session, Func<Entry, Queue<T>> from)
    {
        Entry entry = Find(session, nameof(session));
        lock (entry)
        {
            Queue<T> queue = from(entry);
            T[] all = [.. queue];
            queue.Clear();
            return all;
        }
    }

    /// <inheritdoc/>
    public CheckpointResult Checkpoint(AccpSession session) => CheckpointIn(Opened(session), session);

    /// <summary>The same without holding a thread while it waits.</summary>
    public async Task<CheckpointResult> CheckpointAsync(AccpSession session, CancellationToken cancellationToken = default)
    {
        Entry entry = await OpenedAsync(session, cancellationToken).ConfigureAwait(false);
        return await entry.Session!.Queued(() => CheckpointIn(entry, session), cancellationToken).ConfigureAwait(false);
    }

    private static CheckpointResult CheckpointIn(Entry entry, AccpSession session)
    {
        var (version, reference, content) = entry.Session!.MakeCheckpoint();
        return new CheckpointResult(version, reference, content, session with { CurrentCheckpointVersion = version });
    }

    /// <inheritdoc/>
    public TokenBudget GetBudget(AccpSession session) => Opened(session).Session!.Budget();

    /// <summary>The same without holding a thread while it waits.</summary>
    public async Task<TokenBudget> GetBudgetAsync(AccpSession session, CancellationToken cancellationToken = default) =>
        await (await OpenAsync(session, cancellationToken).ConfigureAwait(false)).BudgetAsync(cancellationToken).ConfigureAwait(false);

    /// <summary>Returns the current context for a model in place of the history.</summary>
    public SessionContext GetContext(AccpSession session, long budgetTokens = 0) => Opened(session).Session!.Context(budgetTokens);

    /// <summary>The same without holding a thread while it waits.</summary>
    public async Task<SessionContext> GetContextAsync(AccpSession session, long budgetTokens = 0, CancellationToken cancellationToken = default) =>
        await (await OpenAsync(session, cancellationToken).ConfigureAwait(false)).ContextAsync(budgetTokens, cancellationToken).ConfigureAwait(false);

    /// <inheritdoc/>
    /// <remarks>
    /// It applies to the sessions of <see cref="Registry"/> from their next call on. The other side
    /// must do the same.
    /// </remarks>
    public void RegisterSchema(string name, AccpSchema schema)
    {
        ObjectDisposedException.ThrowIf(disposed, this);
        Registry.Register(name, schema);
    }

    /// <summary>
    /// Returns the library's session of a record, with all functions of sessions.
    /// </summary>
    public EngineSession Open(AccpSession session) => Opened(session).Session!;

    /// <summary>The same on the thread pool.</summary>
    public async Task<EngineSession> OpenAsync(AccpSession session, CancellationToken cancellationToken = default) =>
        (await OpenedAsync(session, cancellationToken).ConfigureAwait(false)).Session!;
}
