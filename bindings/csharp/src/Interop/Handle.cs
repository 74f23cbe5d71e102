// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Accp.Interop;

// A handle of the library. It keeps its dependencies alive (a session its engine, a counter its
// tokenizer): those are freed after it, in any order of disposal or collection.
internal sealed unsafe class Handle : SafeHandle
{
    private readonly delegate*<void*, void> free;
    private readonly Handle?[] borrowed;
    private const long Step = 256 << 10;

    private long weight;    // the amount that the garbage collector was informed of
    private long untold;    // bytes since then
    private GCHandle host;

    // weight: its native bytes, of which the garbage collector is informed; 0: too few.
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

    // Adds native bytes. The collector is informed in steps.
    internal void Grow(long bytes)
    {
        if (Interlocked.Add(ref untold, bytes) < Step) return;
        long told = Interlocked.Exchange(ref untold, 0);
        if (told <= 0) return;
        Interlocked.Add(ref weight, told);
        GC.AddMemoryPressure(told);
    }

    // The `user` of callbacks: lives as long as the handle.
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
