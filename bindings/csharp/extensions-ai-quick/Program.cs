// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// README begin
using System.ClientModel;
using Microsoft.Extensions.AI;
using OpenAI;

string key = Environment.GetEnvironmentVariable("OPENAI_API_KEY")!, url = Environment.GetEnvironmentVariable("OPENAI_BASE_URL") ?? "https://api.openai.com/v1";
var provider = new OpenAIClient(new ApiKeyCredential(key), new OpenAIClientOptions { Endpoint = new Uri(url) });

using IChatClient client = provider.GetChatClient("gpt-5").AsIChatClient().AsBuilder()
    .UseFunctionInvocation(configure: loop => loop.MaximumIterationsPerRequest = 100)
    .UseAccpContext()
    .Build();

string ReadLog(int night) =>
    string.Concat(Enumerable.Range(0, night % 10 == 0 ? 400 : 4).Select(i => $"worker-{i} stopped at {i * 7 % 24:00}:{(i * 13 + night) % 60:00}, {i * 31 % 97} jobs done\n"));

var options = new ChatOptions { Tools = [AIFunctionFactory.Create(ReadLog, "read_log", "The log of a night")] };
ChatResponse response = await client.GetResponseAsync("Look after the build farm: when did worker-1 stop in night 0? Read the logs of nights 0 to 29 first.", options);
Console.WriteLine(response.Text);
// README end
