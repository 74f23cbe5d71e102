// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Accp.Extensions.AI;

/// <summary>
/// Data for OpenTelemetry: <c>AddSource(AccpAITelemetry.Name)</c> and <c>AddMeter(AccpAITelemetry.Name)</c>.
/// <see cref="AccpTelemetry"/> has the data of the engine.
/// </summary>
/// <remarks>
/// <para> Activities: <c>accp.context</c> for each request, from the list of the host to the one that is sent, with
/// <c>gen_ai.conversation.id</c> (the id of the session), <c>gen_ai.request.model</c>, <c>accp.messages</c>,
/// <c>accp.messages.shortened</c>, <c>accp.context.tokens</c> (of the messages that are sent) and
/// <c>accp.context.whole_tokens</c> (of the whole list); and <c>execute_tool resolve</c> for each call of the tool for
/// omitted text, with <c>gen_ai.operation.name</c>, <c>gen_ai.tool.name</c>, <c>gen_ai.tool.call.id</c> and
/// <c>gen_ai.conversation.id</c>. Their parent is the current activity, for example that of UseOpenTelemetry.
/// </para>
/// <para> Metrics: the histograms <c>accp.request.tokens</c> and <c>accp.request.whole_tokens</c> of the tokens of messages
/// in each request and in the whole list, and the counters <c>accp.request.shortened_messages</c> and
/// <c>accp.resolve.calls</c>, with <c>gen_ai.request.model</c>.
/// </para>
/// <para> The tokens of the whole list are those that are sent and those that the engine left out. The engine counts an
/// omitted text as in the line that names it, which is some per cent more than a provider does.
/// </para></remarks>
public static class AccpAITelemetry
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "Accp.Extensions.AI";

    private const string Model = "gen_ai.request.model", Conversation = "gen_ai.conversation.id";

    private static readonly ActivitySource Source = new(Name);
    private static readonly Meter Meter = new(Name);
    private static readonly Histogram<long> Tokens = Meter.CreateHistogram<long>("accp.request.tokens", "{token}", "Tokens of the messages in a request");
    private static readonly Histogram<long> WholeTokens = Meter.CreateHistogram<long>("accp.request.whole_tokens", "{token}", "Tokens of the messages in a request if none were shortened");
    private static readonly Counter<long> Shortened = Meter.CreateCounter<long>("accp.request.shortened_messages", "{message}", "Messages of requests that are shortened or left out");
    private static readonly Counter<long> Calls = Meter.CreateCounter<long>("accp.resolve.calls", "{call}", "Calls of the tool for omitted text");

    internal static Activity? StartContext() => Source.StartActivity("accp.context");

    // Whether anybody wants to know the tokens of the whole list.
    internal static bool HasWhole(Activity? activity) => activity != null || WholeTokens.Enabled;

    internal static void Record(Activity? activity, Conversations.View view, int messages, string? model)
    {
        var tag = new KeyValuePair<string, object?>(Model, model);
        Tokens.Record(view.Tokens, tag);
        if (view.WholeTokens > 0) WholeTokens.Record(view.WholeTokens, tag);
        if (view.Changed > 0) Shortened.Add(view.Changed, tag);
        activity?.SetTag(Conversation, view.SessionId).SetTag(Model, model).SetTag("accp.messages", messages).SetTag("accp.messages.shortened", view.Changed)
            .SetTag("accp.context.tokens", view.Tokens).SetTag("accp.context.whole_tokens", view.WholeTokens);
    }

    internal static Activity? StartTool(string tool, string? callId, string sessionId, string? model)
    {
        Calls.Add(1, new KeyValuePair<string, object?>(Model, model));
        Activity? activity = Source.StartActivity("execute_tool " + tool);
        activity?.SetTag("gen_ai.operation.name", "execute_tool").SetTag("gen_ai.tool.name", tool).SetTag("gen_ai.tool.type", "function").SetTag("gen_ai.tool.call.id", callId)
            .SetTag(Conversation, sessionId);
        return activity;
    }
}
