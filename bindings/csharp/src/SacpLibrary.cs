// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using Accp.Interop;

namespace Accp;

/// <summary>
/// The verbs and tools that SACP messages may use, with the types of their params, and short names.
/// Constant: any number of threads may use it at once.
/// </summary>
public sealed unsafe class SacpLibrary : NativeObject
{
    /// <summary>
    /// Reads a library; config null: all defaults. It reads the limits of a config.
    /// </summary>
    /// <param name="document">JSON:
    /// <c>{"verbs":[{"name","description","inputs","outputs"}],"tools":[{"id","description","supported_verbs"}],"aliases":{…}}</c>;
    /// empty: no verbs and tools.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpException">It is refused; <see cref="Sacp.CheckLibrary"/> reports it
    /// with SACP's own codes.</exception>
    public SacpLibrary(Utf8Text document = default, AccpConfig? config = null)
    {
        document.Check(nameof(document));
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* library;
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_library_new(bytes, document.Length, made.Pointer, &library, &error), error);
        Own(new Handle(library, &Free, Weight.Library));
    }

    private static void Free(void* library) => Native.accp_library_free(library);
}
