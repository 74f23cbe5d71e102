// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Numerics;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A number that no .NET type holds exactly, such as <c>1e-9</c> or <c>-0</c>: its text, which is a
/// JSON number.
/// </summary>
/// <param name="Text">The original text.</param>
[JsonConverter(typeof(Converter))]
public readonly partial record struct AccpNumber(string Text)
{
    /// <summary>The original text.</summary>
    public override string ToString() => Text;

    internal void Write(Utf8JsonWriter writer)
    {
        if (Text == null || !JsonNumber().IsMatch(Text)) throw new AccpInvalidTypeException("the text of an AccpNumber is not a JSON number");
        writer.WriteRawValue(Text, true);
    }

    [GeneratedRegex(@"\A-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\z", RegexOptions.CultureInvariant)]
    private static partial Regex JsonNumber();

    internal sealed class Converter : JsonConverter<AccpNumber>
    {
        public override AccpNumber Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            reader.TokenType == JsonTokenType.Number ? new AccpNumber(Utf8.Decode(reader.ValueSpan)) : throw new JsonException();

        public override void Write(Utf8JsonWriter writer, AccpNumber value, JsonSerializerOptions options) => value.Write(writer);
    }
}

/// <summary>A reference to a stored value. In JSON: <c>{"$ref":"warm.key"}</c>.</summary>
/// <param name="Name">Such as <c>warm.key</c>, without the <c>$</c>.</param>
[JsonConverter(typeof(Converter))]
public readonly record struct AccpRef(string Name)
{
    /// <summary>The reference in a frame, with its <c>$</c>.</summary>
    public override string ToString() => "$" + Name;

    internal void Write(Utf8JsonWriter writer)
    {
        if (Name == null) throw new AccpInvalidTypeException("the name of an AccpRef is null");
        writer.WriteStartObject();
        writer.WriteString("$ref", Name);
        writer.WriteEndObject();
    }

    internal sealed class Converter : JsonConverter<AccpRef>
    {
        public override AccpRef Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            JsonElement read = JsonElement.ParseValue(ref reader);
            return read.ValueKind == JsonValueKind.Object && read.TryGetProperty("$ref", out JsonElement name) && name.GetString() is { } text
                ? new AccpRef(text)
                : throw new JsonException();
        }

        public override void Write(Utf8JsonWriter writer, AccpRef value, JsonSerializerOptions options) => value.Write(writer);
    }
}

// Values between the library and .NET: null, bool, long, BigInteger, decimal, AccpNumber, string, AccpRef, List<object>, Dictionary<string, object>.
internal static class AccpValues
{
    internal static object? Read(NodeTree tree, int index)
    {
        AccpNode node = tree.Nodes[index];
        return node.Kind switch
        {
            AccpKind.Null => null,
            AccpKind.Bool => (node.Flags & AccpNodeTraits.True) != 0,
            AccpKind.Int => Integer(Utf8.Decode(tree.Value(index))),
            AccpKind.Dec => Decimal(Utf8.Decode(tree.Value(index))),
            AccpKind.Number => new AccpNumber(Utf8.Decode(tree.Value(index))),
            AccpKind.Ref => new AccpRef(Utf8.Decode(tree.Value(index))),
            AccpKind.Array => ReadArray(tree, index),
            AccpKind.Map => ReadMap(tree, index),
            _ => Utf8.Decode(tree.Value(index)),
        };
    }

    internal static Dictionary<string, object> ReadMap(NodeTree tree, int index)
    {
        var map = new Dictionary<string, object>((int)tree.Nodes[index].Length);
        for (int child = index + 1; child < tree.Nodes[index].Next; child = (int)tree.Nodes[child].Next)
            map.Add(Utf8.Decode(tree.Key(child)), Read(tree, child)!);
        return map;
    }

    private static List<object> ReadArray(NodeTree tree, int index)
    {
        var list = new List<object>((int)tree.Nodes[index].Length);
        for (int child = index + 1; child < tree.Nodes[index].Next; child = (int)tree.Nodes[child].Next)
            list.Add(Read(tree, child)!);
        return list;
    }

    private static object Integer(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long small)
            ? (object)small
            : BigInteger.Parse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);

    // A decimal only if it prints the same text: then it has every digit.
    private static object Decimal(string text) =>
        decimal.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal exact) &&
        exact.ToString(CultureInfo.InvariantCulture) == text
            ? exact
            : new AccpNumber(text);
}
