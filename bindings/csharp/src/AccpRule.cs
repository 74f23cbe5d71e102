// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;

namespace Accp;

/// <summary>Selects the accepted frames.</summary>
public enum AccpDialect
{
    /// <summary>The specification's grammar, exactly.</summary>
    Strict = 0,
    /// <summary>
    /// Reading only: also a bare <c>@name</c> as a value, a bare <c>:</c> in an array element, and
    /// null as a removal inside <c>delta</c>.
    /// </summary>
    Compat = 1,
    /// <summary>Also raw non-ASCII code points inside strings.</summary>
    U8 = 2,
}

/// <summary>
/// Extensions to the specification. Each is in force only if both sides have named it.
/// </summary>
[Flags]
public enum AccpExtensions
{
    /// <summary>The bare specification.</summary>
    None = 0,
    /// <summary>Any JSON value, without loss, inside the strict grammar.</summary>
    Q1 = 1,
    /// <summary>An array of similar objects as a table.</summary>
    T1 = 2,
    /// <summary>Strings carry raw non-ASCII code points.</summary>
    U8 = 4,
    /// <summary>
    /// Payloads by position with a schema of the agreed registry. Negotiated; needs a registry.
    /// </summary>
    P1 = 8,
    /// <summary>A quantity in words ("minus 12 percent") as symbols (-12%). Negotiated.</summary>
    W1 = 16,
}

/// <summary>Additional refusals.</summary>
[Flags]
public enum AccpStrictness
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>An operation that neither the specification nor the registry has: E5001.</summary>
    Operations = 1,
    /// <summary>Anything that would be a warning: E1004.</summary>
    Profiles = 2,
    /// <summary>A payload member that is not in its schema: E1004.</summary>
    Schema = 4,
    /// <summary>done, fail or ack with a mid and without a cid: E1004.</summary>
    Replies = 8,
}

/// <summary>Limits; a text beyond a limit is refused, never cut.</summary>
public enum AccpLimit
{
    /// <summary>One frame.</summary>
    FrameBytes = 0,
    /// <summary>Params of a payload, pairs of a metadata block.</summary>
    Params = 1,
    /// <summary>Elements of one array, entries of one map.</summary>
    Items = 2,
    /// <summary>One key, agent, intent, operation or ref.</summary>
    KeyBytes = 3,
    /// <summary>Nested arrays and maps in a frame.</summary>
    Depth = 4,
    /// <summary>One JSON text.</summary>
    JsonBytes = 5,
    /// <summary>Nested arrays and maps in JSON.</summary>
    JsonDepth = 6,
    /// <summary>The memory of one object.</summary>
    MemoryBytes = 7,
    /// <summary>The memory of all open streams.</summary>
    StreamBytes = 8,
    /// <summary>Pending chunks of one stream.</summary>
    StreamAhead = 9,
    /// <summary>Open streams.</summary>
    OpenStreams = 10,
}

