// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Converts messages to frames and back, as its config defines: alone, or with a registry of
/// schemas, short keys, types, defaults, payloads by position; with the host's resolver, keeper,
/// tools, policy and log. A callback's exception leaves the call that ran it.
/// </summary>
public sealed unsafe partial class FrameCodec : ExclusiveObject
{
    /// <summary>Makes a codec; config null: all defaults, and no registry.</summary>
    /// <exception cref="AccpArgumentException">p1, a schema, strictness, tools or a policy without
    /// a registry, or messages in parts without q1.</exception>
    /// <exception cref="AccpUnknownSchemaException">The registry lacks the config's
    /// schema.</exception>
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

    /// <summary>
    /// The envelope that encoding writes before a message's own metadata; null: none. Every frame
    /// needs its own mid and seq.
    /// </summary>
    public void SetEnvelope(AccpEnvelope? envelope)
    {
        using var call = Enter();
        using var data = new AccpEnvelope.Data(envelope);
        ErrorDetail error;
        Ok(Native.accp_codec_set_envelope(call.Pointer, data.Pointer(), &error), error);
    }

    /// <summary>
    /// Whether the frames to be decoded come from outside: their content is then marked as data.
    /// </summary>
    public void SetUntrusted(bool untrusted)
    {
        using var call = Enter();
        ErrorDetail error;
        Ok(Native.accp_codec_set_origin(call.Pointer, untrusted ? 1 : 0, &error), error);
    }

    /// <summary>Drops the held parts of a chain; of all chains if the cid is empty.</summary>
    public void RemoveParts(string cid)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Ok(Native.accp_codec_remove_parts(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Adds schemas to the codec's registry; other users of the old one keep it.</summary>
    public void RegisterSchema(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Ok(Native.accp_codec_register_schema(call.Pointer, bytes, document.Length, &error), error);
    }

    /// <summary>
    /// Returns a new reference to the codec's registry, which the caller disposes; null if it has
    /// none.
    /// </summary>
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

    /// <summary>
    /// Encodes a JSON message; a message in parts is several frames, separated by newlines.
    /// </summary>
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
    /// Encodes a reply as <see cref="Encode(Utf8Text)"/> does, with the cid and operation of the
    /// request and its mid as aid (specification 3.5). Fields that the reply sets are kept.
    /// </summary>
    /// <param name="request">The message to reply to in JSON, as <see cref="Decode(Utf8Text)"/>
    /// returned it.</param>
    /// <param name="answer">The reply in JSON; the operation may be missing.</param>
    /// <exception cref="AccpParseErrorException">The request is not a message, or has neither cid
    /// nor mid: the offset is then 0.</exception>
    public string Reply(Utf8Text request, Utf8Text answer)
    {
        request.Check(nameof(request));
        answer.Check(nameof(answer));
        using var call = Enter();
        return Utf8.Decode(ReplyIn(call.Pointer, request, answer));
    }

    /// <summary>Encodes a reply to UTF-8.</summary>
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

    /// <summary>
    /// Decodes a frame to its message, as compact JSON with full keys, defaults and resolved refs.
    /// </summary>
    /// <exception cref="AccpHeldException">A part of an incomplete message, with
    /// <see cref="AccpRule.Parts"/>.</exception>
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
    /// Makes a frame that repeats a frame (specification 3.7): the same payload, byte for byte,
    /// with the mid, seq and ts of <paramref name="fresh"/>. Only frames that failed with a
    /// retryable code may be repeated.
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

    /// <summary>Describes the last encoded or decoded message.</summary>
    public CodecOutcome Outcome()
    {
        using var call = Enter();
        OutcomeData got;
        ErrorDetail error;
        Ok(Native.accp_codec_outcome(call.Pointer, &got, &error), error);
        return new CodecOutcome(got);
    }

    /// <summary>
    /// Compares the tokens of the last encoded frame with the limits of specification 3.4; no
    /// tokens if the codec does not count.
    /// </summary>
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
