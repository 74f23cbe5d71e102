// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>The data of a delivery about its frame, and of a codec about a decoded frame.</summary>
public class DeliveryTests
{
    [Fact]
    public void ADeliveryNamesItsFrame()
    {
        using var engine = new AccpEngine();
        using EngineSession session = engine.Open("s");
        session.Receive("@a>req:plan{}[mid:b00000000001,seq:1]");
        session.Receive("@a>done:plan{}[mid:b00000000002,seq:2,cid:12]");
        Assert.Equal([("b00000000001", ""), ("b00000000002", "12")], session.Deliveries().Select(one => (one.Mid, one.Cid)));
        Assert.Empty(session.Deliveries());
        using var codec = new AccpCodec();
        Assert.Equal("123456789012", codec.Decode(AccpFrame.Parse("@a>req:plan{}[mid:123456789012,seq:1]"), codec.OpenSession("s")).Metadata!["mid"]);
    }

    [Fact]
    public void OfPartsTheOneThatMadeItWhole()
    {
        var config = new AccpConfig { Rules = { [AccpRule.Parts] = 1, [AccpRule.MaxTokens] = 120 } };
        using var engine = new AccpEngine(config);
        using EngineSession here = engine.Open("here"), there = engine.Open("there");
        string[] parts = here.Send(Sample.Text(string.Concat(Enumerable.Range(0, 200).Select(i => $"word{i} ")))).Split('\n');
        foreach (string part in parts) there.Receive(part);
        Delivery whole = Assert.Single(there.Deliveries());
        Assert.Equal(AccpFrame.Parse(parts[^1]).Metadata!["mid"], whole.Mid);
        Assert.NotEqual(whole.Mid, whole.ToMessage().Metadata!["mid"]);
    }

    [Fact]
    public void ARequestThatWasNotAnswered()
    {
        var start = DateTimeOffset.FromUnixTimeMilliseconds(1_714_000_000_000);
        using var engine = new AccpEngine(new AccpConfig { Rules = { [AccpRule.DeadlineMs] = 1000 } });
        using EngineSession session = engine.Open("s");
        session.Send("""{"agent":"a","intent":"req","operation":"x","payload":{},"meta":{"cid":"c1"}}""", start);
        session.Expire(start.AddMilliseconds(1001));
        Delivery timeout = Assert.Single(session.Deliveries());
        Assert.Equal((AccpStatus.Timeout, 1, "", "", "c1"), (timeout.Status, timeout.Seq, timeout.Json, timeout.Mid, timeout.Cid));
    }

    [Fact]
    public void TheFailureOfTheLastFrame()
    {
        using var registry = new SchemaRegistry();
        using var codec = new FrameCodec(new AccpConfig { Registry = registry });
        Assert.Null(codec.Failure());
        string frame = codec.EncodeFailure(new AccpFailure(AccpStatus.Timeout, "a") { Message = "too late", Cid = "c1" });
        Assert.Null(codec.Failure());
        Assert.Contains("E3001", codec.Decode(frame), StringComparison.Ordinal);
        Assert.Equal(new AccpFailure(AccpStatus.Timeout, "a") { Retry = true, Message = "too late", Cid = "c1" }, codec.Failure());
        Assert.Throws<AccpParseErrorException>(() => codec.Decode("@"));
        Assert.Null(codec.Failure());
        codec.Decode("@a>req:x{}");
        Assert.Null(codec.Failure());
    }
}
