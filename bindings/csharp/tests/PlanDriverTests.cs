// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Collections.Concurrent;
using System.Text.Json;
using System.Text.Json.Nodes;
using Xunit;

namespace Accp.Tests;

/// <summary>A plan that runs to its end with tools that succeed, fail, hang, and are
/// late.</summary>
public sealed class PlanDriverTests
{
    private const string Three = """{"g":"G","msg_id":"m","plan":[["a","A",{}],["b","B",{"x":"$step.1"}],["c","C",{"x":"$step.2"}]]}""";
    private const string Branches = """{"g":"G","plan":[{"parallel":[["a","A",{}],["b","B",{}],["c","C",{}]]},["join","MERGE",{}]]}""";
    private const string One = """{"g":"G","plan":[["a","A",{}]]}""";
    private const string WithFallback = """
        {"verbs":[{"name":"a","description":"d","inputs":[],"outputs":"o"}],
        "tools":[{"id":"A","description":"d","supported_verbs":["a"],"fallback":["B"]},{"id":"B","description":"d","supported_verbs":["a"]}]}
        """;
    private static readonly TimeSpan Soon = TimeSpan.FromMinutes(2);  // for required events
    private static readonly PlanOptions Lenient = new() { Reading = SacpReading.Lenient, Policy = new PlanPolicy { Backoff = TimeSpan.FromMilliseconds(1) } };

    private static PlanOptions With(Func<PlanPolicy, PlanPolicy> change) => Lenient with { Policy = change(Lenient.Policy!) };

    private static async ValueTask<PlanAnswer> Hang(CancellationToken stop)
    {
        await Task.Delay(Timeout.Infinite, stop);
        return PlanAnswer.Json("0");
    }

    private static string[] Outcomes(PlanResult result) =>
        [.. JsonElement.Parse(result.Trace).EnumerateArray().Select(one => $"{one.GetProperty("tool").GetString()} {one.GetProperty("outcome").GetString()}")];

    [Fact]
    public async Task StepsRunInOrder()
    {
        var order = new ConcurrentQueue<string>();
        using var run = new PlanRun(Three, options: Lenient);
        PlanResult result = await run.RunAsync(async (call, _) =>
        {
            order.Enqueue(call.Tool + call.Params);
            await Task.Yield();
            return PlanAnswer.Of(call.Tool);
        });
        Assert.Equal(["A{}", "B{\"x\":\"A\"}", "C{\"x\":\"B\"}"], order);
        Assert.Equal((PlanState.Done, "C"), (result.State, result.Output?.GetString()));
        Assert.Equal(["1", "2", "3"], result.StepResults.Keys);
        Assert.Null(result.Error);
        Assert.Empty(result.Failures);
        Assert.Equal((run.Final(), run.Trace()), (result.Json, result.Trace));
    }

    // Each waits until all three have begun.
    [Fact]
    public async Task BranchesReallyRunAtOnce()
    {
        using var all = new CountdownEvent(3);
        using var run = new PlanRun(Branches, options: Lenient);
        PlanResult result = await run.RunAsync((call, _) =>
        {
            all.Signal();
            return new(all.Wait(Soon) ? PlanAnswer.Of(call.Tool) : throw new TimeoutException());
        }).WaitAsync(Soon);
        Assert.Equal("""["A","B","C"]""", result.Output?.GetRawText());
    }

    [Fact]
    public async Task NoMoreAtOnceThanThePolicySays()
    {
        int now = 0, most = 0;
        var met = new TaskCompletionSource();
        using var run = new PlanRun(Branches, options: With(policy => policy with { MaxParallel = 2 }));
        await run.RunAsync(async (_, _) =>
        {
            int here = Interlocked.Increment(ref now);
            lock (run) most = Math.Max(most, here);
            if (here == 2) met.TrySetResult();
            await met.Task.WaitAsync(Soon);
            await Task.Delay(30);  // for one more than may run
            Interlocked.Decrement(ref now);
            return PlanAnswer.Json("1");
        }).WaitAsync(Soon);
        Assert.Equal(2, most);
    }

