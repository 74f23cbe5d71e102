// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Accp;

/// <summary>Numbers that govern sessions; those that answer a question are 0 or 1.</summary>
public enum AccpRule
{
    /// <summary>Frames that may wait for an earlier one (64).</summary>
    Window = 0,
    /// <summary>After how many milliseconds a <c>sync:state</c> with a higher seq closes a gap (5,000).</summary>
    GapMs = 1,
    /// <summary>By how many milliseconds clocks may differ before a ttl has passed (0).</summary>
    SkewMs = 2,
    /// <summary>By how many milliseconds a ts may be ahead (300,000).</summary>
    FutureMs = 3,
    /// <summary>Each agent counts its own seq, where one side sees a part of the traffic only (0).</summary>
    BySender = 4,
    /// <summary>A frame must have a ts (0).</summary>
    RequireTs = 5,
    /// <summary>A frame must have a sid (0).</summary>
    RequireSid = 6,
    /// <summary>A mid is any 1 to 64 safe characters (0).</summary>
    LooseMid = 7,
    /// <summary>Tokens of a frame that is sent (240); 0: any number.</summary>
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
    /// <summary>Tokens of hot state (500).</summary>
    HotMax = 14,
    /// <summary>Above so many a checkpoint is made (400).</summary>
    HotDue = 15,
    /// <summary>Tokens of one checkpoint (200).</summary>
    CheckpointMax = 16,
    /// <summary>Of its summary (100).</summary>
    SummaryMax = 17,
    /// <summary>Checkpoints that stay warm (10, at most 64).</summary>
    Retained = 18,
    /// <summary>The key of the mids of a session, for tests; 0: a random one, so that nobody can foresee them.</summary>
    Seed = 19,
    /// <summary>In how many milliseconds a request that is sent is answered; 0: it waits for ever (0).</summary>
    DeadlineMs = 20,
    /// <summary>Both sides take messages in parts, so one over <see cref="MaxTokens"/> goes as such; needs q1 (0).</summary>
    Parts = 21,
    /// <summary>Sequence numbers, and versions of the shared state, that a sync:state may pass (65,536).</summary>
    Jump = 22,
}

/// <summary>What sessions of one kind share. Read when the engine is made.</summary>
public sealed class EngineSetup
{
    /// <summary>Where sessions are kept; null: in memory, the engine's own.</summary>
    public AccpStore? Store { get; set; }

    /// <summary>The schemas agreed on; null: the profiles of the specification.</summary>
    public SchemaRegistry? Registry { get; set; }

    /// <summary>The extensions in force with the other side.</summary>
    public AccpExtensions Extensions { get; set; } = AccpExtensions.Q1;

    /// <summary>Who counts; null: o200k_base.</summary>
    public Tokenizer? Tokenizer { get; set; }

    /// <summary>Who keeps the values of the cold tier; null: the store.</summary>
    public IExternalStore? ColdStore { get; set; }

    /// <summary>Who resolves the refs of frames that a session itself has not; null: nobody. It must not use the session.</summary>
    public RefResolver? Resolver { get; set; }

    /// <summary>Who writes the summaries of checkpoints; null: the library. It must not use the session.</summary>
    public Summariser? Summariser { get; set; }

    /// <summary>Who is told of every message and every refusal (specification 9.1); null: nobody. It must not use the session.</summary>
    public MessageLog? Log { get; set; }

    /// <summary>Keys whose values the log does not show.</summary>
    public IList<string> Redacted { get; } = new List<string>();

    /// <summary>The agents of the host: no session takes a frame under one of these names from outside (E5001).</summary>
    public IList<string> OwnAgents { get; } = new List<string>();

    /// <summary>Agents whose messages come from elsewhere than <see cref="AccpOrigin.Trusted"/>, however they come: received, sent on or appended.</summary>
    public IDictionary<string, AccpOrigin> Origins { get; } = new Dictionary<string, AccpOrigin>();

    /// <summary>Rules other than the library's.</summary>
    public IDictionary<AccpRule, long> Rules { get; } = new Dictionary<AccpRule, long>();

    /// <summary>The clock, for calls that are given no time.</summary>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>
    /// How <see cref="AccpCodec"/> has System.Text.Json write the types in payloads that are the host's own; null: as it does by itself, but enums by their names. A program
    /// without reflection (trimmed, ahead of time) gives its source-generated context here.
    /// </summary>
    public System.Text.Json.JsonSerializerOptions? Json { get; set; }

    /// <summary>Limits and the like.</summary>
    public AccpOptions? Options { get; set; }

    // The same for sessions of another store, registry and cold store.
    internal EngineSetup For(AccpStore store, SchemaRegistry registry, IExternalStore? cold)
    {
        var made = (EngineSetup)MemberwiseClone();
        (made.Store, made.Registry, made.ColdStore) = (store, registry, cold);
        return made;
    }
}

/// <summary>
/// Writes the summary of a checkpoint: one line or more, none of which begins with @, of at most so many tokens; null: none, and the library's own is taken.
/// </summary>
/// <param name="hot">What the checkpoint closes, as the context has it.</param>
/// <param name="maxTokens">What the summary may have.</param>
public delegate string? Summariser(string hot, int maxTokens);

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
