// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An agent that is killed while it runs: `crash run FILE` talks without end, and prints its process id and then the number of
// each run that has ended; `crash check FILE NUMBER` checks the history of a process that was killed after it had printed NUMBER. What was
// printed must be there, in order and once; one run more may be, if it is whole.
using Accp;
using Accp.Extensions.AI;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;

using AccpStore store = AccpStore.Open("sqlite:" + args[1]);
using var engine = new AccpEngine(new AccpConfig { Store = store });
var history = new AccpChatHistoryProvider(engine, new AccpChatHistoryProviderOptions { SessionId = _ => "talk" });
var agent = new ChatClientAgent(new Echo(), new ChatClientAgentOptions { Name = "talker", ChatHistoryProvider = history });
AgentSession session = await agent.CreateSessionAsync();
int begin = (await history.GetMessagesAsync(session)).Count / 2;
if (args[0] == "run")
{
    Console.WriteLine(Environment.ProcessId);
    for (int run = begin; ; ++run)
    {
        await agent.RunAsync($"question <{run}>", session);
        Console.WriteLine(run + 1);
    }
}

int ended = int.Parse(args[2]);
if (begin != ended && begin != ended + 1) throw new InvalidOperationException($"{ended} runs had ended, {begin} are there");
await agent.RunAsync($"question <{begin}>", session);
IReadOnlyList<ChatMessage> all = await history.GetMessagesAsync(session);
string wanted = string.Join('\n', Enumerable.Range(0, begin + 1).Select(run => $"question <{run}>\nquestion <{run}> is {2 * run + 1}")), got = string.Join('\n', all.Select(one => one.Text));
if (got != wanted) throw new InvalidOperationException("the history is\n" + got);
using EngineSession own = engine.Open("talk", SessionModes.ReadOnly);
if (own.RecordCount != all.Count) throw new InvalidOperationException($"{all.Count} messages, but the engine has {own.RecordCount}");
Console.WriteLine(begin + 1);

internal sealed class Echo : IChatClient
{
    public Task<ChatResponse> GetResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default)
    {
        List<ChatMessage> list = [.. messages];
        return Task.FromResult(new ChatResponse(new ChatMessage(ChatRole.Assistant, $"{list[^1].Text} is {list.Count}")));
    }

    public IAsyncEnumerable<ChatResponseUpdate> GetStreamingResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public object? GetService(Type serviceType, object? serviceKey = null) => null;

    public void Dispose()
    {
    }
}
