// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.CompilerServices;

namespace Accp.Interop;

// Numbers that are unsigned in the library, refused with the name of the caller's parameter.
internal static class Arg
{
    internal static ulong Unsigned(long value, [CallerArgumentExpression(nameof(value))] string name = "")
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value, name);
        return (ulong)value;
    }

    internal static uint Unsigned(int value, [CallerArgumentExpression(nameof(value))] string name = "")
    {
        ArgumentOutOfRangeException.ThrowIfNegative(value, name);
        return (uint)value;
    }
}
