// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Accp.Interop;

// The implementation of AccpTelemetry: activities from the events of sessions, and instruments that
// read the counts of all engines.
internal static unsafe class Telemetry
{
    private const string System = "messaging.system", Accp = "accp";
    private static readonly ActivitySource Source = new(AccpTelemetry.Name, AccpTelemetry.Version);
    private static readonly Meter Meter = new(AccpTelemetry.Name, AccpTelemetry.Version);
    private static readonly object Gate = new();
    private static readonly HashSet<IntPtr> Engines = [];  // engines that are not freed yet
    private static readonly Dictionary<(bool IsReceived, AccpStatus Status), long> PastOutcomes = [];
    private static long[] past = [];  // counts of freed engines
    private static bool hasInstruments;

    // Start of the session's call on this thread, for sessions with activities.
    [ThreadStatic] internal static DateTime CallBegan;

    internal static bool HasListeners => Source.HasListeners();

    // Counts never fall: those of a freed engine are kept.
    internal static void Add(void* engine)
    {
        lock (Gate)
        {
            Engines.Add((IntPtr)engine);
            if (hasInstruments) return;
            hasInstruments = true;
            MakeInstruments();
        }
    }

    internal static void Remove(void* engine)
    {
        lock (Gate)
        {
            Engines.Remove((IntPtr)engine);
            for (int i = 0; i < past.Length; ++i) past[i] += (long)Native.accp_engine_metric(engine, i);
            foreach ((bool IsReceived, AccpStatus Status) outcome in AllOutcomes())
                if (Native.accp_engine_outcome_count(engine, outcome.IsReceived ? 1 : 0, (int)outcome.Status) is > 0 and var count)
                    PastOutcomes[outcome] = PastOutcomes.GetValueOrDefault(outcome) + (long)count;
        }
    }

    private static void MakeInstruments()
    {
        int count = 0;
        for (; Native.accp_metric_name(count) != null; ++count)
        {
            int metric = count;
            Meter.CreateObservableCounter(Utf8.Static(Native.accp_metric_name(metric)), () => Total(metric), Utf8.Static(Native.accp_metric_unit_name(metric)));
        }
        past = new long[count];
        Meter.CreateObservableCounter("messaging.client.consumed.messages", () => Outcomes(true), "{message}");
        Meter.CreateObservableCounter("messaging.client.sent.messages", () => Outcomes(false), "{message}");
    }

    private static long Total(int metric)
    {
        lock (Gate)
        {
            long total = past[metric];
            foreach (IntPtr engine in Engines) total += (long)Native.accp_engine_metric((void*)engine, metric);
            return total;
        }
    }

    private static IEnumerable<(bool IsReceived, AccpStatus Status)> AllOutcomes()
    {
        foreach (AccpStatus status in Enum.GetValues<AccpStatus>())
        {
            yield return (true, status);
            yield return (false, status);
        }
    }

    private static List<Measurement<long>> Outcomes(bool isReceived)
    {
        var all = new List<Measurement<long>>();
        long fine = 0;  // one measurement for each set of tags
        lock (Gate)
        {
            foreach (AccpStatus status in Enum.GetValues<AccpStatus>())
            {
                long total = PastOutcomes.GetValueOrDefault((isReceived, status));
                foreach (IntPtr engine in Engines) total += (long)Native.accp_engine_outcome_count((void*)engine, isReceived ? 1 : 0, (int)status);
                if (!IsFailure(status)) fine += total;
                else if (total != 0) all.Add(new(total, new(System, Accp), new("error.type", Code(status))));
            }
        }
        all.Add(new(fine, new KeyValuePair<string, object?>(System, Accp)));
        return all;
    }

    private static bool IsFailure(AccpStatus status) => status is not (AccpStatus.Ok or AccpStatus.Held or AccpStatus.Dropped);

    private static string Code(AccpStatus status) => AccpExceptions.Entry(status).Code;

    // One activity from the start of the call.
    internal static void Trace(SessionEvent told)
    {
        (string name, ActivityKind kind) = told.Kind switch
        {
            SessionEventKind.Sent => ("send", ActivityKind.Producer),
            SessionEventKind.Received => ("receive", ActivityKind.Consumer),
            SessionEventKind.Held or SessionEventKind.Dropped or SessionEventKind.Refused =>
                told.IsReceived ? ("receive", ActivityKind.Consumer) : ("send", ActivityKind.Producer),
            SessionEventKind.GapOpened => ("gap_opened", ActivityKind.Internal),
            SessionEventKind.GapClosed => ("gap_closed", ActivityKind.Internal),
            SessionEventKind.Checkpoint => ("checkpoint", ActivityKind.Internal),
            SessionEventKind.RequestExpired => ("request_expired", ActivityKind.Internal),
            SessionEventKind.RegistryChanged => ("registry_changed", ActivityKind.Internal),
            SessionEventKind.Appended => ("append", ActivityKind.Internal),
            SessionEventKind.Context => ("context", ActivityKind.Internal),
            _ => ("evict", ActivityKind.Internal),
        };
        ActivityContext frame = Context(told.Cid, told.Mid), parent = Activity.Current != null ? default : told.Aid.Length > 0 ? Context(told.Cid, told.Aid) : frame;
        ActivityLink[] links = frame == default ? [] : [new ActivityLink(frame)];
        using Activity? made = Source.StartActivity($"accp.{name}", kind, parent, null, links, CallBegan == default ? default(DateTimeOffset) : CallBegan);
        if (made == null) return;
        made.SetTag(System, Accp);
        if (kind != ActivityKind.Internal) made.SetTag("messaging.operation.type", name);
        SetText(made, "messaging.message.id", told.Mid);
        SetText(made, "messaging.message.conversation_id", told.Cid);
        SetNumber(made, "messaging.message.body.size", told.Bytes);
        SetText(made, "accp.session", told.SessionId);
        SetText(made, "accp.agent", told.Agent);
        SetNumber(made, "accp.seq", told.Seq);
        SetNumber(made, "accp.tokens", told.Tokens);
        SetNumber(made, "accp.messages", told.Messages);
        SetNumber(made, "accp.history_tokens", told.HistoryTokens);
        SetNumber(made, "accp.cached_tokens", told.CachedTokens);
        SetNumber(made, "accp.written_tokens", told.WrittenTokens);
        if (!IsFailure(told.Status)) return;
        made.SetTag("error.type", Code(told.Status));
        made.SetStatus(ActivityStatusCode.Error, AccpExceptions.Entry(told.Status).Meaning);
    }

    private static ActivityContext Context(string cid, string mid) =>
        (cid.Length > 0 || mid.Length > 0) && ActivityContext.TryParse(FrameParser.Traceparent(cid, mid), null, isRemote: true, out ActivityContext context) ? context : default;

    private static void SetText(Activity made, string tag, string text)
    {
        if (text.Length > 0) made.SetTag(tag, text);
    }

    private static void SetNumber(Activity made, string tag, long number)
    {
        if (number != 0) made.SetTag(tag, number);
    }
}
