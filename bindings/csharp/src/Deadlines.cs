// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The open requests of one side, with the time until which each waits; times are the caller's, in
/// any unit. An expired request has failed with E3001, which may be sent again.
/// </summary>
public sealed unsafe class Deadlines : ExclusiveObject
{
    /// <summary>Makes an empty table; config null: all defaults.</summary>
    public Deadlines(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* deadline;
        ErrorDetail error;
        Check.Ok(Native.accp_deadline_new(made.Pointer, &deadline, &error), error);
        Own(new Handle(deadline, &Free, Weight.Small));
    }

    private static void Free(void* deadline) => Native.accp_deadline_free(deadline);

    /// <summary>Adds a sent request, which waits until <paramref name="when"/>.</summary>
    public void Start(string cid, long when)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_deadline_start(call.Pointer, bytes, text.Length, when, &error), error);
    }

    /// <summary>The intent <c>wait</c> came.</summary>
    /// <exception cref="AccpTimeoutException">It no longer waits.</exception>
    public void Extend(string cid, long when)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_deadline_extend(call.Pointer, bytes, text.Length, when, &error), error);
    }

    /// <summary>Removes a request that has got a reply or was cancelled.</summary>
    /// <exception cref="AccpTimeoutException">It no longer waits, so the reply is late.</exception>
    public void Answer(string cid)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_deadline_remove(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>
    /// Removes the requests whose deadline is before <paramref name="now"/>, the earliest first.
    /// </summary>
    public IReadOnlyList<string> Expire(long now)
    {
        using var call = Enter();
        var expired = new List<string>();
        while (true)
        {
            AccpText cid;
            ErrorDetail error;
            Check.Ok(Native.accp_deadline_expire(call.Pointer, now, &cid, &error), error);
            if (cid.Length == 0) return expired;
            expired.Add(cid.ToString());
        }
    }

    /// <summary>The earliest deadline; <see cref="long.MaxValue"/> if none exists.</summary>
    public long Next
    {
        get
        {
            using var call = Enter();
            return Native.accp_deadline_next(call.Pointer);
        }
    }
}
