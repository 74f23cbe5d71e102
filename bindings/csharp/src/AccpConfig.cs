// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// How the objects behave that are made with it. One config serves any number of objects of any kind: each reads what concerns it when it is made, so that the config may be
/// changed or forgotten afterwards. What it names (a store, a registry, a tokenizer) may be disposed afterwards too.
/// </summary>
public sealed class AccpConfig
{
    /// <summary>Limits other than the library's.</summary>
    public IDictionary<AccpLimit, long> Limits { get; private set; } = new Dictionary<AccpLimit, long>();

    /// <summary>Rules other than the library's. Those that are no numbers have properties of their own, which read and write them here.</summary>
    public IDictionary<AccpRule, long> Rules { get; private set; } = new Dictionary<AccpRule, long>();

    /// <summary>The dialect that frames are read in.</summary>
    public AccpDialect Dialect
    {
        get => (AccpDialect)Rule(AccpRule.Dialect);
        set => Rules[AccpRule.Dialect] = (long)value;
    }

    /// <summary>The extensions in force with the other side.</summary>
    public AccpExtensions Extensions
    {
        get => (AccpExtensions)Rule(AccpRule.Extensions, (long)AccpExtensions.Q1);
        set => Rules[AccpRule.Extensions] = (long)value;
    }

    /// <summary>What codecs and sessions refuse beyond their rules; a codec needs a registry.</summary>
    public AccpStrictness Strictness
    {
        get => (AccpStrictness)Rule(AccpRule.Strictness);
        set => Rules[AccpRule.Strictness] = (long)value;
    }

    /// <summary>Payload keys are abbreviated when encoding and expanded when decoding (specification 4.2): both sides must have it.</summary>
    public bool Abbreviate
    {
        get => Rule(AccpRule.Abbreviate) != 0;
        set => Rules[AccpRule.Abbreviate] = value ? 1 : 0;
    }

    /// <summary>Decoding writes a ref as <c>{"$ref":"warm.key"}</c>, and encoding makes a ref of such an object.</summary>
    public bool KeepRefs
    {
        get => Rule(AccpRule.KeepRefs) != 0;
        set => Rules[AccpRule.KeepRefs] = value ? 1 : 0;
    }

    private long Rule(AccpRule rule, long otherwise = 0) => Rules.TryGetValue(rule, out long value) ? value : otherwise;

    /// <summary>The schemas agreed on; null: a codec has none, and an engine has the profiles of the specification.</summary>
    public SchemaRegistry? Registry { get; set; }

    /// <summary>
    /// What was negotiated, for codecs, engines and batches: its registry, its extensions, and its features as rules, in place of what else the config says of these. Where the
    /// two sides are bare it is a registry without schemas. One that is open or refused is an <see cref="AccpArgumentException"/> of what is made; null: none.
    /// </summary>
    public Agreement? Agreement { get; set; }

    /// <summary>The schema, by its code, of messages that a codec is given and that name none; empty: none.</summary>
    public string Schema { get; set; } = "";

    /// <summary>Where an engine's sessions are kept; null: in memory, the engine's own.</summary>
    public AccpStore? Store { get; set; }

    /// <summary>What counts tokens; null: o200k_base, save that a codec without <see cref="AccpRule.MaxTokens"/> counts nothing, and a negotiation names none.</summary>
    public AccpTokenizer? Tokenizer { get; set; }

    /// <summary>Members of a JSON message to pass over when encoding, where they would be refused.</summary>
    public IList<string> Ignored { get; private set; } = new List<string>();

    /// <summary>Keys whose values the log does not show.</summary>
    public IList<string> Redacted { get; private set; } = new List<string>();

    /// <summary>The agents of the host: no session takes a frame under one of these names from outside (E5001).</summary>
    public IList<string> OwnAgents { get; private set; } = new List<string>();

    /// <summary>Agents whose messages come to sessions from elsewhere than <see cref="AccpOrigin.Trusted"/>, however they come: received, sent on or appended.</summary>
    public IDictionary<string, AccpOrigin> Origins { get; private set; } = new Dictionary<string, AccpOrigin>();

    /// <summary>Codec, engine: what resolves the refs of frames that come in; null: a codec resolves none, and a session those of its own.</summary>
    public RefResolver? Resolver { get; set; }

    /// <summary>Codec: what keeps long or deep values of what is encoded, where the peer can resolve refs.</summary>
    public ValueKeeper? Keeper { get; set; }

    /// <summary>Codec, with <see cref="AccpRule.Parts"/> and <see cref="AccpRule.MaxTokens"/>: lets a message go in parts.</summary>
    public PartEnvelope? NextEnvelope { get; set; }

    /// <summary>
    /// Codec, engine: the tool lookup, asked of requests under the schema TC; a codec needs a registry. A session asks of what comes in and of what it sends, and not when it
    /// reads its log again.
    /// </summary>
    public ToolLookup? Tools { get; set; }

    /// <summary>
    /// Codec, engine: the policy, asked as <see cref="Tools"/>. A message that it refuses changes nothing, and is not answered; in a session its seq and mid are used up.
    /// </summary>
    public MessagePolicy? Policy { get; set; }

    /// <summary>Codec, engine: what is told of every message and every refusal (specification 9.1).</summary>
    public MessageLog? Log { get; set; }

    /// <summary>Engine: what is told of what happens in its sessions.</summary>
    public SessionEvents? Events { get; set; }

    /// <summary>
    /// Engine: whether its sessions make activities (<see cref="AccpTelemetry"/>). Null: if somebody listens to their source when the engine is made.
    /// </summary>
    public bool? Traces { get; set; }

    /// <summary>Engine: what writes the summaries of checkpoints; null: the library.</summary>
    public Summariser? Summariser { get; set; }

    /// <summary>Packet: what finds items of a conversation beside the rules; null: nothing.</summary>
    public PacketExtractor? Extractor { get; set; }

    /// <summary>Engine: what keeps the values of the cold tier; null: the store.</summary>
    public IExternalStore? ColdStore { get; set; }

    /// <summary>Engine, packet: the clock, for calls that are given no time.</summary>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>
    /// How <see cref="AccpCodec"/> has System.Text.Json write the types in payloads that are the host's own; null: as it does by itself, but enums by their names. A program
    /// without reflection (trimmed, ahead of time) gives the options of its source-generated context here; the types of .NET itself need none.
    /// </summary>
    public JsonSerializerOptions? Json { get; set; }

    /// <summary>The value that a limit has where nobody set it.</summary>
    public static unsafe long Default(AccpLimit limit) => checked((long)Native.accp_limit_default((int)limit));

    /// <summary>The name of a limit, such as <c>frame_bytes</c>.</summary>
    public static unsafe string Name(AccpLimit limit) => Utf8.Static(Native.accp_limit_name((int)limit));

    /// <summary>The name of a rule, such as <c>hot_max</c>.</summary>
    public static unsafe string Name(AccpRule rule) => Utf8.Static(Native.accp_rule_name((int)rule));

    // As it is now, whatever becomes of this one.
    internal AccpConfig Copy()
    {
        var made = (AccpConfig)MemberwiseClone();
        made.Limits = new Dictionary<AccpLimit, long>(Limits);
        made.Rules = new Dictionary<AccpRule, long>(Rules);
        made.Ignored = new List<string>(Ignored);
        made.Redacted = new List<string>(Redacted);
        made.OwnAgents = new List<string>(OwnAgents);
        made.Origins = new Dictionary<string, AccpOrigin>(Origins);
        return made;
    }
}
