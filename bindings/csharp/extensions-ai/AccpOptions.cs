// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;

namespace Accp.Extensions.AI;

/// <summary>Options of the services that AddAccp registers.</summary>
public sealed class AccpOptions
{
    /// <summary>The store: <c>memory:</c>, <c>sqlite:PATH</c> or <c>nats://HOST:PORT/PREFIX</c>, as for <see cref="AccpStore.Open"/>.</summary>
    public string Store { get; set; } = "memory:";

    /// <summary>Rules of the engine that differ from the library's, such as prices.</summary>
    public IDictionary<AccpRule, long> Rules { get; } = new Dictionary<AccpRule, long>();

    /// <summary>Keys whose values the log hides.</summary>
    public IList<string> Redacted { get; } = [];

    /// <summary>Changes the config of the engine after all other options; null: nothing.</summary>
    public Action<AccpConfig>? Configure { get; set; }

    internal bool IsInMemory => Store.StartsWith("memory:", StringComparison.Ordinal);

    internal string? Fault()
    {
        foreach (string known in new[] { "memory:", "sqlite:", "nats://" })
            if (Store?.StartsWith(known, StringComparison.Ordinal) == true) return Store == "sqlite:" ? Wrong("without a path") : null;
        return Wrong(Store == null ? "null" : $"'{Store}'");
    }

    private static string Wrong(string found) =>
        $"{nameof(AccpOptions)}.{nameof(Store)} is {found}: allowed are memory:, sqlite:PATH and nats://HOST:PORT/PREFIX.";
}
