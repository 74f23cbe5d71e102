// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Xunit;

namespace Accp.Tests;

/// <summary>Packets in a project's files, and statistics of tasks.</summary>
public sealed class PanesTests : IDisposable
{
    private const string Packet = "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n  goal: g\n";
    private readonly string directory = Directory.CreateTempSubdirectory("accp-panes-").FullName;

    public void Dispose() => Directory.Delete(directory, true);

    [Fact]
    public void APacketInAProjectsFiles()
    {
        using AccpStore store = AccpStore.Open("memory:");
        using var panes = new ProjectPanes(directory, store);
        using var packet = new ContextPacket();
        using var read = new ContextPacket();
        Assert.Throws<AccpRefNotFoundException>(() => panes.Read(1, read));
        panes.Configure("context: {default_depth: deep, budgets: {minimal: 90}, pane: 4}");
        Assert.Equal((int)PacketDepth.Deep, panes.Setting(PaneSetting.DefaultDepth));
        Assert.Equal(90, panes.Setting(PaneSetting.BudgetMinimal));
        Assert.Equal(4, panes.Setting(PaneSetting.OwnPane));
        Assert.Equal(10, panes.Setting(PaneSetting.LockSeconds));
        packet.Read(Packet + "  constraints: [all of us]\n");
        panes.Write(ProjectPanes.SharedPane, packet);
        string shared = packet.Checksum;
        packet.Read(Packet + "  constraints: [mine]\n");
        panes.Write(1, packet, edited: true);
        panes.Read(1, read, PaneReading.Receipt);
        Assert.Contains("- mine\n- all of us\n", read.ToPrompt());
        panes.Read(1, read, PaneReading.Alone);
        Assert.DoesNotContain("all of us", read.ToPrompt());
        Assert.Throws<AccpBusyException>(() => panes.Write(ProjectPanes.SharedPane, packet));
        panes.Write(ProjectPanes.SharedPane, packet, shared);
        Assert.Throws<AccpArgumentException>(() => panes.Write(-2, packet));
        Assert.True(File.Exists(Path.Combine(directory, ".agentwire", "context", "pane-1.yaml")));
        panes.WriteFeedback(1, new PaneFeedback(["which\ntests", "ümlaut"], ["failed_attempts"]));
        Assert.Equal(["which tests", "ümlaut"], panes.Feedback(1).Gaps);
        Assert.Equal(["failed_attempts"], panes.Feedback(1).Unused);
        panes.Remove(1);
        Assert.Throws<AccpRefNotFoundException>(() => panes.Remove(1));
        Assert.Throws<AccpRefNotFoundException>(() => panes.Feedback(2));
        Assert.Equal(2, store.Counts().Blobs);
        Assert.Contains("not one of default_depth", Assert.Throws<AccpInvalidTypeException>(() => panes.Configure("context: {default_dept: deep}")).Message);
        Assert.Throws<AccpIOException>(() => new ProjectPanes(directory + "/nothing", store));
    }

    [Fact]
    public void ASessionTellsAProjectOfTasks()
    {
        using AccpStore store = AccpStore.Open("memory:");
        using var panes = new ProjectPanes(directory, store);
        using var engine = new AccpEngine();
        using var session = engine.Open("work");
        using var packet = new ContextPacket();
        session.SetPanes(panes);
        packet.Read(Packet);
        session.SendPacket("""{"agent":"lead","intent":"req","operation":"plan","payload":{"to":"dev","pane":2},"meta":{"cid":"c1"}}""", packet);
        session.Append("""{"agent":"dev","intent":"ack","operation":"context","payload":{"gaps":["tests"]},"meta":{"cid":"c1"}}""");
        Assert.Equal(["tests"], panes.Feedback(2).Gaps);
        session.Append("""{"agent":"dev","intent":"done","operation":"plan","payload":{},"meta":{"cid":"c1"}}""");
        Assert.Equal(1, panes.StatsJson().GetProperty("tasks").GetInt32());
        session.SetPanes(null);
    }

    [Fact]
    public void WhatPanesLearn()
    {
        AccpStore store = AccpStore.Open("memory:");
        using var panes = new ProjectPanes(directory, store);
        store.Dispose();  // they keep what they need of it
        using var packet = new ContextPacket();
        packet.Read(Packet);
        for (int i = 0; i < 6; i++)
        {
            panes.Write(1, packet);
            panes.WriteFeedback(1, new PaneFeedback(["what was tried before"], []));
            var task = new PaneTask("auth", 1, i > 0);
            panes.Record(i < 5 ? task : task with { Depth = PacketDepth.Standard, Explored = 3, WholeTokens = 1800, Feedback = new PaneFeedback([], []) });
            Assert.Throws<AccpRefNotFoundException>(() => panes.Remove(1));
        }
        Assert.StartsWith("Average context size: 8 tokens\nWorker success rate: 83%\nTop context gaps: failed attempts (83%)\n", panes.Stats());
        Assert.StartsWith("Tasks: 3 -> 3", panes.Stats(compared: true));
        Assert.Equal(6, panes.StatsJson(compared: true).GetProperty("tasks").GetInt32());
        Assert.Equal(3, panes.StatsJson().GetProperty("explored").GetInt32());
        (PacketDepth depth, string why) = panes.Advise("auth");
        Assert.Equal(PacketDepth.Deep, depth);
        Assert.StartsWith("deep: a gap that only a deeper packet fills", why);
        Assert.Throws<AccpArgumentException>(() => panes.Record(new PaneTask("a\nb", -1, true)));
    }
}
