// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The host's functions in a config. Each runs on the thread of its call, so several may run at once
// if several objects are used. None may use the object that called it.
using System;
using System.Collections.Generic;

namespace Accp;

/// <summary>
/// Returns the value of a ref in an incoming frame: JSON, in which an object
/// <c>{"$ref":"warm.other"}</c> is another ref; null: it does not exist (E2001). Throw
/// <see cref="AccpRefusalException"/> for another code of the error model.
/// </summary>
public delegate byte[]? RefResolver(string name);

/// <summary>
/// Keeps a value that is sent by reference, and returns the name by which the peer can resolve it,
/// such as <c>warm.key</c>; null: it stays inline.
/// </summary>
public delegate string? ValueKeeper(ReadOnlySpan<byte> json);

/// <summary>
/// Makes the envelope of the next part of a message; the argument is that of the first part.
/// </summary>
public delegate AccpEnvelope PartEnvelope(AccpEnvelope first);

/// <summary>
/// Looks up a tool: OK, <see cref="AccpStatus.ToolNotFound"/>,
/// <see cref="AccpStatus.ToolSchemaMismatch"/>, or another code of the error model.
/// </summary>
/// <param name="name">The name of the tool.</param>
/// <param name="arguments">As JSON; empty: none.</param>
public delegate AccpStatus ToolLookup(string name, ReadOnlySpan<byte> arguments);

/// <summary>
/// Checks each message: OK, <see cref="AccpStatus.PolicyDenied"/>, or another code of the error
/// model.
/// </summary>
public delegate AccpStatus MessagePolicy(PolicyCase asked);

/// <summary>Receives one line of a debug log: a message as render text, or a refusal.</summary>
public delegate void MessageLog(bool isReceived, AccpStatus status, string text);

/// <summary>
/// Receives the events of an engine's sessions, on the thread of the call and after it. It must not
/// use that session.
/// </summary>
public delegate void SessionEvents(SessionEvent told);

/// <summary>The kind of an event in a session.</summary>
public enum SessionEventKind
{
    /// <summary>An incoming frame was applied, also a part or a frame that had waited.</summary>
    Received = 0,
    /// <summary>A frame was sent: one event for each part of a message.</summary>
    Sent = 1,
    /// <summary>A frame waits for an earlier one.</summary>
    Held = 2,
    /// <summary>A frame or our message had expired, or its chain was cancelled.</summary>
    Dropped = 3,
    /// <summary>A frame or our message was refused, or its call failed.</summary>
    Refused = 4,
    /// <summary>Frames before the seq are missing.</summary>
    GapOpened = 5,
    /// <summary>No frame waits for a gap: it was filled or given up.</summary>
    GapClosed = 6,
    /// <summary>A checkpoint was made: the seq is its number.</summary>
    Checkpoint = 7,
    /// <summary>
    /// Our request got no reply in time: the seq is the number of its record.
    /// </summary>
    RequestExpired = 8,
    /// <summary>Later frames use another registry.</summary>
    RegistryChanged = 9,
    /// <summary>Messages were appended without a frame: one event for each call.</summary>
    Appended = 10,
    /// <summary>A context was made as text, blocks or messages.</summary>
    Context = 11,
    /// <summary>The context of the previous event omitted messages because of its budget.</summary>
    Evicted = 12,
}

