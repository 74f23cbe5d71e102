// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>How far a negotiation has come.</summary>
public enum NegotiationState
{
    /// <summary>Nothing else may be sent in the session.</summary>
    Open = 0,
    /// <summary><see cref="Negotiation.Registry"/> is in force on both sides.</summary>
    Agreed = 1,
    /// <summary>No common registry.</summary>
    Bare = 2,
    /// <summary>The session cannot go on.</summary>
    Refused = 3,
}

/// <summary>What a session can do beyond frames, where both sides can; what is in force is set as a rule of sessions.</summary>
[Flags]
public enum AccpFeatures
{
    /// <summary>Nothing.</summary>
    None = 0,
    /// <summary>m1, <see cref="AccpRule.Merges"/>.</summary>
    Merges = 1,
    /// <summary>f1, <see cref="AccpRule.Parts"/>; in force only with q1.</summary>
    Parts = 2,
    /// <summary>s1, <see cref="AccpRule.SharesStore"/>: only where it is known that both sides read the same store.</summary>
    Store = 4,
}

/// <summary>One side of a negotiation of registries and extensions (specification 6.4).</summary>
public sealed unsafe class Negotiation : ExclusiveObject
{
    /// <summary>Begins one.</summary>
    public Negotiation(SchemaRegistry own, string agent, AccpExtensions extensions, AccpOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(own);
        Utf8Text text = Utf8Text.Of(agent);
        using var made = new AccpOptions.Made(options);
        using var use = own.Borrow();
        void* negotiation;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_negotiation_new(made.Pointer, use.Pointer, bytes, text.Length, (uint)extensions, &negotiation, &error), error);
        Own(new Handle(negotiation, &Free, Weight.Small));
    }

    private static void Free(void* negotiation) => Native.accp_negotiation_free(negotiation);

    /// <summary>Names the tokenizer that this side counts by. Before the first <see cref="Next"/>.</summary>
    public void SetTokenizer(string name)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_negotiation_set_tokenizer(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Names what this side's sessions can do. Before the first <see cref="Next"/>.</summary>
    public void SetFeatures(AccpFeatures features)
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_set_features(call.Pointer, (uint)features, &error), error);
    }

    /// <summary>Sets how many bytes of a delta go in one frame: 64 to 8,192. Before the first <see cref="Next"/>.</summary>
    public void SetChunkBytes(int bytes)
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_set_chunk_bytes(call.Pointer, Arg.Unsigned(bytes), &error), error);
    }

    /// <summary>Tells of a registry kept from before: it need not be sent again.</summary>
    public void Know(SchemaRegistry known)
    {
        ArgumentNullException.ThrowIfNull(known);
        using var call = Enter();
        using var use = known.Borrow();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_know(call.Pointer, use.Pointer, &error), error);
    }

    /// <summary>Takes in a frame <c>sync:registry</c> of the peer. A failure may have ended the negotiation: see <see cref="State"/>.</summary>
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
    public string? Next()
    {
        using var call = Enter();
        byte* result;
        nuint length;
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_next(call.Pointer, &result, &length, &error), error);
        return length == 0 ? null : Utf8.Decode(result, length);
    }

    /// <summary>Says that the peer has been silent for as long as the caller waits.</summary>
    public void Timeout()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_negotiation_timeout(call.Pointer, &error), error);
    }

    /// <summary>How far it has come.</summary>
    public NegotiationState State
    {
        get
        {
            using var call = Enter();
            return (NegotiationState)Native.accp_negotiation_get_state(call.Pointer);
        }
    }

    /// <summary>The extensions in force: what both sides named.</summary>
    public AccpExtensions Extensions
    {
        get
        {
            using var call = Enter();
            return (AccpExtensions)Native.accp_negotiation_get_extensions(call.Pointer);
        }
    }

    /// <summary>The features in force: what both sides named.</summary>
    public AccpFeatures Features
    {
        get
        {
            using var call = Enter();
            return (AccpFeatures)Native.accp_negotiation_get_features(call.Pointer);
        }
    }

    /// <summary>The registry in force, with an owner more; null where there is none.</summary>
    public SchemaRegistry? Registry()
    {
        using var call = Enter();
        return SchemaRegistry.Share(Native.accp_negotiation_registry(call.Pointer));
    }

    /// <summary>The peer's own registry, to be kept and told of in the next session; null where it is not known.</summary>
    public SchemaRegistry? Peer()
    {
        using var call = Enter();
        return SchemaRegistry.Share(Native.accp_negotiation_peer(call.Pointer));
    }

    /// <summary>The peer's tokenizer; empty where it named none.</summary>
    public string PeerTokenizer
    {
        get
        {
            using var call = Enter();
            nuint length;
            byte* name = Native.accp_negotiation_peer_tokenizer(call.Pointer, &length);
            return Utf8.Decode(name, length);
        }
    }
}
