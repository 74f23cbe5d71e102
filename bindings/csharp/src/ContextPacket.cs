// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using System.Threading;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The level of detail of a packet. Each level has a default budget in tokens of the prompt.
/// </summary>
public enum PacketDepth
{
    /// <summary>Goal and constraints: 100.</summary>
    Minimal = 0,
    /// <summary>Adds decisions and files: 400.</summary>
    Standard = 1,
    /// <summary>Adds failed attempts and open questions: 800.</summary>
    Deep = 2,
}

/// <summary>Non-fatal findings about a packet.</summary>
[Flags]
public enum PacketWarnings
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>The checksum is missing.</summary>
    NoChecksum = 1,
    /// <summary><c>token_count</c> differs from the tokens of the prompt.</summary>
    OtherTokenCount = 2,
    /// <summary>The checksum differs; read without verification.</summary>
    OtherChecksum = 4,
    /// <summary>The extractor returned items that are not in the conversation.</summary>
    DroppedItems = 8,

    /// <summary>Most of the conversation is in a language without rules, so most items are missing: provide items, or an extractor.</summary>
    OtherLanguage = 16,
}

/// <summary>Parts of a packet's prompt: a worker begins with the first and requests more.</summary>
[Flags]
public enum PacketLayers
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>The task, goal, success criteria and constraints.</summary>
    Goals = 1,
    /// <summary>Decisions, their reasons and authors.</summary>
    Decisions = 2,
    /// <summary>Files, patterns, anti-patterns and examples.</summary>
    Codebase = 4,
    /// <summary>Failures, pivots, open questions, omitted items.</summary>
    History = 8,
    /// <summary>All.</summary>
    AllLayers = 15,
}

/// <summary>The kind of a packet's item.</summary>
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
/// The knowledge that a worker needs, in a file for people and programs: task, goal, decisions,
/// constraints, files, failures, and a checksum. A packet is empty until it is read or generated,
/// and after either has failed.
/// </summary>
public sealed unsafe class ContextPacket : ExclusiveObject
{
    private const uint Unverified = 1;    // accp_packet_reading
    private const uint StrictBudget = 1;  // accp_packet_option
    private static long packetsMade;
    private readonly TimeProvider clock;
    private readonly long order = Interlocked.Increment(ref packetsMade);

    /// <summary>
    /// Makes an empty packet; config null: all defaults. It reads the tokenizer, the limits, the
    /// clock, the extractor and the embedder of a config.
    /// </summary>
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

