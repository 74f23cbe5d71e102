// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using System.Threading;
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
    /// <summary>The extractor gave items that are not in the conversation.</summary>
    DroppedItems = 8,
}

/// <summary>Parts of a packet's prompt: a worker begins with the first and asks for more.</summary>
[Flags]
public enum PacketLayers
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>The task, goal, success criteria and constraints.</summary>
    Goals = 1,
    /// <summary>What was decided, why, and by whom.</summary>
    Decisions = 2,
    /// <summary>Files, patterns, anti-patterns and examples.</summary>
    Codebase = 4,
    /// <summary>Failures, pivots, open questions, what is not included.</summary>
    History = 8,
    /// <summary>All of them.</summary>
    AllLayers = 15,
}

/// <summary>What an item of a packet is.</summary>
public enum PacketKind
{
    /// <summary><c>goal</c>.</summary>
    Goal = 0,
    /// <summary>Of <c>success_criteria</c>.</summary>
    Criterion = 1,
    /// <summary>Of <c>constraints</c>.</summary>
    Constraint = 2,
    /// <summary>Of <c>decisions</c>.</summary>
    Decision = 3,
    /// <summary>Of <c>relevant_files</c>.</summary>
    File = 4,
    /// <summary>Of <c>patterns</c>.</summary>
    Pattern = 5,
    /// <summary>Of <c>anti_patterns</c>.</summary>
    AntiPattern = 6,
    /// <summary>Of <c>examples</c>.</summary>
    Example = 7,
    /// <summary>Of <c>failed_attempts</c>.</summary>
    Failure = 8,
    /// <summary>Of <c>pivots</c>.</summary>
    Pivot = 9,
    /// <summary>Of <c>open_questions</c>.</summary>
    Question = 10,
    /// <summary>Of <c>not_included</c>.</summary>
    NotIncluded = 11,
}

/// <summary>
/// What a worker must know, in a file that people and programs read: task, goal, decisions, constraints, files, failures, under a checksum. It is empty until it is read or
/// generated, and after either has failed.
/// </summary>
public sealed unsafe class ContextPacket : ExclusiveObject
{
    private const uint Unverified = 1;  // accp_packet_reading
    private static long packetsMade;
    private readonly TimeProvider clock;
    private readonly long order = Interlocked.Increment(ref packetsMade);

