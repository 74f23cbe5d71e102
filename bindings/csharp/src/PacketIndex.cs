// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>Answers questions from the packets that were added to it.</summary>
public sealed unsafe class PacketIndex : ExclusiveObject
{
    /// <summary>Makes an empty index; config null: every default. Of a config it reads the limits.</summary>
    public PacketIndex(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* index;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_index_new(made.Pointer, &index, &error), error);
        Own(new Handle(index, &Free, Weight.Small));
    }

    private static void Free(void* index) => Native.accp_packet_index_free(index);

    /// <summary>Adds what a packet says now; one with the same checksum is there already.</summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public void Add(ContextPacket packet)
    {
        ArgumentNullException.ThrowIfNull(packet);
        using var added = packet.Enter();
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_index_add(call.Pointer, added.Pointer, &error), error);
    }

    /// <summary>How many packets there are.</summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_packet_index_size(call.Pointer));
        }
    }

    /// <summary>Answers a question in English: <c>{"answer":…,"sources":[{"packet":…,"kind":…,"number":…,"text":…,"score":…}]}</c>.</summary>
    /// <param name="question">What is asked.</param>
    /// <param name="from">The checksum of a packet, of which and of what it refers to alone it is asked; empty: of all.</param>
    /// <exception cref="AccpRefNotFoundException">Nothing in the packets answers it.</exception>
    /// <exception cref="AccpArgumentException">There is no question, or no packet with that checksum.</exception>
    public string QueryJson(string question, string from = "")
    {
        Utf8Text asked = Utf8Text.Of(question, nameof(question)), begin = Utf8Text.Of(from, nameof(from));
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        fixed (byte* q = asked, f = begin)
            Check.Ok(Native.accp_packet_index_query(call.Pointer, q, asked.Length, f, begin.Length, &result, &error), error);
        return result.ToString();
    }

    /// <summary><see cref="QueryJson"/>, read.</summary>
    public JsonElement Query(string question, string from = "")
    {
        using var document = JsonDocument.Parse(QueryJson(question, from));
        return document.RootElement.Clone();
    }
}
