// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The part of the C face that the smoke test calls: plain P/Invoke, no package, no generated code.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Accp.Smoke;

/// <summary>accp_node, 16 bytes.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly struct Node
{
    public readonly byte Kind;
    public readonly byte Flags;
    public readonly ushort KeyLength;
    public readonly uint Offset;
    public readonly uint Length;
    public readonly uint Next;
}

/// <summary>accp_error: the message is static text of the library.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Error
{
    public int Code;
    public uint Record;
    public ulong Offset;
    public IntPtr Message;
}

internal static unsafe class Native
{
    private const string Library = "accp";

    [DllImport(Library)] public static extern int accp_abi_version();
    [DllImport(Library)] public static extern int accp_frame_new(IntPtr options, out IntPtr frame, out Error error);
    [DllImport(Library)] public static extern void accp_frame_free(IntPtr frame);
    [DllImport(Library)] public static extern int accp_frame_parse(IntPtr frame, byte* text, nuint length, out Error error);
    [DllImport(Library)] public static extern Node* accp_frame_nodes(IntPtr frame, out nuint count);
    [DllImport(Library)] public static extern int accp_frame_print(IntPtr frame, out byte* text, out nuint length, out Error error);
    [DllImport(Library)] public static extern int accp_frame_encode(IntPtr frame, byte* json, nuint length, out byte* text, out nuint textLength, out Error error);
    [DllImport(Library)] public static extern int accp_frame_decode(IntPtr frame, byte* text, nuint length, out byte* json, out nuint jsonLength, out Error error);
    [DllImport(Library)] public static extern int accp_value_new(IntPtr options, out IntPtr value, out Error error);
    [DllImport(Library)] public static extern void accp_value_free(IntPtr value);
    [DllImport(Library)] public static extern int accp_json_parse(IntPtr value, byte* text, nuint length, out Error error);
    [DllImport(Library)] public static extern int accp_value_hash_form(IntPtr value, out byte* text, out nuint length, out Error error);

    public static string Text(byte* text, nuint length) => Encoding.UTF8.GetString(text, checked((int)length));
}
