// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>What is odd about a message that was taken all the same (docs/profiles.md).</summary>
[Flags]
public enum AccpWarnings
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>A tool's answer or a chunk of a stream without its cid.</summary>
    NoCid = 1,
    /// <summary>A tool's error that is not an error frame.</summary>
    ToolError = 2,
    /// <summary>A transaction that cannot be told from its repetition.</summary>
    NoTransactionId = 4,
    /// <summary>A currency that is none of ISO 4217.</summary>
    Currency = 8,
    /// <summary>An error frame whose code is none.</summary>
    ErrorCode = 16,
    /// <summary>An error frame whose retry is not what the error model says.</summary>
    Retry = 32,
}

/// <summary>What is refused that is taken otherwise.</summary>
[Flags]
public enum AccpStrictness
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>An operation that neither the specification nor the registry knows: E5001.</summary>
    Operations = 1,
    /// <summary>Whatever would be a warning: E1004.</summary>
    Profiles = 2,
    /// <summary>A member of the payload that its schema does not have: E1004.</summary>
    Schema = 4,
}

/// <summary>One part of a frame against its limits (specification 3.4).</summary>
/// <param name="Tokens">What it has.</param>
/// <param name="Soft">More is worth a warning.</param>
/// <param name="Hard">More a session does not send.</param>
public readonly record struct PartBudget(long Tokens, long Soft, long Hard);

/// <summary>A frame against its limits.</summary>
/// <param name="Header"><c>@agent>intent:operation</c>.</param>
/// <param name="Body">The payload.</param>
/// <param name="Metadata">The metadata.</param>
/// <param name="Total">The whole.</param>
public readonly record struct FrameBudget(PartBudget Header, PartBudget Body, PartBudget Metadata, PartBudget Total);

/// <summary>What one frame costs in tokens.</summary>
/// <param name="Header"><c>@agent>intent:operation</c>.</param>
/// <param name="Body">The payload.</param>
/// <param name="Metadata">The metadata.</param>
/// <param name="Total">The whole as one text.</param>
public readonly record struct FrameTokens(long Header, long Body, long Metadata, long Total);

/// <summary>
/// Messages to frames and back under a registry: schemas, short keys, types, defaults, payloads by position; with the host's resolver, keeper, tools, policy and log. A
/// callback that throws makes the call fail, and its exception comes out of the call.
/// </summary>
public sealed unsafe partial class FrameCodec : ExclusiveObject
{
    private readonly CodecHost host = new();
    private TokenCounter? counter;

    /// <summary>Makes a codec; registry null: a message is encoded and decoded as by a <see cref="FrameParser"/>.</summary>
    public FrameCodec(SchemaRegistry? registry, AccpExtensions extensions = AccpExtensions.Q1, AccpOptions? options = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new AccpOptions.Made(options);
        void* codec;
        ErrorDetail error;
        if (registry == null)
        {
            Check.Ok(Native.accp_codec_new(made.Pointer, null, (uint)extensions, &codec, &error), error);
        }
        else
        {
            using var use = registry.Borrow();
            Check.Ok(Native.accp_codec_new(made.Pointer, use.Pointer, (uint)extensions, &codec, &error), error);
        }
        var handle = new Handle(codec, &Free);
        handle.Host(GCHandle.Alloc(host));
        Own(handle);
    }

    private static void Free(void* codec) => Native.accp_codec_free(codec);

    private delegate int Setter(void* codec, ErrorDetail* error);

