// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Accp.Interop;

namespace Accp;

/// <summary>
/// Counts the tokens of a text with the host's own tokenizer, on the thread of the caller.
/// </summary>
public delegate long TokenCount(ReadOnlySpan<byte> text);

/// <summary>One vocabulary. Constant: any number of threads may use it at once.</summary>
public sealed unsafe class AccpTokenizer : NativeObject
{
    private AccpTokenizer(Handle made) : base(made) { }

    private static void Free(void* tokenizer) => Native.accp_tokenizer_free(tokenizer);

    /// <summary>
    /// The names of the built-in tokenizers: <c>o200k_base</c>, <c>cl100k_base</c>, and
    /// <c>approx</c>, which estimates.
    /// </summary>
    public static IReadOnlyList<string> BuiltIn()
    {
        var names = new List<string>();
        for (uint i = 0; Native.accp_tokenizer_builtin_name(i) is var name && name != null; ++i) names.Add(Utf8.Static(name));
        return names;
    }

    /// <summary>Returns a built-in tokenizer.</summary>
    public static AccpTokenizer Open(string name)
    {
        LibraryResolver.CheckAbi();
        Utf8Text text = Utf8Text.Of(name);
        void* made;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_tokenizer_new(bytes, text.Length, null, &made, &error), error);
        return new AccpTokenizer(new Handle(made, &Free, Weight.Tokenizer));
    }

    /// <summary>
    /// Makes a tokenizer from the text of a <c>.tiktoken</c> file, and the pattern that cuts text
    /// before merging: <c>o200k_base</c>, <c>cl100k_base</c>, <c>gpt2</c>, <c>llama3</c>, ….
    /// </summary>
    public static AccpTokenizer LoadTiktoken(string name, string pattern, Utf8Text file)
    {
        file.Check(nameof(file));
        Utf8Text called = Utf8Text.Of(name), cut = Utf8Text.Of(pattern);
        void* made;
        ErrorDetail error;
        fixed (byte* nameBytes = called, cutBytes = cut, bytes = file)
            Check.Ok(Native.accp_tokenizer_new_tiktoken(nameBytes, called.Length, cutBytes, cut.Length, bytes, file.Length, null, &made, &error), error);
        return new AccpTokenizer(new Handle(made, &Free, Weight.Tokenizer));
    }

    /// <summary>
    /// Makes a tokenizer from the text of a Hugging Face <c>tokenizer.json</c> with a byte-level
    /// BPE model.
    /// </summary>
    public static AccpTokenizer LoadJson(string name, Utf8Text file)
    {
        file.Check(nameof(file));
        Utf8Text called = Utf8Text.Of(name);
        void* made;
        ErrorDetail error;
        fixed (byte* nameBytes = called, bytes = file)
            Check.Ok(Native.accp_tokenizer_new_json(nameBytes, called.Length, bytes, file.Length, null, &made, &error), error);
        return new AccpTokenizer(new Handle(made, &Free, Weight.Tokenizer));
    }

    /// <summary>
    /// Makes a tokenizer that calls the host. Its exception, or a negative count, becomes
    /// <see cref="AccpIOException"/> for the caller, with the exception as its inner one.
    /// </summary>
    public static AccpTokenizer FromHost(string name, bool isApproximate, TokenCount count)
    {
        ArgumentNullException.ThrowIfNull(count);
        Utf8Text called = Utf8Text.Of(name);
        GCHandle host = GCHandle.Alloc(count);
        void* made;
        ErrorDetail error;
        int status;
        fixed (byte* bytes = called)
            status = Native.accp_tokenizer_new_callback(bytes, called.Length, isApproximate ? 1 : 0, (delegate* unmanaged[Cdecl]<byte*, nuint, void*, long>)&Count,
                (void*)GCHandle.ToIntPtr(host), null, &made, &error);
        if (status != 0)
        {
            host.Free();
            throw Check.Exception(status, error);
        }
        var handle = new Handle(made, &Free, Weight.Tokenizer);
        handle.Host(host);
        return new AccpTokenizer(handle);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static long Count(byte* text, nuint length, void* user)
    {
#pragma warning disable CA1031 // No exception crosses into the library.
        try
        {
            using var scope = new CallQueue.CallbackScope();
            return ((TokenCount)GCHandle.FromIntPtr((IntPtr)user).Target!)(Utf8.Span(text, length));
        }
        catch (Exception any)
        {
            Check.ThrownByHost = any;
            return -1;
        }
#pragma warning restore CA1031
    }

    /// <summary>Its name.</summary>
    public string Name
    {
        get
        {
            using var use = Borrow();
            return Native.accp_tokenizer_name(use.Pointer).ToString();
        }
    }

    /// <summary>Whether its counts are estimates; show them as such.</summary>
    public bool IsApproximate
    {
        get
        {
            using var use = Borrow();
            return Native.accp_tokenizer_is_approximate(use.Pointer) != 0;
        }
    }

    /// <summary>The number of tokens in the vocabulary; 0 without a vocabulary.</summary>
    public int Size
    {
        get
        {
            using var use = Borrow();
            return checked((int)Native.accp_tokenizer_token_count(use.Pointer));
        }
    }
}

