// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Runtime.CompilerServices;
using Xunit;

namespace Accp.Tests;

/// <summary>Closed, closed twice, forgotten, outlived: an exception, never a crash.</summary>
public class LifetimeTests
{
    public static TheoryData<string, Func<(IDisposable Made, Action Use)>> Objects()
    {
        var all = new TheoryData<string, Func<(IDisposable, Action)>>();
        void Add<T>(Func<T> make, Action<T> use) where T : IDisposable => all.Add(typeof(T).Name, () =>
        {
            T made = make();
            return (made, () => use(made));
        });
        Add(() => new FrameParser(), one => one.Parse("@a>req:x{}"));
        Add(() => new AccpValue(), one => one.Parse("1"));
        Add(() => new FrameBatch(), one => one.Parse("@a>req:x{}"));
        Add(() => new FrameCodec(), one => one.Encode(Sample.Json));
        Add(() => new SchemaRegistry(), one => one.Find("TX"));
        Add(() => new Negotiation("a", new AccpConfig { Registry = new SchemaRegistry() }), one => one.NextFrame());
        Add(() => AccpTokenizer.Open("o200k_base"), one => _ = one.Name);
        Add(() => new TokenCounter(AccpTokenizer.Open("o200k_base")), one => one.Count("x"));
        Add(() => new Renderer(), one => one.Render(Sample.Json));
        Add(() => new ContextPacket(), one => _ = one.Warnings);
        Add(() => new PacketIndex(), one => _ = one.Count);
        Add(() => new PacketCode(), one => _ = one.Count);
        Add(() => new StreamReceiver(), one => _ = one.OpenCount);
        Add(() => new Deadlines(), one => _ = one.Next);
        Add(() => AccpStore.Open("memory:"), one => one.Counts());
        Add(() => new AccpEngine(), one => one.Open("s").Dispose());
        Add(() => new AccpEngine().Open("s"), one => one.Append(Sample.Json));
        Add(() => new AccpCodec(), one => one.OpenSession("s"));
        return all;
    }

    [Theory]
    [MemberData(nameof(Objects))]
    public void UseAfterCloseAndDoubleClose(string name, Func<(IDisposable Made, Action Use)> make)
    {
        (IDisposable made, Action use) = make();
        use();
        made.Dispose();
        ObjectDisposedException wrong = Assert.Throws<ObjectDisposedException>(use);
        Assert.NotNull(wrong.ObjectName ?? name);
        made.Dispose();
        Assert.Throws<ObjectDisposedException>(use);
    }

    [Fact]
    public void WhatIsBorrowedOutlivesItsOwner()
    {
        var store = AccpStore.Open("memory:");
        var registry = new SchemaRegistry();
        var tokenizer = AccpTokenizer.Open("cl100k_base");
        var engine = new AccpEngine(new AccpConfig { Store = store, Registry = registry, Tokenizer = tokenizer });
        var counter = new TokenCounter(tokenizer);
        EngineSession session = engine.Open("s");
        engine.Dispose();
        store.Dispose();
        registry.Dispose();
        tokenizer.Dispose();
        session.Append(Sample.Json);
        Assert.Equal(1, session.RecordCount);
        Assert.True(session.Context().Tokens > 0);
        Assert.Equal(1, counter.Count("x"));
        session.Dispose();
        counter.Dispose();
    }

    // A codec has its own counter, and keeps the tokenizer for it.
    [Fact]
    public void ATokenizerThatIsGone()
    {
        var tokenizer = AccpTokenizer.Open("o200k_base");
        using var registry = new SchemaRegistry();
        using var codec = new FrameCodec(new AccpConfig { Registry = registry, Tokenizer = tokenizer });
        using var counter = new TokenCounter(tokenizer);
        tokenizer.Dispose();
        codec.Encode(Sample.Json);
        Assert.Equal(8, codec.Budget().Total.Tokens);
        Parallel.For(0, 8, i =>
        {
            for (int n = 0; n < 200; ++n) Assert.True(i % 2 == 0 ? codec.Encode(Sample.Json) == "@a>req:x{k:v}" : counter.Count(Sample.Json) > 8);
        });
        Assert.Equal(8, codec.Budget().Total.Tokens);
    }

    [Fact]
    public void ACodecDisposedByItsOwnCallback()
    {
        FrameCodec codec = null!;
        codec = new FrameCodec(new AccpConfig { Log = (_, _, _) => codec.Dispose() });
        Assert.Equal("@a>req:x{k:v}", codec.Encode(Sample.Json));
        Assert.Throws<ObjectDisposedException>(() => codec.Encode(Sample.Json));
    }

    // Handles that are forgotten during calls, in any order, with the collector running all the
    // time.
    [Fact]
    public async Task TheCollectorDuringCalls()
    {
        using var stop = new CancellationTokenSource();
        Task collector = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        });
        Parallel.For(0, 4, _ =>
        {
            for (int n = 0; n < 60; ++n) Forget(n);
        });
        await stop.CancelAsync();
        await collector;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(int n)
    {
        var config = new AccpConfig { Tokenizer = AccpTokenizer.Open("cl100k_base"), Store = AccpStore.Open("memory:"), Registry = new SchemaRegistry() };
        EngineSession session = new AccpEngine(config).Open("s");
        for (int i = 0; i < 5; ++i) session.Append(Sample.Text($"{n} {i}"));
        Assert.True(session.Context().Tokens > 0);
        Assert.Equal(1, new TokenCounter(AccpTokenizer.Open("o200k_base")).Count("x"));
        var codec = new FrameCodec(new AccpConfig { Registry = new SchemaRegistry(), Resolver = _ => "\"v\""u8.ToArray() });
        Assert.Contains("\"v\"", codec.Decode("@a>req:x{k:$warm.k}"), StringComparison.Ordinal);
        Assert.Equal(4, new FrameParser().Parse("@a>req:x{}").Nodes.Length);
    }
}
