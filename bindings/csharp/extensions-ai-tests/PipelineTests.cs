// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Diagnostics;
using Microsoft.Extensions.AI;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Memory;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>The client before and after the clients of Microsoft.Extensions.AI.</summary>
public class PipelineTests
{
    // Reads 30 logs, looks at the first again, and answers with a line of it.
    private static Model Reader()
    {
        int read = 0;
        return new Model((list, options) =>
        {
            if (read < 30) return Talk.Calls($"call_{read}", "read_log", ("number", read++));
            if (Talk.TextOf(list[^1]).StartsWith("lines 2-2", StringComparison.Ordinal)) return Talk.Says(Talk.TextOf(list[^1]).Split('\n')[1]);
            if (list.Any(Talk.IsOmitted)) return Talk.Calls("call_r", "resolve", ("ref", Talk.RefOf(list)), ("lines", "2-2"));
            return Talk.Says("all is there");
        });
    }

    private static ChatOptions Tools() => new() { Tools = [AIFunctionFactory.Create((int number) => Talk.Log(number, number % 10 == 0 ? 400 : 3), "read_log")] };

    private static async Task<ChatResponse> AskAsync(IChatClient client, List<ChatMessage> list, bool isStreaming)
    {
        ChatOptions options = Tools();
        return isStreaming ? await client.GetStreamingResponseAsync(list, options).ToChatResponseAsync() : await client.GetResponseAsync(list, options);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task AfterFunctionInvocationTheLoopIsShortened(bool isStreaming)
    {
        Model model = Reader();
        using IChatClient client = model.AsBuilder().UseFunctionInvocation(null, one => one.MaximumIterationsPerRequest = 100).UseAccpContext().Build();
        ChatResponse response = await AskAsync(client, [Talk.User("Read all logs.")], isStreaming);
        Assert.Equal(Talk.Log(0, 400).Split('\n')[1], response.Messages[^1].Text);
        Assert.Equal(32, model.Requests.Count);
        Assert.Equal(64, response.Messages.Count + 1); // 31 calls, each with its result
        Talk.Check(response.Messages);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task BeforeFunctionInvocationTheFunctionIsInvokedThere(bool isStreaming)
    {
        Model model = Reader();
        using IChatClient client = model.AsBuilder().UseAccpContext().UseFunctionInvocation(null, one => one.MaximumIterationsPerRequest = 100).Build();
        List<ChatMessage> list = [Talk.User("Read all logs.")];
        ChatResponse first = await AskAsync(client, list, isStreaming);
        Assert.Equal("all is there", first.Messages[^1].Text);
        list.AddMessages(first);
        list.Add(Talk.User("Again?"));
        ChatResponse second = await AskAsync(client, list, isStreaming);
        Assert.Equal(Talk.Log(0, 400).Split('\n')[1], second.Messages[^1].Text);
        Assert.Equal(3, second.Messages.Count);
        Talk.Check(second.Messages);
    }

    private sealed class Lines : ILoggerProvider, ILogger
    {
        internal List<string> All { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            lock (All) All.Add(formatter(state, exception));
        }

        public void Dispose()
        {
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task LoggingAndTelemetryInEitherOrder(bool isFirst, bool isStreaming)
    {
        using var lines = new Lines();
        using ILoggerFactory loggers = LoggerFactory.Create(one => one.SetMinimumLevel(LogLevel.Trace).AddProvider(lines));
        var activities = new List<Activity>();
        string source = $"test-{isFirst}-{isStreaming}";
        using var listener = new ActivityListener
        {
            ShouldListenTo = one => one.Name == source, Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = one => { lock (activities) activities.Add(one); },
        };
        ActivitySource.AddActivityListener(listener);
        Model model = Reader();
        ChatClientBuilder builder = model.AsBuilder().UseFunctionInvocation(null, one => one.MaximumIterationsPerRequest = 100);
        if (isFirst) builder.UseAccpContext();
        builder.UseLogging(loggers).UseOpenTelemetry(loggers, source, one => one.EnableSensitiveData = true);
        if (!isFirst) builder.Use((inner, _) => new AccpContextChatClient(inner, null, loggers));
        using IChatClient client = builder.Build();
        ChatResponse response = await AskAsync(client, [Talk.User("Read all logs.")], isStreaming);
        Assert.Equal(Talk.Log(0, 400).Split('\n')[1], response.Messages[^1].Text);
        Assert.Equal(isFirst ? 32 : 31, activities.Count(one => one.OperationName.StartsWith("chat", StringComparison.Ordinal)));
        Assert.Contains(lines.All, one => one.Contains(isStreaming ? "GetStreamingResponseAsync" : "GetResponseAsync", StringComparison.Ordinal));
        if (!isFirst) Assert.Contains(lines.All, one => one.Contains("messages are shortened or left out", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task ADistributedCacheInEitherOrder(bool isFirst, bool isStreaming)
    {
        var cache = new MemoryDistributedCache(Options.Create(new MemoryDistributedCacheOptions()));
        Model model = Reader();
        ChatClientBuilder builder = model.AsBuilder().UseFunctionInvocation(null, one => one.MaximumIterationsPerRequest = 100);
        if (isFirst) builder.UseAccpContext();
        builder.UseDistributedCache(cache);
        if (!isFirst) builder.UseAccpContext();
        using IChatClient client = builder.Build();
        for (int i = 0; i < 2; ++i) // the second time from the cache
        {
            ChatResponse response = await AskAsync(client, [Talk.User("Read all logs.")], isStreaming);
            Assert.Equal(Talk.Log(0, 400).Split('\n')[1], response.Messages[^1].Text);
            Assert.Equal(32, model.Requests.Count);
        }
    }

    [Fact]
    public async Task TheReducerIsDeterministicAndKeepsThePrefix()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using var reducer = new AccpChatReducer();
        using IChatClient client = model.AsBuilder().UseChatReducer(reducer).Build();
        List<ChatMessage> list = Talk.Read(40);
        await ContextTests.GrowAsync(client, model, list);
        int changes = 0;
        for (int i = 1; i < model.Requests.Count; ++i)
        {
            string before = Talk.Json(model.Requests[i - 1]), after = Talk.Json(model.Requests[i]);
            if (model.Requests[i].Count(Talk.IsOmitted) > model.Requests[i - 1].Count(Talk.IsOmitted)) ++changes;
            else Assert.StartsWith(before.TrimEnd(']', '\n', ' '), after, StringComparison.Ordinal);
        }
        Assert.InRange(changes, 1, 8);

        // In another process, the whole list at once gives the same.
        using var other = new AccpChatReducer();
        Assert.Equal(Talk.Json(await reducer.ReduceAsync(list, default)), Talk.Json(await other.ReduceAsync(list, default)));
        Assert.Empty(await other.ReduceAsync([], default));
        IEnumerable<ChatMessage> some = await other.ReduceAsync(list[..20], default);
        Assert.Equal(Talk.Json(await reducer.ReduceAsync(list[..20], default)), Talk.Json(some));
    }
}
