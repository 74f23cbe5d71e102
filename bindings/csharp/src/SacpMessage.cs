// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Accp;

/// <summary>
/// The plan of a <see cref="SacpMessage"/>: steps, one after another or in parallel.
/// </summary>
public sealed class SacpPlan
{
    private readonly List<object> parts = [];

    internal object[] Parts => [.. parts];

    /// <summary>Adds a step.</summary>
    /// <param name="verb">The verb.</param>
    /// <param name="tool">The tool.</param>
    /// <param name="parameters">Values as in the payload of an <see cref="AgentMessage"/>; a
    /// <see cref="SacpMessage"/> among them is a subtask. Null: none.</param>
    public SacpPlan Step(string verb, string tool, Dictionary<string, object?>? parameters = null)
    {
        ArgumentNullException.ThrowIfNull(verb);
        ArgumentNullException.ThrowIfNull(tool);
        parts.Add(new object[] { verb, tool, parameters ?? [] });
        return this;
    }

    /// <summary>Adds plans that run side by side, each with at least one step.</summary>
    public SacpPlan Parallel(params SacpPlan[] branches)
    {
        ArgumentNullException.ThrowIfNull(branches);
        object[] all = [.. branches.Select(branch => branch.parts.Count == 1 ? branch.parts[0] : branch.Parts)];
        parts.Add(new Dictionary<string, object?> { ["parallel"] = all });
        return this;
    }

    /// <summary>
    /// Adds the step directly after <see cref="Parallel"/> that takes the outputs of the branches.
    /// </summary>
    public SacpPlan Join(string tool, Dictionary<string, object?>? parameters = null) => Step("join", tool, parameters);
}

/// <summary>
/// Writes SACP messages. Values are as in the payload of an <see cref="AgentMessage"/>.
/// </summary>
/// <param name="goal">The goal.</param>
public sealed class SacpMessage(string goal)
{
    /// <summary>The goal.</summary>
    public string Goal { get; } = goal ?? throw new ArgumentNullException(nameof(goal));

    /// <summary>Values for every step.</summary>
    public Dictionary<string, object?>? Ctx { get; init; }

    /// <summary>The steps; null: none, so the planner makes them.</summary>
    public SacpPlan? Plan { get; init; }

    /// <summary>
    /// The requested format of the result; <see cref="SacpOutFmt.Raw"/> is omitted because it is
    /// the default.
    /// </summary>
    public SacpOutFmt OutFmt { get; init; }

    /// <summary>The state of the task, of version 0.1.</summary>
    public SacpState? State { get; init; }

    /// <summary>Its id: 1 to 128 letters, digits, dots, colons, <c>-</c> and <c>_</c>.</summary>
    public string? MessageId { get; init; }

    /// <summary>The id of the message to which it replies.</summary>
    public string? ReplyTo { get; init; }

    /// <summary>Its subtasks.</summary>
    public IReadOnlyList<SacpMessage> Subtasks { get; init; } = [];

    /// <summary>Whether tools only simulate their work.</summary>
    public bool TestMode { get; init; }

    /// <summary>The result of the plan.</summary>
    public Dictionary<string, object?>? Result { get; init; }

    /// <summary>Additional members.</summary>
    public Dictionary<string, object?>? Ext { get; init; }

    /// <summary>Returns the message for <see cref="Sacp"/> as compact JSON.</summary>
    /// <exception cref="AccpInvalidTypeException">A value has no JSON form; the reason begins with
    /// its path: <c>ctx.when</c>.</exception>
    public string ToJson() => Encoding.UTF8.GetString(ToJsonUtf8());

    /// <summary>The same in UTF-8.</summary>
    public byte[] ToJsonUtf8() => JsonValues.Json(this);

    internal IEnumerable<KeyValuePair<string, object?>> Members()
    {
        yield return new("g", Goal);
        if (Ctx != null) yield return new("ctx", Ctx);
        yield return new("plan", Plan?.Parts ?? []);
        if (OutFmt != SacpOutFmt.Raw) yield return new("out_fmt", OutFmt.ToString().ToLowerInvariant());
        if (State != null) yield return new("state", State.Name);
        if (MessageId != null) yield return new("msg_id", MessageId);
        if (ReplyTo != null) yield return new("reply_to", ReplyTo);
        if (Subtasks.Count > 0) yield return new("subtask", Subtasks.Count == 1 ? Subtasks[0] : Subtasks);
        if (TestMode) yield return new("test_mode", TestMode);
        if (Result != null) yield return new("result", Result);
        if (Ext != null) yield return new("ext", Ext);
    }
}
