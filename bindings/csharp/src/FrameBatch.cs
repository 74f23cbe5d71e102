// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>One record of a batch: the result of one line.</summary>
public readonly record struct BatchRecord
{
    private readonly IntPtr message;

    internal unsafe BatchRecord(in RecordData data)
    {
        Status = (AccpStatus)data.Status;
        Offset = checked((int)data.Offset);
        Length = checked((int)data.Length);
        FirstNode = checked((int)data.FirstNode);
        NodeCount = checked((int)data.NodeCount);
        ErrorOffset = checked((long)data.ErrorOffset);
        message = (IntPtr)data.Message;
    }

    /// <summary>OK, or why the line was refused.</summary>
    public AccpStatus Status { get; }

    /// <summary>
    /// Parsing: offset of the frame's line in the input. Otherwise the offset of the result in <see
    /// cref="FrameBatch.Text"/>.
    /// </summary>
    public int Offset { get; }

    /// <summary>Its length in bytes.</summary>
    public int Length { get; }

    /// <summary>Parsing: the frame's first node in <see cref="FrameBatch.Nodes"/>.</summary>
    public int FirstNode { get; }

    /// <summary>Parsing: its number of nodes.</summary>
    public int NodeCount { get; }

    /// <summary>The byte of the line at fault.</summary>
    public long ErrorOffset { get; }

    /// <summary>Why the line was refused; empty if it was accepted.</summary>
    public unsafe string Reason => Wording.Of(Utf8.Static((byte*)message));

    /// <summary>The refusal as an exception; null if the line was accepted.</summary>
    public AccpException? Exception => Status == AccpStatus.Ok ? null : AccpExceptions.Make((int)Status, ErrorOffset, Reason);
}

/// <summary>
/// Processes many frames in one call, one per line; a refused line does not stop the others.
/// Results are in managed memory of this object until its next call: read them before. Do not read
/// them while another thread calls.
/// </summary>
public sealed unsafe class FrameBatch : ExclusiveObject
{
    private BatchRecord[] records = [];
    private AccpNode[] nodes = [];
    private byte[] text = [];
    private int recordCount, nodeCount, textLength;

    /// <summary>Makes a batch; config null: all defaults.</summary>
    public FrameBatch(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* batch;
        ErrorDetail error;
        Check.Ok(Native.accp_batch_new(made.Pointer, &batch, &error), error);
        Own(new Handle(batch, &Free, Weight.Batch));
    }

    private static void Free(void* batch) => Native.accp_batch_free(batch);

    /// <summary>The result of each line.</summary>
    public ReadOnlySpan<BatchRecord> Records => records.AsSpan(0, recordCount);

    /// <summary>The nodes of all frames of <see cref="Parse"/>; offsets and <see cref="AccpNode.Next"/> count from each frame's own line and first node.</summary>
    public ReadOnlySpan<AccpNode> Nodes => nodes.AsSpan(0, nodeCount);

    /// <summary>The results of <see cref="Encode"/> or <see cref="Decode"/>, each ended by a newline.</summary>
    public ReadOnlySpan<byte> Text => text.AsSpan(0, textLength);

    /// <summary>The result of one record, without its newline.</summary>
    public ReadOnlySpan<byte> Result(int record) => Text.Slice(records[record].Offset, records[record].Length);

    /// <summary>Parses frames, one per line.</summary>
    public ReadOnlySpan<BatchRecord> Parse(Utf8Text lines)
    {
        lines.Check(nameof(lines));
        using var call = Enter();
        Clear();
        ErrorDetail error;
        fixed (byte* bytes = lines)
        {
            Check.Ok(Native.accp_batch_parse(call.Pointer, bytes, lines.Length, &error), error);
            Copy(call.Pointer, true);
        }
        return Records;
    }

    /// <summary>Encodes JSON messages, one per line.</summary>
    public ReadOnlySpan<BatchRecord> Encode(Utf8Text lines)
    {
        lines.Check(nameof(lines));
        using var call = Enter();
        Clear();
        ErrorDetail error;
        fixed (byte* bytes = lines)
            Check.Ok(Native.accp_batch_encode(call.Pointer, bytes, lines.Length, &error), error);
        Copy(call.Pointer, false);
        return Records;
    }

    /// <summary>Decodes frames to JSON messages, one per line.</summary>
    public ReadOnlySpan<BatchRecord> Decode(Utf8Text lines)
    {
        lines.Check(nameof(lines));
        using var call = Enter();
        Clear();
        ErrorDetail error;
        fixed (byte* bytes = lines)
            Check.Ok(Native.accp_batch_decode(call.Pointer, bytes, lines.Length, &error), error);
        Copy(call.Pointer, false);
        return Records;
    }

    private void Clear() => recordCount = nodeCount = textLength = 0;

    private void Copy(void* handle, bool parsed)
    {
        nuint count;
        RecordData* found = (RecordData*)Native.accp_batch_records(handle, &count);
        if (records.Length < checked((int)count)) records = new BatchRecord[Math.Max((int)count, 2 * records.Length)];
        for (int i = 0; i < (int)count; ++i) records[i] = new BatchRecord(found[i]);
        recordCount = (int)count;
        if (parsed)
        {
            void* tree = Native.accp_batch_nodes(handle, &count);
            if (nodes.Length < checked((int)count)) nodes = new AccpNode[Math.Max((int)count, 2 * nodes.Length)];
            new ReadOnlySpan<AccpNode>(tree, (int)count).CopyTo(nodes);
            nodeCount = (int)count;
            return;
        }
        ReadOnlySpan<byte> words = Native.accp_batch_text(handle).Span;
        if (text.Length < words.Length) text = GC.AllocateUninitializedArray<byte>(Math.Max(words.Length, 2 * text.Length));
        words.CopyTo(text);
        textLength = words.Length;
    }
}
