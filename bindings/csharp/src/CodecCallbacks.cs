// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Accp.Interop;

namespace Accp;

/// <summary>
/// What a ref of an incoming frame stands for: JSON, in which an object <c>{"$ref":"warm.other"}</c> is a ref in its turn; null: it names nothing (E2001). Throw
/// <see cref="AccpRefusalException"/> for another answer of the error model.
/// </summary>
public delegate byte[]? RefResolver(string name);

/// <summary>Keeps a value that leaves by reference, and says under which name the peer can resolve it, such as <c>warm.key</c>; null: it stays inline.</summary>
public delegate string? ValueKeeper(ReadOnlySpan<byte> json);

/// <summary>Looks a tool up: OK, <see cref="AccpStatus.ToolNotFound"/>, <see cref="AccpStatus.ToolSchemaMismatch"/>, or another code of the error model.</summary>
/// <param name="name">Of the tool.</param>
/// <param name="arguments">As JSON; empty: none.</param>
public delegate AccpStatus ToolLookup(string name, ReadOnlySpan<byte> arguments);

/// <summary>Asked about each message: OK, <see cref="AccpStatus.PolicyDenied"/>, or another code of the error model.</summary>
public delegate AccpStatus MessagePolicy(PolicyCase asked);

/// <summary>Gives the next part of a message in parts its envelope, which comes as that of the first part.</summary>
public delegate AccpEnvelope PartEnvelope(AccpEnvelope first);

/// <summary>Takes one line of a debug log: a message as render text, or a refusal.</summary>
public delegate void MessageLog(bool isReceived, AccpStatus status, string text);

/// <summary>What a policy is asked about.</summary>
/// <param name="IsReceived">Decoded; else encoded.</param>
/// <param name="IsUntrusted">It came from outside.</param>
/// <param name="Agent">Who says it.</param>
/// <param name="Intent">The code of its intent.</param>
/// <param name="Operation">Its operation.</param>
/// <param name="Schema">The code of its schema; empty: none.</param>
/// <param name="Json">The message.</param>
public sealed record PolicyCase(bool IsReceived, bool IsUntrusted, string Agent, string Intent, string Operation, string Schema, string Json);

/// <summary>Thrown by a callback to answer with a code of the error model; the call then fails with it, at the right byte.</summary>
public sealed class AccpRefusalException(AccpStatus status) : Exception(status.ToString())
{
    /// <summary>The answer.</summary>
    public AccpStatus Status { get; } = status;
}

// What the callbacks of a codec are given as `user`. Nothing is thrown into the library: an exception waits here until the call is back.
internal sealed unsafe class CodecHost
{
    internal RefResolver? Resolver;
    internal ValueKeeper? Keeper;
    internal ToolLookup? Tools;
    internal MessagePolicy? Policy;
    internal PartEnvelope? Splitting;
    internal MessageLog? Log;
    private ExceptionDispatchInfo? thrown;
    private byte[]? answer;
    private AccpEnvelope.Data? part;

    internal void Ok(int status, in ErrorDetail error)
    {
        answer = null;
        part?.Dispose();
        part = null;
        if (thrown is { } first)
        {
            thrown = null;
            first.Throw();
        }
        Check.Ok(status, error);
    }

    internal int Run(Func<int> callback)
    {
#pragma warning disable CA1031 // No exception crosses into the library.
        try
        {
            using var scope = new CallQueue.CallbackScope();
            return thrown == null ? callback() : (int)AccpStatus.IO;
        }
        catch (AccpRefusalException refusal)
        {
            return (int)refusal.Status;
        }
        catch (Exception any)
        {
            thrown ??= ExceptionDispatchInfo.Capture(any);
            return (int)AccpStatus.IO;
        }
#pragma warning restore CA1031
    }

    internal void Answer(ReadOnlySpan<byte> text, byte** result, nuint* length) => answer = Texts.Pin(text, result, length);

    internal int NextPart(EnvelopeData* envelope)
    {
        var next = new AccpEnvelope.Data(Splitting!(new AccpEnvelope(*envelope)));
        part?.Dispose();
        part = next;
        *envelope = *next.Pointer();
        return 0;
    }
}

public sealed unsafe partial class FrameCodec
{
    private static CodecHost Of(void* user) => (CodecHost)GCHandle.FromIntPtr((IntPtr)user).Target!;

