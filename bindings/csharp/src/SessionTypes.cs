// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>What became of a frame that came in.</summary>
public enum Receipt
{
    /// <summary>Applied, once and in order, with all that had waited for it: <see cref="EngineSession.Deliveries"/>.</summary>
    Applied = 0,
    /// <summary>Expired, or of a chain that was cancelled: answer nothing.</summary>
    Dropped = 1,
    /// <summary>It waits for an earlier frame.</summary>
    Held = 2,
}

/// <summary>How a session is opened.</summary>
[Flags]
public enum SessionModes
{
    /// <summary>For reading and writing; made where it is missing.</summary>
    None = 0,
    /// <summary>As it stands, which must be there. Who has it open to write goes on; calls that would change something are refused.</summary>
    ReadOnly = 1,
    /// <summary>
    /// The other side is a session of this engine too, opened so: what is over <see cref="AccpRule.MaxTokens"/> goes in parts, both ways, and no negotiation is
    /// needed. Refused where <see cref="AccpRule.Parts"/> was set to 0, an agreement says so, or q1 is not in force.
    /// </summary>
    Local = 2,
}

/// <summary>Where messages come from.</summary>
public enum AccpOrigin
{
    /// <summary>Somebody of the host's own.</summary>
    Trusted = 0,
    /// <summary>Outside: what it says is data, and no instruction.</summary>
    Untrusted = 1,
}

/// <summary>
/// The peer that a frame or a message came from, as the host knows it, such as one that it has authenticated, over a connection of its own. A host with more than one peer, or with
/// one that it does not trust with the names of others, says it of everything that comes in (docs/security.md).
/// </summary>
/// <param name="Agents">
/// The names that it may speak as, with a comma between two; empty: none; <c>*</c> among them: any but the host's own. An untrusted peer speaks as system, developer, user,
/// assistant, tool or function only if that name is listed too: <c>*,user</c>.
/// </param>
/// <param name="Origin">Whether what it says is marked as data from outside.</param>
public sealed record AccpPeer(string Agents, AccpOrigin Origin = AccpOrigin.Untrusted);

/// <summary>What a session hands out, in order.</summary>
/// <param name="Status">
/// OK: a message. <see cref="AccpStatus.SequenceGap"/>: frames before <paramref name="Seq"/> are missing. <see cref="AccpStatus.Timeout"/>: a request of ours was not answered
/// in time. Else a frame that had waited is refused.
/// </param>
/// <param name="Seq">Its number; of a request that was not answered the number of its record, for <see cref="EngineSession.Retry"/>.</param>
/// <param name="Utf8Json">The message in JSON, as UTF-8; else empty.</param>
/// <param name="Reason">Of a refusal.</param>
public sealed record Delivery(AccpStatus Status, long Seq, ReadOnlyMemory<byte> Utf8Json, string Reason)
{
    /// <summary>Where the message comes from, or what it quotes by a ref: untrusted where either is.</summary>
    public AccpOrigin Origin { get; init; }

    /// <summary>What is odd about the message.</summary>
    public AccpWarnings Warnings { get; init; }

    /// <summary>Of a message the mid of its frame; of one in parts, of the part that made it whole; else empty.</summary>
    public string Mid { get; init; } = "";

    /// <summary>Of a message the cid of its frame, empty where it has none; of a request that was not answered the request's, or its mid where it had none; else empty.</summary>
    public string Cid { get; init; } = "";

    /// <summary>The message in JSON; else empty.</summary>
    public string Json => Utf8.Decode(Utf8Json.Span);

    /// <summary>The message as JSON.</summary>
    public JsonElement ToElement() => Utf8Text.Element(Utf8Json.Span);

    /// <summary>The message.</summary>
    public AgentMessage ToMessage() => AgentMessage.FromJson(Utf8Json);
}

/// <summary>What a model should be given now.</summary>
/// <param name="Text">The text.</param>
/// <param name="Tokens">How many it has.</param>
public sealed record SessionContext(string Text, long Tokens);

/// <summary>What a model should be given now, as messages of an interface.</summary>
/// <param name="Utf8Json">
/// UTF-8: of <see cref="AccpInterface.OpenAI"/> an array of messages; of <see cref="AccpInterface.Anthropic"/> an object with <c>messages</c> and perhaps <c>system</c>, with
/// <c>cache_control</c> where a cache mark belongs.
/// </param>
/// <param name="Tokens">How many the texts of the context have, without the form around them.</param>
public sealed record SessionMessages(ReadOnlyMemory<byte> Utf8Json, long Tokens)
{
    /// <summary>The messages in JSON.</summary>
    public string Json => Utf8.Decode(Utf8Json.Span);

    /// <summary>The messages as JSON.</summary>
    public JsonElement ToElement() => Utf8Text.Element(Utf8Json.Span);
}

/// <summary>A count of an engine.</summary>
/// <param name="Name">Such as <c>accp.frames.received</c>.</param>
/// <param name="Unit">By UCUM, such as <c>By</c> or <c>{frame}</c>.</param>
/// <param name="Value">It never falls.</param>
public sealed record EngineMetric(string Name, string Unit, long Value);

/// <summary>What a <see cref="ContextBlock"/> is. Those of one context come in this order.</summary>
public enum ContextBlockKind
{
    /// <summary>What the host said first, and the first request: never shortened by a checkpoint.</summary>
    Pinned = 0,
    /// <summary>A line that says how many messages a budget leaves out.</summary>
    Gap = 1,
    /// <summary>A checkpoint: written once, and then as it is until older ones are folded together.</summary>
    Closed = 2,
    /// <summary>What was said since, but for the newest message.</summary>
    Open = 3,
    /// <summary>The newest message.</summary>
    Newest = 4,
    /// <summary>What <see cref="EngineSession.Put(string, Utf8Text, DateTimeOffset?)"/> has put under hot and warm, a line each, as it is now.</summary>
    Values = 5,
}

/// <summary>A part of a context's text.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="IsStable">
/// The next context begins with all up to the end of this block, as far as can be foreseen: what the next message is, and a checkpoint that is asked for, cannot. The last such
/// block is where a cache mark belongs.
/// </param>
/// <param name="Checkpoint">Of a closed block the newest that it holds (<c>$warm.ckpt_N</c>); else 0.</param>
/// <param name="Tokens">Of its text.</param>
/// <param name="Since">The record since which it stands like this; 0 for a gap and for values.</param>
/// <param name="Text">Its text.</param>
public sealed record ContextBlock(ContextBlockKind Kind, bool IsStable, int Checkpoint, long Tokens, long Since, string Text);

/// <summary>A record of a session's log.</summary>
/// <param name="Kind">R: a frame that came in; S: one that went out; M: a message without one; Q: a request with a deadline that went out; T: the end of waiting; r and s: a part of a message that came in or went out, and not the last; A: parts are held no more; U: used up; P: a checkpoint that was asked for; Z: the end.</param>
/// <param name="Time">When.</param>
/// <param name="Text">As it was said, byte for byte.</param>
public sealed record SessionRecord(char Kind, DateTimeOffset Time, string Text);
