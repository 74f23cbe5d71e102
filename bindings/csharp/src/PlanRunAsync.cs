// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

// Runs a plan to its end with PlanDriver.
public sealed partial class PlanRun
{
    private volatile PlanDriver? driver;
    private int driven;

    /// <summary>
    /// Runs the plan to its end with these tools, by their ids. A tool that is missing has no agent
    /// and is not tried again.
    /// </summary>
    /// <param name="tools">Read while the plan runs.</param>
    /// <param name="cancellationToken">Cancels the plan: no other call is made, and running ones
    /// are abandoned.</param>
    /// <inheritdoc cref="RunAsync(PlanTool, Func{string, ValueTask}, CancellationToken)"/>
    public Task<PlanResult> RunAsync(IReadOnlyDictionary<string, PlanTool> tools, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tools);
        return RunAsync((call, stop) => tools.TryGetValue(call.Tool, out PlanTool? tool) ? tool(call, stop) : new(PlanAnswer.Failed("no such tool", PlanCause.NoAgent)), cancellationToken);
    }

    /// <summary>Runs the plan to its end with one function for all tools.</summary>
    /// <inheritdoc cref="RunAsync(PlanTool, Func{string, ValueTask}, CancellationToken)"/>
    public Task<PlanResult> RunAsync(PlanTool tool, CancellationToken cancellationToken = default)
    {
        if (keepsRecords) throw new InvalidOperationException("a run whose log the caller keeps is driven with a function that keeps records");
        return RunAsync(tool, _ => ValueTask.CompletedTask, cancellationToken);
    }

    /// <summary>
    /// Runs the plan to its end with one function for all tools, on the thread pool. A run is
    /// driven once. It does not wait for a call that timed out or was abandoned: its token is
    /// cancelled, and its result is dropped.
    /// </summary>
    /// <param name="tool">Calls a tool.</param>
    /// <param name="record">Keeps a record (<see cref="PlanOptions.KeepsRecords"/>): the run waits
    /// for it before it makes dependent calls.</param>
    /// <param name="cancellationToken">Cancels the plan: no other call is made, and running ones
    /// are abandoned.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled before the plan had
    /// ended; the plan has failed.</exception>
    /// <exception cref="InvalidOperationException">The run is driven already.</exception>
    /// <exception cref="ObjectDisposedException">The run was disposed.</exception>
    /// <exception cref="AccpException">The store could not be written, or another run has the
    /// session: a new run continues from the log.</exception>
    public Task<PlanResult> RunAsync(PlanTool tool, Func<string, ValueTask> record, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(tool);
        ArgumentNullException.ThrowIfNull(record);
        if (IsDisposed) return Task.FromException<PlanResult>(Gone());
        if (Interlocked.Exchange(ref driven, 1) != 0) return Task.FromException<PlanResult>(new InvalidOperationException("a run is driven once: make a new one"));
        var made = new PlanDriver(this, clock, tool, record, cancellationToken);
        driver = made;
        return Task.Run(made.DriveAsync, CancellationToken.None);
    }
}
