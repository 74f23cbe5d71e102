// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A planner that delegates to a worker. ../test compares it with ../extensions-ai/README.md, and runs it with a stand-in for
// the provider.
// README begin
using System.ClientModel;
using Accp;
using Accp.Extensions.AI;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;
using OpenAI;

string key = Environment.GetEnvironmentVariable("OPENAI_API_KEY")!, url = Environment.GetEnvironmentVariable("OPENAI_BASE_URL") ?? "https://api.openai.com/v1";
var provider = new OpenAIClient(new ApiKeyCredential(key), new OpenAIClientOptions { Endpoint = new Uri(url) });
using IChatClient client = provider.GetChatClient("gpt-5").AsIChatClient().AsBuilder().UseFunctionInvocation().UseAccpContext().Build();

using AccpStore store = AccpStore.Open("sqlite:farm.db");
using var engine = new AccpEngine(new AccpConfig { Store = store });
using var sessions = new AccpSessionStore(store);
var history = new AccpChatHistoryProvider(engine);

string ReadLog(int night) => string.Concat(Enumerable.Range(0, 400).Select(i => $"worker-{i} stopped at {i * 7 % 24:00}:{(i * 13 + night) % 60:00}\n"));
var worker = new ChatClientAgent(client, new ChatClientAgentOptions
{
    Name = "worker", ChatHistoryProvider = history,
    AIContextProviders = [new AccpContextProvider(engine, own => own?.StateBag.GetValue<string>("planner"), new AccpContextProviderOptions { AgentName = "planner" })],
    ChatOptions = new ChatOptions { Tools = [AIFunctionFactory.Create(ReadLog, "read_log", "The log of a night")] },
});
async Task<string> AskWorker(string task) // many chats may run at once: the worker's session has the id of the one that gave the task
{
    AgentSession own = await worker.CreateSessionAsync();
    own.StateBag.SetValue("planner", history.GetSessionId(AIAgent.CurrentRunContext!.Session));
    return (await worker.RunAsync(task, own)).Text;
}
var planner = new ChatClientAgent(client, new ChatClientAgentOptions
{
    Name = "planner", ChatHistoryProvider = history,
    ChatOptions = new ChatOptions { Tools = [AIFunctionFactory.Create(AskWorker, "ask_worker", "Gives a task to the worker")] },
});

var name = new AgentSessionStoreKey("chat-1");
AgentSession current = await sessions.GetOrCreateSessionAsync(planner, name);
foreach (string question in args)
{
    await foreach (AgentResponseUpdate update in planner.RunStreamingAsync(question, current)) Console.Write(update.Text);
    Console.WriteLine();
    await sessions.SaveSessionAsync(planner, name, current);
}
Console.WriteLine($"{(await history.GetMessagesAsync(current)).Count} messages");
// README end
