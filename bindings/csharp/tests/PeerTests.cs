// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>Peers that the host knows: under which names they speak, and where what they say comes from.</summary>
public class PeerTests
{
    private static string Frame(string agent, int seq) => $"@{agent}>req:plan{{k:v}}[mid:b0000000000{seq},seq:{seq}]";

    [Fact]
    public async Task APeerSpeaksUnderItsOwnNames()
    {
        await using var engine = new AccpEngine(new AccpConfig { OwnAgents = { "harness" }, Origins = { ["scout"] = AccpOrigin.Untrusted }, Rules = { [AccpRule.BySender] = 1 } });
        await using EngineSession session = engine.Open("s");
        Assert.Throws<AccpPolicyDeniedException>(() => session.Receive(Frame("ops", 1), new AccpPeer("dev,qa")));
        Assert.Throws<AccpPolicyDeniedException>(() => session.Receive(Frame("harness", 1), new AccpPeer("*")));
        await Assert.ThrowsAsync<AccpPolicyDeniedException>(() => session.ReceiveAsync(Frame("dev", 1), new AccpPeer("")));
        Assert.Equal(0, session.RecordCount);
        Assert.Equal(Receipt.Applied, session.Receive(Frame("dev", 1), new AccpPeer("dev,qa")));
        Assert.Equal(Receipt.Applied, await session.ReceiveAsync(Frame("qa", 1).Replace("mid:b", "mid:c", StringComparison.Ordinal), new AccpPeer("qa", AccpOrigin.Trusted)));
        Assert.Equal(Receipt.Applied, session.Receive(Frame("scout", 1).Replace("mid:b", "mid:d", StringComparison.Ordinal)));
        Delivery[] got = [.. session.Deliveries()];
        Assert.Equal([AccpOrigin.Untrusted, AccpOrigin.Trusted, AccpOrigin.Untrusted], got.Select(one => one.Origin));
        Assert.Equal([true, false, true], got.Select(one => one.ToMessage().IsUntrusted));
        Assert.EndsWith(",\"untrusted\":true}", got[0].Json, StringComparison.Ordinal);
        Assert.EndsWith(",\"untrusted\":true}", System.Text.Encoding.UTF8.GetString(got[0].ToMessage().ToJsonUtf8()), StringComparison.Ordinal);
    }

    [Fact]
    public async Task TheCodecKnowsPeersToo()
    {
        await using var codec = new AccpCodec(new AccpConfig { OwnAgents = { "harness" } });
        AccpSession session = codec.OpenSession("s");
        Assert.Throws<AccpPolicyDeniedException>(() => codec.Decode(AccpFrame.Parse(Frame("harness", 1)), session));
        Assert.Throws<AccpPolicyDeniedException>(() => codec.Decode(AccpFrame.Parse(Frame("ops", 1)), session, new AccpPeer("dev")));
        Assert.True(codec.Decode(AccpFrame.Parse(Frame("dev", 1)), session, new AccpPeer("dev")).IsUntrusted);
        Assert.False((await codec.DecodeAsync(AccpFrame.Parse(Frame("dev", 2)), session, new AccpPeer("dev", AccpOrigin.Trusted))).IsUntrusted);
    }
}
