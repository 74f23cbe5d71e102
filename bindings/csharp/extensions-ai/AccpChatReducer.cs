// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>
/// Replaces old results of functions by one line each if that lowers the bill with a prompt cache. Give it the
/// whole list each time, as UseChatReducer does. All other messages are returned as the same objects.
/// </summary>
/// <remarks>
/// <para> The result depends on the list alone: equal lists give equal results in every process. Until results are
/// replaced, the result for a longer list begins with the result for the shorter one, so a provider's cache serves it.
/// </para>
/// <para> A reducer cannot give the model a tool for the omitted text; <see cref="AccpContextChatClient"/> can. A
/// reducer has no clock either, so the expiry of a cache has no effect.
/// </para>
/// <para> Any number of threads may use it.
/// </para></remarks>
public sealed class AccpChatReducer : IChatReducer, IDisposable
{
    private sealed class NoClock : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch;
    }

    private readonly Conversations conversations;

    /// <summary>Makes a reducer.</summary>
    /// <param name="options">Null: the defaults. <see cref="AccpContextOptions.Resolve"/> and what belongs to it has
    /// no effect, nor has the clock of the config. Later changes have no effect.</param>
    /// <exception cref="ArgumentException">An option is out of range, or the config is not valid for an engine.</exception>
    public AccpChatReducer(AccpContextOptions? options = null)
    {
        AccpContextOptions own = options?.Copy() ?? new AccpContextOptions();
        own.Config = own.Config?.Copy() ?? new AccpConfig();
        own.Config.Clock = new NoClock();
        conversations = new Conversations(own);
    }

    /// <inheritdoc/>
    public async Task<IEnumerable<ChatMessage>> ReduceAsync(IEnumerable<ChatMessage> messages, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(messages);
        List<ChatMessage> list = [.. messages];
        if (list.Count == 0) return list;
        using Conversations.View view = await conversations.ViewAsync(list, null, false, cancellationToken).ConfigureAwait(false);
        return view.Messages;
    }

    /// <summary>Closes its conversations.</summary>
    public void Dispose() => conversations.Dispose();
}
