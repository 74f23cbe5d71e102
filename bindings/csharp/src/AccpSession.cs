// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;

namespace Accp;

/// <summary>
/// A session in the sense of specification 7.1; <see cref="AccpCodec.OpenSession"/> or the host
/// makes one. Its data is in the codec's store, under its id.
/// </summary>
/// <param name="SessionId">1 to 256 bytes.</param>
/// <param name="HotState">Values under <c>$hot.key</c>.</param>
/// <param name="WarmState">Values under <c>$warm.key</c>.</param>
/// <param name="ColdState">The store of cold values; <see cref="ExternalStore.Inside"/>: the
/// codec's store.</param>
/// <param name="Registry">The schemas of this session.</param>
/// <param name="CurrentCheckpointVersion">The number of the newest checkpoint at that time; 0:
/// none.</param>
public record AccpSession(
    string SessionId,
    StateStore HotState,
    StateStore WarmState,
    IExternalStore ColdState,
    SchemaRegistry Registry,
    int CurrentCheckpointVersion
);

/// <summary>Used and maximum tokens (specification 7.1).</summary>
/// <param name="HotUsed">Used tokens of hot state.</param>
/// <param name="HotMax">Maximum tokens of hot state.</param>
/// <param name="WarmUsed">Used tokens of warm state.</param>
/// <param name="WarmMax">Maximum tokens of warm state.</param>
/// <param name="TotalUsed">Used tokens of both.</param>
/// <param name="TotalMax">Maximum tokens of both.</param>
public record TokenBudget(
    int HotUsed,
    int HotMax,
    int WarmUsed,
    int WarmMax,
    int TotalUsed,
    int TotalMax
);

/// <summary>The result of a checkpoint.</summary>
/// <param name="Version">Its number.</param>
/// <param name="Reference">Its reference: <c>warm.ckpt_3</c>.</param>
/// <param name="Content"><c>{"id","first","last","summary","facts","text"}</c>.</param>
/// <param name="Session">The session with its new
/// <see cref="AccpSession.CurrentCheckpointVersion"/>.</param>
public record CheckpointResult(int Version, string Reference, JsonElement Content, AccpSession Session)
{
    /// <summary>
    /// Its summary; empty if its facts suffice, or if there was nothing to close.
    /// </summary>
    public string Summary => Content.ValueKind == JsonValueKind.Object && Content.TryGetProperty("summary", out JsonElement summary) ? summary.GetString() ?? "" : "";
}

/// <summary>Stores other than the host's.</summary>
public static class ExternalStore
{
    /// <summary>The codec's own store: cold values are kept with the session.</summary>
    public static IExternalStore Inside { get; } = new InsideStore();

    private sealed class InsideStore : IExternalStore
    {
        public void Save(string key, ReadOnlySpan<byte> value) => throw new NotSupportedException();

        public byte[]? Load(string key) => throw new NotSupportedException();
    }
}
