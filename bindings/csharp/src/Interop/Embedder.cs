// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Accp.Interop;

// Vectors of a host in memory that does not move, until the next ones.
internal sealed unsafe class PinnedVectors
{
    private float[] numbers = [];
    private byte[] model = [], reason = [];

    internal int Fill(TextEmbedder embed, AccpText* texts, nuint count, VectorsData* result)
    {
        string[] given = new string[count];
        for (int i = 0; i < given.Length; ++i) given[i] = texts[i].ToString();
        TextVectors made = embed(given);
        int length = made.Vectors.Count == 0 ? 0 : made.Vectors[0].Length;
        if (numbers.Length < made.Vectors.Count * length) numbers = GC.AllocateUninitializedArray<float>(made.Vectors.Count * length, pinned: true);
        for (int i = 0; i < made.Vectors.Count; ++i)
        {
            if (made.Vectors[i].Length != length)
            {
                reason = Texts.Pin("vectors of different lengths"u8.ToArray(), &result->Reason);
                return (int)AccpStatus.Argument;
            }
            made.Vectors[i].Span.CopyTo(numbers.AsSpan(i * length));
        }
        result->Numbers = numbers.Length == 0 ? null : (float*)Marshal.UnsafeAddrOfPinnedArrayElement(numbers, 0);
        (result->Count, result->Dimension) = ((nuint)made.Vectors.Count, (nuint)length);
        model = Texts.Pin(Utf8.Encode(made.Model), &result->Model);
        return 0;
    }
}

// A host's function for vectors, during one call.
internal sealed unsafe class Embedder : IDisposable
{
    private readonly TextEmbedder embed;
    private readonly PinnedVectors vectors = new();
    private GCHandle self;
    private ExceptionDispatchInfo? thrown;

    internal Embedder(TextEmbedder embed)
    {
        this.embed = embed;
        self = GCHandle.Alloc(this);
    }

    internal static void* Function => (delegate* unmanaged[Cdecl]<AccpText*, nuint, VectorsData*, void*, int>)&OnEmbed;

    internal void* User => (void*)GCHandle.ToIntPtr(self);

    internal void Throw() => thrown?.Throw();

    public void Dispose() => self.Free();

#pragma warning disable CA1031 // No exception crosses into the library.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnEmbed(AccpText* texts, nuint count, VectorsData* result, void* user)
    {
        var own = (Embedder)GCHandle.FromIntPtr((IntPtr)user).Target!;
        try
        {
            return own.vectors.Fill(own.embed, texts, count, result);
        }
        catch (Exception any)
        {
            own.thrown = ExceptionDispatchInfo.Capture(any);
            return (int)AccpStatus.IO;
        }
    }
#pragma warning restore CA1031
}
