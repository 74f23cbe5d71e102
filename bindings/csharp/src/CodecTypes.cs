// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>What is odd about a message that was taken all the same (docs/codec.md).</summary>
[Flags]
public enum AccpWarnings
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>A tool's answer or a chunk of a stream without its cid.</summary>
    NoCid = 1,
    /// <summary>A tool's error that is not an error frame.</summary>
    ToolError = 2,
    /// <summary>A transaction that cannot be told from its repetition.</summary>
    NoTransactionId = 4,
    /// <summary>A currency that is none of ISO 4217.</summary>
    Currency = 8,
    /// <summary>An error frame whose code is none.</summary>
    ErrorCode = 16,
    /// <summary>An error frame whose retry is not what the error model says.</summary>
    Retry = 32,
    /// <summary>done, fail or ack with a mid, and so of a session, that has no cid: nobody can tell what it answers.</summary>
    NoRequest = 64,
}

/// <summary>What became of a message that was encoded or decoded.</summary>
/// <param name="Parts">How many frames encoding made of it: 1, or its parts; 0 where it was refused, or decoded.</param>
/// <param name="Kept">How many values of it went by reference: to the keeper, or to the store of a session.</param>
/// <param name="Warnings">What is odd about it.</param>
public readonly record struct CodecOutcome(long Parts, long Kept, AccpWarnings Warnings)
{
    internal CodecOutcome(in OutcomeData got) : this(checked((long)got.Parts), checked((long)got.Kept), (AccpWarnings)got.Warnings) { }
}

/// <summary>One part of a frame against its limits (specification 3.4).</summary>
/// <param name="Tokens">What it has.</param>
/// <param name="Soft">More is worth a warning.</param>
/// <param name="Hard">More a session does not send.</param>
public readonly record struct PartBudget(long Tokens, long Soft, long Hard);

/// <summary>A frame against its limits.</summary>
/// <param name="Header"><c>@agent>intent:operation</c>.</param>
/// <param name="Body">The payload.</param>
/// <param name="Metadata">The metadata.</param>
/// <param name="Total">The whole.</param>
public readonly record struct FrameBudget(PartBudget Header, PartBudget Body, PartBudget Metadata, PartBudget Total);
