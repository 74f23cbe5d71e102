// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Agents.AI;

namespace Accp.Extensions.AI;

/// <summary>
/// Keeps the sessions of agents in a store of libaccp, so that they survive a restart. A session is identified by the
/// name of its agent, its id and all partitions of its key.
/// </summary>
/// <remarks>
/// <para> An agent without a name is refused with <see cref="ArgumentException"/>: two such agents would share sessions. A
/// new name finds none of the old sessions.
/// </para>
/// <para> Each lookup returns a session of its own. Any number of threads may use it.
/// </para></remarks>
[Experimental("MAAI001")]
public sealed class AccpSessionStore : AgentSessionStore, IDisposable
{
    private const string ValueName = "cold.agent_session";

    private readonly AccpStore store;
    private readonly AccpEngine engine;

    /// <summary>Makes a store of sessions.</summary>
    /// <param name="store">Borrowed; it must outlive this object.</param>
    public AccpSessionStore(AccpStore store)
    {
        ArgumentNullException.ThrowIfNull(store);
        this.store = store;
        engine = new AccpEngine(new AccpConfig { Store = store });
    }

    // Lengths separate the parts: no two keys have the same text.
    private static string IdOf(AIAgent agent, AgentSessionStoreKey key)
    {
        ArgumentNullException.ThrowIfNull(agent);
        ArgumentNullException.ThrowIfNull(key);
        // Two agents without a name would share sessions, and the id of such an agent is another in each process.
        if (string.IsNullOrEmpty(agent.Name)) throw new ArgumentException("The agent has no name, by which its sessions are found: set ChatClientAgentOptions.Name.", nameof(agent));
        var text = new StringBuilder();
        void Add(string part) => text.Append(part.Length).Append(':').Append(part);
        Add(agent.Name);
        Add(key.SessionId);
        foreach ((string name, string value) in (key.Partitions ?? new System.Collections.Generic.Dictionary<string, string>()).OrderBy(one => one.Key, StringComparer.Ordinal))
        {
            Add(name);
            Add(value);
        }
        return "agent-session-" + Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text.ToString())), 0, 16);
    }

    /// <inheritdoc/>
    public override async ValueTask SaveSessionAsync(AIAgent agent, AgentSessionStoreKey key, AgentSession session, CancellationToken cancellationToken = default)
    {
        string id = IdOf(agent, key);
        JsonElement json = await agent.SerializeSessionAsync(session, null, cancellationToken).ConfigureAwait(false);
        EngineSession opened = await engine.OpenAsync(id, SessionModes.None, cancellationToken).ConfigureAwait(false);
        await using (opened.ConfigureAwait(false)) await opened.PutAsync(ValueName, json.GetRawText(), null, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async ValueTask<AgentSession?> GetSessionAsync(AIAgent agent, AgentSessionStoreKey key, CancellationToken cancellationToken = default)
    {
        string id = IdOf(agent, key);
        JsonElement json;
        try
        {
            EngineSession opened = await engine.OpenAsync(id, SessionModes.ReadOnly, cancellationToken).ConfigureAwait(false);
            await using (opened.ConfigureAwait(false)) json = await opened.ResolveElementAsync(ValueName, null, null, cancellationToken).ConfigureAwait(false);
        }
        catch (AccpRefNotFoundException)
        {
            return null;
        }
        return await agent.DeserializeSessionAsync(json, null, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public override async ValueTask DeleteSessionAsync(AIAgent agent, AgentSessionStoreKey key, CancellationToken cancellationToken = default)
    {
        string id = IdOf(agent, key);
        try
        {
            await store.RemoveSessionAsync(id, cancellationToken).ConfigureAwait(false);
        }
        catch (AccpRefNotFoundException)
        {
            // A missing session is not an error.
        }
    }

    /// <summary>Closes its engine; the store stays open.</summary>
    public void Dispose() => engine.Dispose();
}
