// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>A plan that is run by hand: its actions and their reports.</summary>
public sealed class PlanRunTests
{
    private const string Two = """{"g":"G","msg_id":"m","plan":[["a","A",{"x":1}],["b","B",{"y":"$step.1"}]]}""";
    private static readonly PlanOptions Lenient = new() { Reading = SacpReading.Lenient };

    private sealed class Clock : TimeProvider
    {
        internal DateTimeOffset Now = DateTimeOffset.FromUnixTimeMilliseconds(1_714_000_000_000);

        public override DateTimeOffset GetUtcNow() => Now;
    }

    [Fact]
    public void AStepIsCalledAndAnswered()
    {
        var clock = new Clock();
        using var run = new PlanRun(Two, options: Lenient with { Policy = new PlanPolicy { Timeout = TimeSpan.FromSeconds(5) } }, config: new AccpConfig { Clock = clock });
        Assert.Equal(PlanState.GoingOn, run.State);
        Assert.Throws<AccpArgumentException>(run.Final);
        PlanCall first = run.Next().Call!;
        Assert.Equal(("1", "a", "A", """{"x":1}""", clock.Now.AddSeconds(5)), (first.Path, first.Verb, first.Tool, first.Params, first.Due));
        Assert.Equal(1, first.ParamsJson.GetProperty("x").GetInt32());
        Assert.NotEmpty(first.Key);
        Assert.Equal(new PlanEffect(PlanEffectKind.Nothing, null, 0, ""), run.Next());
        Assert.Equal(first.Due, run.Due);
        Assert.Throws<AccpArgumentException>(() => run.Complete(first.Number, "1", "another"));
        Assert.True(run.Complete(first.Number, """{"n":"ü"}"""u8, "A"));
        Assert.False(run.Complete(first.Number, "2"));
        Assert.Equal([(PlanStepKind.Step, PlanStepState.Done, 1, "1", "a", "A"), (PlanStepKind.Step, PlanStepState.InProgress, 0, "2", "b", "B")],
            run.Steps().Select(one => (one.Kind, one.State, one.Tries, one.Path, one.Verb, one.Tool)));
        PlanCall second = run.Next().Call!;
        Assert.Equal("""{"y":{"n":"ü"}}""", second.Params);
        Assert.True(run.Reply(second.Number, "executor", """{"g":"G","plan":[["a","A",{}]],"state":"DONE","result":{"output":[1]}}"""));
        Assert.Equal(PlanEffectKind.Ended, run.Next().Kind);
        Assert.Equal(PlanState.Done, run.State);
        Assert.Equal("""{"state":"DONE","result":{"output":[1],"step_results":{"1":{"n":"ü"},"2":[1]}}}""", run.Final());
        Assert.Contains("\"reply_to\":\"m\"", run.ReplyMessage("r1"));
        Assert.Throws<AccpArgumentException>(() => run.ReplyMessage("no id"));
        Assert.Equal(2, JsonElement.Parse(run.Trace()).GetArrayLength());
    }

    private static string Answer(string request, string output) =>
        $$$"""{"g":"G","plan":[["a","A",{}]],"state":"DONE","reply_to":"{{{JsonElement.Parse(request).GetProperty("msg_id").GetString()}}}","result":{"output":{{{output}}}}}""";

    [Fact]
    public void ACallGoesToAnAgentAsAMessage()
    {
        using var run = new PlanRun(Two, options: Lenient);
        PlanCall call = run.Next().Call!;
        string request = run.RequestMessage(call.Number, "worker")!;
        Assert.Contains("""["a","A",{"x":1}]""", request);
        Assert.Throws<AccpArgumentException>(() => run.RequestMessage(call.Number, ""));
        Assert.Throws<AccpArgumentException>(() => run.Receive(Answer(request, "7"), "another"));
        Assert.Throws<AccpParseErrorException>(() => run.Receive("prose"));
        Assert.True(run.Receive(Answer(request, "7"), "worker"));
        Assert.False(run.Receive(Answer(request, "8"), "worker"));
        Assert.Null(run.RequestMessage(call.Number, "worker"));
        Assert.Equal("""{"y":7}""", run.Next().Call!.Params);
    }

    // The tool sends; the receiver reports the reply.
    [Fact]
    public async Task ARunIsDrivenWithAgentsThatAnswerLater()
    {
        using var run = new PlanRun(Two, options: Lenient);
        PlanResult result = await run.RunAsync((call, stop) =>
        {
            string request = run.RequestMessage(call.Number, call.Tool)!;
            _ = Task.Run(async () =>
            {
                await Task.Delay(10, stop);
                run.Receive(Answer(request, $"\"of {call.Tool}\""), call.Tool);
            });
            return new(PlanAnswer.Later);
        }).WaitAsync(TimeSpan.FromMinutes(2));
        Assert.Equal(("of B", "of A"), (result.Output?.GetString(), result.StepResults["1"].GetString()));
    }

