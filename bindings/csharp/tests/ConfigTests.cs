// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Runtime.CompilerServices;
using Xunit;

namespace Accp.Tests;

/// <summary>Settings of a config, their users, their lifetimes, and invalid ones.</summary>
public class ConfigTests
{
    private const string Ref = "@a>req:plan{k:$warm.k}[mid:b00000000001,seq:1]";

    private static AccpConfig With(AccpRule rule, long value) => new() { Rules = { [rule] = value } };

    [Fact]
    public void WhatNoConfigMaySay()
    {
        AccpConfig[] all =
        [
            With(AccpRule.Retained, 65), With(AccpRule.Parts, 2), With(AccpRule.MaxTokens, -1), With((AccpRule)99, 0), new() { Dialect = (AccpDialect)9 },
            new() { Extensions = (AccpExtensions)64 }, new() { Limits = { [AccpLimit.Depth] = 0 } }, new() { Limits = { [(AccpLimit)99] = 1 } }, new() { Redacted = { "" } },
            new() { Ignored = { "a\0" } }, new() { OwnAgents = { "" } }, new() { Origins = { ["a"] = (AccpOrigin)2 } },
        ];
        Assert.All(all, config =>
        {
            Assert.Throws<AccpArgumentException>(() => new FrameParser(config));
            Assert.Throws<AccpArgumentException>(() => new AccpEngine(config));
        });
        Assert.Throws<ArgumentOutOfRangeException>(() => new FrameCodec(new AccpConfig { Limits = { [AccpLimit.Items] = -1 } }));
        Assert.Throws<ArgumentNullException>(() => new FrameCodec(new AccpConfig { Redacted = { null! } }));
        Assert.Throws<ArgumentNullException>(() => new FrameCodec(new AccpConfig { Schema = null! }));
    }

    [Fact]
    public void WhatACodecNeedsARegistryFor()
    {
        AccpConfig[] all =
        [
            new() { Extensions = AccpExtensions.P1 }, new() { Schema = "TC" }, new() { Strictness = AccpStrictness.Schema }, new() { Tools = (_, _) => AccpStatus.Ok },
            new() { Policy = _ => AccpStatus.Ok },
        ];
        using var registry = new SchemaRegistry();
        Assert.All(all, config =>
        {
            Assert.Throws<AccpArgumentException>(() => new FrameCodec(config));
            config.Registry = registry;
            new FrameCodec(config).Dispose();
        });
        Assert.Throws<AccpUnknownSchemaException>(() => new FrameCodec(new AccpConfig { Registry = registry, Schema = "NO" }));
        Assert.Throws<AccpArgumentException>(() => new FrameCodec(new AccpConfig { Extensions = 0, Rules = { [AccpRule.Parts] = 1 } }));
        Assert.Throws<AccpArgumentException>(() => new Negotiation("a", new AccpConfig()));
        using var bare = new FrameCodec();
        bare.Decode("@a>fail:error{code:E3001}");
        Assert.Null(bare.Failure());
        Assert.Null(bare.Registry());
    }

    private static Agreement Agreed(NegotiationState state, SchemaRegistry? registry = null, AccpExtensions extensions = AccpExtensions.Q1) =>
        new(state, extensions, AccpFeatures.Senders, registry, null, "");

    [Fact]
    public void WhatSessionsDoNotHave()
    {
        using var registry = new SchemaRegistry();
        AccpConfig[] all =
        [
            new() { Agreement = Agreed(NegotiationState.Open) }, new() { Agreement = Agreed(NegotiationState.Refused, registry) },
            new() { Agreement = Agreed(NegotiationState.Agreed) }, new() { Extensions = AccpExtensions.None, Rules = { [AccpRule.Parts] = 1 } },
        ];
        Assert.All(all, config =>
        {
            Assert.Throws<AccpArgumentException>(() => new AccpEngine(config));
            Assert.Throws<AccpArgumentException>(() => new AccpCodec(config));
        });
        // Conflicts are checked when a session is opened.
        using var engine = new AccpEngine(With(AccpRule.HotDue, (1 << 18) + 1));
        Assert.Throws<AccpArgumentException>(() => engine.Open("s"));
    }

