// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Accp.Interop;

// Converts text between UTF-16 and UTF-8 without loss: a lone surrogate is refused, as the library
// does in JSON.
internal static unsafe class Utf8
{
    private static readonly UTF8Encoding Strict = new(false, true);

    internal static byte[] Encode(string text, [CallerArgumentExpression(nameof(text))] string? name = null)
    {
        ArgumentNullException.ThrowIfNull(text, name);
        try
        {
            return Strict.GetBytes(text);
        }
        catch (EncoderFallbackException wrong)
        {
            throw LoneSurrogate(Encoding.UTF8.GetByteCount(text.AsSpan(0, wrong.Index)));
        }
    }

    internal static AccpInvalidTypeException LoneSurrogate(long offset) => new("a lone surrogate has no UTF-8", offset);

    // Index of the first lone surrogate; -1: none.
    internal static int FindLoneSurrogate(ReadOnlySpan<char> text)
    {
        for (int at = 0; (at = IndexOfSurrogate(text, at)) >= 0; at += 2)
            if (!char.IsHighSurrogate(text[at]) || at + 1 == text.Length || !char.IsLowSurrogate(text[at + 1])) return at;
        return -1;
    }

    private static int IndexOfSurrogate(ReadOnlySpan<char> text, int from)
    {
        int found = text[from..].IndexOfAnyInRange('\ud800', '\udfff');
        return found < 0 ? -1 : from + found;
    }

    internal static string Decode(ReadOnlySpan<byte> text) => Encoding.UTF8.GetString(text);

    internal static string Decode(byte* text, nuint length) => Encoding.UTF8.GetString(text, checked((int)length));

    // Static NUL-terminated text of the library.
    internal static string Static(byte* text) => text == null ? "" : Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(text));

    internal static ReadOnlySpan<byte> Span(byte* text, nuint length) => new(text, checked((int)length));
}
