// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>What sessions of one kind share: store, registry, tokenizer, rules. Any number of threads may open sessions with it.</summary>
public sealed unsafe partial class AccpEngine : NativeObject, IAccpEngine
{
    private readonly bool keepsInMemory;

    /// <summary>Makes an engine; config null: every default.</summary>
    /// <exception cref="AccpArgumentException">Messages in parts without q1, or an agreement that is none.</exception>
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

    // What sessions write stays in native memory, which goes with the engine and its store.
    internal void Kept(nuint bytes)
    {
        if (keepsInMemory) Grow((long)bytes);
    }

    /// <summary>Opens a session; to write it is made where it is missing, and an older writer, here or elsewhere, is shut out.</summary>
    /// <exception cref="AccpRefNotFoundException">To read: there is no such session.</exception>
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
    /// Adds schemas to the engine's registry for every call on every session of it from now on, open ones too. Both sides must do it, or negotiate anew.
    /// </summary>
    public void RegisterSchema(Utf8Text document)
    {
        document.Check(nameof(document));
        using var use = Borrow();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_engine_register_schema(use.Pointer, bytes, document.Length, &error), error);
    }

    /// <summary>What the engine has counted since it was made, of all its sessions, but for <see cref="Outcomes"/>.</summary>
    public IReadOnlyList<EngineMetric> Metrics()
    {
        using var use = Borrow();
        var all = new List<EngineMetric>();
        for (int i = 0; Native.accp_metric_name(i) != null; ++i)
            all.Add(new EngineMetric(Utf8.Static(Native.accp_metric_name(i)), Utf8.Static(Native.accp_metric_unit_name(i)), checked((long)Native.accp_engine_metric(use.Pointer, i))));
        return all;
    }

    /// <summary>How many calls ended with this status: that took a frame (<paramref name="received"/>), or that made one.</summary>
    public long Outcomes(bool received, AccpStatus status)
    {
        using var use = Borrow();
        return checked((long)Native.accp_engine_outcomes(use.Pointer, received ? 1 : 0, (int)status));
    }

    /// <summary>The registry in force, with an owner more.</summary>
    public SchemaRegistry Registry()
    {
        using var use = Borrow();
        return SchemaRegistry.Own(Native.accp_engine_share_registry(use.Pointer));
    }
}
