// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Which agents there are, what each can do, and for how long. In memory, or in a store: then every registry on that store, in any number of processes where it is a file, has
/// the same agents, and a change is durable before a call returns. What an entry or a query is refused for is in the exception's <see cref="AccpException.Verdict"/>. Leases end
/// by <see cref="AccpConfig.Clock"/>.
/// </summary>
public sealed unsafe class AgentRegistry : ExclusiveObject
{
    private readonly TimeProvider clock;

    /// <summary>Makes one in memory, or opens that of a store, which it keeps what it needs of. Of a config it reads the limits and the clock.</summary>
    /// <exception cref="AccpCorruptException">The store's session <c>accp.capabilities</c> is none of a registry.</exception>
    public AgentRegistry(AccpStore? store = null, AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        clock = config?.Clock ?? TimeProvider.System;
        using var made = new NativeConfig(config);
        using Use kept = store == null ? default : store.Borrow();
        void* agents;
        ErrorDetail error;
        Check.Ok(Native.accp_capabilities_open(kept.Pointer, made.Pointer, &agents, &error), error);
        Own(made.Own(agents, &Free, Weight.Agents));
    }

    private static void Free(void* agents) => Native.accp_capabilities_close(agents);

    private long Now => clock.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Registers an agent, in place of one of that name.</summary>
    public void Register(AgentEntry agent)
    {
        ArgumentNullException.ThrowIfNull(agent);
        Register(agent.ToJsonUtf8());
    }

    /// <summary>Registers an entry, as JSON; or publishes an embedding of an agent that is there.</summary>
    public void Register(Utf8Text entry)
    {
        entry.Check(nameof(entry));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = entry) Said(call.Pointer, Native.accp_capabilities_register(call.Pointer, bytes, entry.Length, &error), error);
    }

    /// <summary>Registers each entry of an array, in turn: what <see cref="Print"/> writes. Stops at the first that is refused; those before it are registered.</summary>
    /// <exception cref="AccpException">It is refused; the reason begins with the number of the entry, from 0, where it is not the first.</exception>
    public void Load(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Said(call.Pointer, Native.accp_capabilities_load(call.Pointer, bytes, document.Length, &error), error, true);
    }

    /// <summary>Takes an agent out.</summary>
    /// <exception cref="AccpRefNotFoundException">There is none of that name.</exception>
    public void Remove(string name)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text) Check.Ok(Native.accp_capabilities_remove(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>A sign of life: the agent's lease ends then.</summary>
    /// <exception cref="AccpRefNotFoundException">There is none of that name, or its lease has ended, so that it has to be registered anew.</exception>
    public void Renew(string name, DateTimeOffset until)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_capabilities_renew(call.Pointer, bytes, text.Length, until.ToUnixTimeMilliseconds(), Now, &error), error);
    }

    /// <summary>Takes out all agents whose lease has ended. How many.</summary>
    public long Sweep()
    {
        using var call = Enter();
        ulong count;
        ErrorDetail error;
        Check.Ok(Native.accp_capabilities_sweep(call.Pointer, Now, &count, &error), error);
        return checked((long)count);
    }

    /// <summary>Notes how a piece of an agent's work went, for <see cref="AgentRanking.ByOutcomes"/>.</summary>
    /// <exception cref="AccpRefNotFoundException">There is none of that name.</exception>
    public void NoteOutcome(string name, bool success)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text) Check.Ok(Native.accp_capabilities_note_outcome(call.Pointer, bytes, text.Length, success ? 1 : 0, &error), error);
    }

    /// <summary>Which agents can do something, best first.</summary>
    public IReadOnlyList<FoundAgent> Query(AgentQuery query, AgentRanking ranking = AgentRanking.None)
    {
        ArgumentNullException.ThrowIfNull(query);
        return Query(query.ToJsonUtf8(), ranking);
    }

    /// <summary>The same; the query as JSON: <c>{"query":{…}}</c>.</summary>
    public IReadOnlyList<FoundAgent> Query(Utf8Text query, AgentRanking ranking = AgentRanking.None)
    {
        query.Check(nameof(query));
        using var call = Enter();
        AccpText answer;
        ErrorDetail error;
        fixed (byte* bytes = query)
            Said(call.Pointer, Native.accp_capabilities_query(call.Pointer, bytes, query.Length, (uint)ranking, Now, &answer, &error), error);
        var found = new FoundAgent[Native.accp_capabilities_found_count(call.Pointer)];
        FoundAgentData data;
        for (int i = 0; i < found.Length; ++i)
        {
            _ = Native.accp_capabilities_found(call.Pointer, (nuint)i, &data);
            found[i] = new FoundAgent(data.Name.ToString(), (AgentMatch)data.Match, data.Score, data.Entry.ToString(), (long)data.Successes, (long)data.Outcomes);
        }
        return found;
    }

    /// <summary>All entries as a JSON array, in the order of their registration, which <see cref="Load"/> takes.</summary>
    public string Print()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_capabilities_print(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>The number of agents, also those whose lease has ended, as of the last call.</summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_capabilities_count(call.Pointer));
        }
    }

    /// <summary><see cref="Register(AgentEntry)"/> on the thread pool, as all of these.</summary>
    public Task RegisterAsync(AgentEntry agent, CancellationToken cancellationToken = default) => Queued(() => Register(agent), cancellationToken);

    /// <inheritdoc cref="Register(Utf8Text)"/>
    public Task RegisterAsync(string entry, CancellationToken cancellationToken = default) => Queued(() => Register(entry), cancellationToken);

    /// <inheritdoc cref="Load"/>
    public Task LoadAsync(string document, CancellationToken cancellationToken = default) => Queued(() => Load(document), cancellationToken);

    /// <inheritdoc cref="Remove"/>
    public Task RemoveAsync(string name, CancellationToken cancellationToken = default) => Queued(() => Remove(name), cancellationToken);

    /// <inheritdoc cref="Renew"/>
    public Task RenewAsync(string name, DateTimeOffset until, CancellationToken cancellationToken = default) => Queued(() => Renew(name, until), cancellationToken);

    /// <inheritdoc cref="Sweep"/>
    public Task<long> SweepAsync(CancellationToken cancellationToken = default) => Queued(Sweep, cancellationToken);

    /// <inheritdoc cref="NoteOutcome"/>
    public Task NoteOutcomeAsync(string name, bool success, CancellationToken cancellationToken = default) => Queued(() => NoteOutcome(name, success), cancellationToken);

    /// <inheritdoc cref="Query(AgentQuery, AgentRanking)"/>
    public Task<IReadOnlyList<FoundAgent>> QueryAsync(AgentQuery query, AgentRanking ranking = AgentRanking.None, CancellationToken cancellationToken = default) =>
        Queued(() => Query(query, ranking), cancellationToken);

    /// <inheritdoc cref="Print"/>
    public Task<string> PrintAsync(CancellationToken cancellationToken = default) => Queued(Print, cancellationToken);

    // A refusal is explained by the verdict; what is below 0 is not about the text.
    private static void Said(void* agents, int status, in ErrorDetail error, bool isOfMany = false)
    {
        if (status == 0) return;
        AccpException refused = Check.Exception(status, error);
        if (status < 0) throw refused;
        ReadOnlySpan<byte> printed = Native.accp_capabilities_verdict(agents).Span;
        Verdict why = Verdict.Parse(Utf8Text.Element(printed), refused.Offset);
        if (why.IsValid) throw refused;
        throw why.Refusal(refused, isOfMany && error.Record > 0 ? $"entry {error.Record}: " : "");
    }
}
