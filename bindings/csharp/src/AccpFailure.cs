// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The content of an error frame: <c>@agent>fail:error{code:E3001|msg:…|retry:true|schema:ER}</c>.
/// </summary>
/// <param name="Status">The code.</param>
/// <param name="Agent">The sender.</param>
public sealed record AccpFailure(AccpStatus Status, string Agent)
{
    /// <summary>
    /// Read from a frame: whether sending again may help. For writing the table of codes decides.
    /// </summary>
    public bool Retry { get; init; }

    /// <summary>One line for people; for writing, empty: the name of the code.</summary>
    public string Message { get; init; } = "";

    /// <summary>More details.</summary>
    public string Detail { get; init; } = "";

    /// <summary>The failed component.</summary>
    public string Source { get; init; } = "";

    /// <summary>The correlation id of the failed frame.</summary>
    public string Cid { get; init; } = "";

    /// <summary>Makes the failure for the peer from an exception.</summary>
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
        var data = new FailureData { Code = (int)failure.Status };
        try
        {
            data.Agent = Texts.Copy(failure.Agent);
            data.Message = Texts.Copy(failure.Message);
            data.Detail = Texts.Copy(failure.Detail);
            data.Source = Texts.Copy(failure.Source);
            data.Cid = Texts.Copy(failure.Cid);
            AccpText frame;
            ErrorDetail error;
            Ok(Native.accp_codec_encode_failure(call.Pointer, &data, &frame, &error), error);
            return frame.ToString();
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

    /// <summary>
    /// Returns the content of the last decoded frame if it is an error frame; null for another
    /// frame or a refused one.
    /// </summary>
    public AccpFailure? Failure()
    {
        using var call = Enter();
        FailureData read;
        ErrorDetail error;
        Ok(Native.accp_codec_failure(call.Pointer, &read, &error), error);
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
