// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using Accp.Interop;

namespace Accp;

/// <summary>
/// An index of code files from which packets select those of a task. It does not keep their texts.
/// </summary>
public sealed unsafe class PacketCode : ExclusiveObject
{
    /// <summary>
    /// Makes an empty index in memory; config null: all defaults. It reads the limits of a config.
    /// </summary>
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

    /// <summary>
    /// Opens or creates an index on disk (docs/packets.md, An index that stays): a cache, which is
    /// rebuilt if it is damaged. Call <see cref="Sync"/> before it is disposed, or the last
    /// additions may be lost.
    /// </summary>
    /// <param name="path">The path of the file, in an existing directory.</param>
    /// <param name="config">As for the constructor.</param>
    /// <exception cref="AccpArgumentException">The file is something else, or the library has no
    /// SQLite.</exception>
    /// <exception cref="AccpCorruptException">The file is not from SQLite.</exception>
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

    /// <summary>
    /// Adds a file or replaces the one with this path; the same text costs only its hash.
    /// </summary>
    /// <param name="path">Relative to the tree's root, with forward slashes.</param>
    /// <param name="text">The first 262,144 bytes are read; if they contain a NUL, only the path
    /// counts.</param>
    /// <exception cref="AccpArgumentException">A path that is empty, or has more than 4,096
    /// bytes.</exception>
    public void Add(string path, Utf8Text text)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        text.Check(nameof(text));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* p = name, t = text)
            Check.Ok(Native.accp_packet_code_add(call.Pointer, p, name.Length, t, text.Length, &error), error);
    }

    /// <summary>
    /// The same with a stamp of the caller, such as a hash of the file's size and times.
    /// <see cref="Stamp"/> returns it.
    /// </summary>
    /// <param name="path">As for the overload without a stamp.</param>
    /// <param name="text">As for the overload without a stamp.</param>
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

    /// <summary>
    /// Returns the last stamp of a path, to decide whether its text has to be read. 0: the file
    /// does not exist or has no stamp.
    /// </summary>
    public ulong Stamp(string path)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        using var call = Enter();
        ulong stamp = 0;  // stays 0 if the index fails: then the file is read, and adding it reports the failure
        fixed (byte* p = name)
            _ = Native.accp_packet_code_stamp(call.Pointer, p, name.Length, &stamp, null);
        return stamp;
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

    /// <summary>Writes additions to the disk.</summary>
    /// <exception cref="AccpIOException">Also for a full disk: nothing is lost, call it
    /// again.</exception>
    /// <exception cref="AccpCorruptException">The file was damaged and is removed.</exception>
    public void Sync()
    {
        using var call = Enter();
        ErrorDetail error;
        Check.Ok(Native.accp_packet_code_sync(call.Pointer, &error), error);
    }

    /// <summary>Removes the file with a path; false: it did not exist.</summary>
    public bool Remove(string path)
    {
        Utf8Text name = Utf8Text.Of(path, nameof(path));
        using var call = Enter();
        ErrorDetail error;
        int status;
        fixed (byte* p = name)
            status = Native.accp_packet_code_remove(call.Pointer, p, name.Length, &error);
        if (status == (int)AccpStatus.RefNotFound) return false;
        Check.Ok(status, error);
        return true;
    }

    /// <summary>The number of files.</summary>
    public long Count
    {
        get
        {
            using var call = Enter();
            ulong count = 0;
            _ = Native.accp_packet_code_count(call.Pointer, &count, null);
            return checked((long)count);
        }
    }
}
