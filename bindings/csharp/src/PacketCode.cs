// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>Files of code, of which packets tell those of a task: their texts are not kept.</summary>
public sealed unsafe class PacketCode : ExclusiveObject
{
    /// <summary>Makes one without files; config null: every default. Of a config it reads the limits.</summary>
    public PacketCode(AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* code;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_code_new(made.Pointer, &code, &error), error);
        Own(new Handle(code, &Free, Weight.Small));
    }

    private PacketCode(Handle handle) => Own(handle);

    /// <summary>Makes one that stays on disk, of the file that is there or of a new one (docs/packets.md, An index that stays): a cache, which is made anew where it is damaged.
    /// <see cref="Sync"/> before it is disposed of, or what was added last may be lost.</summary>
    /// <param name="path">Of the file, in a directory that is there.</param>
    /// <param name="config">As of the constructor.</param>
    /// <exception cref="AccpArgumentException">The file is something else, or the library has no SQLite.</exception>
    /// <exception cref="AccpCorruptException">It is no file of SQLite.</exception>
    public static PacketCode Open(string path, AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        using var made = new NativeConfig(config);
        void* code;
        ErrorDetail error;
        fixed (byte* p = name)
            Check.Ok(Native.accp_packet_code_new_on_disk(p, name.Length, made.Pointer, &code, &error), error);
        return new PacketCode(new Handle(code, &Free, Weight.Small));
    }

    private static void Free(void* code) => Native.accp_packet_code_free(code);

    /// <summary>Adds a file, or replaces the one of this path; the same text again costs no more than its hash.</summary>
    /// <param name="path">From the tree's root on, with straight slashes.</param>
    /// <param name="text">Of which the first 262,144 bytes are read; where one of them is NUL the path alone counts.</param>
    /// <exception cref="AccpArgumentException">A path that is empty, or has more than 4,096 bytes.</exception>
    public void Add(string path, Utf8Text text)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* p = name, t = text)
            Check.Ok(Native.accp_packet_code_add(call.Pointer, p, name.Length, t, text.Length, &error), error);
    }

    /// <summary>The same with a stamp, of which only the caller knows what it says: a hash of the file's size and times, say. <see cref="Stamp"/> tells it.</summary>
    /// <param name="path">As without one.</param>
    /// <param name="text">As without one.</param>
    /// <param name="stamp">0: none.</param>
    public void Add(string path, Utf8Text text, ulong stamp)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* p = name, t = text)
            Check.Ok(Native.accp_packet_code_add_stamped(call.Pointer, p, name.Length, t, text.Length, stamp, &error), error);
    }

    /// <summary>The stamp that the file of a path was added with last: whether its text has to be read at all. 0: there is no such file, or no stamp.</summary>
    public ulong Stamp(string path)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        using var call = Enter();
        fixed (byte* p = name)
            return Native.accp_packet_code_stamp(call.Pointer, p, name.Length);
    }

    /// <summary>All paths, in the order of their bytes.</summary>
    public string[] Paths()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_packet_code_paths(call.Pointer, &text, &error), error);
        return text.ToString().Split('\0', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>Writes what was added to the disk.</summary>
    /// <exception cref="AccpIOException">Also where the disk is full: nothing is lost, call again.</exception>
    /// <exception cref="AccpCorruptException">The file was damaged, and is gone.</exception>
    public void Sync()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_code_sync(call.Pointer, &error), error);
    }

    /// <summary>Removes the file of a path; false: there was none.</summary>
    public bool Remove(string path)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        using var call = Enter();
        fixed (byte* p = name)
        {
            int removed = Native.accp_packet_code_remove(call.Pointer, p, name.Length);
            if (removed < 0) Check.Ok(removed, default);
            return removed != 0;
        }
    }

    /// <summary>The number of files.</summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_packet_code_count(call.Pointer));
        }
    }
}