    private void* User => Shared.HostPointer;

    /// <summary>Who resolves the refs of what is decoded; null: nobody.</summary>
    public void SetResolver(RefResolver? resolver)
    {
        Set((codec, error) =>
        {
            host.Resolver = resolver;
            return Native.accp_codec_set_resolver(codec, resolver == null ? null : (delegate* unmanaged[Cdecl]<byte*, nuint, byte**, nuint*, void*, int>)&OnResolve, User, error);
        });
    }

    /// <summary>Who keeps long or deep values of what is encoded, where the peer can resolve refs; null: nobody.</summary>
    public void SetKeeper(ValueKeeper? keeper)
    {
        Set((codec, error) =>
        {
            host.Keeper = keeper;
            return Native.accp_codec_set_keeper(codec, keeper == null ? null : (delegate* unmanaged[Cdecl]<byte*, nuint, byte**, nuint*, void*, int>)&OnKeep, User, error);
        });
    }

    /// <summary>The tool lookup, asked of requests under the schema TC; null: nobody.</summary>
    public void SetTools(ToolLookup? tools)
    {
        Set((codec, error) =>
        {
            host.Tools = tools;
            return Native.accp_codec_set_tools(codec, tools == null ? null : (delegate* unmanaged[Cdecl]<byte*, nuint, byte*, nuint, void*, int>)&OnTool, User, error);
        });
    }

    /// <summary>The policy; null: none.</summary>
    public void SetPolicy(MessagePolicy? policy)
    {
        Set((codec, error) =>
        {
            host.Policy = policy;
            return Native.accp_codec_set_policy(codec, policy == null ? null : (delegate* unmanaged[Cdecl]<PolicyCaseData*, void*, int>)&OnPolicy, User, error);
        });
    }

    /// <summary>Lets a message go in parts where it is over <see cref="SetMaxTokens"/>; null: no parts.</summary>
    public void SetSplitting(PartEnvelope? next)
    {
        Set((codec, error) =>
        {
            host.Splitting = next;
            return Native.accp_codec_set_splitting(codec, next == null ? null : (delegate* unmanaged[Cdecl]<EnvelopeData*, void*, int>)&OnPart, User, error);
        });
    }

    /// <summary>Who is told of every message and every refusal (specification 9.1); null: nobody.</summary>
    public void SetLog(MessageLog? log)
    {
        Set((codec, error) =>
        {
            host.Log = log;
            return Native.accp_codec_set_log(codec, log == null ? null : (delegate* unmanaged[Cdecl]<int, int, byte*, nuint, void*, void>)&OnLog, User, error);
        });
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnResolve(byte* name, nuint length, byte** json, nuint* jsonLength, void* user)
    {
        CodecHost host = Of(user);
        return host.Run(() =>
        {
            byte[]? found = host.Resolver!(Utf8.Decode(name, length));
            if (found == null) return (int)AccpStatus.RefNotFound;
            host.Answer(found, json, jsonLength);
            return 0;
        });
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnKeep(byte* json, nuint length, byte** name, nuint* nameLength, void* user)
    {
        CodecHost host = Of(user);
        return host.Run(() =>
        {
            host.Answer(Utf8.Encode(host.Keeper!(Utf8.Span(json, length)) ?? ""), name, nameLength);
            return 0;
        });
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnTool(byte* name, nuint length, byte* arguments, nuint argumentsLength, void* user)
    {
        CodecHost host = Of(user);
        return host.Run(() => (int)host.Tools!(Utf8.Decode(name, length), Utf8.Span(arguments, argumentsLength)));
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnPolicy(PolicyCaseData* asked, void* user)
    {
        CodecHost host = Of(user);
        return host.Run(() => (int)host.Policy!(new PolicyCase(asked->Direction != 0, asked->Untrusted != 0, asked->Agent.ToString(), asked->Intent.ToString(),
            asked->Operation.ToString(), asked->Schema.ToString(), asked->Text.ToString())));
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnPart(EnvelopeData* envelope, void* user)
    {
        CodecHost host = Of(user);
        return host.Run(() => host.NextPart(envelope));
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnLog(int direction, int status, byte* text, nuint length, void* user)
    {
        CodecHost host = Of(user);
        _ = host.Run(() =>
        {
            host.Log!(direction != 0, (AccpStatus)status, Utf8.Decode(text, length));
            return 0;
        });
    }
}
