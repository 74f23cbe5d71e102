// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
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
    private readonly Dictionary<(IExternalStore, SchemaRegistry), Kind> kinds = [];
    private bool disposed;

    // Sessions of one cold store and registry share an engine, which is told when the registry has another version.
    private sealed class Kind(AccpEngine engine, Handle version)
    {
        internal readonly AccpEngine Engine = engine;
        internal Handle Version = version;
    }

    // A session that is open, and what nobody has asked for yet: messages that came with another one's frame, frames behind the first.
    private sealed class Entry(Kind kind, EngineSession open)
    {
        internal readonly Kind Kind = kind;
        internal readonly EngineSession Open = open;
        internal readonly Queue<AgentMessage> Waiting = new();
        internal readonly Queue<AccpFrame> Parts = new();
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
    /// <remarks>With <see cref="AccpRule.Parts"/> a message may take several frames: this is the first, and <see cref="TakeParts"/> has those to be sent behind it.</remarks>
    public AccpFrame Encode(AgentMessage message, AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(message);
        string[] frames = Of(session).Send(message.ToJsonUtf8()).Split('\n');
        lock (gate)
            foreach (string part in frames.AsSpan(1)) entries[session.SessionId].Parts.Enqueue(Parse(part));
        return Parse(frames[0]);
    }

    private AccpFrame Parse(string frame) => AccpFrame.Parse(frame, setup.Extensions.HasFlag(AccpExtensions.U8) ? AccpDialect.U8 : AccpDialect.Strict);

    /// <summary>The frames to be sent behind those that were encoded since the last call, in their order.</summary>
    public IReadOnlyList<AccpFrame> TakeParts(AccpSession session) => Take(session, entry => entry.Parts);

    /// <inheritdoc/>
    /// <remarks>A frame may bring others that had waited for it: <see cref="TakeWaiting"/> has them.</remarks>
    /// <exception cref="AccpHeldException">The frame waits for an earlier one, or is a part of a message that is not whole: its message will come with another.</exception>
    /// <exception cref="AccpDroppedException">Expired, or of a chain that was cancelled: answer nothing.</exception>
    public AgentMessage Decode(AccpFrame frame, AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(frame);
        EngineSession open = Of(session);
        lock (open)
        {
            Receipt receipt = open.Receive(frame.ToCanonical());
            IReadOnlyList<Delivery> brought = open.Deliveries();
            AgentMessage? own = null;
            lock (gate)
            {
                foreach (Delivery delivery in brought)
                {
                    if (delivery.Status != AccpStatus.Ok) continue;
                    AgentMessage message = delivery.ToMessage();
                    if (own == null && receipt == Receipt.Applied && IsOf(frame, message)) own = message;
                    else entries[session.SessionId].Waiting.Enqueue(message);
                }
            }
            return own ?? throw AccpExceptions.Make((int)(receipt == Receipt.Dropped ? AccpStatus.Dropped : AccpStatus.Held), 0, "");
        }
    }

    // By its mid; of a part by its chain: the message's cid, or else the mid that it had in its first part.
    private static bool IsOf(AccpFrame frame, AgentMessage message)
    {
        Dictionary<string, string> metadata = frame.Metadata!;
        return metadata.ContainsKey("ft")
            ? metadata.TryGetValue("cid", out string? chain) && (Field(message, "cid") == chain || Field(message, "mid") == chain)
            : metadata.TryGetValue("mid", out string? mid) && Field(message, "mid") == mid;
    }

    // One of digits alone is a number in JSON.
    private static string? Field(AgentMessage message, string name) =>
        Convert.ToString(message.Metadata?.GetValueOrDefault(name), CultureInfo.InvariantCulture);

    /// <summary>The messages that had waited for a frame that was decoded since the last call, in their order.</summary>
    public IReadOnlyList<AgentMessage> TakeWaiting(AccpSession session) => Take(session, entry => entry.Waiting);

    private T[] Take<T>(AccpSession session, Func<Entry, Queue<T>> from)
    {
        _ = Of(session);
        lock (gate)
        {
            Queue<T> queue = from(entries[session.SessionId]);
            T[] all = [.. queue];
            queue.Clear();
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

    // Opened by its id when it is first seen.
    private EngineSession Of(AccpSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        EngineSession open;
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            Kind kind = KindOf(session.ColdState, session.Registry);
            if (!entries.TryGetValue(session.SessionId, out Entry? entry))
                entries.Add(session.SessionId, entry = new Entry(kind, kind.Engine.Open(session.SessionId)));
            if (entry.Kind != kind) throw new ArgumentException("a session of this id is open with another cold store or registry", nameof(session));
            open = entry.Open;
        }
        session.HotState.Bind("hot.", open);
        session.WarmState.Bind("warm.", open);
        return open;
    }

    private Kind KindOf(IExternalStore cold, SchemaRegistry registry)
    {
        Handle version = registry.Current;
        if (!kinds.TryGetValue((cold, registry), out Kind? kind))
        {
            var own = new EngineSetup
            {
                Store = store,
                Registry = registry,
                Extensions = setup.Extensions,
                Tokenizer = setup.Tokenizer,
                ColdStore = ReferenceEquals(cold, ExternalStore.Inside) ? null : cold,
                Resolver = setup.Resolver,
                Summariser = setup.Summariser,
                Log = setup.Log,
                Clock = setup.Clock,
                Options = setup.Options,
            };
            foreach (string key in setup.Redacted) own.Redacted.Add(key);
            foreach (KeyValuePair<AccpRule, long> rule in setup.Rules) own.Rules.Add(rule);
            kinds.Add((cold, registry), kind = new Kind(new AccpEngine(own), version));
        }
        if (kind.Version != version)
        {
            kind.Engine.RegisterSchema(registry.Canonical);
            kind.Version = version;
        }
        return kind;
    }

    /// <summary>Closes its sessions, which stay in the store.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            if (disposed) return;
            disposed = true;
            foreach (Entry entry in entries.Values) entry.Open.Dispose();
            foreach (Kind kind in kinds.Values) kind.Engine.Dispose();
            if (ownsStore) store.Dispose();
            if (ownsRegistry) Registry.Dispose();
        }
    }
}
