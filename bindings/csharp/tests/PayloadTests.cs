// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Net;
using System.Numerics;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using Xunit;

namespace Accp.Tests;

/// <summary>Payloads of .NET programs, and the errors for values without a JSON form.</summary>
public class PayloadTests
{
    private enum Level
    {
        Low,
        High,
    }

    private sealed record Ticket(int Id, string Title, Level Severity, DateTimeOffset? Due = null, AccpRef? Log = null, BigInteger? Cost = null);

    private sealed class Job
    {
        [JsonPropertyName("what")]
        public string Name { get; set; } = "build";

        public List<Ticket> Tickets { get; } = [];

        public object? Any { get; set; }
    }

    private struct Point
    {
        public int X { get; set; }
    }

    public static TheoryData<object, string> Values() => new()
    {
        { new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc), "\"2026-01-02T03:04:05Z\"" },
        { new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Unspecified), "\"2026-01-02T03:04:05\"" },
        { new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)), "\"2026-01-02T03:04:05\\u002B02:00\"" },
        { new DateOnly(2026, 1, 2), "\"2026-01-02\"" },
        { new TimeOnly(3, 4, 5), "\"03:04:05\"" },
        { TimeSpan.FromMinutes(90), "\"01:30:00\"" },
        { Guid.Parse("6f9619ff-8b86-d011-b42d-00c04fc964ff"), "\"6f9619ff-8b86-d011-b42d-00c04fc964ff\"" },
        { Level.High, "\"High\"" },
        { new Uri("https://example.org/a?b"), "\"https://example.org/a?b\"" },
        { new Version(1, 2), "\"1.2\"" },
        { 'x', "\"x\"" },
        { (Half)1.5, "1.5" },
        { new byte[] { 1, 2, 255 }, "\"AQL/\"" },
        { new Ticket(7, "naïve 😀", Level.High), """{"Id":7,"Title":"naïve 😀","Severity":"High","Due":null,"Log":null,"Cost":null}""" },
        { new Ticket(7, "", Level.Low, Log: new AccpRef("cold.k"), Cost: BigInteger.Pow(10, 30)),
            """{"Id":7,"Title":"","Severity":"Low","Due":null,"Log":{"$ref":"cold.k"},"Cost":1000000000000000000000000000000}""" },
        { new Job { Tickets = { new Ticket(1, "a", Level.Low) }, Any = new AccpNumber("1e-9") },
            """{"what":"build","Tickets":[{"Id":1,"Title":"a","Severity":"Low","Due":null,"Log":null,"Cost":null}],"Any":1e-9}""" },
        { new { a = 1, b = new[] { Level.Low } }, """{"a":1,"b":["Low"]}""" },
        { new Point { X = 3 }, """{"X":3}""" },
        { (ReadOnlyMemory<byte>)"x"u8.ToArray(), "\"eA==\"" },
        { ImmutableDictionary<string, int>.Empty.Add("k", 1), """{"k":1}""" },
        { new Dictionary<string, object?> { ["k"] = 1, ["n"] = null }.ToFrozenDictionary(), """{"k":1,"n":null}""" },
        { new Dictionary<Level, object?> { [Level.High] = new Point { X = 1 } }, """{"High":{"X":1}}""" },
        { new Dictionary<int, string> { [4] = "x" }, """{"4":"x"}""" },
        { new HashSet<int> { 4 }, "[4]" },
        { (1, "x"), """{"Item1":1,"Item2":"x"}""" },
        { JsonNode.Parse("""{"a":[1.50,null,"x"]}""")!, """{"a":[1.50,null,"x"]}""" },
        { new JsonObject { ["when"] = JsonValue.Create(Level.High), ["n"] = null, ["t"] = new JsonArray(1, "é") }, """{"when":"High","n":null,"t":[1,"é"]}""" },
    };

    private static AgentMessage Message(object? value) => new("a", AccpIntent.Req, "x", new() { ["k"] = value! });

    [Theory]
    [MemberData(nameof(Values))]
    public void ValuesOfDotNet(object value, string json)
    {
        JsonElement got = Message(value).ToJsonElement().GetProperty("payload").GetProperty("k");
        Assert.True(JsonElement.DeepEquals(JsonElement.Parse(json), got), got.GetRawText());
        using var codec = new AccpCodec();
        AgentMessage back = codec.Decode(new AccpFrame("a", AccpIntent.Req, "plan", Message(value).Payload, new() { ["mid"] = "b00000000001", ["seq"] = "1" }) is var frame
            && !json.Contains("$ref", StringComparison.Ordinal) ? frame : AccpFrame.Parse("@a>req:plan{k:1}[mid:b00000000001,seq:1]"), codec.OpenSession("s"));
        Assert.NotNull(back.Payload["k"]);
    }

    private sealed class Throws
    {
        public string Value => throw new TimeoutException("mine");
    }

    private sealed class Loop
    {
        public Loop Next => this;
    }

    private static IEnumerable<object?> Breaks()
    {
        yield return 1;
        throw new TimeoutException("mine");
    }

    public static TheoryData<object?, string> WithoutJson() => new()
    {
        { double.NaN, "payload.k: " },
        { new object?[] { 1, new Dictionary<string, object?> { ["deep"] = float.PositiveInfinity } }, "payload.k[1].deep: " },
        { new List<object> { (Action)(() => { }) }, "payload.k[0]: " },
        { typeof(string), "payload.k: " },
        { new Job { Any = new List<object> { IntPtr.Zero } }, "payload.k.Any" },
        { new Loop(), "payload.k.Next.Next" },
        { "a\ud800", "payload.k: " },
        { '\udc00', "payload.k: " },
        { new Dictionary<string, object> { ["\ud800"] = 1 }, "payload.k: " },
        { new Job { Name = "\udc00" }, "payload.k: " },
        { new AccpRef("a\ud800"), "payload.k: " },
        { new[] { new AccpNumber("1\ud800") }, "payload.k[0]: " },
        { new AccpNumber("\"text\""), "payload.k: " },
        { new AccpNumber("[1]"), "payload.k: " },
        { new AccpNumber("01"), "payload.k: " },
        { new AccpNumber(null!), "payload.k: " },
        { new AccpRef(null!), "payload.k: " },
        { new JsonObject { ["a"] = "\ud800" }, "payload.k.a: " },
        { new JsonObject { ["\ud800"] = 1 }, "payload.k: " },
        { JsonElement.Parse("""["\ud800"]"""), "payload.k: " },
        { JsonElement.Parse("""{"\udc00":1}"""), "payload.k: " },
        { default(JsonElement), "payload.k: " },
        { new Throws(), "payload.k: " },
        { new MemoryStream(), "payload.k: " },
        { new List<object> { new Lazy<int>(() => throw new TimeoutException("mine")) }, "payload.k[0]: " },
        { Breaks(), "payload.k: " },
        { new Dictionary<string, object> { ["a b\n"] = new object?[] { null, double.NaN } }, "payload.k[\"a b\\n\"][1]: " },
    };

    [Theory]
    [MemberData(nameof(WithoutJson))]
    public void WhatHasNoJsonIsNamed(object? value, string path)
    {
        AccpInvalidTypeException wrong = Assert.Throws<AccpInvalidTypeException>(() => Message(value).ToJsonUtf8());
        Assert.StartsWith(path, wrong.Reason, StringComparison.Ordinal);
        Assert.True(wrong.Reason.Length < 500, wrong.Reason);
        wrong = Assert.Throws<AccpInvalidTypeException>(() => new AccpFrame("a", AccpIntent.Req, "x", Message(value).Payload).ToCanonical());
        Assert.StartsWith(path, wrong.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void WhatGoesInComesOutAsItsType()
    {
        using AccpCodec here = new(), there = new();
        var ticket = new Ticket(7, "naïve 😀", Level.High, DateTimeOffset.UnixEpoch, new AccpRef("cold.k"), BigInteger.Pow(10, 30));
        AccpFrame frame = here.Encode(new AgentMessage("a", AccpIntent.Req, "x", new() { ["t"] = ticket with { Log = null }, ["n"] = null!, ["id"] = Guid.Empty }), here.OpenSession("s"));
        AgentMessage got = there.Decode(AccpFrame.Parse(frame.ToString()), there.OpenSession("s"));
        Assert.Equal(ticket with { Log = null }, got.Get<Ticket>("t"));
        Assert.Equal(ticket, new AgentMessage("a", AccpIntent.Req, "x", new() { ["t"] = ticket }).Get<Ticket>("t"));
        Assert.Null(got.Get<Ticket>("n"));
        Assert.Equal(Guid.Empty, got.Get<Guid>("id"));
        Assert.StartsWith("payload.id: it is no Ticket: ", Assert.Throws<AccpInvalidTypeException>(() => got.Get<Ticket>("id")).Reason, StringComparison.Ordinal);
        Assert.Equal("payload.none: it is not there", Assert.Throws<AccpInvalidTypeException>(() => got.Get<Ticket>("none")).Reason);
    }

    [Fact]
    public void ALoopIsNamedOnce()
    {
        var circle = new Dictionary<string, object>();
        circle["again"] = new List<object> { circle };
        AccpInvalidTypeException wrong = Assert.Throws<AccpInvalidTypeException>(() => Message(circle).ToJsonUtf8());
        Assert.StartsWith("payload.k.again[0].again[0]", wrong.Reason, StringComparison.Ordinal);
        Assert.True(wrong.Reason.Length < 500);
    }

    [Fact]
    public void WhatTheHostThrowsIsTheCause()
    {
        AccpInvalidTypeException wrong = Assert.Throws<AccpInvalidTypeException>(() => Message(new Throws()).ToJsonUtf8());
        Assert.Equal("mine", Assert.IsType<TimeoutException>(wrong.InnerException).Message);
        Assert.Contains("mine", wrong.Reason, StringComparison.Ordinal);
        Assert.IsType<TimeoutException>(Assert.Throws<AccpInvalidTypeException>(() => Message(Breaks()).ToJsonUtf8()).InnerException);
        Assert.IsType<InvalidOperationException>(Assert.Throws<AccpInvalidTypeException>(() => Message(new MemoryStream()).ToJsonUtf8()).InnerException);
    }

    [Fact]
    public void MetadataAndNamesAreNamedToo()
    {
        AgentMessage message = Message(1);
        Assert.StartsWith("meta.note: ", Assert.Throws<AccpInvalidTypeException>(() => (message with { Metadata = new() { ["note"] = double.NaN } }).ToJsonUtf8()).Reason);
        Assert.StartsWith("agent: ", Assert.Throws<AccpInvalidTypeException>(() => (message with { AgentId = "\ud800" }).ToJsonUtf8()).Reason);
        Assert.StartsWith("operation: ", Assert.Throws<AccpInvalidTypeException>(() => (message with { Operation = null! }).ToJsonUtf8()).Reason);
        Assert.StartsWith("payload: ", Assert.Throws<AccpInvalidTypeException>(() => (message with { Payload = null! }).ToJsonUtf8()).Reason);
    }
}