    private void Set(Setter set)
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(set(call.Pointer, &error), error);
    }

    /// <summary>The schema, by its code, of messages that name none; empty: none.</summary>
    public void SetSchema(string code)
    {
        byte[] text = Utf8.Encode(code);
        Set((codec, error) =>
        {
            fixed (byte* bytes = new Utf8Text(text)) return Native.accp_codec_set_schema(codec, bytes, (nuint)text.Length, error);
        });
    }

    /// <summary>The envelope that encoding writes ahead of a message's own metadata; null: none.</summary>
    public void SetEnvelope(AccpEnvelope? envelope) => Set((codec, error) =>
    {
        using var data = new AccpEnvelope.Data(envelope);
        return Native.accp_codec_set_envelope(codec, data.Pointer(), error);
    });

    /// <summary>Who counts the tokens of what is encoded; null: nobody. Where it is disposed, encoding is too, until another one is set.</summary>
    public void SetCounter(TokenCounter? tokens)
    {
        using var call = Enter();
        ErrorDetail error;
        if (tokens == null)
        {
            Check.Ok(Native.accp_codec_set_counter(call.Pointer, null, &error), error);
        }
        else
        {
            using var use = tokens.Borrow();
            Check.Ok(Native.accp_codec_set_counter(call.Pointer, use.Pointer, &error), error);
        }
        counter = tokens;
    }

    /// <summary>How many tokens a frame may have, of those that a counter counts; 0: any number.</summary>
    public void SetMostTokens(long most) => Set((codec, error) => Native.accp_codec_set_most_tokens(codec, checked((ulong)most), error));

    /// <summary>How many code points a string may have and stay inline, where there is a keeper.</summary>
    public void SetInlineCharacters(long characters) =>
        Set((codec, error) => Native.accp_codec_set_inline_characters(codec, checked((ulong)characters), error));

    /// <summary>Whether decoding takes messages in parts, and answers <see cref="AccpHeldException"/> to each part but the one that makes a message whole.</summary>
    public void SetReassembly(bool on) => Set((codec, error) => Native.accp_codec_set_reassembly(codec, on ? 1 : 0, error));

    /// <summary>Whether decoding names the defaults that it filled in, in a member <c>defaults</c>.</summary>
    public void SetMarkDefaults(bool on) => Set((codec, error) => Native.accp_codec_set_mark_defaults(codec, on ? 1 : 0, error));

    /// <summary>What is refused that is taken otherwise.</summary>
    public void SetStrict(AccpStrictness strictness) => Set((codec, error) => Native.accp_codec_set_strict(codec, (uint)strictness, error));

    /// <summary>Whether the frames to be decoded come from outside: what they say is then marked as data.</summary>
    public void SetUntrusted(bool untrusted) => Set((codec, error) => Native.accp_codec_set_origin(codec, untrusted ? 1 : 0, error));

    /// <summary>Names a key whose values the log does not show; empty: none again.</summary>
    public void AddRedacted(string key)
    {
        byte[] text = Utf8.Encode(key);
        Set((codec, error) =>
        {
            fixed (byte* bytes = new Utf8Text(text)) return Native.accp_codec_set_redacted(codec, bytes, (nuint)text.Length, error);
        });
    }

    /// <summary>Drops the parts held of a chain; of all chains where the cid is empty.</summary>
    public void Abandon(string cid)
    {
        byte[] text = Utf8.Encode(cid);
        Set((codec, error) =>
        {
            fixed (byte* bytes = new Utf8Text(text)) return Native.accp_codec_abandon(codec, bytes, (nuint)text.Length, error);
        });
    }

    /// <summary>Adds schemas to the codec's registry; others that share the old one keep it.</summary>
    public void RegisterSchema(Utf8Text document)
    {
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_codec_register_schema(call.Pointer, bytes, document.Length, &error), error);
    }

    /// <summary>The codec's registry, with an owner more; null where it has none.</summary>
    public SchemaRegistry? Registry()
    {
        using var call = Enter();
        return SchemaRegistry.Share(Native.accp_codec_registry(call.Pointer));
    }

    // A call that may count: the counter is this call's alone until it is over.
    private Counting Count() => new(counter);

    private readonly ref struct Counting
    {
        private readonly Exclusive use;
        private readonly bool counts;

        internal Counting(TokenCounter? counter)
        {
            counts = counter != null;
            if (counter != null) use = counter.Enter();
        }

        public void Dispose()
        {
            if (counts) use.Dispose();
        }
    }

    private ReadOnlySpan<byte> EncodeIn(void* codec, Utf8Text json)
    {
        using var counting = Count();
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* bytes = json)
            host.Ok(Native.accp_codec_encode(codec, bytes, json.Length, &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>Encodes a JSON message; a message in parts is several frames, a newline between two.</summary>
    public string Encode(Utf8Text json)
    {
        using var call = Enter();
        return Utf8.Decode(EncodeIn(call.Pointer, json));
    }

    /// <summary>Encodes a JSON message to UTF-8.</summary>
    public void Encode(Utf8Text json, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(EncodeIn(call.Pointer, json));
    }

    private ReadOnlySpan<byte> DecodeIn(void* codec, Utf8Text frame)
    {
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* bytes = frame)
            host.Ok(Native.accp_codec_decode(codec, bytes, frame.Length, &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>Decodes a frame to its message, as compact JSON: keys in full, defaults filled in, refs resolved.</summary>
    /// <exception cref="AccpHeldException">A part of a message in parts, with <see cref="SetReassembly"/>.</exception>
    public string Decode(Utf8Text frame)
    {
        using var call = Enter();
        return Utf8.Decode(DecodeIn(call.Pointer, frame));
    }

    /// <summary>Decodes a frame to JSON in UTF-8.</summary>
    public void Decode(Utf8Text frame, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(DecodeIn(call.Pointer, frame));
    }

    /// <summary>Decodes a frame.</summary>
    public JsonElement DecodeElement(Utf8Text frame)
    {
        using var call = Enter();
        return Utf8Text.Element(DecodeIn(call.Pointer, frame));
    }

    /// <summary>
    /// The frame that sends a frame again (specification 3.7): the same payload, byte for byte, with the mid, seq and ts of <paramref name="fresh"/>. Only what failed with a
    /// retryable code may be sent again.
    /// </summary>
    public string Retry(Utf8Text frame, AccpEnvelope fresh)
    {
        ArgumentNullException.ThrowIfNull(fresh);
        using var call = Enter();
        using var counting = Count();
        using var data = new AccpEnvelope.Data(fresh);
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* bytes = frame)
            Check.Ok(Native.accp_codec_retry(call.Pointer, bytes, frame.Length, data.Pointer(), &result, &length, &error), error);
        return Utf8.Decode(result, length);
    }

    /// <summary>How many frames the message became that was encoded last.</summary>
    public long Parts
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_codec_parts(call.Pointer));
        }
    }

    /// <summary>How many values of it went to the keeper.</summary>
    public long Kept
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_codec_kept(call.Pointer));
        }
    }

    /// <summary>What was odd about the message that was encoded or decoded last.</summary>
    public AccpWarnings Warnings
    {
        get
        {
            using var call = Enter();
            return (AccpWarnings)Native.accp_codec_warnings(call.Pointer);
        }
    }

    /// <summary>The tokens of the frame that was encoded last; all 0 where nobody counts.</summary>
    public FrameTokens Tokens()
    {
        using var call = Enter();
        using var counting = Count();
        ulong* tokens = stackalloc ulong[4];
        ErrorDetail error;
        Check.Ok(Native.accp_codec_tokens(call.Pointer, tokens, &error), error);
        return new FrameTokens((long)tokens[0], (long)tokens[1], (long)tokens[2], (long)tokens[3]);
    }

    /// <summary>The frame that was encoded last against the limits of specification 3.4.</summary>
    public FrameBudget Budget()
    {
        using var call = Enter();
        using var counting = Count();
        ulong* parts = stackalloc ulong[12];
        ErrorDetail error;
        Check.Ok(Native.accp_codec_budget(call.Pointer, parts, &error), error);
        return new FrameBudget(Part(parts), Part(parts + 3), Part(parts + 6), Part(parts + 9));
    }

    private static PartBudget Part(ulong* three) => new((long)three[0], (long)three[1], (long)three[2]);
}
