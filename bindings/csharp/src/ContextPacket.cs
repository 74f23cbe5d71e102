// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>How much a packet says. Each depth has a budget of its own, in tokens of the prompt.</summary>
public enum PacketDepth
{
    /// <summary>Goal and constraints: 100.</summary>
    Minimal = 0,
    /// <summary>And decisions and files: 400.</summary>
    Standard = 1,
    /// <summary>And failed attempts and open questions: 800.</summary>
    Deep = 2,
}

/// <summary>What was read and taken, and somebody may want to know.</summary>
[Flags]
public enum PacketWarnings
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>There is no checksum.</summary>
    NoChecksum = 1,
    /// <summary><c>token_count</c> is not the number of tokens of the prompt.</summary>
    OtherTokenCount = 2,
    /// <summary>The checksum is another one; read without verifying.</summary>
    OtherChecksum = 4,
}

/// <summary>
/// What a worker must know, in a file that people and programs read: task, goal, decisions, constraints, files, failures, under a checksum. It is empty until it is read or
/// generated, and after either has failed.
/// </summary>
public sealed unsafe class ContextPacket : ExclusiveObject
{
    private const uint Unverified = 1;  // accp_packet_reading
    private readonly TimeProvider clock;

    /// <summary>Makes an empty packet; config null: every default. Of a config it reads the tokenizer, the limits and the clock.</summary>
    public ContextPacket(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* packet;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_new(made.Pointer, &packet, &error), error);
        Own(made.Own(packet, &Free, Weight.Packet));
        clock = config?.Clock ?? TimeProvider.System;
    }

    private static void Free(void* packet) => Native.accp_packet_free(packet);

    /// <summary>Reads a packet, YAML or JSON. Without verifying, a checksum that is a placeholder, malformed or another one is taken: <see cref="PacketWarnings.OtherChecksum"/>.</summary>
    /// <exception cref="AccpParseErrorException">No YAML, no packet, or a wrong checksum.</exception>
    /// <exception cref="AccpInvalidTypeException">No UTF-8, or a member of the wrong kind.</exception>
    public void Read(Utf8Text text, bool verify = true)
    {
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_packet_read(call.Pointer, bytes, text.Length, verify ? 0 : Unverified, &error), error);
    }

    /// <summary>Makes a packet of a conversation, of code, or of both, by rules and so the same each time, and seals it. What has no space is counted in <c>not_included</c>.</summary>
    /// <param name="task">What the worker is to do.</param>
    /// <param name="conversation">Messages of ours, a line each, or what <paramref name="form"/> says; empty where there is code.</param>
    /// <param name="form">Whose messages they are; null: ours.</param>
    /// <param name="depth">How much it says.</param>
    /// <param name="budgetTokens">The most tokens of its prompt; 0: those of the depth.</param>
    /// <param name="creator">Who makes it; empty: <c>accp</c>.</param>
    /// <param name="at">When; null: now.</param>
    /// <param name="code">Files, of which the packet tells those of the task; null: none.</param>
    /// <exception cref="AccpArgumentException">No task, neither conversation nor code, or an interface without messages.</exception>
    /// <exception cref="AccpBudgetExceededException">The task alone is over the budget.</exception>
    public void Generate(string task, Utf8Text conversation, AccpInterface? form = null, PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "",
        DateTimeOffset? at = null, PacketCode? code = null)
    {
        conversation.Check(nameof(conversation));
        Utf8Text taskText = Utf8Text.Of(task, nameof(task)), creatorText = Utf8Text.Of(creator, nameof(creator));
        var request = new PacketRequestData
        {
            Size = (nuint)sizeof(PacketRequestData), Interface = (int)(form ?? 0), Depth = (int)depth, BudgetTokens = Arg.Unsigned(budgetTokens),
        };
        using var files = code == null ? default : code.Enter();
        using var call = Enter();
        request.Code = files.Pointer;
        request.NowMs = (at ?? clock.GetUtcNow()).ToUnixTimeMilliseconds();
        ErrorDetail error;
        fixed (byte* t = taskText, c = creatorText, said = conversation)
        {
            request.Task = new AccpText { Text = t, Length = taskText.Length };
            request.Creator = new AccpText { Text = c, Length = creatorText.Length };
            request.Conversation = new AccpText { Text = said, Length = conversation.Length };
            Check.Ok(Native.accp_packet_generate(call.Pointer, &request, &error), error);
        }
    }

    /// <summary>Which of its files are others in the code than when it was made of code, or are not there.</summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public string[] StaleFiles(PacketCode code)
    {
        ArgumentNullException.ThrowIfNull(code);
        using var files = code.Enter();
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_stale_files(call.Pointer, files.Pointer, &text, &error), error);
        return text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>Makes checksum, <c>token_count</c> and <c>tokenizer</c> what they ought to be.</summary>
    public void Seal()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_seal(call.Pointer, &error), error);
    }

    /// <summary>The packet as YAML, for a file.</summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public string ToYaml()
    {
        using var call = Enter();
        return Utf8.Decode(Print(call.Pointer, &Native.accp_packet_print_yaml));
    }

    /// <summary>The Markdown that a worker's model reads.</summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public string ToPrompt()
    {
        using var call = Enter();
        return Utf8.Decode(Print(call.Pointer, &Native.accp_packet_print_prompt));
    }

    /// <summary>The packet as compact JSON.</summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public string ToJson()
    {
        using var call = Enter();
        return Utf8.Decode(Print(call.Pointer, &Native.accp_packet_print_json));
    }

    /// <summary>The packet as JSON.</summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public JsonElement ToJsonElement()
    {
        using var call = Enter();
        return Utf8Text.Element(Print(call.Pointer, &Native.accp_packet_print_json));
    }

    private static ReadOnlySpan<byte> Print(void* packet, delegate*<void*, void*, void*, int> print)
    {
        AccpText text;
        ErrorDetail error;
        Check.Ok(print(packet, &text, &error), error);
        return text.Span;
    }

    /// <summary>The checksum that it ought to have, <c>sha256:…</c>; empty for an empty packet.</summary>
    public string Checksum
    {
        get
        {
            using var call = Enter();
            return Native.accp_packet_checksum(call.Pointer).ToString();
        }
    }

    /// <summary>The tokens of the prompt, by the config's tokenizer (<c>o200k_base</c>); 0 for an empty packet.</summary>
    public long TokenCount
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_packet_tokens(call.Pointer));
        }
    }

    /// <summary>What was taken of the packet that was read.</summary>
    public PacketWarnings Warnings
    {
        get
        {
            using var call = Enter();
            return (PacketWarnings)Native.accp_packet_warnings(call.Pointer);
        }
    }
}
