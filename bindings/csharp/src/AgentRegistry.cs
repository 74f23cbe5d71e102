// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A registry of agents: their names, abilities and leases. In memory, or in a store: then every
/// registry on that store, in any process for a file, has the same agents, and a change is durable
/// before a call returns. For a refused entry or query the exception's
/// <see cref="AccpException.Verdict"/> has the reason. Leases end by
/// <see cref="AccpConfig.Clock"/>.
/// </summary>
public sealed unsafe class AgentRegistry : ExclusiveObject
{
    private readonly TimeProvider clock;

    /// <summary>
    /// Makes a registry in memory, or opens that of a store, which may be disposed afterwards. It
    /// reads the limits and the clock of a config.
    /// </summary>
    /// <exception cref="AccpCorruptException">The store's session <c>accp.capabilities</c> is not a
    /// registry.</exception>
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

    /// <summary>Registers an agent and replaces one of the same name.</summary>
    public void Register(AgentEntry agent)
    {
        ArgumentNullException.ThrowIfNull(agent);
        Register(agent.ToJsonUtf8());
    }

    /// <summary>
    /// Registers an entry as JSON, or publishes an embedding of an existing agent.
    /// </summary>
    public void Register(Utf8Text entry)
    {
        entry.Check(nameof(entry));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = entry) Said(call.Pointer, Native.accp_capabilities_register(call.Pointer, bytes, entry.Length, &error), error);
    }

    /// <summary>
    /// Registers each entry of an array in turn, as <see cref="Print"/> writes it. It stops at the
    /// first refused one; those before it are registered.
    /// </summary>
    /// <exception cref="AccpException">It is refused; the reason begins with the number of the
    /// entry, from 0, if it is not the first.</exception>
    public void Load(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Said(call.Pointer, Native.accp_capabilities_register_all(call.Pointer, bytes, document.Length, &error), error, true);
    }

    /// <summary>Removes an agent.</summary>
    /// <exception cref="AccpRefNotFoundException">No agent has that name.</exception>
    public void Remove(string name)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text) Check.Ok(Native.accp_capabilities_remove(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Extends the lease of an agent.</summary>
    /// <exception cref="AccpRefNotFoundException">No agent has that name, or its lease has ended
    /// and it has to register again.</exception>
    public void Renew(string name, DateTimeOffset until)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_capabilities_renew(call.Pointer, bytes, text.Length, until.ToUnixTimeMilliseconds(), Now, &error), error);
    }

    /// <summary>Removes all agents whose lease has ended. Returns their number.</summary>
    public long Sweep()
    {
        using var call = Enter();
        ulong count;
        ErrorDetail error;
        Check.Ok(Native.accp_capabilities_expire(call.Pointer, Now, &count, &error), error);
        return checked((long)count);
    }

    /// <summary>
    /// Records the outcome of an agent's work, for <see cref="AgentRanking.ByOutcomes"/>.
    /// </summary>
    /// <exception cref="AccpRefNotFoundException">No agent has that name.</exception>
    public void NoteOutcome(string name, bool success)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text) Check.Ok(Native.accp_capabilities_record_outcome(call.Pointer, bytes, text.Length, success ? 1 : 0, &error), error);
    }

    /// <summary>Finds the agents that can do something, the best first.</summary>
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
            Said(call.Pointer, Native.accp_capabilities_query(call.Pointer, bytes, query.Length, Now, (uint)ranking, &answer, &error), error);
        var found = new FoundAgent[Native.accp_capabilities_found_count(call.Pointer)];
        FoundAgentData data;
        for (int i = 0; i < found.Length; ++i)
        {
            Check.Ok(Native.accp_capabilities_found(call.Pointer, (nuint)i, &data, &error), error);
            found[i] = new FoundAgent(data.Name.ToString(), (AgentMatch)data.Match, data.Score, data.Entry.ToString(), (long)data.Successes, (long)data.Outcomes);
        }
        return found;
    }

    /// <summary>
    /// Finds the agents for every step of a plan and of the messages in it, or the reason why a
    /// step has none.
    /// </summary>
    /// <param name="sacp">Validates the message; the call also holds its turn.</param>
    /// <param name="message">A message of version 0.1.</param>
    /// <param name="reading">How to handle verbs and tools that the library does not have.</param>
    /// <returns>The result and the report (docs/sacp.md), or the verdict of an invalid
    /// message.</returns>
    public (Feasibility Answer, string Report) CheckPlan(Sacp sacp, Utf8Text message, SacpReading reading = SacpReading.Strict)
    {
        ArgumentNullException.ThrowIfNull(sacp);
        message.Check(nameof(message));
        using var call = Enter();  // agents first, so two such calls never wait for each other
        using var by = sacp.Enter();
        int answer;
        AccpText report;
        ErrorDetail error;
        fixed (byte* bytes = message)
            Check.Ok(Native.accp_capabilities_check_plan(call.Pointer, by.Pointer, bytes, message.Length, Now, (int)reading, &report, &answer, &error), error);
        return ((Feasibility)answer, report.ToString());
    }

    /// <summary>
    /// Writes requests for the agents that a plan lacks. Send each to a service; after its reply
    /// call this again with one more round.
    /// </summary>
    /// <param name="sacp">Validates the message; the call also holds its turn.</param>
    /// <param name="message">A message of version 0.1.</param>
    /// <param name="round">Null: a single round.</param>
    /// <param name="reading">How to handle verbs and tools that the library does not have.</param>
    /// <returns>The result and the requests, one message each; else the report of
    /// <see cref="CheckPlan"/> or a verdict.</returns>
    public (AgentRequestAnswer Answer, IReadOnlyList<string> Messages) RequestAgents(Sacp sacp, Utf8Text message, AgentRound? round = null, SacpReading reading = SacpReading.Strict)
    {
        ArgumentNullException.ThrowIfNull(sacp);
        message.Check(nameof(message));
        round ??= new AgentRound(0);
        Utf8Text id = Utf8Text.Of(round.MessageId, nameof(round));
        using var call = Enter();
        using var by = sacp.Enter();
        int answer;
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message, i = id)
        {
            var data = new SpawnRoundData { Asked = Arg.Unsigned(round.Asked), MaxAsked = Arg.Unsigned(round.MaxAsked), MsgId = new AccpText { Text = i, Length = id.Length } };
            Check.Ok(Native.accp_capabilities_request_agents(call.Pointer, by.Pointer, bytes, message.Length, Now, (int)reading, &data, &text, &answer, &error), error);
        }
        return ((AgentRequestAnswer)answer, text.ToString().Split('\n'));
    }

    /// <summary>
    /// Registers a requested agent and returns a confirmation. A repeated request is confirmed
    /// again.
    /// </summary>
    /// <param name="sacp">Validates the request strictly; the call also holds its turn.</param>
    /// <param name="request">A message with the goal SPAWN_AGENT.</param>
    /// <param name="rules">Whether agents are made.</param>
    /// <returns>The confirmation, a DONE message, and a valid verdict; or for a refusal the verdict
    /// twice, and nothing is registered.</returns>
    public (string Message, Verdict Verdict) Spawn(Sacp sacp, Utf8Text request, SpawnRules rules)
    {
        ArgumentNullException.ThrowIfNull(sacp);
        ArgumentNullException.ThrowIfNull(rules);
        request.Check(nameof(request));
        Utf8Text id = Utf8Text.Of(rules.MessageId, nameof(rules));
        using var call = Enter();
        using var by = sacp.Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = request, i = id)
        {
            var data = new SpawnRulesData
            {
                Allow = rules.Allow ? 1 : 0, LeaseUntilMs = rules.LeaseUntil?.ToUnixTimeMilliseconds() ?? 0, MsgId = new AccpText { Text = i, Length = id.Length },
            };
            Check.Ok(Native.accp_capabilities_spawn(call.Pointer, by.Pointer, bytes, request.Length, &data, &text, &error), error);
        }
        string message = text.ToString();
        return (message, Verdict.Parse(Utf8Text.Element(Native.accp_capabilities_verdict(call.Pointer).Span), 0));
    }

    /// <summary>
    /// Returns all entries as a JSON array in the order of registration, for <see cref="Load"/>.
    /// </summary>
    public string Print()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_capabilities_print(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>
    /// The number of agents after the last call, including those with an ended lease.
    /// </summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_capabilities_count(call.Pointer));
        }
    }

    /// <summary><see cref="Register(AgentEntry)"/> on the thread pool, like all of these.</summary>
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

    // A refusal has a verdict; a status below 0 is not about the text.
    private static void Said(void* agents, int status, in ErrorDetail error, bool isOfMany = false)
    {
        HookHost.ThrowPending(status);
        if (status == 0) return;
        AccpException refused = Check.Exception(status, error);
        if (status < 0) throw refused;
        ReadOnlySpan<byte> printed = Native.accp_capabilities_verdict(agents).Span;
        Verdict why = Verdict.Parse(Utf8Text.Element(printed), refused.Offset);
        if (why.IsValid) throw refused;
        throw why.Refusal(refused, isOfMany && error.Record > 0 ? $"entry {error.Record}: " : "");
    }
}
