// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Globalization;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>Messages by which agents plan.</summary>
public sealed class SacpTests : IDisposable
{
    internal const string Hotels = """
        {"verbs":[{"name":"search","description":"d","inputs":{"city":"string","limit":"integer"},"outputs":"hotels","required":["city"]},
        {"name":"rank","description":"d","inputs":{"hotels":"any"},"outputs":"ranking","required":["hotels"]}],
        "tools":[{"id":"H_API","description":"d","supported_verbs":["search"]},{"id":"RANK","description":"d","supported_verbs":["rank"]}],
        "aliases":{"verbs":{"s":"search"},"verb_params":{"search":{"c":"city"}}}}
        """;
    private const string NoParams = """{"g":"G","plan":[["search","H_API"]]}""";
    private const string Unknown = """{"g":"G","plan":[["fly","AIR",{}]]}""";
    private static readonly SacpAgent Finder = new("Finder", ["search", "rank"], ["H_API"]);
    private readonly Sacp sacp = Make();

    // The library is disposed: the checker keeps it.
    private static Sacp Make()
    {
        using var library = new SacpLibrary(Hotels);
        return new Sacp(library);
    }

    public void Dispose() => sacp.Dispose();

    [Fact]
    public void VerdictsSayWhatAMessageIs()
    {
        Verdict valid = sacp.Validate("""{"g":"G","plan":[["s","H_API",{"c":"Paris"}]]}""");
        Assert.Equal(new Verdict(SacpAnswer.Valid, SacpCode.None, "", "", 0, valid.Needs, """{"status":"VALID"}"""), valid);
        Assert.Empty(valid.Needs);
        Assert.True(valid.IsValid);
        Verdict wrong = sacp.Validate(NoParams);
        Assert.Equal((SacpAnswer.Err, SacpCode.MalformedPlan, "1", 17L), (wrong.Answer, wrong.Code, wrong.Step, wrong.Offset));
        Assert.Equal("""{"status":"ERR","code":"MALFORMED_PLAN","details":"Missing parameters for action step 1"}""", wrong.Json);
        Verdict missing = sacp.Validate("""{"g":"G","plan":[["search","H_API",{}]]}""");
        Assert.Equal(SacpAnswer.ReqClarify, missing.Answer);
        Assert.Equal(["step.1.city"], missing.Needs);
        Assert.False(missing.IsValid);
        Assert.Equal(SacpCode.UnknownVerb, sacp.Validate(Unknown).Code);
        Assert.True(sacp.Validate(Unknown, SacpReading.Lenient).IsValid);
        Assert.Equal(SacpCode.MalformedMessage, sacp.Validate(Encoding.Latin1.GetBytes("""{"g":"é","plan":[]}""")).Code);
        Assert.Throws<AccpInvalidTypeException>(() => sacp.Validate("\ud800"));
        Assert.Throws<AccpArgumentException>(() => sacp.Validate(Unknown, (SacpReading)2));
    }

    [Fact]
    public void OnlySomeMayWriteProse()
    {
        const string prose = "It is 12 degrees.";
        Assert.Equal(SacpCode.OutputDiscipline, sacp.ValidateReply(prose, "executor").Code);
        Assert.True(sacp.ValidateReply(prose, "executor", SacpOutFmt.Human).IsValid);
        Assert.True(sacp.ValidateReply(prose, "formatter", SacpOutFmt.Summary).IsValid);
        Assert.Equal(SacpCode.UnknownVerb, sacp.ValidateReply(Unknown, "executor").Code);
        Assert.True(sacp.ValidateReply(Unknown, "executor", reading: SacpReading.Lenient).IsValid);
    }

