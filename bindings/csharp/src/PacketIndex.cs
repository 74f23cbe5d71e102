// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>Answers questions from the packets in it.</summary>
public sealed unsafe class PacketIndex : ExclusiveObject
{
    /// <summary>
    /// Makes an empty index; config null: all defaults. It reads the limits and the embedder of a config.
    /// </summary>
    public PacketIndex(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* index;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_index_new(made.Pointer, &index, &error), error);
        Own(made.Own(index, &Free, Weight.Small));
    }

    private static void Free(void* index) => Native.accp_packet_index_free(index);

    /// <summary>
    /// Adds the current content of a packet; a packet with the same checksum is not added twice.
    /// </summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public void Add(ContextPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        using var added = packet.Enter();
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_index_add(call.Pointer, added.Pointer, &error), error);
    }

    /// <summary>The number of packets.</summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_packet_index_count(call.Pointer));
        }
    }

    /// <summary>
    /// Searches for the answer to a question in English:
    /// <c>{"answer":…,"sources":[{"packet":…,"kind":…,"number":…,"text":…,"score":…}]}</c>.
    /// </summary>
    /// <param name="question">The question.</param>
    /// <param name="from">The checksum of a packet, which limits the search to it and the packets
    /// that it refers to; empty: all.</param>
    /// <exception cref="AccpRefNotFoundException">No item of the packets matches.</exception>
    /// <exception cref="AccpArgumentException">The question is empty, or no packet has that
    /// checksum.</exception>
    public string QueryJson(string question, string from = "")
    {
        Utf8Text asked = Utf8Text.Of(question, nameof(question)), begin = Utf8Text.Of(from, nameof(from));
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        fixed (byte* q = asked, f = begin)
            HookHost.Ok(Native.accp_packet_index_query(call.Pointer, q, asked.Length, f, begin.Length, &result, &error), error);
        return result.ToString();
    }

    /// <summary><see cref="QueryJson"/>, read.</summary>
    public JsonElement Query(string question, string from = "")
    {
        using var document = JsonDocument.Parse(QueryJson(question, from));
        return document.RootElement.Clone();
    }
}
