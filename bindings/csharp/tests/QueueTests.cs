// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>
/// The thread model: calls of one session queue, in memory and in a file; a call from inside a
/// callback is refused on every thread.
/// </summary>
public sealed class QueueTests : IDisposable
{
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(1);
    private readonly string directory = Directory.CreateTempSubdirectory("accp-").FullName;

    public void Dispose() => Directory.Delete(directory, true);

    private AccpStore Store(string kind) => AccpStore.Open(kind == "memory" ? "memory:" : $"sqlite:{directory}/{Guid.NewGuid():N}");

    [Theory]
    [InlineData("memory")]
    [InlineData("sqlite")]
    public void EightThreadsAppendToOneSession(string kind)
    {
        using AccpStore store = Store(kind);
        using var engine = new AccpEngine(new AccpConfig { Store = store, Rules = { [AccpRule.Durable] = 0 } });
        using EngineSession session = engine.Open("s");
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, i =>
        {
            for (int n = 0; n < 25; ++n) session.Append(Sample.Text($"{i} {n}"));
        });
        Assert.Equal(200, session.RecordCount);
    }

    // Callbacks that run inside a call, and their use of the session.
    public static TheoryData<string, string, string> Inside()
    {
        var all = new TheoryData<string, string, string>();
        foreach (string store in new[] { "memory", "sqlite" })
            foreach (string callback in new[] { "resolver", "cold", "summariser", "log", "tokenizer", "policy" })
                foreach (string use in new[] { "call", "async", "thread" })
                    if (store == "memory" || callback is "resolver" or "cold") all.Add(store, callback, use);
        return all;
    }

    [Theory]
    [MemberData(nameof(Inside))]
    public async Task ACallFromInsideACallbackIsRefused(string kind, string callback, string use)
    {
        Exception? refused = null;
        Action? inside = null;
        void Reenter()
        {
            if (inside is not { } call || refused != null) return;
            refused = use == "thread" ? OnAThread(call) : Record.Exception(call);
        }
        using AccpStore store = Store(kind);
        using AccpTokenizer tokenizer = AccpTokenizer.FromHost("mine", true, text =>
        {
            if (callback == "tokenizer") Reenter();
            return text.Length / 4;
        });
        using var engine = new AccpEngine(new AccpConfig
        {
            Store = store,
            Tokenizer = callback == "tokenizer" ? tokenizer : null,
            ColdStore = new Cold(() => { if (callback == "cold") Reenter(); }),
            Resolver = _ =>
            {
                if (callback == "resolver") Reenter();
                return "1"u8.ToArray();
            },
            Summariser = (_, _) =>
            {
                if (callback == "summariser") Reenter();
                return null;
            },
            Log = (_, _, _) =>
            {
                if (callback == "log") Reenter();
            },
            Rules = { [AccpRule.Specification] = 1 },
        });
        using EngineSession session = engine.Open("s");
        using var registry = new SchemaRegistry();
        using var codec = new FrameCodec(new AccpConfig
        {
            Registry = registry,
            Policy = _ =>
            {
                if (callback == "policy") Reenter();
                return AccpStatus.Ok;
            },
        });
        inside = callback == "policy" ? () => codec.Encode(Sample.Json)
            : use == "async" ? () => Finished(session.AppendAsync(Sample.Json)).GetAwaiter().GetResult()
            : () => session.Append(Sample.Json);
        Task outer = Task.Run(() =>
        {
            if (callback == "policy") codec.Encode(Sample.Json);
            session.Receive("@a>req:plan{k:$cold.far}[mid:b00000000001,seq:1]");
            session.Put("cold.k", "1");
            session.Checkpoint();
        });
        await outer.WaitAsync(3 * Long);
        Assert.IsType<InvalidOperationException>(refused);
        Assert.Contains("callback", refused.Message, StringComparison.Ordinal);
        inside = null;
        session.Append(Sample.Json);
    }

    // On its own thread: an awaited task might run on the waiting thread.
    private static Exception? OnAThread(Action call)
    {
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(call)) { IsBackground = true };
        thread.Start();
        return thread.Join(Long) ? thrown : new TimeoutException();
    }

    private static Task Finished(Task task)
    {
        if (!((IAsyncResult)task).AsyncWaitHandle.WaitOne(Long)) throw new TimeoutException();
        return task;
    }

    private sealed class Cold(Action save) : IExternalStore
    {
        private readonly Dictionary<string, byte[]> kept = [];

        public void Save(string key, ReadOnlySpan<byte> value)
        {
            save();
            lock (kept) kept[key] = value.ToArray();
        }

        public byte[]? Load(string key)
        {
            lock (kept) return kept.GetValueOrDefault(key);
        }
    }

    // A session whose call waits in a callback until it may continue.
    private sealed class Held : IDisposable
    {
        private readonly AccpEngine engine;
        private readonly ManualResetEventSlim entered = new(), go = new();
        internal readonly EngineSession Session;
        internal readonly Task Call;

        internal Held()
        {
            engine = new AccpEngine(new AccpConfig
            {
                Resolver = _ =>
                {
                    entered.Set();
                    go.Wait(Long);
                    return "1"u8.ToArray();
                },
            });
            Session = engine.Open("s");
            Call = Task.Run(() => Session.Receive("@a>req:plan{k:$warm.far}[mid:b00000000001,seq:1]"));
            entered.Wait(Long);
        }

        internal void LetGo() => go.Set();

        public void Dispose()
        {
            go.Set();
            Session.Dispose();
            engine.Dispose();
        }
    }

    [Fact]
    public async Task CancellationReachesACallThatIsQueued()
    {
        using var held = new Held();
        using var cancel = new CancellationTokenSource();
        Task<string> queued = held.Session.SendAsync(Sample.Json, cancel.Token);
        Task other = held.Session.AppendAsync(Sample.Json);
        await Task.Delay(50);
        Assert.False(queued.IsCompleted);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queued.WaitAsync(Long));
        Assert.False(other.IsCompleted);
        held.LetGo();
        await held.Call.WaitAsync(Long);
        await other.WaitAsync(Long);
        Assert.Equal(2, held.Session.RecordCount);
    }

    // Asynchronous calls of one thread run in their order.
    [Fact]
    public async Task AsynchronousCallsKeepTheirOrder()
    {
        using var engine = new AccpEngine(new AccpConfig { Rules = { [AccpRule.Durable] = 0 } });
        using EngineSession session = engine.Open("s");
        Task[] calls = [.. Enumerable.Range(1, 500).Select(i => session.AppendAsync(Sample.Text($"n{i};")))];
        await Task.WhenAll(calls);
        for (int i = 1; i <= 500; ++i) Assert.Contains($"n{i};", session.Record(i).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task DisposeDuringACallEndsTheQueue()
    {
        using var held = new Held();
        Task queued = held.Session.AppendAsync(Sample.Json);
        Task disposed = Task.Run(held.Session.Dispose);
        Assert.True(SpinWait.SpinUntil(() => held.Session.AppendAsync(Sample.Json).IsFaulted, Long), "Dispose has begun");
        Assert.False(disposed.IsCompleted);
        held.LetGo();
        await disposed.WaitAsync(Long);
        await held.Call;
        await Assert.ThrowsAsync<ObjectDisposedException>(() => queued.WaitAsync(Long));
    }

    // Many calls, some cancelled, from threads and tasks: every call that was not cancelled ran
    // once.
    [Fact]
    public async Task AStorm()
    {
        using var engine = new AccpEngine(new AccpConfig { Rules = { [AccpRule.Durable] = 0 } });
        using EngineSession session = engine.Open("s");
        int done = 0;
        await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(async () =>
        {
            var random = new Random(i);
            for (int n = 0; n < 100; ++n)
            {
                if (random.Next(2) == 0)
                {
                    session.Append(Sample.Json);
                    Interlocked.Increment(ref done);
                    continue;
                }
                using var cancel = new CancellationTokenSource();
                Task call = session.AppendAsync(Sample.Json, cancel.Token);
                if (random.Next(2) == 0) await cancel.CancelAsync();
                try
                {
                    await call;
                    Interlocked.Increment(ref done);
                }
                catch (OperationCanceledException)
                {
                }
            }
        }))).WaitAsync(TimeSpan.FromMinutes(5));
        Assert.Equal(done, session.RecordCount);
    }
}
