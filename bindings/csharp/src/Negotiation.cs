// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>The progress of a negotiation.</summary>
public enum NegotiationState
{
    /// <summary>Nothing else may be sent in the session.</summary>
    Open = 0,
    /// <summary><see cref="Agreement.Registry"/> is in force on both sides.</summary>
    Agreed = 1,
    /// <summary>No common registry.</summary>
    Bare = 2,
    /// <summary>The session cannot continue.</summary>
    Refused = 3,
}

/// <summary>
/// Abilities of sessions beyond frames; each is a rule of sessions
/// (<see cref="AccpConfig.Agreement"/>).
/// </summary>
[Flags]
public enum AccpFeatures
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>m1, <see cref="AccpRule.Merges"/>.</summary>
    Merges = 1,
    /// <summary>f1, <see cref="AccpRule.Parts"/>; offered unless the rule is 0; needs q1.</summary>
    Parts = 2,
    /// <summary>
    /// s1, <see cref="AccpRule.SharesStore"/>: only if both sides are known to read the same store.
    /// </summary>
    Store = 4,
    /// <summary>
    /// n1, <see cref="AccpRule.BySender"/>: each agent counts its own frames, so both may send at
    /// once. Offered unless the rule is 0.
    /// </summary>
    Senders = 8,
}

/// <summary>
/// The result of a negotiation. While it is open nothing is agreed. The caller disposes its
/// registries.
/// </summary>
/// <param name="State">The progress.</param>
/// <param name="Extensions">Those in force: both sides named them.</param>
/// <param name="Features">Those in force: both sides named them.</param>
/// <param name="Registry">The one in force; null if none is.</param>
/// <param name="Peer">The peer's own, to be kept for the next session; null if unknown.</param>
/// <param name="PeerTokenizer">Its name; empty if the peer named none.</param>
public sealed record Agreement(
    NegotiationState State, AccpExtensions Extensions, AccpFeatures Features, SchemaRegistry? Registry, SchemaRegistry? Peer, string PeerTokenizer);

/// <summary>One side of a negotiation of registries and extensions (specification 6.4).</summary>
public sealed unsafe class Negotiation : ExclusiveObject
{
    /// <summary>Begins a negotiation.</summary>
    /// <param name="agent">This side's name in frames.</param>
    /// <param name="config"> This side's registry (required), extensions, tokenizer, and as
    /// features the rules <see cref="AccpRule.Merges"/>, <see cref="AccpRule.Parts"/>,
    /// <see cref="AccpRule.BySender"/> and <see cref="AccpRule.SharesStore"/>; set the last only if
    /// both sides are known to read the same store.</param>
    public Negotiation(string agent, AccpConfig config)
    {
        ArgumentNullException.ThrowIfNull(config);
        Utf8Text text = Utf8Text.Of(agent);
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* negotiation;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_negotiation_new(bytes, text.Length, made.Pointer, &negotiation, &error), error);
        Own(new Handle(negotiation, &Free, Weight.Small));
    }

    private static void Free(void* negotiation) => Native.accp_negotiation_free(negotiation);

    /// <summary>
    /// Adds the peer's registry from an earlier session (<see cref="Agreement.Peer"/>), so that it
    /// is not sent again.
    /// </summary>
    public void AddKnown(SchemaRegistry known)
    {
        ArgumentNullException.ThrowIfNull(known);
        using var call = Enter();
        using var use = known.Borrow();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_add_known(call.Pointer, use.Pointer, &error), error);
    }

    /// <summary>
    /// Takes a <c>sync:registry</c> frame of the peer. A failure may have ended the negotiation:
    /// see <see cref="Agreement.State"/>.
    /// </summary>
    public void Receive(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        void* parser;
        ErrorDetail error;
        Check.Ok(Native.accp_frame_new(null, &parser, &error), error);
        try
        {
            fixed (byte* bytes = frame)
            {
                Check.Ok(Native.accp_frame_parse(parser, bytes, frame.Length, &error), error);
                Check.Ok(Native.accp_negotiation_receive(call.Pointer, parser, &error), error);
            }
        }
        finally
        {
            Native.accp_frame_free(parser);
        }
    }

    /// <summary>
    /// Returns the next frame to send, without metadata; null if none exists now. Call it until it
    /// returns null.
    /// </summary>
    public string? NextFrame()
    {
        using var call = Enter();
        AccpText frame;
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_next_frame(call.Pointer, &frame, &error), error);
        return frame.Length == 0 ? null : frame.ToString();
    }

    /// <summary>Reports that the peer did not reply in time.</summary>
    public void Timeout()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_timeout(call.Pointer, &error), error);
    }

    /// <summary>Returns the current result.</summary>
    public Agreement Agreement()
    {
        using var call = Enter();
        AgreementData got;
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_agreement(call.Pointer, &got, &error), error);
        return new Agreement((NegotiationState)got.State, (AccpExtensions)got.Extensions, (AccpFeatures)got.Features, SchemaRegistry.Share(got.Registry),
            SchemaRegistry.Share(got.Peer), got.PeerTokenizer.ToString());
    }
}
