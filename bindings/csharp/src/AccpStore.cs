// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>How a store is opened.</summary>
[Flags]
public enum StoreModes
{
    /// <summary>For reading and writing; made where it is missing.</summary>
    None = 0,
    /// <summary>Nothing is changed; the file must be there.</summary>
    ReadOnly = 1,
    /// <summary>A file that is missing is not made.</summary>
    Existing = 2,
    /// <summary>A write is done when the operating system has it.</summary>
    NoWait = 4,
    /// <summary>Pruning gives space that a SQLite file does not use back to the file system.</summary>
    Vacuum = 8,
}

/// <summary>How much a store holds.</summary>
/// <param name="Sessions">Sessions.</param>
/// <param name="Records">Records of their logs.</param>
/// <param name="RecordBytes">Their bytes.</param>
/// <param name="Blobs">Values.</param>
/// <param name="BlobBytes">Their bytes.</param>
/// <param name="Mids">Message ids that were seen.</param>
/// <param name="Grants">Grants.</param>
public sealed record StoreCounts(long Sessions, long Records, long RecordBytes, long Blobs, long BlobBytes, long Mids, long Grants);

/// <summary>One thing that is wrong with a store.</summary>
/// <param name="SessionId">Of the session; empty: the file as a whole.</param>
/// <param name="What">What is wrong.</param>
/// <param name="Record">The number of a record; 0: it is none.</param>
/// <param name="Name">The key of a text, or what SQLite says.</param>
public sealed record StoreDamage(string SessionId, string What, long Record, string Name);

/// <summary>
/// Where sessions are kept: in memory, in a file, or in a NATS cluster. Any number of threads may use it and its sessions at once. Its methods block while a file is read or written; each
/// that may take long has a form that runs on the thread pool.
/// </summary>
public sealed unsafe class AccpStore : NativeObject
{
    private AccpStore(Handle made, bool isInMemory) : base(made) => IsInMemory = isInMemory;

    // What sessions write is held in native memory.
    internal bool IsInMemory { get; }