    [Fact]
    public void ALibraryIsRefused()
    {
        const string wrong = """{"verbs":[],"x":1}""";
        Assert.Equal(16, Assert.Throws<AccpParseErrorException>(() => new SacpLibrary(wrong)).Offset);
        using var none = new Sacp();
        using var empty = new SacpLibrary();
        using var same = new Sacp(empty);
        Assert.Equal(16, none.CheckLibrary(wrong).Offset);
        Assert.True(none.CheckLibrary(Hotels).IsValid);
        Assert.Equal(none.Validate(Unknown).Json, same.Validate(Unknown).Json);
        var config = new AccpConfig();
        config.Limits[AccpLimit.JsonBytes] = 16;
        Assert.Throws<AccpParseErrorException>(() => new SacpLibrary(Hotels, config));
    }

    [Fact]
    public void NamesAreShortOrFull()
    {
        const string brief = """{"g":"G","plan":[["s","H_API",{"c":"Paris"}]]}""", full = """{"g":"G","plan":[["search","H_API",{"city":"Paris"}]]}""";
        Assert.Equal(full, sacp.Expand(""" {"plan":[["s","H_API",{"c":"Paris"}]], "g":"G"}"""));
        Assert.Equal(brief, sacp.Compact(full));
        Assert.Equal("""{"g":"G","plan":[]}""", sacp.Canonical(""" {"plan":[],"g":"G"}"""));
    }

