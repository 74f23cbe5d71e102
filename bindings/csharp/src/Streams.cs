// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>One chunk of a stream (specification 10.4).</summary>
/// <param name="Cid">The cid of its stream.</param>
/// <param name="Data">The piece.</param>
/// <param name="Index">From 0.</param>
/// <param name="IsFinal">Whether it is the last.</param>
/// <param name="Total">Number of chunks; 0: not given.</param>
public sealed record StreamChunk(string Cid, string Data, long Index, bool IsFinal, long Total = 0);

/// <summary>The state of a stream.</summary>
public enum StreamState
{
    /// <summary>More is to come.</summary>
    Open = 0,
    /// <summary>The final chunk and all before it have come.</summary>
    Complete = 1,
    /// <summary><c>end</c> came first.</summary>
    Aborted = 2,
    /// <summary><c>end</c> for a closed stream: no effect.</summary>
    Closed = 3,
}

/// <summary>The result of a chunk.</summary>
/// <param name="Data">New text in order; empty if a chunk has to wait.</param>
/// <param name="Whole">The whole text once the stream is complete or aborted; empty without
/// <see cref="AccpRule.KeepStreams"/>.</param>
/// <param name="Chunks">Number of chunks in order so far.</param>
/// <param name="State">The state of the stream.</param>
public sealed record StreamPart(string Data, string Whole, long Chunks, StreamState State);

/// <summary>Receives any number of streams at once: chunks in any order, text in order.</summary>
public sealed unsafe class StreamReceiver : ExclusiveObject
{
    /// <summary>Makes a receiver; config null: all defaults.</summary>
    public StreamReceiver(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* stream;
        ErrorDetail error;
        Check.Ok(Native.accp_stream_new(made.Pointer, &stream, &error), error);
        Own(new Handle(stream, &Free, Weight.Small));
    }

    private static void Free(void* stream) => Native.accp_stream_free(stream);

    /// <summary>Adds one chunk. A refused one changes nothing.</summary>
    public StreamPart Add(StreamChunk chunk)
    {
        ArgumentNullException.ThrowIfNull(chunk);
        using var call = Enter();
        StreamPartData part;
        ErrorDetail error;
        byte[] cidText = Utf8.Encode(chunk.Cid), dataText = Utf8.Encode(chunk.Data);
        fixed (byte* cid = cidText, data = dataText)
        {
            var given = new ChunkData { Index = chunk.Index, Total = chunk.Total, IsFinal = chunk.IsFinal ? 1 : 0 };
            given.Cid = new AccpText { Text = cid, Length = (nuint)cidText.Length };
            given.Data = new AccpText { Text = data, Length = (nuint)dataText.Length };
            Check.Ok(Native.accp_stream_add(call.Pointer, &given, &part, &error), error);
        }
        return Read(part);
    }

    /// <summary>
    /// Adds a message in JSON of intent <c>stream</c> or <c>end</c>, as decoding writes it.
    /// </summary>
    public StreamPart Receive(Utf8Text json)
    {
        json.Check(nameof(json));
        using var call = Enter();
        StreamPartData part;
        ErrorDetail error;
        fixed (byte* bytes = json)
            Check.Ok(Native.accp_stream_receive(call.Pointer, bytes, json.Length, &part, &error), error);
        return Read(part);
    }

    /// <summary>Applies the intent <c>end</c> to a stream.</summary>
    public StreamPart End(string cid)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        StreamPartData part;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_stream_end(call.Pointer, bytes, text.Length, &part, &error), error);
        return Read(part);
    }

    /// <summary>Drops an open stream.</summary>
    public void Remove(string cid)
    {
        Utf8Text text = Utf8Text.Of(cid);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_stream_remove(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>The number of open streams.</summary>
    public int OpenCount
    {
        get
        {
            using var call = Enter();
            return checked((int)Native.accp_stream_open_count(call.Pointer));
        }
    }

    private static StreamPart Read(in StreamPartData part) => new(part.Data.ToString(), part.Whole.ToString(), part.Chunks, (StreamState)part.State);
}

/// <summary>Cuts long texts into chunks.</summary>
public static unsafe class StreamChunks
{
    /// <summary>
    /// Cuts a text into chunks of at most maxBytes of UTF-8 each, without splitting a code point.
    /// </summary>
    public static IReadOnlyList<StreamChunk> Cut(string text, string cid, int maxBytes)
    {
        Utf8Text whole = Utf8Text.Of(text);
        var chunks = new List<StreamChunk>();
        var chunk = default(ChunkData);
        ErrorDetail error;
        fixed (byte* bytes = whole)
        {
            do
            {
                Check.Ok(Native.accp_chunk_next(bytes, whole.Length, Arg.Unsigned(maxBytes), &chunk, &error), error);
                chunks.Add(new StreamChunk(cid, chunk.Data.ToString(), chunk.Index, chunk.IsFinal != 0));
            }
            while (chunk.IsFinal == 0);
        }
        return chunks;
    }
}

public sealed unsafe partial class FrameCodec
{
    /// <summary>Writes the frame of a chunk, under the schema ST.</summary>
    public string EncodeChunk(string agent, string operation, StreamChunk chunk)
    {
        ArgumentNullException.ThrowIfNull(chunk);
        byte[] agentText = Utf8.Encode(agent), operationText = Utf8.Encode(operation), cid = Utf8.Encode(chunk.Cid), data = Utf8.Encode(chunk.Data);
        using var call = Enter();
        fixed (byte* a = agentText, o = operationText, c = cid, d = data)
        {
            var given = new ChunkData { Index = chunk.Index, Total = chunk.Total, IsFinal = chunk.IsFinal ? 1 : 0 };
            given.Cid = new AccpText { Text = c, Length = (nuint)cid.Length };
            given.Data = new AccpText { Text = d, Length = (nuint)data.Length };
            AccpText frame;
            ErrorDetail error;
            Ok(Native.accp_codec_encode_chunk(call.Pointer, new AccpText { Text = a, Length = (nuint)agentText.Length },
                new AccpText { Text = o, Length = (nuint)operationText.Length }, &given, &frame, &error), error);
            return frame.ToString();
        }
    }
}
