// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;

namespace Accp;

/// <summary>Which frames are taken.</summary>
public enum AccpDialect
{
    /// <summary>The specification's grammar, exactly.</summary>
    Strict = 0,
    /// <summary>Reading only: also a bare <c>@name</c> as a value, a bare <c>:</c> in an array element, null as removal inside <c>delta</c>.</summary>
    Compat = 1,
    /// <summary>Also raw non-ASCII code points inside strings.</summary>
    U8 = 2,
}

/// <summary>Extensions to the specification. Each is in force only where both sides have named it.</summary>
[Flags]
public enum AccpExtensions
{
    /// <summary>The bare specification.</summary>
    None = 0,
    /// <summary>Any JSON value, without loss, inside the strict grammar.</summary>
    Q1 = 1,
    /// <summary>An array of like objects as a table.</summary>
    T1 = 2,
    /// <summary>Strings carry raw non-ASCII code points.</summary>
    U8 = 4,
    /// <summary>Payloads by position, under a schema of the agreed registry. To be negotiated; needs a registry.</summary>
    P1 = 8,
    /// <summary>A string that is a quantity in words ("minus 12 percent") as symbols (-12%). To be negotiated.</summary>
    W1 = 16,
}

/// <summary>What is refused that is taken otherwise.</summary>
[Flags]
public enum AccpStrictness
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>An operation that neither the specification nor the registry knows: E5001.</summary>
    Operations = 1,
    /// <summary>Whatever would be a warning: E1004.</summary>
    Profiles = 2,
    /// <summary>A member of the payload that its schema does not have: E1004.</summary>
    Schema = 4,
    /// <summary>done, fail or ack with a mid and without a cid, which says what it answers: E1004.</summary>
    Replies = 8,
}

/// <summary>Limits; beyond one a text is refused, never cut.</summary>
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
    /// <summary>Arrays and maps inside one another, in a frame.</summary>
    Depth = 4,
    /// <summary>One JSON text.</summary>
    JsonBytes = 5,
    /// <summary>Arrays and maps inside one another, in JSON.</summary>
    JsonDepth = 6,
    /// <summary>What one object may hold.</summary>
    MemoryBytes = 7,
    /// <summary>What all open streams hold.</summary>
    StreamBytes = 8,
    /// <summary>Chunks of one stream that wait.</summary>
    StreamAhead = 9,
    /// <summary>Open streams.</summary>
    OpenStreams = 10,
}

