// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A web service with two agents. A planner talks with the user and delegates to a worker, which gets a packet of what
// was decided. History, sessions and contexts are in one SQLite file, so a conversation continues after a restart.
//
//   OPENAI_API_KEY=… dotnet run --urls http://127.0.0.1:5000
//   curl -d '{"text":"Who stopped in night 3?"}' -H 'content-type: application/json' http://127.0.0.1:5000/chat/ann
using System.ClientModel;
using Accp;
using Accp.Extensions.AI;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;
using OpenAI;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
IConfiguration settings = builder.Configuration;
builder.Services.AddAccp(accp => accp.Store = settings["ACCP_STORE"] ?? "sqlite:farm.db");
builder.Services.AddHealthChecks().AddAccp();
builder.Services.AddOpenTelemetry()
    .WithTracing(traces => traces.AddSource("farm", AccpTelemetry.Name, AccpAITelemetry.Name).AddConsoleExporter())
    .WithMetrics(metrics => metrics.AddMeter("farm", AccpTelemetry.Name, AccpAITelemetry.Name).AddConsoleExporter());

var provider = new OpenAIClient(new ApiKeyCredential(settings["OPENAI_API_KEY"] ?? throw new InvalidOperationException("OPENAI_API_KEY is not set.")),
    new OpenAIClientOptions { Endpoint = new Uri(settings["OPENAI_BASE_URL"] ?? "https://api.openai.com/v1") });
builder.Services.AddChatClient(provider.GetChatClient(settings["MODEL"] ?? "gpt-5").AsIChatClient())
    .UseFunctionInvocation()
    .UseOpenTelemetry(sourceName: "farm")
    .UseAccpContext();
builder.Services.AddSingleton<AccpSessionStore>();
builder.Services.AddSingleton<Farm>();

WebApplication app = builder.Build();
app.MapHealthChecks("/health");
app.MapPost("/chat/{id}", async (string id, Question question, Farm farm, CancellationToken stop) => Results.Text(await farm.AskAsync(id, question.Text, stop)));
app.Run();

internal sealed record Question(string Text);

internal sealed class Farm(IChatClient client, AccpEngine engine, AccpSessionStore sessions)
{
    private readonly AccpChatHistoryProvider history = new(engine);

    // Two requests of one conversation at a time would both continue from the same history.
    internal async Task<string> AskAsync(string id, string text, CancellationToken stop)
    {
        AgentSession? session = null;
        ChatClientAgent worker = Agent("worker", "You read logs. Answer in one sentence.", AIFunctionFactory.Create(ReadLog, "read_log", "Returns the log of a night"),
            new AccpContextProvider(engine, _ => history.GetSessionId(session), new AccpContextProviderOptions { AgentName = "planner" })); // this worker is of this request alone
        AIFunction delegation = AIFunctionFactory.Create(async (string task) => (await worker.RunAsync(task, cancellationToken: stop)).Text, "ask_worker", "Gives a task to the worker, who can read logs");
        ChatClientAgent planner = Agent("planner", "You look after a build farm. Delegate what needs logs.", delegation);
        var key = new AgentSessionStoreKey(id);
        session = await sessions.GetOrCreateSessionAsync(planner, key, stop);
        AgentResponse response = await planner.RunAsync(text, session, cancellationToken: stop);
        await sessions.SaveSessionAsync(planner, key, session, stop);
        return response.Text;
    }

    private ChatClientAgent Agent(string name, string instructions, AITool tool, params AIContextProvider[] contexts) => new(client, new ChatClientAgentOptions
    {
        Name = name, ChatHistoryProvider = history, AIContextProviders = contexts,
        ChatOptions = new ChatOptions { Instructions = instructions, Tools = [tool] },
    });

    private static string ReadLog(int night) => string.Concat(Enumerable.Range(0, 200).Select(i => $"worker-{i} stopped at {i * 7 % 24:00}:{(i * 13 + night) % 60:00}\n"));
}
