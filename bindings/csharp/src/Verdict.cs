// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>The result of a verdict.</summary>
public enum SacpAnswer
{
    /// <summary>It can be run.</summary>
    Valid = 0,
    /// <summary>Something is wrong.</summary>
    Err = 1,
    /// <summary>No fault, but something is missing.</summary>
    ReqClarify = 2,
}

/// <summary>The fault of a SACP message.</summary>
public enum SacpCode
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>It has no goal, or no plan.</summary>
    MissingField = 1,
    /// <summary>It is not JSON, or has members that messages do not have.</summary>
    MalformedMessage = 2,
    /// <summary>An element of its plan is not a step.</summary>
    MalformedPlan = 3,
    /// <summary>A value has the wrong type for its place.</summary>
    InvalidType = 4,
    /// <summary>The library does not have the verb.</summary>
    UnknownVerb = 5,
    /// <summary>The library does not have the tool.</summary>
    UnknownTool = 6,
    /// <summary>The tool does not support the verb.</summary>
    VerbToolMismatch = 7,
    /// <summary>The state does not exist.</summary>
    UnknownState = 8,
    /// <summary>The <c>out_fmt</c> does not exist.</summary>
    BadOutFmt = 9,
    /// <summary>Prose from an agent that may not write it.</summary>
    OutputDiscipline = 10,
    /// <summary>It has another version of the protocol.</summary>
    UnsupportedVersion = 11,
    /// <summary>No agent can do it.</summary>
    NoAgent = 12,
    /// <summary>A tool failed.</summary>
    ToolFailed = 13,
    /// <summary>A tool took too long.</summary>
    Timeout = 14,
    /// <summary>It is over a limit.</summary>
    Limit = 15,
    /// <summary>The state may not follow the previous one.</summary>
    InvalidStateTransition = 16,
}

/// <summary>Names of SACP's codes in messages.</summary>
public static unsafe class SacpCodes
{
    /// <summary>
    /// Returns the name of a code: <c>MALFORMED_PLAN</c>; empty for an unknown one.
    /// </summary>
    public static string Name(SacpCode code) => Utf8.Static(Native.accp_sacp_code_name((int)code));

    /// <summary>
    /// Returns the code of a name; <see cref="SacpCode.None"/> if no code has that name.
    /// </summary>
    public static SacpCode Find(Utf8Text name)
    {
        name.Check(nameof(name));
        fixed (byte* bytes = name)
            return (SacpCode)Math.Max(0, Native.accp_sacp_code_find(bytes, name.Length));
    }

    // The ACCP code under which it is sent: codes.def.
    internal static AccpStatus Status(SacpCode code) => code switch
    {
        SacpCode.MalformedMessage or SacpCode.Limit => AccpStatus.ParseError,
        SacpCode.UnknownVerb or SacpCode.OutputDiscipline => AccpStatus.PolicyDenied,
        SacpCode.UnknownTool or SacpCode.NoAgent => AccpStatus.ToolNotFound,
        SacpCode.VerbToolMismatch => AccpStatus.ToolSchemaMismatch,
        SacpCode.UnsupportedVersion => AccpStatus.UnknownSchema,
        SacpCode.ToolFailed => AccpStatus.ToolExecFailed,
        SacpCode.Timeout => AccpStatus.Timeout,
        _ => AccpStatus.InvalidType,
    };
}

/// <summary>The result of checking a SACP message.</summary>
/// <param name="Answer">Whether it can be run.</param>
/// <param name="Code">The fault.</param>
/// <param name="Details">The fault in words; for a fault in a step its path is at the end.</param>
/// <param name="Step">That path (<c>2.1</c>); empty if none exists.</param>
/// <param name="Offset">The byte of the fault, counted from 0 in the UTF-8 of the given
/// text.</param>
/// <param name="Needs">What is missing: <c>plan</c>, <c>step.PATH.NAME</c>,
/// <c>ctx.NAME</c>.</param>
/// <param name="Json">All of it as the specification prints it, for the sender.</param>
public sealed record Verdict(SacpAnswer Answer, SacpCode Code, string Details, string Step, long Offset, IReadOnlyList<string> Needs, string Json)
{
    /// <summary>Whether the message can be run.</summary>
    public bool IsValid => Answer == SacpAnswer.Valid;

    // The verdict without a fault.
    internal static Verdict Valid { get; } = new(SacpAnswer.Valid, SacpCode.None, "", "", 0, [], """{"status":"VALID"}""");

    // Reads the verdict of a handle's last call, within its turn.
    internal static unsafe Verdict Read(void* sacp)
    {
        VerdictData data;
        AccpText json;
        ErrorDetail error;
        Check.Ok(Native.accp_sacp_verdict(sacp, &data, &error), error);
        string details = data.Details.ToString(), step = data.Step.ToString();
        var needs = new string[data.NeedCount];
        for (int i = 0; i < needs.Length; ++i) needs[i] = Native.accp_sacp_need(sacp, (uint)i).ToString();
        Check.Ok(Native.accp_sacp_print_verdict(sacp, &json, &error), error);
        return new Verdict((SacpAnswer)data.Answer, (SacpCode)data.Code, details, step, checked((long)data.Byte), needs, json.ToString());
    }

    // Reads a printed verdict.
    internal static Verdict Parse(JsonElement printed, long offset)
    {
        SacpAnswer answer = Text(printed, "status") switch { "VALID" => SacpAnswer.Valid, "REQ_CLARIFY" => SacpAnswer.ReqClarify, _ => SacpAnswer.Err };
        string[] needs = printed.TryGetProperty("need", out JsonElement need) ? [.. need.EnumerateArray().Select(one => one.GetString()!)] : [];
        string details = Text(printed, "details");
        int step = details.LastIndexOf(BeforeStep, StringComparison.Ordinal);
        string path = step < 0 ? "" : details[(step + BeforeStep.Length)..];
        return new Verdict(answer, SacpCodes.Find(Text(printed, "code")), details, path, offset, needs, printed.GetRawText());
    }

    private const string BeforeStep = " action step ";  // the library's form of a step's details

    private static string Text(JsonElement printed, string name) => printed.TryGetProperty(name, out JsonElement text) ? text.GetString()! : "";

    // Makes the exception of this verdict, with the class of the code under which it is sent.
    internal AccpException Refusal(AccpException refused, string where = "")
    {
        AccpException made = AccpExceptions.Make((int)refused.Status, Offset, where + Details, refused.InnerException);
        made.Verdict = this;
        return made;
    }
}
