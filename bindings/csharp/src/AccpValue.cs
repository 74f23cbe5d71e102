// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

/// <summary>One JSON value, exact: numbers keep their digits. As a flat tree, as JSON, in its hash form, or as .NET objects.</summary>
public sealed unsafe class AccpValue : ExclusiveObject
{
    private byte[] text = [];
    private AccpNode[] nodes = [];
    private int textLength, nodeCount;

    /// <summary>Makes an empty value; config null: all defaults.</summary>
    public AccpValue(AccpConfig? config = null)
    {
        using var made = new NativeConfig(config);
        void* value;
        ErrorDetail error;
        Check.Ok(Native.accp_value_new(made.Pointer, &value, &error), error);
        Own(new Handle(value, &Free, Weight.Value));
    }

    private static void Free(void* value) => Native.accp_value_free(value);

    /// <summary>
    /// Reads one JSON text (RFC 8259) and replaces the value. After a failure the value is empty.
    /// </summary>
    public NodeTree Parse(Utf8Text json)
    {
        json.Check(nameof(json));
        using var call = Enter();
        nodeCount = 0;
        ErrorDetail error;
        fixed (byte* bytes = json)
            Check.Ok(Native.accp_value_parse_json(call.Pointer, bytes, json.Length, &error), error);
        CopyTree(call.Pointer);
        return Tree;
    }

    /// <summary>The tree; empty for an empty value.</summary>
    public NodeTree Tree => new(nodes.AsSpan(0, nodeCount), text.AsSpan(0, textLength));

    internal void CopyTree(void* handle)
    {
        nuint count;
        void* found = Native.accp_value_nodes(handle, &count);
        ReadOnlySpan<byte> words = Native.accp_value_text(handle).Span;
        nodeCount = checked((int)count);
        textLength = words.Length;
        if (nodes.Length < nodeCount) nodes = new AccpNode[Math.Max(nodeCount, 2 * nodes.Length)];
        if (text.Length < textLength) text = new byte[Math.Max(textLength, 2 * text.Length)];
        new ReadOnlySpan<AccpNode>(found, nodeCount).CopyTo(nodes);
        words.CopyTo(text);
    }

    /// <summary>Compact JSON.</summary>
    public override string ToString()
    {
        using var call = Enter();
        return Utf8.Decode(Print(call.Pointer));
    }

    /// <summary>As <see cref="JsonElement"/>.</summary>
    public JsonElement ToElement()
    {
        using var call = Enter();
        return Utf8Text.Element(Print(call.Pointer));
    }

    private static ReadOnlySpan<byte> Print(void* handle)
    {
        AccpText printed;
        ErrorDetail error;
        Check.Ok(Native.accp_value_print_json(handle, &printed, &error), error);
        return printed.Span;
    }

    /// <summary>
    /// Returns the text for comparing and hashing values: RFC 8785 with numbers from their exact
    /// digits.
    /// </summary>
    public string HashForm()
    {
        using var call = Enter();
        AccpText printed;
        ErrorDetail error;
        Check.Ok(Native.accp_value_print_hash_form(call.Pointer, &printed, &error), error);
        return printed.ToString();
    }

    /// <summary>
    /// Converts to .NET objects: null, bool, long or <see cref="System.Numerics.BigInteger"/>,
    /// decimal if it is exact, else <see cref="AccpNumber"/>, string, <see cref="AccpRef"/>,
    /// <c>List&lt;object&gt;</c>, <c>Dictionary&lt;string, object&gt;</c>.
    /// </summary>
    public object? ToObject() => nodeCount == 0 ? null : AccpValues.Read(Tree, 0);
}
