// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Numerics;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>The specification's own types in use.</summary>
public class CodecTests
{
    private sealed class ColdStore : IExternalStore
    {
        internal readonly Dictionary<string, byte[]> Kept = [];
        internal Exception? Throws;

        public void Save(string key, ReadOnlySpan<byte> value)
        {
            if (Throws != null) throw Throws;
            lock (Kept) Kept[key] = value.ToArray();
        }

        public byte[]? Load(string key)
        {
            if (Throws != null) throw Throws;
            lock (Kept) return Kept.GetValueOrDefault(key);
        }
    }

    private static AgentMessage Message(string task) => new("planner", AccpIntent.Req, "schedule", new() { ["task"] = task, ["priority"] = "high" });

    [Fact]
    public void TwoSides()
    {
        using AccpCodec here = new(), there = new();
        AccpSession planner = here.OpenSession("work"), worker = there.OpenSession("work");
        AccpFrame frame = here.Encode(Message("impl_auth 😀"), planner);
        Assert.Equal("1", frame.Metadata!["seq"]);
        AgentMessage got = there.Decode(AccpFrame.Parse(frame.ToString()), worker);
        Assert.Equal("impl_auth 😀", got.Payload["task"]);
        Assert.Equal("high", got.Payload["priority"]);
        Assert.Equal(1L, got.Metadata!["seq"]);
        Assert.Throws<AccpDuplicateException>(() => there.Decode(frame, worker));
        Assert.Contains("impl_auth", there.GetContext(worker).Text, StringComparison.Ordinal);
        TokenBudget budget = there.GetBudget(worker);
        Assert.True(budget.TotalUsed > 0 && budget.HotMax == 262_144 && budget.TotalUsed <= budget.TotalMax);

        CheckpointResult made = there.Checkpoint(worker);
        Assert.Equal((1, "warm.ckpt_1", 1), (made.Version, made.Reference, made.Session.CurrentCheckpointVersion));
        Assert.Equal(1, made.Content.GetProperty("id").GetInt32());
        Assert.True(worker.WarmState.TryGet("ckpt_1", out JsonElement same) && JsonElement.DeepEquals(same, made.Content));
        Assert.Equal(1, there.OpenSession("work").CurrentCheckpointVersion);
    }

    [Fact]
    public void FramesThatWait()
    {
        using AccpCodec here = new(), there = new();
        AccpSession planner = here.OpenSession("s"), worker = there.OpenSession("s");
        AccpFrame[] frames = [here.Encode(Message("one"), planner), here.Encode(Message("two"), planner), here.Encode(Message("three"), planner)];
        Assert.Throws<AccpHeldException>(() => there.Decode(frames[2], worker));
        Assert.Throws<AccpHeldException>(() => there.Decode(frames[1], worker));
        Assert.Empty(there.TakeWaiting(worker));
        Assert.Equal("one", there.Decode(frames[0], worker).Payload["task"]);
        Assert.Equal(["two", "three"], there.TakeWaiting(worker).Select(one => one.Payload["task"]));
        Assert.Empty(there.TakeWaiting(worker));
    }

    [Fact]
    public void MessagesInParts()
    {
        AccpConfig config = new() { Rules = { [AccpRule.Parts] = 1, [AccpRule.MaxTokens] = 120 } };
        using AccpCodec here = new(config), there = new(config);
        AccpSession planner = here.OpenSession("s"), worker = there.OpenSession("s");
        string text = string.Concat(Enumerable.Range(0, 200).Select(i => $"word{i} "));
        AccpFrame[] parts = [here.Encode(Message(text), planner), .. here.TakeParts(planner)];
        Assert.True(parts.Length > 3);
        Assert.Empty(here.TakeParts(planner));
        foreach (AccpFrame part in parts[..^1]) Assert.Throws<AccpHeldException>(() => there.Decode(part, worker));
        Assert.Equal(text, there.Decode(parts[^1], worker).Payload["task"]);
        Assert.Empty(there.TakeWaiting(worker));
        Assert.Equal("after", there.Decode(here.Encode(Message("after"), planner), worker).Payload["task"]);
        there.Open(worker).RemoveParts("");
    }

    // A sync:state with a higher seq closes an old gap: the frames that waited below it come first,
    // and Decode returns its own message.
    [Fact]
    public void AGapThatIsClosed()
    {
        var clock = new Clock { Now = DateTimeOffset.FromUnixTimeSeconds(1_714_000_000) };
        using var codec = new AccpCodec(new AccpConfig { Clock = clock });
        AccpSession session = codec.OpenSession("s");
        Assert.Throws<AccpHeldException>(() => codec.Decode(AccpFrame.Parse("@a>req:plan{n:2}[mid:b00000000002,seq:2,ts:1714000000]"), session));
        clock.Now = clock.Now.AddSeconds(10);
        AgentMessage state = codec.Decode(AccpFrame.Parse("@a>sync:state{v:1|state:{k:1}}[mid:b00000000005,seq:5,ts:1714000010]"), session);
        Assert.Equal(AccpIntent.Sync, state.Intent);
        Assert.Equal(2L, Assert.Single(codec.TakeWaiting(session)).Payload["n"]);
    }

