// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Accp.Interop;

namespace Accp;

/// <summary>The twelve intents (specification 4.1), in its order.</summary>
public enum AccpIntent
{
    /// <summary>req: a request.</summary>
    Req = 0,
    /// <summary>done: its result.</summary>
    Done = 1,
    /// <summary>fail: a failure.</summary>
    Fail = 2,
    /// <summary>wait: the result takes longer.</summary>
    Wait = 3,
    /// <summary>esc: another agent has to decide.</summary>
    Esc = 4,
    /// <summary>comp: context is compressed.</summary>
    Comp = 5,
    /// <summary>sync: state.</summary>
    Sync = 6,
    /// <summary>qry: a question.</summary>
    Qry = 7,
    /// <summary>ack: confirms receipt.</summary>
    Ack = 8,
    /// <summary>cancel: ends a chain.</summary>
    Cancel = 9,
    /// <summary>stream: a chunk.</summary>
    Stream = 10,
    /// <summary>end: ends a stream or session.</summary>
    End = 11,
}

/// <summary>Codes of intents in frames.</summary>
public static unsafe class AccpIntents
{
    /// <summary>The code of an intent: <c>req</c>.</summary>
    public static string ToCode(this AccpIntent intent)
    {
        byte* code = Native.accp_intent_name((int)intent);
        if (code == null) throw new AccpInvalidIntentException();
        return Utf8.Static(code);
    }

    /// <summary>Returns the intent of a code.</summary>
    /// <exception cref="AccpInvalidIntentException">Not one of the twelve.</exception>
    public static AccpIntent Parse(Utf8Text code)
    {
        code.Check(nameof(code));
        fixed (byte* bytes = code)
        {
            int found = Native.accp_intent_find(bytes, code.Length);
            return found < 0 ? throw new AccpInvalidIntentException() : (AccpIntent)found;
        }
    }
}
