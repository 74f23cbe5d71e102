// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>Options for rendering a record.</summary>
[Flags]
public enum RenderStyle
{
    /// <summary>The most readable form.</summary>
    None = 0,
    /// <summary>
    /// The text is untrusted: it is marked, on one line, and without invisible characters.
    /// </summary>
    Untrusted = 1,
    /// <summary>Tables do not use one line per row.</summary>
    OneLine = 2,
    /// <summary>A message's envelope too.</summary>
    Envelope = 4,
}

/// <summary>
/// Converts messages and values to text for a model with fewer tokens than JSON, and back without
/// loss.
/// </summary>
public sealed unsafe class Renderer : ExclusiveObject
{
    /// <summary>Makes a renderer; config null: all defaults.</summary>
    public Renderer(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* render;
        ErrorDetail error;
        Check.Ok(Native.accp_render_new(made.Pointer, &render, &error), error);
        Own(new Handle(render, &Free, Weight.Renderer));
    }

    private static void Free(void* render) => Native.accp_render_free(render);

    /// <summary>Renders a JSON message, or any other JSON value.</summary>
    public string Render(Utf8Text json, RenderStyle style = RenderStyle.None)
    {
        json.Check(nameof(json));
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        fixed (byte* bytes = json)
            Check.Ok(Native.accp_render_json(call.Pointer, bytes, json.Length, (uint)style, &result, &error), error);
        return result.ToString();
    }

    /// <summary>Renders a frame; refs are not resolved.</summary>
    public string RenderFrame(Utf8Text frame, RenderStyle style = RenderStyle.None)
    {
        frame.Check(nameof(frame));
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        fixed (byte* bytes = frame)
            Check.Ok(Native.accp_render_frame(call.Pointer, bytes, frame.Length, (uint)style, &result, &error), error);
        return result.ToString();
    }

    /// <summary>Reads a rendered record: compact JSON.</summary>
    public string Parse(Utf8Text text)
    {
        text.Check(nameof(text));
        using var call = Enter();
        return Utf8.Decode(ParseIn(call.Pointer, text));
    }

    /// <summary>Reads a rendered record.</summary>
    public JsonElement ParseElement(Utf8Text text)
    {
        text.Check(nameof(text));
        using var call = Enter();
        return Utf8Text.Element(ParseIn(call.Pointer, text));
    }

    private static ReadOnlySpan<byte> ParseIn(void* handle, Utf8Text text)
    {
        AccpText result;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_render_parse(handle, bytes, text.Length, &result, &error), error);
        return result.Span;
    }

    /// <summary>
    /// Returns how many lines after this first line of a record have rows of the table at its end.
    /// </summary>
    public static long Rows(Utf8Text line)
    {
        line.Check(nameof(line));
        fixed (byte* bytes = line)
            return checked((long)Native.accp_render_row_count(bytes, line.Length));
    }
}
