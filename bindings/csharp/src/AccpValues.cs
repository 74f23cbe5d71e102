// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Numerics;
using System.Text.Json;
using System.Text.Json.Nodes;
using Accp.Interop;

namespace Accp;

/// <summary>A number that no type of .NET holds exactly, such as <c>1e-9</c> or <c>-0</c>: its text, which is a JSON number.</summary>
/// <param name="Text">As it was written.</param>
public readonly record struct AccpNumber(string Text)
{
    /// <summary>As it was written.</summary>
    public override string ToString() => Text;
}

/// <summary>A reference to a value that is kept elsewhere.</summary>
/// <param name="Name">Such as <c>warm.key</c>, without the <c>$</c>.</param>
public readonly record struct AccpRef(string Name)
{
    /// <summary>As a frame has it, with its <c>$</c>.</summary>
    public override string ToString() => "$" + Name;
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

    // A decimal only where it says the same text again: then it has every digit.
    private static object Decimal(string text) =>
        decimal.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal exact) &&
        exact.ToString(CultureInfo.InvariantCulture) == text
            ? exact
            : new AccpNumber(text);

    internal static ReadOnlySpan<byte> Json(object? value)
    {
        var buffer = new ArrayBufferWriter<byte>(256);
        using (var writer = new Utf8JsonWriter(buffer, Utf8Text.Writing))
            Write(writer, value);
        return buffer.WrittenSpan;
    }

    internal static void Write(Utf8JsonWriter writer, object? value)
    {
        switch (value)
        {
            case null: writer.WriteNullValue(); break;
            case bool on: writer.WriteBooleanValue(on); break;
            case string text: WriteString(writer, text); break;
            case long number: writer.WriteNumberValue(number); break;
            case int number: writer.WriteNumberValue(number); break;
            case decimal number: writer.WriteNumberValue(number); break;
            case double number: WriteDouble(writer, number); break;
            case float number: WriteDouble(writer, number, number.ToString("R", CultureInfo.InvariantCulture)); break;
            case short or ushort or sbyte or byte or uint or ulong or BigInteger or Int128 or UInt128:
                writer.WriteRawValue(((IFormattable)value).ToString(null, CultureInfo.InvariantCulture), true);
                break;
            case AccpNumber number: writer.WriteRawValue(number.Text); break;
            case AccpRef name: WriteRef(writer, name); break;
            case JsonElement json: json.WriteTo(writer); break;
            case JsonDocument json: json.WriteTo(writer); break;
            case JsonNode json: json.WriteTo(writer); break;
            case IDictionary map: WriteMap(writer, map); break;
            case IEnumerable list: WriteArray(writer, list); break;
            default: throw new AccpInvalidTypeException(0, $"a value of type {value.GetType()} has no JSON");
        }
    }

    private static void WriteString(Utf8JsonWriter writer, string text) => writer.WriteStringValue(Utf8.Encode(text));

    private static void WriteDouble(Utf8JsonWriter writer, double number, string? text = null)
    {
        if (!double.IsFinite(number)) throw new AccpInvalidTypeException(0, "a number that is not finite has no JSON");
        writer.WriteRawValue(text ?? number.ToString("R", CultureInfo.InvariantCulture), true);
    }

    private static void WriteRef(Utf8JsonWriter writer, AccpRef name)
    {
        writer.WriteStartObject();
        writer.WriteString("$ref", name.Name);
        writer.WriteEndObject();
    }

    private static void WriteMap(Utf8JsonWriter writer, IDictionary map)
    {
        Enter(writer);
        writer.WriteStartObject();
        foreach (DictionaryEntry entry in map)
        {
            if (entry.Key is not string key) throw new AccpInvalidTypeException(0, "the keys of a map are strings");
            writer.WritePropertyName(Utf8.Encode(key));
            Write(writer, entry.Value);
        }
        writer.WriteEndObject();
    }

    private static void WriteArray(Utf8JsonWriter writer, IEnumerable list)
    {
        Enter(writer);
        writer.WriteStartArray();
        foreach (object? item in list) Write(writer, item);
        writer.WriteEndArray();
    }

    // As json_depth of the library: what contains itself is refused, and not followed for ever.
    private static void Enter(Utf8JsonWriter writer)
    {
        if (writer.CurrentDepth >= 1024) throw new AccpInvalidTypeException(0, "arrays and maps are nested deeper than the limit allows");
    }
}
