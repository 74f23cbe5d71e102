// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a config can be given of the host's own to ask and to tell. All are called on the thread of the call that they belong to, so from several at once where several objects
// are used. None may use the object that called it.
using System;

namespace Accp;

/// <summary>
/// What a ref of an incoming frame stands for: JSON, in which an object <c>{"$ref":"warm.other"}</c> is a ref in its turn; null: it names nothing (E2001). Throw
/// <see cref="AccpRefusalException"/> for another answer of the error model.
/// </summary>
public delegate byte[]? RefResolver(string name);

/// <summary>Keeps a value that leaves by reference, and says under which name the peer can resolve it, such as <c>warm.key</c>; null: it stays inline.</summary>
public delegate string? ValueKeeper(ReadOnlySpan<byte> json);

/// <summary>Gives the next part of a message in parts its envelope, which comes as that of the first part.</summary>
public delegate AccpEnvelope PartEnvelope(AccpEnvelope first);

/// <summary>Looks a tool up: OK, <see cref="AccpStatus.ToolNotFound"/>, <see cref="AccpStatus.ToolSchemaMismatch"/>, or another code of the error model.</summary>
/// <param name="name">Of the tool.</param>
/// <param name="arguments">As JSON; empty: none.</param>
public delegate AccpStatus ToolLookup(string name, ReadOnlySpan<byte> arguments);

/// <summary>Asked about each message: OK, <see cref="AccpStatus.PolicyDenied"/>, or another code of the error model.</summary>
public delegate AccpStatus MessagePolicy(PolicyCase asked);

/// <summary>Takes one line of a debug log: a message as render text, or a refusal.</summary>
public delegate void MessageLog(bool isReceived, AccpStatus status, string text);

/// <summary>Is told of what happens in the sessions of an engine, on the thread of the call and after it. It must not use that session.</summary>
public delegate void SessionEvents(SessionEvent told);

/// <summary>What has happened in a session.</summary>
public enum SessionEventKind
{
    /// <summary>A frame came in and was applied, a part of a message too; also one that had waited.</summary>
    Received = 0,
    /// <summary>A frame went out: one event for each part of a message.</summary>
    Sent = 1,
    /// <summary>A frame waits for an earlier one.</summary>
    Held = 2,
    /// <summary>A frame, or a message of ours, had expired, or its chain was cancelled.</summary>
    Dropped = 3,
    /// <summary>A frame, or a message of ours, was refused, or its call failed.</summary>
    Refused = 4,
    /// <summary>Frames before the seq are missing.</summary>
    GapOpened = 5,
    /// <summary>Nothing waits for a gap any more: it was filled, or given up.</summary>
    GapClosed = 6,
    /// <summary>A checkpoint was made: the seq is its number.</summary>
    Checkpoint = 7,
    /// <summary>A request of ours was not answered in time: the seq is the number of its record.</summary>
    RequestExpired = 8,
    /// <summary>Frames are under another registry from now on.</summary>
    RegistryChanged = 9,
    /// <summary>Messages were appended without a frame: one event for each call.</summary>
    Appended = 10,
    /// <summary>A context was made, as text, blocks or messages.</summary>
    Context = 11,
    /// <summary>The context of the event before this one left messages out: its budget had no room.</summary>
    Evicted = 12,
}

