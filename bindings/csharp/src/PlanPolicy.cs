// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Accp;

/// <summary>What a <see cref="PlanPolicy"/> says of one tool.</summary>
/// <param name="Retries">Tries after the first; null: as for all.</param>
/// <param name="Timeout">Of one call; null: as for all.</param>
public sealed record ToolPolicy(int? Retries = null, TimeSpan? Timeout = null);

/// <summary>How a plan is run. What is null is as if it was not said; docs/sacp.md has the defaults. Times are counted in whole milliseconds.</summary>
public sealed record PlanPolicy
{
    /// <summary>Tries of a tool after its first; 1.</summary>
    public int? Retries { get; init; }

    /// <summary>Whether other tools are tried after one that failed; true.</summary>
    public bool? Fallback { get; init; }

    /// <summary>Of one call; a minute.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>The wait before the first retry, which doubles each time; 200 ms.</summary>
    public TimeSpan? Backoff { get; init; }

    /// <summary>Up to which; 30 s.</summary>
    public TimeSpan? MaxBackoff { get; init; }

    /// <summary>What chance may add to it; 20.</summary>
    public int? JitterPercent { get; init; }

    /// <summary>Calls that go on at once; 16.</summary>
    public int? MaxParallel { get; init; }

    /// <summary>Of one answer; 16 MiB.</summary>
    public long? MaxOutputBytes { get; init; }

    /// <summary>Of one step's params; 16 MiB.</summary>
    public long? MaxParamsBytes { get; init; }

    /// <summary>Of all answers and params; 256 MiB.</summary>
    public long? MaxHeldBytes { get; init; }

    /// <summary>By the tool's id.</summary>
    public IReadOnlyDictionary<string, ToolPolicy> Tools { get; init; } = new Dictionary<string, ToolPolicy>();

    /// <summary>What a dry run takes for a tool's answer, by its id: values as the payload of an <see cref="AgentMessage"/> may have.</summary>
    public IReadOnlyDictionary<string, object?> Simulate { get; init; } = new Dictionary<string, object?>();

    /// <summary>The policy as JSON.</summary>
    /// <exception cref="AccpInvalidTypeException">A value has no JSON; the reason begins with its path.</exception>
    public string ToJson() => Encoding.UTF8.GetString(ToJsonUtf8());

    /// <summary>The same in UTF-8.</summary>
    public byte[] ToJsonUtf8() => JsonValues.Json(Members());

    private Dictionary<string, object?> Members()
    {
        var members = new Dictionary<string, object?>();
        AddLimits(members, Retries, Timeout);
        Add(members, "fallback", Fallback);
        Add(members, "backoff_ms", Milliseconds(Backoff));
        Add(members, "max_backoff_ms", Milliseconds(MaxBackoff));
        Add(members, "jitter_percent", JitterPercent);
        Add(members, "max_parallel", MaxParallel);
        Add(members, "max_output_bytes", MaxOutputBytes);
        Add(members, "max_params_bytes", MaxParamsBytes);
        Add(members, "max_held_bytes", MaxHeldBytes);
        if (Tools.Count > 0) members["tools"] = Tools.ToDictionary(tool => tool.Key, tool => (object?)AddLimits([], tool.Value.Retries, tool.Value.Timeout));
        if (Simulate.Count > 0) members["simulate"] = Simulate;
        return members;
    }

    private static Dictionary<string, object?> AddLimits(Dictionary<string, object?> members, int? retries, TimeSpan? timeout)
    {
        Add(members, "retries", retries);
        Add(members, "timeout_ms", Milliseconds(timeout));
        return members;
    }

    private static void Add(Dictionary<string, object?> members, string name, object? value)
    {
        if (value != null) members[name] = value;
    }

    private static long? Milliseconds(TimeSpan? time) => time == null ? null : time.Value.Ticks / TimeSpan.TicksPerMillisecond;
}
