// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Buffers;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>Texts of every kind, valid and invalid.</summary>
public class HostileTests
{
    [Theory]
    [InlineData("😀 𝒳 👩‍👩‍👧 \U0010FFFF")]
    [InlineData("a\0b\0")]
    [InlineData("")]
    [InlineData("\u202e\ufeff\u2028")]
    public void TextComesBack(string text)
    {
        using var frames = new FrameCodec();
        using var codec = new AccpCodec();
        JsonElement back = frames.DecodeElement(frames.Encode(Sample.Text(text)));
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
        using var codec = new FrameCodec();
        AccpInvalidTypeException wrong = Assert.Throws<AccpInvalidTypeException>(() => codec.Encode("{\"é\ud83d\":1}"));
        Assert.Equal(4, wrong.Offset);
        Assert.Throws<AccpInvalidTypeException>(() => codec.Encode(new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = "\udc00" }).ToJsonUtf8()));
        Assert.Throws<AccpInvalidTypeException>(() => codec.Encode((byte[])[.. Encoding.UTF8.GetBytes(Sample.Json).AsSpan(..^4), 0xff, .. "\"}}"u8]));
        Assert.Throws<AccpParseErrorException>(() => parser.Parse((byte[])[0x40, 0xff, 0xfe]));
        Assert.Throws<AccpParseErrorException>(() => parser.Parse(default(Utf8Text)));
        Assert.Throws<AccpParseErrorException>(() => codec.Decode(""));
        Assert.Throws<ArgumentNullException>(() => parser.Parse((string)null!));
        Assert.Throws<ArgumentNullException>(() => parser.Parse((byte[])null!));
        Assert.Throws<AccpInvalidTypeException>(() => new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = double.NaN }).ToJsonUtf8());
        Assert.Throws<AccpInvalidTypeException>(() => new AgentMessage("a", AccpIntent.Req, "x", new() { ["k"] = new object() }).ToJsonUtf8());
        Assert.Throws<AccpInvalidIntentException>(() => new AgentMessage("a", (AccpIntent)99, "x", []).ToJsonUtf8());
        var circle = new Dictionary<string, object>();
        circle["k"] = circle;
        Assert.Throws<AccpInvalidTypeException>(() => new AgentMessage("a", AccpIntent.Req, "x", circle).ToJsonUtf8());
        Assert.Throws<AccpParseErrorException>(() => parser.Parse("@"));
        Assert.Throws<AccpArgumentException>(() => parser.Print());
        Assert.Throws<AccpArgumentException>(() => parser.GetString(0));
        Assert.Throws<AccpArgumentException>(() => parser.Envelope());
        parser.Parse("@a>req:x{k:v}");
        Assert.Throws<AccpArgumentException>(() => parser.GetString(99));
        Assert.Throws<AccpArgumentException>(() => parser.GetInt64(0));
        Assert.Throws<AccpArgumentException>(() => AccpStore.Open("nowhere:"));
        Assert.Throws<AccpArgumentException>(() => AccpTokenizer.Open("none"));
        Assert.Equal("letter", Assert.Throws<ArgumentOutOfRangeException>(() => FrameParser.FormatMid(-1, 0, 0)).ParamName);
    }

    [Fact]
    public void TenMegabytes()
    {
        var wide = new AccpConfig { Limits = { [AccpLimit.FrameBytes] = 1 << 24 } };
        using FrameCodec strict = new();
        using FrameParser parser = new(wide);
        string text = string.Concat(Enumerable.Repeat("naïve 😀 ", 900_000)), json = Sample.Text(text);
        Assert.True(Encoding.UTF8.GetByteCount(json) > 10_000_000);
        Assert.Throws<AccpParseErrorException>(() => strict.Encode(json));
        using var large = new FrameCodec(new AccpConfig { Limits = { [AccpLimit.FrameBytes] = 1 << 28, [AccpLimit.JsonBytes] = 1 << 28 } });
        Assert.Equal(text, large.DecodeElement(large.Encode(json)).GetProperty("payload").GetProperty("k").GetString());
        Assert.Throws<AccpParseErrorException>(() => parser.Parse(new byte[10_000_000]));
        using AccpTokenizer tokenizer = AccpTokenizer.Open("o200k_base");
        using var counter = new TokenCounter(tokenizer);
        Assert.True(counter.Count(text) > 1_000_000);
    }

    [Fact]
    public void ResultsGoToBuffers()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using var codec = new FrameCodec();
        codec.Encode(Sample.Json, buffer);
        Assert.Equal("@a>req:x{k:v}", Encoding.UTF8.GetString(buffer.WrittenSpan));
        using var engine = new AccpEngine();
        using EngineSession session = engine.Open("s");
        buffer.ResetWrittenCount();
        session.Send(Sample.Json, buffer);
        Assert.StartsWith("@a>req:x{k:v}[", Encoding.UTF8.GetString(buffer.WrittenSpan), StringComparison.Ordinal);
        buffer.ResetWrittenCount();
        Assert.Equal(session.Context().Tokens, session.Context(buffer));
        Assert.Equal(session.Context().Text, Encoding.UTF8.GetString(buffer.WrittenSpan));
        using var batch = new FrameBatch();
        batch.Decode(string.Join('\n', Enumerable.Repeat("@a>req:x{k:v}", 1000)));
        Assert.Equal(1000, batch.Records.Length);
        Assert.Equal(Sample.Json, Encoding.UTF8.GetString(batch.Result(999)));
        batch.Parse("@a>req:x{k:v}\n@");
        Assert.Equal(5, batch.Nodes.Length);
        Assert.IsType<AccpParseErrorException>(batch.Records[1].Exception);
    }
}
