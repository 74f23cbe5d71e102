// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

[assembly: DisableRuntimeMarshalling]
[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories | DllImportSearchPath.AssemblyDirectory)]

namespace Accp.Interop;

// Finds libaccp_csharp.so (on Windows accp_csharp.dll): by ACCP_LIBRARY_PATH (a directory or the file) for development, else by
// the runtime, in the package's runtimes/<platform>/native. libaccp.so.1 is beside it; on Windows it is inside. If it is
// missing, the error has its name, the searched places, and the supported platforms.
internal static class LibraryResolver
{
    private const int Abi = 1;
    private const string Variable = "ACCP_LIBRARY_PATH";
    private static readonly string Name = OperatingSystem.IsWindows() ? "accp_csharp.dll" : "libaccp_csharp.so";
    private static readonly string Beside = OperatingSystem.IsWindows() ? "" : ", which has libaccp.so.1 beside it,";

    // The platforms with native libraries in the package: ../../pack.
    private const string Platforms = "linux-x64, linux-arm64, linux-musl-x64 and win-x64";

    internal static void Register()
    {
        try
        {
            NativeLibrary.SetDllImportResolver(typeof(LibraryResolver).Assembly, Resolve);
        }
        catch (InvalidOperationException)
        {
            // The host has set its own resolver for this assembly.
        }
    }

    private static IntPtr loaded;  // the runtime resolves each function

    private static IntPtr Resolve(string name, Assembly assembly, DllImportSearchPath? path)
    {
        if (name != "accp_csharp") return IntPtr.Zero;
        if (loaded == 0) loaded = Find(name, assembly, path);
        return loaded;
    }

    private static IntPtr Find(string name, Assembly assembly, DllImportSearchPath? path)
    {
        var tried = new List<string>();
        string? given = Environment.GetEnvironmentVariable(Variable);
        if (!string.IsNullOrEmpty(given))
            return Load(Directory.Exists(given) ? Path.Combine(given, Name) : given, tried) is var found && found != 0 ? found : throw Missing(tried, $", where {Variable} points");
        if (NativeLibrary.TryLoad(name, assembly, path, out IntPtr library)) return library;
        foreach (string directory in Directories())
            if (Load(Path.Combine(directory, Name), tried) is var beside && beside != 0) return beside;
        throw Missing(tried, "");
    }

    // The directory of native libraries of a package or a published program.
    private static IEnumerable<string> Directories()
    {
        if (AppContext.GetData("NATIVE_DLL_SEARCH_DIRECTORIES") is string listed)
            foreach (string one in listed.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)) yield return one;
        yield return AppContext.BaseDirectory;
        yield return Path.Combine(AppContext.BaseDirectory, "runtimes", RuntimeInformation.RuntimeIdentifier, "native");
    }

    private static IntPtr Load(string file, List<string> tried)
    {
        try
        {
            if (File.Exists(file)) return NativeLibrary.Load(file);
            tried.Add($"{file}: there is no such file");
        }
        catch (Exception wrong) when (wrong is DllNotFoundException or BadImageFormatException)
        {
            tried.Add($"{file}: {wrong.Message}");  // it exists, but a dependency is missing: libaccp.so.1, or a system library
        }
        return 0;
    }

    private static DllNotFoundException Missing(List<string> tried, string where) =>
        new($"The native library {Name}{Beside} cannot be loaded{where}. This is {RuntimeInformation.RuntimeIdentifier}; the Accp package has natives for " +
            $"{Platforms}. Elsewhere build the repository with -DACCP_BUILD_BINDINGS=ON and set {Variable} to the directory of {Name}. Looked for:\n  {string.Join("\n  ", tried)}");

    // Called once, by the first handle: a library with another ABI is not used.
    internal static void CheckAbi()
    {
        int found = Native.accp_abi_version();
        if (found != Abi) throw new DllNotFoundException($"libaccp has ABI version {found}, and this assembly needs {Abi}");
    }
}
