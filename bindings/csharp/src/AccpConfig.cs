// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Configures objects. One config serves any number of objects of any kind: each reads the settings
/// that it supports when it is constructed, so the config may be changed afterwards. Its store,
/// registry and tokenizer may be disposed afterwards too.
/// </summary>
public sealed class AccpConfig
{
    /// <summary>Limits that differ from the library's.</summary>
    public IDictionary<AccpLimit, long> Limits { get; private set; } = new Dictionary<AccpLimit, long>();

    /// <summary>
    /// Rules that differ from the library's. Rules that are not numbers have their own properties,
    /// which use this dictionary.
    /// </summary>
    public IDictionary<AccpRule, long> Rules { get; private set; } = new Dictionary<AccpRule, long>();

    /// <summary>The dialect for reading frames.</summary>
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

    /// <summary>
    /// What codecs and sessions refuse in addition to their rules; a codec needs a registry.
    /// </summary>
    public AccpStrictness Strictness
    {
        get => (AccpStrictness)Rule(AccpRule.Strictness);
        set => Rules[AccpRule.Strictness] = (long)value;
    }

    /// <summary>
    /// Payload keys are abbreviated by encoding and expanded by decoding (specification 4.2): both
    /// sides must set it.
    /// </summary>
    public bool Abbreviate
    {
        get => Rule(AccpRule.Abbreviate) != 0;
        set => Rules[AccpRule.Abbreviate] = value ? 1 : 0;
    }

    /// <summary>
    /// Decoding writes a ref as <c>{"$ref":"warm.key"}</c>, and encoding makes a ref from such an
    /// object.
    /// </summary>
    public bool KeepRefs
    {
        get => Rule(AccpRule.KeepRefs) != 0;
        set => Rules[AccpRule.KeepRefs] = value ? 1 : 0;
    }

    private long Rule(AccpRule rule, long otherwise = 0) => Rules.TryGetValue(rule, out long value) ? value : otherwise;

    /// <summary>
    /// The schemas; null: none for a codec, the profiles of the specification for an engine.
    /// </summary>
    public SchemaRegistry? Registry { get; set; }

    /// <summary>
    /// A negotiated agreement for codecs, engines and batches: registry, extensions, and features
    /// as rules. It overrides the other settings for these. If the sides are bare, the registry has
    /// no schemas. An open or refused agreement makes constructors throw
    /// <see cref="AccpArgumentException"/>; null: none.
    /// </summary>
    public Agreement? Agreement { get; set; }

    /// <summary>The schema code of a codec for messages that name none; empty: none.</summary>
    public string Schema { get; set; } = "";

    /// <summary>The store of an engine's sessions; null: the engine's own in memory.</summary>
    public AccpStore? Store { get; set; }

    /// <summary>
    /// The tokenizer for counts; null: o200k_base, except that a codec without
    /// <see cref="AccpRule.MaxTokens"/> counts nothing, and a negotiation names none.
    /// </summary>
    public AccpTokenizer? Tokenizer { get; set; }

    /// <summary>Members of JSON messages that encoding ignores instead of refusing.</summary>
    public IList<string> Ignored { get; private set; } = new List<string>();

    /// <summary>Keys whose values the log hides.</summary>
    public IList<string> Redacted { get; private set; } = new List<string>();

    /// <summary>
    /// The agents of the host: no session accepts a frame with one of these names from outside
    /// (E5001).
    /// </summary>
    public IList<string> OwnAgents { get; private set; } = new List<string>();

    /// <summary>
    /// Agents whose messages have an origin other than <see cref="AccpOrigin.Trusted"/>, whether
    /// they are received, sent on or appended.
    /// </summary>
    public IDictionary<string, AccpOrigin> Origins { get; private set; } = new Dictionary<string, AccpOrigin>();

    /// <summary>
    /// Codec, engine: resolves the refs of incoming frames; null: a codec resolves none, and a
    /// session its own.
    /// </summary>
    public RefResolver? Resolver { get; set; }

    /// <summary>
    /// Codec: keeps long or deep values of encoded messages, if the peer can resolve refs.
    /// </summary>
    public ValueKeeper? Keeper { get; set; }

    /// <summary>
    /// Codec, with <see cref="AccpRule.Parts"/> and <see cref="AccpRule.MaxTokens"/>: allows
    /// messages in parts.
    /// </summary>
    public PartEnvelope? NextEnvelope { get; set; }

    /// <summary>
    /// Codec, engine: the tool lookup for requests under the schema TC; a codec needs a registry. A
    /// session checks incoming and outgoing messages, but not when it reads its log again.
    /// </summary>
    public ToolLookup? Tools { get; set; }

    /// <summary>
    /// Codec, engine: the policy, called like <see cref="Tools"/>. A refused message changes
    /// nothing and is not answered; in a session its seq and mid are used up.
    /// </summary>
    public MessagePolicy? Policy { get; set; }

    /// <summary>
    /// Codec, engine: receives every message and every refusal (specification 9.1).
    /// </summary>
    public MessageLog? Log { get; set; }

    /// <summary>Engine: receives the events of its sessions.</summary>
    public SessionEvents? Events { get; set; }

    /// <summary>
    /// Engine: whether its sessions make activities (<see cref="AccpTelemetry"/>). Null: if their
    /// source has a listener when the engine is made.
    /// </summary>
    public bool? Traces { get; set; }

    /// <summary>Engine: writes the summaries of checkpoints; null: the library does.</summary>
    public Summariser? Summariser { get; set; }

    /// <summary>Packet: finds more items in a conversation; null: none.</summary>
    public PacketExtractor? Extractor { get; set; }

    /// <summary>Packet, packet index, agent registry: compares texts by meaning as well as by words; null: by words only.</summary>
    public TextEmbedder? Embedder { get; set; }

    /// <summary>Engine: stores the values of the cold tier; null: the store does.</summary>
    public IExternalStore? ColdStore { get; set; }

    /// <summary>Engine, packet: the clock for calls without a time.</summary>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>
    /// How System.Text.Json writes the host's own types in payloads of <see cref="AccpCodec"/>;
    /// null: with its defaults, but enums by their names. A program without reflection (trimmed,
    /// ahead of time) sets the options of its source-generated context here; the types of .NET
    /// itself need none.
    /// </summary>
    public JsonSerializerOptions? Json { get; set; }

    /// <summary>Returns the default value of a limit.</summary>
    public static unsafe long Default(AccpLimit limit) => checked((long)Native.accp_limit_default((int)limit));

    /// <summary>The name of a limit, such as <c>frame_bytes</c>.</summary>
    public static unsafe string Name(AccpLimit limit) => Utf8.Static(Native.accp_limit_name((int)limit));

    /// <summary>The name of a rule, such as <c>hot_max</c>.</summary>
    public static unsafe string Name(AccpRule rule) => Utf8.Static(Native.accp_rule_name((int)rule));

    /// <summary>
    /// Returns a copy with the current settings. Its store, registry, tokenizer and functions are the same objects.
    /// </summary>
    public AccpConfig Copy()
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
