// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;
using Xunit;

namespace Accp.Tests;

/// <summary>Cases of registries and negotiation that the vectors omit.</summary>
public class NegotiationTests
{
    private const string Build = """{"version":4,"schemas":{"build":{"code":"BD","version":1,"fields":["target","ok"]}},"operations":["compile"]}""";

    private static void Talk(Negotiation left, Negotiation right)
    {
        for (int quiet = 0, turn = 0; quiet < 2; turn = 1 - turn)
        {
            string? frame = (turn == 0 ? left : right).NextFrame();
            quiet = frame == null ? quiet + 1 : 0;
            if (frame != null) (turn == 0 ? right : left).Receive(frame);
        }
    }

    [Fact]
    public void WhatBothSidesCanDo()
    {
        using SchemaRegistry spec = new(), own = new(Build);
        using AccpTokenizer tokenizer = AccpTokenizer.Open("o200k_base");
        using Negotiation left = new("planner", new AccpConfig
        {
            Registry = own,
            Extensions = AccpExtensions.Q1 | AccpExtensions.P1,
            Tokenizer = tokenizer,
            Rules = { [AccpRule.Parts] = 1, [AccpRule.Merges] = 1, [AccpRule.ChunkBytes] = 400 },
        });
        using Negotiation right = new("worker", new AccpConfig { Registry = spec, Extensions = AccpExtensions.Q1 | AccpExtensions.T1, Rules = { [AccpRule.Parts] = 1 } });
        Assert.Equal(NegotiationState.Open, left.Agreement().State);
        Talk(left, right);
        Agreement here = left.Agreement(), there = right.Agreement();
        Assert.Equal((NegotiationState.Agreed, NegotiationState.Agreed), (here.State, there.State));
        Assert.Equal((AccpFeatures.Parts | AccpFeatures.Senders, here.Features), (here.Features, there.Features));
        Assert.Equal(AccpExtensions.Q1, here.Extensions);
        Assert.Equal("o200k_base", there.PeerTokenizer);
        Assert.Equal("", here.PeerTokenizer);
        using SchemaRegistry agreed = there.Registry!, peer = there.Peer!;
        Assert.Equal("build", agreed.Find("BD").Name);
        Assert.Equal(own.Hash, peer.Hash);

        using Negotiation again = new("worker", new AccpConfig { Registry = spec }), first = new("planner", new AccpConfig { Registry = own });
        again.AddKnown(peer);
        Talk(first, again);
        Assert.Equal(NegotiationState.Agreed, again.Agreement().State);
        Assert.Throws<AccpArgumentException>(() => again.Receive("@a>req:plan{}"));
    }

    [Fact]
    public void APeerThatIsSilent()
    {
        using var spec = new SchemaRegistry();
        using var alone = new Negotiation("a", new AccpConfig { Registry = spec });
        Assert.NotNull(alone.NextFrame());
        for (int i = 0; i < 6; ++i)
        {
            alone.Timeout();
            while (alone.NextFrame() != null)
            {
            }
        }
        Assert.Equal(new Agreement(NegotiationState.Refused, 0, 0, null, null, ""), alone.Agreement());
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
        Assert.Equal(["o200k_base", "cl100k_base", "approx"], AccpTokenizer.BuiltIn());
        using AccpTokenizer own = AccpTokenizer.LoadTiktoken("bytes", "gpt2", string.Concat(Enumerable.Range(0, 256).Select(i => Convert.ToBase64String([(byte)i]) + " " + i + "\n")));
        using var counter = new TokenCounter(own);
        Assert.Equal(("bytes", 256, false), (own.Name, own.Size, own.IsApproximate));
        Assert.Equal(5, counter.Count("naïv"));
        Assert.Equal(3, counter.Count("naïv", 2));
        Assert.Equal([110, 97], counter.Encode("na"));
        Assert.Equal("na"u8.ToArray(), counter.Decode([110, 97]));
        counter.Append("na");
        counter.Append("ïv"u8);
        Assert.Equal(5, counter.Total());
        counter.Reset();
        Assert.Equal(0, counter.Total());
        using AccpTokenizer o200k = AccpTokenizer.Open("o200k_base");
        using TokenCounter special = new(o200k, new AccpConfig { Rules = { [AccpRule.SpecialTokens] = 1 } }), plain = new(o200k);
        Assert.Equal(1, special.Count("<|endoftext|>"));
        Assert.True(plain.Count("<|endoftext|>") > 1);
        Assert.Throws<AccpParseErrorException>(() => AccpTokenizer.LoadJson("x", "{"));
        Assert.Throws<AccpArgumentException>(() => counter.Decode([9999]));
        Assert.Equal(2, Renderer.Rows("rows:(id, name)[2]:"));
    }
}
