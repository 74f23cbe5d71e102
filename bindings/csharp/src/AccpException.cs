// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The failure of a call. Each code has one class, all generated from the library's table.
/// </summary>
public class AccpException : Exception
{
    /// <summary>Makes an exception, also for tests: it does not need the native library.</summary>
    /// <param name="status">The code.</param>
    /// <param name="reason">The reason in one line; empty: the meaning of the code.</param>
    /// <param name="offset">The byte at fault; 0: none.</param>
    /// <param name="innerException">The cause.</param>
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

    /// <summary>The code on the wire, such as <c>E1001</c>.</summary>
    public string Code => AccpExceptions.Entry(Status).Code;

    /// <summary>
    /// The byte at fault, counted from 0 in the given text; 0 if no byte is at fault.
    /// </summary>
    public long Offset { get; }

    /// <summary>The reason in one line.</summary>
    public string Reason { get; }

    /// <summary>
    /// The amount that was found if a limit was passed; for E3003 the number that came. Otherwise
    /// null. Tests can set it.
    /// </summary>
    public long? Found { get; set; }

    /// <summary>
    /// The allowed amount; for E3003 the expected number. Otherwise null. Tests can set it.
    /// </summary>
    public long? Allowed { get; set; }

    /// <summary>
    /// SACP's verdict on the refused text, with its own code; null for other failures. Tests set
    /// it.
    /// </summary>
    public Verdict? Verdict { get; set; }

    /// <summary>Whether sending again may help (specification 3.6).</summary>
    public bool Retryable => AccpExceptions.Entry(Status).Retryable;
}

/// <summary>The category of a code: its first digit.</summary>
public enum AccpCategory
{
    /// <summary>Not a code of the specification.</summary>
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

/// <summary>A code in the library's table.</summary>
public static unsafe class AccpCodes
{
    /// <summary>The code on the wire: <c>E1001</c>; <c>UNKNOWN</c> if it does not exist.</summary>
    public static string Code(AccpStatus status) => Utf8.Static(Native.accp_status_code_name((int)status));

    /// <summary>Its name: <c>PARSE_ERROR</c>; <c>UNKNOWN</c> if it does not exist.</summary>
    public static string Name(AccpStatus status) => Utf8.Static(Native.accp_status_name((int)status));

    /// <summary>Its meaning in one sentence; empty if it does not exist.</summary>
    public static string Meaning(AccpStatus status) => Utf8.Static(Native.accp_status_meaning((int)status));

    /// <summary>Whether sending again may help.</summary>
    public static bool Retryable(AccpStatus status) => Native.accp_status_is_retryable((int)status) != 0;

    /// <summary>The category of the code.</summary>
    public static AccpCategory Category(AccpStatus status) => (AccpCategory)Native.accp_status_category((int)status);
}

/// <summary>The loaded library.</summary>
public static unsafe class AccpLibrary
{
    /// <summary>The version of the library, such as <c>1.0.0</c>.</summary>
    public static string Version => Utf8.Static(Native.accp_version());
}

internal static unsafe class Check
{
    // The exception of the host's tokenizer in a call on this thread, which then fails with ERR_IO.
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

    // A callback's own exception has precedence.
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
