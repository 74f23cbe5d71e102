// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>What is refused, and why. There is one class for each code, all made of the library's own table.</summary>
public class AccpException : Exception
{
    /// <summary>Makes one. Tests make them too: nothing of the native library is needed.</summary>
    /// <param name="status">The code.</param>
    /// <param name="reason">What is wrong, in one line; empty: what the code means.</param>
    /// <param name="offset">The byte at fault; 0: none.</param>
    /// <param name="innerException">What caused it.</param>
    public AccpException(AccpStatus status, string reason = "", long offset = 0, Exception? innerException = null)
        : base($"{AccpExceptions.Entry(status).Code}{(offset == 0 ? "" : $" at byte {offset}")}: {(string.IsNullOrEmpty(reason) ? AccpExceptions.Entry(status).Meaning : reason)}",
            innerException)
    {
        Status = status;
        Offset = offset;
        Reason = reason ?? "";
    }

    /// <summary>The code's number.</summary>
    public AccpStatus Status { get; }

    /// <summary>The code as the wire has it, such as <c>E1001</c>.</summary>
    public string Code => AccpExceptions.Entry(Status).Code;

    /// <summary>The byte, counted from 0 in the text that was given, that cannot stand; 0 where no byte is at fault.</summary>
    public long Offset { get; }

    /// <summary>What is wrong, in one line.</summary>
    public string Reason { get; }

    /// <summary>How much there was, of what <see cref="Reason"/> names, if a limit was passed; for E3003 the number that came. Else null. Tests set it.</summary>
    public long? Found { get; set; }

    /// <summary>How much there may be; for E3003 the number that was awaited. Else null. Tests set it.</summary>
    public long? Allowed { get; set; }

    /// <summary>Why a text of SACP was refused, in its own codes; null where the exception is of none. Tests set it.</summary>
    public Verdict? Verdict { get; set; }

    /// <summary>Whether sending again may help (specification 3.6).</summary>
    public bool Retryable => AccpExceptions.Entry(Status).Retryable;
}

/// <summary>Where a code belongs: its first digit.</summary>
public enum AccpCategory
{
    /// <summary>No code of the specification.</summary>
    None = 0,
    /// <summary>E1xxx: parse, grammar.</summary>
    Parse = 1,
    /// <summary>E2xxx: the state store.</summary>
    State = 2,
    /// <summary>E3xxx: transport, delivery.</summary>
    Delivery = 3,
    /// <summary>E4xxx: tools, MCP.</summary>
    Tool = 4,
    /// <summary>E5xxx: policy, authorization.</summary>
    Policy = 5,
    /// <summary>E9xxx: internal, unknown.</summary>
    Internal = 9,
}

/// <summary>What the library's table says of a code.</summary>
public static unsafe class AccpCodes
{
    /// <summary>As on the wire: <c>E1001</c>; <c>UNKNOWN</c> for none.</summary>
    public static string Code(AccpStatus status) => Utf8.Static(Native.accp_status_code_name((int)status));

    /// <summary>Its name: <c>PARSE_ERROR</c>; <c>UNKNOWN</c> for none.</summary>
    public static string Name(AccpStatus status) => Utf8.Static(Native.accp_status_name((int)status));

    /// <summary>What it means, in one sentence; empty for none.</summary>
    public static string Meaning(AccpStatus status) => Utf8.Static(Native.accp_status_meaning((int)status));

    /// <summary>Whether sending again may help.</summary>
    public static bool Retryable(AccpStatus status) => Native.accp_status_retryable((int)status) != 0;

    /// <summary>Where it belongs.</summary>
    public static AccpCategory Category(AccpStatus status) => (AccpCategory)Native.accp_status_category((int)status);
}

/// <summary>Which library is loaded.</summary>
public static unsafe class AccpLibrary
{
    /// <summary>Its version, such as <c>1.0.0</c>.</summary>
    public static string Version => Utf8.Static(Native.accp_version());
}

internal static unsafe class Check
{
    // What a tokenizer of the host's threw in a call on this thread, which then fails with ERR_IO.
    [ThreadStatic] internal static Exception? ThrownByHost;

    internal static void Ok(int status, in ErrorDetail error)
    {
        if (status != 0) Throw(status, error);
    }

    private static void Throw(int status, in ErrorDetail error) => throw Exception(status, error);

    private static string Message(in ErrorDetail error)
    {
        string text = Wording.Of(Utf8.Static(error.Message));
        if (error.Limit == 0) return text;
        return text + (error.Code == (int)AccpStatus.SequenceGap ? $" (came {error.Had}, awaited {error.Limit})" : $" ({error.Had} of {error.Limit})");
    }

    // A callback's own exception goes first.
    internal static AccpException Exception(int status, in ErrorDetail error)
    {
        Exception? cause = status == (int)AccpStatus.IO ? ThrownByHost : null;
        ThrownByHost = null;
        if (error.Code != status) return AccpExceptions.Make(status, 0, "", cause);
        AccpException made = AccpExceptions.Make(status, checked((long)error.Offset), Message(error), cause);
        if (error.Limit != 0) (made.Found, made.Allowed) = (Clamped(error.Had), Clamped(error.Limit));
        return made;
    }

    private static long Clamped(ulong number) => (long)Math.Min(number, long.MaxValue);
}
