// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.AI;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Xunit;

namespace Accp.Extensions.AI.Tests;

/// <summary>The services of a host, its logs, health and telemetry.</summary>
public class ServiceTests
{
    private sealed class Noon : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => new(2026, 11, 28, 12, 0, 0, TimeSpan.Zero);
    }

    [Fact]
    public async Task AHostHasOneStoreForAllAndUseAccpContextTakesIt()
    {
        string path = Path.Combine(Path.GetTempPath(), $"accp-{Guid.NewGuid():N}.db");
        try
        {
            HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
            builder.Services.AddSingleton<TimeProvider>(new Noon());
            builder.Services.AddAccp(one =>
            {
                one.Store = "sqlite:" + path;
                one.Rules[AccpRule.WholeMax] = 4000;
                one.Redacted.Add("key");
                one.Configure = config => config.OwnAgents.Add("me");
            });
            builder.Services.AddHealthChecks().AddAccp();
            var model = new Model((_, _) => Talk.Says("done"));
            builder.Services.AddChatClient(model).UseAccpContext();
            using IHost host = builder.Build();
            await host.StartAsync();
            await host.Services.GetRequiredService<IChatClient>().GetResponseAsync(Talk.Read(2));
            AccpStore store = host.Services.GetRequiredService<AccpStore>();
            Assert.StartsWith("chat-", Assert.Single(store.Sessions()), StringComparison.Ordinal);
            AccpConfig config = host.Services.GetRequiredService<AccpConfig>();
            Assert.Equal((4000L, "key", "me"), (config.Rules[AccpRule.WholeMax], config.Redacted[0], config.OwnAgents[0]));
            Assert.IsType<Noon>(config.Clock);
            Assert.Same(host.Services.GetRequiredService<AccpEngine>(), host.Services.GetRequiredService<IAccpEngine>());
            HealthReport report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
            Assert.Equal(HealthStatus.Healthy, report.Status);
            Assert.Equal(1L, report.Entries["accp"].Data["sessions"]);
            store.Dispose();
            report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
            Assert.Equal(HealthStatus.Unhealthy, report.Status);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Theory]
    [InlineData("redis://x", "AccpOptions.Store is 'redis://x'")]
    [InlineData("sqlite:", "AccpOptions.Store is without a path")]
    [InlineData(null, "AccpOptions.Store is null")]
    public async Task AWrongStoreIsRefusedWhenTheHostStarts(string? url, string reason)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddAccp(one => one.Store = url!);
        using IHost host = builder.Build();
        OptionsValidationException wrong = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.Contains(reason + ": allowed are memory:, sqlite:PATH and nats://HOST:PORT/PREFIX.", wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ConversationsInMemoryAreNotInTheStoreOfTheHost()
    {
        var services = new ServiceCollection();
        services.AddAccp(one => one.Rules[AccpRule.PriceCached] = 1000);
        services.AddChatClient(new Model((_, _) => Talk.Says("done"))).UseAccpContext();
        using ServiceProvider made = services.BuildServiceProvider();
        await made.GetRequiredService<IChatClient>().GetResponseAsync(Talk.Read(2));
        Assert.Empty(made.GetRequiredService<AccpStore>().Sessions());
    }

    [Fact]
    public void MessagesAndRefusalsAreLogged()
    {
        using var lines = new Lines();
        var services = new ServiceCollection();
        services.AddLogging(one => one.SetMinimumLevel(LogLevel.Trace).AddProvider(lines));
        services.AddAccp(one => one.Redacted.Add("secret"));
        using ServiceProvider made = services.BuildServiceProvider();
        using EngineSession session = made.GetRequiredService<AccpEngine>().Open("s");
        string frame = session.Send("""{"agent":"planner","intent":"req","operation":"plan","payload":{"secret":"hush","task":"x"}}""");
        Assert.Throws<AccpParseErrorException>(() => session.Receive("no frame"));
        Assert.Contains(lines.All, one => one.Level == LogLevel.Trace && one.Text.StartsWith("sent Ok: ", StringComparison.Ordinal) && one.Text.Contains("task", StringComparison.Ordinal));
        Assert.Contains(lines.All, one => one.Level == LogLevel.Warning && one.Text.StartsWith("received ParseError: ", StringComparison.Ordinal));
        Assert.DoesNotContain(lines.All, one => one.Text.Contains("hush", StringComparison.Ordinal));
        Assert.NotEmpty(frame);
    }

    [Fact]
    public void TheDocumentationHasPublicTypesOnly()
    {
        System.Reflection.Assembly assembly = typeof(AccpContextOptions).Assembly;
        var document = System.Xml.Linq.XDocument.Load(Path.ChangeExtension(assembly.Location, ".xml"));
        string[] names = [.. document.Descendants("member").Select(one => one.Attribute("name")!.Value)];
        Assert.Contains("T:Accp.Extensions.AI.AccpContextOptions", names);
        Assert.Contains("P:Accp.Extensions.AI.AccpContextOptions.SessionId", names);
        foreach (Type hidden in assembly.GetTypes().Where(one => !one.IsVisible))
        {
            string name = hidden.FullName!.Replace('+', '.');
            Assert.DoesNotContain(names, one => one[2..] == name || one[2..].StartsWith(name + ".", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task RequestsAndCallsOfTheToolHaveActivitiesAndMetrics()
    {
        var activities = new List<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = one => one.Name == AccpAITelemetry.Name, Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = one => { lock (activities) activities.Add(one); },
        };
        ActivitySource.AddActivityListener(listener);
        var measured = new Dictionary<string, long>();
        using var meters = new MeterListener { InstrumentPublished = (instrument, one) => { if (instrument.Meter.Name == AccpAITelemetry.Name) one.EnableMeasurementEvents(instrument); } };
        meters.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            foreach (KeyValuePair<string, object?> tag in tags)
                if (tag is { Key: "gen_ai.request.model", Value: "telemetry-test" }) lock (measured) measured[instrument.Name] = measured.GetValueOrDefault(instrument.Name) + value;
        });
        meters.Start();
        using var parent = new Activity("test").Start();
        var model = new Model((list, _) => list.Count < 53 ? Talk.Calls("call_r", "resolve", ("ref", Talk.RefOf(list))) : Talk.Says("done"));
        using var client = new AccpContextChatClient(model);
        await client.GetResponseAsync(Talk.Read(25), new ChatOptions { ModelId = "telemetry-test" });
        Activity[] mine = [.. activities.Where(one => one.ParentId == parent.Id)];
        Assert.Equal(["accp.context", "execute_tool resolve", "accp.context"], mine.Select(one => one.OperationName));
        Assert.Equal("telemetry-test", mine[0].GetTagItem("gen_ai.request.model"));
        Assert.StartsWith("chat-", mine[0].GetTagItem("gen_ai.conversation.id") as string, StringComparison.Ordinal);
        Assert.Equal(("execute_tool", "resolve", "call_r"), (mine[1].GetTagItem("gen_ai.operation.name"), mine[1].GetTagItem("gen_ai.tool.name"), mine[1].GetTagItem("gen_ai.tool.call.id")));
        Assert.Equal(1, measured["accp.resolve.calls"]);
        Assert.InRange(measured["accp.request.tokens"], 1000, 1_000_000);
        Assert.InRange(measured["accp.request.shortened_messages"], 2, 6);
        Assert.Equal(measured["accp.request.tokens"], (long)mine[0].GetTagItem("accp.context.tokens")! + (long)mine[2].GetTagItem("accp.context.tokens")!);
        Assert.Equal(measured["accp.request.whole_tokens"], (long)mine[0].GetTagItem("accp.context.whole_tokens")! + (long)mine[2].GetTagItem("accp.context.whole_tokens")!);
        // The list is not shortened by a client that never pays for it, so its tokens are those of the whole list.
        measured.Clear();
        var rules = new AccpConfig();
        rules.Rules[AccpRule.WholeMax] = 1_000_000;
        using var whole = new AccpContextChatClient(new Model((_, _) => Talk.Says("done")), new AccpContextOptions { Config = rules });
        await whole.GetResponseAsync(Talk.Read(25), new ChatOptions { ModelId = "telemetry-test" });
        Assert.Equal(measured["accp.request.tokens"], measured["accp.request.whole_tokens"]);
        Assert.False(measured.ContainsKey("accp.request.shortened_messages"));
        long all = measured["accp.request.tokens"];
        Assert.InRange((long)mine[0].GetTagItem("accp.context.whole_tokens")!, all, all * 108 / 100);
        // Also if a budget leaves out more.
        measured.Clear();
        using var tight = new AccpContextChatClient(new Model((_, _) => Talk.Says("done")), new AccpContextOptions { BudgetTokens = 500 });
        await tight.GetResponseAsync(Talk.Read(25), new ChatOptions { ModelId = "telemetry-test" });
        Assert.InRange(measured["accp.request.tokens"], 100, 500);
        Assert.InRange(measured["accp.request.whole_tokens"], all, all * 108 / 100);
    }
}
