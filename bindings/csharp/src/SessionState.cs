// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

// Refs, grants, and the state that both sides share.
public sealed unsafe partial class EngineSession
{
    private ReadOnlySpan<byte> ResolveIn(void* handle, string name, string? owner, DateTimeOffset? at)
    {
        Utf8Text text = Utf8Text.Of(name), of = owner ?? "";
        AccpText result;
        ErrorDetail error;
        fixed (byte* bytes = text, ofBytes = of)
            HookHost.Ok(Native.accp_session_resolve(handle, bytes, text.Length, ofBytes, of.Length, Now(at), &result, &error), error);
        return result.Span;
    }

    /// <summary>Returns the value of a ref as JSON.</summary>
    /// <param name="name">Such as <c>warm.ckpt_1.summary</c>, without <c>$</c>.</param>
    /// <param name="owner">The id of another session that has granted access; null: this
    /// session.</param>
    /// <param name="at">The time.</param>
    /// <exception cref="AccpRefNotFoundException">It does not exist.</exception>
    /// <exception cref="AccpRefExpiredException">It has expired.</exception>
    /// <exception cref="AccpUnauthorizedRefException">Without a grant, whether it exists or
    /// not.</exception>
    public string Resolve(string name, string? owner = null, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8.Decode(ResolveIn(call.Pointer, name, owner, at));
    }

    /// <summary>Returns the value of a ref.</summary>
    public JsonElement ResolveElement(string name, string? owner = null, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8Text.Element(ResolveIn(call.Pointer, name, owner, at));
    }

    /// <summary>
    /// Stores a JSON value under a ref of the host's choice, in the tiers hot, warm, cold, or ctx,
    /// which frames can only read.
    /// </summary>
    public void Put(string name, Utf8Text json, DateTimeOffset? expires = null)
    {
        json.Check(nameof(json));
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* nameBytes = text, bytes = json)
            HookHost.Ok(Native.accp_session_put(call.Pointer, nameBytes, text.Length, bytes, json.Length, expires?.ToUnixTimeMilliseconds() ?? 0, &error), error);
        Kept(json.Length);
    }

    /// <summary>Removes a value that Put stored.</summary>
    public void Remove(string name)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            HookHost.Ok(Native.accp_session_remove(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Lets another session read values of this one whose name begins with <paramref name="prefix"/>.</summary>
    public void AddGrant(string grantee, string prefix, DateTimeOffset? expires = null)
    {
        Utf8Text to = Utf8Text.Of(grantee), what = Utf8Text.Of(prefix);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* toBytes = to, bytes = what)
            HookHost.Ok(Native.accp_session_add_grant(call.Pointer, toBytes, to.Length, bytes, what.Length, expires?.ToUnixTimeMilliseconds() ?? 0, &error), error);
    }

    /// <summary>Removes a grant.</summary>
    public void RemoveGrant(string grantee, string prefix)
    {
        Utf8Text to = Utf8Text.Of(grantee), what = Utf8Text.Of(prefix);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* toBytes = to, bytes = what)
            HookHost.Ok(Native.accp_session_remove_grant(call.Pointer, toBytes, to.Length, bytes, what.Length, &error), error);
    }

    /// <summary>
    /// Replaces the state that both sides share by this JSON object, and makes the frame for the
    /// other side; null if nothing changed.
    /// </summary>
    public string? SendState(string agent, Utf8Text json, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        Utf8Text who = Utf8Text.Of(agent);
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        fixed (byte* whoBytes = who, bytes = json)
            HookHost.Ok(Native.accp_session_send_state(call.Pointer, whoBytes, who.Length, bytes, json.Length, Now(at), &result, &error), error);
        return result.Length == 0 ? null : result.ToString();
    }

    /// <summary>The state that both sides share.</summary>
    public JsonElement State()
    {
        using var call = Enter();
        long version;
        return Utf8Text.Element(Native.accp_session_state(call.Pointer, &version).Span);
    }

    /// <summary>Its version, 0 before the first.</summary>
    public long StateVersion
    {
        get
        {
            using var call = Enter();
            long version;
            _ = Native.accp_session_state(call.Pointer, &version);
            return version;
        }
    }
}
