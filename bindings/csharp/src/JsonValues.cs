// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;
using Accp.Interop;

namespace Accp;

// Writes .NET values as JSON: the library's own types and simple types here, every other type
// through System.Text.Json. A value without a JSON form is an AccpInvalidTypeException that begins
// with its path: payload.items[2].when. An exception of a getter or enumerator is its
// InnerException.
internal sealed partial class JsonValues(Utf8JsonWriter writer, JsonSerializerOptions? options = null)
{
    private const int MaxDepth = 1024;        // equal to the library's json_depth: a value that contains itself is refused
    private const int MaxPathCharacters = 200;

    private readonly List<object> path = [];  // keys, indexes, and the position of the serializer
    private bool failed;

    internal static byte[] Json(object? value)
    {
        var buffer = new ArrayBufferWriter<byte>(256);
        using (var writer = new Utf8JsonWriter(buffer, Utf8Text.Writing))
            new JsonValues(writer).Write(value);
        return buffer.WrittenSpan.ToArray();
    }

    // Converts a value to that type. name: its name for errors.
    internal static T? Read<T>(string name, object? value, JsonSerializerOptions? options)
    {
        try
        {
            JsonTypeInfo type = TypeInfo(typeof(T), options) ?? throw new NotSupportedException(NoContext);
            return JsonSerializer.Deserialize(Json(value), (JsonTypeInfo<T>)type);
        }
        catch (Exception wrong) when (wrong is not AccpException)
        {
            throw new AccpInvalidTypeException($"{name}: it is no {typeof(T).Name}: {Shortened(wrong)}", 0, wrong);
        }
    }

    // Writes a text as a member of the open object.
    internal void WriteText(string key, string? text) => WriteMember(key, text ?? throw new AccpInvalidTypeException($"{key}: it is null"));

    // Writes a member of the open object.
    internal void WriteMember(string key, object? value)
    {
        path.Add(key);
        Run(() =>
        {
            writer.WritePropertyName(key);
            Dispatch(value);
        });
        path.RemoveAt(path.Count - 1);
    }

    internal void Write(object? value) => Run(() => Dispatch(value));

    private void Run(Action write)
    {
        try
        {
            write();
        }
        catch (AccpInvalidTypeException wrong) when (!failed)
        {
            throw At(wrong.Reason, wrong.Offset, wrong.InnerException);
        }
        catch (Exception wrong) when (wrong is not AccpException)
        {
            throw At($"it cannot be read: {Shortened(wrong)}", 0, wrong);
        }
    }

    private AccpInvalidTypeException At(string reason, long offset = 0, Exception? cause = null)
    {
        failed = true;
        return new AccpInvalidTypeException(path.Count == 0 ? reason : $"{Path()}: {reason}", offset, cause);
    }

    private static string Shortened(Exception cause) => cause.Message[..Math.Min(cause.Message.Length, MaxPathCharacters)];

    private string Path()
    {
        var text = new StringBuilder();
        foreach (object step in path)
        {
            if (step is int index) text.Append(CultureInfo.InvariantCulture, $"[{index}]");
            else if (step is Inside inside) text.Append(inside.Text);
            else if (PlainKey().IsMatch((string)step)) text.Append(text.Length == 0 ? "" : ".").Append((string)step);
            else text.Append("[\"").Append(JsonEncodedText.Encode((string)step, StrictEncoder.Instance)).Append("\"]");
            if (text.Length > MaxPathCharacters) return text.ToString(0, MaxPathCharacters) + "…";
        }
        return text.ToString();
    }

    [GeneratedRegex(@"\A[A-Za-z_$][A-Za-z0-9_$]{0,63}\z", RegexOptions.CultureInvariant)]
    private static partial Regex PlainKey();

    private void Dispatch(object? value)
    {
        switch (value)
        {
            case null: writer.WriteNullValue(); break;
            case bool on: writer.WriteBooleanValue(on); break;
            case string text: writer.WriteStringValue(text); break;
            case long number: writer.WriteNumberValue(number); break;
            case int number: writer.WriteNumberValue(number); break;
            case decimal number: writer.WriteNumberValue(number); break;
            case double number: WriteFinite(double.IsFinite(number), number); break;
            case float number: WriteFinite(float.IsFinite(number), number); break;
            case Half number: WriteFinite(Half.IsFinite(number), number); break;
            case short or ushort or sbyte or byte or uint or ulong or BigInteger or Int128 or UInt128: WriteNumber((IFormattable)value, null); break;
            case AccpNumber number: number.Write(writer); break;
            case AccpRef name: name.Write(writer); break;
            case DateTime time: writer.WriteStringValue(time); break;
            case DateTimeOffset time: writer.WriteStringValue(time); break;
            case Guid id: writer.WriteStringValue(id); break;
            case Enum name: WriteEnum(name); break;
            case JsonElement json: WriteElement(json); break;
            case JsonDocument json: WriteElement(json.RootElement); break;
            case JsonValue json when json.TryGetValue(out JsonElement element): WriteElement(element); break;
            case JsonNode json: WriteNode(json); break;
            case SacpMessage message: WriteMap(message.Members()); break;
            case IReadOnlyDictionary<string, object?> map: WriteMap(map); break;
            case IDictionary<string, object?> map: WriteMap(map); break;
            case byte[] bytes: writer.WriteBase64StringValue(bytes); break;
            case IDictionary map: WriteMap(map); break;
            case ICollection or IEnumerable<object?>: WriteArray((IEnumerable)value); break;
            default: Serialize(value); break;
        }
    }

