// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;

namespace Accp.Interop;

// Texts that the library reads after the call that passed them: copies at fixed addresses.
internal static unsafe class Texts
{
    // For a struct during one call: Free it.
    internal static AccpText Copy(string? text) => text == null ? default : Copy(Utf8.Encode(text));

    private static AccpText Copy(ReadOnlySpan<byte> bytes)
    {
        AccpText made;
        made.Length = (nuint)bytes.Length;
        made.Text = (byte*)NativeMemory.Alloc(made.Length + 1);
        bytes.CopyTo(new Span<byte>(made.Text, bytes.Length));
        return made;
    }

    internal static void Free(AccpText text) => NativeMemory.Free(text.Text);

    // The result of a callback, valid as long as the returned array is kept.
    internal static byte[] Pin(ReadOnlySpan<byte> bytes, AccpText* text)
    {
        byte[] kept = GC.AllocateUninitializedArray<byte>(bytes.Length + 1, pinned: true);
        bytes.CopyTo(kept);
        *text = new AccpText { Text = (byte*)Marshal.UnsafeAddrOfPinnedArrayElement(kept, 0), Length = (nuint)bytes.Length };
        return kept;
    }
}