/// <summary>One event; what does not apply is 0 or empty. <see cref="FrameParser.Traceparent"/> makes trace ids of cid, mid and aid.</summary>
/// <param name="Kind">What has happened.</param>
/// <param name="Status">Of the call, or of the frame that had waited.</param>
/// <param name="IsReceived">The frame came in; else it went out.</param>
/// <param name="Seq">Of the frame; else as the kind says.</param>
/// <param name="Bytes">Of the frame's text, of the text that was appended, or of the context.</param>
/// <param name="Tokens">
/// Of the frame or context. <see cref="SessionEventKind.Appended"/>: what the messages add to the history. <see cref="SessionEventKind.Evicted"/>: what the context has less.
/// </param>
/// <param name="SessionId">The id of the session.</param>
/// <param name="Agent">Of the frame.</param>
/// <param name="Mid">Of the frame.</param>
/// <param name="Cid">Of the frame, or of a request that expired.</param>
/// <param name="Aid">Of the frame.</param>
public sealed record SessionEvent(SessionEventKind Kind, AccpStatus Status, bool IsReceived, long Seq, long Bytes, long Tokens, string SessionId, string Agent, string Mid,
    string Cid, string Aid)
{
    /// <summary>
    /// Messages: <see cref="SessionEventKind.Appended"/>: that were appended; <see cref="SessionEventKind.Checkpoint"/>: that the call closed;
    /// <see cref="SessionEventKind.Context"/>: that the session has; <see cref="SessionEventKind.Evicted"/>: that the context leaves out.
    /// </summary>
    public long Messages { get; init; }

    /// <summary>Of a context: the tokens of all messages, which is what resending them would cost.</summary>
    public long HistoryTokens { get; init; }

    /// <summary>Of a context: the tokens at its front that the context before had too, so that a provider's cache can serve them.</summary>
    public long CachedTokens { get; init; }

    /// <summary>Of a context: its other tokens.</summary>
    public long WrittenTokens { get; init; }
}

/// <summary>
/// Writes the summary of a checkpoint: one line or more, none of which begins with @, of at most so many tokens; null: none, and the library's own is taken.
/// </summary>
/// <param name="hot">What the checkpoint closes, as the context has it.</param>
/// <param name="maxTokens">What the summary may have.</param>
public delegate string? Summariser(string hot, int maxTokens);

/// <summary>
/// Finds items of a conversation for <see cref="ContextPacket.Generate"/>, beside the rules: a model. What nobody said is dropped: <see cref="PacketWarnings.DroppedItems"/>.
/// What it throws, the call throws. It must not use the packet.
/// </summary>
/// <param name="conversation">JSON: <c>{"task":…,"messages":[{"number":0,"role":"user","text":…},…]}</c>.</param>
/// <returns>JSON: <c>{"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,"reason_message":2},…]}</c>, as docs/packets.md has it.</returns>
public delegate string PacketExtractor(string conversation);

/// <summary>What a policy is asked about.</summary>
/// <param name="IsReceived">Decoded; else encoded.</param>
/// <param name="IsUntrusted">It came from outside, or what a ref of it stands for did.</param>
/// <param name="Agent">Who says it.</param>
/// <param name="Intent">The code of its intent.</param>
/// <param name="Operation">Its operation.</param>
/// <param name="Schema">The code of its schema; empty: none.</param>
/// <param name="Json">The message.</param>
public sealed record PolicyCase(bool IsReceived, bool IsUntrusted, string Agent, string Intent, string Operation, string Schema, string Json);

/// <summary>A cold store of the host's own: values by their hash. Called by several sessions at once, on the threads of their calls; it must not use those sessions.</summary>
public interface IExternalStore
{
    /// <summary>
    /// Keeps a value. The same value comes with the same key, perhaps often. It returns when the value is durable; an exception makes the session's call fail, and comes
    /// out of it.
    /// </summary>
    /// <param name="key">64 hexadecimal digits: the SHA-256 of the value.</param>
    /// <param name="value">JSON, valid until this returns.</param>
    void Save(string key, ReadOnlySpan<byte> value);

    /// <summary>What was put under a key; null: it is not there.</summary>
    byte[]? Load(string key);
}

/// <summary>Thrown by a callback to answer with a code of the error model; the call then fails with it, at the right byte.</summary>
public sealed class AccpRefusalException(AccpStatus status) : Exception(status.ToString())
{
    /// <summary>The answer.</summary>
    public AccpStatus Status { get; } = status;
}
