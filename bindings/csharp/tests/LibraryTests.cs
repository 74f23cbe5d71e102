// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using Xunit;

namespace Accp.Tests;

/// <summary>A missing native library, or one with a missing dependency.</summary>
public sealed class LibraryTests : IDisposable
{
    private static readonly string Name = OperatingSystem.IsWindows() ? "accp_csharp.dll" : "libaccp_csharp.so";
    private readonly string directory = Directory.CreateTempSubdirectory("accp-").FullName;

    public void Dispose() => Directory.Delete(directory, true);

    // A second copy of the assembly, which looks up its library again.
    private static Exception? Load(string? path)
    {
        _ = AccpLibrary.Version;  // the first copy has found its own
        string? before = Environment.GetEnvironmentVariable("ACCP_LIBRARY_PATH");
        var context = new AssemblyLoadContext("elsewhere", true);
        try
        {
            Environment.SetEnvironmentVariable("ACCP_LIBRARY_PATH", path);
            Type library = context.LoadFromAssemblyPath(typeof(AccpLibrary).Assembly.Location).GetType(typeof(AccpLibrary).FullName!)!;
            return Record.Exception(() => library.GetProperty("Version")!.GetValue(null)) is TargetInvocationException wrapped ? wrapped.InnerException : null;
        }
        finally
        {
            Environment.SetEnvironmentVariable("ACCP_LIBRARY_PATH", before);
            context.Unload();
        }
    }

    [Fact]
    public void ALibraryThatIsMissingIsNamed()
    {
        DllNotFoundException missing = Assert.IsType<DllNotFoundException>(Load(directory));
        Assert.All([Name, directory, "ACCP_LIBRARY_PATH", "linux-x64", RuntimeInformation.RuntimeIdentifier, "no such file"],
            part => Assert.Contains(part, missing.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void ALibraryThatIsBrokenSaysWhy()
    {
        File.WriteAllText(Path.Combine(directory, Name), "no library");
        DllNotFoundException broken = Assert.IsType<DllNotFoundException>(Load(directory));
        Assert.Contains(Path.Combine(directory, Name) + ": ", broken.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("no such file", broken.Message, StringComparison.Ordinal);
    }
}