    private sealed class Clock : TimeProvider
    {
        internal DateTimeOffset Now;

        public override DateTimeOffset GetUtcNow() => Now;
    }

    [Fact]
    public void SchemasAreRegisteredWhileSessionsAreOpen()
    {
        using var codec = new AccpCodec();
        AccpSession session = codec.OpenSession("s");
        var message = new AgentMessage("a", AccpIntent.Req, "triage", new() { ["id"] = 7, ["severity"] = "low", ["schema"] = "TK" });
        Assert.Throws<AccpUnknownSchemaException>(() => codec.Encode(message, session));
        codec.RegisterSchema("ticket", new AccpSchema("TK", ["id", "title", "severity"])
        {
            Version = 2,
            Defaults = new Dictionary<string, object?> { ["severity"] = "low" },
            Types = new Dictionary<string, SchemaFieldType> { ["id"] = SchemaFieldType.Integer },
            Required = ["id"],
            Aliases = new Dictionary<string, string> { ["sev"] = "severity" },
            Bind = ["req:triage"],
        });
        Assert.StartsWith("@a>req:triage{id:7}", codec.Encode(message with { Payload = new() { ["id"] = 7, ["severity"] = "low" } }, session).ToString());
        Assert.Throws<AccpInvalidTypeException>(() => codec.Encode(message with { Payload = new() { ["id"] = "seven" } }, session));
        SchemaInfo schema = codec.Registry.Find("TK");
        Assert.Equal(("ticket", 2, "\"low\"", "sev", true), (schema.Name, schema.Version, schema.Fields[2].DefaultJson, schema.Fields[2].Wire, schema.Fields[0].IsRequired));
        Assert.Equal("TK", codec.Registry.Bound(AccpIntent.Req, "triage")!.Code);
        Assert.Null(codec.Registry.Bound(AccpIntent.Done, "triage"));
    }

    [Fact]
    public void StatesOfTheHost()
    {
        using var codec = new AccpCodec();
        var session = new AccpSession("mine", new StateStore(), new StateStore(), ExternalStore.Inside, codec.Registry, 0);
        session.HotState.Set("user", """{"name":"Ann"}""");
        session.WarmState.Set("old", "1", DateTimeOffset.UtcNow.AddSeconds(-1));
        Assert.True(session.HotState.TryGet("user", out _));
        Assert.Equal(262_144, codec.GetBudget(session).HotMax);
        Assert.True(session.HotState.TryGet("user.name", out JsonElement name));
        Assert.Equal("Ann", name.GetString());
        Assert.False(session.WarmState.TryGet("old", out _));
        Assert.Equal("\"Ann\"", codec.Open(session).Resolve("hot.user.name"));
        session.HotState.Remove("user");
        Assert.False(session.HotState.TryGet("user", out _));
        Assert.Throws<ArgumentException>(() => codec.GetBudget(session with { ColdState = new ColdStore() }));
    }

    [Fact]
    public void AColdStoreOfTheHost()
    {
        var cold = new ColdStore();
        using var codec = new AccpCodec();
        AccpSession session = codec.OpenSession("s", cold);
        codec.Open(session).Put("cold.report", "\"kept 😀\"");
        KeyValuePair<string, byte[]> kept = Assert.Single(cold.Kept);
        Assert.Equal(Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(kept.Value)).ToLowerInvariant(), kept.Key);
        Assert.Equal("\"kept 😀\"", codec.Open(session).Resolve("cold.report"));

