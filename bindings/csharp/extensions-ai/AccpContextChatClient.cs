// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.AI;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Accp.Extensions.AI;

/// <summary>
/// Appends the messages of each request to a session, and sends the context that the engine makes of them: old results
/// of functions that are unlikely to be used again become one line each. All other messages are passed on as the same
/// objects. The model fetches omitted text with a tool, which this client adds and runs.
/// </summary>
/// <remarks>
/// <para> The host passes its whole list each time, as to any <see cref="IChatClient"/>, and keeps it. Requests with
/// <see cref="ChatOptions.ConversationId"/>, whose messages the service keeps, pass unchanged.
/// </para>
/// <para> Calls of the tool that this client has answered are in the response with their results, and
/// <see cref="FunctionCallContent.InformationalOnly"/> is set. Add all messages of the response to your list.
/// </para>
/// <para> Any number of requests may run at once.
/// </para></remarks>
public sealed class AccpContextChatClient : DelegatingChatClient
{
    private const int MaxErrors = 4; // rounds after MaxResolveRounds
    private const string TooManyRounds = "error: this tool was called too often in a row. Answer with what you have, or use another tool.";

    private readonly AccpContextOptions options;
    private readonly Conversations conversations;
    private readonly ILogger logger;

    /// <summary>Makes a client in front of another one.</summary>
    /// <param name="innerClient">Receives the requests. It is disposed with this client.</param>
    /// <param name="options">Null: the defaults. Later changes have no effect.</param>
    /// <param name="loggerFactory">Null: no log.</param>
    /// <exception cref="ArgumentException">An option is out of range, or the config is not valid for an engine.</exception>
    public AccpContextChatClient(IChatClient innerClient, AccpContextOptions? options = null, ILoggerFactory? loggerFactory = null) : base(innerClient)
    {
        this.options = (options ?? new AccpContextOptions()).Copy();
        conversations = new Conversations(this.options);
        logger = loggerFactory?.CreateLogger<AccpContextChatClient>() ?? (ILogger)NullLogger.Instance;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) conversations.Dispose();
        base.Dispose(disposing);
    }

    /// <inheritdoc/>
    public override async Task<ChatResponse> GetResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messages);
        var exchange = new Exchange(this, messages, options);
        ChatResponse? whole = null;
        while (true)
        {
            using Conversations.View? view = await exchange.NextAsync(cancellationToken).ConfigureAwait(false);
            ChatResponse response = await base.GetResponseAsync(exchange.Messages, exchange.Options, cancellationToken).ConfigureAwait(false);
            ChatMessage? results = await exchange.AnswerAsync(view, response, cancellationToken).ConfigureAwait(false);
            whole = Join(whole, response);
            if (results == null) return whole;
            whole.Messages = [.. whole.Messages, results];
            if (exchange.IsOver) return whole;
        }
    }

    // Adds the messages and the usage of the earlier responses to the last one.
    private static ChatResponse Join(ChatResponse? earlier, ChatResponse last)
    {
        if (earlier == null) return last;
        last.Messages = [.. earlier.Messages, .. last.Messages];
        if (earlier.Usage is UsageDetails usage)
        {
            var sum = new UsageDetails();
            sum.Add(usage);
            if (last.Usage != null) sum.Add(last.Usage);
            last.Usage = sum;
        }
        return last;
    }

    /// <inheritdoc/>
    public override async IAsyncEnumerable<ChatResponseUpdate> GetStreamingResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messages);
        var exchange = new Exchange(this, messages, options);
        while (true)
        {
            using Conversations.View? view = await exchange.NextAsync(cancellationToken).ConfigureAwait(false);
            var updates = new List<ChatResponseUpdate>();
            await foreach (ChatResponseUpdate update in base.GetStreamingResponseAsync(exchange.Messages, exchange.Options, cancellationToken).ConfigureAwait(false))
            {
                updates.Add(update);
                exchange.Mark(update.Contents);
                yield return update;
            }
            if (!exchange.HasMarked) yield break;
            ChatResponse response = updates.ToChatResponse();
            ChatMessage? results = await exchange.AnswerAsync(view, response, cancellationToken).ConfigureAwait(false);
            if (results == null) yield break;
            yield return new ChatResponseUpdate(results.Role, results.Contents)
            {
                MessageId = results.MessageId, ResponseId = response.ResponseId, ConversationId = response.ConversationId, ModelId = response.ModelId,
            };
            if (exchange.IsOver) yield break;
        }
    }

    // One request of the host, and the further requests with results of the tool.
    private sealed class Exchange(AccpContextChatClient client, IEnumerable<ChatMessage> messages, ChatOptions? options)
    {
        private readonly List<ChatMessage> list = [.. messages];
        private ResolveTool? tool; // in the current request
        private int rounds;
        private ChatOptions? original = options;

        internal IReadOnlyList<ChatMessage> Messages { get; private set; } = [];

        internal ChatOptions? Options { get; private set; }

        // Whether calls of the tool were marked in the current response.
        internal bool HasMarked { get; private set; }

        // Whether the host has calls to run: the response ends.
        internal bool IsOver { get; private set; }

        // Prepares the next request. Null: the service keeps the messages, and nothing is changed.
        internal async Task<Conversations.View?> NextAsync(CancellationToken cancellationToken)
        {
            tool = null;
            HasMarked = false;
            (Messages, Options) = (list, original);
            if (original?.ConversationId != null || list.Count == 0) return null;
            CheckNames();
            Conversations.View view;
            using (Activity? activity = AccpAITelemetry.StartContext())
            {
                view = await client.conversations.ViewAsync(list, original, AccpAITelemetry.HasWhole(activity), cancellationToken).ConfigureAwait(false);
                AccpAITelemetry.Record(activity, view, list.Count, original?.ModelId);
            }
            Messages = view.Messages;
            Log.Sent(client.logger, view.SessionId, list.Count, view.Changed, view.Tokens);
            if (HasTool(view))
            {
                tool = new ResolveTool(client.options.ToolName, view);
                Options = original?.Clone() ?? new ChatOptions();
                Options.Tools = [.. original?.Tools ?? [], tool];
            }
            return view;
        }

        private bool HasTool(Conversations.View view) => client.options.Resolve switch
        {
            AccpResolve.WithTools => view.Changed > 0 || original?.Tools?.Count > 0,
            AccpResolve.WhenOmitted => view.Changed > 0,
            AccpResolve.Always => true,
            _ => false,
        };

        private void CheckNames()
        {
            if (client.options.Resolve != AccpResolve.Never && original?.Tools?.Any(one => one.Name == client.options.ToolName) == true)
                throw new InvalidOperationException(
                    $"ChatOptions.Tools has a tool named {client.options.ToolName}, which is the name of the tool for omitted text: set AccpContextOptions.ToolName to another one.");
        }

        // The host and a function-invoking client in front of this one must not run the tool.
        internal void Mark(IEnumerable<AIContent> contents)
        {
            if (tool == null) return;
            foreach (AIContent content in contents)
            {
                if (content is not FunctionCallContent call || call.Name != tool.Name) continue;
                call.InformationalOnly = true;
                HasMarked = true;
            }
        }

        // Answers the calls of the tool in a response; null: there are none.
        internal async Task<ChatMessage?> AnswerAsync(Conversations.View? view, ChatResponse response, CancellationToken cancellationToken)
        {
            foreach (ChatMessage message in response.Messages) Mark(message.Contents);
            if (tool == null || view == null || !HasMarked) return null;
            List<AIContent> contents = [.. response.Messages.SelectMany(one => one.Contents)];
            HashSet<string> answered = [.. contents.OfType<FunctionResultContent>().Select(one => one.CallId)];
            List<FunctionCallContent> calls = [.. contents.OfType<FunctionCallContent>().Where(one => one.Name == tool.Name && !answered.Contains(one.CallId))];
            if (calls.Count == 0) return null; // a function-invoking client behind this one has answered them
            if (++rounds > client.options.MaxResolveRounds + MaxErrors)
                throw new InvalidOperationException($"The model called the tool {tool.Name} in {rounds} responses in a row (AccpContextOptions.MaxResolveRounds is {client.options.MaxResolveRounds}).");
            var results = new ChatMessage(ChatRole.Tool, []) { MessageId = "accp-" + calls[0].CallId }; // the same for equal requests, as caches need it
            foreach (FunctionCallContent call in calls)
            {
                using Activity? activity = AccpAITelemetry.StartTool(tool.Name, call.CallId, view.SessionId, original?.ModelId);
                string text = rounds > client.options.MaxResolveRounds ? TooManyRounds : await tool.AnswerAsync(call.Arguments, cancellationToken).ConfigureAwait(false);
                results.Contents.Add(new FunctionResultContent(call.CallId, text));
            }
            Log.Answered(client.logger, view.SessionId, calls.Count, rounds);
            IsOver = contents.OfType<FunctionCallContent>().Any(one => !one.InformationalOnly && !answered.Contains(one.CallId));
            if (response.ConversationId is string kept)
            {
                original = original?.Clone() ?? new ChatOptions();
                original.ConversationId = kept;
                list.Clear();
            }
            else
            {
                list.AddRange(response.Messages);
            }
            list.Add(results);
            return results;
        }
    }
}
