// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The codec of specification 7.1 over sessions of the library: <see cref="Encode"/> is what is sent, <see cref="Decode"/> what has come in. Any number of threads may use
/// one; calls of one session follow one another.
/// </summary>
public sealed class AccpCodec : IAccpCodec, IDisposable
{
    private readonly object gate = new();
    private readonly EngineSetup setup;
    private readonly AccpStore store;
    private readonly bool ownsStore, ownsRegistry;
    private readonly Dictionary<string, Entry> entries = [];
    private readonly Dictionary<(IExternalStore, Handle), AccpEngine> engines = [];
    private bool disposed;

    // A session that is open: under which registry, and what it has handed out that nobody has asked for.
    private sealed class Entry(AccpSession session)
    {
        internal readonly IExternalStore Cold = session.ColdState;
        internal readonly SchemaRegistry Registry = session.Registry;
        internal readonly Queue<AgentMessage> Waiting = new();
        internal Handle? Under;
        internal EngineSession? Open;
    }

    /// <summary>Makes a codec; setup null: sessions in memory, the schemas of the profiles, q1.</summary>
    public AccpCodec(EngineSetup? setup = null)
    {
        this.setup = setup ?? new EngineSetup();
        ownsStore = this.setup.Store == null;
        ownsRegistry = this.setup.Registry == null;
        store = this.setup.Store ?? AccpStore.Open("memory:");
        Registry = this.setup.Registry ?? new SchemaRegistry();
    }

    /// <summary>The schemas of sessions that <see cref="OpenSession"/> makes.</summary>
    public SchemaRegistry Registry { get; }

    /// <summary>Opens a session, or the one of this id that the store has.</summary>
    public AccpSession OpenSession(string sessionId, IExternalStore? coldState = null)
    {
        var session = new AccpSession(sessionId, new StateStore(), new StateStore(), coldState ?? setup.ColdStore ?? ExternalStore.Inside, Registry, 0);
        return session with { CurrentCheckpointVersion = Of(session).Checkpoints };
    }

    /// <inheritdoc/>
    public AccpFrame Encode(AgentMessage message, AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(message);
        return AccpFrame.Parse(Of(session).Send(message.ToJsonUtf8()), setup.Extensions.HasFlag(AccpExtensions.U8) ? AccpDialect.U8 : AccpDialect.Strict);
    }

    /// <inheritdoc/>
    /// <remarks>A frame may bring others that had waited for it: <see cref="TakeWaiting"/> has them.</remarks>
    /// <exception cref="AccpHeldException">The frame waits for an earlier one, and its message will come with that.</exception>
    /// <exception cref="AccpDroppedException">Expired, or of a chain that was cancelled: answer nothing.</exception>
    public AgentMessage Decode(AccpFrame frame, AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(frame);
        EngineSession open = Of(session);
        lock (open)
        {
            Receipt receipt = open.Receive(frame.ToCanonical());
            var brought = new Queue<AgentMessage>();
            foreach (Delivery delivery in open.Deliveries())
                if (delivery.Status == AccpStatus.Ok) brought.Enqueue(delivery.ToMessage());
            if (receipt != Receipt.Applied) throw AccpExceptions.Make((int)receipt, 0, "");
            if (!brought.TryDequeue(out AgentMessage? message)) throw new AccpInternalErrorException(0, "a frame that was applied brought no message");
            lock (gate)
                foreach (AgentMessage later in brought) entries[session.SessionId].Waiting.Enqueue(later);
            return message;
        }
    }

    /// <summary>The messages that had waited for a frame that was decoded since the last call, in their order.</summary>
    public IReadOnlyList<AgentMessage> TakeWaiting(AccpSession session)
    {
        _ = Of(session);
        lock (gate)
        {
            Queue<AgentMessage> waiting = entries[session.SessionId].Waiting;
            AgentMessage[] all = [.. waiting];
            waiting.Clear();
            return all;
        }
    }

    /// <inheritdoc/>
    public CheckpointResult Checkpoint(AccpSession session)
    {
        EngineSession open = Of(session);
        lock (open)
        {
            open.Checkpoint();
            int version = open.Checkpoints;
            string reference = FormattableString.Invariant($"warm.ckpt_{version}");
            return new CheckpointResult(version, reference, version == 0 ? default : open.ResolveElement(reference), session with { CurrentCheckpointVersion = version });
        }
    }

    /// <inheritdoc/>
    public TokenBudget GetBudget(AccpSession session) => Of(session).Budget();

    /// <summary>What a model should be given now, instead of the history.</summary>
    public SessionContext GetContext(AccpSession session, long budgetTokens = 0) => Of(session).Context(budgetTokens);

    /// <inheritdoc/>
    /// <remarks>In force for the sessions of <see cref="Registry"/> from their next call on. The other side must do the same.</remarks>
    public void RegisterSchema(string name, AccpSchema schema) => Registry.Register(name, schema);

    /// <summary>The library's session behind a record: everything else that sessions can do.</summary>
    public EngineSession Open(AccpSession session) => Of(session);

    // Opened by its id when it is first seen, and again when its registry has another version.
    private EngineSession Of(AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        EngineSession open;
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            if (!entries.TryGetValue(session.SessionId, out Entry? entry)) entry = new Entry(session);
            if (!ReferenceEquals(entry.Cold, session.ColdState) || !ReferenceEquals(entry.Registry, session.Registry))
                throw new ArgumentException("a session of this id is open with another cold store or registry", nameof(session));
            Handle registry = session.Registry.Current;
            if (entry.Open == null || entry.Under != registry)
            {
                entry.Open?.Dispose();
                entry.Open = EngineFor(entry.Cold, session.Registry, registry).Open(session.SessionId);
                entry.Under = registry;
                entries[session.SessionId] = entry;
            }
            open = entry.Open;
        }
        string id = session.SessionId;
        session.HotState.Bind("hot.", () => Current(id));
        session.WarmState.Bind("warm.", () => Current(id));
        return open;
    }

    private EngineSession Current(string sessionId)
    {
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            return entries[sessionId].Open!;
        }
    }

    private AccpEngine EngineFor(IExternalStore cold, SchemaRegistry registry, Handle version)
    {
        if (engines.TryGetValue((cold, version), out AccpEngine? made)) return made;
        var own = new EngineSetup
        {
            Store = store,
            Registry = registry,
            Extensions = setup.Extensions,
            Tokenizer = setup.Tokenizer,
            ColdStore = ReferenceEquals(cold, ExternalStore.Inside) ? null : cold,
            Clock = setup.Clock,
            Options = setup.Options,
        };
        foreach (KeyValuePair<AccpRule, long> rule in setup.Rules) own.Rules.Add(rule);
        made = new AccpEngine(own);
        engines.Add((cold, version), made);
        return made;
    }

    /// <summary>Closes its sessions, which stay in the store.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            if (disposed) return;
            disposed = true;
            foreach (Entry entry in entries.Values) entry.Open?.Dispose();
            foreach (AccpEngine engine in engines.Values) engine.Dispose();
            if (ownsStore) store.Dispose();
            if (ownsRegistry) Registry.Dispose();
        }
    }
}
