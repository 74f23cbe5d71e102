// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The library under a managed runtime: smoke LIBRARY VECTORS runs every frame and every q1 value of the vectors through it.
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;

namespace Accp.Smoke;

internal static unsafe class Program
{
    private static int passed, failed;

    private static int Main(string[] args)
    {
        if (args.Length != 2) { Console.Error.WriteLine("usage: smoke LIBRARY VECTORS"); return 2; }
        NativeLibrary.SetDllImportResolver(typeof(Native).Assembly, (name, assembly, path) => name == "accp" ? NativeLibrary.Load(args[0]) : IntPtr.Zero);
        if (Native.accp_abi_version() != 1 || sizeof(Node) != 16) { Console.Error.WriteLine("another ABI"); return 2; }

        Must(Native.accp_frame_new(IntPtr.Zero, out IntPtr frame, out Error error), error);
        Must(Native.accp_value_new(IntPtr.Zero, out IntPtr value, out error), error);
        foreach (string line in File.ReadLines(Path.Combine(args[1], "frames.jsonl")))
            Check(line, vector => FrameHolds(frame, vector));
        foreach (string line in File.ReadLines(Path.Combine(args[1], "q1.jsonl")))
            Check(line, vector => ValueHolds(frame, value, vector));
        Native.accp_frame_free(frame);
        Native.accp_value_free(value);

        Console.WriteLine($"{passed} passed, {failed} failed");
        return failed == 0 && passed > 0 ? 0 : 1;
    }

    private static void Check(string line, Func<JsonElement, string?> holds)
    {
        using JsonDocument vector = JsonDocument.Parse(line);
        string? wrong = holds(vector.RootElement);
        if (wrong == null) { passed++; return; }
        failed++;
        Console.WriteLine($"{wrong}: {line}");
    }

    private static void Must(int status, in Error error)
    {
        if (status != 0) throw new InvalidOperationException($"{status}: {Marshal.PtrToStringUTF8(error.Message)}");
    }

    // Verdict, canonical text, and the three names of a frame, which are read as a span over the library's own nodes. Null: all as it should be.
    private static string? FrameHolds(IntPtr frame, JsonElement vector)
    {
        byte[] text = Encoding.UTF8.GetBytes(vector.GetProperty("frame").GetString()!);
        fixed (byte* bytes = text)
        {
            int status = Native.accp_frame_parse(frame, bytes, (nuint)text.Length, out Error error);
            var nodes = new ReadOnlySpan<Node>(Native.accp_frame_nodes(frame, out nuint count), checked((int)count));
            if (!vector.GetProperty("ok").GetBoolean())
            {
                if (nodes.Length != 0) return "nodes after a refusal";
                return status == error.Code && "E" + status == vector.GetProperty("code").GetString() ? null : $"verdict {status}";
            }
            if (status != 0) return $"refused, {status} at {error.Offset}";
            JsonElement tree = vector.GetProperty("ast");
            string[] names = { "agent", "intent", "operation" };
            for (int i = 0; i < names.Length; i++)
            {
                string name = Encoding.UTF8.GetString(text, (int)nodes[i].Offset, (int)nodes[i].Length);
                if (name != tree.GetProperty(names[i]).GetString()) return $"{names[i]} is {name}";
            }
            if (nodes[3].Length != tree.GetProperty("payload").GetProperty("map").GetArrayLength()) return "size of the payload";
            return PrintHolds(frame, vector.GetProperty("canon").GetString());
        }
    }

    private static string? PrintHolds(IntPtr frame, string? canonical)
    {
        int status = Native.accp_frame_print(frame, out byte* text, out nuint length, out Error error);
        if (canonical == null) return status == 1004 ? null : $"printed, {status}";
        return status == 0 && Native.Text(text, length) == canonical ? null : $"canonical form, {status} {error.Offset}";
    }

    // A value, as the one payload key of a message, has that wire form, and comes back with the same hash form.
    private static string? ValueHolds(IntPtr frame, IntPtr value, JsonElement vector)
    {
        string json = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":" + vector.GetProperty("json").GetString() + "}}";
        byte[] message = Encoding.UTF8.GetBytes(json);
        byte[] wire;
        fixed (byte* bytes = message)
        {
            int status = Native.accp_frame_encode(frame, bytes, (nuint)message.Length, out byte* text, out nuint length, out Error error);
            if (status != 0) return $"refused, {status} at {error.Offset}";
            wire = new ReadOnlySpan<byte>(text, checked((int)length)).ToArray();
        }
        if (Encoding.UTF8.GetString(wire) != "@a>req:x{k:" + vector.GetProperty("wire").GetString() + "}") return "wire form " + Encoding.UTF8.GetString(wire);
        fixed (byte* bytes = wire)
        {
            int status = Native.accp_frame_decode(frame, bytes, (nuint)wire.Length, out byte* text, out nuint length, out Error error);
            if (status != 0) return $"not decoded, {status} at {error.Offset}";
            byte[] back = new ReadOnlySpan<byte>(text, checked((int)length)).ToArray();
            return HashForm(value, back) == HashForm(value, message) ? null : "came back as " + Encoding.UTF8.GetString(back);
        }
    }

    private static string HashForm(IntPtr value, byte[] json)
    {
        fixed (byte* bytes = json)
            Must(Native.accp_json_parse(value, bytes, (nuint)json.Length, out Error error), error);
        Must(Native.accp_value_hash_form(value, out byte* text, out nuint length, out Error hashError), hashError);
        return Native.Text(text, length);
    }
}
