// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Text.RegularExpressions;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A frame (specification 7.1). Payload values are those of an <see cref="AgentMessage"/>, with the
/// keys of the frame. Two frames are equal if they print alike.
/// </summary>
/// <param name="AgentId">The sender.</param>
/// <param name="Intent">Its intent.</param>
/// <param name="Operation">The operation.</param>
/// <param name="Payload">Its payload.</param>
/// <param name="Metadata"> Its envelope and other metadata, each value as text: a text that is a
/// number, true or false is written as such, any other as a string; an array or map is read as its
/// JSON.</param>
public partial record AccpFrame(
    string AgentId,
    AccpIntent Intent,
    string Operation,
    Dictionary<string, object> Payload,
    Dictionary<string, string>? Metadata = null
)
{
    private static readonly AccpConfig Reading = new() { Extensions = AccpExtensions.Q1 | AccpExtensions.T1, KeepRefs = true };
    private static readonly AccpConfig ReadingU8 = new() { Extensions = AccpExtensions.T1 | AccpExtensions.U8, Dialect = AccpDialect.U8, KeepRefs = true };
    private static readonly AccpConfig ReadingCompat = new() { Extensions = Reading.Extensions, Dialect = AccpDialect.Compat, KeepRefs = true };
    private static readonly AccpConfig Writing = new() { KeepRefs = true };

    // One of each per thread: none of their results is kept.
    [ThreadStatic] private static FrameParser? reader;
    [ThreadStatic] private static FrameCodec? writer;
    [ThreadStatic] private static AccpValue? values;

    // For a parsed frame: its canonical text and its JSON at that time, so that printing it again
    // is exact until something changes.
    private readonly string? parsedText;
    private readonly byte[]? parsedJson;

    private AccpFrame(AccpFrame from, string text)
        : this(from)
    {
        parsedText = text;
        parsedJson = ToJson();
    }

    /// <summary>
    /// The payload if it is a text and not a map; <see cref="Payload"/> is then ignored.
    /// </summary>
    public string? Text { get; init; }

    /// <summary>Parses a frame.</summary>
    /// <exception cref="AccpParseErrorException">Invalid grammar, with the byte.</exception>
    /// <exception cref="AccpInvalidIntentException">Its intent is not one of the
    /// twelve.</exception>
    public static AccpFrame Parse(Utf8Text frame)
    {
        frame.Check(nameof(frame));
        return Read(reader ??= new FrameParser(Reading), frame);
    }

    /// <summary>Parses a frame of a dialect.</summary>
    public static AccpFrame Parse(Utf8Text frame, AccpDialect dialect)
    {
        frame.Check(nameof(frame));
        if (dialect == AccpDialect.Strict) return Parse(frame);
        using var parser = new FrameParser(dialect == AccpDialect.U8 ? ReadingU8 : ReadingCompat);
        return Read(parser, frame);
    }

    private static AccpFrame Read(FrameParser parser, Utf8Text frame)
    {
        AccpValue value = values ??= new AccpValue();
        NodeTree tree = parser.Parse(frame);
        string agent = Utf8.Decode(tree.Value(0)), operation = Utf8.Decode(tree.Value(2));
        int intent = FindIntent(tree);
        parser.ReadPayload(value);
        object? payload = value.ToObject();
        parser.ReadMetadata(value);
        var read = new AccpFrame(agent, (AccpIntent)intent, operation, payload as Dictionary<string, object> ?? [], ReadMetadata(value.Tree)) { Text = payload as string };
        return new AccpFrame(read, Canonical(parser, frame));
    }

    /// <summary>Parses a frame; false if it is refused or null.</summary>
    public static bool TryParse(Utf8Text frame, [NotNullWhen(true)] out AccpFrame? result)
    {
        result = null;
        if (frame.Status != AccpStatus.Ok) return false;
        try
        {
            result = Parse(frame);
            return true;
        }
        catch (AccpException)
        {
            return false;
        }
    }

    private static unsafe int FindIntent(NodeTree tree)
    {
        fixed (byte* bytes = tree.Value(1))
        {
            int found = Native.accp_intent_find(bytes, (nuint)tree.Nodes[1].Length);
            return found >= 0 ? found : throw new AccpInvalidIntentException("", tree.Nodes[1].Offset);
        }
    }

    // A decimal of more than six places has no canonical form: the frame then keeps its text.
    private static string Canonical(FrameParser parser, Utf8Text frame)
    {
        try
        {
            return parser.Print();
        }
        catch (AccpInvalidTypeException)
        {
            return frame.ToString();
        }
    }

    private static Dictionary<string, string>? ReadMetadata(NodeTree tree)
    {
        if (tree.Nodes[0].Length == 0) return null;
        var metadata = new Dictionary<string, string>();
        for (int child = 1; child < tree.Nodes[0].Next; child = (int)tree.Nodes[child].Next)
            metadata.Add(Utf8.Decode(tree.Key(child)), AccpValues.Read(tree, child) switch
            {
                string text => text,
                AccpRef name => name.ToString(),
                var other => Utf8.Decode(JsonValues.Json(other)),
            });
        return metadata;
    }

    private byte[] ToJson()
    {
        Dictionary<string, object>? meta = null;
        if (Metadata is { Count: > 0 })
        {
            meta = new Dictionary<string, object>(Metadata.Count);
            foreach (KeyValuePair<string, string> entry in Metadata) meta.Add(entry.Key, Scalar(entry.Value));
        }
        return AgentMessage.Write(AgentId, Intent, Operation, Text, Payload, meta);
    }

    private static object Scalar(string text) => text switch
    {
        "true" => true,
        "false" => false,
        _ => Digits().IsMatch(text) ? new AccpNumber(text) : text,
    };

    [GeneratedRegex(@"\A(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]+)\z", RegexOptions.CultureInvariant)]
    private static partial Regex Digits();

    /// <summary>The frame in its canonical form.</summary>
    /// <exception cref="AccpException">Its content cannot be written.</exception>
    public string ToCanonical()
    {
        byte[] json = ToJson();
        if (parsedText != null && json.AsSpan().SequenceEqual(parsedJson)) return parsedText;
        FrameParser parser = reader ??= new FrameParser(Reading);
        parser.Parse((writer ??= new FrameCodec(Writing)).Encode(json));
        return parser.Print();
    }

    /// <summary>The frame in its canonical form, or the reason if it has none.</summary>
    public override string ToString()
    {
        try
        {
            return ToCanonical();
        }
        catch (AccpException wrong)
        {
            return $"(no frame: {wrong.Message})";
        }
    }

    /// <summary>Whether both print alike.</summary>
    public virtual bool Equals(AccpFrame? other) => other is not null && (ReferenceEquals(this, other) || ToString() == other.ToString());

    /// <inheritdoc/>
    public override int GetHashCode() => ToString().GetHashCode(StringComparison.Ordinal);
}
