// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Microsoft.Extensions.Logging;

namespace Accp.Extensions.AI;

// The log messages of the package. They are in one class, because the compiler writes those of several classes in another order in each build, so that two
// builds would differ.
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Debug, "Session {Session}: {Changed} of {Messages} messages are shortened or left out; {Tokens} tokens are sent.")]
    internal static partial void Sent(ILogger logger, string session, int messages, int changed, long tokens);

    [LoggerMessage(2, LogLevel.Debug, "Session {Session}: {Calls} calls for omitted text were answered (round {Round}).")]
    internal static partial void Answered(ILogger logger, string session, int calls, int round);

    [LoggerMessage(3, LogLevel.Warning, "No packet of the session {Session} can be made; the run goes on without it.")]
    internal static partial void NoPacket(ILogger logger, string session, Exception wrong);

    [LoggerMessage(EventId = 4, Message = "{Direction} {Status}: {Text}")]
    internal static partial void Message(ILogger logger, LogLevel level, string direction, AccpStatus status, string text);
}
