// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Microsoft.Extensions.AI;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>Which session a list belongs to.</summary>
public class ConversationTests
{
    private static Model Quiet() => new((_, _) => Talk.Says("done"));

    [Fact]
    public async Task AStoreKeepsTheConversationOverARestart()
    {
        string path = Path.Combine(Path.GetTempPath(), $"accp-{Guid.NewGuid():N}.db");
        try
        {
            List<ChatMessage> list = Talk.Read(40);
            string before = "";
            for (int i = 0; i < 2; ++i)
            {
                using AccpStore store = AccpStore.Open("sqlite:" + path);
                Model model = Quiet();
                using var client = new AccpContextChatClient(model, new AccpContextOptions { Config = new AccpConfig { Store = store }, SessionId = (_, options) => options?.AdditionalProperties?["chat"] as string });
                var options = new ChatOptions { AdditionalProperties = new() { ["chat"] = "ann-1" } };
                await client.GetResponseAsync(i == 0 ? list[..^2] : list, options);
                Assert.Equal(["ann-1"], store.Sessions());
                string sent = Talk.Json(model.Requests[^1]);
                Assert.Contains("$cold.m", sent, StringComparison.Ordinal);
                if (i == 1) Assert.StartsWith(before.TrimEnd(']', '\n', ' '), sent, StringComparison.Ordinal);
                before = sent;
            }
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task EditedAndRepeatedListsAreBranches()
    {
        using AccpStore store = AccpStore.Open("memory:");
        Model model = Quiet();
        using var client = new AccpContextChatClient(model, new AccpContextOptions { Config = new AccpConfig { Store = store } });
        List<ChatMessage> list = Talk.Read(25);
        await ContextTests.GrowAsync(client, model, list);
        Assert.Single(store.Sessions());
        await client.GetResponseAsync(list); // the same again
        Assert.Single(store.Sessions());

        List<ChatMessage> edited = [.. list];
        edited[^1] = Talk.Result("call_24", "another result");
        await client.GetResponseAsync(edited);
        Assert.Same(edited[^1], model.Requests[^1][^1]);
        edited.Add(Talk.Says("so"));
        edited.Add(Talk.User("and now?"));
        await client.GetResponseAsync(edited);
        Assert.Equal(2, store.Sessions().Count);
        Assert.Same(edited[^1], model.Requests[^1][^1]);

        await client.GetResponseAsync(list[..^4]); // shorter
        await client.GetResponseAsync(list[..^2]); // it grows again
        Assert.Equal(3, store.Sessions().Count);
        List<ChatMessage> twice = [.. edited[..^1], Talk.User("what?")]; // a branch of the branch
        await client.GetResponseAsync(twice);
        Assert.Equal(4, store.Sessions().Count);
        Assert.Same(twice[^1], model.Requests[^1][^1]);
        list.Add(Talk.Says("it goes on"));
        list.Add(Talk.User("with the first"));
        await client.GetResponseAsync(list);
        await client.GetResponseAsync(edited);
        Assert.Equal(4, store.Sessions().Count);
    }

    [Fact]
    public async Task ManyAtOnceDoNotMix()
    {
        using var client = new AccpContextChatClient(new Checked(), new AccpContextOptions { MaxConversations = 3 });
        await Parallel.ForEachAsync(Enumerable.Range(0, 8), async (number, cancellationToken) =>
        {
            List<ChatMessage> list = [Talk.User("The same opening.")];
            for (int i = 0; i < 12; ++i)
            {
                list.Add(Talk.Says($"{number}: answer {i}"));
                list.Add(Talk.User($"{number}: question {i}"));
                ChatResponse response = await client.GetResponseAsync(list, cancellationToken: cancellationToken);
                Assert.Equal($"{number}: {list.Count} of {number}", response.Text);
            }
        });
    }

    // Answers with the number of the conversation; each message must be of one.
    private sealed class Checked : IChatClient
    {
        public Task<ChatResponse> GetResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default)
        {
            List<ChatMessage> list = [.. messages];
            string number = list[^1].Text.Split(':')[0];
            string of = string.Join(',', list.Skip(1).Select(one => one.Text.Split(':')[0]).Distinct());
            return Task.FromResult(new ChatResponse(Talk.Says($"{number}: {list.Count} of {of}")));
        }

        public IAsyncEnumerable<ChatResponseUpdate> GetStreamingResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public object? GetService(Type serviceType, object? serviceKey = null) => null;

        public void Dispose()
        {
        }
    }

    [Fact]
    public async Task TwoProcessesMayUseOneStore()
    {
        string path = Path.Combine(Path.GetTempPath(), $"accp-{Guid.NewGuid():N}.db");
        try
        {
            using AccpStore store = AccpStore.Open("sqlite:" + path), other = AccpStore.Open("sqlite:" + path);
            Model model = Quiet();
            using var client = new AccpContextChatClient(model, new AccpContextOptions { Config = new AccpConfig { Store = store } });
            using var second = new AccpContextChatClient(Quiet(), new AccpContextOptions { Config = new AccpConfig { Store = other } });
            List<ChatMessage> list = [Talk.User("Begin.")];
            for (int i = 0; i < 6; ++i)
            {
                await (i % 2 == 0 ? client : second).GetResponseAsync(list);
                list.AddRange([Talk.Says($"answer {i}"), Talk.User($"question {i}")]);
            }
            Assert.Single(store.Sessions());
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task ACancelledRequestAndADisposedClientThrow()
    {
        Model model = Quiet();
        var client = new AccpContextChatClient(model);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => client.GetResponseAsync(Talk.Read(2), cancellationToken: new CancellationToken(true)));
        await client.GetResponseAsync(Talk.Read(2));
        client.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => client.GetResponseAsync(Talk.Read(2)));
        Assert.Single(model.Requests);
    }

    // Random lists: pairs stay, everything that is not shortened is the original, and a list that grew gives what it gives at once.
    [Fact]
    public async Task RandomListsAreSentInOrder()
    {
        var random = new Random(7);
        for (int round = 0; round < 16; ++round)
        {
            var config = new AccpConfig();
            config.Rules[AccpRule.WholeMax] = 200;
            var options = new AccpContextOptions { Config = config, BudgetTokens = round % 3 == 0 ? random.Next(4000, 9000) : 0 };
            using AccpChatReducer grown = new(options), whole = new(options);
            List<ChatMessage> list = [];
            for (int step = 0; step < 40; ++step)
            {
                string words = Talk.Log(random.Next(5), random.Next(0, 60)) + random.Next();
                switch (random.Next(5))
                {
                    case 0: list.Add(new ChatMessage(random.Next(4) == 0 ? ChatRole.System : ChatRole.User, words)); break;
                    case 1: list.Add(new ChatMessage(ChatRole.Assistant, [new TextReasoningContent("hm"), new TextContent(words)])); break;
                    default:
                        int calls = random.Next(1, 4);
                        List<AIContent> made = [.. Enumerable.Range(0, calls).Select(i => new FunctionCallContent($"id{random.Next(3)}-{i}", "read", new Dictionary<string, object?> { ["text"] = random.Next(3) == 0 ? words : "x" }))];
                        list.Add(new ChatMessage(ChatRole.Assistant, random.Next(2) == 0 ? made : [new TextContent("I read."), .. made]));
                        List<AIContent> results = [.. made.Cast<FunctionCallContent>().Select(call => new FunctionResultContent(call.CallId, Talk.Log(random.Next(9), random.Next(0, 80)) + call.CallId))];
                        if (random.Next(2) == 0) list.Add(new ChatMessage(ChatRole.Tool, results));
                        else list.AddRange(results.Select(one => new ChatMessage(ChatRole.Tool, [one])));
                        break;
                }
                List<ChatMessage> sent = [.. await grown.ReduceAsync(list, default)];
                Talk.Check(sent);
                if (step % 13 == 0) Assert.Equal(Talk.Json(sent), Talk.Json(await whole.ReduceAsync(list, default)));
                int next = 0;
                foreach (ChatMessage one in sent)
                {
                    int at = list.FindIndex(other => ReferenceEquals(other, one));
                    Assert.True(at < 0 || at >= next);
                    if (at >= 0) next = at + 1;
                }
            }
        }
    }
}
