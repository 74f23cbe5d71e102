// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Accp.Interop;

// Text between UTF-16 and UTF-8, without loss or an error: a lone surrogate is refused, as the library refuses it in JSON.
internal static unsafe class Utf8
{
    private static readonly UTF8Encoding Strict = new(false, true);

    internal static byte[] Encode(string text)
    {
        try
        {
            return Strict.GetBytes(text);
        }
        catch (EncoderFallbackException wrong)
        {
            long offset = Encoding.UTF8.GetByteCount(text.AsSpan(0, wrong.Index));
            throw new AccpInvalidTypeException(offset, "a lone surrogate has no UTF-8");
        }
    }

    internal static string Decode(ReadOnlySpan<byte> text) => Encoding.UTF8.GetString(text);

    internal static string Decode(byte* text, nuint length) => Encoding.UTF8.GetString(text, checked((int)length));

    // Static text of the library, ended by NUL.
    internal static string Static(byte* text) => text == null ? "" : Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(text));

    internal static ReadOnlySpan<byte> Span(byte* text, nuint length) => new(text, checked((int)length));
}
