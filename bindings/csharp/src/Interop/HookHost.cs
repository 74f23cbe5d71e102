// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Accp.Interop;

// The host's functions of a config at the time of construction: the `user` of the library's hooks.
// They run on the thread of the object's call. No exception passes through the library: it waits
// until that call returns, and so do the functions' results.
internal sealed unsafe class HookHost : IDisposable
{
    [ThreadStatic] private static Pending? pending;  // belongs to the innermost call on this thread

    private sealed class Pending
    {
        internal ExceptionDispatchInfo? Thrown, ThrownByLog;
        internal byte[]? Resolved, Kept, Summary, Loaded, Items;
        internal readonly PinnedVectors Vectors = new();
        internal AccpEnvelope.Data? Envelope;
    }

    private readonly RefResolver? resolver;
    private readonly ValueKeeper? keeper;
    private readonly PartEnvelope? nextEnvelope;
    private readonly ToolLookup? tools;
    private readonly MessagePolicy? policy;
    private readonly MessageLog? log;
    private readonly SessionEvents? events;
    private readonly Summariser? summariser;
    private readonly PacketExtractor? extractor;
    private readonly TextEmbedder? embedder;
    private readonly IExternalStore? cold;
    private readonly bool traces;
    private GCHandle self;

    internal HookHost(AccpConfig config)
    {
        (resolver, keeper, nextEnvelope, tools) = (config.Resolver, config.Keeper, config.NextEnvelope, config.Tools);
        (policy, log, events, summariser, cold) = (config.Policy, config.Log, config.Events, config.Summariser, config.ColdStore);
        (extractor, embedder) = (config.Extractor, config.Embedder);
        traces = config.Traces ?? Telemetry.HasListeners;
        self = GCHandle.Alloc(this);
    }

    // For the owner that frees it after the object.
    internal GCHandle Release()
    {
        GCHandle released = self;
        self = default;
        return released;
    }

    public void Dispose()
    {
        if (self.IsAllocated) self.Free();
    }

    internal HooksData Data() => new()
    {
        Size = (nuint)sizeof(HooksData),
        User = (void*)GCHandle.ToIntPtr(self),
        Resolve = resolver == null ? null : &OnResolve,
        Keep = keeper == null ? null : &OnKeep,
        NextEnvelope = nextEnvelope == null ? null : &OnNextEnvelope,
        CheckTool = tools == null ? null : &OnCheckTool,
        CheckPolicy = policy == null ? null : &OnCheckPolicy,
        Log = log == null ? null : &OnLog,
        Summarise = summariser == null ? null : &OnSummarise,
        ColdPut = cold == null ? null : &OnColdPut,
        ColdGet = cold == null ? null : &OnColdGet,
        Event = events == null && !traces ? null : &OnEvent,
        Extract = extractor == null ? null : &OnExtract,
        Embed = embedder == null ? null : &OnEmbed,
    };

    // Runs after each call of an object with hooks. An exception of a codec's log also fails the
    // call; a session's does not.
    internal static void Ok(int status, in ErrorDetail error, bool withLog = false)
    {
        ThrowPending(status, withLog);
        Check.Ok(status, error);
    }

    internal static void ThrowPending(int status, bool withLog = false)
    {
        if (pending is not { } left) return;
        pending = null;
        left.Envelope?.Dispose();
        if (status != 0) left.Thrown?.Throw();
        if (withLog) left.ThrownByLog?.Throw();
    }

#pragma warning disable CA1031 // No exception crosses into the library.
    private static int Run(void* user, Func<HookHost, Pending, int> callback)
    {
        var host = (HookHost)GCHandle.FromIntPtr((IntPtr)user).Target!;
        Pending own = pending ?? new Pending();
        DateTime began = Telemetry.CallBegan;
        pending = null;  // the callback's own calls have their own
        try
        {
            using var scope = new CallQueue.CallbackScope();
            return callback(host, own);
        }
        catch (AccpRefusalException refusal)
        {
            return (int)refusal.Status;
        }
        catch (Exception any)
        {
            own.Thrown ??= ExceptionDispatchInfo.Capture(any);
            return (int)AccpStatus.IO;
        }
        finally
        {
            pending = own;
            Telemetry.CallBegan = began;
        }
    }