    [Fact]
    public void TimePassesByItsClock()
    {
        var clock = new Clock();
        var policy = new PlanPolicy { Retries = 1, Timeout = TimeSpan.FromSeconds(1), Backoff = TimeSpan.FromSeconds(2), JitterPercent = 0, Fallback = false };
        using var run = new PlanRun("""{"g":"G","plan":[["a","A",{}]]}""", options: Lenient with { Policy = policy }, config: new AccpConfig { Clock = clock });
        long first = run.Next().Number;
        clock.Now = clock.Now.AddSeconds(1);
        run.Tick();
        Assert.Equal((PlanEffectKind.Stop, first), (run.Next().Kind, first));
        Assert.Equal(PlanEffectKind.Nothing, run.Next().Kind);
        Assert.Equal(clock.Now.AddSeconds(2), run.Due);
        Assert.False(run.Complete(first, "1"));
        clock.Now = clock.Now.AddSeconds(2);
        run.Tick();
        PlanCall again = run.Next().Call!;
        Assert.True(run.Fail(again.Number, PlanCause.ToolFailed, "out of paper"));
        Assert.Equal(PlanState.Failed, run.State);
        Assert.Null(run.Due);
        Assert.Equal(["TIMEOUT", "TOOL_FAILED"], JsonElement.Parse(run.Trace()).EnumerateArray().Select(one => one.GetProperty("outcome").GetString()));
    }

    [Fact]
    public void AMessageThatIsRefusedRunsNothing()
    {
        using var run = new PlanRun("""{"g":"G","plan":[["a"]]}""");
        Assert.Equal(PlanState.Refused, run.State);
        Assert.Empty(run.Steps());
        Assert.False(run.Complete(1, "1"));
        Assert.Equal(PlanEffectKind.Ended, run.Next().Kind);
        Assert.Contains("MALFORMED_PLAN", run.Final());
        Assert.Equal(run.Final(), run.ReplyMessage("r1"));
    }

    [Fact]
    public void WhatIsNoRequestIsRefused()
    {
        using AccpStore store = AccpStore.Open("memory:");
        Assert.Equal(16, Assert.Throws<AccpInvalidTypeException>(() => new PlanRun(Two, """{"verbs":[],"x":1}""")).Offset);
        Assert.Throws<AccpArgumentException>(() => new PlanRun(Two, options: new PlanOptions { Store = store }));
        Assert.Throws<AccpArgumentException>(() => new PlanRun(Two, options: new PlanOptions { Session = "s" }));
        Assert.Throws<AccpArgumentException>(() => new PlanRun(Two, options: new PlanOptions { Store = store, Session = "s", KeepsRecords = true }));
        Assert.Throws<AccpArgumentException>(() => new PlanRun(Two, options: new PlanOptions { Policy = new PlanPolicy { Retries = -1 } }));
        Assert.Throws<AccpInvalidTypeException>(() => new PlanRun("\ud800"));
        Assert.Throws<AccpInvalidTypeException>(() => new PlanRun(Two, options: new PlanOptions { Policy = new PlanPolicy { Simulate = new Dictionary<string, object?> { ["A"] = double.NaN } } }));
        using var run = new PlanRun(Two, options: Lenient);
        Assert.Throws<ArgumentOutOfRangeException>(() => run.Complete(-1, "1"));
        Assert.Throws<AccpArgumentException>(() => run.Fail(1, (PlanCause)9));
    }

    [Fact]
    public void ThePolicyIsWritten()
    {
        Assert.Equal("{}", new PlanPolicy().ToJson());
        var policy = new PlanPolicy
        {
            Retries = 2, Fallback = false, Timeout = TimeSpan.FromSeconds(1.5), Backoff = TimeSpan.Zero, MaxBackoff = TimeSpan.FromSeconds(1), JitterPercent = 0, MaxParallel = 3,
            MaxOutputBytes = 100, MaxParamsBytes = 200, MaxHeldBytes = 300, Tools = new Dictionary<string, ToolPolicy> { ["A"] = new(0), ["B"] = new(Timeout: TimeSpan.FromSeconds(2)) },
            Simulate = new Dictionary<string, object?> { ["A"] = new[] { 1 } },
        };
        Assert.Equal("""{"retries":2,"timeout_ms":1500,"fallback":false,"backoff_ms":0,"max_backoff_ms":1000,"jitter_percent":0,"max_parallel":3,"max_output_bytes":100,"""
            + "\"" + """max_params_bytes":200,"max_held_bytes":300,"tools":{"A":{"retries":0},"B":{"timeout_ms":2000}},"simulate":{"A":[1]}}""", policy.ToJson());
        using var run = new PlanRun(Two, options: Lenient with { Policy = policy });  // the library takes ownership
        Assert.Equal(PlanState.GoingOn, run.State);
    }

    [Fact]
    public void RecordsOfTheCallerGoOn()
    {
        PlanOptions kept = Lenient with { KeepsRecords = true };
        var records = new List<string>();
        using (var run = new PlanRun(Two, options: kept))
        {
            for (PlanEffect effect = run.Next(); records.Count < 2 || effect.Kind != PlanEffectKind.Nothing; effect = run.Next())
            {
                if (effect.Kind == PlanEffectKind.Record) records.Add(effect.Record);
                if (effect.Call is { Tool: "A" } call) run.Complete(call.Number, "7");
            }
        }
        using var again = new PlanRun(Two, options: kept);
        Assert.Throws<AccpCorruptException>(() => again.Replay("no record"));
        foreach (string record in records) again.Replay(record);
        PlanCall second = again.Next().Call!;
        Assert.Equal(("B", """{"y":7}"""), (second.Tool, second.Params));
        Assert.Throws<AccpArgumentException>(() => again.Replay(records[0]));
    }
}
