// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>Peers: their names and origins.</summary>
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

    private static string Said(string agent, string more = "") => $$"""{"agent":"{{agent}}","intent":"done","operation":"tell","payload":{"n":1}{{more}}}""";

    // The steps of bindings.jsonl cover more; here are the queued forms, the interface, and
    // offsets.
    [Fact]
    public async Task WithoutAFrameAPeerSpeaksUnderItsOwnNamesToo()
    {
        await using var engine = new AccpEngine(new AccpConfig { OwnAgents = { "harness" } });
        await using IEngineSession session = engine.Open("s");
        var web = new AccpPeer("web");
        string chat = """[{"role":"user","content":"a"}]""", raised = Said("web", ",\"untrusted\":false");
        Assert.Equal(raised.IndexOf("false", StringComparison.Ordinal), Assert.Throws<AccpPolicyDeniedException>(() => session.Append(raised, web)).Offset);
        await Assert.ThrowsAsync<AccpPolicyDeniedException>(() => session.AppendAsync(Said("harness"), new AccpPeer("*")));
        await Assert.ThrowsAsync<AccpPolicyDeniedException>(() => session.AppendMessagesAsync(AccpInterface.OpenAI, chat, web));
        Assert.Throws<AccpPolicyDeniedException>(() => session.AppendMessages(AccpInterface.OpenAI, chat, new AccpPeer("*")));
        await Assert.ThrowsAsync<AccpPolicyDeniedException>(() => session.AppendHistoryAsync(AccpInterface.OpenAI, chat, null, web));
        Assert.Throws<AccpPolicyDeniedException>(() => session.AppendHistory(AccpInterface.OpenAI, chat, peer: web));
        Assert.Equal(0, session.RecordCount);
        session.Append(Said("web"), web);
        await session.AppendAsync(Said("web"), web);
        Assert.Equal(1, await session.AppendMessagesAsync(AccpInterface.OpenAI, chat, new AccpPeer("*,user")));
        Assert.Equal(1, session.AppendMessages(AccpInterface.OpenAI, chat, new AccpPeer("user", AccpOrigin.Trusted)));
        Assert.Equal(
            "(untrusted message) @web done:tell n:1\n(untrusted message) @web done:tell n:1\n(untrusted message) @user req:plan content:a\n@user req:plan content:a\n",
            session.Context().Text);
        await using IEngineSession history = engine.Open("h");
        Assert.Equal(new HistoryReport(1, 0, 1, 0, 0, false), await history.AppendHistoryAsync(AccpInterface.OpenAI, chat));
        Assert.Equal(new HistoryReport(1, 1, 0, 0, 0, false), history.AppendHistory(AccpInterface.OpenAI, chat, peer: web)); // existing messages are not reported
        HistoryReport branched = await history.AppendHistoryAsync(null, Said("web"), "h/1", web, DateTimeOffset.UnixEpoch);
        Assert.True(branched.IsBranched);
        await using EngineSession branch = engine.Open("h/1");
        Assert.Equal(DateTimeOffset.UnixEpoch, branch.Record(1).Time);
        Assert.EndsWith(",\"untrusted\":true}", branch.Resolve("cold.m1"), StringComparison.Ordinal);
        Assert.Equal(new HistoryReport(2, 1, 1, 0, 0, false),
            await branch.AppendHistoryAsync(null, System.Text.Encoding.UTF8.GetBytes($"[{Said("web")},{Said("web")}]"), null, web));
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
