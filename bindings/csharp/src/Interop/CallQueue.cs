// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Accp.Interop;

// Queues the calls of one object in the order in which they came. A caller waits on its thread or
// on a task. A call from inside a callback of the same object would wait for itself, so it is
// refused, whatever thread makes it.
internal sealed class CallQueue
{
    private const int Free = 0, Taken = 1, Contended = 2;  // Contended: somebody waits

    private readonly LinkedList<TaskCompletionSource> waiting = new();  // its own lock
    private int state;
    private int holder;   // the managed thread of the running call; 0: none
    private int granted;  // the managed thread that holds the turn of an asynchronous call before its body; 0: none
    private CallQueue? outer;

    // The innermost queue whose call this thread runs.
    [ThreadStatic] private static CallQueue? current;

    // Whether this code runs inside a call of the object: on the call's own thread, or on another
    // that a callback of the call started.
    internal bool IsInside => holder == Environment.CurrentManagedThreadId || CallbackScope.Contains(this);

    internal static InvalidOperationException Reentered() =>
        new("an object is not used from inside its own callback: return from the callback first");

    // Waits for the turn; Exit releases it.
    internal void Enter()
    {
        int thread = Environment.CurrentManagedThreadId;
        if (granted == thread)
        {
            granted = 0;
        }
        else
        {
            if (IsInside) throw Reentered();
            if (Interlocked.CompareExchange(ref state, Taken, Free) != Free && Line(out LinkedListNode<TaskCompletionSource>? place)) Wait(place!);
        }
        holder = thread;
        outer = current;
        current = this;
    }

    internal void Exit()
    {
        current = outer;
        outer = null;
        holder = 0;
        Next();
    }

    // Reserves the turn for a later call, with Grant. It enters the queue before it returns. A
    // cancelled one leaves the queue.
    internal Task EnterAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.CompareExchange(ref state, Taken, Free) == Free || !Line(out LinkedListNode<TaskCompletionSource>? place)) return Task.CompletedTask;
        return cancellationToken.CanBeCanceled ? WaitAsync(place!, cancellationToken) : place!.Value.Task;
    }

    private void Wait(LinkedListNode<TaskCompletionSource> place)
    {
        try
        {
            place.Value.Task.GetAwaiter().GetResult();
        }
        catch (ThreadInterruptedException)
        {
            if (!Leave(place)) Next();
            throw;
        }
    }

    private async Task WaitAsync(LinkedListNode<TaskCompletionSource> place, CancellationToken cancellationToken)
    {
        using (cancellationToken.UnsafeRegister(_ => Cancel(place, cancellationToken), null))
            await place.Value.Task.ConfigureAwait(false);
    }

    // Until EndGrant the turn belongs to this thread, and its next Enter takes it over.
    internal void Grant() => granted = Environment.CurrentManagedThreadId;

    internal void EndGrant()
    {
        if (granted != Environment.CurrentManagedThreadId) return;
        granted = 0;
        Next();
    }

    // Enters the queue at its end. False: the turn was free and is the caller's now.
    private bool Line(out LinkedListNode<TaskCompletionSource>? place)
    {
        lock (waiting)
        {
            // Changes from and to Contended need the lock.
            while (Interlocked.CompareExchange(ref state, Contended, Taken) == Free)
            {
                if (Interlocked.CompareExchange(ref state, Taken, Free) != Free) continue;
                place = null;
                return false;
            }
            place = waiting.AddLast(new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            return true;
        }
    }

    private void Cancel(LinkedListNode<TaskCompletionSource> place, CancellationToken cancellationToken)
    {
        if (Leave(place)) place.Value.TrySetCanceled(cancellationToken);
    }

    // False: it has the turn.
    private bool Leave(LinkedListNode<TaskCompletionSource> place)
    {
        lock (waiting)
        {
            if (place.List == null) return false;
            waiting.Remove(place);
            if (waiting.Count == 0) state = Taken;
            return true;
        }
    }

    private void Next()
    {
        if (Interlocked.CompareExchange(ref state, Free, Taken) == Taken) return;
        TaskCompletionSource next;
        lock (waiting)
        {
            if (waiting.First is not { } first)
            {
                state = Free;  // the last one has left
                return;
            }
            next = first.Value;
            waiting.Remove(first);
            if (waiting.Count == 0) state = Taken;
        }
        next.SetResult();
    }

    // Marks the host's code inside a call. It flows to other threads with that code, so that their
    // calls are known to be inside.
    internal sealed class CallbackScope : IDisposable
    {
        private static readonly AsyncLocal<CallbackScope?> Flow = new();

        private readonly CallbackScope? before = Flow.Value;
        private readonly CallQueue? inside = current;
        private volatile bool over;

        internal CallbackScope() => Flow.Value = this;

        public void Dispose()
        {
            over = true;
            Flow.Value = before;
        }

        internal static bool Contains(CallQueue queue)
        {
            for (CallbackScope? scope = Flow.Value; scope != null; scope = scope.before)
            {
                // The calls around a callback are suspended while it runs.
                for (CallQueue? around = scope.inside; around != null && !scope.over; around = around.outer)
                    if (around == queue) return true;
            }
            return false;
        }
    }
}
