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
/// A text that goes into the library: a <see cref="string"/>, UTF-8 bytes (an array, a span, a memory, a <c>"…"u8</c> literal), or a
/// <see cref="JsonElement"/>, which is written as UTF-8 without becoming a string. UTF-8 bytes are read where they lie and not copied. A string with a lone surrogate and
/// null are refused by the call that is given them, E1004 and <see cref="ArgumentNullException"/>.
/// </summary>
public readonly ref struct Utf8Text
{
    internal static readonly JsonWriterOptions Writing = new() { Encoder = StrictEncoder.Instance, MaxDepth = 1100, SkipValidation = true };

    // What is wrong with a string that was given. Reading the text then throws, and the conversion does not, so that TryParse can say no.
    private const long IsText = 0, IsNull = 1, HasLoneSurrogate = 2;  // that, and above: by so much its offset in UTF-8
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
    /// <exception cref="AccpInvalidTypeException">It was made of a string with a lone surrogate.</exception>
    /// <exception cref="ArgumentNullException">It was made of null.</exception>
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

    // Of a string that a caller gave as its parameter `name`.
    internal static Utf8Text Of(string text, [CallerArgumentExpression(nameof(text))] string name = "")
    {
        Utf8Text made = text;
        made.Check(name);
        return made;
    }

    // Throws for what is no text, in the name of the caller's parameter.
    internal void Check(string name)
    {
        if (fault >= HasLoneSurrogate) throw Utf8.LoneSurrogate(fault - HasLoneSurrogate);
        if (fault == IsNull) throw new ArgumentNullException(name);
    }

    // Whether it is a text; a status of the library where it is not.
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

    // For `fixed`: never null, as the library takes no NULL text of a length.
    internal ref readonly byte GetPinnableReference() => ref Bytes.IsEmpty ? ref Empty[0] : ref MemoryMarshal.GetReference(bytes);

    internal nuint Length => (nuint)Bytes.Length;

    private static readonly byte[] Empty = new byte[1];
}
