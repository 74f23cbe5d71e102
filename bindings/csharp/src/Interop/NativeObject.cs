// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Threading;
using System.Threading.Tasks;

namespace Accp.Interop;

/// <summary>
/// The owner of a library handle. Dispose it; the garbage collector frees forgotten ones.
/// </summary>
public abstract class NativeObject : IDisposable, IAsyncDisposable
{
    private Handle? handle;
    private volatile bool disposed;

    private protected NativeObject() { }

    private protected NativeObject(Handle made) => handle = made;

    private protected void Own(Handle made) => handle = made;

    // Refused after disposal, even if something else keeps the handle.
    internal Handle Shared => disposed || handle == null ? throw Gone() : handle;

    internal bool IsDisposed => disposed;

    internal void Grow(long bytes) => handle?.Grow(bytes);

    private protected ObjectDisposedException Gone() => new(GetType().FullName);

    /// <summary>
    /// Frees the object's native memory after running calls have ended. It is final, and a second
    /// call does nothing.
    /// </summary>
    public void Dispose()
    {
        disposed = true;
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// The same on the thread pool: it waits for running calls without holding a thread.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        disposed = true;
        await DisposeCoreAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <summary>Frees the native memory.</summary>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing) handle?.Dispose();
    }

    /// <summary>Frees the native memory on the thread pool.</summary>
    protected virtual Task DisposeCoreAsync() => Task.Run(() => Dispose(true));

    // A call of an object for any number of threads: the handle stays until it ends.
    internal Use Borrow() => new(Shared, this);

    // A call that was not begun has no handle.
    internal readonly unsafe ref struct Use
    {
        private readonly Handle? handle;

        internal Use(Handle handle, object owner)
        {
            bool added = false;
            try
            {
                handle.DangerousAddRef(ref added);
            }
            catch (ObjectDisposedException)
            {
                throw new ObjectDisposedException(owner.GetType().FullName);
            }
            this.handle = handle;
        }

        internal void* Pointer => handle == null ? null : (void*)handle.DangerousGetHandle();

        public void Dispose() => handle?.DangerousRelease();
    }
}

/// <summary>
/// An object for one thread at a time. Calls from several threads queue. A call from inside one of
/// its own callbacks throws <see cref="InvalidOperationException"/>, whatever thread makes it.
/// </summary>
public abstract class ExclusiveObject : NativeObject
{
    private readonly CallQueue queue = new();

    private protected ExclusiveObject() { }

    // Whether start times of its calls are needed: Telemetry.
    private protected bool IsTimed { get; init; }

    internal Exclusive Enter() => new(this);

    // Runs a call on the thread pool when its turn has come. It enters the queue before this
    // returns, and cancellation leaves the queue.
    internal Task<T> Queued<T>(Func<T> call, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return Task.FromCanceled<T>(cancellationToken);
        if (queue.IsInside) return Task.FromException<T>(CallQueue.Reentered());
        return IsDisposed ? Task.FromException<T>(Gone()) : RunAsync(queue.EnterAsync(cancellationToken), call, cancellationToken);
    }

    internal Task Queued(Action call, CancellationToken cancellationToken) => Queued(() =>
    {
        call();
        return true;
    }, cancellationToken);

    private async Task<T> RunAsync<T>(Task turn, Func<T> call, CancellationToken cancellationToken)
    {
        await turn.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        queue.Grant();
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            return call();
        }
        finally
        {
            queue.EndGrant();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!disposing) return;
        if (queue.IsInside)
        {
            base.Dispose(disposing);  // the handle is borrowed until the call ends
            return;
        }
        queue.Enter();
        try
        {
            base.Dispose(disposing);
        }
        finally
        {
            queue.Exit();
        }
    }

    /// <inheritdoc/>
    protected override async Task DisposeCoreAsync()
    {
        if (!queue.IsInside)
        {
            await queue.EnterAsync(default).ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
            queue.Grant();
        }
        Dispose(true);
    }

    internal readonly unsafe ref struct Exclusive
    {
        private readonly ExclusiveObject? owner;
        private readonly Use use;

        internal Exclusive(ExclusiveObject owner)
        {
            this.owner = owner;
            DateTime began = owner.IsTimed ? DateTime.UtcNow : default;
            owner.queue.Enter();
            if (owner.IsTimed) Telemetry.CallBegan = began;
            try
            {
                use = owner.Borrow();
            }
            catch
            {
                owner.queue.Exit();
                throw;
            }
        }

        internal void* Pointer => use.Pointer;

        // A call that was not begun has no owner.
        public void Dispose()
        {
            use.Dispose();
            owner?.queue.Exit();
        }
    }
}