    /// <summary>Makes an empty packet; config null: every default. Of a config it reads the tokenizer, the limits, the clock and the extractor.</summary>
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
    /// <exception cref="AccpCorruptException">What the extractor answers has another form.</exception>
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
            HookHost.Ok(Native.accp_packet_generate(call.Pointer, &request, &error), error);
        }
    }

    /// <summary>
    /// Makes a packet of all that was said in a session, and of what its messages state in names and numbers, and seals it. Its sources name messages: <c>$cold.m17:0-40</c>.
    /// </summary>
    /// <param name="session">It may be open to be read.</param>
    /// <param name="task">What the worker is to do; empty: what was asked for first in the session.</param>
    /// <param name="depth">How much it says.</param>
    /// <param name="budgetTokens">The most tokens of its prompt; 0: those of the depth.</param>
    /// <param name="creator">Who makes it; empty: <c>accp</c>.</param>
    /// <param name="at">When; null: now.</param>
    /// <exception cref="AccpArgumentException">No task, and nobody has asked for anything.</exception>
    /// <exception cref="AccpBudgetExceededException">What has to stand is over the budget.</exception>
    public void FromSession(EngineSession session, string task = "", PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "", DateTimeOffset? at = null)
    {
        ArgumentNullException.ThrowIfNull(session);
        Utf8Text taskText = Utf8Text.Of(task, nameof(task)), creatorText = Utf8Text.Of(creator, nameof(creator));
        var request = new PacketRequestData { Size = (nuint)sizeof(PacketRequestData), Depth = (int)depth, BudgetTokens = Arg.Unsigned(budgetTokens) };
        using var from = session.Enter();
        using var call = Enter();
        request.NowMs = (at ?? clock.GetUtcNow()).ToUnixTimeMilliseconds();
        ErrorDetail error;
        fixed (byte* t = taskText, c = creatorText)
        {
            request.Task = new AccpText { Text = t, Length = taskText.Length };
            request.Creator = new AccpText { Text = c, Length = creatorText.Length };
            Check.Ok(Native.accp_session_make_packet(from.Pointer, &request, call.Pointer, &error), error);
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

    /// <summary>
    /// Members that it does not know, and that look like one that it knows; for each where it stands, a blank, and what it may be meant for: <c>context.constrains constraints</c>,
    /// <c>decisions[2].resaon reason</c>.
    /// </summary>
    /// <exception cref="AccpArgumentException">It is empty.</exception>
    public string[] MisspeltMembers()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_misspelt_members(call.Pointer, &text, &error), error);
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

    /// <summary>The prompt of some layers alone, and how many tokens it has.</summary>
    /// <exception cref="AccpArgumentException">It is empty; or there is no layer, or no such one.</exception>
    public (string Prompt, long Tokens) ToPrompt(PacketLayers layers)
    {
        using var call = Enter();
        AccpText text;
        ulong tokens;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_print_layers(call.Pointer, (uint)layers, &text, &error), error);
        string prompt = text.ToString();
        Check.Ok(Native.accp_packet_count_layers(call.Pointer, (uint)layers, &tokens, &error), error);
        return (prompt, checked((long)tokens));
    }

    /// <summary>Leaves out what is not about a task, and seals the packet; <c>not_included</c> then tells how much of each kind. After an exception the packet is what it was.</summary>
    /// <param name="task">Empty: the packet's own.</param>
    /// <param name="threshold">What an item has to score, from 0 to 1; 0: 0.07.</param>
    public void Filter(string task = "", double threshold = 0)
    {
        Utf8Text text = Utf8Text.Of(task, nameof(task));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_packet_filter(call.Pointer, bytes, text.Length, threshold, &error), error);
    }

    /// <summary>What an item, counted from 1, scored in the last <see cref="Filter"/>; -1 where there is none.</summary>
    public double Score(PacketKind kind, int number)
    {
        uint counted = Arg.Unsigned(number);
        using var call = Enter();
        return Native.accp_packet_score(call.Pointer, (int)kind, counted);
    }

    /// <summary>Keeps of decisions, failures and pivots the newest as they are, older ones in a line, and of ancient ones a word in <c>not_included</c>; seals the packet.</summary>
    /// <param name="recent">So many of each kind stay as they are.</param>
    /// <param name="older">So many before them keep a line.</param>
    public void Fade(int recent, int older)
    {
        uint full = Arg.Unsigned(recent), line = Arg.Unsigned(older);
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_fade(call.Pointer, full, line, &error), error);
    }

    /// <summary>Puts a pattern and an example in the place of files of one folder whose summaries say the same, and seals the packet.</summary>
    /// <param name="minFiles">How many have to; 0: 3.</param>
    public void ExtractPatterns(int minFiles = 0)
    {
        uint least = Arg.Unsigned(minFiles);
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_extract_patterns(call.Pointer, least, &error), error);
    }

    /// <summary>Makes one decision of those that tell parts of one thing, and seals the packet. As they were, they stand in <c>context.merged</c>, which is in no prompt.</summary>
    public void MergeDecisions()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_merge_decisions(call.Pointer, &error), error);
    }

    /// <summary>Makes the packet the next version of another, with a note in its changelog, and seals it.</summary>
    /// <exception cref="AccpArgumentException">One of them is empty, or there is no note.</exception>
    public void Revise(ContextPacket old, string note)
    {
        ArgumentNullException.ThrowIfNull(old);
        Utf8Text text = Utf8Text.Of(note, nameof(note));
        using var both = new Both(this, old);
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_packet_revise(both.Packet, both.Other, bytes, text.Length, &error), error);
    }

    /// <summary>What the packet has that an older one has not, and the other way, as JSON: <c>{"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[…]}}</c>.</summary>
    /// <exception cref="AccpArgumentException">One of them is empty.</exception>
    public string DiffJson(ContextPacket old)
    {
        ArgumentNullException.ThrowIfNull(old);
        using var both = new Both(this, old);
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_print_diff(both.Packet, both.Other, &text, &error), error);
        return text.ToString();
    }

    // The turns of two packets. The one that was made first has its turn first, so that no two calls wait for each other.
    private readonly ref struct Both
    {
        private readonly Exclusive first, second;
        private readonly bool isOne;
        internal readonly void* Packet, Other;

        internal Both(ContextPacket packet, ContextPacket other)
        {
            isOne = ReferenceEquals(packet, other);
            bool isFirst = isOne || packet.order < other.order;
            first = (isFirst ? packet : other).Enter();
            try
            {
                second = isOne ? default : (isFirst ? other : packet).Enter();
            }
            catch
            {
                first.Dispose();
                throw;
            }
            void* theirs = isOne ? first.Pointer : second.Pointer;
            Packet = isFirst ? first.Pointer : theirs;
            Other = isFirst ? theirs : first.Pointer;
        }

        public void Dispose()
        {
            if (!isOne) second.Dispose();
            first.Dispose();
        }
    }
}
