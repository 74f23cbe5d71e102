// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
namespace Accp;

/// <summary>
/// Data for OpenTelemetry and other listeners: <c>AddSource(AccpTelemetry.Name)</c> and
/// <c>AddMeter(AccpTelemetry.Name)</c>. docs/observability.md has the names.
/// </summary>
/// <remarks><para> The <see cref="System.Diagnostics.Metrics.Meter"/> has a counter for each count
/// of <see cref="AccpEngine.Metrics"/>, and <c>messaging.client.sent.messages</c> and
/// <c>messaging.client.consumed.messages</c> by the results of calls. They cover all engines of the
/// process, and are read at each collection.
/// </para>
/// <para> The <see cref="System.Diagnostics.ActivitySource"/> has an activity for each
/// <see cref="SessionEvent"/>: <c>accp.send</c> (a producer), <c>accp.receive</c> (a consumer),
/// <c>accp.append</c>, <c>accp.context</c>, <c>accp.evict</c>, <c>accp.checkpoint</c>, …, from the
/// start of the session's call. Its parent is the current activity, and it has a link to the
/// frame's own trace context (<see cref="FrameParser.Traceparent"/>), which is equal on both sides;
/// without a current activity it belongs to that trace. An engine makes activities if there was a
/// listener when it was made, or as <see cref="AccpConfig.Traces"/> sets.
/// </para></remarks>
public static class AccpTelemetry
{
    /// <summary>The name of the source and of the meter.</summary>
    public const string Name = "Accp";

    internal const string Version = "1.0.0";
}