    // It overrides other settings of a config, for the objects of both layers.
    [Fact]
    public void WhatWasAgreedIsInForce()
    {
        const string rows = """{"agent":"b","intent":"qry","operation":"plan","payload":{"rows":[{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":2}]}}""";
        using SchemaRegistry agreed = new("""{"schemas":{"build":{"code":"BD","version":1,"fields":["target"],"bind":["req:build"]}}}"""), other = new();
        AccpConfig waiting = With(AccpRule.RequireRegistry, 1);
        using EngineSession early = new AccpEngine(waiting).Open("s");
        Assert.Throws<AccpUnknownSchemaException>(() => early.Send(rows));
        Assert.Throws<AccpUnknownSchemaException>(() => early.Receive(Ref));
        (waiting.Registry, waiting.Extensions) = (other, AccpExtensions.T1);
        waiting.Agreement = Agreed(NegotiationState.Agreed, agreed, AccpExtensions.Q1 | AccpExtensions.P1);
        using var engine = new AccpEngine(waiting);
        using SchemaRegistry inForce = engine.Registry();
        Assert.Equal(agreed.Hash, inForce.Hash);
        using EngineSession session = engine.Open("s");
        session.Receive("@a>req:build{BD:[all]}[mid:b00000000001,seq:1]");
        Delivery asked = Assert.Single(session.Deliveries());
        string sent = session.Reply(asked.Utf8Json.Span, """{"agent":"b","intent":"done","payload":{"rows":[{"a":1,"b":2},{"a":1,"b":2},{"a":1,"b":2}]}}"""u8);
        Assert.StartsWith("@b>done:build{rows:[{a:1,b:2},{a:1,b:2},{a:1,b:2}]}[", sent, StringComparison.Ordinal);
        Assert.Contains(",seq:1,", sent, StringComparison.Ordinal);
        Assert.EndsWith(",cid:b00000000001,aid:b00000000001]", sent, StringComparison.Ordinal);

        using var codec = new AccpCodec(waiting);
        Assert.Same(agreed, codec.Registry);
        AccpSession record = codec.OpenSession("other");
        AgentMessage request = codec.Decode(AccpFrame.Parse("@a>req:build{BD:[all]}[mid:b00000000001,seq:1]"), record);
        AccpFrame answer = codec.Reply(request, new AgentMessage("b", AccpIntent.Done, "build", []), record);
        Assert.Equal(("b00000000001", "b00000000001"), (answer.Metadata!["cid"], answer.Metadata["aid"]));
        using var bare = new AccpCodec(new AccpConfig { Agreement = Agreed(NegotiationState.Bare) });
        Assert.Equal(["ER"], bare.Registry.Schemas().Select(schema => schema.Code));
        Assert.StartsWith("@a>req:build{k:all}[",
            bare.Encode(new AgentMessage("a", AccpIntent.Req, "build", new() { ["k"] = "all" }), bare.OpenSession("s")).ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void RulesThatAreNoNumbers()
    {
        var config = new AccpConfig();
        Assert.Equal((AccpDialect.Strict, AccpExtensions.Q1, AccpStrictness.None), (config.Dialect, config.Extensions, config.Strictness));
        Assert.False(config.Abbreviate || config.KeepRefs);
        Assert.Empty(config.Rules);
        (config.Extensions, config.KeepRefs) = (AccpExtensions.T1, true);
        Assert.Equal((2, 1), (config.Rules[AccpRule.Extensions], config.Rules[AccpRule.KeepRefs]));
        config.Rules[AccpRule.Dialect] = 2;
        Assert.Equal(AccpDialect.U8, config.Dialect);
        Assert.Equal(("hot_max", "stream_ahead", 65_536), (AccpConfig.Name(AccpRule.HotMax), AccpConfig.Name(AccpLimit.StreamAhead), AccpConfig.Default(AccpLimit.FrameBytes)));
    }

    // One config serves a codec and an engine, and later changes do not affect them.
    [Fact]
    public void OneConfigServesAll()
    {
        var log = new List<string>();
        var registry = new SchemaRegistry("""{"schemas":{"build":{"code":"BD","version":1,"fields":["target"],"bind":["req:build"]}}}""");
        var tokenizer = AccpTokenizer.Open("cl100k_base");
        var store = AccpStore.Open("memory:");
        var config = new AccpConfig
        {
            Registry = registry,
            Tokenizer = tokenizer,
            Store = store,
            Extensions = AccpExtensions.P1,
            Rules = { [AccpRule.Seed] = 7 },
            Redacted = { "target" },
            Log = (_, status, text) => log.Add($"{status} {text}"),
        };
        using var codec = new FrameCodec(config);
        using var engine = new AccpEngine(config);
        using var both = new AccpCodec(config);
        config.Registry = null;
        config.Rules[AccpRule.Seed] = -1;
        config.Redacted.Clear();
        config.Log = null;
        using EngineSession session = engine.Open("s");
        AccpSession record = both.OpenSession("other");
        Assert.Equal(["s", "other"], store.Sessions());
        store.Dispose();
        tokenizer.Dispose();
        const string json = """{"agent":"a","intent":"req","operation":"build","payload":{"target":"all"}}""";
        Assert.Equal("@a>req:build{BD:[all]}", codec.Encode(json));
        Assert.True(codec.Budget().Total.Tokens > 0);
        Assert.StartsWith("@a>req:build{BD:[all]}[", session.Send(json), StringComparison.Ordinal);
        Assert.StartsWith("@a>req:build{BD:[all]}[", both.Encode(AgentMessage.FromJson(json), record).ToString(), StringComparison.Ordinal);
        Assert.Equal(3, log.Count);
        Assert.All(log, line => Assert.Contains("[redacted]", line, StringComparison.Ordinal));
        registry.Dispose();
    }

    // Hooks of a config live as long as the object that was made with it.
    [Fact]
    public void HooksAfterACollection()
    {
        (FrameCodec codec, EngineSession session, WeakReference config) = Make();
        for (int i = 0; i < 3; ++i)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Assert.False(config.IsAlive);
        Assert.Contains("\"k\":\"found\"", codec.Decode(Ref), StringComparison.Ordinal);
        session.Receive(Ref);
        Assert.Contains("\"k\":\"found\"", Assert.Single(session.Deliveries()).Json, StringComparison.Ordinal);
        session.Put("cold.k", "1");
        Assert.Equal("1", session.Resolve("cold.k"));
        codec.Dispose();
        session.Dispose();
    }

    private sealed class Cold : IExternalStore
    {
        private readonly Dictionary<string, byte[]> kept = [];

        public void Save(string key, ReadOnlySpan<byte> value) => kept[key] = value.ToArray();

        public byte[]? Load(string key) => kept[key];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FrameCodec, EngineSession, WeakReference) Make()
    {
        byte[] found = "\"found\""u8.ToArray();
        var config = new AccpConfig { Resolver = _ => [.. found], ColdStore = new Cold() };
        return (new FrameCodec(config), new AccpEngine(config).Open("s"), new WeakReference(config));
    }

    // A callback may use another object, which has its own exceptions.
    [Fact]
    public void CallsInsideCallbacks()
    {
        var mine = new NotSupportedException("mine");
        var yours = new TimeoutException("yours");
        using var inner = new FrameCodec(new AccpConfig { Resolver = name => name == "warm.k" ? throw mine : "1"u8.ToArray() });
        int told = 0;
        var config = new AccpConfig
        {
            Resolver = _ =>
            {
                Assert.Same(mine, Assert.Throws<NotSupportedException>(() => inner.Decode(Ref)));
                throw yours;
            },
            Log = (_, _, _) =>
            {
                ++told;
                Assert.Contains("\"k\":1", inner.Decode("@a>req:plan{k:$warm.other}"), StringComparison.Ordinal);
            },
        };
        using var codec = new FrameCodec(config);
        using EngineSession session = new AccpEngine(config).Open("s");
        Assert.Same(yours, Assert.Throws<TimeoutException>(() => codec.Decode(Ref)));
        Assert.Same(yours, Assert.Throws<TimeoutException>(() => session.Receive(Ref)));
        Assert.Equal(2, told);
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Sample.Json));
    }

    [Fact]
    public void StreamsHaveTheirLimits()
    {
        using var streams = new StreamReceiver(new AccpConfig { Limits = { [AccpLimit.OpenStreams] = 1, [AccpLimit.StreamAhead] = 1 }, Rules = { [AccpRule.KeepStreams] = 0 } });
        Assert.Equal("a", streams.Add(new StreamChunk("one", "a", 0, false)).Data);
        Assert.Throws<AccpBudgetExceededException>(() => streams.Add(new StreamChunk("two", "a", 0, false)));
        streams.Add(new StreamChunk("one", "c", 2, true));
        StreamPart part = streams.Add(new StreamChunk("one", "b", 1, false));
        Assert.Equal(("bc", "", StreamState.Complete, 0), (part.Data, part.Whole, part.State, streams.OpenCount));
        streams.Add(new StreamChunk("two", "a", 0, false));
        streams.Remove("two");
        Assert.Equal(0, streams.OpenCount);
    }
}
