// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Microsoft.Extensions.AI;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>What a request has, and what stays as it is.</summary>
public class ContextTests
{
    private static AccpContextChatClient Client(Model model, Action<AccpContextOptions>? configure = null)
    {
        var options = new AccpContextOptions();
        configure?.Invoke(options);
        return new AccpContextChatClient(model, options);
    }

    // Sends a list as a host that reads one log after the other, and returns the last request.
    internal static async Task<IReadOnlyList<ChatMessage>> GrowAsync(IChatClient client, Model model, List<ChatMessage> list, bool isStreaming = false)
    {
        for (int count = 1; count <= list.Count; ++count)
        {
            if (count < list.Count && list[count].Role != ChatRole.Assistant) continue;
            List<ChatMessage> part = list[..count];
            if (isStreaming) await client.GetStreamingResponseAsync(part).ToChatResponseAsync();
            else await client.GetResponseAsync(part);
        }
        return model.Requests[^1];
    }

    [Fact]
    public async Task AShortListIsSentAsItIs()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model);
        List<ChatMessage> list = Talk.Read(1);
        var options = new ChatOptions { Temperature = 0 };
        ChatResponse response = await client.GetResponseAsync(list, options);
        Assert.Equal("done", response.Text);
        Assert.Equal(list, model.Requests[0]);
        Assert.Same(options, model.Options[0]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task OldResultsBecomeLinesAndTheRestStays(bool isStreaming)
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model);
        List<ChatMessage> list = Talk.Read(30);
        string before = Talk.Json(list);
        IReadOnlyList<ChatMessage> sent = await GrowAsync(client, model, list, isStreaming);
        Assert.Equal(list.Count, sent.Count);
        int omitted = 0;
        for (int i = 0; i < list.Count; ++i)
        {
            if (!Talk.IsOmitted(sent[i]))
            {
                Assert.Same(list[i], sent[i]);
                continue;
            }
            ++omitted;
            Assert.Equal(list[i].Contents.Cast<FunctionResultContent>().Single().CallId, sent[i].Contents.Cast<FunctionResultContent>().Single().CallId);
        }
        Assert.InRange(omitted, 1, 3);
        Assert.Same(list[^1], sent[^1]);
        Assert.Equal(before, Talk.Json(list));
        Assert.Equal("resolve", Assert.Single(model.Options[^1]!.Tools!).Name);
    }

    [Fact]
    public async Task WhatIsNotTextPassesAsTheSameObjects()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model);
        AIContent[] kinds =
        [
            new TextReasoningContent("I think") { ProtectedData = "c2lnbmVk" }, new DataContent(new byte[] { 1, 2 }, "image/png"), new UriContent("https://example.org/x.png", "image/png"),
            new ErrorContent("no"), new UsageContent(new UsageDetails()), new HostedFileContent("file_1"), new Unknown(), new TextContent("with\0a naïve 🎈 \ud800 text"),
        ];
        List<ChatMessage> list = Talk.Read(25);
        list[1] = new ChatMessage(ChatRole.User, [.. kinds]) { AuthorName = "ann", AdditionalProperties = new() { ["x"] = 1 } };
        list[2].Contents = [.. kinds, .. list[2].Contents];
        list.Insert(4, new ChatMessage(ChatRole.Assistant, [kinds[0]]));
        list.Insert(5, new ChatMessage(new ChatRole("developer"), "Be brief."));
        list.Insert(6, new ChatMessage(new ChatRole("critic"), ""));
        list.Insert(7, new ChatMessage(ChatRole.Assistant, []));
        IReadOnlyList<ChatMessage> sent = await GrowAsync(client, model, list);
        Assert.Contains(sent, Talk.IsOmitted);
        Assert.Equal(list.Count, sent.Count);
        for (int i = 0; i < list.Count; ++i)
            if (!Talk.IsOmitted(sent[i])) Assert.Same(list[i], sent[i]);
    }

    private sealed class Unknown : AIContent;

    private sealed record Row(string Name, int Jobs);

    [Fact]
    public async Task ResultsOfEachKindBecomeLinesUnlessTheyAreNotText()
    {
        object?[] results =
        [
            Talk.Log(1), System.Text.Json.JsonSerializer.SerializeToElement(Talk.Log(2)), new TextContent(Talk.Log(3)), new List<AIContent> { new TextContent(Talk.Log(4)) },
            Enumerable.Range(0, 900).Select(i => new Row($"worker-{i * 31 % 977}", i)).ToArray(), new List<AIContent> { new TextContent(Talk.Log(6)), new DataContent(new byte[9], "image/png") },
            new DataContent(new byte[9], "image/png"), null,
        ];
        List<ChatMessage> list = [Talk.User("Read all.")];
        for (int i = 0; i < results.Length; ++i) list.AddRange([Talk.Calls("same", "read", ("n", i)), Talk.Result("same", results[i])]);
        for (int i = 0; i < 30; ++i) list.AddRange([Talk.Calls("", "read", ("n", i)), Talk.Result("", $"nothing {i}")]);
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model);
        IReadOnlyList<ChatMessage> sent = await GrowAsync(client, model, list);
        for (int i = 0; i < results.Length; ++i)
        {
            if (i < 5) Assert.True(Talk.IsOmitted(sent[2 + 2 * i]), $"result {i}: {Talk.TextOf(sent[2 + 2 * i])}");
            else Assert.Same(list[2 + 2 * i], sent[2 + 2 * i]);
        }
    }

    [Fact]
    public async Task EachRequestBeginsWithTheOneBeforeUntilResultsAreOmitted()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model);
        await GrowAsync(client, model, Talk.Read(60));
        int changes = 0;
        for (int i = 1; i < model.Requests.Count; ++i)
        {
            string before = Talk.Json(model.Requests[i - 1]), after = Talk.Json(model.Requests[i]);
            bool isMore = model.Requests[i].Count(Talk.IsOmitted) > model.Requests[i - 1].Count(Talk.IsOmitted);
            if (isMore) ++changes;
            else Assert.StartsWith(before.TrimEnd(']', '\n', ' '), after, StringComparison.Ordinal);
        }
        Assert.InRange(changes, 1, 8);
    }

    [Fact]
    public async Task ABudgetLeavesOutMessagesButNoHalfOfAPair()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model, options => options.BudgetTokens = 2000);
        List<ChatMessage> list = [Talk.User("Begin.")];
        for (int i = 0; i < 60; ++i)
        {
            list.AddRange([Talk.User($"Question {i}: " + Talk.Log(i, 3)), new(ChatRole.Assistant, [new TextContent($"I look {i}."), new FunctionCallContent($"a{i}", "read"), new FunctionCallContent($"b{i}", "read")])]);
            list.Add(new ChatMessage(ChatRole.Tool, [new FunctionResultContent($"a{i}", Talk.Log(i, 4)), new FunctionResultContent($"b{i}", Talk.Log(i + 100, 4))]));
            list.Add(Talk.Says($"Answer {i}"));
        }
        list.Add(Talk.User("The last question?"));
        await client.GetResponseAsync(list); // the model checks the pairs
        IReadOnlyList<ChatMessage> sent = model.Requests[^1];
        Assert.InRange(sent.Count, 3, list.Count / 2);
        Assert.Same(list[0], sent[0]);
        Assert.Same(list[^1], sent[^1]);
        Assert.Contains(sent, one => one.Text.Contains(" to $cold.m", StringComparison.Ordinal));
    }

    [Fact]
    public async Task ABudgetThatIsTooSmallForTheOpeningFailsBeforeTheRequest()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model, options => options.BudgetTokens = 20);
        AccpBudgetExceededException wrong = await Assert.ThrowsAsync<AccpBudgetExceededException>(() => client.GetResponseAsync(Talk.Read(12)));
        Assert.Contains("(29 of 20)", wrong.Message, StringComparison.Ordinal);
        Assert.Empty(model.Requests);
    }

    // As in the README: another engine on the same store says why.
    [Fact]
    public async Task AnEngineOnTheStoreExplainsWhatWasLeftOut()
    {
        using AccpStore store = AccpStore.Open("memory:");
        var config = new AccpConfig { Store = store };
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model, o =>
        {
            o.Config = config;
            o.SessionId = (messages, request) => request?.AdditionalProperties?.TryGetValue("chat", out string? id) == true ? id : null;
        });
        List<ChatMessage> list = Talk.Read(30);
        for (int count = 2; count <= list.Count; count += 2)
            await client.GetResponseAsync(list[..count], new ChatOptions { AdditionalProperties = new() { ["chat"] = "ann-1" } });
        int sent = model.Requests[^1].Count(Talk.IsOmitted);
        using var engine = new AccpEngine(config);
        using EngineSession session = engine.Open("ann-1", SessionModes.ReadOnly);
        using var document = System.Text.Json.JsonDocument.Parse(session.ContextPages());
        string[] states = [.. document.RootElement.GetProperty("pages").EnumerateArray().Select(one => one.GetProperty("state").GetString()!)];
        Assert.Equal(list.Count, states.Length);
        Assert.InRange(sent, 1, 3);
        Assert.Equal(sent, states.Count(one => one == "evicted"));
    }

    [Fact]
    public async Task CallsWithoutResultsAndResultsWithoutCallsStay()
    {
        var model = new Model((_, _) => Talk.Says("done")) { ConversationId = "unchecked" };
        using AccpContextChatClient client = Client(model);
        List<ChatMessage> list = Talk.Read(25);
        list.Insert(2, Talk.Result("unknown", "an orphan"));
        list.Insert(3, Talk.Calls("never", "read"));
        list.Insert(4, Talk.Says("No answer came."));
        list.Insert(5, Talk.Result("never", "too late"));
        list.Add(Talk.Calls("last", "read"));
        await client.GetResponseAsync(list);
        IReadOnlyList<ChatMessage> sent = model.Requests[^1];
        Assert.Equal(list.Count, sent.Count);
        Assert.Contains(sent, Talk.IsOmitted);
        for (int i = 0; i < list.Count; ++i)
            if (!Talk.IsOmitted(sent[i])) Assert.Same(list[i], sent[i]);
    }

    [Fact]
    public async Task ARequestWhoseMessagesTheServiceKeepsIsUnchanged()
    {
        var model = new Model((_, _) => Talk.Says("done"));
        using AccpContextChatClient client = Client(model, options => options.Resolve = AccpResolve.Always);
        List<ChatMessage> list = Talk.Read(30);
        var options = new ChatOptions { ConversationId = "kept" };
        await client.GetResponseAsync(list, options);
        Assert.Equal(list, model.Requests[0]);
        Assert.Same(options, model.Options[0]);
        model.ConversationId = "x";
        await client.GetResponseAsync([]);
        Assert.Empty(model.Requests[1]);
    }

    [Fact]
    public void WrongOptionsAreRefusedWithTheirName()
    {
        using var model = new Model((_, _) => Talk.Says("done"));
        foreach ((Action<AccpContextOptions> set, string name) in new (Action<AccpContextOptions>, string)[]
        {
            (one => one.BudgetTokens = -1, "BudgetTokens is -1: allowed is 0"), (one => one.ToolName = "a b", "ToolName is a b: allowed is 1 to 64"), (one => one.ToolName = null!, "ToolName is null"),
            (one => one.MaxConversations = 0, "MaxConversations is 0"), (one => one.MaxResolveRounds = 0, "MaxResolveRounds is 0"), (one => one.Resolve = (AccpResolve)7, "Resolve is 7"),
        })
        {
            Assert.Contains(name, Assert.Throws<ArgumentException>(() => Client(model, set)).Message, StringComparison.Ordinal);
            Assert.Contains(name, Assert.Throws<ArgumentException>(() => model.AsBuilder().UseAccpContext(set)).Message, StringComparison.Ordinal);
            Assert.Contains(name, Assert.Throws<ArgumentException>(() =>
            {
                var options = new AccpContextOptions();
                set(options);
                using var reducer = new AccpChatReducer(options);
            }).Message, StringComparison.Ordinal);
        }
    }
}