/// <summary>
/// Numbers that control codecs and sessions, with their defaults in parentheses; booleans are 0 or
/// 1.
/// </summary>
public enum AccpRule
{
    /// <summary>Frames that may wait for an earlier one (64).</summary>
    Window = 0,
    /// <summary>
    /// Milliseconds after which a whole <c>sync:state</c> with a higher seq closes a gap (5,000).
    /// </summary>
    GapMs = 1,
    /// <summary>Milliseconds of tolerated clock difference for a ttl (0).</summary>
    SkewMs = 2,
    /// <summary>Milliseconds that a ts may be ahead (300,000).</summary>
    FutureMs = 3,
    /// <summary>
    /// Each agent has its own seq; 0: the session has one count, so sides take turns. A negotiation
    /// agrees on it if both sides can and the rule is not set (0).
    /// </summary>
    BySender = 4,
    /// <summary>A frame must have a ts (0).</summary>
    RequireTs = 5,
    /// <summary>A frame must have a sid (0).</summary>
    RequireSid = 6,
    /// <summary>A mid may be any 1 to 64 safe characters (0).</summary>
    LooseMid = 7,
    /// <summary>
    /// Tokens of a sent frame; 0: any number. The default is 240 for a session, and any number for
    /// a codec.
    /// </summary>
    MaxTokens = 8,
    /// <summary>
    /// Issuer of mids, 1 to 99 if several programs send in one session (0: only one sends).
    /// </summary>
    Issuer = 9,
    /// <summary>
    /// The other side reads this store, so long values are sent by reference (0).
    /// </summary>
    SharesStore = 10,
    /// <summary>
    /// The other side supports m1: only the changed cells of rows of the shared state are sent (0).
    /// </summary>
    Merges = 11,
    /// <summary>Sent frames carry the sid (0).</summary>
    NamesSession = 12,
    /// <summary>
    /// A call returns when its change is durable (1); 0: use <see cref="EngineSession.Sync"/>.
    /// </summary>
    Durable = 13,
    /// <summary>Tokens since the last checkpoint (262,144).</summary>
    HotMax = 14,
    /// <summary>Tokens above which a checkpoint is made (262,144).</summary>
    HotDue = 15,
    /// <summary>Tokens of one checkpoint (16,384).</summary>
    CheckpointMax = 16,
    /// <summary>Tokens of messages in a checkpoint (16,384).</summary>
    SummaryMax = 17,
    /// <summary>Checkpoints; then the two oldest are merged (4, at most 64).</summary>
    Retained = 18,
    /// <summary>
    /// The key of a session's mids, for tests; 0: random, so that mids cannot be predicted.
    /// </summary>
    Seed = 19,
    /// <summary>Milliseconds in which a sent request must get a reply; 0: unlimited (0).</summary>
    DeadlineMs = 20,
    /// <summary>
    /// Both sides accept messages in parts, so one over <see cref="MaxTokens"/> is split; needs q1.
    /// A codec that sends them needs <see cref="AccpConfig.NextEnvelope"/>; it throws
    /// <see cref="AccpHeldException"/> for each part except for the one that completes a message
    /// (0).
    /// </summary>
    Parts = 21,
    /// <summary>Sequence numbers and state versions that a sync:state may skip (65,536).</summary>
    Jump = 22,
    /// <summary><see cref="AccpConfig.Dialect"/>.</summary>
    Dialect = 23,
    /// <summary><see cref="AccpConfig.Extensions"/>.</summary>
    Extensions = 24,
    /// <summary><see cref="AccpConfig.Abbreviate"/>.</summary>
    Abbreviate = 25,
    /// <summary><see cref="AccpConfig.KeepRefs"/>.</summary>
    KeepRefs = 26,
    /// <summary>Pieces of text whose counts a counter caches, at 16 bytes each (65,536).</summary>
    TokenCache = 27,
    /// <summary><see cref="AccpConfig.Strictness"/>.</summary>
    Strictness = 28,
    /// <summary>
    /// Decoding with a codec lists the defaults that it filled in, in a member <c>defaults</c> (0).
    /// </summary>
    MarkDefaults = 29,
    /// <summary>
    /// Code points above which a string goes to <see cref="AccpConfig.Keeper"/> (50).
    /// </summary>
    InlineCharacters = 30,
    /// <summary>
    /// Special tokens count as such if a counter counts or encodes a whole text; 0: as text (0).
    /// </summary>
    SpecialTokens = 31,
    /// <summary>Bytes of a negotiation's delta in one frame, 64 to 8,192 (200).</summary>
    ChunkBytes = 32,
    /// <summary>A stream keeps its data and returns it whole at the end (1).</summary>
    KeepStreams = 33,
    /// <summary>
    /// Contexts use the numbers of specification 5.1 unless another rule is set (0).
    /// </summary>
    Specification = 34,
    /// <summary>Tokens of a message in a context; a longer one is cut (32,000).</summary>
    NewestMax = 35,
    /// <summary>
    /// Tokens of each message pinned at the front of a context; 0: none is pinned (30,000).
    /// </summary>
    PinnedMax = 36,
    /// <summary>
    /// Price of a token read from a provider's cache, in thousandths of plain input (100).
    /// </summary>
    PriceCached = 37,
    /// <summary>Price of a token written to it; 0: no message is left out by price (1,250).</summary>
    PriceWrite = 38,
    /// <summary>Tokens up to which a context leaves no message out by price (3,000).</summary>
    WholeMax = 39,
    /// <summary>Tokens that the host puts before a context (0).</summary>
    HostTokens = 40,
    /// <summary>
    /// Milliseconds after a call until the provider's cache expires; 0: it never does (300,000).
    /// </summary>
    CacheTtlMs = 41,
    /// <summary>
    /// Sessions refuse all frames without <see cref="AccpConfig.Agreement"/>: E1003 (0).
    /// </summary>
    RequireRegistry = 42,
    /// <summary>1: use the equivalent spelling with the fewest tokens (0).</summary>
    Spell = 43,
    /// <summary>
    /// A session continues with the registry of its newest frame;
    /// <see cref="AccpConfig.Agreement"/> has precedence (0).
    /// </summary>
    PinRegistry = 44,
    /// <summary>A codec accepts intents other than the twelve; 0: E1002 (0).</summary>
    AnyIntent = 45,
    /// <summary>
    /// Price of a token that the model writes, in thousandths of plain input (5,000).
    /// </summary>
    PriceOutput = 46,
    /// <summary>
    /// Packets, their prompts and the log have <c>[redacted:KIND]</c> in place of keys, tokens and
    /// passwords (1).
    /// </summary>
    RedactSecrets = 47,
}
