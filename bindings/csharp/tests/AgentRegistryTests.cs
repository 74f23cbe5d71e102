// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>Agents and queries for them.</summary>
public sealed class AgentRegistryTests
{
    private static readonly AgentEntry Predictor = new("PRICE_PREDICTOR", ["predict"], ["PRC_EST"], ["ctx.history", "method"], ["predictions"], "Predicts prices of hotels");
    private static readonly AgentEntry Finder = new("FINDER", ["search", "predict"], ["H_API"], ["city"], ["hotels"], "Finds hotels") { Tags = ["travel"], Confidence = 0.9 };

    private sealed class Clock : TimeProvider
    {
        internal DateTimeOffset Now = DateTimeOffset.FromUnixTimeSeconds(1_714_000_000);

        public override DateTimeOffset GetUtcNow() => Now;
    }

    private static string Names(IEnumerable<FoundAgent> found) => string.Join(' ', found.Select(one => one.Name));

    [Fact]
    public void AgentsAreRegisteredAndFound()
    {
        using var agents = new AgentRegistry();
        Assert.Empty(agents.Query(new AgentQuery()));
        agents.Register(Predictor);
        agents.Register(Finder);
        Assert.Equal(2, agents.Count);
        Assert.Equal("FINDER PRICE_PREDICTOR", Names(agents.Query(new AgentQuery { Verb = "predict" })));
        FoundAgent one = Assert.Single(agents.Query(new AgentQuery { Verb = "predict", Inputs = ["history"], OutputType = "predictions" }));
        Assert.Equal(("PRICE_PREDICTOR", AgentMatch.Exact, 1.0, 0L, 0L), (one.Name, one.Match, one.Score, one.Successes, one.Outcomes));
        Assert.Equal("Predicts prices of hotels", JsonElement.Parse(one.Entry).GetProperty("description").GetString());
        Assert.Equal("FINDER", Names(agents.Query(new AgentQuery { Tool = "H_API", Tags = ["travel"], MinConfidence = 0.9 })));
        Assert.Equal("FINDER", Names(agents.Query(new AgentQuery { TopK = 1 })));
        Assert.Equal("FINDER", Names(agents.Query("""{"query":{"verb":"search"}}"""u8)));
        agents.Register(Predictor with { Verbs = ["guess"], More = new Dictionary<string, object?> { ["version"] = "2" } });
        Assert.Equal("FINDER", Names(agents.Query(new AgentQuery { Verb = "predict" })));
        Assert.Contains("\"version\":\"2\"", agents.Print());
        agents.Remove("FINDER");
        Assert.Throws<AccpRefNotFoundException>(() => agents.Remove("FINDER"));
        using var same = new AgentRegistry();
        same.Load(agents.Print());
        Assert.Equal(agents.Print(), same.Print());
    }

    [Fact]
    public void AgentsAreFoundByWhatTheyAreLike()
    {
        using var agents = new AgentRegistry();
        agents.Register(Predictor with { Embedding = [1, 0.5], EmbeddingModel = "m" });
        agents.Register(Finder with { Embedding = [0, 1], EmbeddingModel = "m" });
        var query = new AgentQuery { Embedding = [1, 0.5], EmbeddingModel = "m", Threshold = 0.9 };
        FoundAgent like = Assert.Single(agents.Query(query));
        Assert.Equal(("PRICE_PREDICTOR", AgentMatch.Similar, 1.0), (like.Name, like.Match, like.Score));
        Assert.Empty(agents.Query(query with { EmbeddingModel = "n" }));
        Assert.Equal(AgentMatch.Lexical, Assert.Single(agents.Query(new AgentQuery { Verb = "predict_price" }, AgentRanking.Lexical)).Match);
        for (int i = 0; i < 5; ++i) agents.NoteOutcome("PRICE_PREDICTOR", i > 0);
        FoundAgent best = agents.Query(new AgentQuery { Verb = "predict" }, AgentRanking.ByOutcomes)[0];
        Assert.Equal(("PRICE_PREDICTOR", 4L, 5L), (best.Name, best.Successes, best.Outcomes));
        Assert.Throws<AccpRefNotFoundException>(() => agents.NoteOutcome("NOBODY", true));
        Assert.Throws<AccpArgumentException>(() => agents.Query(new AgentQuery(), (AgentRanking)8));
    }

