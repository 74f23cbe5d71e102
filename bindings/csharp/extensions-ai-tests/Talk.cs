// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Runtime.CompilerServices;
using System.Text.Json;
using Microsoft.Extensions.AI;
using Microsoft.Extensions.Logging;

namespace Accp.Extensions.AI.Tests;

/// <summary>A model that a function plays. It keeps each request, and refuses what providers refuse.</summary>
internal sealed class Model(Func<IReadOnlyList<ChatMessage>, ChatOptions?, ChatMessage> answer) : IChatClient
{
    internal List<IReadOnlyList<ChatMessage>> Requests { get; } = [];

    internal List<ChatOptions?> Options { get; } = [];

    internal string? ConversationId { get; set; }

    public Task<ChatResponse> GetResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        List<ChatMessage> list = [.. messages];
        if (ConversationId == null) Talk.Check(list);
        Requests.Add(list);
        Options.Add(options);
        ChatMessage said = answer(list, options);
        said.MessageId ??= $"m{Requests.Count}";
        return Task.FromResult(new ChatResponse(said)
        {
            ResponseId = $"r{Requests.Count}", ConversationId = ConversationId, ModelId = "stub",
            Usage = new UsageDetails { InputTokenCount = list.Count, OutputTokenCount = 1, TotalTokenCount = list.Count + 1 },
        });
    }

    public async IAsyncEnumerable<ChatResponseUpdate> GetStreamingResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ChatResponse whole = await GetResponseAsync(messages, options, cancellationToken);
        foreach (AIContent content in whole.Messages[0].Contents)
        {
            await Task.Yield();
            yield return new ChatResponseUpdate(ChatRole.Assistant, [content])
            {
                MessageId = whole.Messages[0].MessageId, ResponseId = whole.ResponseId, ConversationId = whole.ConversationId, ModelId = whole.ModelId,
            };
        }
        yield return new ChatResponseUpdate(ChatRole.Assistant, [new UsageContent(whole.Usage!)]) { MessageId = whole.Messages[0].MessageId, ResponseId = whole.ResponseId };
    }

    public object? GetService(Type serviceType, object? serviceKey = null) => serviceType.IsInstanceOfType(this) ? this : null;

    public void Dispose()
    {
    }
}

/// <summary>Keeps the lines of a log.</summary>
internal sealed class Lines : ILoggerProvider, ILogger
{
    internal List<(LogLevel Level, string Text)> All { get; } = [];

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) => All.Add((logLevel, formatter(state, exception)));

    public void Dispose()
    {
    }
}

/// <summary>Messages for tests.</summary>
internal static class Talk
{
    internal static string Log(int number, int lines = 700) =>
        string.Concat(Enumerable.Range(0, lines).Select(i => $"{number}:{i} worker-{i * 7919 % 1000} stopped at {(i * 7 + number) % 24:00}:{(i * 13 + number) % 60:00} after {i * 31 % 97} jobs\n"));

    internal static ChatMessage User(string text) => new(ChatRole.User, text);

    internal static ChatMessage Says(string text) => new(ChatRole.Assistant, text);

    internal static ChatMessage Calls(string id, string name, params (string Key, object? Value)[] arguments) =>
        new(ChatRole.Assistant, [new FunctionCallContent(id, name, arguments.ToDictionary(one => one.Key, one => one.Value))]);

    internal static ChatMessage Result(string id, object? result) => new(ChatRole.Tool, [new FunctionResultContent(id, result)]);

    /// <summary>A conversation that has read so many logs; every tenth is long.</summary>
    internal static List<ChatMessage> Read(int logs)
    {
        List<ChatMessage> list = [new(ChatRole.System, "You look after a build farm."), User("Which workers stopped? Read all logs.")];
        for (int i = 0; i < logs; ++i)
        {
            list.Add(Calls($"call_{i}", "read_log", ("number", i)));
            list.Add(Result($"call_{i}", Log(i, i % 10 == 0 ? 400 : 3)));
        }
        return list;
    }

    internal static string TextOf(ChatMessage message) => string.Concat(message.Contents.OfType<FunctionResultContent>().Select(one => one.Result as string));

    internal static bool IsOmitted(ChatMessage message) => TextOf(message).Contains("$cold.m", StringComparison.Ordinal) && TextOf(message).Length < 200;

    internal static string RefOf(IEnumerable<ChatMessage> list)
    {
        string text = TextOf(list.First(IsOmitted));
        return text[text.IndexOf("$cold.m", StringComparison.Ordinal)..].TrimEnd();
    }

    /// <summary>Each call has one result after it, before the next words of the model; no result is without a call.</summary>
    internal static void Check(IEnumerable<ChatMessage> list)
    {
        var open = new List<string>();
        foreach (ChatMessage message in list)
        {
            if (message.Role == ChatRole.Assistant && open.Count > 0) throw new InvalidOperationException($"no result of {open[0]}");
            foreach (AIContent content in message.Contents)
            {
                if (content is FunctionCallContent call) open.Add(call.CallId);
                if (content is FunctionResultContent result && !open.Remove(result.CallId)) throw new InvalidOperationException($"no call {result.CallId}");
            }
        }
        if (open.Count > 0) throw new InvalidOperationException($"no result of {open[0]}");
    }

    internal static string Json(IEnumerable<ChatMessage> list) => JsonSerializer.Serialize(list, AIJsonUtilities.DefaultOptions);
}