    [Fact]
    public async Task ACallThatHangsTimesOutAndIsTriedAgain()
    {
        int calls = 0;
        var stopped = new TaskCompletionSource();
        using var run = new PlanRun(One, options: With(policy => policy with { Timeout = TimeSpan.FromSeconds(2) }));
        PlanResult result = await run.RunAsync((_, stop) =>
        {
            if (Interlocked.Increment(ref calls) == 2) return new(PlanAnswer.Json("2"));
            stop.Register(stopped.SetResult);
            return Hang(stop);
        }).WaitAsync(Soon);
        await stopped.Task.WaitAsync(Soon);
        Assert.Equal("2", result.Output?.GetRawText());
        Assert.Equal(["A TIMEOUT", "A OK"], Outcomes(result));
    }

    [Fact]
    public async Task AnAnswerThatComesTooLateIsNothing()
    {
        var late = new TaskCompletionSource<PlanAnswer>(TaskCreationOptions.RunContinuationsAsynchronously);
        int calls = 0;
        using var run = new PlanRun("""{"g":"G","plan":[["a","A",{}],["b","B",{}]]}""", options: With(policy => policy with { Timeout = TimeSpan.FromSeconds(3) }));
        PlanResult result = await run.RunAsync(new Dictionary<string, PlanTool>
        {
            ["A"] = (_, _) => Interlocked.Increment(ref calls) == 1 ? new(late.Task) : new(PlanAnswer.Json("\"in time\"")),
            ["B"] = async (_, _) =>
            {
                late.SetResult(PlanAnswer.Of("late"));
                await Task.Delay(50);  // the report comes before the end
                return PlanAnswer.Json("1");
            },
        }).WaitAsync(Soon);
        Assert.Equal(PlanState.Done, result.State);
        Assert.Equal("in time", result.StepResults["1"].GetString());
    }

    [Fact]
    public async Task AToolThatThrowsIsTriedAgainAndThenAnother()
    {
        int calls = 0;
        using var run = new PlanRun(One, WithFallback, new PlanOptions { Policy = new PlanPolicy { Retries = 2, Backoff = TimeSpan.Zero } });
        PlanResult result = await run.RunAsync(new Dictionary<string, PlanTool>
        {
            ["A"] = (_, _) => Interlocked.Increment(ref calls) switch
            {
                1 => throw new InvalidOperationException("no \ud800 luck " + new string('x', 1000)),
                2 => ValueTask.FromException<PlanAnswer>(new TimeoutException()),
                _ => default,
            },
            ["B"] = (_, _) => new(PlanAnswer.Of(new { Name = "B", At = new[] { 1.5m } })),
        }).WaitAsync(Soon);
        Assert.Equal(["A TOOL_FAILED", "A TIMEOUT", "A TOOL_FAILED", "B OK"], Outcomes(result));
        Assert.Equal("""{"Name":"B","At":[1.5]}""", result.Output?.GetRawText());
        Assert.Equal([typeof(InvalidOperationException), typeof(TimeoutException)], result.Failures.Select(one => one.Exception.GetType()));
        Assert.All(result.Failures, one => Assert.Equal("A", one.Call.Tool));
    }

    public static TheoryData<string, Func<PlanAnswer>, string> Bad() => new()
    {
        { "no JSON", () => PlanAnswer.Json("{"), "TOOL_FAILED" },
        { "no UTF-8", () => PlanAnswer.Json(new byte[] { 0x22, 0xff, 0x22 }), "TOOL_FAILED" },
        { "nothing", () => default, "TOOL_FAILED" },
        { "null", () => PlanAnswer.Json((string)null!), "TOOL_FAILED" },
        { "a lone surrogate", () => PlanAnswer.Json("\"\ud800\""), "TOOL_FAILED" },
        { "a reason that is no text", () => PlanAnswer.Failed("\ud800"), "TOOL_FAILED" },
        { "prose", () => PlanAnswer.Reply("executor", "It is done."), "TOOL_FAILED" },
        { "an error", () => PlanAnswer.Reply("executor", """{"status":"ERR","code":"TOOL_FAILED"}"""), "TOOL_FAILED" },
        { "it took too long", () => PlanAnswer.Failed("", PlanCause.TimedOut), "TIMEOUT" },
        { "nobody", () => PlanAnswer.Failed("", PlanCause.NoAgent), "NO_AGENT" },
        { "it gives up", () => throw new OperationCanceledException(), "TOOL_FAILED" },
    };

