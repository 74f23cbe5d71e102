// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>Non-fatal faults of a message (docs/codec.md).</summary>
[Flags]
public enum AccpWarnings
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>A tool's result or a chunk of a stream without its cid.</summary>
    NoCid = 1,
    /// <summary>A tool's error that is not an error frame.</summary>
    ToolError = 2,
    /// <summary>
    /// A transaction without an id, which cannot be distinguished from its repetition.
    /// </summary>
    NoTransactionId = 4,
    /// <summary>A currency that is not in ISO 4217.</summary>
    Currency = 8,
    /// <summary>An error frame with an unknown code.</summary>
    ErrorCode = 16,
    /// <summary>An error frame whose retry differs from the error model.</summary>
    Retry = 32,
    /// <summary>done, fail or ack with a mid but no cid: the request is unknown.</summary>
    NoRequest = 64,
}

/// <summary>Describes an encoded or decoded message.</summary>
/// <param name="Parts">Frames that encoding made: 1 or the number of parts; 0 after a refusal or
/// decoding.</param>
/// <param name="Kept">Values that became references: by the keeper, or in the store of a
/// session.</param>
/// <param name="Warnings">Non-fatal faults.</param>
public readonly record struct CodecOutcome(long Parts, long Kept, AccpWarnings Warnings)
{
    internal CodecOutcome(in OutcomeData got) : this(checked((long)got.Parts), checked((long)got.Kept), (AccpWarnings)got.Warnings) { }
}

/// <summary>The tokens of one part of a frame and its limits (specification 3.4).</summary>
/// <param name="Tokens">Its tokens.</param>
/// <param name="Soft">More is a warning.</param>
/// <param name="Hard">A session does not send more.</param>
public readonly record struct PartBudget(long Tokens, long Soft, long Hard);

/// <summary>The tokens of a frame and its limits.</summary>
/// <param name="Header"><c>@agent>intent:operation</c>.</param>
/// <param name="Body">The payload.</param>
/// <param name="Metadata">The metadata.</param>
/// <param name="Total">The whole.</param>
public readonly record struct FrameBudget(PartBudget Header, PartBudget Body, PartBudget Metadata, PartBudget Total);
