// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>Options for opening a store.</summary>
[Flags]
public enum StoreModes
{
    /// <summary>For reading and writing; created if it does not exist.</summary>
    None = 0,
    /// <summary>Nothing is changed; the file must exist.</summary>
    ReadOnly = 1,
    /// <summary>A missing file is not created.</summary>
    Existing = 2,
    /// <summary>A write is done when the operating system has it.</summary>
    NoWait = 4,
    /// <summary>Pruning returns unused space of a SQLite file to the file system.</summary>
    Vacuum = 8,
}

/// <summary>The content of a store in numbers.</summary>
/// <param name="Sessions">Sessions.</param>
/// <param name="Records">Records of their logs.</param>
/// <param name="RecordBytes">Their bytes.</param>
/// <param name="Blobs">Values.</param>
/// <param name="BlobBytes">Their bytes.</param>
/// <param name="Mids">Recorded message ids.</param>
/// <param name="Grants">Grants.</param>
public sealed record StoreCounts(long Sessions, long Records, long RecordBytes, long Blobs, long BlobBytes, long Mids, long Grants);

/// <summary>One fault in a store.</summary>
/// <param name="SessionId">The session; empty: the file as a whole.</param>
/// <param name="What">The fault in words.</param>
/// <param name="Record">The number of a record; 0: not a record.</param>
/// <param name="Name">The key of a text, or SQLite's message.</param>
public sealed record StoreDamage(string SessionId, string What, long Record, string Name);

/// <summary>
/// A store of sessions: in memory, in a file, or in a NATS cluster. Any number of threads may use
/// it and its sessions at once. Its methods block during reads and writes of a file; each slow one
/// has a form on the thread pool.
/// </summary>
public sealed unsafe class AccpStore : NativeObject
{
    private AccpStore(Handle made, bool isInMemory) : base(made) => IsInMemory = isInMemory;

    // Written data of sessions is in native memory.
    internal bool IsInMemory { get; }

    /// <summary>Opens a store.</summary>
    /// <param name="url"> <c>memory:</c>, lost when it is closed; <c>sqlite:PATH</c>, a file; or
    /// <c>nats://HOST:PORT/PREFIX</c>, a NATS cluster, which loads libaccp-nats.so.1 and needs
    /// libnats (Debian: libnats3.4; docs/store.md).</param>
    /// <param name="modes">Options for opening.</param>
    /// <param name="config">Null: all defaults. Its limits are used.</param>
    /// <exception cref="AccpArgumentException">An unknown kind of store, or a missing library: the
    /// reason lists the known kinds.</exception>
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

    // A failure cannot be reported here; call Sync first.
    private static void Close(void* store) => _ = Native.accp_store_close(store, null);

    /// <summary>Makes all changes of all sessions of the store durable.</summary>
    public void Sync()
    {
        using var use = Borrow();
        ErrorDetail error;
        Check.Ok(Native.accp_store_sync(use.Pointer, &error), error);
    }

    /// <summary>The same on the thread pool.</summary>
    public Task SyncAsync(CancellationToken cancellationToken = default) => Task.Run(Sync, cancellationToken);

    /// <summary>Returns its content in numbers. Reads the file.</summary>
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

    /// <summary>Returns the ids of its sessions in the order of creation.</summary>
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

    /// <summary>
    /// Writes a session as lines of JSON; equal sessions give equal bytes in every store.
    /// </summary>
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

    /// <summary>
    /// Adds sessions that <see cref="Export"/> wrote: all of them, durable on return, or nothing.
    /// </summary>
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

    /// <summary>Removes a session with all its data, durably.</summary>
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
    /// Removes expired data, and checkpoints other than each session's newest <paramref
    /// name="keepCheckpoints"/> (0: all are kept). Returns the number of removed items.
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

    /// <summary>
    /// Reads everything and compares it with its checksums. Returns the damage; empty if nothing
    /// has changed.
    /// </summary>
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

#pragma warning disable CA1031 // No exception crosses into the library; here only memory can be short.
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
