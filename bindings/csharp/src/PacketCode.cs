// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>Files of code, of which packets tell those of a task: their texts are not kept.</summary>
public sealed unsafe class PacketCode : ExclusiveObject
{
    /// <summary>Makes one without files; config null: every default. Of a config it reads the limits.</summary>
    public PacketCode(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* code;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_code_new(made.Pointer, &code, &error), error);
        Own(new Handle(code, &Free, Weight.Small));
    }

    private static void Free(void* code) => Native.accp_packet_code_free(code);

    /// <summary>Adds a file, or replaces the one of this path; the same text again costs no more than its hash.</summary>
    /// <param name="path">From the tree's root on, with straight slashes.</param>
    /// <param name="text">Of which the first 262,144 bytes are read; where one of them is NUL the path alone counts.</param>
    /// <exception cref="AccpArgumentException">A path that is empty, or has more than 4,096 bytes.</exception>
    public void Add(string path, Utf8Text text)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* p = name, t = text)
            Check.Ok(Native.accp_packet_code_add(call.Pointer, p, name.Length, t, text.Length, &error), error);
    }

    /// <summary>Removes the file of a path; false: there was none.</summary>
    public bool Remove(string path)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        using var call = Enter();
        fixed (byte* p = name)
            return Native.accp_packet_code_remove(call.Pointer, p, name.Length) != 0;
    }

    /// <summary>The number of files.</summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_packet_code_count(call.Pointer));
        }
    }
}
