// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A text that goes into the library: a <see cref="string"/>, UTF-8 bytes (an array, a span, a memory, a <c>"…"u8</c> literal), or a
/// <see cref="JsonElement"/>, which is written as UTF-8 without becoming a string. UTF-8 bytes are read where they lie and not copied.
/// </summary>
public readonly ref struct Utf8Text
{
    internal static readonly JsonWriterOptions Writing = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, MaxDepth = 1100, SkipValidation = true };

    /// <summary>UTF-8 bytes.</summary>
    public Utf8Text(ReadOnlySpan<byte> bytes) => Bytes = bytes;

    /// <summary>The bytes.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>A string. A lone surrogate is refused with E1004.</summary>
    public static implicit operator Utf8Text(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return new Utf8Text(Utf8.Encode(text));
    }

    /// <summary>UTF-8 bytes.</summary>
    public static implicit operator Utf8Text(byte[] bytes)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        return new Utf8Text(bytes);
    }

    /// <summary>UTF-8 bytes.</summary>
    public static implicit operator Utf8Text(ReadOnlySpan<byte> bytes) => new(bytes);

    /// <summary>UTF-8 bytes.</summary>
    public static implicit operator Utf8Text(Span<byte> bytes) => new(bytes);

    /// <summary>UTF-8 bytes.</summary>
    public static implicit operator Utf8Text(ReadOnlyMemory<byte> bytes) => new(bytes.Span);

    /// <summary>JSON.</summary>
    public static implicit operator Utf8Text(JsonElement json) => FromJson(json);

    /// <summary>JSON, as compact UTF-8; numbers keep their digits.</summary>
    public static Utf8Text FromJson(JsonElement json)
    {
        var buffer = new ArrayBufferWriter<byte>(256);
        using (var writer = new Utf8JsonWriter(buffer, Writing))
            json.WriteTo(writer);
        return new Utf8Text(buffer.WrittenSpan);
    }

    /// <summary>The text as a string.</summary>
    public override string ToString() => Utf8.Decode(Bytes);

    internal static JsonElement Element(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = 1100 });
        return JsonElement.ParseValue(ref reader);
    }

    // For `fixed`: never null, as the library takes no NULL text of a length.
    internal ref readonly byte GetPinnableReference() => ref Bytes.IsEmpty ? ref Empty[0] : ref MemoryMarshal.GetReference(Bytes);

    internal nuint Length => (nuint)Bytes.Length;

    private static readonly byte[] Empty = new byte[1];
}
