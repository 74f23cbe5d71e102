// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Accp.Interop;

// A handle of the library. What it borrows (a session its engine, a counter its tokenizer) it keeps alive: those are freed after it, in whatever order they
// are disposed or collected.
internal sealed unsafe class Handle : SafeHandle
{
    private readonly delegate*<void*, void> free;
    private readonly Handle?[] borrowed;
    private GCHandle host;

    internal Handle(void* made, delegate*<void*, void> free, params Handle?[] borrowed) : base(IntPtr.Zero, true)
    {
        this.free = free;
        this.borrowed = borrowed;
        bool added = false;
        foreach (Handle? one in borrowed) one?.DangerousAddRef(ref added);
        SetHandle((IntPtr)made);
    }

    // What callbacks are given as `user`: lives as long as the handle.
    internal void Host(GCHandle callbacks) => host = callbacks;

    internal void* HostPointer => (void*)GCHandle.ToIntPtr(host);

    public override bool IsInvalid => handle == IntPtr.Zero;

    protected override bool ReleaseHandle()
    {
        free((void*)handle);
        foreach (Handle? one in borrowed) one?.DangerousRelease();
        if (host.IsAllocated) host.Free();
        return true;
    }
}

/// <summary>What owns a handle of the library. Dispose it; one that is forgotten is freed by the garbage collector.</summary>
public abstract class NativeObject : IDisposable
{
    private Handle? handle;

    private protected NativeObject() { }

    private protected NativeObject(Handle made) => handle = made;

    private protected void Own(Handle made) => handle = made;

    internal Handle Shared => handle ?? throw new ObjectDisposedException(GetType().FullName);

    /// <summary>Frees what the library holds for this object; calls that are under way end first. A second call does nothing.</summary>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Frees what the library holds.</summary>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing) handle?.Dispose();
    }

    // A call of an object that any number of threads may use: the handle stays until it is over.
    internal Use Borrow() => new(Shared);

    internal readonly unsafe ref struct Use
    {
        private readonly Handle handle;

        internal Use(Handle handle)
        {
            bool added = false;
            handle.DangerousAddRef(ref added);
            this.handle = handle;
        }

        internal void* Pointer => (void*)handle.DangerousGetHandle();

        public void Dispose() => handle.DangerousRelease();
    }
}

/// <summary>
/// An object for one thread at a time. Calls from several threads follow one another: each waits for the one before. A call from inside one of its own
/// callbacks is an <see cref="InvalidOperationException"/>.
/// </summary>
public abstract class ExclusiveObject : NativeObject
{
    private readonly object gate = new();
    private bool busy;

    private protected ExclusiveObject() { }

    internal Exclusive Enter() => new(this);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!disposing) return;
        lock (gate)
            base.Dispose(disposing);  // from inside a callback: the handle is borrowed, and goes when the call is over
    }

    internal readonly unsafe ref struct Exclusive
    {
        private readonly ExclusiveObject owner;
        private readonly Use use;

        internal Exclusive(ExclusiveObject owner)
        {
            this.owner = owner;
            Monitor.Enter(owner.gate);
            try
            {
                if (owner.busy) throw new InvalidOperationException("an object is not used from inside its own callback");
                use = owner.Borrow();
                owner.busy = true;
            }
            catch
            {
                Monitor.Exit(owner.gate);
                throw;
            }
        }

        internal void* Pointer => use.Pointer;

        public void Dispose()
        {
            owner.busy = false;
            use.Dispose();
            Monitor.Exit(owner.gate);
        }
    }
}
