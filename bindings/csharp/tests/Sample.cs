// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System.Text.Json;

namespace Accp.Tests;

internal static class Sample
{
    internal const string Json = """{"agent":"a","intent":"req","operation":"x","payload":{"k":"v"}}""";

    internal static string Text(string text) => """{"agent":"a","intent":"req","operation":"x","payload":{"k":""" + JsonSerializer.Serialize(text) + "}}";
}
