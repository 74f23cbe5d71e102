// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>Options for reading a packet.</summary>
[Flags]
public enum PaneReading
{
    /// <summary>Merged with the shared packet.</summary>
    None = 0,
    /// <summary>Only the pane's own packet, without shared content.</summary>
    Alone = 1,
    /// <summary>The same, with any checksum: for editing.</summary>
    Unverified = 2,
    /// <summary>Merged, read by the worker itself: a receipt is recorded.</summary>
    Receipt = 4,
}

/// <summary>Settings of a configuration.</summary>
public enum PaneSetting
{
    /// <summary>A <see cref="PacketDepth"/>.</summary>
    DefaultDepth = 0,
    /// <summary>Tokens of a minimal packet.</summary>
    BudgetMinimal = 1,
    /// <summary>Tokens of a standard packet.</summary>
    BudgetStandard = 2,
    /// <summary>Tokens of a deep packet.</summary>
    BudgetDeep = 3,
    /// <summary>1: programs that start a worker make a packet for it.</summary>
    AutoGenerate = 4,
    /// <summary>0: tasks and receipts are not recorded.</summary>
    TrackEfficiency = 5,
    /// <summary>1: a task's packet is archived and removed after the task.</summary>
    AutoCleanup = 6,
    /// <summary>The pane of the reader of the configuration; -1: not set.</summary>
    OwnPane = 7,
    /// <summary>
    /// The seconds that a writer waits for another before <see cref="AccpBusyException"/>.
    /// </summary>
    LockSeconds = 8,
}

/// <summary>A worker's feedback on its packet.</summary>
/// <param name="Gaps">Missing information.</param>
/// <param name="Unused">Unneeded information.</param>
public sealed record PaneFeedback(IReadOnlyList<string> Gaps, IReadOnlyList<string> Unused);

/// <summary>A finished task.</summary>
/// <param name="Kind">Kind of the task, such as <c>auth</c>; may be empty.</param>
/// <param name="Pane">Its pane; -1: none.</param>
/// <param name="Success">Whether it succeeded.</param>
public sealed record PaneTask(string Kind, int Pane, bool Success)
{
    /// <summary>Depth of its packet; null: unknown.</summary>
    public PacketDepth? Depth { get; init; }
    /// <summary>Tokens of its packet; 0: as in the packet.</summary>
    public long ContextTokens { get; init; }
    /// <summary>Tokens of the packet's sources; 0: unknown.</summary>
    public long WholeTokens { get; init; }
    /// <summary>Files that the worker looked up again; null: unknown.</summary>
    public long? Explored { get; init; }
    /// <summary>null: the feedback in the pane's file.</summary>
    public PaneFeedback? Feedback { get; init; }
    /// <summary>The time; null: now.</summary>
    public DateTimeOffset? At { get; init; }
}

/// <summary>
/// The packets of one project, in files under <c>.agentwire</c>: an orchestrator writes one for the
/// worker of a pane, the worker reads it and writes feedback, and the results of all tasks are
/// counted. Any number of them, in any number of processes, may be open on a project.
/// </summary>
public sealed unsafe class ProjectPanes : ExclusiveObject
{
    /// <summary>The number of the packet that all panes share.</summary>
    public const int SharedPane = -1;

    private const uint Edited = 1;  // accp_panes_writing
    private readonly TimeProvider clock;

    /// <summary>
    /// Opens the project in an existing directory. The store keeps removed packets, receipts and
    /// tasks; the panes keep it alive.
    /// </summary>
    /// <exception cref="AccpIOException">No such directory.</exception>
    public ProjectPanes(string directory, AccpStore store, AccpConfig? config = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        LibraryResolver.CheckAbi();
        Utf8Text name = Utf8Text.Of(directory, nameof(directory));
        using var made = new NativeConfig(config);
        using Use kept = store.Borrow();
        void* panes;
        ErrorDetail error;
        fixed (byte* bytes = name)
            Check.Ok(Native.accp_panes_open(bytes, name.Length, kept.Pointer, made.Pointer, &panes, &error), error);
        Own(made.Own(panes, &Free, Weight.Packet));
        clock = config?.Clock ?? TimeProvider.System;
    }

    private static void Free(void* panes) => Native.accp_panes_close(panes);

