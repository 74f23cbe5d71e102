// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>What sessions of one kind share: store, registry, tokenizer, rules. Any number of threads may open sessions with it.</summary>
public sealed unsafe partial class AccpEngine : NativeObject, IAccpEngine
{
    /// <summary>Makes an engine; setup null: every default.</summary>
    public AccpEngine(EngineSetup? setup = null)
    {
        LibraryResolver.CheckAbi();
        setup ??= new EngineSetup();
        Clock = setup.Clock;
        using var options = new AccpOptions.Made(setup.Options);
        var store = new Optional(setup.Store, setup.Store?.Shared);
        var registry = new Optional(setup.Registry, setup.Registry?.Current);
        var tokenizer = new Optional(setup.Tokenizer, setup.Tokenizer?.Shared);
        try
        {
            void* engine;
            ErrorDetail error;
            Check.Ok(Native.accp_engine_new(options.Pointer, store.Pointer, registry.Pointer, (uint)setup.Extensions, tokenizer.Pointer, &engine, &error), error);
            Own(new Handle(engine, &Free, Weight.Engine, setup.Tokenizer?.Shared));
            keepsInMemory = setup.Store == null || setup.Store.IsInMemory;
            foreach (KeyValuePair<AccpRule, long> rule in setup.Rules)
                Check.Ok(Native.accp_engine_set_rule(engine, (int)rule.Key, rule.Value, &error), error);
            SetAgents(engine, setup);
            SetCallbacks(engine, setup);
        }
        catch
        {
            Dispose();
            throw;
        }
        finally
        {
            store.Dispose();
            registry.Dispose();
            tokenizer.Dispose();
        }
    }

    private static void Free(void* engine) => Native.accp_engine_free(engine);

    internal TimeProvider Clock { get; }

    // What sessions write stays in native memory, which goes with the engine and its store.
    internal void Kept(nuint bytes)
    {
        if (keepsInMemory) Grow((long)bytes);
    }

    private readonly bool keepsInMemory;

    // A handle that may not be there, borrowed for one call.
    private readonly ref struct Optional
    {
        private readonly Use use;
        private readonly bool isThere;

        internal Optional(object? owner, Handle? handle)
        {
            isThere = handle != null;
            if (handle != null) use = new Use(handle, owner!);
        }

        internal void* Pointer => isThere ? use.Pointer : null;

        internal void Dispose()
        {
            if (isThere) use.Dispose();
        }
    }

    /// <summary>The name of a rule, such as <c>hot_max</c>.</summary>
    public static string Name(AccpRule rule) => Utf8.Static(Native.accp_rule_name((int)rule));

    /// <summary>Opens a session for writing; it is made where it is missing. An older writer, here or elsewhere, is shut out.</summary>
    public EngineSession Open(string id)
    {
        Utf8Text text = Utf8Text.Of(id);
        using var use = Borrow();
        void* session;
        ErrorDetail error;
        int status;
        fixed (byte* bytes = text)
            status = Native.accp_session_open(use.Pointer, bytes, text.Length, &session, &error);
        EngineCallbacks.Ok(status, error);
        return new EngineSession(this, id, session);
    }

    /// <summary>Opens a session to read it as it stands; who has it open to write goes on. Calls that would change something are refused.</summary>
    /// <exception cref="AccpRefNotFoundException">There is no such session.</exception>
    public EngineSession OpenRead(string id)
    {
        Utf8Text text = Utf8Text.Of(id);
        using var use = Borrow();
        void* session;
        ErrorDetail error;
        int status;
        fixed (byte* bytes = text)
            status = Native.accp_session_open_read(use.Pointer, bytes, text.Length, &session, &error);
        EngineCallbacks.Ok(status, error);
        return new EngineSession(this, id, session);
    }

    /// <summary>The same as <see cref="Open"/>, on the thread pool.</summary>
    public Task<EngineSession> OpenAsync(string id, CancellationToken cancellationToken = default) => Task.Run(() => Open(id), cancellationToken);

    /// <summary>The same as <see cref="OpenRead"/>, on the thread pool.</summary>
    public Task<EngineSession> OpenReadAsync(string id, CancellationToken cancellationToken = default) => Task.Run(() => OpenRead(id), cancellationToken);

    private void SetCallbacks(void* engine, EngineSetup setup)
    {
        Shared.Host(GCHandle.Alloc(new EngineHost(setup.ColdStore, setup.Resolver, setup.Summariser, setup.Log)));
        void* user = Shared.HostPointer;
        ErrorDetail error;
        if (setup.ColdStore != null)
            Check.Ok(Native.accp_engine_set_cold_store(engine, (delegate* unmanaged[Cdecl]<byte*, nuint, byte*, nuint, void*, int>)&EngineCallbacks.OnSave,
                (delegate* unmanaged[Cdecl]<byte*, nuint, byte**, nuint*, void*, int>)&EngineCallbacks.OnLoad, user, &error), error);
        if (setup.Resolver != null)
            Check.Ok(Native.accp_engine_set_resolver(engine, (delegate* unmanaged[Cdecl]<byte*, nuint, byte**, nuint*, void*, int>)&EngineCallbacks.OnResolve, user, &error), error);
        if (setup.Summariser != null)
            Check.Ok(Native.accp_engine_set_summariser(engine, (delegate* unmanaged[Cdecl]<byte*, nuint, uint, byte**, nuint*, void*, int>)&EngineCallbacks.OnSummarise, user, &error), error);
        if (setup.Log != null)
            Check.Ok(Native.accp_engine_set_log(engine, (delegate* unmanaged[Cdecl]<int, int, byte*, nuint, void*, void>)&EngineCallbacks.OnLog, user, &error), error);
        foreach (string key in setup.Redacted)
        {
            Utf8Text text = Utf8Text.Of(key);
            fixed (byte* bytes = text) Check.Ok(Native.accp_engine_set_redacted(engine, bytes, text.Length, &error), error);
        }
    }

    private static void SetAgents(void* engine, EngineSetup setup)
    {
        ErrorDetail error;
        Utf8Text own = string.Join(',', setup.OwnAgents);
        fixed (byte* bytes = own)
            if (setup.OwnAgents.Count > 0) Check.Ok(Native.accp_engine_set_own_agents(engine, bytes, own.Length, &error), error);
        foreach (KeyValuePair<string, AccpOrigin> origin in setup.Origins)
        {
            Utf8Text agent = origin.Key;
            fixed (byte* bytes = agent) Check.Ok(Native.accp_engine_set_origin(engine, bytes, agent.Length, (int)origin.Value, &error), error);
        }
    }

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

    /// <summary>The registry in force, with an owner more.</summary>
    public SchemaRegistry Registry()
    {
        using var use = Borrow();
        return SchemaRegistry.Own(Native.accp_engine_registry(use.Pointer));
    }
}
