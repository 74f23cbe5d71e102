// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.RegularExpressions;
using Xunit;

namespace Accp.Tests;

/// <summary>The data of a failed plan: the step, and the exception of its tool.</summary>
public sealed class PlanFailureTests
{
    private const string Three = """{"g":"G","plan":[["a","A",{}],["b","B",{"x":"$step.1"}],["c","C",{"x":"$step.2"}]]}""";
    private const string One = """{"g":"G","plan":[["a","A",{}]]}""";
    private static readonly TimeSpan Soon = TimeSpan.FromMinutes(2);

    private static PlanOptions Trying(int times, int milliseconds = 20_000) => new()
    {
        Reading = SacpReading.Lenient,
        Policy = new PlanPolicy { Retries = times - 1, Backoff = TimeSpan.FromMilliseconds(1), Timeout = TimeSpan.FromMilliseconds(milliseconds) },
    };

    [Fact]
    public async Task AFailureKeepsItsCause()
    {
        var thrown = new InvalidOperationException("the disk is full");
        using var run = new PlanRun(Three, options: Trying(1));
        PlanResult result = await run.RunAsync((call, _) => call.Tool == "B" ? throw thrown : new(PlanAnswer.Of(1))).WaitAsync(Soon);
        Assert.Equal("2", result.Error!.Step);
        AccpToolExecFailedException failed = Assert.Throws<AccpToolExecFailedException>(() => result.OutputOrThrow());
        Assert.Same(thrown, failed.InnerException);
        Assert.Equal("2", failed.Verdict!.Step);
        Assert.EndsWith("action step 2: InvalidOperationException: the disk is full", failed.Reason, StringComparison.Ordinal);

        using var twice = new PlanRun(One, options: Trying(2));
        result = await twice.RunAsync((_, _) => throw thrown).WaitAsync(Soon);
        Assert.Equal([thrown, thrown], Assert.IsType<AggregateException>(Assert.Throws<AccpToolExecFailedException>(() => result.OutputOrThrow()).InnerException).InnerExceptions);

        using var prose = new PlanRun(One, options: Trying(1));
        result = await prose.RunAsync((_, _) => new(PlanAnswer.Json("It is done."))).WaitAsync(Soon);
        Assert.Equal(0, Assert.IsType<AccpParseErrorException>(Assert.Throws<AccpToolExecFailedException>(() => result.OutputOrThrow()).InnerException).Offset);

        using var slow = new PlanRun(One, options: Trying(1, 500));
        result = await slow.RunAsync(async (_, stop) =>
        {
            await Task.Delay(Timeout.Infinite, stop);
            return PlanAnswer.Of(0);
        }).WaitAsync(Soon);
        Assert.Null(Assert.Throws<AccpTimeoutException>(() => result.OutputOrThrow()).InnerException);
        using var refused = new PlanRun("""{"g":"G","plan":[["a","A"]]}""");
        result = await refused.RunAsync((_, _) => default).WaitAsync(Soon);
        Assert.Equal("1", Assert.Throws<AccpInvalidTypeException>(() => result.OutputOrThrow()).Verdict!.Step);
        using var done = new PlanRun(One, options: Trying(1));
        Assert.Equal(7, (await done.RunAsync((_, _) => new(PlanAnswer.Of(7)))).OutputOrThrow().GetInt32());
    }

    [Fact]
    public void EachCodeOfSacpHasItsCodeOfAccp()
    {
        string table = File.ReadAllText(Path.Combine(Vectors.Source, "src", "sacp", "message", "codes.def"));
        var rows = Regex.Matches(table, @"^ACCP_SACP_CODE\((\w+), (\w+),", RegexOptions.Multiline);
        Assert.Equal(Enum.GetValues<SacpCode>().Length - 1, rows.Count);
        Assert.All(rows, row => Assert.Equal(row.Groups[2].Value, AccpCodes.Code(SacpCodes.Status(SacpCodes.Find(row.Groups[1].Value)))));
    }
}
