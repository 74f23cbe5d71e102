// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using System.Text.Json;
using System.Threading;
using Accp.Interop;

namespace Accp;

/// <summary>
/// The profiles of the specification (10): each adds its schema. The error schema ER is always
/// present.
/// </summary>
[Flags]
public enum AccpProfiles
{
    /// <summary>None.</summary>
    None = 0,
    /// <summary>CH.</summary>
    Chat = 1,
    /// <summary>TC.</summary>
    Tool = 2,
    /// <summary>TX.</summary>
    Transaction = 4,
    /// <summary>ST.</summary>
    Stream = 8,
    /// <summary>TA.</summary>
    Workflow = 16,
    /// <summary>All.</summary>
    All = 31,
}

/// <summary>
/// The schemas that two sides agree on (specification 6). A version never changes:
/// <see cref="Register"/> and <see cref="Add"/> replace it by a new one for later users. Any number
/// of threads may use a registry.
/// </summary>
public sealed unsafe class SchemaRegistry : IDisposable
{
    private readonly object gate = new();
    private Handle current;
    private volatile bool disposed;

    /// <summary>
    /// Makes a registry from a document (docs/registry.md; empty: none) and the schemas of some
    /// profiles.
    /// </summary>
    public SchemaRegistry(Utf8Text document = default, AccpProfiles profiles = AccpProfiles.All, AccpConfig? config = null)
    {
        document.Check(nameof(document));
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        void* registry;
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_registry_new(bytes, document.Length, (uint)profiles, made.Pointer, &registry, &error), error);
        current = new Handle(registry, &Free, Weight.Registry);
    }

    private SchemaRegistry(void* owned) => current = new Handle(owned, &Free, Weight.Registry);

    private static void Free(void* registry) => Native.accp_registry_free(registry);

    // Makes a new reference to a registry; null for null.
    internal static SchemaRegistry? Share(void* borrowed) => borrowed == null ? null : new SchemaRegistry(Native.accp_registry_share(borrowed));

    internal static SchemaRegistry Own(void* owned) => new(owned);

    // The current version: do not dispose it; it remains valid after another one has replaced it.
    internal Handle Current
    {
        get
        {
            ObjectDisposedException.ThrowIf(disposed, this);
            return Volatile.Read(ref current);
        }
    }

    internal NativeObject.Use Borrow() => new(Current, this);

    /// <summary>Releases this reference for good. Codecs and engines keep theirs.</summary>
    public void Dispose()
    {
        lock (gate)
        {
            disposed = true;
            current.Dispose();
        }
    }

    /// <summary>
    /// Adds a schema under a name, or replaces the one with that name (specification 7.1).
    /// <see cref="Version"/> increases by one, unless the same schema exists.
    /// </summary>
    public void Register(string name, AccpSchema schema)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(schema);
        Change(schema.Document(name), true);
    }

    /// <summary>
    /// Adds a document: its schemas are added or replace those of the same name; its version, if
    /// any, becomes the registry's.
    /// </summary>
    public void Add(Utf8Text document)
    {
        document.Check(nameof(document));
        Change(document.Bytes, false);
    }

    private void Change(ReadOnlySpan<byte> document, bool counts)
    {
        while (true)
        {
            Handle before = Current, after = AddTo(before, document);
            if (counts && HashOf(before) != HashOf(after))
            {
                using Handle uncounted = after;
                after = AddTo(uncounted, System.Text.Encoding.UTF8.GetBytes(FormattableString.Invariant($"{{\"version\":{VersionOf(before) + 1}}}")));
            }
            if (Replace(before, after)) return;
            after.Dispose();
        }
    }

    private Handle AddTo(Handle registry, Utf8Text document)
    {
        using var use = new NativeObject.Use(registry, this);
        void* made;
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_registry_add(use.Pointer, bytes, document.Length, &made, &error), error);
        return new Handle(made, &Free, Weight.Registry);
    }

    private T Ask<T>(Handle registry, Func<RegistryInfoData, T> read)
    {
        using var use = new NativeObject.Use(registry, this);
        return read(Describe(use.Pointer));
    }

    private static RegistryInfoData Describe(void* registry)
    {
        RegistryInfoData info;
        ErrorDetail error;
        Check.Ok(Native.accp_registry_describe(registry, &info, &error), error);
        return info;
    }

    private string HashOf(Handle registry) => Ask(registry, info => info.Hash.ToString());

    private long VersionOf(Handle registry) => Ask(registry, info => info.Version);

    // False: another thread was faster. The old version is freed after its last use. A registry
    // that was disposed stays disposed.
    private bool Replace(Handle before, Handle after)
    {
        lock (gate)
        {
            if (current != before) return false;
            current = after;
            if (disposed) after.Dispose();
            return true;
        }
    }

    /// <summary>The SHA-256 of everything in force: 64 hexadecimal digits.</summary>
    public string Hash => HashOf(Current);

    /// <summary>
    /// The version: the document's own, plus one for each schema that was registered since.
    /// </summary>
    public long Version => VersionOf(Current);

    /// <summary>The original text of the document.</summary>
    public string Document => Ask(Current, info => info.Document.ToString());

    /// <summary>Everything in force, in its hash form: also a valid document.</summary>
    public string Canonical => Ask(Current, info => info.Canonical.ToString());

    /// <summary>The schemas in force: the document's in its order, then those of the profiles.</summary>
    public IReadOnlyList<SchemaInfo> Schemas()
    {
        using var use = Borrow();
        var list = new List<SchemaInfo>();
        uint count = Describe(use.Pointer).SchemaCount;
        for (uint i = 0; i < count; ++i) list.Add(SchemaInfo.Read(use.Pointer, i));
        return list;
    }

    /// <summary>Returns the schema of this code.</summary>
    /// <exception cref="AccpUnknownSchemaException">It does not exist.</exception>
    public SchemaInfo Find(string code)
    {
        Utf8Text text = Utf8Text.Of(code);
        using var use = Borrow();
        uint index;
        ErrorDetail error;
        fixed (byte* bytes = text)
            Check.Ok(Native.accp_registry_find(use.Pointer, bytes, text.Length, &index, &error), error);
        return SchemaInfo.Read(use.Pointer, index);
    }

    /// <summary>
    /// Returns the only schema that is bound to this intent and operation; null if none or more
    /// than one is.
    /// </summary>
    public SchemaInfo? Bound(AccpIntent intent, string operation)
    {
        Utf8Text text = Utf8Text.Of(operation);
        using var use = Borrow();
        uint index;
        fixed (byte* bytes = text)
            return Native.accp_registry_find_bound(use.Pointer, (int)intent, bytes, text.Length, &index, null) == 0 ? SchemaInfo.Read(use.Pointer, index) : null;
    }

    /// <summary>Returns whether this operation is predefined or listed in the document.</summary>
    public bool KnowsOperation(string operation)
    {
        Utf8Text text = Utf8Text.Of(operation);
        using var use = Borrow();
        fixed (byte* bytes = text)
            return Native.accp_registry_has_operation(use.Pointer, bytes, text.Length) != 0;
    }

    /// <summary>
    /// Returns the changes from <paramref name="from"/> (null: everything is new) to this one:
    /// <c>{"add":{…},"del":[…],"changes":[…],"breaking":…}</c>.
    /// </summary>
    public JsonElement Difference(SchemaRegistry? from)
    {
        using var value = new AccpValue();
        using (var into = value.Enter())
        {
            using var to = Borrow();
            ErrorDetail error;
            if (from == null)
            {
                Check.Ok(Native.accp_registry_diff(null, to.Pointer, into.Pointer, &error), error);
            }
            else
            {
                using var of = from.Borrow();
                Check.Ok(Native.accp_registry_diff(of.Pointer, to.Pointer, into.Pointer, &error), error);
            }
        }
        return value.ToElement();
    }

    /// <summary>Makes the union of two registries; their order does not matter.</summary>
    public static SchemaRegistry Merge(SchemaRegistry first, SchemaRegistry second)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        using var a = first.Borrow();
        using var b = second.Borrow();
        void* made;
        ErrorDetail error;
        Check.Ok(Native.accp_registry_merge(a.Pointer, b.Pointer, &made, &error), error);
        return new SchemaRegistry(made);
    }
}
