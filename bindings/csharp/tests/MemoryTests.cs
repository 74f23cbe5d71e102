// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Runtime.CompilerServices;
using Xunit;

namespace Accp.Tests;

[CollectionDefinition("alone", DisableParallelization = true)]
public static class Alone;

/// <summary>Native memory of objects that are forgotten: the collector knows of it, and collects before it fills the machine.</summary>
[Collection("alone")]
public class MemoryTests
{
    private static readonly Tokenizer Shared = Tokenizer.Open("o200k_base");

    public static TheoryData<string, int, Action> Forgotten() => new()
    {
        { "engines with a session", 3_000, () => new AccpEngine().Open("s").Append(Sample.Json) },
        { "sessions of one engine", 20_000, OfOne() },
        { "stores with large values", 100, () =>
        {
            EngineSession session = new AccpEngine(new EngineSetup { Store = AccpStore.Open("memory:") }).Open("s");
            for (int i = 0; i < 8; ++i) session.Put("warm.k" + i, "\"" + new string((char)('a' + i), 500_000) + "\"");
        } },
        { "codecs", 10_000, () => new FrameCodec(null).Encode(Sample.Json) },
        { "counters", 5_000, () => new TokenCounter(Shared).Count("one text") },
        { "parsers", 20_000, () => new FrameParser().Encode(Sample.Json) },
        { "registries", 5_000, () => _ = new SchemaRegistry().Hash },
    };

    private static Action OfOne()
    {
        var engine = new Lazy<AccpEngine>(() => new AccpEngine());
        int next = 0;
        return () => engine.Value.Open("s" + next++ % 100);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(int count, Action make)
    {
        for (int i = 0; i < count; ++i) make();
    }

    private static long Resident() =>
        1024 * long.Parse(File.ReadLines("/proc/self/status").First(line => line.StartsWith("RssAnon", StringComparison.Ordinal)).Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]);

    [Theory]
    [MemberData(nameof(Forgotten))]
    public void WhatIsForgottenIsCollected(string name, int count, Action make)
    {
        Forget(10, make);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        int collections = GC.CollectionCount(0);
        long before = Resident();
        Forget(count, make);
        long grown = Resident() - before;
        Assert.True(GC.CollectionCount(0) > collections, $"{name}: no collection, and {grown >> 20} MiB");
        Assert.True(grown < 200 << 20, $"{name}: {grown >> 20} MiB with {GC.CollectionCount(0) - collections} collections");
    }
}
