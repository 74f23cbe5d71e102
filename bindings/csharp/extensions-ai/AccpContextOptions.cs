// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using Microsoft.Extensions.AI;

namespace Accp.Extensions.AI;

/// <summary>When a request gets the tool with which the model fetches omitted text.</summary>
public enum AccpResolve
{
    /// <summary>
    /// In requests that have other tools, where it costs 163 tokens, and in those in which text is omitted. The tools of
    /// an agent then never change, and a provider's cache, which begins with them, stays.
    /// </summary>
    WithTools = 0,
    /// <summary>In every request.</summary>
    Always = 1,
    /// <summary>
    /// In those in which text is omitted. The tools change with the first such request, which is written whole to a
    /// provider's cache.
    /// </summary>
    WhenOmitted = 2,
    /// <summary>Never: the model can only call its other tools again.</summary>
    Never = 3,
}

/// <summary>Options of <see cref="AccpContextChatClient"/> and <see cref="AccpChatReducer"/>.</summary>
public sealed class AccpContextOptions
{
    /// <summary>
    /// Rules, prices, store, tokenizer, clock and hooks of the engine. Null: the defaults. Without
    /// <see cref="AccpConfig.Store"/>, conversations are kept in memory, at most <see cref="MaxConversations"/>. A store
    /// is borrowed: whoever opened it disposes it, after the clients.
    /// </summary>
    public AccpConfig? Config { get; set; }

    /// <summary>
    /// Returns the id of the session in the store for a request. Null, or a null result: an id made from the
    /// instructions and the messages up to the first of a user. A request that does not continue its session, for
    /// example because the user has edited a message, gets a session of its own, whose id begins with this one.
    /// </summary>
    /// <remarks>
    /// The arguments are the list of the request and its options, which may be null. Instructions that change with each
    /// call make a new id each time, unless this function returns the same one. Several threads may call it at once.
    /// </remarks>
    /// <example>
    /// A host that puts the id of its conversation into the options of each request:
    /// <code>
    /// o.SessionId = (messages, request) => request?.AdditionalProperties?.TryGetValue("chat", out string? id) == true ? id : null;
    /// </code>
    /// </example>
    public Func<IReadOnlyList<ChatMessage>, ChatOptions?, string?>? SessionId { get; set; }

    /// <summary>
    /// Tokens of messages in a request, a hard limit; 0: as many as are worthwhile, at most the rule
    /// <see cref="AccpRule.HotMax"/> (262,144).
    /// </summary>
    /// <remarks>
    /// Tools and <see cref="ChatOptions.Instructions"/> are not counted: subtract them here, and set
    /// <see cref="AccpRule.HostTokens"/> to them for the prices. The smaller the limit, the more whole exchanges are one
    /// line, at last the newest result too. If the system messages and the first request alone exceed it, the request is
    /// not sent, and the call fails with <see cref="AccpBudgetExceededException"/>.
    /// </remarks>
    public long BudgetTokens { get; set; }

    /// <summary>When requests get the tool for omitted text.</summary>
    public AccpResolve Resolve { get; set; }

    /// <summary>The name of this tool. It must differ from the names of your own tools.</summary>
    public string ToolName { get; set; } = "resolve";

    /// <summary>
    /// Calls of the tool in a row, without another call or an answer, that get a result. Further ones get an error,
    /// and after four errors the request fails with <see cref="InvalidOperationException"/>.
    /// </summary>
    public int MaxResolveRounds { get; set; } = 8;

    /// <summary>
    /// Conversations that are open at a time. The least recently used one is closed. If it is in memory, it is
    /// removed, and begins again with its next request.
    /// </summary>
    public int MaxConversations { get; set; } = 256;

    /// <summary>
    /// Writes arguments and results of functions that are objects. Null:
    /// <see cref="AIJsonUtilities.DefaultOptions"/>. A trimmed program sets the options of its source-generated
    /// context.
    /// </summary>
    public JsonSerializerOptions? JsonSerializerOptions { get; set; }

    /// <summary>Checks all options.</summary>
    /// <exception cref="ArgumentException">An option is out of range; the message has its name, its value and what is
    /// allowed.</exception>
    public void Validate()
    {
        if (BudgetTokens < 0) throw Wrong(nameof(BudgetTokens), BudgetTokens, "0 (no limit) or more");
        if (!Enum.IsDefined(Resolve)) throw Wrong(nameof(Resolve), (int)Resolve, "WithTools, Always, WhenOmitted or Never");
        if (MaxResolveRounds is < 1 or > 100) throw Wrong(nameof(MaxResolveRounds), MaxResolveRounds, "1 to 100");
        if (MaxConversations < 1) throw Wrong(nameof(MaxConversations), MaxConversations, "1 or more");
        if (!IsToolName(ToolName)) throw Wrong(nameof(ToolName), ToolName, "1 to 64 letters, digits, _ or -");
    }

    private static bool IsToolName(string? name)
    {
        if (name is not { Length: >= 1 and <= 64 }) return false;
        foreach (char one in name)
            if (!char.IsAsciiLetterOrDigit(one) && one is not ('_' or '-')) return false;
        return true;
    }

    private static ArgumentException Wrong(string name, object? value, string allowed) =>
        new(FormattableString.Invariant($"{nameof(AccpContextOptions)}.{name} is {value ?? "null"}: allowed is {allowed}."), name);

    internal AccpContextOptions Copy() => (AccpContextOptions)MemberwiseClone();

    internal MessageForm Form() => new(JsonSerializerOptions ?? AIJsonUtilities.DefaultOptions);
}
