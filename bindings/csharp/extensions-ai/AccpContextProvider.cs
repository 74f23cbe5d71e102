// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>
/// Adds a context packet of another conversation to the requests of an agent. The packet is made from a session of the
/// engine and has its goal, constraints, decisions and failures. No model is called for it.
/// </summary>
/// <remarks>
/// The packet is a message of the user before the agent's own messages. Texts in it can come from outside, so it is
/// never an instruction.
/// </remarks>
public sealed class AccpContextProvider : AIContextProvider
{
    private readonly AccpEngine engine;
    private readonly Func<AgentSession?, string?> sessionId;
    private readonly PacketDepth depth;
    private readonly long budgetTokens;

    /// <summary>Makes a provider.</summary>
    /// <param name="engine">Borrowed; it must outlive the provider.</param>
    /// <param name="sessionId">Returns the id of the engine's session to make the packet from, for example that of
    /// <see cref="AccpChatHistoryProvider.GetSessionId"/> of the agent that delegates; null: nothing is added. The
    /// argument is the session of the agent that runs.</param>
    /// <param name="depth">The level of detail.</param>
    /// <param name="budgetTokens">The most tokens of the packet; 0: those of the level.</param>
    public AccpContextProvider(AccpEngine engine, Func<AgentSession?, string?> sessionId, PacketDepth depth = PacketDepth.Standard, long budgetTokens = 0)
    {
        ArgumentNullException.ThrowIfNull(engine);
        ArgumentNullException.ThrowIfNull(sessionId);
        ArgumentOutOfRangeException.ThrowIfNegative(budgetTokens);
        (this.engine, this.sessionId, this.depth, this.budgetTokens) = (engine, sessionId, depth, budgetTokens);
    }

    /// <inheritdoc/>
    protected override async ValueTask<AIContext> ProvideAIContextAsync(InvokingContext context, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(context);
        var made = new AIContext();
        if (sessionId(context.Session) is not string id) return made;
        EngineSession opened;
        try
        {
            opened = await engine.OpenAsync(id, SessionModes.ReadOnly, cancellationToken).ConfigureAwait(false);
        }
        catch (AccpRefNotFoundException)
        {
            return made; // the other conversation has not begun
        }
        await using (opened.ConfigureAwait(false))
        {
            if (await opened.GetRecordCountAsync(cancellationToken).ConfigureAwait(false) == 0) return made;
            using var packet = new ContextPacket();
            await opened.MakePacketAsync(packet, "", depth, budgetTokens, "", null, cancellationToken).ConfigureAwait(false);
            made.Messages = [new ChatMessage(ChatRole.User, packet.ToPrompt())];
        }
        return made;
    }
}
