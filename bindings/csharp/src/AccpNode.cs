// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;

namespace Accp;

/// <summary>The kind of a node.</summary>
#pragma warning disable CA1028 // One byte in the library's memory.
#pragma warning disable CA1720 // The grammar's own names.
public enum AccpKind : byte
{
    /// <summary>No node.</summary>
    None = 0,
    /// <summary><c>~</c>.</summary>
    Null = 1,
    /// <summary>true or false.</summary>
    Bool = 2,
    /// <summary>An integer of any number of digits.</summary>
    Int = 3,
    /// <summary>An integer, a point, and digits: exact.</summary>
    Dec = 4,
    /// <summary>Any other JSON number with its original text. Values only.</summary>
    Number = 5,
    /// <summary>A text.</summary>
    String = 6,
    /// <summary><c>$warm.key</c>; the text is without the <c>$</c>.</summary>
    Ref = 7,
    /// <summary>An array; its length is the number of elements.</summary>
    Array = 8,
    /// <summary>A map; its length is the number of entries.</summary>
    Map = 9,
    /// <summary>Agent, intent or operation of a frame.</summary>
    Name = 10,
}

/// <summary>Flags of a node.</summary>
[Flags]
public enum AccpNodeTraits : byte
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>On <see cref="AccpKind.Bool"/>: true.</summary>
    True = 1,
    /// <summary>In a frame: the text has <c>\</c> before delimiters.</summary>
    Escaped = 2,
    /// <summary>In a frame: a string that only the compat dialect accepts.</summary>
    Loose = 4,
}
#pragma warning restore CA1028, CA1720

/// <summary>One node of a tree, 16 bytes, in the order of the text, parents before children.</summary>
[StructLayout(LayoutKind.Sequential)]
public readonly record struct AccpNode
{
    /// <summary>Its kind.</summary>
    public readonly AccpKind Kind;

    /// <summary>The flags of the node.</summary>
    public readonly AccpNodeTraits Flags;

    /// <summary>For a child of a map: the length of its key in bytes.</summary>
    public readonly ushort KeyLength;

    /// <summary>Offset of its text.</summary>
    public readonly uint Offset;

    /// <summary>The length of its text in bytes; of an array or map the number of children.</summary>
    public readonly uint Length;

    /// <summary>The index of the first node after this one and all its children.</summary>
    public readonly uint Next;

    /// <summary>Offset of its key.</summary>
    public int KeyOffset => checked((int)Offset - 1 - KeyLength - (Kind == AccpKind.Ref ? 1 : 0));
}

/// <summary>
/// A parsed tree: its nodes in one array, and their text. It is in managed memory of the object
/// that returned it, and shows that object's newest tree, so read it before the next call.
/// </summary>
public readonly ref struct NodeTree
{
    internal NodeTree(ReadOnlySpan<AccpNode> nodes, ReadOnlySpan<byte> text)
    {
        Nodes = nodes;
        Text = text;
    }

    /// <summary>
    /// The nodes. In a frame, 0, 1 and 2 are agent, intent and operation, 3 is the payload, and the
    /// node after it, if any, is the metadata.
    /// </summary>
    public ReadOnlySpan<AccpNode> Nodes { get; }

    /// <summary>The text of the nodes.</summary>
    public ReadOnlySpan<byte> Text { get; }

    /// <summary>Returns the original text of a node that is neither array nor map.</summary>
    public ReadOnlySpan<byte> Value(int index) => Text.Slice((int)Nodes[index].Offset, (int)Nodes[index].Length);

    /// <summary>Returns the original key of a child of a map.</summary>
    public ReadOnlySpan<byte> Key(int index) => Text.Slice(Nodes[index].KeyOffset, Nodes[index].KeyLength);

    /// <summary>
    /// Returns the child of a map with this key, as the text spells it; 0 if it does not exist.
    /// </summary>
    public int Find(int parent, ReadOnlySpan<byte> key)
    {
        for (int child = parent + 1; child < Nodes[parent].Next; child = (int)Nodes[child].Next)
            if (Key(child).SequenceEqual(key)) return child;
        return 0;
    }

    /// <summary>The metadata of a frame, or 0 if it has none.</summary>
    public int Metadata => Nodes.Length > 3 && Nodes[3].Next < Nodes.Length ? (int)Nodes[3].Next : 0;
}
