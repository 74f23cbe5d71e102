// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>A record that is copied by `with` never reaches another session's state.</summary>
public class RecordCopyTests
{
    public static TheoryData<string, Func<AccpSession, AccpSession, AccpSession>> Copies() => new()
    {
        { "another id", (a, _) => a with { SessionId = "B" } },
        { "another id, own hot state", (a, _) => a with { SessionId = "B", HotState = new StateStore() } },
        { "another id, own warm state", (a, _) => a with { SessionId = "B", WarmState = new StateStore() } },
        { "the hot state of another", (a, b) => b with { HotState = a.HotState } },
        { "the warm state of another", (a, b) => b with { WarmState = a.WarmState } },
        { "one state for both tiers", (a, _) => a with { WarmState = a.HotState } },
        { "a new state for both tiers", (a, _) => new StateStore() is var one ? a with { WarmState = one, HotState = one } : a },
        { "another cold store", (a, _) => a with { ColdState = new Elsewhere() } },
    };

    private sealed class Elsewhere : IExternalStore
    {
        public void Save(string key, ReadOnlySpan<byte> value) { }

        public byte[]? Load(string key) => null;
    }

    [Theory]
    [MemberData(nameof(Copies))]
    public void ACopyThatSharesStateIsRefused(string name, Func<AccpSession, AccpSession, AccpSession> copy)
    {
        using AccpStore store = AccpStore.Open("memory:");
        using var codec = new AccpCodec(new AccpConfig { Store = store });
        AccpSession a = codec.OpenSession("A"), other = codec.OpenSession("other");
        a.HotState.Set("k", "1");
        string[] before = [.. store.Sessions()];
        var uses = new Action<AccpSession>[]
        {
            session => codec.Encode(new AgentMessage("a", AccpIntent.Req, "x", []), session),
            session => codec.Decode(AccpFrame.Parse("@a>req:x{}[mid:b00000000001,seq:1]"), session),
            session => codec.Checkpoint(session),
            session => codec.GetBudget(session),
            session => codec.GetContext(session),
            session => codec.Open(session),
        };
        foreach (Action<AccpSession> use in uses)
            Assert.Equal("session", Assert.Throws<ArgumentException>(() => use(copy(a, other))).ParamName);
        Assert.Equal(before, store.Sessions());
        Assert.Equal((0, 0), (codec.Open(a).RecordCount, codec.Open(other).RecordCount));
        Assert.NotEmpty(name);
    }

    [Fact]
    public void ARecordOfAnotherCodecIsRefused()
    {
        using AccpCodec here = new(), there = new();
        AccpSession session = here.OpenSession("A");
        Assert.Equal("session", Assert.Throws<ArgumentException>(() => there.GetBudget(session with { Registry = there.Registry })).ParamName);
    }

    [Fact]
    public void ACopyOfTheSameSessionServes()
    {
        using var codec = new AccpCodec();
        AccpSession a = codec.OpenSession("A");
        a.HotState.Set("k", "1");
        AccpSession later = a with { CurrentCheckpointVersion = 7, HotState = new StateStore() };
        Assert.True(codec.GetBudget(later).HotMax > 0);
        Assert.True(later.HotState.TryGet("k", out _));
    }

    // Values that were set before opening go to the first opened session and to no other.
    [Fact]
    public void StateThatWaits()
    {
        using var codec = new AccpCodec();
        var first = new AccpSession("A", new StateStore(), new StateStore(), ExternalStore.Inside, codec.Registry, 0);
        first.HotState.Set("k", "1");
        AccpSession second = first with { SessionId = "B" };
        codec.GetBudget(second);
        Assert.Throws<ArgumentException>(() => codec.GetBudget(first));
        Assert.Equal("1", codec.Open(second).Resolve("hot.k"));
    }
}
