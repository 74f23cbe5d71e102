// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;

namespace Accp.Tests;

/// <summary>
/// The repository's data: ACCP_SOURCE, set by ../test; ACCP_VECTORS: other vectors of the same
/// form.
/// </summary>
internal static class Vectors
{
    internal static readonly string Source = Environment.GetEnvironmentVariable("ACCP_SOURCE") ?? throw new InvalidOperationException("ACCP_SOURCE is not set");

    internal static string Path(string name) =>
        System.IO.Path.Combine(Environment.GetEnvironmentVariable("ACCP_VECTORS") ?? System.IO.Path.Combine(Source, "tests", "system", "vectors"), name);

    internal static IEnumerable<JsonElement> Lines(string name) => File.ReadLines(Path(name)).Select(line => JsonElement.Parse(line));

    internal static string Text(this JsonElement of, string name) => of.TryGetProperty(name, out JsonElement found) ? found.GetString()! : "";

    internal static long Number(this JsonElement of, string name, long otherwise = 0) => of.TryGetProperty(name, out JsonElement found) ? found.GetInt64() : otherwise;

    internal static bool Flag(this JsonElement of, string name) => of.TryGetProperty(name, out JsonElement found) && found.GetBoolean();

    internal static IEnumerable<string> List(this JsonElement of, string name) =>
        of.TryGetProperty(name, out JsonElement found) ? found.EnumerateArray().Select(item => item.GetString()!) : [];
}
