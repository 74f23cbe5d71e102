// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;

namespace Accp;

/// <summary>A schema to be registered (specification 6.2; docs/registry.md).</summary>
/// <param name="Code">Its code on the wire: a letter, then letters, digits and <c>_</c>.</param>
/// <param name="Fields">The names of its fields, in the order of payloads by position.</param>
public sealed record AccpSchema(string Code, IReadOnlyList<string> Fields)
{
    /// <summary>The version; the higher of two versions of a schema is used.</summary>
    public long Version { get; init; } = 1;

    /// <summary>Defaults by field: omitted on the wire, filled in by decoding.</summary>
    public IReadOnlyDictionary<string, object?>? Defaults { get; init; }

    /// <summary>Types by field.</summary>
    public IReadOnlyDictionary<string, SchemaFieldType>? Types { get; init; }

    /// <summary>Fields by short key, one for each field.</summary>
    public IReadOnlyDictionary<string, string>? Aliases { get; init; }

    /// <summary>Required fields.</summary>
    public IReadOnlyList<string>? Required { get; init; }

    /// <summary>Its bindings: <c>intent:operation</c>, or an operation for every intent.</summary>
    public IReadOnlyList<string>? Bind { get; init; }

    internal ReadOnlySpan<byte> Document(string name)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, Utf8Text.Writing))
        {
            var schema = new Dictionary<string, object?> { ["code"] = Code, ["version"] = Version, ["fields"] = Fields };
            void Add<T>(string member, IReadOnlyDictionary<string, T>? map, Func<T, object?> value)
            {
                if (map != null) schema.Add(member, map.ToDictionary(entry => entry.Key, entry => value(entry.Value)));
            }
            Add("defaults", Defaults, value => value);
            Add("types", Types, type => NameOf(type));
            Add("aliases", Aliases, alias => alias);
            if (Required != null) schema.Add("required", Required);
            if (Bind != null) schema.Add("bind", Bind);
            writer.WriteStartObject();
            new JsonValues(writer).WriteMember("schemas", new Dictionary<string, object?> { [name] = schema });
            writer.WriteEndObject();
        }
        return buffer.WrittenSpan;
    }

    private static string NameOf(SchemaFieldType type) => type switch
    {
        SchemaFieldType.String => "string",
        SchemaFieldType.Integer => "integer",
        SchemaFieldType.Decimal => "decimal",
        SchemaFieldType.Number => "number",
        SchemaFieldType.Boolean => "boolean",
        SchemaFieldType.Array => "array",
        SchemaFieldType.Object => "object",
        _ => "any",
    };
}