/// <summary>
/// One event; fields that do not apply are 0 or empty. <see cref="FrameParser.Traceparent"/> makes
/// trace ids from cid, mid and aid.
/// </summary>
/// <param name="Kind">The kind of the event.</param>
/// <param name="Status">The status of the call, or of the frame that had waited.</param>
/// <param name="IsReceived">The frame was received; otherwise it was sent.</param>
/// <param name="Seq">The seq of the frame; otherwise as described for the kind.</param>
/// <param name="Bytes">Size of the frame, of the appended text, or of the context.</param>
/// <param name="Tokens"> Tokens of the frame or context.
/// <see cref="SessionEventKind.Appended"/>: the messages' part of the history.
/// <see cref="SessionEventKind.Evicted"/>: the omitted tokens.</param>
/// <param name="SessionId">The id of the session.</param>
/// <param name="Agent">The agent of the frame.</param>
/// <param name="Mid">The mid of the frame.</param>
/// <param name="Cid">The cid of the frame, or of an expired request.</param>
/// <param name="Aid">The aid of the frame.</param>
public sealed record SessionEvent(SessionEventKind Kind, AccpStatus Status, bool IsReceived, long Seq, long Bytes, long Tokens, string SessionId, string Agent, string Mid,
    string Cid, string Aid)
{
    /// <summary>
    /// Messages: appended (<see cref="SessionEventKind.Appended"/>), closed by the call
    /// (<see cref="SessionEventKind.Checkpoint"/>), in the session
    /// (<see cref="SessionEventKind.Context"/>), omitted (<see cref="SessionEventKind.Evicted"/>).
    /// </summary>
    public long Messages { get; init; }

    /// <summary>For a context: the tokens of resending all messages.</summary>
    public long HistoryTokens { get; init; }

    /// <summary>
    /// For a context: the tokens that a provider's cache can serve, because the previous context
    /// began with them.
    /// </summary>
    public long CachedTokens { get; init; }

    /// <summary>For a context: the other tokens.</summary>
    public long WrittenTokens { get; init; }
}

/// <summary>
/// Writes the summary of a checkpoint: one line or more without @ at the beginning, of at most
/// maxTokens; null: the library writes it.
/// </summary>
/// <param name="hot">The text that the checkpoint closes.</param>
/// <param name="maxTokens">The most tokens of the summary.</param>
public delegate string? Summariser(string hot, int maxTokens);

/// <summary>
/// A model that finds more items in a conversation for <see cref="ContextPacket.Generate"/>. Items
/// that are not in the conversation are dropped: <see cref="PacketWarnings.DroppedItems"/>. Its
/// exception leaves the call. It must not use the packet.
/// </summary>
/// <param name="conversation">JSON:
/// <c>{"task":…,"messages":[{"number":0,"role":"user","text":…},…]}</c>.</param>
/// <returns>JSON:
/// <c>{"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,"reason_message":2},…]}</c>
/// (docs/packets.md).</returns>
public delegate string PacketExtractor(string conversation);

/// <summary>Vectors of texts.</summary>
/// <param name="Vectors">One for each text, all of the same length.</param>
/// <param name="Model">The name of the model. Vectors of two models are never compared.</param>
public sealed record TextVectors(IReadOnlyList<ReadOnlyMemory<float>> Vectors, string Model);

/// <summary>
/// Makes vectors of texts with a model: texts with a similar meaning have vectors with similar
/// directions. Its exception leaves the call, and so does an error for vectors that are too few, too many, of
/// different lengths or not finite: words are never compared in their place. It must not use the object that calls it.
/// </summary>
/// <param name="texts">At least 1, at most 64.</param>
public delegate TextVectors TextEmbedder(IReadOnlyList<string> texts);

/// <summary>A message for a policy.</summary>
/// <param name="IsReceived">It was decoded; otherwise encoded.</param>
/// <param name="IsUntrusted">It, or the value of a ref in it, came from outside.</param>
/// <param name="Agent">The sender.</param>
/// <param name="Intent">The code of its intent.</param>
/// <param name="Operation">Its operation.</param>
/// <param name="Schema">The code of its schema; empty: none.</param>
/// <param name="Json">The message.</param>
public sealed record PolicyCase(bool IsReceived, bool IsUntrusted, string Agent, string Intent, string Operation, string Schema, string Json);

/// <summary>
/// A cold store of the host: values by their hash. Several sessions call it at once, on the threads
/// of their calls; it must not use those sessions.
/// </summary>
public interface IExternalStore
{
    /// <summary>
    /// Stores a value durably before it returns. The same value may come again with the same key.
    /// Its exception makes the session's call fail, and leaves it.
    /// </summary>
    /// <param name="key">64 hexadecimal digits: the SHA-256 of the value.</param>
    /// <param name="value">JSON, valid until this returns.</param>
    void Save(string key, ReadOnlySpan<byte> value);

    /// <summary>Returns a stored value; null: it does not exist.</summary>
    byte[]? Load(string key);
}

/// <summary>
/// A callback throws this to fail the call with a code of the error model, at the right byte.
/// </summary>
public sealed class AccpRefusalException(AccpStatus status) : Exception(status.ToString())
{
    /// <summary>The answer.</summary>
    public AccpStatus Status { get; } = status;
}