    private long Now => clock.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Applies the part <c>context</c> of a configuration in YAML.</summary>
    /// <exception cref="AccpParseErrorException">No YAML.</exception>
    /// <exception cref="AccpInvalidTypeException">An unknown name or an invalid value: nothing
    /// changes then.</exception>
    public void Configure(Utf8Text yaml)
    {
        yaml.Check(nameof(yaml));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = yaml) Check.Ok(Native.accp_panes_configure(call.Pointer, bytes, yaml.Length, &error), error);
    }

    /// <summary>Returns the number of a current setting.</summary>
    public long Setting(PaneSetting which)
    {
        using var call = Enter();
        return Native.accp_panes_setting(call.Pointer, (int)which);
    }

    /// <summary>Seals a packet and writes it durably.</summary>
    /// <param name="pane">Its number, or <see cref="SharedPane"/>.</param>
    /// <param name="packet">The packet.</param>
    /// <param name="revision">The required checksum of the current packet; empty: any for a pane;
    /// for the shared packet there must be none.</param>
    /// <param name="edited">Whether it was edited by hand, which is counted.</param>
    /// <exception cref="AccpBusyException">Another revision exists.</exception>
    public void Write(int pane, ContextPacket packet, string revision = "", bool edited = false)
    {
        ArgumentNullException.ThrowIfNull(packet);
        Utf8Text sum = Utf8Text.Of(revision, nameof(revision));
        using var call = Enter();  // panes first, so two such calls never wait for each other
        using var of = packet.Enter();
        ErrorDetail error;
        fixed (byte* bytes = sum)
            Check.Ok(Native.accp_panes_write(call.Pointer, pane, of.Pointer, bytes, sum.Length, Now, edited ? Edited : 0, &error), error);
    }

    /// <summary>Reads the packet of a pane; the packet is empty after a failure.</summary>
    /// <exception cref="AccpRefNotFoundException">It does not exist.</exception>
    /// <exception cref="AccpParseErrorException">It is not a packet, or its checksum is
    /// wrong.</exception>
    public void Read(int pane, ContextPacket packet, PaneReading how = PaneReading.None)
    {
        ArgumentNullException.ThrowIfNull(packet);
        using var call = Enter();
        using var of = packet.Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_panes_read(call.Pointer, pane, Now, (uint)how, of.Pointer, &error), error);
    }

    /// <summary>
    /// Removes only the packet of a pane. If the settings require it, packet and feedback are
    /// archived first.
    /// </summary>
    /// <exception cref="AccpRefNotFoundException">It does not exist.</exception>
    public void Remove(int pane)
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_panes_remove(call.Pointer, pane, Now, &error), error);
    }

    /// <summary>
    /// Replaces the packet of a pane by one that was made again, and keeps what people changed by
    /// hand.
    /// </summary>
    /// <param name="pane">Its number.</param>
    /// <param name="packet">The packet that was made; becomes the result, the next version.</param>
    /// <param name="revision">The required checksum of the current packet; empty: any.</param>
    /// <param name="note">The entry of the changelog; empty: the library lists the changes.</param>
    /// <exception cref="AccpRefNotFoundException">The pane has no packet.</exception>
    /// <exception cref="AccpBusyException">Another revision exists.</exception>
    public void Refresh(int pane, ContextPacket packet, string revision = "", string note = "")
    {
        ArgumentNullException.ThrowIfNull(packet);
        Utf8Text sum = Utf8Text.Of(revision, nameof(revision)), why = Utf8Text.Of(note, nameof(note));
        using var call = Enter();
        using var of = packet.Enter();
        ErrorDetail error;
        fixed (byte* bytes = sum)
        fixed (byte* text = why)
            Check.Ok(Native.accp_panes_refresh(call.Pointer, pane, of.Pointer, bytes, sum.Length, text, why.Length, &error), error);
    }

    /// <summary>Writes the packet of a pane that was archived last, and its feedback.</summary>
    /// <exception cref="AccpRefNotFoundException">There is none.</exception>
    /// <exception cref="AccpBusyException">The pane has a packet.</exception>
    public void Restore(int pane)
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_panes_restore(call.Pointer, pane, &error), error);
    }

    /// <summary>
    /// Writes the feedback of a pane's worker. Items that mean "none" are ignored.
    /// </summary>
    public void WriteFeedback(int pane, PaneFeedback feedback)
    {
        ArgumentNullException.ThrowIfNull(feedback);
        Utf8Text gaps = Lines(feedback.Gaps), unused = Lines(feedback.Unused);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* g = gaps, u = unused)
            Check.Ok(Native.accp_panes_write_feedback(call.Pointer, pane, g, gaps.Length, u, unused.Length, &error), error);
    }

    /// <summary>Reads the feedback of a pane's worker.</summary>
    /// <exception cref="AccpRefNotFoundException">It does not exist.</exception>
    public PaneFeedback Feedback(int pane)
    {
        using var call = Enter();
        AccpText gaps, unused;
        ErrorDetail error;
        Check.Ok(Native.accp_panes_read_feedback(call.Pointer, pane, &gaps, &unused, &error), error);
        return new PaneFeedback(Items(gaps), Items(unused));
    }

    /// <summary>Records a task durably and cleans up after it, as the settings define.</summary>
    /// <exception cref="AccpArgumentException">No such task.</exception>
    public void Record(PaneTask task)
    {
        ArgumentNullException.ThrowIfNull(task);
        Utf8Text kind = Utf8Text.Of(task.Kind, nameof(task.Kind));
        // a blank line means that nothing was missing
        Utf8Text gaps = task.Feedback == null ? "" : Lines(task.Feedback.Gaps, "\n"), unused = task.Feedback == null ? "" : Lines(task.Feedback.Unused);
        var data = new PaneTaskData
        {
            Size = (nuint)sizeof(PaneTaskData), Pane = task.Pane, Success = task.Success ? 1 : 0, Depth = (int?)task.Depth ?? -1,
            ContextTokens = Arg.Unsigned(task.ContextTokens), WholeTokens = Arg.Unsigned(task.WholeTokens), Explored = task.Explored ?? -1,
        };
        using var call = Enter();
        data.NowMs = task.At?.ToUnixTimeMilliseconds() ?? Now;
        ErrorDetail error;
        fixed (byte* k = kind, g = gaps, u = unused)
        {
            data.Kind = new AccpText { Text = k, Length = kind.Length };
            data.Gaps = new AccpText { Text = g, Length = gaps.Length };
            data.Unused = new AccpText { Text = u, Length = unused.Length };
            Check.Ok(Native.accp_panes_record_task(call.Pointer, &data, &error), error);
        }
    }

    /// <summary>
    /// Returns the results of all tasks as text; compared: the earlier half beside the later.
    /// </summary>
    public string Stats(bool compared = false)
    {
        using var call = Enter();
        return Utf8.Decode(Print(call.Pointer, &Native.accp_panes_print_stats, compared));
    }

    /// <summary>Returns the same with every number; compared: with both halves.</summary>
    public JsonElement StatsJson(bool compared = false)
    {
        using var call = Enter();
        return Utf8Text.Element(Print(call.Pointer, &Native.accp_panes_print_stats_json, compared));
    }

    /// <summary>
    /// Returns the recommended depth for the next packet of a kind of task, and the reason; the
    /// default depth if there are too few tasks.
    /// </summary>
    public (PacketDepth Depth, string Why) Advise(string kind = "")
    {
        Utf8Text text = Utf8Text.Of(kind, nameof(kind));
        using var call = Enter();
        int depth;
        AccpText why;
        ErrorDetail error;
        fixed (byte* bytes = text) Check.Ok(Native.accp_panes_advise(call.Pointer, bytes, text.Length, &depth, &why, &error), error);
        return ((PacketDepth)depth, Utf8.Decode(why.Span));
    }

    private static ReadOnlySpan<byte> Print(void* panes, delegate*<void*, int, void*, void*, int> print, bool compared)
    {
        AccpText text;
        ErrorDetail error;
        Check.Ok(print(panes, compared ? 1 : 0, &text, &error), error);
        return text.Span;
    }

    private static Utf8Text Lines(IReadOnlyList<string> items, string end = "")
    {
        ArgumentNullException.ThrowIfNull(items);
        var lines = new StringBuilder();
        foreach (string item in items) lines.Append(item.Replace('\n', ' ')).Append('\n');
        return lines.Append(end).ToString();
    }

    private static string[] Items(AccpText lines) => Utf8.Decode(lines.Span).Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
