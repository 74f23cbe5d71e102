// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>Whatever is done to the layer, it answers with an exception and never with a crash.</summary>
public class RobustnessTests
{
    private const string Json = """{"agent":"a","intent":"req","operation":"x","payload":{"k":"v"}}""";

    private static string Text(string text) => """{"agent":"a","intent":"req","operation":"x","payload":{"k":""" + JsonSerializer.Serialize(text) + "}}";

    [Theory]
    [InlineData("😀 𝒳 👩‍👩‍👧 \U0010FFFF")]
    [InlineData("a\0b\0")]
    [InlineData("")]
    [InlineData("\u202e\ufeff\u2028")]
    public void TextComesBack(string text)
    {
        using var parser = new FrameParser();
        using var value = new AccpValue();
        using var codec = new AccpCodec();
        JsonElement back = parser.DecodeElement(parser.Encode(Text(text)));
        Assert.Equal(text, back.GetProperty("payload").GetProperty("k").GetString());
        AccpSession session = codec.OpenSession("s");
        AccpFrame frame = codec.Encode(new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = text }), session);
        Assert.Equal(text, frame.Payload["k"]);
        Assert.Equal(text, AccpFrame.Parse(frame.ToString()).Payload["k"]);
        codec.Open(session).Put("hot.k", JsonSerializer.SerializeToUtf8Bytes(text));
        Assert.Equal(text, codec.Open(session).ResolveElement("hot.k").GetString());
    }

    [Fact]
    public void WhatIsNoTextIsRefused()
    {
        using var parser = new FrameParser();
        AccpInvalidTypeException wrong = Assert.Throws<AccpInvalidTypeException>(() => parser.Encode("{\"é\ud83d\":1}"));
        Assert.Equal(4, wrong.Offset);
        Assert.Throws<AccpInvalidTypeException>(() => parser.Encode(new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = "\udc00" }).ToJsonUtf8()));
        Assert.Throws<AccpInvalidTypeException>(() => parser.Encode((byte[])[.. Encoding.UTF8.GetBytes(Json).AsSpan(..^4), 0xff, .. "\"}}"u8]));
        Assert.Throws<AccpParseErrorException>(() => parser.Parse((byte[])[0x40, 0xff, 0xfe]));
        Assert.Throws<AccpParseErrorException>(() => parser.Parse(default(Utf8Text)));
        Assert.Throws<AccpParseErrorException>(() => parser.Decode(""));
        Assert.Throws<ArgumentNullException>(() => parser.Parse((string)null!));
        Assert.Throws<ArgumentNullException>(() => parser.Parse((byte[])null!));
        Assert.Throws<AccpInvalidTypeException>(() => new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = double.NaN }).ToJsonUtf8());
        Assert.Throws<AccpInvalidTypeException>(() => new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = new object() }).ToJsonUtf8());
        Assert.Throws<AccpInvalidIntentException>(() => new AgentMessage("a", (AccpIntent)99, "x", []).ToJsonUtf8());
        var circle = new Dictionary<string, object>();
        circle["k"] = circle;
        Assert.Throws<AccpInvalidTypeException>(() => new AgentMessage("a", AccpIntent.Req, "x", circle).ToJsonUtf8());
        parser.Decode("@a>req:x{k:v}");
        Assert.Throws<AccpArgumentException>(() => parser.Print());
        Assert.Throws<AccpArgumentException>(() => parser.GetString(0));
        parser.Parse("@a>req:x{k:v}");
        parser.Encode(Json);
        Assert.Throws<AccpArgumentException>(() => parser.Envelope());
        parser.Parse("@a>req:x{k:v}");
        Assert.Throws<AccpArgumentException>(() => parser.GetString(99));
        Assert.Throws<AccpArgumentException>(() => parser.GetInt64(0));
        Assert.Throws<AccpArgumentException>(() => AccpStore.Open("nowhere:"));
        Assert.Throws<AccpArgumentException>(() => Tokenizer.Open("none"));
        Assert.Throws<OverflowException>(() => FrameParser.FormatMid(-1, 0, 0));
    }

    [Fact]
    public void TenMegabytes()
    {
        var wide = new AccpOptions { Limits = { [AccpLimit.FrameBytes] = 1 << 24 } };
        using FrameParser strict = new(), parser = new(wide);
        string text = string.Concat(Enumerable.Repeat("naïve 😀 ", 900_000)), json = Text(text);
        Assert.True(Encoding.UTF8.GetByteCount(json) > 10_000_000);
        Assert.Throws<AccpParseErrorException>(() => strict.Encode(json));
        using var large = new FrameParser(new AccpOptions { Limits = { [AccpLimit.FrameBytes] = 1 << 28, [AccpLimit.JsonBytes] = 1 << 28 } });
        Assert.Equal(text, large.DecodeElement(large.Encode(json)).GetProperty("payload").GetProperty("k").GetString());
        Assert.Throws<AccpParseErrorException>(() => parser.Parse(new byte[10_000_000]));
        using Tokenizer tokenizer = Tokenizer.Open("o200k_base");
        using var counter = new TokenCounter(tokenizer);
        Assert.True(counter.Count(text) > 1_000_000);
    }

    public static TheoryData<string, Func<(IDisposable Made, Action Use)>> Objects()
    {
        var all = new TheoryData<string, Func<(IDisposable, Action)>>();
        void Add<T>(Func<T> make, Action<T> use) where T : IDisposable => all.Add(typeof(T).Name, () =>
        {
            T made = make();
            return (made, () => use(made));
        });
        Add(() => new FrameParser(), one => one.Parse("@a>req:x{}"));
        Add(() => new AccpValue(), one => one.Parse("1"));
        Add(() => new FrameBatch(), one => one.Parse("@a>req:x{}"));
        Add(() => new FrameCodec(null), one => one.Encode(Json));
        Add(() => new SchemaRegistry(), one => one.Find("TX"));
        Add(() => new Negotiation(new SchemaRegistry(), "a", AccpExtensions.Q1), one => one.Next());
        Add(() => Tokenizer.Open("o200k_base"), one => _ = one.Name);
        Add(() => new TokenCounter(Tokenizer.Open("o200k_base")), one => one.Count("x"));
        Add(() => new Renderer(), one => one.Render(Json));
        Add(() => new StreamReceiver(), one => _ = one.Count);
        Add(() => new Deadlines(), one => _ = one.Next);
        Add(() => AccpStore.Open("memory:"), one => one.Stats());
        Add(() => new AccpEngine(), one => one.Open("s").Dispose());
        Add(() => new AccpEngine().Open("s"), one => one.Append(Json));
        Add(() => new AccpCodec(), one => one.OpenSession("s"));
        return all;
    }

    [Theory]
    [MemberData(nameof(Objects))]
    public void UseAfterCloseAndDoubleClose(string name, Func<(IDisposable Made, Action Use)> make)
    {
        (IDisposable made, Action use) = make();
        use();
        made.Dispose();
        ObjectDisposedException wrong = Assert.Throws<ObjectDisposedException>(use);
        Assert.NotNull(wrong.ObjectName ?? name);
        made.Dispose();
        Assert.Throws<ObjectDisposedException>(use);
    }

    [Fact]
    public void WhatIsBorrowedOutlivesItsOwner()
    {
        var store = AccpStore.Open("memory:");
        var registry = new SchemaRegistry();
        var tokenizer = Tokenizer.Open("cl100k_base");
        var engine = new AccpEngine(new EngineSetup { Store = store, Registry = registry, Tokenizer = tokenizer });
        var counter = new TokenCounter(tokenizer);
        EngineSession session = engine.Open("s");
        engine.Dispose();
        store.Dispose();
        registry.Dispose();
        tokenizer.Dispose();
        session.Append(Json);
        Assert.Equal(1, session.Records);
        Assert.True(session.Context().Tokens > 0);
        Assert.Equal(1, counter.Count("x"));
        session.Dispose();
        counter.Dispose();
    }

    [Fact]
    public void ACallbackThatThrows()
    {
        using var registry = new SchemaRegistry();
        using var codec = new FrameCodec(registry);
        var thrown = new NotSupportedException("mine");
        codec.SetResolver(_ => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Decode("@a>req:x{k:$warm.k}")));
        codec.SetResolver(_ => throw new AccpRefusalException(AccpStatus.RefExpired));
        Assert.Equal(11, Assert.Throws<AccpRefExpiredException>(() => codec.Decode("@a>req:x{k:$warm.k}")).Offset);
        codec.SetResolver(_ => codec.Encode(Json) is null ? null : null);
        Assert.Throws<InvalidOperationException>(() => codec.Decode("@a>req:x{k:$warm.k}"));
        codec.SetResolver(null);
        codec.SetPolicy(_ => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Json)));
        codec.SetPolicy(null);
        codec.SetTools((_, _) => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Decode("@o>req:tool{tool:x|schema:TC}")));
        codec.SetTools(null);
        codec.SetLog((_, _, _) => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Json)));
        codec.SetLog(null);
        codec.SetKeeper(_ => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Text(new string('x', 99)))));
        codec.SetKeeper(null);
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Json));

        using Tokenizer host = Tokenizer.FromHost("mine", true, _ => throw thrown);
        using var counter = new TokenCounter(host);
        Assert.Throws<AccpIOException>(() => counter.Count("x"));
        using Tokenizer bytes = Tokenizer.FromHost("bytes", true, text => text.Length);
        using var byBytes = new TokenCounter(bytes);
        Assert.Equal(5, byBytes.Count("naïv"));
        Assert.True(bytes.IsApproximate);
    }

    [Fact]
    public void ACounterThatIsGone()
    {
        using Tokenizer tokenizer = Tokenizer.Open("o200k_base");
        using var registry = new SchemaRegistry();
        using var codec = new FrameCodec(registry);
        var counter = new TokenCounter(tokenizer);
        codec.SetCounter(counter);
        codec.Encode(Json);
        Assert.Equal(8, codec.Tokens().Total);
        Assert.Equal(8, codec.Budget().Total.Tokens);
        Parallel.For(0, 8, i =>
        {
            for (int n = 0; n < 200; ++n) Assert.True(i % 2 == 0 ? codec.Encode(Json) == "@a>req:x{k:v}" : counter.Count(Json) > 8);
        });
        counter.Dispose();
        Assert.Throws<ObjectDisposedException>(() => codec.Encode(Json));
        Assert.Throws<ObjectDisposedException>(() => codec.Tokens());
        codec.SetCounter(null);
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Json));
    }

    [Fact]
    public void MessagesInParts()
    {
        using Tokenizer tokenizer = Tokenizer.Open("o200k_base");
        using var counter = new TokenCounter(tokenizer);
        using var registry = new SchemaRegistry();
        using FrameCodec here = new(registry), there = new(registry);
        int seq = 1;
        here.SetCounter(counter);
        here.SetMostTokens(120);
        here.SetEnvelope(new AccpEnvelope { Mid = FrameParser.FormatMid(0, 0, 1), Seq = 1 });
        here.SetSplitting(first => first with { Mid = FrameParser.FormatMid(0, 0, ++seq), Seq = seq });
        there.SetReassembly(true);
        string text = string.Concat(Enumerable.Range(0, 200).Select(i => $"word{i} "));
        string[] parts = here.Encode(Text(text)).Split('\n');
        Assert.True(parts.Length > 3 && here.Parts == parts.Length);
        foreach (string part in parts[1..]) Assert.Throws<AccpHeldException>(() => there.Decode(part));
        Assert.Equal(text, there.DecodeElement(parts[0]).GetProperty("payload").GetProperty("k").GetString());
        here.SetSplitting(_ => throw new NotSupportedException("mine"));
        Assert.Throws<NotSupportedException>(() => here.Encode(Text(text)));
    }

    [Fact]
    public void ACodecDisposedByItsOwnCallback()
    {
        var codec = new FrameCodec(null);
        codec.SetLog((_, _, _) => codec.Dispose());
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Json));
        Assert.Throws<ObjectDisposedException>(() => codec.Encode(Json));
    }

    [Fact]
    public void CallbacksOfAnEngine()
    {
        var log = new List<string>();
        var setup = new EngineSetup
        {
            Resolver = name => name == "cold.far" ? "\"away\""u8.ToArray() : null,
            Summariser = (hot, most) => hot.Contains("fail me", StringComparison.Ordinal) ? throw new InvalidOperationException() : $"summed up in {most}",
            Log = (isReceived, status, text) => log.Add($"{isReceived} {status} {text}"),
            Redacted = { "secret" },
        };
        using var engine = new AccpEngine(setup);
        using EngineSession session = engine.Open("s");
        session.Receive("@a>req:plan{k:$cold.far|secret:hush}[mid:b00000000001,seq:1,ts:1714000000]", DateTimeOffset.FromUnixTimeSeconds(1714000000));
        Assert.Contains("\"k\":\"away\"", Assert.Single(session.Deliveries()).Text, StringComparison.Ordinal);
        Assert.Contains("[redacted]", Assert.Single(log), StringComparison.Ordinal);
        session.Checkpoint();
        Assert.Equal("\"summed up in 100\\n\"", session.Resolve("warm.ckpt_1.summary"));
        session.Append(Text("fail me"));
        session.Checkpoint();
        Assert.NotEqual("\"summed up in 100\\n\"", session.Resolve("warm.ckpt_2.summary"));
        Assert.Throws<AccpRefNotFoundException>(() =>
            session.Receive("@a>req:plan{k:$cold.none}[mid:b00000000002,seq:2,ts:1714000000]", DateTimeOffset.FromUnixTimeSeconds(1714000000)));
    }

    [Fact]
    public void RequestsWithADeadline()
    {
        var start = DateTimeOffset.FromUnixTimeMilliseconds(1_714_000_000_000);
        using var engine = new AccpEngine(new EngineSetup { Rules = { [AccpRule.DeadlineMs] = 1000, [AccpRule.Seed] = 7 } });
        using EngineSession session = engine.Open("s");
        string frame = session.Send(Json, start);
        Assert.Equal(start.AddMilliseconds(1000), session.NextDeadline);
        session.Expire(start.AddMilliseconds(1001));
        Delivery timeout = Assert.Single(session.Deliveries());
        Assert.Equal(AccpStatus.Timeout, timeout.Status);
        string again = session.Retry(timeout.Seq, start.AddMilliseconds(2000));
        Assert.Equal(frame[..frame.IndexOf('[')], again[..again.IndexOf('[')]);
        Assert.NotNull(session.NextDeadline);
        using EngineSession reader = engine.OpenRead("s");
        Assert.Equal(session.Records, reader.Records);
        Assert.Throws<AccpArgumentException>(() => reader.Append(Json));
        Assert.Throws<AccpRefNotFoundException>(() => engine.OpenRead("none"));
        engine.RegisterSchema("""{"schemas":{"build":{"code":"BD","version":1,"fields":["target"]}}}""");
        Assert.Contains("schema:BD", session.Send("""{"agent":"a","intent":"req","operation":"x","payload":{"target":"all","schema":"BD"}}""", start), StringComparison.Ordinal);
        using SchemaRegistry now = engine.Registry();
        Assert.Equal("build", now.Find("BD").Name);
    }

    [Fact]
    public void SixtyFourThreadsOnTheirOwnSessions()
    {
        using var engine = new AccpEngine(new EngineSetup { Rules = { [AccpRule.Durable] = 0 } });
        Parallel.For(0, 64, new ParallelOptions { MaxDegreeOfParallelism = 64 }, i =>
        {
            using EngineSession session = engine.Open($"s{i}");
            using var parser = new FrameParser();
            for (int n = 0; n < 50; ++n)
            {
                string frame = session.Send(Text($"{i} {n} 😀"));
                Assert.Equal(9, parser.Parse(frame).Nodes.Length);
                Assert.Contains($"{i} {n} 😀", parser.Decode(frame), StringComparison.Ordinal);
            }
            Assert.Equal(50, session.Records);
        });
    }

    // Calls follow one another: nothing is lost, whoever calls.
    [Fact]
    public async Task OneSessionOfManyThreads()
    {
        using var engine = new AccpEngine(new EngineSetup { Rules = { [AccpRule.Durable] = 0 } });
        EngineSession session = engine.Open("s");
        Parallel.For(0, 16, new ParallelOptions { MaxDegreeOfParallelism = 16 }, i =>
        {
            for (int n = 0; n < 50; ++n)
            {
                session.Append(Text($"{i} {n}"));
                session.Context();
            }
        });
        Assert.Equal(800, session.Records);

        // Closed while others call: each of them ends, or learns that it is closed.
        int closed = 0;
        var threads = Enumerable.Range(0, 16).Select(i => Task.Run(() =>
        {
            try
            {
                for (int n = 0; n < 2000; ++n) session.Append(Text($"{i} {n}"));
            }
            catch (ObjectDisposedException)
            {
                Interlocked.Increment(ref closed);
            }
        })).ToArray();
        await Task.Delay(5);
        session.Dispose();
        await Task.WhenAll(threads);
        Assert.True(closed > 0);
    }

    // Handles that are forgotten while calls run, in any order, with the collector at work all the time.
    [Fact]
    public async Task TheCollectorDuringCalls()
    {
        using var stop = new CancellationTokenSource();
        Task collector = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        });
        Parallel.For(0, 4, _ =>
        {
            for (int n = 0; n < 60; ++n) Forget(n);
        });
        await stop.CancelAsync();
        await collector;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(int n)
    {
        var setup = new EngineSetup { Tokenizer = Tokenizer.Open("cl100k_base"), Store = AccpStore.Open("memory:"), Registry = new SchemaRegistry() };
        EngineSession session = new AccpEngine(setup).Open("s");
        for (int i = 0; i < 5; ++i) session.Append(Text($"{n} {i}"));
        Assert.True(session.Context().Tokens > 0);
        Assert.Equal(1, new TokenCounter(Tokenizer.Open("o200k_base")).Count("x"));
        var codec = new FrameCodec(new SchemaRegistry());
        codec.SetResolver(_ => "\"v\""u8.ToArray());
        Assert.Contains("\"v\"", codec.Decode("@a>req:x{k:$warm.k}"), StringComparison.Ordinal);
        Assert.Equal(4, new FrameParser().Parse("@a>req:x{}").Nodes.Length);
    }

    [Fact]
    public async Task AsynchronousForms()
    {
        string path = Path.Combine(Path.GetTempPath(), "accp-" + Guid.NewGuid().ToString("N"));
        try
        {
            using AccpStore store = await AccpStore.OpenAsync("sqlite:" + path);
            using var engine = new AccpEngine(new EngineSetup { Store = store });
            using EngineSession session = await engine.OpenAsync("s");
            await session.AppendAsync(Json);
            await session.AppendAsync(Encoding.UTF8.GetBytes(Json));
            Assert.Equal(Receipt.Applied, await session.ReceiveAsync("@a>req:x{}[mid:b00000000001,seq:1]"));
            Assert.Contains("seq:2", await session.SendAsync(Json), StringComparison.Ordinal);
            await session.CheckpointAsync();
            await session.SyncAsync();
            Assert.Equal(1, (await store.StatsAsync()).Sessions);
            Assert.Empty(await store.VerifyAsync());
            byte[] lines = await store.ExportAsync("s");
            using AccpStore other = AccpStore.Open("memory:");
            await other.ImportAsync(lines);
            Assert.Equal(lines, other.Export("s"));
            using var cancelled = new CancellationTokenSource();
            await cancelled.CancelAsync();
            await Assert.ThrowsAsync<TaskCanceledException>(() => session.AppendAsync(Json, cancelled.Token));
        }
        finally
        {
            foreach (string file in Directory.GetFiles(Path.GetTempPath(), Path.GetFileName(path) + "*")) File.Delete(file);
        }
    }

    [Fact]
    public void ResultsGoToBuffers()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using var parser = new FrameParser();
        parser.Encode(Json, buffer);
        Assert.Equal("@a>req:x{k:v}", Encoding.UTF8.GetString(buffer.WrittenSpan));
        using var batch = new FrameBatch();
        batch.Decode(string.Join('\n', Enumerable.Repeat("@a>req:x{k:v}", 1000)));
        Assert.Equal(1000, batch.Records.Length);
        Assert.Equal(Json, Encoding.UTF8.GetString(batch.Result(999)));
        batch.Parse("@a>req:x{k:v}\n@");
        Assert.Equal(5, batch.Nodes.Length);
        Assert.IsType<AccpParseErrorException>(batch.Records[1].Exception);
    }
}
