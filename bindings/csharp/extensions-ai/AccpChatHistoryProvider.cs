// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>Options of <see cref="AccpChatHistoryProvider"/>.</summary>
public sealed class AccpChatHistoryProviderOptions
{
    /// <summary>Returns the id of the engine's session for a new session of an agent. Null: <c>agent-</c> and a random id.</summary>
    public Func<AgentSession?, string>? SessionId { get; set; }

    /// <summary>
    /// Shortens the history for each run, for example an <see cref="AccpChatReducer"/>; the stored history stays whole.
    /// Null: it is provided whole. UseAccpContext in the agent's chat client shortens it too, and has the tool for
    /// omitted text.
    /// </summary>
    public IChatReducer? Reducer { get; set; }

    /// <summary>The key of the provider's state in a session of an agent.</summary>
    public string StateKey { get; set; } = nameof(AccpChatHistoryProvider);

    /// <summary>Writes and reads messages. Null: <see cref="AIJsonUtilities.DefaultOptions"/>.</summary>
    public JsonSerializerOptions? JsonSerializerOptions { get; set; }
}

/// <summary>
/// Keeps the history of agents in the store of an engine: in memory, in a SQLite file or in a NATS cluster. Each
/// session of an agent has a session of the engine, which has each message as it was and in the engine's own form, so
/// contexts and packets can be made from it.
/// </summary>
/// <remarks>
/// The messages of a run are stored when it has ended; a run that fails, or is killed before its end, leaves nothing. If
/// the process dies while they are stored, all or none of them are in the history, and the next run completes the
/// engine's own form. Any number of sessions may be used at once; one session by one run at a time.
/// </remarks>
public sealed class AccpChatHistoryProvider : ChatHistoryProvider
{
    private const string CountName = "ctx.chat_count";

    private readonly AccpEngine engine;
    private readonly AccpChatHistoryProviderOptions options;
    private readonly JsonSerializerOptions serializer;
    private readonly MessageForm form;
    private readonly ProviderSessionState<AccpChatHistoryState> state;

    /// <summary>Makes a provider.</summary>
    /// <param name="engine">Borrowed; it must outlive the provider.</param>
    /// <param name="options">Null: the defaults.</param>
    public AccpChatHistoryProvider(AccpEngine engine, AccpChatHistoryProviderOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(engine);
        this.engine = engine;
        this.options = options ?? new AccpChatHistoryProviderOptions();
        ArgumentException.ThrowIfNullOrEmpty(this.options.StateKey);
        serializer = this.options.JsonSerializerOptions ?? AIJsonUtilities.DefaultOptions;
        form = new MessageForm(serializer);
        state = new ProviderSessionState<AccpChatHistoryState>(
            session => new AccpChatHistoryState { SessionId = this.options.SessionId?.Invoke(session) ?? "agent-" + Guid.NewGuid().ToString("N") }, this.options.StateKey, StateJson.Default.Options);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<string> StateKeys => [options.StateKey];

    /// <summary>Returns the id of the engine's session for a session of an agent.</summary>
    public string GetSessionId(AgentSession? session) => state.GetOrInitializeState(session).SessionId;

    /// <summary>Returns the whole history of a session, the oldest message first.</summary>
    public async Task<IReadOnlyList<ChatMessage>> GetMessagesAsync(AgentSession? session, CancellationToken cancellationToken = default)
    {
        EngineSession opened;
        try
        {
            opened = await engine.OpenAsync(GetSessionId(session), SessionModes.ReadOnly, cancellationToken).ConfigureAwait(false);
        }
        catch (AccpRefNotFoundException)
        {
            return [];
        }
        await using (opened.ConfigureAwait(false))
        {
            return await ReadAsync(opened, await CountAsync(opened, cancellationToken).ConfigureAwait(false), cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<List<ChatMessage>> ReadAsync(EngineSession session, int count, CancellationToken cancellationToken)
    {
        var all = new List<ChatMessage>(count);
        for (int i = 0; i < count; ++i)
        {
            string json = await session.ResolveAsync(Name(i), null, null, cancellationToken).ConfigureAwait(false);
            all.Add((ChatMessage)JsonSerializer.Deserialize(json, serializer.GetTypeInfo(typeof(ChatMessage)))!);
        }
        return all;
    }

    private static string Name(int number) => string.Create(CultureInfo.InvariantCulture, $"cold.chat_{number}");

    private static async Task<int> CountAsync(EngineSession session, CancellationToken cancellationToken)
    {
        try
        {
            return int.Parse(await session.ResolveAsync(CountName, null, null, cancellationToken).ConfigureAwait(false), CultureInfo.InvariantCulture);
        }
        catch (AccpRefNotFoundException)
        {
            return 0;
        }
    }

    /// <inheritdoc/>
    protected override async ValueTask<IEnumerable<ChatMessage>> ProvideChatHistoryAsync(InvokingContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        IReadOnlyList<ChatMessage> all = await GetMessagesAsync(context.Session, cancellationToken).ConfigureAwait(false);
        return options.Reducer == null ? all : await options.Reducer.ReduceAsync(all, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    protected override async ValueTask StoreChatHistoryAsync(InvokedContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        List<ChatMessage> added = [.. context.RequestMessages, .. context.ResponseMessages ?? []];
        if (added.Count == 0) return;
        EngineSession session = await engine.OpenAsync(GetSessionId(context.Session), SessionModes.None, cancellationToken).ConfigureAwait(false);
        await using (session.ConfigureAwait(false))
        {
            int count = await CountAsync(session, cancellationToken).ConfigureAwait(false);
            // The count is written last: it makes the messages part of the history.
            for (int i = 0; i < added.Count; ++i)
                await session.PutAsync(Name(count + i), JsonSerializer.Serialize(added[i], serializer.GetTypeInfo(typeof(ChatMessage))), null, cancellationToken).ConfigureAwait(false);
            await session.PutAsync(CountName, (count + added.Count).ToString(CultureInfo.InvariantCulture), null, cancellationToken).ConfigureAwait(false);
            // Appends what the engine lacks of the whole list: more than this run has if a process died here.
            List<ChatMessage> all = await ReadAsync(session, count, cancellationToken).ConfigureAwait(false);
            all.AddRange(added);
            await session.AppendHistoryAsync(AccpInterface.OpenAI, new MessageList(all, form).Json, cancellationToken).ConfigureAwait(false);
        }
    }
}

/// <summary>The state of an <see cref="AccpChatHistoryProvider"/> in a session of an agent.</summary>
internal sealed class AccpChatHistoryState
{
    public string SessionId { get; set; } = "";
}

[JsonSerializable(typeof(AccpChatHistoryState))]
internal sealed partial class StateJson : JsonSerializerContext;
