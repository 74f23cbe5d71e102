// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Parses frames by the grammar into one flat array of nodes in one call, and prints them
/// canonically. Reuse a parser: once warm it allocates nothing.
/// </summary>
public sealed unsafe class FrameParser : ExclusiveObject
{
    private byte[] text = GC.AllocateUninitializedArray<byte>(1024, pinned: true);
    private AccpNode[] nodes = new AccpNode[64];
    private int textLength, nodeCount;

    /// <summary>Makes a parser; config null: all defaults.</summary>
    public FrameParser(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* frame;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_new(made.Pointer, &frame, &error), error);
        Own(new Handle(frame, &Free, Weight.Parser));
    }

    private static void Free(void* frame) => Native.accp_frame_free(frame);

    /// <summary>
    /// Parses one frame. The tree is managed memory of this parser, and shows this frame until the
    /// next call.
    /// </summary>
    /// <exception cref="AccpParseErrorException">Invalid grammar, with the first byte after which
    /// no valid frame is possible.</exception>
    public NodeTree Parse(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(ParseInto(call.Pointer, frame, &error), error);
        return CopyNodes(call.Pointer);
    }

    /// <summary>The same without an exception for a refused frame or null.</summary>
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

    // The library borrows the text while the tree is used, so it is here at a fixed address.
    private int ParseInto(void* handle, Utf8Text frame, ErrorDetail* error)
    {
        if (frame.Bytes.Length > text.Length) text = GC.AllocateUninitializedArray<byte>(Math.Max(frame.Bytes.Length, 2 * text.Length), pinned: true);
        frame.Bytes.CopyTo(text);
        textLength = frame.Bytes.Length;
        nodeCount = 0;
        fixed (byte* bytes = text)
            return Native.accp_frame_parse(handle, bytes, (nuint)textLength, error);
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
        using var call = Enter();
        AccpText printed;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_print(call.Pointer, &printed, &error), error);
        return printed.ToString();
    }

    /// <summary>The envelope of the parsed frame.</summary>
    public AccpEnvelope Envelope()
    {
        using var call = Enter();
        EnvelopeData read;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_envelope(call.Pointer, &read, &error), error);
        return new AccpEnvelope(read);
    }

    /// <summary>Returns the text of one scalar node of the parsed frame without escapes.</summary>
    public string GetString(int index)
    {
        using var call = Enter();
        nuint length = 0;
        ErrorDetail error;
        int status = Native.accp_frame_string(call.Pointer, Arg.Unsigned(index), null, 0, &length, &error);
        if (status != (int)AccpStatus.Space) Check.Ok(status, error);
        byte[] buffer = new byte[length + 1];
        fixed (byte* bytes = buffer)
            Check.Ok(Native.accp_frame_string(call.Pointer, Arg.Unsigned(index), bytes, length, &length, &error), error);
        return Utf8.Decode(buffer.AsSpan(0, checked((int)length)));
    }

    /// <summary>Returns the value of an integer node of the parsed frame.</summary>
    public long GetInt64(int index)
    {
        using var call = Enter();
        long number;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_int(call.Pointer, Arg.Unsigned(index), &number, &error), error);
        return number;
    }

    /// <summary>
    /// Decodes the payload of the parsed frame with the config's extensions into <paramref
    /// name="value"/>.
    /// </summary>
    public void ReadPayload(AccpValue value) => ReadPart(value, false);

    /// <summary>Decodes the metadata of the parsed frame; an empty map if it has none.</summary>
    public void ReadMetadata(AccpValue value) => ReadPart(value, true);

    private void ReadPart(AccpValue value, bool metadata)
    {
        ArgumentNullException.ThrowIfNull(value);
        using var call = Enter();
        using var into = value.Enter();
        ErrorDetail error;
        int status = metadata ? Native.accp_frame_meta(call.Pointer, into.Pointer, &error) : Native.accp_frame_payload(call.Pointer, into.Pointer, &error);
        Check.Ok(status, error);
        value.CopyTree(into.Pointer);
    }

    /// <summary>
    /// Returns the W3C Trace Context <c>traceparent</c> of a frame, equal on both sides. The trace
    /// comes from <paramref name="cid"/> (or else the mid), the span from <paramref name="mid"/>;
    /// with an aid as mid it is that of the answered frame.
    /// </summary>
    public static string Traceparent(string cid, string mid)
    {
        byte[] chain = Utf8.Encode(cid)!, frame = Utf8.Encode(mid)!;
        byte* buffer = stackalloc byte[56];
        ErrorDetail error;
        fixed (byte* chainAt = chain, frameAt = frame)
            Check.Ok(Native.accp_traceparent_format(chainAt, (nuint)chain.Length, frameAt, (nuint)frame.Length, buffer, &error), error);
        return Utf8.Decode(buffer, 55);
    }

    /// <summary>
    /// Makes a mid of twelve characters with few tokens: <paramref name="letter"/> 0 to 5,
    /// <paramref name="issuer"/> 0, or 1 to 99 if several share a session.
    /// </summary>
    public static string FormatMid(int letter, int issuer, long counter)
    {
        byte* buffer = stackalloc byte[12];
        ErrorDetail error;
        Check.Ok(Native.accp_mid_format(Arg.Unsigned(letter), Arg.Unsigned(issuer), Arg.Unsigned(counter), buffer, &error), error);
        return Utf8.Decode(buffer, 12);
    }
}