        cold.Throws = new TimeoutException("the disk is away");
        Assert.Same(cold.Throws, Assert.Throws<TimeoutException>(() => codec.Open(session).Resolve("cold.report")));
        Assert.Same(cold.Throws, Assert.Throws<TimeoutException>(() => codec.Open(session).Put("cold.more", "2")));
        cold.Throws = null;
        Assert.Equal("\"kept 😀\"", codec.Open(session).Resolve("cold.report"));
        cold.Kept[kept.Key] = "\"forged\""u8.ToArray();
        Assert.Throws<AccpCorruptException>(() => codec.Open(session).Resolve("cold.report"));
        cold.Kept.Clear();
        Assert.Throws<AccpCorruptException>(() => codec.Open(session).Resolve("cold.report"));
    }

    [Fact]
    public void ValuesAreExact()
    {
        const string json = """{"agent":"a","intent":"req","operation":"x","payload":{"i":9223372036854775807,"b":9223372036854775808,"d":1.10,"z":-0,"e":1e-9,"l":1.12345678901234567890123456789012345,"s":"😀\u0000","n":null,"t":true,"a":[1,[]],"r":{"$ref":"warm.k"}}}""";
        AgentMessage message = AgentMessage.FromJson(json);
        Assert.Equal(long.MaxValue, message.Payload["i"]);
        Assert.Equal(BigInteger.Parse("9223372036854775808"), message.Payload["b"]);
        Assert.Equal(1.10m, message.Payload["d"]);
        Assert.Equal("1.10", ((decimal)message.Payload["d"]).ToString(System.Globalization.CultureInfo.InvariantCulture));
        Assert.Equal(new AccpNumber("-0"), message.Payload["z"]);
        Assert.Equal(new AccpNumber("1e-9"), message.Payload["e"]);
        Assert.Equal(new AccpNumber("1.12345678901234567890123456789012345"), message.Payload["l"]);
        Assert.Equal("😀\0", message.Payload["s"]);
        Assert.Null(message.Payload["n"]);
        Assert.Equal(json, Encoding.UTF8.GetString(message.ToJsonUtf8()).Replace("\\uD83D\\uDE00", "😀"));
        Assert.True(JsonElement.DeepEquals(JsonElement.Parse(json), message.ToJsonElement()));
    }

    [Fact]
    public void FramesPrintThemselves()
    {
        var frame = new AccpFrame("a", AccpIntent.Done, "x",
            new() { ["n"] = 1.5, ["list"] = new[] { 1, 2 }, ["ref"] = new AccpRef("warm.key"), ["json"] = JsonElement.Parse("""{"b":1,"a":[null,"two words"]}""") },
            new() { ["mid"] = "a00000000001", ["seq"] = "7", ["note"] = "two words" });
        Assert.Equal("@a>done:x{n:1.5|list:[1,2]|ref:$warm.key|json:{a:[~,\"two_words\"],b:1}}[mid:a00000000001,seq:7,note:\"two_words\"]", frame.ToString());
        AccpFrame read = AccpFrame.Parse(frame.ToString());
        Assert.Equal(frame, read);
        Assert.Equal(frame.GetHashCode(), read.GetHashCode());
        Assert.Equal("two words", read.Metadata!["note"]);
        Assert.Equal(new AccpRef("warm.key"), read.Payload["ref"]);
        read.Payload["n"] = 2;
        Assert.StartsWith("@a>done:x{n:2|", read.ToString(), StringComparison.Ordinal);
        Assert.NotEqual(frame, read);
        Assert.StartsWith("@b>done:x{", (frame with { AgentId = "b" }).ToString(), StringComparison.Ordinal);
        Assert.Equal("just a text", AccpFrame.Parse("@a>req:x{___:\"just_a_text\"}").Text);
        Assert.Equal("@a>req:x{___:\"just_a_text\"}", new AccpFrame("a", AccpIntent.Req, "x", []) { Text = "just a text" }.ToString());
        Assert.StartsWith("(no frame: E1001", (frame with { AgentId = "a b" }).ToString(), StringComparison.Ordinal);
        Assert.Throws<AccpParseErrorException>(() => (frame with { AgentId = "a b" }).ToCanonical());
        AccpInvalidIntentException wrong = Assert.Throws<AccpInvalidIntentException>(() => AccpFrame.Parse("@a>please:x{}"));
        Assert.Equal((3, "E1002", false), (wrong.Offset, wrong.Code, wrong.Retryable));
        Assert.False(AccpFrame.TryParse("@a", out _));
        Assert.Equal("@a>req:x{t:{__cols:[a],__rows:[[1],[2]]}}", AccpFrame.Parse("@a>req:x{t:{__cols:[a],__rows:[[1],[2]]}}").ToString());
    }

    [Fact]
    public void JsonElementsGoInAndComeOut()
    {
        using var codec = new FrameCodec();
        JsonElement message = JsonElement.Parse("""{"agent":"a","intent":"req","operation":"x","payload":{"big":123456789012345678901234567890,"d":1.50,"s":"naïve 😀 \u0000"}}""");
        string frame = codec.Encode(message);
        JsonElement back = codec.DecodeElement(frame);
        Assert.Equal("123456789012345678901234567890", back.GetProperty("payload").GetProperty("big").GetRawText());
        Assert.Equal("naïve 😀 \0", back.GetProperty("payload").GetProperty("s").GetString());
        Assert.Equal(frame, codec.Encode(back));
    }
}
