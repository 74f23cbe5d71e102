// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

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
        var handle = new Handle(codec, &Free, Weight.Codec);
        handle.Host(GCHandle.Alloc(host));
        Own(handle);
    }

    private static void Free(void* codec) => Native.accp_codec_free(codec);

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
        json.Check(nameof(json));
        using var call = Enter();
        return Utf8.Decode(EncodeIn(call.Pointer, json));
    }

    /// <summary>Encodes a JSON message to UTF-8.</summary>
    public void Encode(Utf8Text json, IBufferWriter<byte> output)
    {
        json.Check(nameof(json));
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
        frame.Check(nameof(frame));
        using var call = Enter();
        return Utf8.Decode(DecodeIn(call.Pointer, frame));
    }

    /// <summary>Decodes a frame to JSON in UTF-8.</summary>
    public void Decode(Utf8Text frame, IBufferWriter<byte> output)
    {
        frame.Check(nameof(frame));
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(DecodeIn(call.Pointer, frame));
    }

    /// <summary>Decodes a frame.</summary>
    public JsonElement DecodeElement(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        return Utf8Text.Element(DecodeIn(call.Pointer, frame));
    }

    /// <summary>
    /// The frame that sends a frame again (specification 3.7): the same payload, byte for byte, with the mid, seq and ts of <paramref name="fresh"/>. Only what failed with a
    /// retryable code may be sent again.
    /// </summary>
    public string Retry(Utf8Text frame, AccpEnvelope fresh)
    {
        frame.Check(nameof(frame));
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
