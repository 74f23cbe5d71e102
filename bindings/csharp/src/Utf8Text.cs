// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A text for the library: a <see cref="string"/>, UTF-8 bytes (an array, a span, a memory, a
/// <c>"…"u8</c> literal), or a <see cref="JsonElement"/>, which is written as UTF-8 without
/// becoming a string. UTF-8 bytes are not copied. The call refuses a string with a lone surrogate
/// (E1004) and null (<see cref="ArgumentNullException"/>).
/// </summary>
public readonly ref struct Utf8Text
{
    internal static readonly JsonWriterOptions Writing = new() { Encoder = StrictEncoder.Instance, MaxDepth = 1100, SkipValidation = true };

    // The fault of a string. Reading the text throws, but the conversion does not, so that TryParse
    // can return false.
    private const long IsText = 0, IsNull = 1, HasLoneSurrogate = 2;  // this and above: the offset in UTF-8 is added
    private readonly ReadOnlySpan<byte> bytes;
    private readonly long fault;

    /// <summary>UTF-8 bytes.</summary>
    public Utf8Text(ReadOnlySpan<byte> bytes) : this(bytes, IsText) { }

    private Utf8Text(ReadOnlySpan<byte> bytes, long fault)
    {
        this.bytes = bytes;
        this.fault = fault;
    }

    /// <summary>The bytes.</summary>
    /// <exception cref="AccpInvalidTypeException">The string has a lone surrogate.</exception>
    /// <exception cref="ArgumentNullException">The string is null.</exception>
    public ReadOnlySpan<byte> Bytes
    {
        get
        {
            Check("text");
            return bytes;
        }
    }

    /// <summary>A string.</summary>
    public static implicit operator Utf8Text(string? text)
    {
        if (text == null) return new Utf8Text(default, IsNull);
        int lone = Utf8.FindLoneSurrogate(text);
        return lone < 0 ? new Utf8Text(Encoding.UTF8.GetBytes(text)) : new Utf8Text(default, HasLoneSurrogate + Encoding.UTF8.GetByteCount(text.AsSpan(0, lone)));
    }

    /// <summary>UTF-8 bytes.</summary>
    public static implicit operator Utf8Text(byte[]? bytes) => bytes == null ? new Utf8Text(default, IsNull) : new Utf8Text(bytes);

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
            new JsonValues(writer).Write(json);
        return new Utf8Text(buffer.WrittenSpan);
    }

    /// <summary>The text as a string.</summary>
    public override string ToString() => Utf8.Decode(Bytes);

    // Converts a string of the caller's parameter `name`.
    internal static Utf8Text Of(string text, [CallerArgumentExpression(nameof(text))] string name = "")
    {
        Utf8Text made = text;
        made.Check(name);
        return made;
    }

    // Throws for invalid text, with the name of the caller's parameter.
    internal void Check(string name)
    {
        if (fault >= HasLoneSurrogate) throw Utf8.LoneSurrogate(fault - HasLoneSurrogate);
        if (fault == IsNull) throw new ArgumentNullException(name);
    }

    // Returns whether it is valid text; else a status of the library.
    internal AccpStatus Status => fault switch
    {
        IsText => AccpStatus.Ok,
        IsNull => AccpStatus.Argument,
        _ => AccpStatus.InvalidType,
    };

    // Whether bytes are one JSON value.
    internal static void CheckJson(ReadOnlySpan<byte> json)
    {
        if (!System.Text.Unicode.Utf8.IsValid(json)) throw new AccpInvalidTypeException("not UTF-8");
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = 1100 });
        try
        {
            while (reader.Read()) { }
        }
        catch (JsonException wrong)
        {
            throw new AccpParseErrorException($"not JSON: {wrong.Message}", reader.BytesConsumed, wrong);
        }
    }

    internal static JsonElement Element(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = 1100 });
        return JsonElement.ParseValue(ref reader);
    }

    // For `fixed`: never null, because the library refuses a NULL text with a length.
    internal ref readonly byte GetPinnableReference() => ref Bytes.IsEmpty ? ref Empty[0] : ref MemoryMarshal.GetReference(bytes);

    internal nuint Length => (nuint)Bytes.Length;

    private static readonly byte[] Empty = new byte[1];
}