    /// <summary>Opens a store.</summary>
    /// <param name="url">
    /// <c>memory:</c>, gone when it is closed; <c>sqlite:PATH</c>, a file; or <c>nats://HOST:PORT/PREFIX</c>, a NATS cluster, for which libaccp-nats.so.1 is loaded: it needs
    /// libnats (Debian: libnats3.4; docs/store.md of the repository).
    /// </param>
    /// <param name="modes">How it is opened.</param>
    /// <param name="config">Null: every default. The limits are read.</param>
    /// <exception cref="AccpArgumentException">No such kind of store, or what opens it is not installed: the reason says which there are.</exception>
    /// <exception cref="AccpIOException">It cannot be opened or reached.</exception>
    public static AccpStore Open(string url, StoreModes modes = StoreModes.None, AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        Utf8Text text = Utf8Text.Of(url);
        using var made = new NativeConfig(config);
        void* store;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_store_open(bytes, text.Length, (uint)modes, made.Pointer, &store, &error), error);
        return new AccpStore(new Handle(store, &Close, Weight.Store), url.StartsWith("memory:", StringComparison.Ordinal));
    }

    /// <summary>Opens a store on the thread pool.</summary>
    public static Task<AccpStore> OpenAsync(string url, StoreModes modes = StoreModes.None, AccpConfig? config = null, CancellationToken cancellationToken = default) =>
        Task.Run(() => Open(url, modes, config), cancellationToken);

    // Nobody can be told of a failure here: who wants to know calls Sync first.
    private static void Close(void* store) => _ = Native.accp_store_close(store, null);

    /// <summary>Makes everything durable that any session of the store has written.</summary>
    public void Sync()
    {
        using var use = Borrow();
        ErrorDetail error;
        Check.Ok(Native.accp_store_sync(use.Pointer, &error), error);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task SyncAsync(CancellationToken cancellationToken = default) => Task.Run(Sync, cancellationToken);

    /// <summary>How much it holds. Reads the file.</summary>
    public StoreCounts Counts()
    {
        using var use = Borrow();
        ulong* all = stackalloc ulong[7];
        ErrorDetail error;
        Check.Ok(Native.accp_store_counts(use.Pointer, all, &error), error);
        return new StoreCounts((long)all[0], (long)all[1], (long)all[2], (long)all[3], (long)all[4], (long)all[5], (long)all[6]);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<StoreCounts> CountsAsync(CancellationToken cancellationToken = default) => Task.Run(Counts, cancellationToken);

    /// <summary>The ids of its sessions, in the order in which they were made.</summary>
    public IReadOnlyList<string> Sessions()
    {
        using var use = Borrow();
        using var collected = new Collected();
        ErrorDetail error;
        Check.Ok(Native.accp_store_each_session(use.Pointer, (delegate* unmanaged[Cdecl]<byte*, nuint, void*, int>)&OnText, collected.User, &error), error);
        return collected.Texts.ConvertAll(text => Utf8.Decode(text));
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<IReadOnlyList<string>> SessionsAsync(CancellationToken cancellationToken = default) => Task.Run(Sessions, cancellationToken);

    /// <summary>A session as lines of JSON: the same session is the same bytes, whatever store it is in.</summary>
    public byte[] Export(string sessionId)
    {
        Utf8Text text = Utf8Text.Of(sessionId);
        using var use = Borrow();
        using var collected = new Collected();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_store_export(use.Pointer, bytes, text.Length, (delegate* unmanaged[Cdecl]<byte*, nuint, void*, int>)&OnText, collected.User, &error), error);
        return collected.Whole();
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<byte[]> ExportAsync(string sessionId, CancellationToken cancellationToken = default) => Task.Run(() => Export(sessionId), cancellationToken);

    /// <summary>Takes in what <see cref="Export"/> wrote: all of it, durable on return, or nothing.</summary>
    public void Import(Utf8Text lines)
    {
        lines.Check(nameof(lines));
        using var use = Borrow();
        ErrorDetail error;
        fixed (byte* bytes = lines)
            Check.Ok(Native.accp_store_import(use.Pointer, bytes, lines.Length, &error), error);
        if (IsInMemory) Grow(lines.Bytes.Length);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task ImportAsync(string lines, CancellationToken cancellationToken = default) => Task.Run(() => Import(lines), cancellationToken);

    /// <summary>The same on the thread pool.</summary>
    public Task ImportAsync(ReadOnlyMemory<byte> lines, CancellationToken cancellationToken = default) => Task.Run(() => Import(lines), cancellationToken);

    /// <summary>Takes a session and all that is its own out of the store, durably.</summary>
    public void RemoveSession(string sessionId)
    {
        Utf8Text text = Utf8Text.Of(sessionId);
        using var use = Borrow();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_store_remove_session(use.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task RemoveSessionAsync(string sessionId, CancellationToken cancellationToken = default) => Task.Run(() => RemoveSession(sessionId), cancellationToken);

    /// <summary>
    /// Takes out what has expired, and what belongs to checkpoints other than each session's newest <paramref name="keepCheckpoints"/> (0: all are kept). How many went.
    /// </summary>
    public long Prune(DateTimeOffset now, long keepCheckpoints = 0)
    {
        using var use = Borrow();
        ulong pruned;
        ErrorDetail error;
        Check.Ok(Native.accp_store_prune(use.Pointer, now.ToUnixTimeMilliseconds(), Arg.Unsigned(keepCheckpoints), &pruned, &error), error);
        return checked((long)pruned);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<long> PruneAsync(DateTimeOffset now, long keepCheckpoints = 0, CancellationToken cancellationToken = default) =>
        Task.Run(() => Prune(now, keepCheckpoints), cancellationToken);

    /// <summary>Reads everything and compares it with its checksums: what is wrong; empty where all is as it was written.</summary>
    public IReadOnlyList<StoreDamage> Verify()
    {
        using var use = Borrow();
        using var collected = new Collected();
        ErrorDetail error;
        int status = Native.accp_store_verify(use.Pointer, (delegate* unmanaged[Cdecl]<DamageData*, void*, void>)&OnDamage, collected.User, &error);
        if (status != (int)AccpStatus.Corrupt) Check.Ok(status, error);
        return collected.Damage;
    }

    /// <summary>The same on the thread pool.</summary>
    public Task<IReadOnlyList<StoreDamage>> VerifyAsync(CancellationToken cancellationToken = default) => Task.Run(Verify, cancellationToken);

    private sealed class Collected : IDisposable
    {
        private readonly GCHandle self;

        internal Collected() => self = GCHandle.Alloc(this);

        internal readonly List<byte[]> Texts = [];
        internal readonly List<StoreDamage> Damage = [];

        internal Exception? Failed;

        internal void* User => (void*)GCHandle.ToIntPtr(self);

        public void Dispose()
        {
            self.Free();
            if (Failed != null) throw Failed;
        }

        internal byte[] Whole()
        {
            int length = 0;
            foreach (byte[] text in Texts) length += text.Length;
            byte[] whole = new byte[length];
            int at = 0;
            foreach (byte[] text in Texts)
            {
                text.CopyTo(whole, at);
                at += text.Length;
            }
            return whole;
        }
    }

#pragma warning disable CA1031 // No exception crosses into the library; here it can only be that memory is short.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnText(byte* text, nuint length, void* user)
    {
        var collected = (Collected)GCHandle.FromIntPtr((IntPtr)user).Target!;
        try
        {
            collected.Texts.Add(Utf8.Span(text, length).ToArray());
            return 0;
        }
        catch (Exception any)
        {
            collected.Failed = any;
            return 1;
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnDamage(DamageData* damage, void* user)
    {
        var collected = (Collected)GCHandle.FromIntPtr((IntPtr)user).Target!;
        try
        {
            collected.Damage.Add(new StoreDamage(damage->Session.ToString(), Utf8.Static(damage->What), (long)damage->Record, damage->Name.ToString()));
        }
        catch (Exception any)
        {
            collected.Failed = any;
        }
    }
#pragma warning restore CA1031
}
