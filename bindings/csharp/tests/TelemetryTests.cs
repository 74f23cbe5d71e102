// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Xunit;

namespace Accp.Tests;

/// <summary>Activities and instruments of sessions for a listener.</summary>
public class TelemetryTests
{
    // Other tests run at the same time: an activity is matched to a test by its session.
    private static ActivityListener Listen(string session, List<Activity> heard)
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == AccpTelemetry.Name,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = stopped =>
            {
                if (Equals(stopped.GetTagItem("accp.session"), session)) lock (heard) heard.Add(stopped);
            },
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    [Fact]
    public void SessionsMakeActivities()
    {
        List<Activity> heard = [];
        using ActivityListener listener = Listen("traced", heard);
        using var engine = new AccpEngine();
        using EngineSession session = engine.Open("traced");
        using var own = new Activity("mine");
        own.Start();
        string frame = session.Send(Sample.Json);
        session.Receive("@b>ack:x{n:1}[mid:b00000000001,seq:2,cid:c1,aid:a00000000001]");
        Assert.Throws<AccpDuplicateException>(() => session.Receive("@b>ack:x{n:1}[mid:b00000000001,seq:2,cid:c1,aid:a00000000001]"));
        session.Append(Sample.Json);
        SessionContext context = session.Context();
        session.Checkpoint();
        own.Stop();
        Assert.Equal(["accp.send", "accp.receive", "accp.receive", "accp.append", "accp.context", "accp.checkpoint"], heard.Select(one => one.OperationName));
        Assert.Equal([ActivityKind.Producer, ActivityKind.Consumer, ActivityKind.Consumer, ActivityKind.Internal, ActivityKind.Internal, ActivityKind.Internal], heard.Select(one => one.Kind));
        Assert.All(heard, one =>
        {
            Assert.Equal(own.SpanId, one.ParentSpanId);
            Assert.Equal("accp", one.GetTagItem("messaging.system"));
            Assert.InRange(one.Duration, TimeSpan.Zero, TimeSpan.FromMinutes(5));
            Assert.True(one.StartTimeUtc >= own.StartTimeUtc, $"{one.OperationName} began before its call");
        });
        Assert.Equal((long)frame.Length, heard[0].GetTagItem("messaging.message.body.size"));
        Assert.Equal(AccpFrame.Parse(frame).Metadata!["mid"], heard[0].GetTagItem("messaging.message.id"));
        Assert.Equal("c1", heard[1].GetTagItem("messaging.message.conversation_id"));
        Assert.Equal(FrameParser.Traceparent("c1", "b00000000001").Split('-')[1], Assert.Single(heard[1].Links).Context.TraceId.ToString());
        Assert.Equal((ActivityStatusCode.Error, "E3002"), (heard[2].Status, heard[2].GetTagItem("error.type")));
        Assert.Equal((1L, context.Tokens), (heard[3].GetTagItem("accp.messages"), heard[4].GetTagItem("accp.tokens")));
        Assert.Equal(context.Tokens, heard[4].GetTagItem("accp.written_tokens"));
    }

    [Fact]
    public void WithoutACurrentActivityBothSidesAreOfOneTrace()
    {
        List<Activity> heard = [];
        using ActivityListener listener = Listen("alone", heard);
        Activity.Current = null;
        using AccpEngine here = new(), there = new();
        using EngineSession left = here.Open("alone"), right = there.Open("alone");
        right.Receive(left.Send(Sample.Json));
        Assert.Equal(["accp.send", "accp.receive"], heard.Select(one => one.OperationName));
        Assert.Equal(heard[0].TraceId, heard[1].TraceId);
        Assert.Equal(FrameParser.Traceparent("", (string)heard[0].GetTagItem("messaging.message.id")!).Split('-')[1], heard[0].TraceId.ToString());
    }

    [Fact]
    public void AContextSaysWhatItLeavesOut()
    {
        List<SessionEvent> told = [];
        List<Activity> heard = [];
        using ActivityListener listener = Listen("long", heard);
        using var engine = new AccpEngine(new AccpConfig { Events = told.Add });
        using EngineSession session = engine.Open("long");
        for (int i = 0; i < 8; ++i) session.Append($$$"""{"agent":"a","intent":"ack","operation":"plan","payload":{"text":"step {{{i}}} is done and the next one can begin"}}""");
        SessionContext whole = session.Context(), half = session.Context(whole.Tokens / 2);
        SessionEvent[] contexts = [.. told.Where(one => one.Kind == SessionEventKind.Context)];
        Assert.Equal((2, 8L, whole.Tokens), (contexts.Length, contexts[0].Messages, contexts[0].Tokens));
        Assert.True(contexts[0].HistoryTokens >= whole.Tokens && contexts[0].WrittenTokens == whole.Tokens);
        Assert.Equal(contexts[1].Tokens, contexts[1].CachedTokens + contexts[1].WrittenTokens);
        SessionEvent evicted = told[^1];
        Assert.Equal((SessionEventKind.Evicted, whole.Tokens - half.Tokens), (evicted.Kind, evicted.Tokens));
        Assert.InRange(evicted.Messages, 1, 8);
        Assert.Equal(evicted.Messages, heard[^1].GetTagItem("accp.messages"));
        Assert.Equal("accp.evict", heard[^1].OperationName);
    }

    [Fact]
    public void WhoDoesNotWantActivitiesHasNone()
    {
        List<Activity> heard = [];
        using ActivityListener listener = Listen("silent", heard);
        using var engine = new AccpEngine(new AccpConfig { Traces = false });
        using EngineSession session = engine.Open("silent");
        session.Send(Sample.Json);
        Assert.Empty(heard);
    }

    // Counts of all engines, including other tests': they grow here, and do not fall when an engine
    // is freed.
    [Fact]
    public void InstrumentsHaveTheCountsOfAllEngines()
    {
        var counts = new Dictionary<string, long>();
        using var listener = new MeterListener { InstrumentPublished = (instrument, own) => { if (instrument.Meter.Name == AccpTelemetry.Name) own.EnableMeasurementEvents(instrument); } };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            string name = instrument.Name;
            foreach (KeyValuePair<string, object?> tag in tags) name += tag.Key == "error.type" ? $" {tag.Value}" : "";
            lock (counts) Assert.True(counts.TryAdd(name, value), $"{name} is measured twice with the same tags");
        });
        Dictionary<string, long> Collect()
        {
            lock (counts) counts.Clear();
            listener.RecordObservableInstruments();
            lock (counts) return new(counts);
        }
        var engine = new AccpEngine();
        listener.Start();
        Dictionary<string, long> before = Collect();
        using (EngineSession session = engine.Open("counted"))
        {
            string frame = session.Send(Sample.Json);
            Assert.Throws<AccpParseErrorException>(() => session.Receive("no frame"));
            session.Context();
        }
        Dictionary<string, long> after = Collect();
        foreach (string name in new[] { "accp.frames.sent", "accp.frames.received", "accp.contexts", "messaging.client.sent.messages", "messaging.client.consumed.messages E1001" })
            Assert.True(after[name] > before.GetValueOrDefault(name), name);
        Assert.Superset(engine.Metrics().Select(one => one.Name).ToHashSet(), after.Keys.ToHashSet());
        engine.Dispose();
        Dictionary<string, long> later = Collect();
        Assert.All(after, one => Assert.True(later[one.Key] >= one.Value, $"{one.Key} fell from {one.Value} to {later[one.Key]}"));
    }
}
