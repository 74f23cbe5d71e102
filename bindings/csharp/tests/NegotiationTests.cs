// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>What the vectors leave out of registries and their negotiation.</summary>
public class NegotiationTests
{
    private const string Build = """{"version":4,"schemas":{"build":{"code":"BD","version":1,"fields":["target","ok"]}},"operations":["compile"]}""";

    private static void Talk(Negotiation left, Negotiation right)
    {
        for (int quiet = 0, turn = 0; quiet < 2; turn = 1 - turn)
        {
            string? frame = (turn == 0 ? left : right).Next();
            quiet = frame == null ? quiet + 1 : 0;
            if (frame != null) (turn == 0 ? right : left).Receive(frame);
        }
    }

    [Fact]
    public void WhatBothSidesCanDo()
    {
        using SchemaRegistry spec = new(), own = new(Build);
        using Negotiation left = new(own, "planner", AccpExtensions.Q1 | AccpExtensions.P1), right = new(spec, "worker", AccpExtensions.Q1 | AccpExtensions.T1);
        left.SetFeatures(AccpFeatures.Parts | AccpFeatures.Merges);
        right.SetFeatures(AccpFeatures.Parts);
        left.SetTokenizer("o200k_base");
        left.SetChunkBytes(400);
        Assert.Equal(NegotiationState.Open, left.State);
        Talk(left, right);
        Assert.Equal((NegotiationState.Agreed, NegotiationState.Agreed), (left.State, right.State));
        Assert.Equal((AccpFeatures.Parts, AccpFeatures.Parts), (left.Features, right.Features));
        Assert.Equal(AccpExtensions.Q1, left.Extensions);
        Assert.Equal("o200k_base", right.PeerTokenizer);
        Assert.Equal("", left.PeerTokenizer);
        using SchemaRegistry agreed = right.Registry()!, peer = right.Peer()!;
        Assert.Equal("build", agreed.Find("BD").Name);
        Assert.Equal(own.Hash, peer.Hash);

        using Negotiation again = new(spec, "worker", AccpExtensions.Q1), first = new(own, "planner", AccpExtensions.Q1);
        again.Know(peer);
        Talk(first, again);
        Assert.Equal(NegotiationState.Agreed, again.State);
        Assert.Throws<AccpArgumentException>(() => again.Receive("@a>req:plan{}"));
    }

    [Fact]
    public void APeerThatIsSilent()
    {
        using var spec = new SchemaRegistry();
        using var alone = new Negotiation(spec, "a", AccpExtensions.Q1);
        Assert.NotNull(alone.Next());
        for (int i = 0; i < 6; ++i)
        {
            alone.Timeout();
            while (alone.Next() != null)
            {
            }
        }
        Assert.Equal(NegotiationState.Refused, alone.State);
        Assert.Null(alone.Registry());
        Assert.Null(alone.Peer());
    }

    [Fact]
    public void RegistriesSayWhatTheyHold()
    {
        using SchemaRegistry spec = new(), own = new(Build);
        Assert.Equal(Build, own.Document);
        Assert.Equal(4, own.Version);
        Assert.True(own.KnowsOperation("compile") && !spec.KnowsOperation("compile") && spec.KnowsOperation("plan"));
        JsonElement difference = own.Difference(spec);
        Assert.Equal("BD", difference.GetProperty("add").GetProperty("schemas").GetProperty("build").GetProperty("code").GetString());
        Assert.Empty(own.Difference(own).GetProperty("del").EnumerateArray());
        using var same = new SchemaRegistry(own.Canonical);
        Assert.Equal(own.Hash, same.Hash);
        spec.Add(Build);
        Assert.Equal("build", spec.Find("BD").Name);
        Parallel.For(0, 8, i => spec.Register("s" + i, new AccpSchema("S" + i, ["x"])));
        Assert.Equal(8, spec.Schemas().Count(schema => schema.Code.StartsWith('S') && !schema.IsBuiltIn && schema.Code != "ST"));
    }

    [Fact]
    public void TokenizersOfTheHost()
    {
        Assert.Equal(["o200k_base", "cl100k_base", "approx"], Tokenizer.BuiltIn());
        using Tokenizer own = Tokenizer.LoadTiktoken("bytes", "gpt2", string.Concat(Enumerable.Range(0, 256).Select(i => Convert.ToBase64String([(byte)i]) + " " + i + "\n")));
        using var counter = new TokenCounter(own);
        Assert.Equal(("bytes", 256, false), (own.Name, own.Size, own.IsApproximate));
        Assert.Equal(5, counter.Count("naïv"));
        Assert.Equal(3, counter.CountWithin("naïv", 2));
        Assert.Equal([110, 97], counter.Encode("na"));
        Assert.Equal("na"u8.ToArray(), counter.Decode([110, 97]));
        counter.Append("na");
        counter.Append("ïv"u8);
        Assert.Equal(5, counter.Total());
        counter.Reset();
        Assert.Equal(0, counter.Total());
        counter.SetSpecial(true);
        Assert.Throws<AccpParseErrorException>(() => Tokenizer.LoadJson("x", "{"));
        Assert.Throws<AccpArgumentException>(() => counter.Decode([9999]));
        Assert.Equal(2, Renderer.Rows("rows:(id, name)[2]:"));
    }
}
