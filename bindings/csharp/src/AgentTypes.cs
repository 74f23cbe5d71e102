// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Accp;

/// <summary>How an agent was found.</summary>
public enum AgentMatch
{
    /// <summary>It can do all that was asked.</summary>
    Exact = 0,
    /// <summary>Its texts have at least half of the query's words.</summary>
    Lexical = 1,
    /// <summary>Its embedding is like the query's.</summary>
    Similar = 2,
}

/// <summary>What a query is asked for beyond the rules.</summary>
[Flags]
public enum AgentRanking
{
    /// <summary>The rules alone.</summary>
    None = 0,
    /// <summary>After those that can do all that is asked, and before those that are like it: who has at least half of the query's words, rare ones weighing more.</summary>
    Lexical = 1,
    /// <summary>First of each kind of match whose work has gone well.</summary>
    ByOutcomes = 2,
}

/// <summary>Whether a plan can be carried out by the agents that there are.</summary>
public enum Feasibility
{
    /// <summary>The message is not valid.</summary>
    Invalid = -1,
    /// <summary>There is a step that nobody can do.</summary>
    Infeasible = 0,
    /// <summary>Each has somebody, for its tool or for one that it falls back on.</summary>
    Feasible = 1,
}

/// <summary>What comes of a round of requests for agents.</summary>
public enum AgentRequestAnswer
{
    /// <summary>The message is not valid, or an agent cannot be asked for.</summary>
    Invalid = -1,
    /// <summary>Each step has somebody.</summary>
    NotNeeded = 0,
    /// <summary>Agents are asked for.</summary>
    Requested = 1,
    /// <summary>There were as many rounds as there may be.</summary>
    GivenUp = 2,
}

/// <summary>A round of requests for agents.</summary>
/// <param name="Asked">Rounds before this one, for the same message.</param>
/// <param name="MaxAsked">How many there may be: 1 to 3.</param>
/// <param name="MessageId">What that of each request begins with; empty: they have none.</param>
public sealed record AgentRound(int Asked, int MaxAsked = 1, string MessageId = "");

/// <summary>How a service that makes agents is set.</summary>
/// <param name="Allow">Whether it makes any.</param>
/// <param name="LeaseUntil">Of those that it makes; null: for ever.</param>
/// <param name="MessageId">Of the confirmation; empty: it has none.</param>
public sealed record SpawnRules(bool Allow, DateTimeOffset? LeaseUntil = null, string MessageId = "");

/// <summary>What an agent can do.</summary>
/// <param name="Name">Its name; who registers one that is there replaces it.</param>
/// <param name="Verbs">What it may be asked for.</param>
/// <param name="Tools">By what.</param>
/// <param name="Inputs">What it takes.</param>
/// <param name="Outputs">What it makes.</param>
/// <param name="Description">In words.</param>
public sealed record AgentEntry(string Name, IReadOnlyList<string> Verbs, IReadOnlyList<string> Tools, IReadOnlyList<string> Inputs, IReadOnlyList<string> Outputs, string Description)
{
    /// <summary>Words to find it by.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>Who says more stands first; null: 0.</summary>
    public double? Confidence { get; init; }

    /// <summary>A vector to find it by; null: none.</summary>
    public IReadOnlyList<double>? Embedding { get; init; }

    /// <summary>The model of that; null: not said. Vectors of two models are never compared.</summary>
    public string? EmbeddingModel { get; init; }

    /// <summary>From then on it is not found; null: always.</summary>
    public DateTimeOffset? LeaseUntil { get; init; }

    /// <summary>Other members: <c>version</c>, <c>agent_location</c>, your own. They are kept.</summary>
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

/// <summary>Who can do something? What is null is not asked for; nothing asked, every agent matches.</summary>
public sealed record AgentQuery
{
    /// <summary>Is among the agent's.</summary>
    public string? Verb { get; init; }

    /// <summary>Is among the agent's.</summary>
    public string? Tool { get; init; }

    /// <summary>Are among the agent's, each: <c>history</c> is also <c>ctx.history</c>.</summary>
    public IReadOnlyList<string> Inputs { get; init; } = [];

    /// <summary>Is among the agent's outputs.</summary>
    public string? OutputType { get; init; }

    /// <summary>The agent has all of them.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>The agent's is at least that.</summary>
    public double? MinConfidence { get; init; }

    /// <summary>Of those that do not match, who is like it.</summary>
    public IReadOnlyList<double>? Embedding { get; init; }

    /// <summary>The model of that.</summary>
    public string? EmbeddingModel { get; init; }

    /// <summary>The cosine that is like it; 0.75.</summary>
    public double? Threshold { get; init; }

    /// <summary>So many agents at most.</summary>
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

/// <summary>An agent that was found.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Match">How.</param>
/// <param name="Score">1 where it is exact.</param>
/// <param name="Entry">All that it said, as JSON, without its lease.</param>
/// <param name="Successes">Of its outcomes.</param>
/// <param name="Outcomes">All that were noted.</param>
public sealed record FoundAgent(string Name, AgentMatch Match, double Score, string Entry, long Successes, long Outcomes);
