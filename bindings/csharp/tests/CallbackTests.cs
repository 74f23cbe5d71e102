// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>What the host answers, and what it throws.</summary>
public class CallbackTests
{
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
        codec.SetResolver(_ => codec.Encode(Sample.Json) is null ? null : null);
        Assert.Throws<InvalidOperationException>(() => codec.Decode("@a>req:x{k:$warm.k}"));
        codec.SetResolver(null);
        codec.SetPolicy(_ => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Sample.Json)));
        codec.SetPolicy(null);
        codec.SetTools((_, _) => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Decode("@o>req:tool{tool:x|schema:TC}")));
        codec.SetTools(null);
        codec.SetLog((_, _, _) => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Sample.Json)));
        codec.SetLog(null);
        codec.SetKeeper(_ => throw thrown);
        Assert.Same(thrown, Assert.Throws<NotSupportedException>(() => codec.Encode(Sample.Text(new string('x', 99)))));
        codec.SetKeeper(null);
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Sample.Json));

        using Tokenizer host = Tokenizer.FromHost("mine", true, _ => throw thrown);
        using var counter = new TokenCounter(host);
        Assert.Throws<AccpIOException>(() => counter.Count("x"));
        using Tokenizer bytes = Tokenizer.FromHost("bytes", true, text => text.Length);
        using var byBytes = new TokenCounter(bytes);
        Assert.Equal(5, byBytes.Count("naïv"));
        Assert.True(bytes.IsApproximate);
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
        here.SetMaxTokens(120);
        here.SetEnvelope(new AccpEnvelope { Mid = FrameParser.FormatMid(0, 0, 1), Seq = 1 });
        here.SetSplitting(first => first with { Mid = FrameParser.FormatMid(0, 0, ++seq), Seq = seq });
        there.SetReassembly(true);
        string text = string.Concat(Enumerable.Range(0, 200).Select(i => $"word{i} "));
        string[] parts = here.Encode(Sample.Text(text)).Split('\n');
        Assert.True(parts.Length > 3 && here.Parts == parts.Length);
        foreach (string part in parts[1..]) Assert.Throws<AccpHeldException>(() => there.Decode(part));
        Assert.Equal(text, there.DecodeElement(parts[0]).GetProperty("payload").GetProperty("k").GetString());
        here.SetSplitting(_ => throw new NotSupportedException("mine"));
        Assert.Throws<NotSupportedException>(() => here.Encode(Sample.Text(text)));
    }

    [Fact]
    public void CallbacksOfAnEngine()
    {
        var log = new List<string>();
        var setup = new EngineSetup
        {
            Resolver = name => name == "cold.far" ? "\"away\""u8.ToArray() : null,
            Summariser = (hot, max) => hot.Contains("fail me", StringComparison.Ordinal) ? throw new InvalidOperationException() : $"summed up in {max}",
            Log = (isReceived, status, text) => log.Add($"{isReceived} {status} {text}"),
            Redacted = { "secret" },
        };
        using var engine = new AccpEngine(setup);
        using EngineSession session = engine.Open("s");
        session.Receive("@a>req:plan{k:$cold.far|secret:hush}[mid:b00000000001,seq:1,ts:1714000000]", DateTimeOffset.FromUnixTimeSeconds(1714000000));
        Assert.Contains("\"k\":\"away\"", Assert.Single(session.Deliveries()).Text, StringComparison.Ordinal);
        Assert.Contains("[redacted]", Assert.Single(log), StringComparison.Ordinal);
        session.Checkpoint();
        Assert.Equal("\" summed up in 100\\n\"", session.Resolve("warm.ckpt_1.summary"));
        session.Append(Sample.Text("fail me"));
        session.Checkpoint();
        Assert.NotEqual("\" summed up in 100\\n\"", session.Resolve("warm.ckpt_2.summary"));
        Assert.Throws<AccpRefNotFoundException>(() =>
            session.Receive("@a>req:plan{k:$cold.none}[mid:b00000000002,seq:2,ts:1714000000]", DateTimeOffset.FromUnixTimeSeconds(1714000000)));
    }

    [Fact]
    public void RequestsWithADeadline()
    {
        var start = DateTimeOffset.FromUnixTimeMilliseconds(1_714_000_000_000);
        using var engine = new AccpEngine(new EngineSetup { Rules = { [AccpRule.DeadlineMs] = 1000, [AccpRule.Seed] = 7 } });
        using EngineSession session = engine.Open("s");
        string frame = session.Send(Sample.Json, start);
        Assert.Equal(start.AddMilliseconds(1000), session.NextDeadline);
        session.Expire(start.AddMilliseconds(1001));
        Delivery timeout = Assert.Single(session.Deliveries());
        Assert.Equal(AccpStatus.Timeout, timeout.Status);
        string again = session.Retry(timeout.Seq, start.AddMilliseconds(2000));
        Assert.Equal(frame[..frame.IndexOf('[')], again[..again.IndexOf('[')]);
        Assert.NotNull(session.NextDeadline);
        using EngineSession reader = engine.OpenRead("s");
        Assert.Equal(session.Records, reader.Records);
        Assert.Throws<AccpArgumentException>(() => reader.Append(Sample.Json));
        Assert.Throws<AccpRefNotFoundException>(() => engine.OpenRead("none"));
        engine.RegisterSchema("""{"schemas":{"build":{"code":"BD","version":1,"fields":["target"]}}}""");
        Assert.Contains("schema:BD", session.Send("""{"agent":"a","intent":"req","operation":"x","payload":{"target":"all","schema":"BD"}}""", start), StringComparison.Ordinal);
        using SchemaRegistry now = engine.Registry();
        Assert.Equal("build", now.Find("BD").Name);
    }
}
