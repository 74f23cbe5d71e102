// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>The type of a schema's field; a ref and null are always allowed.</summary>
#pragma warning disable CA1720 // The format's own names.
public enum SchemaFieldType
{
    /// <summary>Any value.</summary>
    Any = 0,
    /// <summary>A text.</summary>
    String = 1,
    /// <summary>An integer.</summary>
    Integer = 2,
    /// <summary>Exact digits, no exponent.</summary>
    Decimal = 3,
    /// <summary>Any number.</summary>
    Number = 4,
    /// <summary>true or false.</summary>
    Boolean = 5,
    /// <summary>An array.</summary>
    Array = 6,
    /// <summary>An object.</summary>
    Object = 7,
}
#pragma warning restore CA1720

/// <summary>A field of a schema in force.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Wire">Its name in a frame.</param>
/// <param name="DefaultJson">Its default as compact JSON; empty if it has none.</param>
/// <param name="Type">Its type.</param>
/// <param name="IsRequired">Whether it is required.</param>
public sealed record SchemaField(string Name, string Wire, string DefaultJson, SchemaFieldType Type, bool IsRequired);

/// <summary>A schema in force.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Code">Its code on the wire.</param>
/// <param name="Version">Its version.</param>
/// <param name="IsBuiltIn">Whether it comes from a profile.</param>
/// <param name="Fields">Its fields in their order.</param>
public sealed record SchemaInfo(string Name, string Code, long Version, bool IsBuiltIn, IReadOnlyList<SchemaField> Fields)
{
    internal static unsafe SchemaInfo Read(void* registry, uint index)
    {
        SchemaData schema;
        ErrorDetail error;
        Check.Ok(Native.accp_registry_schema(registry, index, &schema, &error), error);
        var fields = new List<SchemaField>();
        for (uint i = 0; i < schema.FieldCount; ++i)
        {
            FieldData field;
            Check.Ok(Native.accp_registry_field(registry, index, i, &field, &error), error);
            fields.Add(new SchemaField(field.Name.ToString(), field.Wire.ToString(), field.DefaultJson.ToString(), (SchemaFieldType)field.Type, field.Required != 0));
        }
        return new SchemaInfo(schema.Name.ToString(), schema.Code.ToString(), schema.Version, schema.BuiltIn != 0, fields);
    }
}
