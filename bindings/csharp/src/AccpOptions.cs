// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>Which frames are taken.</summary>
public enum AccpDialect
{
    /// <summary>The specification's grammar, exactly.</summary>
    Strict = 0,
    /// <summary>Reading only: also a bare <c>@name</c> as a value, a bare <c>:</c> in an array element, null as removal inside <c>delta</c>.</summary>
    Compat = 1,
    /// <summary>Also raw non-ASCII code points inside strings.</summary>
    U8 = 2,
}

/// <summary>Extensions to the specification. Each is in force only where both sides have named it.</summary>
[Flags]
public enum AccpExtensions
{
    /// <summary>The bare specification.</summary>
    None = 0,
    /// <summary>Any JSON value, without loss, inside the strict grammar.</summary>
    Q1 = 1,
    /// <summary>An array of like objects as a table.</summary>
    T1 = 2,
    /// <summary>Strings carry raw non-ASCII code points.</summary>
    U8 = 4,
    /// <summary>Payloads by position, under a schema of the agreed registry. To be negotiated.</summary>
    P1 = 8,
}

/// <summary>Limits; beyond one a text is refused, never cut.</summary>
public enum AccpLimit
{
    /// <summary>One frame.</summary>
    FrameBytes = 0,
    /// <summary>Params of a payload, pairs of a metadata block.</summary>
    Params = 1,
    /// <summary>Elements of one array, entries of one map.</summary>
    Items = 2,
    /// <summary>One key, agent, intent, operation or ref.</summary>
    KeyBytes = 3,
    /// <summary>Arrays and maps inside one another, in a frame.</summary>
    Depth = 4,
    /// <summary>One JSON text.</summary>
    JsonBytes = 5,
    /// <summary>Arrays and maps inside one another, in JSON.</summary>
    JsonDepth = 6,
    /// <summary>What one handle may hold.</summary>
    MemoryBytes = 7,
}

/// <summary>How an object behaves. Read when it is made.</summary>
public sealed class AccpOptions
{
    /// <summary>The dialect that frames are read in.</summary>
    public AccpDialect Dialect { get; set; }

    /// <summary>The extensions in force, of objects without a registry.</summary>
    public AccpExtensions Extensions { get; set; } = AccpExtensions.Q1;

    /// <summary>Payload keys are abbreviated when encoding and expanded when decoding (specification 4.2): both sides must have it.</summary>
    public bool Abbreviate { get; set; }

    /// <summary>Decoding writes a ref as <c>{"$ref":"warm.key"}</c>, and encoding makes a ref of such an object.</summary>
    public bool KeepRefs { get; set; }

    /// <summary>Limits other than the library's.</summary>
    public IDictionary<AccpLimit, long> Limits { get; } = new Dictionary<AccpLimit, long>();

    /// <summary>Members of a JSON message to pass over when encoding, where they would be refused.</summary>
    public IList<string> Ignore { get; } = new List<string>();

    /// <summary>How many pieces of text a counter remembers the counts of; 0: the library's default.</summary>
    public int TokenCache { get; set; }

    /// <summary>The value that a limit has where nobody set it.</summary>
    public static unsafe long Default(AccpLimit limit) => checked((long)Native.accp_limit_default((int)limit));

    /// <summary>The name of a limit, such as <c>frame_bytes</c>.</summary>
    public static unsafe string Name(AccpLimit limit) => Utf8.Static(Native.accp_limit_name((int)limit));

    // The library's own, for one call: null for null.
    internal readonly unsafe ref struct Made
    {
        internal readonly void* Pointer;

        internal Made(AccpOptions? options)
        {
            Pointer = null;
            if (options == null) return;
            void* made;
            ErrorDetail error;
            Check.Ok(Native.accp_options_new(&made, &error), error);
            Pointer = made;
            try
            {
                options.Fill(made);
            }
            catch
            {
                Native.accp_options_free(made);
                throw;
            }
        }

        public void Dispose() => Native.accp_options_free(Pointer);
    }

    private unsafe void Fill(void* made)
    {
        ErrorDetail error;
        Check.Ok(Native.accp_options_set_dialect(made, (int)Dialect, &error), error);
        Check.Ok(Native.accp_options_set_extensions(made, (uint)Extensions, &error), error);
        Check.Ok(Native.accp_options_set_abbreviate(made, Abbreviate ? 1 : 0, &error), error);
        Check.Ok(Native.accp_options_set_keep_refs(made, KeepRefs ? 1 : 0, &error), error);
        foreach (KeyValuePair<AccpLimit, long> limit in Limits)
            Check.Ok(Native.accp_options_set_limit(made, (int)limit.Key, Arg.Unsigned(limit.Value), &error), error);
        foreach (string name in Ignore)
        {
            Utf8Text text = Utf8Text.Of(name);
            fixed (byte* bytes = text) Check.Ok(Native.accp_options_ignore(made, bytes, text.Length, &error), error);
        }
        if (TokenCache != 0) Check.Ok(Native.accp_options_set_token_cache(made, Arg.Unsigned(TokenCache), &error), error);
    }
}
