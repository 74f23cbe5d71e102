// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;

namespace Accp.Extensions.AI;

/// <summary>How arguments and results that are objects are written.</summary>
internal sealed class MessageForm(JsonSerializerOptions options)
{
    /// <summary>With lines, as clients of providers send them.</summary>
    internal JsonSerializerOptions Results { get; } = options;

    internal JsonSerializerOptions Arguments { get; } = new(options) { WriteIndented = false };

    /// <summary>Returns an object as JSON; null if it has none.</summary>
    internal static string? Write(object any, JsonSerializerOptions options)
    {
        try
        {
            return JsonSerializer.Serialize(any, options.GetTypeInfo(typeof(object)));
        }
        catch (Exception wrong) when (wrong is NotSupportedException or JsonException or InvalidOperationException or ArgumentException)
        {
            return null;
        }
    }
}
