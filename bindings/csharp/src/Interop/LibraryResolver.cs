// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: DisableRuntimeMarshalling]
[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories | DllImportSearchPath.AssemblyDirectory)]

namespace Accp.Interop;

// Finds libaccp_csharp.so: where ACCP_LIBRARY_PATH says (a directory, or the file), for development; else where the runtime looks, which is the package's
// runtimes/linux-x64/native. It finds libaccp.so.1 beside itself.
internal static class LibraryResolver
{
    private const int Abi = 1;

    internal static void Register()
    {
        try
        {
            NativeLibrary.SetDllImportResolver(typeof(LibraryResolver).Assembly, Resolve);
        }
        catch (InvalidOperationException)
        {
            // The host has set its own for this assembly.
        }
    }

    private static IntPtr Resolve(string name, Assembly assembly, DllImportSearchPath? path)
    {
        if (name != "accp_csharp") return IntPtr.Zero;
        string? given = Environment.GetEnvironmentVariable("ACCP_LIBRARY_PATH");
        if (!string.IsNullOrEmpty(given))
            return NativeLibrary.Load(Directory.Exists(given) ? Path.Combine(given, "libaccp_csharp.so") : given);
        return IntPtr.Zero;
    }

    // Called once, by the first handle: a library of another ABI is not used.
    internal static void CheckAbi()
    {
        int found = Native.accp_abi_version();
        if (found != Abi) throw new DllNotFoundException($"libaccp has ABI version {found}, and this assembly needs {Abi}");
    }
}
