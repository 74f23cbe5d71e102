// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Microsoft.Extensions.AI;
using Microsoft.SemanticKernel;
using Microsoft.SemanticKernel.ChatCompletion;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>A chat client with our context as a chat completion service of Semantic Kernel.</summary>
public class SemanticKernelTests
{
    private static ChatHistory LongHistory()
    {
        var history = new ChatHistory();
        history.AddUserMessage("Read all logs.");
        for (int i = 0; i < 30; ++i)
        {
            history.Add(new ChatMessageContent { Role = AuthorRole.Assistant, Items = [new Microsoft.SemanticKernel.FunctionCallContent("read_log", "farm", $"call_{i}", new KernelArguments { ["number"] = i })] });
            history.Add(new ChatMessageContent { Role = AuthorRole.Tool, Items = [new Microsoft.SemanticKernel.FunctionResultContent("read_log", "farm", $"call_{i}", Talk.Log(i, i % 10 == 0 ? 400 : 3))] });
        }
        history.AddUserMessage("And now?");
        return history;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ALongHistoryIsSentShortened(bool byReducer)
    {
        var model = new Model((list, _) => Talk.Says("done"));
        using var reducer = new AccpChatReducer();
        using IChatClient client = byReducer ? model.AsBuilder().UseChatReducer(reducer).Build() : model.AsBuilder().UseAccpContext().Build();
        IChatCompletionService service = client.AsChatCompletionService();
        ChatHistory history = LongHistory();
        int before = history.Count;
        for (int i = 0; i < 3; ++i)
        {
            ChatMessageContent answer = await service.GetChatMessageContentAsync(history);
            Assert.Equal("done", answer.Content);
            history.Add(answer);
            history.AddUserMessage($"Once more {i}.");
        }
        IReadOnlyList<ChatMessage> sent = model.Requests[^1];
        Assert.Equal(before + 4, sent.Count);
        Assert.Contains(sent, Talk.IsOmitted);
        Assert.Equal("Once more 1.", sent[^1].Text);
        Assert.DoesNotContain("$cold.m", string.Concat(history.SelectMany(one => one.Items).OfType<Microsoft.SemanticKernel.FunctionResultContent>().Select(one => one.Result)), StringComparison.Ordinal);
    }
}
