// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Frames without a registry: parsed into one flat array of nodes in one call, printed canonically, made of JSON messages and turned into them. Keep one and use it
/// for frame after frame: once warm it takes no memory.
/// </summary>
public sealed unsafe class FrameParser : ExclusiveObject
{
    private byte[] text = GC.AllocateUninitializedArray<byte>(1024, pinned: true);
    private AccpNode[] nodes = new AccpNode[64];
    private int textLength, nodeCount;
    private bool hasTree;  // of a text that lies in `text`: decoding leaves one over the caller's, which is pinned no longer

    /// <summary>Makes a parser; options null: every default.</summary>
    public FrameParser(AccpOptions? options = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new AccpOptions.Made(options);
        void* frame;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_new(made.Pointer, &frame, &error), error);
        Own(new Handle(frame, &Free, Weight.Parser));
    }

    private static void Free(void* frame) => Native.accp_frame_free(frame);

    /// <summary>Parses one frame. The tree is managed memory of this parser: it shows this frame until the next call.</summary>
    /// <exception cref="AccpParseErrorException">Not of the grammar, with the first byte that no continuation can mend.</exception>
    public NodeTree Parse(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(ParseInto(call.Pointer, frame, &error), error);
        return CopyNodes(call.Pointer);
    }

    /// <summary>The same, without an exception for a frame that is refused, or null.</summary>
    public AccpStatus TryParse(Utf8Text frame, out NodeTree tree)
    {
        tree = default;
        if (frame.Status != AccpStatus.Ok) return frame.Status;
        using var call = Enter();
        ErrorDetail error;
        int status = ParseInto(call.Pointer, frame, &error);
        if (status == 0) tree = CopyNodes(call.Pointer);
        return (AccpStatus)status;
    }

    // The library borrows the text for as long as the tree is used, so it lies here, where it does not move.
    private int ParseInto(void* handle, Utf8Text frame, ErrorDetail* error)
    {
        if (frame.Bytes.Length > text.Length) text = GC.AllocateUninitializedArray<byte>(Math.Max(frame.Bytes.Length, 2 * text.Length), pinned: true);
        frame.Bytes.CopyTo(text);
        textLength = frame.Bytes.Length;
        nodeCount = 0;
        int status;
        fixed (byte* bytes = text)
            status = Native.accp_frame_parse(handle, bytes, (nuint)textLength, error);
        hasTree = status == 0;
        return status;
    }

    private NodeTree CopyNodes(void* handle)
    {
        nuint count;
        void* found = Native.accp_frame_nodes(handle, &count);
        nodeCount = checked((int)count);
        if (nodes.Length < nodeCount) nodes = new AccpNode[Math.Max(nodeCount, 2 * nodes.Length)];
        new ReadOnlySpan<AccpNode>(found, nodeCount).CopyTo(nodes);
        return new NodeTree(nodes.AsSpan(0, nodeCount), text.AsSpan(0, textLength));
    }

    /// <summary>The parsed frame in its canonical form (specification 3.1.1).</summary>
    public string Print()
    {
        using var call = EnterTree();
        byte* printed;
        nuint length;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_print(call.Pointer, &printed, &length, &error), error);
        return Utf8.Decode(printed, length);
    }

    /// <summary>The envelope of the parsed frame.</summary>
    public AccpEnvelope Envelope()
    {
        using var call = EnterTree();
        EnvelopeData read;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_envelope(call.Pointer, &read, &error), error);
        return new AccpEnvelope(read);
    }

    /// <summary>Sets the envelope that encoding writes ahead of a message's own metadata; null: none. Every frame wants its own mid and seq.</summary>
    public void SetEnvelope(AccpEnvelope? envelope)
    {
        using var call = Enter();
        using var data = new AccpEnvelope.Data(envelope);
        ErrorDetail error;
        Check.Ok(Native.accp_frame_set_envelope(call.Pointer, data.Pointer(), &error), error);
    }

    /// <summary>The text of one scalar node of the parsed frame with its escapes taken out.</summary>
    public string GetString(int index)
    {
        using var call = EnterTree();
        nuint length = 0;
        ErrorDetail error;
        int status = Native.accp_frame_string(call.Pointer, Arg.Unsigned(index), null, 0, &length, &error);
        if (status != (int)AccpStatus.Space) Check.Ok(status, error);
        byte[] buffer = new byte[length + 1];
        fixed (byte* bytes = buffer)
            Check.Ok(Native.accp_frame_string(call.Pointer, Arg.Unsigned(index), bytes, length, &length, &error), error);
        return Utf8.Decode(buffer.AsSpan(0, checked((int)length)));
    }

    /// <summary>The value of an integer node of the parsed frame.</summary>
    public long GetInt64(int index)
    {
        using var call = EnterTree();
        long number;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_int(call.Pointer, Arg.Unsigned(index), &number, &error), error);
        return number;
    }

    /// <summary>The payload of the parsed frame, decoded under the options' extensions, into <paramref name="value"/>.</summary>
    public void ReadPayload(AccpValue value) => ReadPart(value, false);

    /// <summary>The metadata of the parsed frame, decoded; an empty map where it has none.</summary>
    public void ReadMetadata(AccpValue value) => ReadPart(value, true);

    private void ReadPart(AccpValue value, bool metadata)
    {
        ArgumentNullException.ThrowIfNull(value);
        using var call = EnterTree();
        using var into = value.Enter();
        ErrorDetail error;
        int status = metadata ? Native.accp_frame_meta(call.Pointer, into.Pointer, &error) : Native.accp_frame_payload(call.Pointer, into.Pointer, &error);
        Check.Ok(status, error);
        value.CopyTree(into.Pointer);
    }

    private ReadOnlySpan<byte> EncodeIn(void* handle, Utf8Text json)
    {
        byte* result;
        nuint length;
        ErrorDetail error;
        hasTree = false;
        fixed (byte* bytes = json)
            Check.Ok(Native.accp_frame_encode(handle, bytes, json.Length, &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>The frame of a JSON message.</summary>
    public string Encode(Utf8Text json)
    {
        json.Check(nameof(json));
        using var call = Enter();
        return Utf8.Decode(EncodeIn(call.Pointer, json));
    }

    /// <summary>The frame of a JSON message, as UTF-8.</summary>
    public void Encode(Utf8Text json, IBufferWriter<byte> output)
    {
        json.Check(nameof(json));
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(EncodeIn(call.Pointer, json));
    }

    private ReadOnlySpan<byte> DecodeIn(void* handle, Utf8Text frame)
    {
        byte* result;
        nuint length;
        ErrorDetail error;
        nodeCount = 0;
        hasTree = false;
        fixed (byte* bytes = frame)
            Check.Ok(Native.accp_frame_decode(handle, bytes, frame.Length, &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>The message of a frame, as compact JSON.</summary>
    public string Decode(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        return Utf8.Decode(DecodeIn(call.Pointer, frame));
    }

    /// <summary>The message of a frame, as compact JSON in UTF-8.</summary>
    public void Decode(Utf8Text frame, IBufferWriter<byte> output)
    {
        frame.Check(nameof(frame));
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(DecodeIn(call.Pointer, frame));
    }

    /// <summary>The message of a frame.</summary>
    public JsonElement DecodeElement(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        return Utf8Text.Element(DecodeIn(call.Pointer, frame));
    }

    private Exclusive EnterTree()
    {
        Exclusive call = Enter();
        if (hasTree) return call;
        call.Dispose();
        throw new AccpArgumentException("there is no frame");
    }

    /// <summary>A mid of twelve characters that is cheap in tokens: <paramref name="letter"/> 0 to 5, <paramref name="issuer"/> 0, or 1 to 99 where several share a session.</summary>
    public static string FormatMid(int letter, int issuer, long counter)
    {
        byte* buffer = stackalloc byte[12];
        ErrorDetail error;
        Check.Ok(Native.accp_mid_format(Arg.Unsigned(letter), Arg.Unsigned(issuer), Arg.Unsigned(counter), buffer, &error), error);
        return Utf8.Decode(buffer, 12);
    }
}
