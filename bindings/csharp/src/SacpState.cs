// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>A version of SACP; each has its own states.</summary>
public enum SacpVersion
{
    /// <summary>0.1: four states.</summary>
    V01 = 0,
    /// <summary>1.0.0: seven.</summary>
    V10 = 1,
}

/// <summary>A state of a task.</summary>
public sealed unsafe record SacpState
{
    private readonly int number;

    private SacpState(SacpVersion version, int number)
    {
        this.number = number;
        Version = version;
        Name = Utf8.Static(Native.accp_sacp_state_name((int)version, number));
    }

    /// <summary>The version of SACP.</summary>
    public SacpVersion Version { get; }

    /// <summary>Its name: <c>PENDING</c>.</summary>
    public string Name { get; }

    /// <summary>Returns the states of a version, <c>PENDING</c> first.</summary>
    public static IReadOnlyList<SacpState> Of(SacpVersion version)
    {
        var states = new List<SacpState>();
        while (Native.accp_sacp_state_name((int)version, states.Count) != null) states.Add(new SacpState(version, states.Count));
        return states;
    }

    /// <summary>Returns the state of a name; null if the version has no such state.</summary>
    public static SacpState? Find(SacpVersion version, Utf8Text name)
    {
        name.Check(nameof(name));
        int found;
        fixed (byte* bytes = name)
            found = Native.accp_sacp_state_find((int)version, bytes, name.Length);
        return found < 0 ? null : new SacpState(version, found);
    }

    /// <summary>
    /// Returns whether a task may change to this state from another state of the same version.
    /// After an end state no other is possible; any other state may be repeated.
    /// </summary>
    public bool MayFollow(SacpState before)
    {
        ArgumentNullException.ThrowIfNull(before);
        return before.Version == Version && Native.accp_sacp_state_is_next((int)Version, before.number, number) != 0;
    }

    /// <summary>Its name.</summary>
    public override string ToString() => Name;
}
