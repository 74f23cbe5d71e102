// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>The result of an incoming frame.</summary>
public enum Receipt
{
    /// <summary>Applied, once and in order, with all that had waited for it: <see cref="EngineSession.Deliveries"/>.</summary>
    Applied = 0,
    /// <summary>Expired, or its chain was cancelled: send no answer.</summary>
    Dropped = 1,
    /// <summary>It waits for an earlier frame.</summary>
    Held = 2,
}

/// <summary>Options for opening a session.</summary>
[Flags]
public enum SessionModes
{
    /// <summary>For reading and writing; created if it does not exist.</summary>
    None = 0,
    /// <summary>
    /// Reads the session's current state; it must exist. A writer is not disturbed; calls that
    /// would change something are refused.
    /// </summary>
    ReadOnly = 1,
    /// <summary>
    /// The other side is a session of this engine that was also opened with this mode: messages
    /// over <see cref="AccpRule.MaxTokens"/> go in parts in both directions without a negotiation.
    /// It is refused if <see cref="AccpRule.Parts"/> is 0, an agreement excludes parts, or q1 is
    /// not in force.
    /// </summary>
    Local = 2,
}

/// <summary>The origin of messages.</summary>
public enum AccpOrigin
{
    /// <summary>The host's own side.</summary>
    Trusted = 0,
    /// <summary>Outside: the content is data, not instructions.</summary>
    Untrusted = 1,
}

/// <summary>
/// The sender of a frame or message, as the host has authenticated it, for example by its
/// connection. A host with more than one peer, or with one of limited trust, passes it with
/// everything that comes in (docs/security.md).
/// </summary>
/// <param name="Agents"> The names that it may use, separated by commas; empty: none; <c>*</c>
/// among them: any except for the host's own. An untrusted peer may use system, developer, user,
/// assistant, tool or function only if that name is listed too: <c>*,user</c>.</param>
/// <param name="Origin">Whether its content is marked as data from outside.</param>
public sealed record AccpPeer(string Agents, AccpOrigin Origin = AccpOrigin.Untrusted);

/// <summary>A result of a session, in order.</summary>
/// <param name="Status"> OK: a message. <see cref="AccpStatus.SequenceGap"/>: frames before
/// <paramref name="Seq"/> are missing. <see cref="AccpStatus.Timeout"/>: our request got no reply
/// in time. Any other: why a pending frame was refused.</param>
/// <param name="Seq">Its number; for a request without a reply the number of its record, for
/// <see cref="EngineSession.Retry"/>.</param>
/// <param name="Utf8Json">The message in JSON, as UTF-8; otherwise empty.</param>
/// <param name="Reason">The reason of a refusal.</param>
public sealed record Delivery(AccpStatus Status, long Seq, ReadOnlyMemory<byte> Utf8Json, string Reason)
{
    /// <summary>
    /// The origin of the message or of a ref that it quotes: untrusted if either is.
    /// </summary>
    public AccpOrigin Origin { get; init; }

    /// <summary>Warnings about the message.</summary>
    public AccpWarnings Warnings { get; init; }

    /// <summary>
    /// For a message the mid of its frame; in parts, of the part that completed it; otherwise
    /// empty.
    /// </summary>
    public string Mid { get; init; } = "";

    /// <summary>
    /// For a message the cid of its frame, empty if it has none; for a request without a reply its
    /// cid or else its mid; otherwise empty.
    /// </summary>
    public string Cid { get; init; } = "";

    /// <summary>The message in JSON; otherwise empty.</summary>
    public string Json => Utf8.Decode(Utf8Json.Span);

    /// <summary>The message as JSON.</summary>
    public JsonElement ToElement() => Utf8Text.Element(Utf8Json.Span);

    /// <summary>The message.</summary>
    public AgentMessage ToMessage() => AgentMessage.FromJson(Utf8Json);
}

/// <summary>The current context for a model.</summary>
/// <param name="Text">The text.</param>
/// <param name="Tokens">Its tokens.</param>
public sealed record SessionContext(string Text, long Tokens);

/// <summary>The current context for a model, as messages of an interface.</summary>
/// <param name="Utf8Json"> UTF-8: for <see cref="AccpInterface.OpenAI"/> an array of messages; for
/// <see cref="AccpInterface.Anthropic"/> an object with <c>messages</c> and an optional
/// <c>system</c>, with <c>cache_control</c> as cache marks.</param>
/// <param name="Tokens">The tokens of the texts without the surrounding format.</param>
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
/// <param name="Value">The count; it never falls.</param>
public sealed record EngineMetric(string Name, string Unit, long Value);

/// <summary>
/// The kind of a <see cref="ContextBlock"/>. The kinds of one context come in this order.
/// </summary>
public enum ContextBlockKind
{
    /// <summary>
    /// The host's first messages and the first request: never shortened by a checkpoint.
    /// </summary>
    Pinned = 0,
    /// <summary>A line that names messages that are left out.</summary>
    Gap = 1,
    /// <summary>A checkpoint: unchanged until older ones are merged.</summary>
    Closed = 2,
    /// <summary>Messages since the last checkpoint, except for the newest.</summary>
    Open = 3,
    /// <summary>The newest message.</summary>
    Newest = 4,
    /// <summary>
    /// The current values that <see cref="EngineSession.Put(string, Utf8Text, DateTimeOffset?)"/>
    /// stored under hot and warm, one per line.
    /// </summary>
    Values = 5,
}

/// <summary>A part of a context's text.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="IsStable"> Predicts that the next context begins with everything up to the end of
/// this block; the next message and requested checkpoints cannot be predicted. Put a cache mark at
/// the last such block.</param>
/// <param name="Checkpoint">For a closed block, its newest checkpoint (<c>$warm.ckpt_N</c>); else
/// 0.</param>
/// <param name="Tokens">The tokens of its text.</param>
/// <param name="Since">The record since which it is unchanged; 0 for a gap and for values.</param>
/// <param name="Text">Its text.</param>
public sealed record ContextBlock(ContextBlockKind Kind, bool IsStable, int Checkpoint, long Tokens, long Since, string Text);

/// <summary>A record of a session's log.</summary>
/// <param name="Kind">R: an incoming frame; S: an outgoing frame; M: a message without one; Q: an
/// outgoing request with a deadline; T: passed deadlines; r and s: an incoming or outgoing part
/// that is not the last; A: dropped parts; U: used up; P: a requested checkpoint; Z: the
/// end.</param>
/// <param name="Time">Its time.</param>
/// <param name="Text">The exact bytes.</param>
public sealed record SessionRecord(char Kind, DateTimeOffset Time, string Text);
