// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What Accp.Extensions.AI adds to a call of a model: the median over the calls of a conversation that grows to 201 messages
// and 118,000 characters, with a model that answers at once. Run by ../bench.
using System.Diagnostics;
using Accp;
using Accp.Extensions.AI;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;

string folder = Directory.CreateTempSubdirectory("accp").FullName;
try
{
    Console.WriteLine("| what | ms a call, median | 95 % |\n|---|---|---|");
    using (var plain = new Stub()) await Client("no client between", plain);
    using (IChatClient client = new Stub().AsBuilder().UseAccpContext().Build()) await Client("UseAccpContext, in memory", client);
    using (AccpStore store = AccpStore.Open($"sqlite:{folder}/context.db"))
    using (IChatClient client = new Stub().AsBuilder().UseAccpContext(o => o.Config = new AccpConfig { Store = store }).Build())
        await Client("UseAccpContext, SQLite", client);
    using (var reducer = new AccpChatReducer())
    using (IChatClient client = new Stub().AsBuilder().UseChatReducer(reducer).Build()) await Client("AccpChatReducer", client);
    await Agent("agent with InMemoryChatHistoryProvider", new InMemoryChatHistoryProvider());
    using (var engine = new AccpEngine()) await Agent("agent with AccpChatHistoryProvider, in memory", new AccpChatHistoryProvider(engine));
    using (AccpStore store = AccpStore.Open($"sqlite:{folder}/history.db"))
    using (var engine = new AccpEngine(new AccpConfig { Store = store })) await Agent("agent with AccpChatHistoryProvider, SQLite", new AccpChatHistoryProvider(engine));
}
finally
{
    Directory.Delete(folder, true);
}

static string Log(int call) => string.Concat(Enumerable.Range(0, call % 10 == 0 ? 160 : 14).Select(i => $"worker-{i} stopped at {i * 7 % 24:00}:{(i * 13 + call) % 60:00}, {i * 31 % 97} jobs\n"));

static async Task Client(string name, IChatClient client)
{
    var times = new List<double>();
    for (int round = 0; round < 4; ++round)
    {
        List<ChatMessage> list = [new(ChatRole.User, $"Read all logs of week {round}.")];
        var options = new ChatOptions { Tools = [AIFunctionFactory.Create((int call) => Log(call), "read_log")] };
        for (int call = 0; call < 100; ++call)
        {
            long began = Stopwatch.GetTimestamp();
            await client.GetResponseAsync(list, options);
            if (round > 0) times.Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
            list.Add(new ChatMessage(ChatRole.Assistant, [new FunctionCallContent($"c{call}", "read_log", new Dictionary<string, object?> { ["call"] = call })]));
            list.Add(new ChatMessage(ChatRole.Tool, [new FunctionResultContent($"c{call}", Log(call))]));
        }
    }
    Print(name, times);
}

static async Task Agent(string name, ChatHistoryProvider history)
{
    var times = new List<double>();
    for (int round = 0; round < 4; ++round)
    {
        var agent = new ChatClientAgent(new Stub(), new ChatClientAgentOptions { ChatHistoryProvider = history });
        AgentSession session = await agent.CreateSessionAsync();
        for (int run = 0; run < 100; ++run)
        {
            long began = Stopwatch.GetTimestamp();
            await agent.RunAsync(Log(run), session);
            if (round > 0) times.Add(Stopwatch.GetElapsedTime(began).TotalMilliseconds);
        }
    }
    Print(name, times);
}

static void Print(string name, List<double> times)
{
    times.Sort();
    Console.WriteLine($"| {name} | {times[times.Count / 2]:0.00} | {times[times.Count * 95 / 100]:0.00} |");
}

internal sealed class Stub : IChatClient
{
    public Task<ChatResponse> GetResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default) =>
        Task.FromResult(new ChatResponse(new ChatMessage(ChatRole.Assistant, "read")));

    public IAsyncEnumerable<ChatResponseUpdate> GetStreamingResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public object? GetService(Type serviceType, object? serviceKey = null) => null;

    public void Dispose()
    {
    }
}
