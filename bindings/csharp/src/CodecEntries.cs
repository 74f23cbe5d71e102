// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

// Maps records to sessions. A session is opened when its record is first used; a record whose state
// belongs to another session is refused before anything is done.
public sealed partial class AccpCodec
{
    private readonly object gate = new();
    private readonly Dictionary<string, Entry> entries = [];
    private readonly Dictionary<(IExternalStore, SchemaRegistry), Kind> kinds = [];
    private bool disposed;

    // Sessions of one cold store and registry share an engine, which is notified of a new registry
    // version.
    private sealed class Kind(AccpEngine engine, Handle version)
    {
        internal readonly AccpEngine Engine = engine;
        internal Handle Version = version;
    }

    // A session with its undelivered results: messages that came with another frame, frames after
    // the first.
    private sealed class Entry(string id, IExternalStore cold, SchemaRegistry registry, Kind kind)
    {
        internal readonly string Id = id;
        internal readonly IExternalStore Cold = cold;
        internal readonly SchemaRegistry Registry = registry;
        internal readonly Kind Kind = kind;
        internal readonly CallQueue Opening = new();
        internal readonly Queue<AgentMessage> Waiting = new();  // this and the next are guarded by the entry's lock
        internal readonly Queue<AccpFrame> Parts = new();
        internal volatile EngineSession? Session;

        internal bool Has(AccpSession session) => Session != null && session.HotState.IsOf(Session, HotTier) && session.WarmState.IsOf(Session, WarmTier);
    }

    private const string HotTier = "hot.", WarmTier = "warm.";

    private Entry Opened(AccpSession session, string cold = "session")
    {
        Entry entry = Find(session, cold);
        if (entry.Has(session)) return entry;
        entry.Opening.Enter();
        try
        {
            EngineSession open = entry.Session ??= entry.Kind.Engine.Open(entry.Id);
            lock (gate)
                if (disposed) open.Dispose();
            if (!session.HotState.Bind(HotTier, open) || !session.WarmState.Bind(WarmTier, open)) Find(session, cold);  // another thread bound it before: refuses
            return entry;
        }
        finally
        {
            entry.Opening.Exit();
        }
    }

    private async Task<Entry> OpenedAsync(AccpSession session, CancellationToken cancellationToken, string cold = "session")
    {
        Entry entry = Find(session, cold);
        cancellationToken.ThrowIfCancellationRequested();
        if (entry.Has(session)) return entry;
        if (entry.Opening.IsInside) throw CallQueue.Reentered();
        await entry.Opening.EnterAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        entry.Opening.Grant();
        try
        {
            return Opened(session, cold);
        }
        finally
        {
            entry.Opening.EndGrant();
        }
    }

    // Returns the entry of a record. cold: the parameter with the cold store.
    private Entry Find(AccpSession session, string cold)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (session is { SessionId: null } or { HotState: null } or { WarmState: null } or { ColdState: null } or { Registry: null })
            throw new ArgumentException("a member of the record is null", nameof(session));
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            bool isKnown = entries.TryGetValue(session.SessionId, out Entry? entry);
            if (isKnown && (entry!.Cold != session.ColdState || entry.Registry != session.Registry))
                throw new ArgumentException("a session of this id is open with another cold store or registry", cold);
            CheckState(session, session.HotState, HotTier, entry?.Session);
            CheckState(session, session.WarmState, WarmTier, entry?.Session);
            Kind kind = KindOf(session.ColdState, session.Registry);
            if (!isKnown) entries.Add(session.SessionId, entry = new Entry(session.SessionId, session.ColdState, session.Registry, kind));
            return entry!;
        }
    }

    // A copied record shares the states of its original.
    private static void CheckState(AccpSession session, StateStore state, string tier, EngineSession? open)
    {
        if (ReferenceEquals(session.HotState, session.WarmState))
            throw new ArgumentException("HotState and WarmState are one object: each tier has a StateStore of its own", nameof(session));
        if (state.Owner is { } owner && !(owner == open && state.IsOf(open, tier)))
            throw new ArgumentException($"the record names session '{session.SessionId}', and its state for {tier} is that of session '{owner.Id}': " +
                "make a record with OpenSession, or give the copy a new StateStore", nameof(session));
    }

    private Kind KindOf(IExternalStore cold, SchemaRegistry registry)
    {
        Handle version = registry.Current;
        if (!kinds.TryGetValue((cold, registry), out Kind? kind))
        {
            AccpConfig own = config.Copy();
            (own.Store, own.Registry, own.ColdStore) = (store, registry, ReferenceEquals(cold, ExternalStore.Inside) ? null : cold);
            if (own.Agreement is { Registry: not null } agreed) own.Agreement = agreed with { Registry = registry };
            kinds.Add((cold, registry), kind = new Kind(new AccpEngine(own), version));
        }
        if (kind.Version != version)
        {
            kind.Engine.RegisterSchema(registry.Canonical);
            kind.Version = version;
        }
        return kind;
    }

    /// <summary>
    /// Closes its sessions, which stay in the store, after running calls have ended. It is final.
    /// </summary>
    public void Dispose()
    {
        lock (gate)
        {
            if (disposed) return;
            disposed = true;
        }
        foreach (Entry entry in entries.Values) entry.Session?.Dispose();
        Free();
    }

    /// <summary>The same, waiting for running calls without holding a thread.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (gate)
        {
            if (disposed) return;
            disposed = true;
        }
        foreach (Entry entry in entries.Values)
            if (entry.Session is { } open) await open.DisposeAsync().ConfigureAwait(false);
        Free();
    }

    private void Free()
    {
        foreach (Kind kind in kinds.Values) kind.Engine.Dispose();
        if (ownsStore) store.Dispose();
        if (ownsRegistry) Registry.Dispose();
    }
}
