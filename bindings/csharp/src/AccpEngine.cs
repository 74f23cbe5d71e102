// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>Numbers that govern sessions; those that answer a question are 0 or 1.</summary>
public enum AccpRule
{
    /// <summary>Frames that may wait for an earlier one (64).</summary>
    Window = 0,
    /// <summary>After how many milliseconds a <c>sync:state</c> with a higher seq closes a gap (5,000).</summary>
    GapMs = 1,
    /// <summary>By how many milliseconds clocks may differ before a ttl has passed (0).</summary>
    SkewMs = 2,
    /// <summary>By how many milliseconds a ts may be ahead (300,000).</summary>
    FutureMs = 3,
    /// <summary>Each agent counts its own seq, where one side sees a part of the traffic only (0).</summary>
    BySender = 4,
    /// <summary>A frame must have a ts (0).</summary>
    RequireTs = 5,
    /// <summary>A frame must have a sid (0).</summary>
    RequireSid = 6,
    /// <summary>A mid is any 1 to 64 safe characters (0).</summary>
    LooseMid = 7,
    /// <summary>Tokens of a frame that is sent (240); 0: any number.</summary>
    MostTokens = 8,
    /// <summary>Issuer of mids, 1 to 99 where several send in one session (0: one does).</summary>
    Issuer = 9,
    /// <summary>The other side reads this store, so long values go by reference (0).</summary>
    SharesStore = 10,
    /// <summary>The other side knows m1: of rows of the shared state only the cells that changed go (0).</summary>
    Merges = 11,
    /// <summary>Frames that are sent carry the sid (0).</summary>
    NamesSession = 12,
    /// <summary>A call returns when what it changed is durable (1); 0: <see cref="EngineSession.Sync"/> says when.</summary>
    Durable = 13,
    /// <summary>Tokens of hot state (500).</summary>
    HotMax = 14,
    /// <summary>Above so many a checkpoint is made (400).</summary>
    HotDue = 15,
    /// <summary>Tokens of one checkpoint (200).</summary>
    CheckpointMax = 16,
    /// <summary>Of its summary (100).</summary>
    SummaryMax = 17,
    /// <summary>Checkpoints that stay warm (10, at most 64).</summary>
    Retained = 18,
    /// <summary>Where the mids of a session begin; 0: anywhere.</summary>
    Seed = 19,
    /// <summary>In how many milliseconds a request that is sent is answered; 0: it waits for ever (0).</summary>
    DeadlineMs = 20,
}

/// <summary>What sessions of one kind share. Read when the engine is made.</summary>
public sealed class EngineSetup
{
    /// <summary>Where sessions are kept; null: in memory, the engine's own.</summary>
    public AccpStore? Store { get; set; }

    /// <summary>The schemas agreed on; null: the profiles of the specification.</summary>
    public SchemaRegistry? Registry { get; set; }

    /// <summary>The extensions in force with the other side.</summary>
    public AccpExtensions Extensions { get; set; } = AccpExtensions.Q1;

    /// <summary>Who counts; null: o200k_base.</summary>
    public Tokenizer? Tokenizer { get; set; }

    /// <summary>Who keeps the values of the cold tier; null: the store.</summary>
    public IExternalStore? ColdStore { get; set; }

    /// <summary>Who resolves the refs of frames that a session itself has not; null: nobody. It must not use the session.</summary>
    public RefResolver? Resolver { get; set; }

    /// <summary>Who writes the summaries of checkpoints; null: the library. It must not use the session.</summary>
    public Summariser? Summariser { get; set; }

    /// <summary>Who is told of every message and every refusal (specification 9.1); null: nobody. It must not use the session.</summary>
    public MessageLog? Log { get; set; }

    /// <summary>Keys whose values the log does not show.</summary>
    public IList<string> Redacted { get; } = new List<string>();

    /// <summary>Rules other than the library's.</summary>
    public IDictionary<AccpRule, long> Rules { get; } = new Dictionary<AccpRule, long>();

    /// <summary>The clock, for calls that are given no time.</summary>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>Limits and the like.</summary>
    public AccpOptions? Options { get; set; }
}

