// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Accp;

/// <summary>A session as specification 7.1 has it; <see cref="AccpCodec.OpenSession"/> makes one, or you do. What it is stands in the codec's store, under its id.</summary>
/// <param name="SessionId">1 to 256 bytes.</param>
/// <param name="HotState">Values under <c>$hot.key</c>.</param>
/// <param name="WarmState">Values under <c>$warm.key</c>.</param>
/// <param name="ColdState">Who keeps cold values; <see cref="ExternalStore.Inside"/>: the codec's store.</param>
/// <param name="Registry">The schemas of this session.</param>
/// <param name="CurrentCheckpointVersion">The number of the newest checkpoint when this record was made; 0: none.</param>
public record AccpSession(
    string SessionId,
    StateStore HotState,
    StateStore WarmState,
    IExternalStore ColdState,
    SchemaRegistry Registry,
    int CurrentCheckpointVersion
);

/// <summary>Tokens in use and at most (specification 7.1).</summary>
/// <param name="HotUsed">In use, of hot state.</param>
/// <param name="HotMax">At most.</param>
/// <param name="WarmUsed">In use, of warm state.</param>
/// <param name="WarmMax">At most.</param>
/// <param name="TotalUsed">In use, of both.</param>
/// <param name="TotalMax">At most.</param>
public record TokenBudget(
    int HotUsed,
    int HotMax,
    int WarmUsed,
    int WarmMax,
    int TotalUsed,
    int TotalMax
);

/// <summary>What a checkpoint came to.</summary>
/// <param name="Version">Its number.</param>
/// <param name="Reference">Where it is kept: <c>warm.ckpt_3</c>.</param>
/// <param name="Content"><c>{"id","first","last","summary","facts","text"}</c>.</param>
/// <param name="Session">The session with its new <see cref="AccpSession.CurrentCheckpointVersion"/>.</param>
public record CheckpointResult(int Version, string Reference, JsonElement Content, AccpSession Session)
{
    /// <summary>Its summary; empty if its facts say all, or there was nothing to close.</summary>
    public string Summary => Content.ValueKind == JsonValueKind.Object && Content.TryGetProperty("summary", out JsonElement summary) ? summary.GetString() ?? "" : "";
}

/// <summary>Stores that are not the host's.</summary>
public static class ExternalStore
{
    /// <summary>Stands for the codec's own store: cold values are kept where the session is.</summary>
    public static IExternalStore Inside { get; } = new InsideStore();

    private sealed class InsideStore : IExternalStore
    {
        public void Save(string key, ReadOnlySpan<byte> value) => throw new NotSupportedException();

        public byte[]? Load(string key) => throw new NotSupportedException();
    }
}