/// <summary>Numbers that govern codecs and sessions, with their defaults in parentheses; those that answer a question are 0 or 1.</summary>
public enum AccpRule
{
    /// <summary>Frames that may wait for an earlier one (64).</summary>
    Window = 0,
    /// <summary>After how many milliseconds a whole <c>sync:state</c> with a higher seq closes a gap (5,000).</summary>
    GapMs = 1,
    /// <summary>By how many milliseconds clocks may differ before a ttl has passed (0).</summary>
    SkewMs = 2,
    /// <summary>By how many milliseconds a ts may be ahead (300,000).</summary>
    FutureMs = 3,
    /// <summary>
    /// Each agent counts its own seq; 0: the session has one count, so sides take turns. A negotiation agrees on it where both sides can and it was not set (0).
    /// </summary>
    BySender = 4,
    /// <summary>A frame must have a ts (0).</summary>
    RequireTs = 5,
    /// <summary>A frame must have a sid (0).</summary>
    RequireSid = 6,
    /// <summary>A mid is any 1 to 64 safe characters (0).</summary>
    LooseMid = 7,
    /// <summary>Tokens of a frame that is sent; 0: any number. Where it is not set a session has 240, and a codec any number.</summary>
    MaxTokens = 8,
    /// <summary>Issuer of mids, 1 to 99 where several send in one session (0: one does).</summary>
    Issuer = 9,
    /// <summary>The other side reads this store, so long values go by reference (0).</summary>
    SharesStore = 10,
    /// <summary>The other side knows m1: of rows of the shared state only the cells that changed go (0).</summary>
    Merges = 11,
    /// <summary>Frames that are sent carry the sid (0).</summary>
    NamesSession = 12,
    /// <summary>A call returns when what it changed is durable (1); 0: <see cref="EngineSession.Sync"/> says when.</summary>
    Durable = 13,
    /// <summary>Tokens of what was said since the last checkpoint (32,768).</summary>
    HotMax = 14,
    /// <summary>Above so many of them a checkpoint is made (32,768).</summary>
    HotDue = 15,
    /// <summary>Tokens of one checkpoint (16,384).</summary>
    CheckpointMax = 16,
    /// <summary>Of what stands in it of messages (16,384).</summary>
    SummaryMax = 17,
    /// <summary>Checkpoints; then the two oldest become one (4, at most 64).</summary>
    Retained = 18,
    /// <summary>The key of the mids of a session, for tests; 0: a random one, so that nobody can foresee them.</summary>
    Seed = 19,
    /// <summary>In how many milliseconds a request that is sent is answered; 0: it waits for ever (0).</summary>
    DeadlineMs = 20,
    /// <summary>
    /// Both sides take messages in parts, so one over <see cref="MaxTokens"/> goes as such; needs q1. A codec that sends them needs <see cref="AccpConfig.NextEnvelope"/>; it
    /// answers <see cref="AccpHeldException"/> to each part but the one that makes a message whole (0).
    /// </summary>
    Parts = 21,
    /// <summary>Sequence numbers, and versions of the shared state, that a sync:state may pass (65,536).</summary>
    Jump = 22,
    /// <summary><see cref="AccpConfig.Dialect"/>.</summary>
    Dialect = 23,
    /// <summary><see cref="AccpConfig.Extensions"/>.</summary>
    Extensions = 24,
    /// <summary><see cref="AccpConfig.Abbreviate"/>.</summary>
    Abbreviate = 25,
    /// <summary><see cref="AccpConfig.KeepRefs"/>.</summary>
    KeepRefs = 26,
    /// <summary>Pieces of text that a counter remembers the counts of, at 16 bytes each (65,536).</summary>
    TokenCache = 27,
    /// <summary><see cref="AccpConfig.Strictness"/>.</summary>
    Strictness = 28,
    /// <summary>Decoding with a codec names the defaults that it filled in, in a member <c>defaults</c> (0).</summary>
    MarkDefaults = 29,
    /// <summary>Code points that a string may have and not go to <see cref="AccpConfig.Keeper"/> (50).</summary>
    InlineCharacters = 30,
    /// <summary>Special tokens in a text that a counter counts or encodes whole are themselves; 0: text (0).</summary>
    SpecialTokens = 31,
    /// <summary>Of a negotiation's delta in one frame, 64 to 8,192 (200).</summary>
    ChunkBytes = 32,
    /// <summary>What a stream brought is kept, and handed out whole at its end (1).</summary>
    KeepStreams = 33,
    /// <summary>Contexts go by the numbers of specification 5.1 where no other rule says (0).</summary>
    Specification = 34,
    /// <summary>Tokens of a message in a context; a longer one is cut (2,000).</summary>
    NewestMax = 35,
    /// <summary>Tokens of each message that stays at the front of a context; 0: none does (4,000).</summary>
    PinnedMax = 36,
    /// <summary>Of a token read from a provider's cache, in thousandths of plain input (100).</summary>
    PriceCached = 37,
    /// <summary>Of a token written to it; 0: nothing closes by price (1,000).</summary>
    PriceWrite = 38,
    /// <summary>Tokens up to which a context is left whole by price (3,000).</summary>
    WholeMax = 39,
    /// <summary>Tokens that the host puts in front of a context (0).</summary>
    HostTokens = 40,
    /// <summary>Names of lines that are left out stay (1).</summary>
    NameLists = 41,
    /// <summary>Sessions take and send nothing without <see cref="AccpConfig.Agreement"/>: E1003 (0).</summary>
    RequireRegistry = 42,
    /// <summary>1: of the spellings that are read as the same message the one of the fewest tokens (0).</summary>
    Spell = 43,
    /// <summary>A session goes on under the registry that it was written under last; <see cref="AccpConfig.Agreement"/> stands above it (0).</summary>
    PinRegistry = 44,
    /// <summary>A codec takes intents that are none of the twelve too; 0: E1002 (0).</summary>
    AnyIntent = 45,
}
