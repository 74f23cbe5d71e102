// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>
/// What sessions of one kind share: store, registry, tokenizer, rules. Any number of threads may
/// open sessions with an engine.
/// </summary>
public sealed unsafe partial class AccpEngine : NativeObject, IAccpEngine
{
    private readonly bool keepsInMemory;

    /// <summary>Makes an engine; config null: all defaults.</summary>
    /// <exception cref="AccpArgumentException">Messages in parts without q1, or an invalid
    /// agreement.</exception>
    public AccpEngine(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        if (config == null && Telemetry.HasListeners) config = new AccpConfig();
        using var made = new NativeConfig(config);
        void* engine;
        ErrorDetail error;
        Check.Ok(Native.accp_engine_new(made.Pointer, &engine, &error), error);
        Own(made.Own(engine, &Free, Weight.Engine));
        Telemetry.Add(engine);
        Traces = config?.Traces ?? Telemetry.HasListeners;
        Clock = config?.Clock ?? TimeProvider.System;
        keepsInMemory = config?.Store?.IsInMemory ?? true;
    }

    private static void Free(void* engine)
    {
        Telemetry.Remove(engine);
        Native.accp_engine_free(engine);
    }

    internal TimeProvider Clock { get; }

    internal bool Traces { get; }

    // Sessions write to native memory, which is freed with the engine and its store.
    internal void Kept(nuint bytes)
    {
        if (keepsInMemory) Grow((long)bytes);
    }

    /// <summary>
    /// Opens a session. For writing it is created if it does not exist, and an earlier writer, in
    /// this or another process, loses its right to write.
    /// </summary>
    /// <exception cref="AccpRefNotFoundException">For reading: the session does not
    /// exist.</exception>
    public EngineSession Open(string id, SessionModes modes = SessionModes.None)
    {
        Utf8Text text = Utf8Text.Of(id);
        using var use = Borrow();
        void* session;
        ErrorDetail error;
        fixed (byte* bytes = text)
            HookHost.Ok(Native.accp_session_open(use.Pointer, bytes, text.Length, (uint)modes, &session, &error), error);
        return new EngineSession(this, id, session);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<EngineSession> OpenAsync(string id, SessionModes modes = SessionModes.None, CancellationToken cancellationToken = default) =>
        Task.Run(() => Open(id, modes), cancellationToken);

    /// <summary>
    /// Adds schemas to the engine's registry for every later call on all its sessions, also open
    /// ones. Both sides must do it, or negotiate again.
    /// </summary>
    public void RegisterSchema(Utf8Text document)
    {
        document.Check(nameof(document));
        using var use = Borrow();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_engine_register_schema(use.Pointer, bytes, document.Length, &error), error);
    }

    /// <summary>
    /// Returns all counts of the engine over its sessions, except for <see cref="Outcomes"/>.
    /// </summary>
    public IReadOnlyList<EngineMetric> Metrics()
    {
        using var use = Borrow();
        var all = new List<EngineMetric>();
        for (int i = 0; Native.accp_metric_name(i) != null; ++i)
            all.Add(new EngineMetric(Utf8.Static(Native.accp_metric_name(i)), Utf8.Static(Native.accp_metric_unit_name(i)), checked((long)Native.accp_engine_metric(use.Pointer, i))));
        return all;
    }

    /// <summary>
    /// Returns how many calls ended with this status: those that received a frame (<paramref
    /// name="received"/>), or those that made one.
    /// </summary>
    public long Outcomes(bool received, AccpStatus status)
    {
        using var use = Borrow();
        return checked((long)Native.accp_engine_outcome_count(use.Pointer, received ? 1 : 0, (int)status));
    }

    /// <summary>Returns a new reference to the current registry. The caller disposes it.</summary>
    public SchemaRegistry Registry()
    {
        using var use = Borrow();
        return SchemaRegistry.Own(Native.accp_engine_share_registry(use.Pointer));
    }
}
