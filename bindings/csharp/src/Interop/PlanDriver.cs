// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Accp.Interop;

// Executes the actions of a run and reports their results: one loop, which tools, the timer and
// cancellation send events to. An abandoned call is cancelled and not waited for.
internal sealed class PlanDriver(PlanRun run, TimeProvider clock, PlanTool tool, Func<string, ValueTask> record, CancellationToken cancelled)
{
    private const int MaxReasonCharacters = 200;

    private readonly Channel<Answer?> inbox = Channel.CreateUnbounded<Answer?>(new UnboundedChannelOptions { SingleReader = true });
    private readonly Dictionary<long, CancellationTokenSource> calls = [];
    private readonly List<PlanFailure> failures = [];
    private bool isCancelled;

    private sealed record Answer(PlanCall Call, PlanAnswer Said, Exception? Thrown);

    // Another caller has reported something to the run, or a time has come.
    internal void Wake() => inbox.Writer.TryWrite(null);

    internal async Task<PlanResult> DriveAsync()
    {
        ITimer timer = clock.CreateTimer(_ => Wake(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        await using (timer.ConfigureAwait(false))
        using (cancelled.UnsafeRegister(_ => Wake(), null))
        {
            try
            {
                while (await DoWhatIsNextAsync().ConfigureAwait(false))
                {
                    SetTimer(timer);
                    Tell(await inbox.Reader.ReadAsync(CancellationToken.None).ConfigureAwait(false));
                    while (inbox.Reader.TryRead(out Answer? more)) Tell(more);
                    if (run.Due <= clock.GetUtcNow()) run.Tick();
                }
            }
            finally
            {
                foreach (CancellationTokenSource stop in calls.Values) _ = stop.CancelAsync();
            }
        }
        if (isCancelled && run.State == PlanState.Failed) throw new OperationCanceledException(cancelled);
        return new PlanResult(run.State, run.Final(), run.Trace(), failures);
    }

    // False: the plan has ended.
    private async Task<bool> DoWhatIsNextAsync()
    {
        for (;;)
        {
            if (cancelled.IsCancellationRequested && !isCancelled) Cancel();
            PlanEffect effect = run.Next();
            switch (effect.Kind)
            {
                case PlanEffectKind.Call: Begin(effect.Call!); break;
                case PlanEffectKind.Stop: Stop(effect.Number); break;
                case PlanEffectKind.Record: await record(effect.Record).ConfigureAwait(false); break;
                default: return effect.Kind != PlanEffectKind.Ended;
            }
        }
    }

    private void Cancel()
    {
        isCancelled = run.State == PlanState.GoingOn;
        run.Cancel();
    }

    // The timer of a clock is limited to some 49 days.
    private void SetTimer(ITimer timer)
    {
        if (run.Due is not { } due) return;
        double wait = Math.Ceiling((due - clock.GetUtcNow()).TotalMilliseconds);
        timer.Change(TimeSpan.FromMilliseconds(Math.Clamp(wait, 0, int.MaxValue)), Timeout.InfiniteTimeSpan);
    }

    private void Begin(PlanCall call)
    {
        var stop = new CancellationTokenSource();
        calls.Add(call.Number, stop);
        _ = Task.Run(() => CallAsync(call, stop.Token), CancellationToken.None);
    }

#pragma warning disable CA1031 // Any exception of a tool is its failure.
    private async Task CallAsync(PlanCall call, CancellationToken stop)
    {
        Answer answer;
        try
        {
            PlanAnswer said = await tool(call, stop).ConfigureAwait(false);
            answer = new Answer(call, said.Text == null ? PlanAnswer.Failed("the tool gave no answer") : said, null);
        }
        catch (Exception thrown)
        {
            PlanCause cause = thrown is TimeoutException ? PlanCause.TimedOut : PlanCause.ToolFailed;
            answer = new Answer(call, PlanAnswer.Failed(Reason(thrown), cause), thrown);
        }
        inbox.Writer.TryWrite(answer);
    }
#pragma warning restore CA1031

    // Valid text for any exception.
    private static string Reason(Exception thrown)
    {
        string message = thrown.Message ?? "";
        if (message.Length > MaxReasonCharacters) message = message[..MaxReasonCharacters];
        return Encoding.UTF8.GetString(Encoding.UTF8.GetBytes($"{thrown.GetType().Name}: {message}"));
    }

    private void Tell(Answer? answer)
    {
        if (answer == null || answer.Said.Kind == PlanAnswer.Form.Later || !calls.Remove(answer.Call.Number)) return;  // abandoned
        if (answer.Thrown != null) failures.Add(new PlanFailure(answer.Call, answer.Thrown));
        long number = answer.Call.Number;
        PlanAnswer said = answer.Said;
        switch (said.Kind)
        {
            case PlanAnswer.Form.Output: run.Complete(number, said.Text); break;
            case PlanAnswer.Form.Reply: run.Reply(number, said.Said!, said.Text); break;
            default: run.Fail(number, said.Cause, said.Said!); break;
        }
    }

    // The tool's reaction to the cancellation does not matter to the loop.
    private void Stop(long number)
    {
        if (calls.Remove(number, out CancellationTokenSource? stop)) _ = stop.CancelAsync();
    }
}
