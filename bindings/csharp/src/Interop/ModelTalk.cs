// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Accp.Interop;

// What a model has answered to one prompt so far. The library's call asks for an answer at once, and a model takes its time: so a call that needs one which is not there yet is given up, and
// made again when it is. The same prompt asks the same, so each call comes one answer further.
internal sealed unsafe class ModelTalk
{
    private readonly List<byte[]> answers = [];
    private int given;
    private byte[]? lent;  // the library reads it until it asks again

    // What the model is to be asked; null: the last call needed nothing more.
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
