// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Microsoft.Extensions.AI;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>The tool for omitted text: when it is there, and who answers it.</summary>
public class ResolveTests
{
    private static bool HasTool(ChatOptions? options) => options?.Tools?.Any(one => one.Name == "resolve") == true;

    private static ChatMessage Resolve(IReadOnlyList<ChatMessage> list, string id, params AIContent[] more) =>
        new(ChatRole.Assistant, [new TextContent("I look again."), new FunctionCallContent(id, "resolve", new Dictionary<string, object?> { ["ref"] = Talk.RefOf(list), ["lines"] = "2-3" }), .. more]);

    private static async Task<ChatResponse> AskAsync(IChatClient client, bool isStreaming, List<ChatMessage> list, ChatOptions? options = null) =>
        isStreaming ? await client.GetStreamingResponseAsync(list, options).ToChatResponseAsync() : await client.GetResponseAsync(list, options);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ACallIsAnsweredAndIsInTheResponse(bool isStreaming)
    {
        int calls = 0;
        var model = new Model((list, options) => HasTool(options) && ++calls == 1 ? Resolve(list, "call_r") : Talk.Says("found it"));
        using var client = new AccpContextChatClient(model);
        List<ChatMessage> list = Talk.Read(25);
        ChatResponse response = await AskAsync(client, isStreaming, list);
        Assert.Equal([ChatRole.Assistant, ChatRole.Tool, ChatRole.Assistant], response.Messages.Select(one => one.Role));
        FunctionCallContent call = response.Messages[0].Contents.OfType<FunctionCallContent>().Single();
        Assert.True(call.InformationalOnly);
        string[] log = Talk.Log(0, 400).Split('\n');
        Assert.Equal($"lines 2-3 of 400:\n{log[1]}\n{log[2]}", Talk.TextOf(response.Messages[1]).TrimEnd());
        Assert.Equal("found it", response.Messages[2].Text);
        Assert.Equal(2, model.Requests.Count);
        Assert.Equal(model.Requests.Sum(one => one.Count), response.Usage!.InputTokenCount);

        // The host adds all messages: the conversation continues in the same session.
        list.AddMessages(response);
        list.Add(Talk.User("Go on."));
        await AskAsync(client, isStreaming, list);
        string before = Talk.Json(model.Requests[1]), after = Talk.Json(model.Requests[2]);
        Assert.StartsWith(before.TrimEnd(']', '\n', ' '), after, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task OtherCallsOfTheSameMessageAreTheHosts(bool isStreaming)
    {
        var model = new Model((list, _) => Resolve(list, "call_r", new FunctionCallContent("call_x", "read_log", new Dictionary<string, object?> { ["number"] = 7 })));
        using var client = new AccpContextChatClient(model);
        ChatResponse response = await AskAsync(client, isStreaming, Talk.Read(25));
        Assert.Single(model.Requests);
        Assert.Equal([ChatRole.Assistant, ChatRole.Tool], response.Messages.Select(one => one.Role));
        Assert.Equal([true, false], response.Messages[0].Contents.OfType<FunctionCallContent>().Select(one => one.InformationalOnly));
        Assert.Equal("call_r", response.Messages[1].Contents.OfType<FunctionResultContent>().Single().CallId);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task MistakesOfTheModelAreTextsAndItsLoopEnds(bool isStreaming)
    {
        var model = new Model((_, _) => Talk.Calls("again", "resolve", ("ref", "$cold.m9999")));
        using var client = new AccpContextChatClient(model, new AccpContextOptions { MaxResolveRounds = 2, Resolve = AccpResolve.Always });
        InvalidOperationException wrong = await Assert.ThrowsAsync<InvalidOperationException>(() => AskAsync(client, isStreaming, [Talk.User("Hi")]));
        Assert.Contains("MaxResolveRounds is 2", wrong.Message, StringComparison.Ordinal);
        Assert.Equal(7, model.Requests.Count);
        string[] results = [.. model.Requests[^1].Where(one => one.Role == ChatRole.Tool).Select(Talk.TextOf)];
        Assert.StartsWith("error: ", results[0], StringComparison.Ordinal);
        Assert.Contains("$cold.m9999", results[1], StringComparison.Ordinal);
        Assert.StartsWith("error: this tool was called too often", results[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task ArgumentsOfAnyKindAreAnswered()
    {
        object?[] wrong = [null, 7, double.NaN, new List<object?> { null }, new Dictionary<string, object?> { ["x"] = 1 }, "\ud800", new ResolveTests()];
        int next = 0;
        var model = new Model((_, _) => next < wrong.Length ? Talk.Calls($"c{next}", "resolve", ("ref", wrong[next++])) : Talk.Says("done"));
        using var client = new AccpContextChatClient(model, new AccpContextOptions { MaxResolveRounds = 20, Resolve = AccpResolve.Always });
        ChatResponse response = await client.GetResponseAsync([Talk.User("Hi")]);
        Assert.Equal("done", response.Messages[^1].Text);
        Assert.All(response.Messages.Where(one => one.Role == ChatRole.Tool), one => Assert.StartsWith("error: ", Talk.TextOf(one), StringComparison.Ordinal));
    }

    [Fact]
    public async Task TheToolIsThereWhenTheOptionsWantIt()
    {
        foreach ((AccpResolve when, bool atFirst, bool atLast) in new[] { (AccpResolve.WithTools, true, true), (AccpResolve.WhenOmitted, false, true), (AccpResolve.Always, true, true), (AccpResolve.Never, false, false) })
        {
            var model = new Model((_, _) => Talk.Says("done"));
            using var client = new AccpContextChatClient(model, new AccpContextOptions { Resolve = when });
            AIFunction own = AIFunctionFactory.Create(() => "x", "read_log");
            var options = new ChatOptions { Tools = [own] };
            await client.GetResponseAsync(Talk.Read(1), options);
            await client.GetResponseAsync(Talk.Read(25), options);
            Assert.Equal((atFirst, atLast), (HasTool(model.Options[0]), HasTool(model.Options[1])));
            Assert.Same(own, model.Options[1]!.Tools![0]);
            Assert.Single(options.Tools);
        }
    }

    [Fact]
    public async Task ANameThatTheHostUsesIsRefusedAndCanBeChanged()
    {
        var model = new Model((list, options) => options!.Tools!.Count == 2 && list.Count < 60 ? Talk.Calls("c", "see_again", ("ref", Talk.RefOf(list))) : Talk.Says("done"));
        var options = new ChatOptions { Tools = [AIFunctionFactory.Create(() => "x", "resolve")] };
        using (var client = new AccpContextChatClient(model))
        {
            InvalidOperationException wrong = await Assert.ThrowsAsync<InvalidOperationException>(() => client.GetResponseAsync(Talk.Read(1), options));
            Assert.Contains("AccpContextOptions.ToolName", wrong.Message, StringComparison.Ordinal);
            Assert.Empty(model.Requests);
        }
        using var other = new AccpContextChatClient(model, new AccpContextOptions { ToolName = "see_again" });
        List<ChatMessage> list = Talk.Read(27);
        ChatResponse response = await other.GetResponseAsync(list, options);
        Assert.Contains(response.Messages, one => Talk.TextOf(one).StartsWith("0:0 worker-0", StringComparison.Ordinal));
    }

    [Fact]
    public async Task AServiceThatKeepsTheMessagesGetsOnlyTheResult()
    {
        Model? model = null;
        model = new Model((list, options) =>
        {
            if (options?.ConversationId != null) return Talk.Says("done");
            model!.ConversationId = "kept";
            return Resolve(list, "call_r");
        });
        using var client = new AccpContextChatClient(model);
        ChatResponse response = await client.GetResponseAsync(Talk.Read(25));
        Assert.Equal("kept", model.Options[1]!.ConversationId);
        Assert.Equal(ChatRole.Tool, Assert.Single(model.Requests[1]).Role);
        Assert.Equal("kept", response.ConversationId);
        Assert.Equal(3, response.Messages.Count);
    }
}