    [Fact]
    public void LeasesEndByItsClock()
    {
        var clock = new Clock();
        using var agents = new AgentRegistry(config: new AccpConfig { Clock = clock });
        agents.Register(Predictor with { LeaseUntil = clock.Now.AddSeconds(30) });
        agents.Register(Finder);
        agents.Register(Finder with { Name = "GUEST", LeaseUntil = clock.Now.AddSeconds(29.5) });
        clock.Now = clock.Now.AddSeconds(29);
        Assert.Equal(3, agents.Query(new AgentQuery()).Count);
        agents.Renew("PRICE_PREDICTOR", clock.Now.AddSeconds(30));
        clock.Now = clock.Now.AddSeconds(0.5);
        Assert.Equal("FINDER PRICE_PREDICTOR", Names(agents.Query(new AgentQuery())));
        clock.Now = clock.Now.AddSeconds(28.5);
        Assert.Equal(2, agents.Query(new AgentQuery()).Count);
        clock.Now = clock.Now.AddSeconds(1);
        Assert.Equal("FINDER", Names(agents.Query(new AgentQuery())));
        Assert.Throws<AccpRefNotFoundException>(() => agents.Renew("PRICE_PREDICTOR", clock.Now.AddSeconds(30)));
        Assert.Equal(3, agents.Count);
        Assert.Equal(2, agents.Sweep());
        Assert.Equal(1, agents.Count);
    }