    public static TheoryData<string, Action<Sacp>> Refused() => new()
    {
        { "Expand", one => one.Expand(NoParams) },
        { "Compact", one => one.Compact(NoParams) },
        { "Canonical", one => one.Canonical(NoParams) },
        { "Plan", one => one.Plan(NoParams) },
        { "Prompt", one => one.Prompt(Finder, NoParams) },
        { "ToMessage", one => one.ToMessage("""{"status":"ERR"}""", "a") },
        { "Compose", one => one.Compose(NoParams, new SacpReceiver("executor")) },
        { "Threads", one => one.Threads("{}\n[]") },
        { "ToV10", one => one.ToV10("""{"g":"G","plan":[],"subtask":{"g":"H","plan":[]},"msg_id":"m"}""", new SacpSender("A")) },
        { "ToV01", one => one.ToV01("""{"proto_ver":"1.0.0"}""") },
        { "FromMessage", one => one.FromMessage("""{"intent":"esc","operation":"x","payload":{}}""") },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void WhatIsRefusedHasAVerdict(string name, Action<Sacp> call)
    {
        Assert.NotEmpty(name);
        AccpException refused = Assert.ThrowsAny<AccpException>(() => call(sacp));
        Assert.Equal($"Accp{refused.Status}Exception", refused.GetType().Name);
        Assert.NotEqual(SacpCode.None, refused.Verdict!.Code);
        Assert.Equal((refused.Verdict.Details, refused.Verdict.Offset), (refused.Reason, refused.Offset));
        Assert.True((int)refused.Status > 1000);
    }

    [Fact]
    public void AMessageGoesThroughAFrame()
    {
        const string said = """{"g":"G","plan":[["search","H_API",{"city":"Paris"}]],"msg_id":"m1"}""";
        using var registry = new SchemaRegistry(Sacp.RegistryDocument);
        using var codec = new FrameCodec(new AccpConfig { Registry = registry });
        Assert.Equal(said, sacp.FromMessage(codec.Decode(codec.Encode(sacp.ToMessage(said, "planner")))));
    }

    [Fact]
    public void APlanIsMadeWhole()
    {
        (string message, Verdict verdict) = sacp.Plan("""{"g":"RANK","ctx":{"city":"Paris"},"plan":[],"msg_id":"m1"}""");
        Assert.True(verdict.IsValid);
        Assert.Contains("""["search","H_API",{"city":""", message);
        Assert.Contains("\"reply_to\":\"m1\"", message);
        Assert.Equal(SacpAnswer.ReqClarify, sacp.Plan("""{"g":"RANK","plan":[]}""").Verdict.Answer);
        SacpPlan three = new SacpPlan().Step("search", "H_API", new() { ["city"] = "Paris" }).Step("search", "H_API", new() { ["city"] = "Rome" })
            .Step("rank", "RANK", new() { ["hotels"] = Array.Empty<string>() });
        Assert.Contains("""{"parallel":[["search" """.TrimEnd(), sacp.Plan(new SacpMessage("G") { Plan = three }.ToJson(), beside: true).Message);
    }

    [Fact]
    public void AMessageIsComposedForItsReceiver()
    {
        const string human = """{"g":"G","plan":[["search","H_API",{"city":"Paris"}]],"out_fmt":"human"}""", raw = """{"g":"G","plan":[["search","H_API",{"city":"Paris"}]]}""";
        Assert.Equal(raw, sacp.Compose(human, new SacpReceiver("executor")));
        Assert.Equal(human, sacp.Compose(human, new SacpReceiver("formatter")));
        Assert.Contains("\"msg_id\":\"m1\"", sacp.Compose(raw, new SacpReceiver("executor", "m1") { Formatters = ["PRES", "H_API"] }));
        Assert.Throws<AccpArgumentException>(() => sacp.Compose(raw, new SacpReceiver("executor", "no id")));
        Assert.Throws<AccpArgumentException>(() => sacp.Compose(raw, new SacpReceiver("executor") { Formatters = ["A\nB"] }));
    }

    [Fact]
    public void MessagesBecomeThreads()
    {
        const string lines = """
            {"g":"G","plan":[],"msg_id":"c","reply_to":"a"}
            {"g":"G","plan":[],"msg_id":"a"}
            """;
        Assert.Equal(["a", "c"], JsonElement.Parse(sacp.Threads(lines)).EnumerateArray().Select(one => one.Text("msg_id")));
        Assert.Contains("\n  ", sacp.Threads(lines, indented: true));
    }

    // The vectors of the library's own adapter, with one sender and time.
    [Fact]
    public void VersionsBecomeEachOther()
    {
        int count = 0;
        var sender = new SacpSender("A", At: DateTimeOffset.Parse("2026-05-09T00:00:00Z", CultureInfo.InvariantCulture));
        foreach (string line in File.ReadLines(Path.Combine(Vectors.Source, "tests", "sacp", "message", "vectors", "adapt.jsonl")).Where(line => line.StartsWith('{')))
        {
            JsonElement one = JsonElement.Parse(line);
            if (!one.TryGetProperty("out", out JsonElement want) || want.ValueKind != JsonValueKind.String) continue;
            Assert.Equal(want.GetString(), one.Text("to") == "1.0.0" ? sacp.ToV10(one.Text("in"), sender) : sacp.ToV01(one.Text("in")));
            ++count;
        }
        Assert.True(count > 5);
        string made = sacp.ToV10("""{"g":"G","plan":[["a","A",{}]]}""", sender with { MessageId = "m7", Recipient = "B" });
        Assert.Contains("\"msg_id\":\"m7\"", made);
        Assert.Contains("\"recipient\":\"B\"", made);
        Assert.Equal("""{"g":"G","plan":[["a","A",{}]]""", sacp.ToV01(made)[..30]);
        Assert.Throws<AccpArgumentException>(() => sacp.ToV10("{}", sender with { At = DateTimeOffset.MinValue }));
        Assert.Equal("sender", Assert.Throws<ArgumentNullException>(() => sacp.ToV10("{}", null!)).ParamName);
    }

    [Fact]
    public void WhatAModelIsTold()
    {
        string text = sacp.Prompt(Finder, """ {"g":"G","plan":[]}""");
        Assert.All(["Finder", "- search\n- rank\n", "- H_API\n", """{"g":"G","plan":[]}"""], part => Assert.Contains(part, text));
        Assert.DoesNotContain("\"g\"", sacp.Prompt(Finder));
        Assert.Throws<AccpArgumentException>(() => sacp.Prompt(Finder with { Verbs = ["a\nb"] }));
        Assert.Throws<AccpArgumentException>(() => sacp.Prompt(Finder with { Tools = [] }));
        Assert.Equal("agent", Assert.Throws<ArgumentNullException>(() => sacp.Prompt(null!)).ParamName);
        Assert.Contains("search(city!:string,limit:integer) -> hotels\n", sacp.Specification());
    }

    [Fact]
    public void StatesFollowEachOther()
    {
        IReadOnlyList<SacpState> states = SacpState.Of(SacpVersion.V01);
        Assert.Equal("PENDING IN_PROGRESS DONE FAILED", string.Join(' ', states));
        Assert.Equal(7, SacpState.Of(SacpVersion.V10).Count);
        SacpState pending = states[0], running = states[1], done = states[2], accepted = SacpState.Find(SacpVersion.V10, "ACCEPTED")!;
        Assert.Equal((true, true), (running.MayFollow(pending), pending.MayFollow(pending)));
        Assert.Equal((false, false, false), (done.MayFollow(pending), pending.MayFollow(done), accepted.MayFollow(pending)));
        Assert.Equal(running, SacpState.Find(SacpVersion.V01, "IN_PROGRESS"));
        Assert.Null(SacpState.Find(SacpVersion.V01, "WAITING"));
        Assert.All(Enum.GetValues<SacpCode>(), code => Assert.Equal(code, SacpCodes.Find(SacpCodes.Name(code))));
        Assert.Equal(("NO_AGENT", ""), (SacpCodes.Name(SacpCode.NoAgent), SacpCodes.Name(SacpCode.None)));
        Assert.Equal(SacpCode.None, SacpCodes.Find("no_agent"));
    }

    [Fact]
    public void MessagesAreWritten()
    {
        SacpPlan plan = new SacpPlan()
            .Parallel(new SacpPlan().Step("search", "H_API", new() { ["city"] = "$ctx.city" }), new SacpPlan().Step("a", "A").Step("b", "B")).Join("MERGE");
        var message = new SacpMessage("say \"Ümläut\"")
        {
            Ctx = new() { ["city"] = "Paris" }, Plan = plan, OutFmt = SacpOutFmt.Human, State = SacpState.Of(SacpVersion.V01)[0], MessageId = "m1", ReplyTo = "m0",
            Subtasks = [new SacpMessage("H")], TestMode = true, Ext = new() { ["x"] = 1 },
        };
        const string want = """{"g":"say \"Ümläut\"","ctx":{"city":"Paris"},"plan":[{"parallel":[["search","H_API",{"city":"$ctx.city"}],[["a","A",{}],["b","B",{}]]]},"""
            + """["join","MERGE",{}]],"out_fmt":"human","state":"PENDING","msg_id":"m1","reply_to":"m0","subtask":{"g":"H","plan":[]},"test_mode":true,"ext":{"x":1}}""";
        Assert.Equal(want, message.ToJson());
        Assert.Equal(want, sacp.Canonical(message.ToJsonUtf8()));
        Assert.True(sacp.Validate(new SacpMessage("G") { Ctx = message.Ctx, Plan = plan }.ToJson(), SacpReading.Lenient).IsValid);
        Assert.Equal("""{"g":"G","plan":[],"subtask":[{"g":"H","plan":[]},{"g":"I","plan":[]}]}""",
            new SacpMessage("G") { Subtasks = [new SacpMessage("H"), new SacpMessage("I")] }.ToJson());
        Assert.Equal("""{"g":"G","plan":[["do","IT",{"subtask":{"g":"H","plan":[]}}]]}""",
            new SacpMessage("G") { Plan = new SacpPlan().Step("do", "IT", new() { ["subtask"] = new SacpMessage("H") }) }.ToJson());
        AccpInvalidTypeException wrong = Assert.Throws<AccpInvalidTypeException>(() => new SacpMessage("G") { Ctx = new() { ["n"] = double.NaN } }.ToJson());
        Assert.StartsWith("ctx.n: ", wrong.Reason, StringComparison.Ordinal);
        Assert.Throws<AccpInvalidTypeException>(() => new SacpMessage("\ud800").ToJson());
        Assert.Equal("goal", Assert.Throws<ArgumentNullException>(() => new SacpMessage(null!)).ParamName);
    }
}