    private void WriteFinite(bool isFinite, IFormattable number)
    {
        if (!isFinite) throw At("a number that is not finite has no JSON");
        WriteNumber(number, "R");
    }

    private void WriteNumber(IFormattable number, string? format) => writer.WriteRawValue(number.ToString(format, CultureInfo.InvariantCulture), true);

    // By its name, because a number has no meaning for a reader.
    private void WriteEnum(Enum value)
    {
        if (options == null) writer.WriteStringValue(value.ToString());
        else Serialize(value);
    }

    private void WriteElement(JsonElement json)
    {
        try
        {
            json.WriteTo(writer);
        }
        catch (InvalidOperationException wrong)
        {
            throw At(wrong.Message, 0, wrong);  // it is undefined, or a \u escape in it is a lone surrogate
        }
    }

    private void WriteNode(JsonNode json)
    {
        switch (json)
        {
            case JsonObject map: WriteMap(map); break;
            case JsonArray list: WriteArray(list); break;
            default: Dispatch(json.GetValue<object>()); break;
        }
    }

    private void WriteMap<T>(IEnumerable<KeyValuePair<string, T>> map)
    {
        Enter();
        writer.WriteStartObject();
        foreach ((string key, T value) in map)
        {
            writer.WritePropertyName(key);
            path.Add(key);
            Dispatch(value);
            path.RemoveAt(path.Count - 1);
        }
        writer.WriteEndObject();
    }

    private void WriteMap(IDictionary map)
    {
        foreach (object key in map.Keys)
        {
            if (key is string) continue;
            Serialize(map);  // which supports other keys
            return;
        }
        WriteMap(Entries(map));
    }

    private static IEnumerable<KeyValuePair<string, object?>> Entries(IDictionary map)
    {
        foreach (DictionaryEntry entry in map) yield return new KeyValuePair<string, object?>((string)entry.Key, entry.Value);
    }

    private void WriteArray(IEnumerable list)
    {
        Enter();
        writer.WriteStartArray();
        int index = 0;
        foreach (object? item in list)
        {
            path.Add(index++);
            Dispatch(item);
            path.RemoveAt(path.Count - 1);
        }
        writer.WriteEndArray();
    }

    private void Enter()
    {
        if (writer.CurrentDepth >= MaxDepth) throw At("arrays and maps are nested deeper than the limit of 1024: does it contain itself?");
    }

    private void Serialize(object value)
    {
        if (value.GetType() == typeof(object)) throw At("an object without members has no JSON");
        JsonTypeInfo? type = null;
        try
        {
            type = TypeInfo(value.GetType(), options);
            if (type != null) JsonSerializer.Serialize(writer, value, type);
        }
        catch (Exception wrong) when (wrong is not AccpException)
        {
            Match inner = InnerPath().Match(wrong.Message);
            if (inner.Success) path.Add(new Inside(inner.Groups[1].Value));
            throw At($"a value of type {value.GetType()} has no JSON: {Shortened(wrong)}", 0, wrong);
        }
        if (type != null) return;
        if (value is IEnumerable list) WriteArray(list);
        else throw At($"a value of type {value.GetType()} has no JSON: {NoContext}");
    }

    private const string NoContext = "the program has no reflection, and no source-generated context with this type: give one by AccpConfig.Json";

    // How a type is written and read: by the options, else by the defaults for payloads; null:
    // neither supports it.
    private static JsonTypeInfo? TypeInfo(Type type, JsonSerializerOptions? options)
    {
        if (options != null && Ready(options).TryGetTypeInfo(type, out JsonTypeInfo? own)) return own;
        return Default.TryGetTypeInfo(type, out JsonTypeInfo? known) ? known : null;
    }

    [GeneratedRegex(@"Path: \$(\S*?)\.?(\s|\z)", RegexOptions.CultureInvariant)]
    private static partial Regex InnerPath();

    // The end of a path, in the serializer's own spelling.
    private sealed record Inside(string Text);

    // How every other type is written: System.Text.Json's defaults, but enums by their names, and
    // fields (of tuples) too. Without reflection (a trimmed program, one that was compiled ahead of
    // time) only types of JsonTypes are supported here.
    private static readonly JsonSerializerOptions Default = MakeDefault();

    // Options of the host without a resolver get System.Text.Json's default one.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only where the program has reflection on.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The same.")]
    private static JsonSerializerOptions Ready(JsonSerializerOptions options)
    {
        if (options.TypeInfoResolver == null && JsonSerializer.IsReflectionEnabledByDefault) options.MakeReadOnly(true);
        return options;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only where the program has reflection on.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The same.")]
    private static JsonSerializerOptions MakeDefault()
    {
        var made = new JsonSerializerOptions { Encoder = StrictEncoder.Instance, MaxDepth = MaxDepth, IncludeFields = true };
        made.Converters.Add(new BigIntegerConverter());
        if (JsonSerializer.IsReflectionEnabledByDefault)
        {
            made.Converters.Add(new JsonStringEnumConverter());
            made.TypeInfoResolver = new DefaultJsonTypeInfoResolver();
        }
        else
        {
            made.TypeInfoResolver = JsonTypes.Default;
        }
        made.MakeReadOnly();
        return made;
    }

    private sealed class BigIntegerConverter : JsonConverter<BigInteger>
    {
        public override BigInteger Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            BigInteger.TryParse(Utf8.Decode(reader.ValueSpan), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out BigInteger read) ? read : throw new JsonException();

        public override void Write(Utf8JsonWriter writer, BigInteger value, JsonSerializerOptions options) =>
            writer.WriteRawValue(value.ToString(CultureInfo.InvariantCulture), true);
    }
}