    public static TheoryData<string, Action<AgentRegistry>, Type, SacpCode> Refused() => new()
    {
        { "no description", one => one.Register("""{"agent_name":"A","supported_verbs":[],"supported_tools":[],"inputs":[],"outputs":[]}"""), typeof(AccpInvalidTypeException), SacpCode.MissingField },
        { "a number", one => one.Register("""{"agent_name":1,"supported_verbs":[],"supported_tools":[],"inputs":[],"outputs":[],"description":"d"}"""), typeof(AccpInvalidTypeException), SacpCode.InvalidType },
        { "no JSON", one => one.Register("{"), typeof(AccpParseErrorException), SacpCode.MalformedMessage },
        { "nobody of that name", one => one.Register("""{"agent":"A","description":"d","embedding":[1]}"""), typeof(AccpToolNotFoundException), SacpCode.NoAgent },
        { "an unknown member", one => one.Query("""{"query":{"x":1}}"""), typeof(AccpParseErrorException), SacpCode.MalformedMessage },
        { "no array", one => one.Load("{}"), typeof(AccpParseErrorException), SacpCode.MalformedMessage },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void WhatIsRefusedHasAVerdict(string name, Action<AgentRegistry> call, Type type, SacpCode code)
    {
        Assert.NotEmpty(name);
        using var agents = new AgentRegistry();
        AccpException refused = (AccpException)Assert.Throws(type, () => call(agents));
        Assert.Equal(code, refused.Verdict!.Code);
        Assert.Equal((refused.Verdict.Details, refused.Verdict.Offset), (refused.Reason, refused.Offset));
        Assert.Contains(SacpCodes.Name(code), refused.Verdict.Json);
        Assert.Equal(0, agents.Count);
    }

    [Fact]
    public void TheEntryThatIsRefusedIsNamed()
    {
        using var agents = new AgentRegistry();
        agents.Register(Finder);
        string document = agents.Print().TrimEnd(']') + """,{"agent_name":"A"}]""";
        using var other = new AgentRegistry();
        AccpException refused = Assert.Throws<AccpInvalidTypeException>(() => other.Load(document));
        Assert.StartsWith("entry 1: ", refused.Reason, StringComparison.Ordinal);
        Assert.Equal(1, other.Count);
    }

    private const string Verbs = """
        {"verbs":[{"name":"predict","description":"d","inputs":[],"outputs":"predictions"},{"name":"rank","description":"d","inputs":[],"outputs":"ranked"}],
        "tools":[{"id":"PRC_EST","description":"d","supported_verbs":["predict"]},{"id":"RANK","description":"d","supported_verbs":["rank"]}]}
        """;
    private const string Plan = """{"g":"G","plan":[["predict","PRC_EST",{}],["rank","RANK",{}]],"msg_id":"m"}""";

    [Fact]
    public void AgentsThatAPlanLacksAreMade()
    {
        using var library = new SacpLibrary(Verbs);
        using var sacp = new Sacp(library);
        using var agents = new AgentRegistry();
        agents.Register(Predictor);
        (Feasibility answer, string report) = agents.CheckPlan(sacp, Plan);
        Assert.Equal(Feasibility.Infeasible, answer);
        Assert.Equal("nobody", JsonElement.Parse(report).GetProperty("steps")[1].Text("by"));
        (answer, report) = agents.CheckPlan(sacp, """{"g":"G","plan":[["fly","AIR",{}]]}""");
        Assert.Equal(Feasibility.Invalid, answer);
        Assert.Contains("UNKNOWN_VERB", report);
        Assert.NotEqual(Feasibility.Invalid, agents.CheckPlan(sacp, """{"g":"G","plan":[["fly","AIR",{}]]}""", SacpReading.Lenient).Answer);

        (AgentRequestAnswer asked, IReadOnlyList<string> requests) = agents.RequestAgents(sacp, Plan, new AgentRound(0, 1, "q"));
        Assert.Equal(AgentRequestAnswer.Requested, asked);
        string request = Assert.Single(requests);
        Assert.Contains("\"msg_id\":\"q.1\"", request);
        Assert.Equal(SacpCode.NoAgent, agents.Spawn(sacp, request, new SpawnRules(false)).Verdict.Code);
        Assert.Equal(1, agents.Count);
        (string made, Verdict verdict) = agents.Spawn(sacp, request, new SpawnRules(true, MessageId: "r"));
        Assert.True(verdict.IsValid, verdict.Json);
        Assert.Contains("\"reply_to\":\"q.1\"", made);
        Assert.Contains("\"msg_id\":\"r\"", made);
        Assert.Equal(2, agents.Count);
        Assert.Equal(AgentRequestAnswer.NotNeeded, agents.RequestAgents(sacp, Plan).Answer);
        Assert.Equal(Feasibility.Feasible, agents.CheckPlan(sacp, Plan).Answer);
        agents.Remove(agents.Query(new AgentQuery { Verb = "rank" })[0].Name);
        Assert.Equal(AgentRequestAnswer.GivenUp, agents.RequestAgents(sacp, Plan, new AgentRound(1)).Answer);
        Assert.Throws<ArgumentOutOfRangeException>(() => agents.RequestAgents(sacp, Plan, new AgentRound(-1)));
        Assert.Throws<AccpArgumentException>(() => agents.RequestAgents(sacp, Plan, new AgentRound(0, 9)));
        Assert.Equal("sacp", Assert.Throws<ArgumentNullException>(() => agents.CheckPlan(null!, Plan)).ParamName);
    }

    [Fact]
    public async Task RegistriesOnAStoreHaveTheSameAgents()
    {
        AccpStore store = AccpStore.Open("memory:");
        await using var one = new AgentRegistry(store);
        using var other = new AgentRegistry(store);
        store.Dispose();  // they keep what they need of it
        await one.RegisterAsync(Predictor);
        await one.RegisterAsync("""{"agent_name":"B","supported_verbs":[],"supported_tools":[],"inputs":[],"outputs":[],"description":"d"}""");
        Assert.Equal("B PRICE_PREDICTOR", Names(await other.QueryAsync(new AgentQuery())));
        await other.RemoveAsync("B");
        await other.NoteOutcomeAsync("PRICE_PREDICTOR", true);
        await other.RenewAsync("PRICE_PREDICTOR", DateTimeOffset.UtcNow.AddHours(-1));
        Assert.Equal(1, await one.SweepAsync());
        await one.LoadAsync("[" + Encoded(Finder) + "]");
        Assert.Equal(await one.PrintAsync(), other.Print());
        await Assert.ThrowsAsync<TaskCanceledException>(() => one.PrintAsync(new CancellationToken(true)));
        Assert.Equal("agent", Assert.Throws<ArgumentNullException>(() => one.Register((AgentEntry)null!)).ParamName);
        Assert.Equal("query", Assert.Throws<ArgumentNullException>(() => one.Query((AgentQuery)null!)).ParamName);
    }

    private static string Encoded(AgentEntry entry) => System.Text.Encoding.UTF8.GetString(entry.ToJsonUtf8());
}
