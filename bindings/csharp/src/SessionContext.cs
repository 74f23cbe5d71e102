// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

// What a model is given, what it costs, and what was said.
public sealed unsafe partial class EngineSession
{
    /// <summary>Makes a checkpoint, as at a phase boundary; done, esc, comp and too many tokens make one by themselves.</summary>
    public void Checkpoint(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_checkpoint(call.Pointer, Now(at), &error), error);
    }

    // Makes a checkpoint: the newest, its name, and what it holds; 0 where there was nothing to close.
    internal (int Number, string Name, JsonElement Content) MakeCheckpoint()
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_checkpoint(call.Pointer, Now(null), &error), error);
        int number = checked((int)Native.accp_session_newest_checkpoint(call.Pointer));
        string name = FormattableString.Invariant($"warm.ckpt_{number}");
        return (number, name, number == 0 ? default : Utf8Text.Element(ResolveIn(call.Pointer, name, null, null)));
    }

    /// <summary>What a model should be given now, instead of the history. <paramref name="budgetTokens"/> 0: as much as is worth it.</summary>
    public SessionContext Context(long budgetTokens = 0)
    {
        using var call = Enter();
        string text = Utf8.Decode(ContextIn(call.Pointer, budgetTokens, out ulong tokens));
        return new SessionContext(text, checked((long)tokens));
    }

    /// <summary>The same, to UTF-8; answers how many tokens it has.</summary>
    public long Context(IBufferWriter<byte> output, long budgetTokens = 0)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(ContextIn(call.Pointer, budgetTokens, out ulong tokens));
        return checked((long)tokens);
    }

    private static ReadOnlySpan<byte> ContextIn(void* handle, long budgetTokens, out ulong tokens)
    {
        AccpText result;
        ulong counted;
        ErrorDetail error;
        ulong budget = Arg.Unsigned(budgetTokens);
        HookHost.Ok(Native.accp_session_context(handle, budget, &result, &counted, &error), error);
        tokens = counted;
        return result.Span;
    }

    /// <summary>Tokens in use and at most.</summary>
    public TokenBudget Budget()
    {
        using var call = Enter();
        BudgetData got;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_budget(call.Pointer, &got, &error), error);
        return new TokenBudget(checked((int)got.HotUsed), checked((int)got.HotMax), checked((int)got.WarmUsed), checked((int)got.WarmMax), checked((int)got.TotalUsed),
            checked((int)got.TotalMax));
    }

    /// <summary>The number of the newest checkpoint (<c>$warm.ckpt_N</c>), or 0.</summary>
    public int NewestCheckpoint
    {
        get
        {
            using var call = Enter();
            return checked((int)Native.accp_session_newest_checkpoint(call.Pointer));
        }
    }

    /// <summary>How many records the log has, counted from 1.</summary>
    public long RecordCount
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_session_record_count(call.Pointer));
        }
    }

    /// <summary>A record of the log.</summary>
    public SessionRecord Record(long number)
    {
        using var call = Enter();
        LogRecordData got;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_record(call.Pointer, Arg.Unsigned(number), &got, &error), error);
        return new SessionRecord((char)got.Kind, DateTimeOffset.FromUnixTimeMilliseconds(got.TimeMs), got.Text.ToString());
    }
}
