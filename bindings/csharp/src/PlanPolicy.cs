// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Accp;

/// <summary>The settings of a <see cref="PlanPolicy"/> for one tool.</summary>
/// <param name="Retries">Tries after the first; null: as for all tools.</param>
/// <param name="Timeout">The time for one call; null: as for all tools.</param>
public sealed record ToolPolicy(int? Retries = null, TimeSpan? Timeout = null);

/// <summary>
/// Configures a run. Null members have their defaults (docs/sacp.md). Times are whole milliseconds.
/// </summary>
public sealed record PlanPolicy
{
    /// <summary>Tries of a tool after its first; the default is 1.</summary>
    public int? Retries { get; init; }

    /// <summary>Whether other tools are tried after a failure; the default is true.</summary>
    public bool? Fallback { get; init; }

    /// <summary>Timeout of one call; the default is a minute.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>
    /// The wait before the first retry, which doubles each time; the default is 200 ms.
    /// </summary>
    public TimeSpan? Backoff { get; init; }

    /// <summary>The longest wait; the default is 30 s.</summary>
    public TimeSpan? MaxBackoff { get; init; }

    /// <summary>The random addition to a wait in percent; the default is 20.</summary>
    public int? JitterPercent { get; init; }

    /// <summary>Concurrent calls; the default is 16.</summary>
    public int? MaxParallel { get; init; }

    /// <summary>Bytes of one result; the default is 16 MiB.</summary>
    public long? MaxOutputBytes { get; init; }

    /// <summary>Bytes of one step's params; the default is 16 MiB.</summary>
    public long? MaxParamsBytes { get; init; }

    /// <summary>Bytes of all results and params; the default is 256 MiB.</summary>
    public long? MaxHeldBytes { get; init; }

    /// <summary>By the tool's id.</summary>
    public IReadOnlyDictionary<string, ToolPolicy> Tools { get; init; } = new Dictionary<string, ToolPolicy>();

    /// <summary>
    /// Results of tools in a dry run by their ids, with values as in the payload of an
    /// <see cref="AgentMessage"/>.
    /// </summary>
    public IReadOnlyDictionary<string, object?> Simulate { get; init; } = new Dictionary<string, object?>();

    /// <summary>The policy as JSON.</summary>
    /// <exception cref="AccpInvalidTypeException">A value has no JSON form; the reason begins with
    /// its path.</exception>
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
