// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;
using Accp.Interop;

namespace Accp;

/// <summary>The standard envelope of a frame (specification 3.5); null: the field is absent.</summary>
public sealed record AccpEnvelope
{
    /// <summary>The id of the message.</summary>
    public string? Mid { get; init; }

    /// <summary>Its number in its session.</summary>
    public long? Seq { get; init; }

    /// <summary>Time of sending, in seconds since the epoch.</summary>
    public long? Ts { get; init; }

    /// <summary>The correlation id of its chain.</summary>
    public string? Cid { get; init; }

    /// <summary>The mid of its cause.</summary>
    public string? Aid { get; init; }

    /// <summary>Its session.</summary>
    public string? Sid { get; init; }

    /// <summary>Its lifetime in seconds.</summary>
    public long? Ttl { get; init; }

    /// <summary>An empty envelope.</summary>
    public AccpEnvelope() { }

    internal AccpEnvelope(in EnvelopeData read)
    {
        if ((read.Fields & 1) != 0) Mid = read.Mid.ToString();
        if ((read.Fields & 2) != 0) Seq = read.Seq;
        if ((read.Fields & 4) != 0) Ts = read.Ts;
        if ((read.Fields & 8) != 0) Cid = read.Cid.ToString();
        if ((read.Fields & 16) != 0) Aid = read.Aid.ToString();
        if ((read.Fields & 32) != 0) Sid = read.Sid.ToString();
        if ((read.Fields & 64) != 0) Ttl = read.Ttl;
    }

    // In the library's form, for one call.
    internal sealed unsafe class Data : IDisposable
    {
        private readonly EnvelopeData* data;

        internal Data(AccpEnvelope? from)
        {
            data = null;
            if (from == null) return;
            data = (EnvelopeData*)NativeMemory.AllocZeroed((nuint)sizeof(EnvelopeData));
            data->Fields = (from.Mid != null ? 1u : 0) | (from.Seq != null ? 2u : 0) | (from.Ts != null ? 4u : 0) | (from.Cid != null ? 8u : 0) |
                (from.Aid != null ? 16u : 0) | (from.Sid != null ? 32u : 0) | (from.Ttl != null ? 64u : 0);
            data->Seq = from.Seq ?? 0;
            data->Ts = from.Ts ?? 0;
            data->Ttl = from.Ttl ?? 0;
            data->Mid = Texts.Copy(from.Mid);
            data->Cid = Texts.Copy(from.Cid);
            data->Aid = Texts.Copy(from.Aid);
            data->Sid = Texts.Copy(from.Sid);
        }

        internal EnvelopeData* Pointer() => data;

        public void Dispose()
        {
            if (data == null) return;
            Texts.Free(data->Mid);
            Texts.Free(data->Cid);
            Texts.Free(data->Aid);
            Texts.Free(data->Sid);
            NativeMemory.Free(data);
        }
    }
}
