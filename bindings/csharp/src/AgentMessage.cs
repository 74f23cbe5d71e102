// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>
/// A structured message. Values are null, bool, long, <see cref="System.Numerics.BigInteger"/>,
/// decimal if it is exact, else <see cref="AccpNumber"/>, string, <see cref="AccpRef"/>,
/// <c>List&lt;object&gt;</c> and <c>Dictionary&lt;string, object&gt;</c>. Encoding also accepts
/// anything that System.Text.Json can write: times, Guid, enums (by their names), arrays,
/// <see cref="JsonElement"/>, records and classes of the host.
/// </summary>
/// <param name="AgentId">The sender.</param>
/// <param name="Intent">Its intent.</param>
/// <param name="Operation">The operation.</param>
/// <param name="Payload">Its payload.</param>
/// <param name="Metadata">Its envelope, and other data that is not payload.</param>
public record AgentMessage(
    string AgentId,
    AccpIntent Intent,
    string Operation,
    Dictionary<string, object> Payload,
    Dictionary<string, object>? Metadata = null)
{
    /// <summary>
    /// The payload if it is a text and not an object; <see cref="Payload"/> is then ignored.
    /// </summary>
    public string? Text { get; init; }

    /// <summary>
    /// Whether it came from outside: its content is data, not instructions. Frames do not carry it.
    /// </summary>
    public bool IsUntrusted { get; init; }

    /// <summary>Reads a JSON message: <c>{"agent","intent","operation","payload","meta"}</c>.</summary>
    /// <exception cref="AccpParseErrorException">It is not one.</exception>
    public static AgentMessage FromJson(Utf8Text json)
    {
        json.Check(nameof(json));
        using var value = new AccpValue();
        NodeTree tree = value.Parse(json);
        if (tree.Nodes[0].Kind != AccpKind.Map) throw new AccpParseErrorException("a message is an object");
        int payload = Member(tree, "payload"u8), meta = tree.Find(0, "meta"u8);
        bool isText = tree.Nodes[payload].Kind == AccpKind.String;
        if (!isText && tree.Nodes[payload].Kind != AccpKind.Map) throw new AccpParseErrorException("a payload is an object or a text");
        return new AgentMessage(Name(tree, "agent"u8), AccpIntents.Parse(Name(tree, "intent"u8)), Name(tree, "operation"u8),
            isText ? [] : AccpValues.ReadMap(tree, payload), meta == 0 || tree.Nodes[meta].Length == 0 ? null : AccpValues.ReadMap(tree, meta))
        {
            Text = isText ? Utf8.Decode(tree.Value(payload)) : null,
            IsUntrusted = tree.Find(0, "untrusted"u8) is > 0 and var mark && (tree.Nodes[mark].Flags & AccpNodeTraits.True) != 0,
        };
    }

    private static int Member(NodeTree tree, ReadOnlySpan<byte> name)
    {
        int found = tree.Find(0, name);
        return found != 0 ? found : throw new AccpParseErrorException("a message has agent, intent, operation and payload");
    }

    private static string Name(NodeTree tree, ReadOnlySpan<byte> name)
    {
        int found = Member(tree, name);
        return tree.Nodes[found].Kind == AccpKind.String ? Utf8.Decode(tree.Value(found)) : throw new AccpParseErrorException("agent, intent and operation are texts");
    }

    /// <summary>
    /// Returns a value of the payload as a type of the host: as it was put into
    /// <see cref="Payload"/>, or an equal one.
    /// </summary>
    /// <param name="key">The key in the payload.</param>
    /// <param name="options">How System.Text.Json reads it; null: the defaults for
    /// payloads.</param>
    /// <exception cref="AccpInvalidTypeException">It does not exist or has another
    /// type.</exception>
    public T? Get<T>(string key, JsonSerializerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (Payload == null || !Payload.TryGetValue(key, out object? value)) throw new AccpInvalidTypeException($"payload.{key}: it is not there");
        return JsonValues.Read<T>($"payload.{key}", value, options);
    }

    /// <summary>The message as compact JSON in UTF-8.</summary>
    /// <exception cref="AccpInvalidTypeException">A value has no JSON form; the reason begins with
    /// its path: <c>payload.items[2].when</c>.</exception>
    public byte[] ToJsonUtf8() => ToJsonUtf8(null);

    /// <summary>
    /// The same with options for the host's own types: naming policy and converters of
    /// System.Text.Json.
    /// </summary>
    public byte[] ToJsonUtf8(JsonSerializerOptions? options) => Write(AgentId, Intent, Operation, Text, Payload, Metadata, options, IsUntrusted);

    /// <summary>The message as JSON.</summary>
    public JsonElement ToJsonElement() => Utf8Text.Element(ToJsonUtf8());

    internal static byte[] Write(string agent, AccpIntent intent, string operation, string? text, Dictionary<string, object> payload, object? meta,
        JsonSerializerOptions? options = null, bool untrusted = false)
    {
        var buffer = new ArrayBufferWriter<byte>(256);
        using (var writer = new Utf8JsonWriter(buffer, Utf8Text.Writing))
        {
            var values = new JsonValues(writer, options);
            writer.WriteStartObject();
            values.WriteText("agent", agent);
            values.WriteText("intent", intent.ToCode());
            values.WriteText("operation", operation);
            values.WriteMember("payload", (object?)text ?? payload ?? throw new AccpInvalidTypeException("payload: it is null"));
            if (meta != null) values.WriteMember("meta", meta);
            if (untrusted) values.WriteMember("untrusted", true);
            writer.WriteEndObject();
        }
        return buffer.WrittenSpan.ToArray();
    }
}
