// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>How far a negotiation has come.</summary>
public enum NegotiationState
{
    /// <summary>Nothing else may be sent in the session.</summary>
    Open = 0,
    /// <summary><see cref="Agreement.Registry"/> is in force on both sides.</summary>
    Agreed = 1,
    /// <summary>No common registry.</summary>
    Bare = 2,
    /// <summary>The session cannot go on.</summary>
    Refused = 3,
}

/// <summary>What a session can do beyond frames, where both sides can; each is a rule of sessions (<see cref="AccpConfig.Agreement"/>).</summary>
[Flags]
public enum AccpFeatures
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>m1, <see cref="AccpRule.Merges"/>.</summary>
    Merges = 1,
    /// <summary>f1, <see cref="AccpRule.Parts"/>; named unless it was set to 0; in force only with q1.</summary>
    Parts = 2,
    /// <summary>s1, <see cref="AccpRule.SharesStore"/>: only where it is known that both sides read the same store.</summary>
    Store = 4,
    /// <summary>n1, <see cref="AccpRule.BySender"/>: each agent counts its own frames, so both may speak at once. Named unless the rule was set to 0.</summary>
    Senders = 8,
}

/// <summary>What a negotiation has come to. While it is open nothing is agreed. Its registries have an owner more: dispose them.</summary>
/// <param name="State">How far it has come.</param>
/// <param name="Extensions">Those in force: what both sides named.</param>
/// <param name="Features">Those in force: what both sides named.</param>
/// <param name="Registry">The one in force; null where there is none.</param>
/// <param name="Peer">The peer's own, to be kept and told of in the next session; null where it is not known.</param>
/// <param name="PeerTokenizer">Its name; empty where the peer named none.</param>
public sealed record Agreement(
    NegotiationState State, AccpExtensions Extensions, AccpFeatures Features, SchemaRegistry? Registry, SchemaRegistry? Peer, string PeerTokenizer);

/// <summary>One side of a negotiation of registries and extensions (specification 6.4).</summary>
public sealed unsafe class Negotiation : ExclusiveObject
{
    /// <summary>Begins one.</summary>
    /// <param name="agent">This side's name, as frames have it.</param>
    /// <param name="config">
    /// What this side has: its registry, which it must have; its extensions; its tokenizer; and as features the rules <see cref="AccpRule.Merges"/>, <see cref="AccpRule.Parts"/>,
    /// <see cref="AccpRule.BySender"/> and <see cref="AccpRule.SharesStore"/>, the last only where it is known that both sides read the same store.
    /// </param>
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

    /// <summary>Tells of a registry kept from before (<see cref="Agreement.Peer"/>): it need not be sent again.</summary>
    public void AddKnown(SchemaRegistry known)
    {
        ArgumentNullException.ThrowIfNull(known);
        using var call = Enter();
        using var use = known.Borrow();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_add_known(call.Pointer, use.Pointer, &error), error);
    }

    /// <summary>Takes in a frame <c>sync:registry</c> of the peer. A failure may have ended the negotiation: see <see cref="Agreement.State"/>.</summary>
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

    /// <summary>The next frame to be sent, without metadata; null where there is none for now. To be called until it is so.</summary>
    public string? NextFrame()
    {
        using var call = Enter();
        AccpText frame;
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_next_frame(call.Pointer, &frame, &error), error);
        return frame.Length == 0 ? null : frame.ToString();
    }

    /// <summary>Says that the peer has been silent for as long as the caller waits.</summary>
    public void Timeout()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_timeout(call.Pointer, &error), error);
    }

    /// <summary>What it has come to.</summary>
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