    [Theory]
    [MemberData(nameof(Bad))]
    public async Task WhatIsNoAnswerIsAFailure(string name, Func<PlanAnswer> answer, string outcome)
    {
        Assert.NotEmpty(name);
        using var run = new PlanRun(One, options: With(policy => policy with { Retries = 0 }));
        PlanResult result = await run.RunAsync((_, _) => new(answer())).WaitAsync(Soon);
        Assert.Equal(PlanState.Failed, result.State);
        Assert.Equal(["A " + outcome], Outcomes(result));
        Assert.Equal(outcome, SacpCodes.Name(result.Error!.Code));
        Assert.Null(result.Output);
        Assert.Empty(result.StepResults);
    }

    [Fact]
    public async Task RepliesOfAgentsAreRead()
    {
        using var run = new PlanRun("""{"g":"G","plan":[["a","A",{}],["b","B",{}]]}""", options: Lenient);
        PlanResult result = await run.RunAsync(new Dictionary<string, PlanTool>
        {
            ["A"] = (_, _) => new(PlanAnswer.Reply("executor", """{"g":"G","plan":[["a","A",{}]],"state":"DONE","result":{"output":[1]}}""")),
            ["B"] = (_, _) => new(PlanAnswer.Reply("formatter", "Good day.")),
        }).WaitAsync(Soon);
        Assert.Equal(("[1]", "Good day."), (result.StepResults["1"].GetRawText(), result.Output?.GetString()));
    }

    [Fact]
    public async Task NobodyHasTheTool()
    {
        using var run = new PlanRun(One, options: Lenient);
        PlanResult result = await run.RunAsync(new Dictionary<string, PlanTool>()).WaitAsync(Soon);
        Assert.Equal(["A NO_AGENT"], Outcomes(result));
        Assert.Equal(SacpCode.NoAgent, result.Error!.Code);
    }

    [Fact]
    public async Task ADryRunCallsNoTool()
    {
        using var run = new PlanRun("""{"g":"G","plan":[["a","A",{}]],"test_mode":true}""",
            options: With(policy => policy with { Simulate = new Dictionary<string, object?> { ["A"] = 7 } }));
        PlanResult result = await run.RunAsync((_, _) => throw new InvalidOperationException("called")).WaitAsync(Soon);
        Assert.Equal("7", result.Output?.GetRawText());
        Assert.Empty(result.Failures);
    }

    [Fact]
    public async Task AMessageThatIsRefused()
    {
        using var run = new PlanRun("""{"g":"G","plan":[["a","A"]]}""");
        PlanResult result = await run.RunAsync((_, _) => throw new InvalidOperationException("called")).WaitAsync(Soon);
        Assert.Equal((PlanState.Refused, SacpCode.MalformedPlan), (result.State, result.Error!.Code));
        Assert.Empty(result.StepResults);
        using var unclear = new PlanRun("""{"g":"G","plan":[["a","A",{}]]}""", WithFallback.Replace("\"inputs\":[]", "\"inputs\":[\"x\"],\"required\":[\"x\"]"));
        result = await unclear.RunAsync((_, _) => throw new InvalidOperationException("called")).WaitAsync(Soon);
        Assert.Equal(SacpAnswer.ReqClarify, result.Error!.Answer);
        Assert.Equal(["step.1.x"], result.Error.Needs);
    }

