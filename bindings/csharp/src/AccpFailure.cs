// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>What an error frame says: <c>@agent>fail:error{code:E3001|msg:…|retry:true|schema:ER}</c>.</summary>
/// <param name="Status">The code.</param>
/// <param name="Agent">Who says it.</param>
public sealed record AccpFailure(AccpStatus Status, string Agent)
{
    /// <summary>Read from a frame: whether sending again may help. Writing: the table says it.</summary>
    public bool Retry { get; init; }

    /// <summary>One line for people; writing, empty: the name of the code.</summary>
    public string Message { get; init; } = "";

    /// <summary>More about it.</summary>
    public string Detail { get; init; } = "";

    /// <summary>Where it happened.</summary>
    public string Source { get; init; } = "";

    /// <summary>The correlation id of what failed.</summary>
    public string Cid { get; init; } = "";

    /// <summary>The failure that an exception is, to be told the peer.</summary>
    public static AccpFailure Of(AccpException exception, string agent)
    {
        ArgumentNullException.ThrowIfNull(exception);
        return new AccpFailure(exception.Status, agent) { Message = exception.Reason };
    }
}

public sealed unsafe partial class FrameCodec
{
    /// <summary>Writes an error frame.</summary>
    public string EncodeFailure(AccpFailure failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        using var call = Enter();
        using var counting = Count();
        var data = new FailureData { Code = (int)failure.Status };
        try
        {
            data.Agent = Texts.Copy(failure.Agent);
            data.Message = Texts.Copy(failure.Message);
            data.Detail = Texts.Copy(failure.Detail);
            data.Source = Texts.Copy(failure.Source);
            data.Cid = Texts.Copy(failure.Cid);
            byte* result;
            nuint length;
            ErrorDetail error;
            host.Ok(Native.accp_failure_encode(call.Pointer, &data, &result, &length, &error), error);
            return Utf8.Decode(result, length);
        }
        finally
        {
            Texts.Free(data.Agent);
            Texts.Free(data.Message);
            Texts.Free(data.Detail);
            Texts.Free(data.Source);
            Texts.Free(data.Cid);
        }
    }

    /// <summary>Reads a frame that may be an error frame; null where it is not one.</summary>
    public AccpFailure? DecodeFailure(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        FailureData read;
        ErrorDetail error;
        fixed (byte* bytes = frame)
            host.Ok(Native.accp_failure_decode(call.Pointer, bytes, frame.Length, &read, &error), error);
        if (read.Code == 0) return null;
        return new AccpFailure((AccpStatus)read.Code, read.Agent.ToString())
        {
            Retry = read.Retry != 0,
            Message = read.Message.ToString(),
            Detail = read.Detail.ToString(),
            Source = read.Source.ToString(),
            Cid = read.Cid.ToString(),
        };
    }
}
