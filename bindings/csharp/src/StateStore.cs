// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Values of one tier of one session, by key. It keeps them itself until a codec opens its session;
/// then they belong to the session, and frames can name them. A copied record with another session
/// is refused as long as it shares one of these. Any number of threads may use one.
/// </summary>
public sealed class StateStore
{
    private readonly object gate = new();
    private readonly Dictionary<string, Waiting> waiting = [];
    private volatile EngineSession? session;  // the owner of the values; null: they wait here
    private EngineSession? owner;             // their session, or the future one until all have been put
    private string tier = "";

    private sealed record Waiting(byte[] Json, DateTimeOffset? Expires);

    /// <summary>Stores a value in JSON and replaces an existing one.</summary>
    public void Set(string key, Utf8Text json, DateTimeOffset? expires = null)
    {
        json.Check(nameof(json));
        _ = Utf8Text.Of(key);
        lock (gate)
        {
            if (session == null)
            {
                waiting[key] = new Waiting(json.Bytes.ToArray(), expires);
                return;
            }
        }
        try
        {
            session.Put(tier + key, json, expires);
        }
        catch (ObjectDisposedException)
        {
            throw Gone();
        }
    }

    /// <summary>The same without holding a thread while it waits.</summary>
    public Task SetAsync(string key, string json, DateTimeOffset? expires = null, CancellationToken cancellationToken = default) =>
        Queued(() => Set(key, json, expires), cancellationToken);

    /// <summary>
    /// Returns the value of a key or of a path in it: <c>ckpt_3.summary</c>; false if it does not
    /// exist or has expired.
    /// </summary>
    public bool TryGet(string key, out JsonElement value)
    {
        ArgumentNullException.ThrowIfNull(key);
        value = default;
        lock (gate)
        {
            if (session == null)
            {
                if (!waiting.TryGetValue(key, out Waiting? kept)) return false;
                value = Utf8Text.Element(kept.Json);
                return true;
            }
        }
        try
        {
            value = session.ResolveElement(tier + key);
            return true;
        }
        catch (AccpException missing) when (missing.Status is AccpStatus.RefNotFound or AccpStatus.RefExpired)
        {
            return false;
        }
        catch (ObjectDisposedException)
        {
            throw Gone();
        }
    }

    /// <summary>
    /// The same without holding a thread while it waits; null if it does not exist or has expired.
    /// </summary>
    public Task<JsonElement?> GetAsync(string key, CancellationToken cancellationToken = default) =>
        Queued<JsonElement?>(() => TryGet(key, out JsonElement value) ? value : null, cancellationToken);

    /// <summary>Removes the value of a key.</summary>
    public void Remove(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        lock (gate)
        {
            if (session == null)
            {
                waiting.Remove(key);
                return;
            }
        }
        try
        {
            session.Remove(tier + key);
        }
        catch (ObjectDisposedException)
        {
            throw Gone();
        }
    }

    /// <summary>The same without holding a thread while it waits.</summary>
    public Task RemoveAsync(string key, CancellationToken cancellationToken = default) => Queued(() => Remove(key), cancellationToken);

    private Task<bool> Queued(Action call, CancellationToken cancellationToken) => Queued(() =>
    {
        call();
        return true;
    }, cancellationToken);

    private async Task<T> Queued<T>(Func<T> call, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (session is not { } open) return call();
        if (open.IsDisposed) throw Gone();
        return await open.Queued(call, cancellationToken).ConfigureAwait(false);
    }

    private static ObjectDisposedException Gone() => new(typeof(StateStore).FullName, "The codec of its session was disposed.");

    // The session of these values; null: none yet.
    internal EngineSession? Owner
    {
        get
        {
            lock (gate) return owner;
        }
    }

    internal bool IsOf(EngineSession? one, string name) => session is { } open && open == one && tier == name;

    // Passes the kept values to the session that owns the tier from now on. No lock is held while
    // the session is called. False: it belongs to another session.
    internal bool Bind(string name, EngineSession to)
    {
        while (true)
        {
            KeyValuePair<string, Waiting>[] batch;
            lock (gate)
            {
                owner ??= to;
                if (owner != to || (tier.Length > 0 && tier != name)) return false;
                tier = name;
                batch = [.. waiting];
                if (batch.Length == 0)
                {
                    session = to;
                    return true;
                }
            }
            foreach ((string key, Waiting value) in batch) to.Put(name + key, value.Json, value.Expires);
            lock (gate)
                foreach (KeyValuePair<string, Waiting> put in batch)
                    if (waiting.GetValueOrDefault(put.Key) == put.Value) waiting.Remove(put.Key);
        }
    }
}