/// <summary>What sessions of one kind share: store, registry, tokenizer, rules. Any number of threads may open sessions with it.</summary>
public sealed unsafe class AccpEngine : NativeObject
{
    /// <summary>Makes an engine; setup null: every default.</summary>
    public AccpEngine(EngineSetup? setup = null)
    {
        LibraryResolver.CheckAbi();
        setup ??= new EngineSetup();
        Clock = setup.Clock;
        using var options = new AccpOptions.Made(setup.Options);
        var store = new Optional(setup.Store?.Shared);
        var registry = new Optional(setup.Registry?.Current);
        var tokenizer = new Optional(setup.Tokenizer?.Shared);
        try
        {
            void* engine;
            ErrorDetail error;
            Check.Ok(Native.accp_engine_new(options.Pointer, store.Pointer, registry.Pointer, (uint)setup.Extensions, tokenizer.Pointer, &engine, &error), error);
            Own(new Handle(engine, &Free, setup.Tokenizer?.Shared));
            foreach (KeyValuePair<AccpRule, long> rule in setup.Rules)
                Check.Ok(Native.accp_engine_set_rule(engine, (int)rule.Key, rule.Value, &error), error);
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

    // A handle that may not be there, borrowed for one call.
    private readonly struct Optional
    {
        private readonly Handle? handle;

        internal Optional(Handle? handle)
        {
            bool added = false;
            handle?.DangerousAddRef(ref added);
            this.handle = handle;
        }

        internal void* Pointer => handle == null ? null : (void*)handle.DangerousGetHandle();

        internal void Dispose() => handle?.DangerousRelease();
    }

    /// <summary>The name of a rule, such as <c>hot_max</c>.</summary>
    public static string Name(AccpRule rule) => Utf8.Static(Native.accp_rule_name((int)rule));

    /// <summary>Opens a session for writing; it is made where it is missing. An older writer, here or elsewhere, is shut out.</summary>
    public EngineSession Open(string id)
    {
        Utf8Text text = id;
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
        Utf8Text text = id;
        using var use = Borrow();
        void* session;
        ErrorDetail error;
        int status;
        fixed (byte* bytes = text)
            status = Native.accp_session_open_read(use.Pointer, bytes, text.Length, &session, &error);
        EngineCallbacks.Ok(status, error);
        return new EngineSession(this, id, session);
    }

    /// <summary>Opens a session on the thread pool.</summary>
    public Task<EngineSession> OpenAsync(string id, CancellationToken cancellationToken = default) => Task.Run(() => Open(id), cancellationToken);

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
            Utf8Text text = key;
            fixed (byte* bytes = text) Check.Ok(Native.accp_engine_set_redacted(engine, bytes, text.Length, &error), error);
        }
    }

    /// <summary>
    /// Adds schemas to the engine's registry for every call on every session of it from now on, open ones too. Both sides must do it, or negotiate anew.
    /// </summary>
    public void RegisterSchema(Utf8Text document)
    {
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

/// <summary>
/// Writes the summary of a checkpoint: one line or more, none of which begins with @, of at most so many tokens; null: none, and the library's own is taken.
/// </summary>
/// <param name="hot">What the checkpoint closes, as the context has it.</param>
/// <param name="mostTokens">What the summary may have.</param>
public delegate string? Summariser(string hot, int mostTokens);

/// <summary>A cold store of the host's own: values by their hash. Called by several sessions at once, on the threads of their calls; it must not use those sessions.</summary>
public interface IExternalStore
{
    /// <summary>
    /// Keeps a value. The same value comes with the same key, perhaps often. It returns when the value is durable; an exception makes the session's call fail, and comes
    /// out of it.
    /// </summary>
    /// <param name="key">64 hexadecimal digits: the SHA-256 of the value.</param>
    /// <param name="value">JSON, valid until this returns.</param>
    void Save(string key, ReadOnlySpan<byte> value);

    /// <summary>What was put under a key; null: it is not there.</summary>
    byte[]? Load(string key);
}

