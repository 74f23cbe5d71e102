// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

// Refs, grants, and the state that both sides share.
public sealed unsafe partial class EngineSession
{
    private ReadOnlySpan<byte> ResolveIn(void* handle, string name, DateTimeOffset? at)
    {
        Utf8Text text = Utf8Text.Of(name);
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* bytes = text)
            EngineCallbacks.Ok(Native.accp_session_resolve(handle, bytes, text.Length, Now(at), &result, &length, &error), error);
        return Utf8.Span(result, length);
    }

    /// <summary>What a ref (<c>warm.ckpt_1.summary</c>, without <c>$</c>) stands for, as JSON.</summary>
    /// <exception cref="AccpRefNotFoundException">It names nothing.</exception>
    /// <exception cref="AccpRefExpiredException">It has expired.</exception>
    public string Resolve(string name, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8.Decode(ResolveIn(call.Pointer, name, at));
    }

    /// <summary>What a ref stands for.</summary>
    public JsonElement ResolveElement(string name, DateTimeOffset? at = null)
    {
        using var call = Enter();
        return Utf8Text.Element(ResolveIn(call.Pointer, name, at));
    }

    /// <summary>The same of another session that has granted it.</summary>
    /// <exception cref="AccpUnauthorizedRefException">Without a grant, whether it is there or not.</exception>
    public string ResolveOf(string owner, string name, DateTimeOffset? at = null)
    {
        Utf8Text of = Utf8Text.Of(owner), text = Utf8Text.Of(name);
        using var call = Enter();
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* ofBytes = of, bytes = text)
            EngineCallbacks.Ok(Native.accp_session_resolve_of(call.Pointer, ofBytes, of.Length, bytes, text.Length, Now(at), &result, &length, &error), error);
        return Utf8.Decode(result, length);
    }

    /// <summary>Puts a JSON value under a ref of the host's choice: of the tiers hot, warm, cold, or ctx, which frames only read.</summary>
    public void Put(string name, Utf8Text json, DateTimeOffset? expires = null)
    {
        json.Check(nameof(json));
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* nameBytes = text, bytes = json)
            EngineCallbacks.Ok(Native.accp_session_put(call.Pointer, nameBytes, text.Length, bytes, json.Length, expires?.ToUnixTimeMilliseconds() ?? 0, &error), error);
        Kept(json.Length);
    }

    /// <summary>Forgets what was put there.</summary>
    public void Erase(string name)
    {
        Utf8Text text = Utf8Text.Of(name);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = text)
            EngineCallbacks.Ok(Native.accp_session_erase(call.Pointer, bytes, text.Length, &error), error);
    }

    /// <summary>Lets another session read values of this one whose name begins with <paramref name="prefix"/>.</summary>
    public void Grant(string grantee, string prefix, DateTimeOffset? expires = null)
    {
        Utf8Text to = Utf8Text.Of(grantee), what = Utf8Text.Of(prefix);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* toBytes = to, bytes = what)
            Check.Ok(Native.accp_session_grant(call.Pointer, toBytes, to.Length, bytes, what.Length, expires?.ToUnixTimeMilliseconds() ?? 0, &error), error);
    }

    /// <summary>Takes a grant back.</summary>
    public void Revoke(string grantee, string prefix)
    {
        Utf8Text to = Utf8Text.Of(grantee), what = Utf8Text.Of(prefix);
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* toBytes = to, bytes = what)
            Check.Ok(Native.accp_session_revoke(call.Pointer, toBytes, to.Length, bytes, what.Length, &error), error);
    }

    /// <summary>Makes this JSON object the state that both sides share, and the frame that tells the other side; null where nothing changed.</summary>
    public string? SendState(string agent, Utf8Text json, DateTimeOffset? at = null)
    {
        json.Check(nameof(json));
        Utf8Text who = Utf8Text.Of(agent);
        using var call = Enter();
        byte* result;
        nuint length;
        ErrorDetail error;
        fixed (byte* whoBytes = who, bytes = json)
            EngineCallbacks.Ok(Native.accp_session_send_state(call.Pointer, whoBytes, who.Length, bytes, json.Length, Now(at), &result, &length, &error), error);
        return length == 0 ? null : Utf8.Decode(result, length);
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
