// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>The official MCP client with the server <c>accp mcp</c>. $ACCP_COMMAND names the command.</summary>
public class McpTests
{
    [Fact]
    public async Task TheOfficialClientListsAndCallsTheTools()
    {
        string? command = Environment.GetEnvironmentVariable("ACCP_COMMAND");
        Assert.False(string.IsNullOrEmpty(command), "ACCP_COMMAND is not set");
        await using McpClient client = await McpClient.CreateAsync(new StdioClientTransport(new StdioClientTransportOptions { Name = "accp", Command = command, Arguments = ["mcp"] }));
        IList<McpClientTool> tools = await client.ListToolsAsync();
        Assert.Contains(tools, one => one.Name == "session_append");
        Assert.All(tools, one => Assert.False(string.IsNullOrEmpty(one.Description)));
        var said = new Dictionary<string, object?> { ["role"] = "user", ["content"] = "naïve 🎈 question" };
        CallToolResult result = await client.CallToolAsync("session_append", new Dictionary<string, object?> { ["messages"] = new[] { said }, ["from"] = "openai" });
        Assert.NotEqual(true, result.IsError);
        Assert.Contains("naïve 🎈 question", TextOf(await client.CallToolAsync("session_context", new Dictionary<string, object?>())), StringComparison.Ordinal);
        CallToolResult wrong = await client.CallToolAsync("session_append", new Dictionary<string, object?> { ["messages"] = Array.Empty<object>() });
        Assert.True(wrong.IsError);
        Assert.NotEmpty(TextOf(wrong));
    }

    private static string TextOf(CallToolResult result) => string.Concat(result.Content.OfType<TextContentBlock>().Select(one => one.Text));
}