    private static int Found(byte[]? found, ref byte[]? answer, AccpText* text)
    {
        if (found == null) return (int)AccpStatus.RefNotFound;
        answer = Texts.Pin(found, text);
        return 0;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnResolve(byte* name, nuint length, AccpText* json, void* user) =>
        Run(user, (host, own) => Found(host.resolver!(Utf8.Decode(name, length)), ref own.Resolved, json));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnKeep(byte* json, nuint length, AccpText* name, void* user) =>
        Run(user, (host, own) => Found(Utf8.Encode(host.keeper!(Utf8.Span(json, length)) ?? ""), ref own.Kept, name));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnExtract(byte* json, nuint length, AccpText* items, void* user) =>
        Run(user, (host, own) => Found(Utf8.Encode(host.extractor!(Utf8.Decode(json, length)) ?? ""), ref own.Items, items));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnEmbed(AccpText* texts, nuint count, VectorsData* vectors, void* user) =>
        Run(user, (host, own) => own.Vectors.Fill(host.embedder!, texts, count, vectors));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnNextEnvelope(EnvelopeData* envelope, void* user) => Run(user, (host, own) =>
    {
        var next = new AccpEnvelope.Data(host.nextEnvelope!(new AccpEnvelope(*envelope)));
        own.Envelope?.Dispose();
        own.Envelope = next;
        *envelope = *next.Pointer();
        return 0;
    });

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnCheckTool(byte* name, nuint length, byte* arguments, nuint argumentsLength, void* user) =>
        Run(user, (host, _) => (int)host.tools!(Utf8.Decode(name, length), Utf8.Span(arguments, argumentsLength)));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnCheckPolicy(PolicyCaseData* asked, void* user) =>
        Run(user, (host, _) => (int)host.policy!(new PolicyCase(asked->Direction != 0, asked->Untrusted != 0, asked->Agent.ToString(), asked->Intent.ToString(),
            asked->Operation.ToString(), asked->Schema.ToString(), asked->Text.ToString())));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnLog(int direction, int status, byte* text, nuint length, void* user) => Run(user, (host, own) =>
    {
        try
        {
            string line = Utf8.Decode(text, length);
            host.log!(direction != 0, (AccpStatus)status, status == 0 ? line : Wording.Of(line));
        }
        catch (Exception any)
        {
            own.ThrownByLog ??= ExceptionDispatchInfo.Capture(any);
        }
        return 0;
    });

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnEvent(EventData* told, void* user) => Run(user, (host, own) =>
    {
        try
        {
            var made = new SessionEvent((SessionEventKind)told->Kind, (AccpStatus)told->Status, told->Direction != 0, told->Seq, (long)told->Bytes, (long)told->Tokens,
                told->Session.ToString(), told->Agent.ToString(), told->Mid.ToString(), told->Cid.ToString(), told->Aid.ToString())
            {
                Messages = (long)told->Count, HistoryTokens = (long)told->History, CachedTokens = (long)told->Cached, WrittenTokens = (long)told->Written,
            };
            if (host.traces) Telemetry.Trace(made);
            host.events?.Invoke(made);
        }
        catch (Exception any)
        {
            own.ThrownByLog ??= ExceptionDispatchInfo.Capture(any);
        }
        return 0;
    });

    // A callback that throws has written none.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnSummarise(byte* hot, nuint length, uint maxTokens, AccpText* summary, void* user) => Run(user, (host, own) =>
    {
        try
        {
            return host.summariser!(Utf8.Decode(hot, length), checked((int)maxTokens)) is { } made && Found(Utf8.Encode(made), ref own.Summary, summary) == 0 ? 1 : 0;
        }
        catch (Exception)
        {
            return 0;
        }
    });
#pragma warning restore CA1031

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnColdPut(byte* key, nuint keyLength, byte* text, nuint length, void* user) => Run(user, (host, _) =>
    {
        host.cold!.Save(Utf8.Decode(key, keyLength), Utf8.Span(text, length));
        return 0;
    });

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int OnColdGet(byte* key, nuint length, AccpText* text, void* user) =>
        Run(user, (host, own) => Found(host.cold!.Load(Utf8.Decode(key, length)), ref own.Loaded, text));
}