/// <summary>Counts with one tokenizer.</summary>
public sealed unsafe class TokenCounter : ExclusiveObject
{
    /// <summary>Makes a counter; config null: all defaults.</summary>
    public TokenCounter(AccpTokenizer tokenizer, AccpConfig? config = null)
    {
        ArgumentNullException.ThrowIfNull(tokenizer);
        using var made = new NativeConfig(config);
        using var use = tokenizer.Borrow();
        void* counter;
        ErrorDetail error;
        Check.Ok(Native.accp_counter_new(use.Pointer, made.Pointer, &counter, &error), error);
        Own(new Handle(counter, &Free, Weight.Counter, tokenizer.Shared));
    }

    private static void Free(void* counter) => Native.accp_counter_free(counter);

    /// <summary>
    /// Returns the tokens of a text, or <paramref name="max"/> + 1 if there are more; counting
    /// stops there.
    /// </summary>
    public long Count(Utf8Text text, long max = long.MaxValue)
    {
        text.Check(nameof(text));
        using var call = Enter();
        ulong tokens;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_counter_count(call.Pointer, bytes, text.Length, Arg.Unsigned(max), &tokens, &error), error);
        return checked((long)tokens);
    }

    /// <summary>Returns the ids of a text's tokens.</summary>
    public int[] Encode(Utf8Text text)
    {
        text.Check(nameof(text));
        using var call = Enter();
        uint* ids;
        nuint count;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_counter_encode(call.Pointer, bytes, text.Length, &ids, &count, &error), error);
        return new ReadOnlySpan<int>(ids, checked((int)count)).ToArray();
    }

    /// <summary>Returns the bytes of ids; single tokens may be parts of characters.</summary>
    public byte[] Decode(ReadOnlySpan<int> ids)
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (int* first = ids)
            Check.Ok(Native.accp_counter_decode(call.Pointer, (uint*)first, (nuint)ids.Length, &text, &error), error);
        return text.Span.ToArray();
    }

    /// <summary>Adds to a growing text, which may be cut anywhere.</summary>
    public void Append(Utf8Text text)
    {
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_counter_append(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>
    /// Returns the tokens of all text since <see cref="Reset"/>, counted as one text.
    /// </summary>
    public long Total()
    {
        using var call = Enter();
        ulong tokens;
        ErrorDetail error;
        Check.Ok(Native.accp_counter_total(call.Pointer, &tokens, &error), error);
        return checked((long)tokens);
    }

    /// <summary>Drops the appended text.</summary>
    public void Reset()
    {
        using var call = Enter();
        Native.accp_counter_reset(call.Pointer);
    }
}
