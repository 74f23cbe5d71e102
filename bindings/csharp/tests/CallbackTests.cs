// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>Results and exceptions of callbacks.</summary>
public class CallbackTests
{
    [Fact]
    public void ACallbackThatThrows()
    {
        using var registry = new SchemaRegistry();
        var thrown = new NotSupportedException("mine");
        RefResolver resolver = _ => throw thrown;
        Func<AccpStatus> tools = () => throw thrown, policy = () => AccpStatus.Ok;
        Action log = () => { };
        bool isKept = false;
        using var codec = new FrameCodec(new AccpConfig
        {
            Registry = registry,
            Resolver = name => resolver(name),
            Tools = (_, _) => tools(),
            Policy = _ => policy(),
            Log = (_, _, _) => log(),
            Keeper = _ => isKept ? "cold.k" : throw thrown,
        });
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Decode("@a>req:x{k:$warm.k}")));
        resolver = _ => throw new AccpRefusalException(AccpStatus.RefExpired);
        Assert.Equal(11, Assert.Throws<AccpRefExpiredException>(() => codec.Decode("@a>req:x{k:$warm.k}")).Offset);
        resolver = _ => codec.Encode(Sample.Json) is null ? null : null;
        Assert.Throws<InvalidOperationException>(() => codec.Decode("@a>req:x{k:$warm.k}"));
        policy = () => throw thrown;
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Sample.Json)));
        policy = () => AccpStatus.Ok;
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Decode("@o>req:tool{tool:x|schema:TC}")));
        log = () => throw thrown;
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Sample.Json)));
        log = () => { };
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Sample.Text(new string('x', 99)))));
        isKept = true;
        Assert.Equal("@a>req:x{k:$cold.k}", codec.Encode(Sample.Text(new string('x', 99))));
        Assert.Equal(new CodecOutcome(1, 1, AccpWarnings.None), codec.Outcome());
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Sample.Json));

        using AccpTokenizer host = AccpTokenizer.FromHost("mine", true, _ => throw thrown);
        using var counter = new TokenCounter(host);
        Assert.Same(thrown, Assert.Throws<AccpIOException>(() => counter.Count("x")).InnerException);
        using AccpTokenizer bytes = AccpTokenizer.FromHost("bytes", true, text => text.Length);
        using var byBytes = new TokenCounter(bytes);
        Assert.Equal(5, byBytes.Count("naïv"));
        Assert.True(bytes.IsApproximate);
    }

    private sealed class Noon : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddHours(12);
    }

    [Fact]
    public void APacketKeepsItsTokenizerAndTakesTheClock()
    {
        bool fails = false;
        AccpTokenizer host = AccpTokenizer.FromHost("bytes", true, text => fails ? throw new NotSupportedException("mine") : text.Length);
        using var packet = new ContextPacket(new AccpConfig { Tokenizer = host, Clock = new Noon() });
        host.Dispose();
        void Generate() => packet.Generate("Add a login", "User: It must not fail.\n\nAssistant: ok", AccpInterface.Speakers, budgetTokens: 200);
        Generate();
        Assert.Contains("- It must not fail.", packet.ToPrompt(), StringComparison.Ordinal);
        Assert.Equal(packet.ToPrompt().Length, packet.TokenCount);
        Assert.Equal("1970-01-01T12:00:00Z", packet.ToJsonElement().GetProperty("created").GetString());
        Assert.Equal("bytes", packet.ToJsonElement().GetProperty("tokenizer").GetString());
        Assert.Throws<ArgumentOutOfRangeException>(() => packet.Generate("t", "c", budgetTokens: -1));
        fails = true;
        Assert.Throws<AccpIOException>(Generate);
        Assert.Throws<AccpArgumentException>(packet.Seal);
    }

    [Fact]
    public void APacketTellsItsTypingErrors()
    {
        using var packet = new ContextPacket();
        packet.Read("version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext: {goal: g, constrains: [c]}\n");
        Assert.Equal(["context.constrains constraints"], packet.MisspeltMembers());
    }

    [Fact]
    public void APacketAsksItsExtractor()
    {
        string items = "{\"items\":[{\"kind\":\"decision\",\"text\":\"survive the proxy\",\"message\":1},{\"kind\":\"failure\",\"text\":\"made up\",\"message\":0}]}";
        string asked = "";
        var thrown = new NotSupportedException("mine");
        bool fails = false;
        var config = new AccpConfig
        {
            Extractor = conversation =>
            {
                asked = conversation;
                return fails ? throw thrown : items;
            },
        };
        using var packet = new ContextPacket(config);
        void Generate() => packet.Generate("Add a login", "User: Add a login.\n\nAssistant: Cookies survive the proxy.", AccpInterface.Speakers);
        Generate();
        Assert.Contains("- Cookies survive the proxy. (agent)", packet.ToPrompt(), StringComparison.Ordinal);
        Assert.Equal(PacketWarnings.DroppedItems, packet.Warnings);
        Assert.StartsWith("{\"task\":\"Add a login\",\"messages\":[{\"number\":0,\"role\":\"user\",", asked, StringComparison.Ordinal);
        items = "no";
        Assert.Throws<AccpCorruptException>(Generate);
        fails = true;
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(Generate));
        Assert.Throws<AccpArgumentException>(packet.Seal);
    }

    [Fact]
    public void ASessionAsksThemToo()
    {
        var thrown = new NotSupportedException("mine");
        using var engine = new AccpEngine(new AccpConfig
        {
            Tools = (_, _) => throw thrown,
            Policy = asked => asked.IsReceived ? AccpStatus.PolicyDenied : AccpStatus.Ok,
        });
        using EngineSession session = engine.Open("s");
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => session.Receive("@o>req:tool{tool:x}[mid:b00000000001,seq:1]")));
        Assert.Throws<AccpPolicyDeniedException>(() => session.Receive("@o>req:x{}[mid:b00000000002,seq:1]"));
        session.Send(Sample.Json);
        Assert.Equal(new CodecOutcome(1, 0, AccpWarnings.None), session.Outcome());
    }

    [Fact]
    public void MessagesInParts()
    {
        using AccpTokenizer tokenizer = AccpTokenizer.Open("o200k_base");
        using var registry = new SchemaRegistry();
        int seq = 1;
        PartEnvelope next = first => first with { Mid = FrameParser.FormatMid(0, 0, ++seq), Seq = seq };
        var config = new AccpConfig
        {
            Registry = registry,
            Tokenizer = tokenizer,
            NextEnvelope = first => next(first),
            Rules = { [AccpRule.Parts] = 1, [AccpRule.MaxTokens] = 120 },
        };
        using FrameCodec here = new(config), there = new(config);
        here.SetEnvelope(new AccpEnvelope { Mid = FrameParser.FormatMid(0, 0, 1), Seq = 1 });
        string text = string.Concat(Enumerable.Range(0, 200).Select(i => $"word{i} "));
        string[] parts = here.Encode(Sample.Text(text)).Split('\n');
        Assert.True(parts.Length > 3 && here.Outcome().Parts == parts.Length);
        Assert.Throws<AccpHeldException>(() => there.Decode(parts[0]));
        there.RemoveParts("");
        foreach (string part in parts[1..]) Assert.Throws<AccpHeldException>(() => there.Decode(part));
        Assert.Equal(text, there.DecodeElement(parts[0]).GetProperty("payload").GetProperty("k").GetString());
        next = _ => throw new NotSupportedException("mine");
        Assert.Throws<NotSupportedException>(() => here.Encode(Sample.Text(text)));
    }

    [Fact]
    public void CallbacksOfAnEngine()
    {
        var log = new List<string>();
        var config = new AccpConfig
        {
            Resolver = name => name == "cold.far" ? "\"away\""u8.ToArray() : null,
            Summariser = (hot, max) => hot.Contains("fail me", StringComparison.Ordinal) ? throw new InvalidOperationException() : $"summed up in {max}",
            Log = (isReceived, status, text) => log.Add($"{isReceived} {status} {text}"),
            Redacted = { "secret" },
            Rules = { [AccpRule.Specification] = 1 },
        };
        using var engine = new AccpEngine(config);
        using EngineSession session = engine.Open("s");
        session.Receive("@a>req:plan{k:$cold.far|secret:hush}[mid:b00000000001,seq:1,ts:1714000000]", null, DateTimeOffset.FromUnixTimeSeconds(1714000000));
        Assert.Contains("\"k\":\"away\"", Assert.Single(session.Deliveries()).Json, StringComparison.Ordinal);
        Assert.Contains("[redacted]", Assert.Single(log), StringComparison.Ordinal);
        session.Checkpoint();
        Assert.Equal("\"(summary)\\n summed up in 100\\n\"", session.Resolve("warm.ckpt_1.summary"));
        session.Append(Sample.Text("fail me"));
        session.Checkpoint();
        Assert.NotEqual("\"(summary)\\n summed up in 100\\n\"", session.Resolve("warm.ckpt_2.summary"));
        Assert.Throws<AccpRefNotFoundException>(() =>
            session.Receive("@a>req:plan{k:$cold.none}[mid:b00000000002,seq:2,ts:1714000000]", null, DateTimeOffset.FromUnixTimeSeconds(1714000000)));
    }

    [Fact]
    public void RequestsWithADeadline()
    {
        var start = DateTimeOffset.FromUnixTimeMilliseconds(1_714_000_000_000);
        using var engine = new AccpEngine(new AccpConfig { Rules = { [AccpRule.DeadlineMs] = 1000, [AccpRule.Seed] = 7 } });
        using EngineSession session = engine.Open("s");
        string frame = session.Send(Sample.Json, start);
        Assert.Equal(start.AddMilliseconds(1000), session.NextDeadline);
        session.Expire(start.AddMilliseconds(1001));
        Delivery timeout = Assert.Single(session.Deliveries());
        Assert.Equal((AccpStatus.Timeout, "", ""), (timeout.Status, timeout.Json, timeout.Mid));
        Assert.Equal(AccpFrame.Parse(frame).Metadata!["mid"], timeout.Cid);
        Assert.Equal(new EngineMetric("accp.requests.expired", "{request}", 1), engine.Metrics().Single(one => one.Name == "accp.requests.expired"));
        Assert.Equal((1, 0), (engine.Outcomes(false, 0), engine.Outcomes(true, 0)));
        string again = session.Retry(timeout.Seq, start.AddMilliseconds(2000));
        Assert.Equal(frame[..frame.IndexOf('[')], again[..again.IndexOf('[')]);
        Assert.NotNull(session.NextDeadline);
        using EngineSession reader = engine.Open("s", SessionModes.ReadOnly);
        Assert.Equal(session.RecordCount, reader.RecordCount);
        Assert.Throws<AccpArgumentException>(() => reader.Append(Sample.Json));
        Assert.Throws<AccpRefNotFoundException>(() => engine.Open("none", SessionModes.ReadOnly));
        engine.RegisterSchema("""{"schemas":{"build":{"code":"BD","version":1,"fields":["target"]}}}""");
        Assert.Contains("schema:BD", session.Send("""{"agent":"a","intent":"req","operation":"x","payload":{"target":"all","schema":"BD"}}""", start), StringComparison.Ordinal);
        using SchemaRegistry now = engine.Registry();
        Assert.Equal("build", now.Find("BD").Name);
    }
}