    [Fact]
    public async Task CancellingInTheMiddle()
    {
        using var stop = new CancellationTokenSource();
        var begun = new TaskCompletionSource();
        var told = new TaskCompletionSource();
        var called = new ConcurrentQueue<string>();
        using var run = new PlanRun(Three, options: Lenient);
        Task<PlanResult> running = run.RunAsync((call, give) =>
        {
            called.Enqueue(call.Tool);
            if (call.Tool == "A") return new(PlanAnswer.Json("1"));
            give.Register(told.SetResult);
            begun.SetResult();
            return new(new TaskCompletionSource<PlanAnswer>().Task);  // it ignores its token
        }, stop.Token);
        await begun.Task.WaitAsync(Soon);
        stop.Cancel();
        OperationCanceledException cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running.WaitAsync(Soon));
        Assert.Equal(stop.Token, cancelled.CancellationToken);
        Assert.True(running.IsCanceled);
        await told.Task.WaitAsync(Soon);
        Assert.Equal(["A", "B"], called);
        Assert.Equal(PlanState.Failed, run.State);
        Assert.Contains("The plan was cancelled", run.Final());
        Assert.Equal(PlanStepState.Done, run.Steps()[0].State);
    }

    [Fact]
    public async Task CancelledBeforeItBegins()
    {
        using var run = new PlanRun(One, options: Lenient);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run.RunAsync((_, _) => throw new InvalidOperationException("called"), new CancellationToken(true)));
        Assert.DoesNotContain("called", run.Trace());
        Assert.Equal(0, run.Steps()[0].Tries);
    }

    // Nothing had to be cancelled, so no cancellation is sent.
    [Fact]
    public async Task CancellingWhatDoesNotRun()
    {
        using var stop = new CancellationTokenSource();
        using var run = new PlanRun("""{"g":"G","plan":[["a"]]}""");
        stop.Cancel();
        Assert.Equal(PlanState.Refused, (await run.RunAsync((_, _) => default, stop.Token)).State);
    }

    [Fact]
    public async Task SomebodyElseCancelsTheRun()
    {
        var begun = new TaskCompletionSource();
        using var run = new PlanRun(One, options: Lenient);
        Task<PlanResult> running = run.RunAsync((_, stop) =>
        {
            begun.SetResult();
            return Hang(stop);
        });
        await begun.Task.WaitAsync(Soon);
        run.Cancel();
        PlanResult result = await running.WaitAsync(Soon);
        Assert.Equal((PlanState.Failed, "The plan was cancelled"), (result.State, result.Error!.Details));
    }

    [Fact]
    public async Task DisposingDuringARun()
    {
        var begun = new TaskCompletionSource();
        var told = new TaskCompletionSource();
        var run = new PlanRun(One, options: Lenient);
        Task<PlanResult> running = run.RunAsync((_, stop) =>
        {
            stop.Register(told.SetResult);
            begun.SetResult();
            return Hang(stop);
        });
        await begun.Task.WaitAsync(Soon);
        await run.DisposeAsync();
        Assert.Equal(typeof(PlanRun).FullName, (await Assert.ThrowsAsync<ObjectDisposedException>(() => running.WaitAsync(Soon))).ObjectName);
        await told.Task.WaitAsync(Soon);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => run.RunAsync((_, _) => default));
    }

    [Fact]
    public async Task ATokenWhoseListenerThrowsHarmsNobody()
    {
        using var run = new PlanRun(One, options: With(policy => policy with { Timeout = TimeSpan.FromMilliseconds(500), Retries = 0 }));
        PlanResult result = await run.RunAsync((_, stop) =>
        {
            stop.Register(() => throw new InvalidOperationException("I will not stop"));
            return Hang(stop);
        }).WaitAsync(Soon);
        Assert.Equal(["A TIMEOUT"], Outcomes(result));
    }

    [Fact]
    public async Task ARunIsDrivenOnce()
    {
        using var run = new PlanRun(One, options: Lenient);
        await run.RunAsync((_, _) => new(PlanAnswer.Json("1")));
        await Assert.ThrowsAsync<InvalidOperationException>(() => run.RunAsync((_, _) => new(PlanAnswer.Json("1"))));
        using var kept = new PlanRun(One, options: Lenient with { KeepsRecords = true });
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await kept.RunAsync((_, _) => new(PlanAnswer.Json("1"))));
        await Assert.ThrowsAsync<ArgumentNullException>(async () => await kept.RunAsync((IReadOnlyDictionary<string, PlanTool>)null!));
    }

    [Fact]
    public async Task RecordsAreKeptBeforeWhatDependsOnThem()
    {
        var events = new List<string>();
        using var run = new PlanRun(Three, options: Lenient with { KeepsRecords = true });
        await run.RunAsync((call, _) =>
        {
            lock (events) events.Add(call.Tool);
            return new(PlanAnswer.Json($"\"of {call.Tool}\""));
        }, async record =>
        {
            await Task.Delay(20);
            lock (events) events.Add(record);
        });
        int of(string what) => events.FindIndex(one => one.Contains(what));
        Assert.True(of("\"of A\"") < events.IndexOf("B") && of("\"of B\"") < events.IndexOf("C"), string.Join(' ', events));
        using var again = new PlanRun(Three, options: Lenient with { KeepsRecords = true });
        foreach (string record in events.Where(one => one.Length > 1)) again.Replay(record);
        PlanResult result = await again.RunAsync((_, _) => throw new InvalidOperationException("called"), _ => ValueTask.CompletedTask);
        Assert.Equal("of C", result.Output?.GetString());
        using var fails = new PlanRun(Three, options: Lenient with { KeepsRecords = true });
        await Assert.ThrowsAsync<IOException>(() => fails.RunAsync((_, _) => new(PlanAnswer.Json("1")), _ => throw new IOException("full")));
    }

    [Theory]
    [InlineData("memory:")]
    [InlineData("sqlite:")]
    public async Task ANewRunGoesOnAfterACrash(string kind)
    {
        string directory = Directory.CreateTempSubdirectory("accp-run-").FullName;
        try
        {
            using AccpStore store = AccpStore.Open(kind == "memory:" ? kind : kind + Path.Combine(directory, "runs.db"));
            PlanOptions options = Lenient with { Store = store, Session = "run-1" };
            var keys = new ConcurrentQueue<string>();
            var begun = new TaskCompletionSource();
            var crashed = new PlanRun(Three, options: options);
            Task<PlanResult> running = crashed.RunAsync((call, stop) =>
            {
                if (call.Tool == "A") return new(PlanAnswer.Json("\"once\""));
                keys.Enqueue(call.Key);
                begun.SetResult();
                return Hang(stop);
            });
            await begun.Task.WaitAsync(Soon);
            crashed.Dispose();
            await Assert.ThrowsAsync<ObjectDisposedException>(() => running);

            var called = new ConcurrentQueue<string>();
            using var run = new PlanRun(Three, options: options);
            PlanResult result = await run.RunAsync((call, _) =>
            {
                called.Enqueue(call.Tool + call.Params);
                if (call.Tool == "B") keys.Enqueue(call.Key);
                return new(PlanAnswer.Json($"\"{call.Tool}\""));
            }).WaitAsync(Soon);
            Assert.Equal(["B{\"x\":\"once\"}", "C{\"x\":\"B\"}"], called);
            Assert.Single(keys.Distinct());
            Assert.Equal("once", result.StepResults["1"].GetString());

            using var ended = new PlanRun(Three, options: options);
            Assert.Equal(result.Json, (await ended.RunAsync((_, _) => throw new InvalidOperationException("called"))).Json);
            Assert.Throws<AccpCorruptException>(() => new PlanRun(One, options: options));
        }
        finally
        {
            Directory.Delete(directory, true);
        }
    }

    // A session has one writer: the second run takes it over, and the first ends.
    [Fact]
    public async Task ASecondRunFencesTheFirst()
    {
        using AccpStore store = AccpStore.Open("memory:");
        PlanOptions options = Lenient with { Store = store, Session = "s" };
        var answer = new TaskCompletionSource<PlanAnswer>();
        var begun = new TaskCompletionSource();
        using var first = new PlanRun(Three, options: options);
        Task<PlanResult> running = first.RunAsync((_, _) =>
        {
            begun.TrySetResult();
            return new(answer.Task);
        });
        await begun.Task.WaitAsync(Soon);
        using var second = new PlanRun(Three, options: options);
        answer.SetResult(PlanAnswer.Of(1));
        await Assert.ThrowsAsync<AccpClosedException>(() => running.WaitAsync(Soon));
        Assert.Equal(PlanState.Done, (await second.RunAsync((_, _) => new(PlanAnswer.Json("2")))).State);
    }

    [Fact]
    public async Task ManyRunsAtOnce()
    {
        PlanResult[] results = await Task.WhenAll(Enumerable.Range(0, 40).Select(async number =>
        {
            using var run = new PlanRun(Branches, options: Lenient);
            return await run.RunAsync(async (call, _) =>
            {
                await Task.Yield();
                return PlanAnswer.Of(number);
            });
        })).WaitAsync(Soon);
        Assert.All(results.Index(), one => Assert.Equal($"[{one.Index},{one.Index},{one.Index}]", one.Item.Output?.GetRawText()));
    }

    // The library's own vectors with scripted tools, one outcome per call; the last one repeats.
    public static TheoryData<string> Cases() => [.. File.ReadLines(Path.Combine(Vectors.Source, "tests", "sacp", "run", "trace.jsonl")).Where(line => line.StartsWith('{'))];

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task TracesAreThoseOfTheLibrary(string line)
    {
        JsonElement one = JsonElement.Parse(line), tools = one.GetProperty("tools"), want = one.GetProperty("final");
        string library = File.ReadAllText(Path.Combine(Vectors.Source, "tests", "sacp", "run", "library", one.Text("library") + ".json"));
        PlanPolicy policy = Policy(one.TryGetProperty("policy", out JsonElement said) ? said : JsonElement.Parse("{}"));
        bool strict = !one.TryGetProperty("strict", out JsonElement is_strict) || is_strict.GetBoolean();
        using var run = new PlanRun(one.GetProperty("message"), library, new PlanOptions { Policy = policy, Reading = strict ? SacpReading.Strict : SacpReading.Lenient });
        var calls = new Dictionary<string, int>();
        PlanResult result = await run.RunAsync((call, _) => new(Scripted(call, tools, calls))).WaitAsync(Soon);
        Assert.True(JsonElement.DeepEquals(one.GetProperty("trace"), WithoutReasons(result.Trace)), result.Trace);
        if (want.TryGetProperty("code", out JsonElement code)) Assert.Equal(code.GetString(), SacpCodes.Name(result.Error!.Code));
        else Assert.True(JsonElement.DeepEquals(want, JsonElement.Parse(result.Json)), result.Json);
    }

    private static JsonElement WithoutReasons(string trace)
    {
        JsonArray attempts = JsonNode.Parse(trace)!.AsArray();
        foreach (JsonNode? attempt in attempts) attempt!.AsObject().Remove("reason");
        return JsonElement.Parse(attempts.ToJsonString());
    }

    private static PlanAnswer Scripted(PlanCall call, JsonElement tools, Dictionary<string, int> calls)
    {
        string name = $"{call.Tool}@{call.Path}";
        if (!tools.TryGetProperty(name, out JsonElement outcomes) && !tools.TryGetProperty(name = call.Tool, out outcomes)) return PlanAnswer.Failed("", PlanCause.NoAgent);
        int number;
        lock (calls) calls[name] = (number = calls.GetValueOrDefault(name)) + 1;
        JsonElement outcome = outcomes[Math.Min(number, outcomes.GetArrayLength() - 1)];
        if (outcome.TryGetProperty("ok", out JsonElement output)) return output;
        return PlanAnswer.Failed(outcome.Text("fail"), outcome.TryGetProperty("timeout", out _) ? PlanCause.TimedOut : PlanCause.ToolFailed);
    }

    private static PlanPolicy Policy(JsonElement said) => new()
    {
        Backoff = TimeSpan.FromMilliseconds(1),
        Retries = said.TryGetProperty("retries", out JsonElement retries) ? retries.GetInt32() : null,
        Fallback = said.TryGetProperty("fallback", out JsonElement fallback) ? fallback.GetBoolean() : null,
        Tools = said.TryGetProperty("tools", out JsonElement tools) ? tools.EnumerateObject().ToDictionary(tool => tool.Name, tool => new ToolPolicy((int)tool.Value.Number("retries"))) : [],
        Simulate = said.TryGetProperty("simulate", out JsonElement simulate) ? simulate.EnumerateObject().ToDictionary(tool => tool.Name, tool => (object?)tool.Value) : [],
    };
}
