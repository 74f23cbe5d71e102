// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Accp.Interop;

// The replies of a model to one prompt so far. The library needs a reply at once, but a model takes
// time. So a call without the reply is abandoned, and repeated when the reply has come. The same
// prompt causes the same questions, so each call gets one reply further.
internal sealed unsafe class ModelTalk
{
    private readonly List<byte[]> answers = [];
    private int given;
    private byte[]? lent;  // the library reads it until its next question

    // The next question for the model; null: the last call needed none.
    internal ModelRequest? Asked { get; private set; }

    internal void Add(byte[] answer) => answers.Add(answer);

    internal void Begin() => (given, Asked) = (0, null);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static int OnModel(byte* prompt, nuint promptLength, byte* specification, nuint specificationLength, byte* refused, nuint refusedLength, AccpText* answer, void* user)
    {
#pragma warning disable CA1031 // No exception crosses into the library.
        try
        {
            var talk = (ModelTalk)GCHandle.FromIntPtr((IntPtr)user).Target!;
            if (talk.given < talk.answers.Count)
            {
                talk.lent = Texts.Pin(talk.answers[talk.given++], answer);
                return 0;
            }
            talk.Asked = new ModelRequest(Utf8.Decode(prompt, promptLength), Utf8.Decode(specification, specificationLength), Utf8.Decode(refused, refusedLength));
            return (int)AccpStatus.IO;
        }
        catch
        {
            return (int)AccpStatus.OutOfMemory;
        }
#pragma warning restore CA1031
    }
}
