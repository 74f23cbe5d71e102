// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;

namespace Accp.Interop;

// Replaces the library's names for rules, limits, modes and calls (docs/errors.md) by those of this
// layer: "rule max_tokens", "limit json_bytes", "mode local", "call session_sync".
internal static partial class Wording
{
    private static readonly Dictionary<string, string> Fixed = new()
    {
        ["mode read_only"] = "SessionModes.ReadOnly",
        ["mode local"] = "SessionModes.Local",
        ["call session_sync"] = "call EngineSession.Sync",
    };

    // Made when a call first fails.
    private static readonly Lazy<Dictionary<string, string>> All = new(() =>
    {
        var all = new Dictionary<string, string>(Fixed);
        foreach (AccpRule rule in Enum.GetValues<AccpRule>()) all["rule " + AccpConfig.Name(rule)] = $"AccpRule.{rule}";
        foreach (AccpLimit limit in Enum.GetValues<AccpLimit>()) all["limit " + AccpConfig.Name(limit)] = $"AccpLimit.{limit}";
        return all;
    });

    internal static string Of(string text) => Named().Replace(text, found => All.Value.GetValueOrDefault($"{found.Groups[2].Value} {found.Groups[3].Value}", found.Value));

    [GeneratedRegex(@"\b(the )?(rule|limit|mode|call) ([a-z][a-z0-9_]*)", RegexOptions.CultureInvariant)]
    private static partial Regex Named();
}
