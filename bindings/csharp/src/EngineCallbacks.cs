// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Accp.Interop;

namespace Accp;

// What the callbacks of an engine are given as `user`.
internal sealed record EngineHost(IExternalStore? Cold, RefResolver? Resolver, Summariser? Summariser, MessageLog? Log);

// The library calls on the thread of a session's call: what a callback throws waits there until that call is back, and what it answers stays until the next.
internal static unsafe class EngineCallbacks
{
    [ThreadStatic] private static ExceptionDispatchInfo? thrown;
    [ThreadStatic] private static byte[]? answer;

    internal static void Ok(int status, in ErrorDetail error)
    {
        if (thrown is { } first)
        {
            thrown = null;
            if (status != 0) first.Throw();
        }
        Check.Ok(status, error);
    }

    private static EngineHost Of(void* user) => (EngineHost)GCHandle.FromIntPtr((IntPtr)user).Target!;

    private static int Failed(Exception any)
    {
        if (any is AccpRefusalException refusal) return (int)refusal.Status;
        thrown ??= ExceptionDispatchInfo.Capture(any);
        return (int)AccpStatus.IO;
    }

    private static void Answer(ReadOnlySpan<byte> found, byte** text, nuint* length) => answer = Texts.Pin(found, text, length);

#pragma warning disable CA1031 // No exception crosses into the library.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static int OnSave(byte* key, nuint keyLength, byte* text, nuint length, void* user)
    {
        try
        {
            using var scope = new CallQueue.CallbackScope();
            Of(user).Cold!.Save(Utf8.Decode(key, keyLength), Utf8.Span(text, length));
            return 0;
        }
        catch (Exception any)
        {
            return Failed(any);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static int OnLoad(byte* key, nuint keyLength, byte** text, nuint* length, void* user)
    {
        try
        {
            using var scope = new CallQueue.CallbackScope();
            byte[]? found = Of(user).Cold!.Load(Utf8.Decode(key, keyLength));
            if (found == null) return (int)AccpStatus.RefNotFound;
            Answer(found, text, length);
            return 0;
        }
        catch (Exception any)
        {
            return Failed(any);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static int OnResolve(byte* name, nuint nameLength, byte** json, nuint* length, void* user)
    {
        try
        {
            using var scope = new CallQueue.CallbackScope();
            byte[]? found = Of(user).Resolver!(Utf8.Decode(name, nameLength));
            if (found == null) return (int)AccpStatus.RefNotFound;
            Answer(found, json, length);
            return 0;
        }
        catch (Exception any)
        {
            return Failed(any);
        }
    }

    // A summariser that throws has written none, and a log that throws has told nobody: the call goes on.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static int OnSummarise(byte* hot, nuint hotLength, uint maxTokens, byte** summary, nuint* length, void* user)
    {
        try
        {
            using var scope = new CallQueue.CallbackScope();
            string? made = Of(user).Summariser!(Utf8.Decode(hot, hotLength), checked((int)maxTokens));
            if (made == null) return 0;
            Answer(Utf8.Encode(made), summary, length);
            return 1;
        }
        catch (Exception)
        {
            return 0;
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void OnLog(int direction, int status, byte* text, nuint length, void* user)
    {
        try
        {
            using var scope = new CallQueue.CallbackScope();
            Of(user).Log!(direction != 0, (AccpStatus)status, Utf8.Decode(text, length));
        }
        catch (Exception)
        {
        }
    }
#pragma warning restore CA1031
}
