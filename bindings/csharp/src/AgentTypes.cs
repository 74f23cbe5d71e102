// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Accp;

/// <summary>The way in which a query found an agent.</summary>
public enum AgentMatch
{
    /// <summary>It meets all criteria.</summary>
    Exact = 0,
    /// <summary>Its texts have at least half of the query's words.</summary>
    Lexical = 1,
    /// <summary>Its embedding is similar to the query's.</summary>
    Similar = 2,
}

/// <summary>Criteria of a query beyond the rules.</summary>
[Flags]
public enum AgentRanking
{
    /// <summary>The rules alone.</summary>
    None = 0,
    /// <summary>
    /// Include agents with at least half of the query's words, between exact and similar ones; rare
    /// words weigh more.
    /// </summary>
    Lexical = 1,
    /// <summary>Within each kind of match, agents with successful outcomes come first.</summary>
    ByOutcomes = 2,
}

/// <summary>Whether the registered agents can carry out a plan.</summary>
public enum Feasibility
{
    /// <summary>The message is not valid.</summary>
    Invalid = -1,
    /// <summary>No agent can do one of the steps.</summary>
    Infeasible = 0,
    /// <summary>Each step has an agent, for its tool or for a fallback.</summary>
    Feasible = 1,
}

/// <summary>The result of a round of requests for agents.</summary>
public enum AgentRequestAnswer
{
    /// <summary>The message is not valid, or an agent cannot be requested.</summary>
    Invalid = -1,
    /// <summary>Each step has somebody.</summary>
    NotNeeded = 0,
    /// <summary>Agents are requested.</summary>
    Requested = 1,
    /// <summary>All rounds are used up.</summary>
    GivenUp = 2,
}

/// <summary>A round of requests for agents.</summary>
/// <param name="Asked">Number of rounds before this one, for the same message.</param>
/// <param name="MaxAsked">The most rounds: 1 to 3.</param>
/// <param name="MessageId">Prefix of the id of each request; empty: no ids.</param>
public sealed record AgentRound(int Asked, int MaxAsked = 1, string MessageId = "");

/// <summary>The configuration of a service that makes agents.</summary>
/// <param name="Allow">Whether it makes agents.</param>
/// <param name="LeaseUntil">End of the lease of new agents; null: no end.</param>
/// <param name="MessageId">Id of the confirmation; empty: none.</param>
public sealed record SpawnRules(bool Allow, DateTimeOffset? LeaseUntil = null, string MessageId = "");

/// <summary>The abilities of an agent.</summary>
/// <param name="Name">Its name; registering it again replaces the entry.</param>
/// <param name="Verbs">Its verbs.</param>
/// <param name="Tools">Its tools.</param>
/// <param name="Inputs">Its inputs.</param>
/// <param name="Outputs">Its outputs.</param>
/// <param name="Description">A description in words.</param>
public sealed record AgentEntry(string Name, IReadOnlyList<string> Verbs, IReadOnlyList<string> Tools, IReadOnlyList<string> Inputs, IReadOnlyList<string> Outputs, string Description)
{
    /// <summary>Words for searches.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>Its confidence: higher comes first; null: 0.</summary>
    public double? Confidence { get; init; }

    /// <summary>A vector for searches; null: none.</summary>
    public IReadOnlyList<double>? Embedding { get; init; }

    /// <summary>
    /// The model of the vector; null: unknown. Vectors of two models are never compared.
    /// </summary>
    public string? EmbeddingModel { get; init; }

    /// <summary>End of its lease; null: no end.</summary>
    public DateTimeOffset? LeaseUntil { get; init; }

    /// <summary>
    /// Additional members: <c>version</c>, <c>agent_location</c>, your own. They are kept.
    /// </summary>
    public IReadOnlyDictionary<string, object?> More { get; init; } = new Dictionary<string, object?>();

    internal byte[] ToJsonUtf8()
    {
        var members = new Dictionary<string, object?>
        {
            ["agent_name"] = Name, ["supported_verbs"] = Verbs, ["supported_tools"] = Tools, ["inputs"] = Inputs, ["outputs"] = Outputs, ["description"] = Description,
        };
        if (Tags.Count > 0) members["tags"] = Tags;
        if (Confidence != null) members["confidence_score"] = Confidence;
        if (Embedding != null) members["embedding"] = Embedding;
        if (EmbeddingModel != null) members["embedding_model"] = EmbeddingModel;
        if (LeaseUntil != null) members["lease_until"] = LeaseUntil.Value.ToUnixTimeMilliseconds() / 1000m;
        foreach ((string name, object? value) in More) members.Add(name, value);
        return JsonValues.Json(members);
    }
}

/// <summary>
/// A query for agents. Null members are not criteria; without criteria every agent matches.
/// </summary>
public sealed record AgentQuery
{
    /// <summary>A verb that the agent must have.</summary>
    public string? Verb { get; init; }

    /// <summary>A tool that the agent must have.</summary>
    public string? Tool { get; init; }

    /// <summary>
    /// Required inputs of the agent: <c>history</c> also matches <c>ctx.history</c>.
    /// </summary>
    public IReadOnlyList<string> Inputs { get; init; } = [];

    /// <summary>A required output of the agent.</summary>
    public string? OutputType { get; init; }

    /// <summary>Required tags.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>The least confidence.</summary>
    public double? MinConfidence { get; init; }

    /// <summary>Finds similar agents that do not meet the other criteria.</summary>
    public IReadOnlyList<double>? Embedding { get; init; }

    /// <summary>The model of that.</summary>
    public string? EmbeddingModel { get; init; }

    /// <summary>The least cosine of similar agents; 0.75.</summary>
    public double? Threshold { get; init; }

    /// <summary>The most agents in the result.</summary>
    public int? TopK { get; init; }

    internal byte[] ToJsonUtf8()
    {
        var members = new Dictionary<string, object?>();
        void Add(string name, object? value)
        {
            if (value != null) members[name] = value;
        }
        Add("verb", Verb);
        Add("tool", Tool);
        Add("inputs", Inputs.Count > 0 ? Inputs : null);
        Add("output_type", OutputType);
        Add("tags", Tags.Count > 0 ? Tags : null);
        Add("min_confidence", MinConfidence);
        Add("embedding", Embedding);
        Add("embedding_model", EmbeddingModel);
        Add("threshold", Threshold);
        Add("top_k", TopK);
        return JsonValues.Json(new Dictionary<string, object?> { ["query"] = members });
    }
}

/// <summary>An agent in the result of a query.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Match">The way in which it was found.</param>
/// <param name="Score">1 if it is exact.</param>
/// <param name="Entry">Its entry as JSON, without its lease.</param>
/// <param name="Successes">Its successful outcomes.</param>
/// <param name="Outcomes">All recorded outcomes.</param>
public sealed record FoundAgent(string Name, AgentMatch Match, double Score, string Entry, long Successes, long Outcomes);
