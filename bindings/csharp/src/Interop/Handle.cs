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
    private const long Step = 256 << 10;

    private long weight;    // what the garbage collector was told
    private long untold;    // what came since
    private GCHandle host;

    // weight: the native bytes that it holds, of which the garbage collector is told; 0: too few to tell.
    internal Handle(void* made, delegate*<void*, void> free, long weight, params Handle?[] borrowed) : base(IntPtr.Zero, true)
    {
        this.free = free;
        this.borrowed = borrowed;
        bool added = false;
        foreach (Handle? one in borrowed) one?.DangerousAddRef(ref added);
        SetHandle((IntPtr)made);
        this.weight = weight;
        if (weight > 0) GC.AddMemoryPressure(weight);
    }

    // More native bytes are held from now on. The collector is told in steps.
    internal void Grow(long bytes)
    {
        if (Interlocked.Add(ref untold, bytes) < Step) return;
        long told = Interlocked.Exchange(ref untold, 0);
        if (told <= 0) return;
        Interlocked.Add(ref weight, told);
        GC.AddMemoryPressure(told);
    }

    // What callbacks are given as `user`: lives as long as the handle.
    internal void Host(GCHandle callbacks) => host = callbacks;

    public override bool IsInvalid => handle == IntPtr.Zero;

    protected override bool ReleaseHandle()
    {
        free((void*)handle);
        foreach (Handle? one in borrowed) one?.DangerousRelease();
        if (host.IsAllocated) host.Free();
        if (weight > 0) GC.RemoveMemoryPressure(weight);
        return true;
    }
}
