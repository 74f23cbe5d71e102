// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;
using Microsoft.Agents.AI;
using Microsoft.Extensions.AI;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>History, sessions and packets of the Agent Framework.</summary>
public class AgentTests
{
    private static ChatClientAgent Agent(IChatClient client, ChatHistoryProvider history, string name = "farmer", params AIContextProvider[] contexts) =>
        new(client, new ChatClientAgentOptions { Name = name, ChatHistoryProvider = history, AIContextProviders = contexts });

    private static readonly AgentSessionStoreKey Key = new("chat-1", new Dictionary<string, string> { ["tenant"] = "a", ["user"] = "ann" });

    [Fact]
    public async Task HistoryAndSessionSurviveARestart()
    {
        string path = Path.Combine(Path.GetTempPath(), $"accp-{Guid.NewGuid():N}.db");
        try
        {
            var model = new Model((list, _) => new ChatMessage(ChatRole.Assistant, [new TextReasoningContent("hm") { ProtectedData = "c2ln" }, new TextContent($"I have {list.Count} messages."), new DataContent(new byte[] { 1, 2 }, "image/png")]));
            for (int run = 0; run < 2; ++run)
            {
                using AccpStore store = AccpStore.Open("sqlite:" + path);
                using var engine = new AccpEngine(new AccpConfig { Store = store });
                using var sessions = new AccpSessionStore(store);
                var history = new AccpChatHistoryProvider(engine);
                ChatClientAgent agent = Agent(model, history);
                Assert.Equal(run == 0, await sessions.GetSessionAsync(agent, Key) == null);
                AgentSession session = await sessions.GetOrCreateSessionAsync(agent, Key);
                AgentResponse response = await agent.RunAsync("naïve 🎈 question", session);
                Assert.Equal($"I have {1 + 2 * run} messages.", response.Text);
                await sessions.SaveSessionAsync(agent, Key, session);
                Assert.Equal(2 + 2 * run, (await history.GetMessagesAsync(session)).Count);
                if (run == 0) continue;

                IReadOnlyList<ChatMessage> all = await history.GetMessagesAsync(session);
                Assert.Equal("c2ln", all[1].Contents.OfType<TextReasoningContent>().Single().ProtectedData);
                Assert.Equal([1, 2], all[1].Contents.OfType<DataContent>().Single().Data.ToArray());
                Assert.Equal(all.Select(one => one.Text), model.Requests[1].Select(one => one.Text).Append("I have 3 messages."));
                using EngineSession own = engine.Open(history.GetSessionId(session), SessionModes.ReadOnly);
                Assert.Contains("naïve 🎈 question", own.Context().Text, StringComparison.Ordinal); // the engine has it too

                // Each lookup is a session of its own; other keys and agents have theirs.
                Assert.NotSame(await sessions.GetSessionAsync(agent, Key), await sessions.GetSessionAsync(agent, Key));
                Assert.Null(await sessions.GetSessionAsync(agent, Key.WithPartition("user", "bob")));
                Assert.Null(await sessions.GetSessionAsync(agent, new AgentSessionStoreKey("chat-1")));
                Assert.Null(await sessions.GetSessionAsync(Agent(model, history, "other"), Key));
                await sessions.DeleteSessionAsync(agent, Key);
                await sessions.DeleteSessionAsync(agent, Key);
                Assert.Null(await sessions.GetSessionAsync(agent, Key));
            }
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task AFailedRunLeavesNoHistory()
    {
        using var engine = new AccpEngine();
        var history = new AccpChatHistoryProvider(engine, new AccpChatHistoryProviderOptions { SessionId = _ => "mine", StateKey = "k" });
        ChatClientAgent agent = Agent(new Model((_, _) => throw new InvalidOperationException("the model is ill")), history);
        AgentSession session = await agent.CreateSessionAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => agent.RunAsync("Hi", session));
        Assert.Empty(await history.GetMessagesAsync(session));
        Assert.Equal("mine", history.GetSessionId(session));
        Assert.Equal(["k"], history.StateKeys);
    }

    [Fact]
    public async Task AReducerShortensWhatIsProvidedAndNotWhatIsStored()
    {
        using var engine = new AccpEngine();
        using var reducer = new AccpChatReducer();
        var history = new AccpChatHistoryProvider(engine, new AccpChatHistoryProviderOptions { Reducer = reducer });
        int read = 0;
        var model = new Model((list, _) => read < 30 ? Talk.Calls($"call_{read}", "read_log", ("number", read++)) : Talk.Says(list.Any(Talk.IsOmitted) ? "short" : "whole"));
        var agent = new ChatClientAgent(model.AsBuilder().UseFunctionInvocation(null, one => one.MaximumIterationsPerRequest = 100).Build(), new ChatClientAgentOptions
        {
            UseProvidedChatClientAsIs = true, ChatHistoryProvider = history,
            ChatOptions = new ChatOptions { Tools = [AIFunctionFactory.Create((int number) => Talk.Log(number, number % 10 == 0 ? 400 : 3), "read_log")] },
        });
        AgentSession session = await agent.CreateSessionAsync();
        Assert.Equal("whole", (await agent.RunAsync("Read all logs.", session)).Text);
        Assert.Equal("short", (await agent.RunAsync("And now?", session)).Text);
        Assert.DoesNotContain("$cold.m", Talk.Json(await history.GetMessagesAsync(session)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task ASubAgentGetsAPacketOfTheOther()
    {
        using var engine = new AccpEngine();
        var history = new AccpChatHistoryProvider(engine);
        var model = new Model((_, _) => Talk.Says("We decided to use SQLite, because it needs no server. The file must stay below 10 MB."));
        ChatClientAgent planner = Agent(model, history);
        AgentSession first = await planner.CreateSessionAsync();
        AgentSession? parent = null;
        var worker = new Model((_, _) => Talk.Says("done"));
        ChatClientAgent sub = Agent(worker, new AccpChatHistoryProvider(engine), "worker", new AccpContextProvider(engine, _ => parent == null ? null : history.GetSessionId(parent)));
        await sub.RunAsync("Write the schema.");
        Assert.Equal("Write the schema.", Assert.Single(worker.Requests[0]).Text);
        parent = first;
        await sub.RunAsync("Write the schema."); // the planner has not begun
        Assert.Single(worker.Requests[1]);
        await planner.RunAsync("Plan the store of our shop. You must not use a server.", first);
        await sub.RunAsync("Write the schema.");
        Assert.Equal(2, worker.Requests[2].Count);
        ChatMessage packet = worker.Requests[2].Single(one => one.Text != "Write the schema.");
        Assert.Equal(ChatRole.User, packet.Role);
        Assert.Contains("You must not use a server.", packet.Text, StringComparison.Ordinal);
    }

    private sealed class Letters : IEmbeddingGenerator<string, Embedding<float>>
    {
        public Task<GeneratedEmbeddings<Embedding<float>>> GenerateAsync(IEnumerable<string> values, EmbeddingGenerationOptions? options = null, CancellationToken cancellationToken = default) =>
            Task.FromResult(new GeneratedEmbeddings<Embedding<float>>(values.Select(one => new Embedding<float>(Enumerable.Range('a', 26).Select(letter => (float)one.Count(c => c == letter)).ToArray()))));

        public object? GetService(Type serviceType, object? serviceKey = null) => serviceType == typeof(EmbeddingGeneratorMetadata) ? new EmbeddingGeneratorMetadata("test", null, "letters-1") : null;

        public void Dispose()
        {
        }
    }

    [Fact]
    public async Task AgentsAreFoundByTheirVectors()
    {
        using var generator = new Letters();
        using var registry = new AgentRegistry();
        foreach ((string name, string description) in new[] { ("painter", "paints pictures of zebras"), ("counter", "sums columns of numbers") })
        {
            AgentEntry entry = await new AgentEntry(name, ["make"], ["T_" + name.ToUpperInvariant()], ["ctx.x"], ["y"], description).WithEmbeddingAsync(generator);
            Assert.Equal("letters-1", entry.EmbeddingModel);
            Assert.Equal(26, entry.Embedding!.Count);
            registry.Register(entry);
        }
        AgentQuery query = await new AgentQuery { Verb = "none" }.WithEmbeddingAsync("a picture of zebras, painted", generator);
        Assert.Equal("painter", registry.Query(query)[0].Name);
    }
}
