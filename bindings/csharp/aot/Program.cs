// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A program without reflection: payloads of .NET's own types and of a source-generated context,
// sessions, plans, activities.
using System.Diagnostics;
using System.Text.Json.Serialization;
using Accp;
using Accp.Extensions.AI;
using Microsoft.Extensions.AI;
using Microsoft.Extensions.DependencyInjection;

int activities = 0;
using var listener = new ActivityListener
{
    ShouldListenTo = source => source.Name == AccpTelemetry.Name,
    Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
    ActivityStopped = _ => ++activities,
};
ActivitySource.AddActivityListener(listener);

// Types of .NET itself need no context.
var plain = new AgentMessage("planner", AccpIntent.Req, "triage", new()
{
    ["due"] = new DateOnly(2026, 11, 30), ["hours"] = new[] { 1, 2 }, ["labels"] = new List<string> { "naïve" }, ["by"] = new Dictionary<int, string> { [4] = "x" },
    ["level"] = Severity.High, ["each"] = Enumerable.Range(1, 3).Where(one => one != 2),
});
Console.WriteLine(System.Text.Encoding.UTF8.GetString(plain.ToJsonUtf8()));
Console.WriteLine($"{plain.Get<DateOnly>("due"):O} {string.Join('+', plain.Get<int[]>("hours")!)}");

// The program's own types need its context.
var config = new AccpConfig { Json = Types.Default.Options };
using AccpCodec here = new(config), there = new(config);
AccpFrame frame = here.Encode(plain with { Payload = new() { ["ticket"] = new Ticket(7, "Login fails", Severity.High, new DateOnly(2026, 11, 30)) } }, here.OpenSession("s"));
AgentMessage got = there.Decode(AccpFrame.Parse(frame.ToString()), there.OpenSession("s"));
Console.WriteLine(got.Get<Ticket>("ticket", Types.Default.Options));

// A type without a context is refused with advice.
try
{
    plain.Payload["unknown"] = new Unknown(1);
    plain.ToJsonUtf8();
}
catch (AccpInvalidTypeException wrong)
{
    Console.WriteLine(wrong.Message);
}

using var engine = new AccpEngine();
using EngineSession session = engine.Open("s");
session.AppendMessages(AccpInterface.OpenAI, """[{"role":"user","content":"Add a login."}]""");
Console.WriteLine(session.ContextMessages(AccpInterface.OpenAI).ToElement().GetArrayLength());
try
{
    session.Send(new string('x', 10));
}
catch (AccpParseErrorException wrong)
{
    Console.WriteLine(wrong.Code);
}

using var run = new PlanRun("""{"g":"G","plan":[["a","A",{}],["b","B",{"x":"$step.1"}]]}""",
    options: new PlanOptions { Reading = SacpReading.Lenient, Policy = new PlanPolicy { Retries = 0 } });
PlanResult result = await run.RunAsync((call, _) => call.Tool == "A" ? new(PlanAnswer.Of("made")) : throw new InvalidOperationException("no " + call.Params));
try
{
    result.OutputOrThrow();
}
catch (AccpToolExecFailedException failed)
{
    Console.WriteLine($"step {failed.Verdict!.Step}: {failed.InnerException!.Message}");
}
Console.WriteLine($"{engine.Metrics().Count > 10} {activities > 3}");

// Accp.Extensions.AI: contexts for a chat client, with the services of a host.
var services = new ServiceCollection();
services.AddAccp(options => options.Rules[AccpRule.PriceCached] = options.Rules[AccpRule.PriceWrite] = 1000);
services.AddChatClient(new Model()).UseAccpContext(options => options.JsonSerializerOptions = Types.Default.Options);
await using ServiceProvider host = services.BuildServiceProvider();
List<ChatMessage> list = [new(ChatRole.User, "Read all.")];
for (int i = 0; i < 8; ++i)
{
    list.Add(new ChatMessage(ChatRole.Assistant, [new FunctionCallContent($"c{i}", "read", new Dictionary<string, object?> { ["number"] = i, ["all"] = true })]));
    list.Add(new ChatMessage(ChatRole.Tool, [new FunctionResultContent($"c{i}", string.Concat(Enumerable.Range(0, 400).Select(line => $"{i}: line {line * 31 % 977}\n")))]));
}
ChatResponse response = await host.GetRequiredService<IChatClient>().GetResponseAsync(list);
Console.WriteLine(string.Join(" | ", response.Messages.SelectMany(one => one.Contents).Select(one => one is FunctionResultContent result ? result.Result : one)));
Console.WriteLine(new AccpChatHistoryProvider(host.GetRequiredService<AccpEngine>()).StateKeys[0]);

internal sealed class Model : IChatClient
{
    public Task<ChatResponse> GetResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default) =>
        Task.FromResult(new ChatResponse(new ChatMessage(ChatRole.Assistant, messages.Count() < 18
            ? [new FunctionCallContent("r", options!.Tools![0].Name, new Dictionary<string, object?> { ["ref"] = "$cold.m3", ["lines"] = "2" })]
            : [new TextContent("done")])));

    public IAsyncEnumerable<ChatResponseUpdate> GetStreamingResponseAsync(IEnumerable<ChatMessage> messages, ChatOptions? options = null, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public object? GetService(Type serviceType, object? serviceKey = null) => null;

    public void Dispose()
    {
    }
}

internal enum Severity
{
    Low,
    High,
}

internal sealed record Ticket(int Id, string Title, Severity Severity, DateOnly Due);

internal sealed record Unknown(int Id);

[JsonSourceGenerationOptions(UseStringEnumConverter = true)]
[JsonSerializable(typeof(Ticket))]
internal sealed partial class Types : JsonSerializerContext;
