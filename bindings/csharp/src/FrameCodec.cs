// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Messages to frames and back, as its config says: alone, or under a registry with schemas, short keys, types, defaults, payloads by position; with the host's resolver,
/// keeper, tools, policy and log. A callback that throws makes the call fail, and its exception comes out of the call.
/// </summary>
public sealed unsafe partial class FrameCodec : ExclusiveObject
{
    /// <summary>Makes a codec; config null: every default, and no registry.</summary>
    /// <exception cref="AccpArgumentException">p1, a schema, strictness, tools or a policy without a registry, or messages in parts without q1.</exception>
    /// <exception cref="AccpUnknownSchemaException">The registry does not have the config's schema.</exception>
    public FrameCodec(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* codec;
        ErrorDetail error;
        Check.Ok(Native.accp_codec_new(made.Pointer, &codec, &error), error);
        Own(made.Own(codec, &Free, Weight.Codec));
    }

    private static void Free(void* codec) => Native.accp_codec_free(codec);

    private static void Ok(int status, in ErrorDetail error) => HookHost.Ok(status, error, withLog: true);

    /// <summary>The envelope that encoding writes ahead of a message's own metadata; null: none. Every frame wants its own mid and seq.</summary>
    public void SetEnvelope(AccpEnvelope? envelope)
    {
        using var call = Enter();
        using var data = new AccpEnvelope.Data(envelope);
        ErrorDetail error;
        Ok(Native.accp_codec_set_envelope(call.Pointer, data.Pointer(), &error), error);
    }

    /// <summary>Whether the frames to be decoded come from outside: what they say is then marked as data.</summary>
    public void SetUntrusted(bool untrusted)
    {
        using var call = Enter();
        ErrorDetail error;
        Ok(Native.accp_codec_set_origin(call.Pointer, untrusted ? 1 : 0, &error), error);
    }

    /// <summary>Drops the parts held of a chain; of all chains where the cid is empty.</summary>
    public void RemoveParts(string cid)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Ok(Native.accp_codec_remove_parts(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Adds schemas to the codec's registry; others that share the old one keep it.</summary>
    public void RegisterSchema(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Ok(Native.accp_codec_register_schema(call.Pointer, bytes, document.Length, &error), error);
    }

    /// <summary>The codec's registry, with an owner more; null where it has none.</summary>
    public SchemaRegistry? Registry()
    {
        using var call = Enter();
        return SchemaRegistry.Share(Native.accp_codec_registry(call.Pointer));
    }

    private static ReadOnlySpan<byte> EncodeIn(void* codec, Utf8Text json)
    {
        AccpText frame;
        ErrorDetail error;
        fixed (byte* bytes = json)
            Ok(Native.accp_codec_encode(codec, bytes, json.Length, &frame, &error), error);
        return frame.Span;
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

    private static ReadOnlySpan<byte> ReplyIn(void* codec, Utf8Text request, Utf8Text answer)
    {
        AccpText frame;
        ErrorDetail error;
        fixed (byte* asked = request, bytes = answer)
            Ok(Native.accp_codec_reply(codec, asked, request.Length, bytes, answer.Length, &frame, &error), error);
        return frame.Span;
    }

    /// <summary>
    /// Encodes an answer: what <see cref="Encode(Utf8Text)"/> would, with the cid and the operation of what it answers, and an aid that is its mid (specification 3.5). Fields
    /// that the answer names itself are its own.
    /// </summary>
    /// <param name="request">What is answered: the message in JSON, as <see cref="Decode(Utf8Text)"/> wrote it.</param>
    /// <param name="answer">The answer in JSON; it may have no operation.</param>
    /// <exception cref="AccpParseErrorException">The request is no message, or has neither cid nor mid: the offset is then 0.</exception>
    public string Reply(Utf8Text request, Utf8Text answer)
    {
        request.Check(nameof(request));
        answer.Check(nameof(answer));
        using var call = Enter();
        return Utf8.Decode(ReplyIn(call.Pointer, request, answer));
    }

    /// <summary>Encodes an answer to UTF-8.</summary>
    public void Reply(Utf8Text request, Utf8Text answer, IBufferWriter<byte> output)
    {
        request.Check(nameof(request));
        answer.Check(nameof(answer));
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(ReplyIn(call.Pointer, request, answer));
    }

    private static ReadOnlySpan<byte> DecodeIn(void* codec, Utf8Text frame)
    {
        AccpText json;
        ErrorDetail error;
        fixed (byte* bytes = frame)
            Ok(Native.accp_codec_decode(codec, bytes, frame.Length, &json, &error), error);
        return json.Span;
    }

    /// <summary>Decodes a frame to its message, as compact JSON: keys in full, defaults filled in, refs resolved.</summary>
    /// <exception cref="AccpHeldException">A part of a message in parts, with <see cref="AccpRule.Parts"/>.</exception>
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
        using var data = new AccpEnvelope.Data(fresh);
        AccpText again;
        ErrorDetail error;
        fixed (byte* bytes = frame)
            Ok(Native.accp_codec_retry(call.Pointer, bytes, frame.Length, data.Pointer(), &again, &error), error);
        return again.ToString();
    }

    /// <summary>What became of the message that was encoded or decoded last.</summary>
    public CodecOutcome Outcome()
    {
        using var call = Enter();
        OutcomeData got;
        ErrorDetail error;
        Ok(Native.accp_codec_outcome(call.Pointer, &got, &error), error);
        return new CodecOutcome(got);
    }

    /// <summary>The tokens of the frame that was encoded last, against the limits of specification 3.4; no tokens where nothing counts.</summary>
    public FrameBudget Budget()
    {
        using var call = Enter();
        ulong* parts = stackalloc ulong[12];
        ErrorDetail error;
        Ok(Native.accp_codec_budget(call.Pointer, parts, &error), error);
        return new FrameBudget(Part(parts), Part(parts + 3), Part(parts + 6), Part(parts + 9));
    }

    private static PartBudget Part(ulong* three) => new((long)three[0], (long)three[1], (long)three[2]);
}