    /// <summary>
    /// Reads a packet in YAML or JSON. Without verification a missing, malformed or wrong checksum
    /// is accepted: <see cref="PacketWarnings.OtherChecksum"/>.
    /// </summary>
    /// <exception cref="AccpParseErrorException">Invalid YAML, another document, or a wrong
    /// checksum.</exception>
    /// <exception cref="AccpInvalidTypeException">Invalid UTF-8, or a member of the wrong
    /// kind.</exception>
    public void Read(Utf8Text text, bool verify = true)
    {
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_packet_parse(call.Pointer, bytes, text.Length, verify ? 0 : Unverified, &error), error);
    }

    /// <summary>
    /// Makes and seals a packet from a conversation, from code, or from both, by deterministic
    /// rules. Items without space are counted in <c>not_included</c>.
    /// </summary>
    /// <param name="task">The worker's task.</param>
    /// <param name="conversation">Our messages, one per line, or the format of <paramref
    /// name="form"/>; may be empty if code is given.</param>
    /// <param name="form">The format of the messages; null: ours.</param>
    /// <param name="depth">The level of detail.</param>
    /// <param name="budgetTokens">The most tokens of its prompt; 0: those of the depth.</param>
    /// <param name="creator">The creator; empty: <c>accp</c>.</param>
    /// <param name="at">The time; null: now.</param>
    /// <param name="code">Files of code, from which the packet selects those of the task; null:
    /// none.</param>
    /// <exception cref="AccpArgumentException">No task, neither conversation nor code, or an
    /// interface without messages.</exception>
    /// <exception cref="AccpBudgetExceededException">The budget is smaller than a packet without
    /// items; or what <paramref name="strictBudget"/> says.</exception>
    /// <exception cref="AccpCorruptException">The extractor's result has a wrong form.</exception>
    /// <param name="items">What the caller knows already: members of a packet's context in YAML or
    /// JSON, each optional; an item may have a <c>quote</c> of the conversation. Items of a kind
    /// replace what the rules find of it. Empty: none. See <see cref="Report"/>.</param>
    /// <param name="strictBudget">Fail if a given item, or a plain demand or decision of a user, does
    /// not fit into the budget.</param>
    public void Generate(string task, Utf8Text conversation, AccpInterface? form = null, PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "",
        DateTimeOffset? at = null, PacketCode? code = null, string items = "", bool strictBudget = false)
    {
        conversation.Check(nameof(conversation));
        Utf8Text taskText = Utf8Text.Of(task, nameof(task)), creatorText = Utf8Text.Of(creator, nameof(creator)), itemsText = Utf8Text.Of(items, nameof(items));
        var request = new PacketRequestData
        {
            Options = strictBudget ? StrictBudget : 0, Size = (nuint)sizeof(PacketRequestData), Interface = (int)(form ?? 0), Depth = (int)depth, BudgetTokens = Arg.Unsigned(budgetTokens),
        };
        using var files = code == null ? default : code.Enter();
        using var call = Enter();
        request.Code = files.Pointer;
        request.NowMs = (at ?? clock.GetUtcNow()).ToUnixTimeMilliseconds();
        ErrorDetail error;
        fixed (byte* t = taskText, c = creatorText, said = conversation, known = itemsText)
        {
            request.Items = new AccpText { Text = known, Length = itemsText.Length };
            request.Task = new AccpText { Text = t, Length = taskText.Length };
            request.Creator = new AccpText { Text = c, Length = creatorText.Length };
            request.Conversation = new AccpText { Text = said, Length = conversation.Length };
            HookHost.Ok(Native.accp_packet_generate(call.Pointer, &request, &error), error);
        }
    }

    /// <summary>
    /// Makes and seals a packet from all messages of a session and the names and numbers in them.
    /// Its sources refer to messages: <c>$cold.m17:0-40</c>.
    /// </summary>
    /// <param name="session">May be open for reading.</param>
    /// <param name="task">The worker's task; empty: the first request in the session.</param>
    /// <param name="depth">The level of detail.</param>
    /// <param name="budgetTokens">The most tokens of its prompt; 0: those of the depth.</param>
    /// <param name="creator">The creator; empty: <c>accp</c>.</param>
    /// <param name="at">The time; null: now.</param>
    /// <exception cref="AccpArgumentException">No task, and the session has no request.</exception>
    /// <param name="items">As <see cref="Generate"/>.</param>
    /// <param name="strictBudget">As <see cref="Generate"/>.</param>
    /// <exception cref="AccpBudgetExceededException">As <see cref="Generate"/>.</exception>
    public void FromSession(EngineSession session, string task = "", PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0, string creator = "", DateTimeOffset? at = null,
        string items = "", bool strictBudget = false)
    {
        ArgumentNullException.ThrowIfNull(session);
        Utf8Text taskText = Utf8Text.Of(task, nameof(task)), creatorText = Utf8Text.Of(creator, nameof(creator)), itemsText = Utf8Text.Of(items, nameof(items));
        var request = new PacketRequestData { Options = strictBudget ? StrictBudget : 0, Size = (nuint)sizeof(PacketRequestData), Depth = (int)depth, BudgetTokens = Arg.Unsigned(budgetTokens) };
        using var from = session.Enter();
        using var call = Enter();
        request.NowMs = (at ?? clock.GetUtcNow()).ToUnixTimeMilliseconds();
        ErrorDetail error;
        fixed (byte* t = taskText, c = creatorText, known = itemsText)
        {
            request.Items = new AccpText { Text = known, Length = itemsText.Length };
            request.Task = new AccpText { Text = t, Length = taskText.Length };
            request.Creator = new AccpText { Text = c, Length = creatorText.Length };
            Check.Ok(Native.accp_session_generate_packet(from.Pointer, &request, call.Pointer, &error), error);
        }
    }

    /// <summary>
    /// Returns its files that have changed or are missing in the code since the packet was made
    /// from code.
    /// </summary>
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
    /// Returns unknown members that resemble known ones; for each its path, a blank, and the known
    /// name: <c>context.constrains constraints</c>, <c>decisions[2].resaon reason</c>.
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

    /// <summary>
    /// What became of the given items of the last packet generated: JSON with <c>dropped</c>,
    /// <c>unverified</c> and <c>contradicted</c>; empty without given items.
    /// </summary>
    public string Report()
    {
        using var call = Enter();
        return Utf8.Decode(Print(call.Pointer, &Native.accp_packet_print_report));
    }

    /// <summary>Updates checksum, <c>token_count</c> and <c>tokenizer</c>.</summary>
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

    /// <summary>Returns the Markdown for a worker's model.</summary>
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

    /// <summary>The correct checksum, <c>sha256:…</c>; empty for an empty packet.</summary>
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

    /// <summary>The findings about the packet that was read.</summary>
    public PacketWarnings Warnings
    {
        get
        {
            using var call = Enter();
            return (PacketWarnings)Native.accp_packet_warnings(call.Pointer);
        }
    }

    /// <summary>Returns the prompt of some layers and its tokens.</summary>
    /// <exception cref="AccpArgumentException">The packet is empty, or no layer or an unknown one
    /// is given.</exception>
    public (string Prompt, long Tokens) ToPrompt(PacketLayers layers)
    {
        using var call = Enter();
        AccpText text;
        ulong tokens;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_print_layers(call.Pointer, (uint)layers, &text, &error), error);
        string prompt = text.ToString();
        Check.Ok(Native.accp_packet_layer_tokens(call.Pointer, (uint)layers, &tokens, &error), error);
        return (prompt, checked((long)tokens));
    }

    /// <summary>
    /// Removes items that are not about a task, and seals the packet; <c>not_included</c> then has
    /// the removed amounts. After an exception the packet is unchanged.
    /// </summary>
    /// <param name="task">Empty: the packet's own.</param>
    /// <param name="threshold">The least score of a kept item, from 0 to 1; 0: 0.07.</param>
    public void Filter(string task = "", double threshold = 0) => Filter(task, threshold, null);

    /// <summary>
    /// Removes items that are not about a task by vectors of the host. With a threshold, the score
    /// of an item is the cosine of its vector and the task's. Without one, words decide how many items stay, and
    /// words and vectors together which. Seals the packet. After an exception, also one of
    /// <paramref name="embed"/>, the packet is unchanged.
    /// </summary>
    /// <param name="task">Empty: the packet's own.</param>
    /// <param name="threshold">The least score of a kept item, from 0 to 1; 0: the best items by rank. The
    /// scores of models differ: measure yours.</param>
    /// <param name="embed">It is called on this thread, and must not use the packet. Null: that of the config, or else words are
    /// compared.</param>
    public void Filter(string task, double threshold, TextEmbedder? embed)
    {
        Utf8Text text = Utf8Text.Of(task, nameof(task));
        using var call = Enter();
        using var embedder = embed == null ? null : new Embedder(embed);
        ErrorDetail error;
        int status;
        fixed (byte* bytes = text)
            status = Native.accp_packet_filter(call.Pointer, bytes, text.Length, threshold, embedder == null ? null : Embedder.Function, embedder == null ? null : embedder.User, &error);
        embedder?.Throw();
        HookHost.Ok(status, error);
    }

    /// <summary>
    /// Returns the score of an item, counted from 1, in the last <see cref="Filter(string, double)"/>; -1 if it
    /// does not exist.
    /// </summary>
    public double Score(PacketKind kind, int number)
    {
        uint counted = Arg.Unsigned(number);
        using var call = Enter();
        return Native.accp_packet_score(call.Pointer, (int)kind, counted);
    }

    /// <summary>
    /// Keeps the newest decisions, failures and pivots unchanged, shortens older ones to a line,
    /// and reduces ancient ones to an entry in <c>not_included</c>; seals the packet.
    /// </summary>
    /// <param name="recent">Number of each kind that stay unchanged.</param>
    /// <param name="older">Number before them that keep a line.</param>
    public void Fade(int recent, int older)
    {
        uint full = Arg.Unsigned(recent), line = Arg.Unsigned(older);
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_fade(call.Pointer, full, line, &error), error);
    }

    /// <summary>
    /// Replaces files of one folder with equal summaries by a pattern and an example, and seals the
    /// packet.
    /// </summary>
    /// <param name="minFiles">The least number of files; 0: 3.</param>
    public void ExtractPatterns(int minFiles = 0)
    {
        uint least = Arg.Unsigned(minFiles);
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_extract_patterns(call.Pointer, least, &error), error);
    }

    /// <summary>
    /// Merges decisions about parts of one thing, and seals the packet. The originals remain in
    /// <c>context.merged</c>, which no prompt has.
    /// </summary>
    public void MergeDecisions()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_merge_decisions(call.Pointer, &error), error);
    }

    /// <summary>
    /// Makes the packet the next version of another, with a note in its changelog, and seals it.
    /// </summary>
    /// <exception cref="AccpArgumentException">One of them is empty, or the note is
    /// missing.</exception>
    public void Revise(ContextPacket old, string note)
    {
        ArgumentNullException.ThrowIfNull(old);
        Utf8Text text = Utf8Text.Of(note, nameof(note));
        using var both = new Both(this, old);
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_packet_revise(both.Packet, both.Other, bytes, text.Length, &error), error);
    }

    /// <summary>
    /// Returns the differences from an older packet as JSON:
    /// <c>{"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[…]}}</c>.
    /// </summary>
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

    // The turns of two packets. That of the older object comes first, so no two calls wait for each
    // other.
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
