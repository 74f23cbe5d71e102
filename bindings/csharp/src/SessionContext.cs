// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
using System.Text.Json;
using Accp.Interop;

namespace Accp;

// Contexts for a model, their costs, and the log.
public sealed unsafe partial class EngineSession
{
    /// <summary>
    /// Makes a checkpoint, for example at the end of a phase; done, esc, comp and too many tokens
    /// make one automatically.
    /// </summary>
    public void Checkpoint(DateTimeOffset? at = null)
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_checkpoint(call.Pointer, Now(at), &error), error);
    }

    // Makes a checkpoint and returns the newest, its name, and its content; 0 if there was nothing
    // to close.
    internal (int Number, string Name, JsonElement Content) MakeCheckpoint()
    {
        using var call = Enter();
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_checkpoint(call.Pointer, Now(null), &error), error);
        int number = checked((int)Native.accp_session_newest_checkpoint(call.Pointer));
        string name = FormattableString.Invariant($"warm.ckpt_{number}");
        return (number, name, number == 0 ? default : Utf8Text.Element(ResolveIn(call.Pointer, name, null, null)));
    }

    /// <summary>
    /// Returns the current context for a model in place of the history. <paramref
    /// name="budgetTokens"/> 0: as much as is worthwhile.
    /// </summary>
    public SessionContext Context(long budgetTokens = 0)
    {
        using var call = Enter();
        string text = Utf8.Decode(ContextIn(call.Pointer, budgetTokens, out ulong tokens));
        return new SessionContext(text, checked((long)tokens));
    }

    /// <summary>The same in UTF-8; returns its tokens.</summary>
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

    /// <summary>
    /// The same as blocks, the most stable first; empty without a message. In their order they are
    /// the text of <see cref="Context(long)"/>.
    /// </summary>
    public IReadOnlyList<ContextBlock> ContextBlocks(long budgetTokens = 0)
    {
        ulong budget = Arg.Unsigned(budgetTokens);
        using var call = Enter();
        void* first;
        nuint count;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_context_blocks(call.Pointer, budget, &first, &count, &error), error);
        var blocks = new List<ContextBlock>(checked((int)count));
        foreach (ref readonly ContextBlockData one in new ReadOnlySpan<ContextBlockData>(first, checked((int)count)))
            blocks.Add(new ContextBlock((ContextBlockKind)one.Kind, one.IsStable != 0, checked((int)one.Checkpoint), checked((long)one.Tokens), checked((long)one.Since),
                one.Text.ToString()));
        return blocks;
    }

    /// <summary>
    /// Explains the context page by page, as JSON: what each message costs, whether it is in the
    /// context, and why.
    /// </summary>
    public string ContextPages()
    {
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_context_pages(call.Pointer, &result, &error), error);
        return result.ToString();
    }

    private static ReadOnlySpan<byte> ContextMessagesIn(void* handle, AccpInterface form, long budgetTokens, out long tokens)
    {
        AccpText result;
        ulong counted;
        ErrorDetail error;
        ulong budget = Arg.Unsigned(budgetTokens);
        HookHost.Ok(Native.accp_session_context_messages(handle, (int)form, budget, &result, &counted, &error), error);
        tokens = checked((long)counted);
        return result.Span;
    }

    /// <summary>
    /// Returns the current context for a model as messages for a provider. Until results are
    /// left out, each context begins with the previous messages. A tool's call and its result are a
    /// pair if the call is complete, and text otherwise.
    /// </summary>
    /// <param name="form"><see cref="AccpInterface.OpenAI"/> or
    /// <see cref="AccpInterface.Anthropic"/>.</param>
    /// <param name="budgetTokens">As for <see cref="Context(long)"/>.</param>
    /// <exception cref="AccpArgumentException">An interface without messages.</exception>
    public SessionMessages ContextMessages(AccpInterface form, long budgetTokens = 0)
    {
        using var call = Enter();
        byte[] json = ContextMessagesIn(call.Pointer, form, budgetTokens, out long tokens).ToArray();
        return new SessionMessages(json, tokens);
    }

    /// <summary>The same in UTF-8; returns the tokens of the texts.</summary>
    public long ContextMessages(AccpInterface form, IBufferWriter<byte> output, long budgetTokens = 0)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(ContextMessagesIn(call.Pointer, form, budgetTokens, out long tokens));
        return tokens;
    }

    /// <summary>
    /// Answers a call of the tool <c>resolve</c> (<see cref="AccpInterfaces.Tool"/>): the text for
    /// the model, at most some 64 KiB. Faults of the model are such a text too, <c>error: …</c>,
    /// and not an exception, because it can correct them. Only values of this session are returned,
    /// none of the host's resolver or of another session.
    /// </summary>
    /// <param name="arguments">The JSON object from the model.</param>
    /// <param name="at">The time; a ref may have expired.</param>
    public string Answer(Utf8Text arguments, DateTimeOffset? at = null)
    {
        arguments.Check(nameof(arguments));
        using var call = Enter();
        AccpText result;
        ErrorDetail error;
        fixed (byte* bytes = arguments)
            HookHost.Ok(Native.accp_session_answer(call.Pointer, bytes, arguments.Length, Now(at), &result, &error), error);
        return result.ToString();
    }

    /// <summary>Returns used and maximum tokens.</summary>
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

    /// <summary>The number of records in the log, counted from 1.</summary>
    public long RecordCount
    {
        get
        {
            using var call = Enter();
            return checked((long)Native.accp_session_record_count(call.Pointer));
        }
    }

    /// <summary>Returns a record of the log.</summary>
    public SessionRecord Record(long number)
    {
        using var call = Enter();
        LogRecordData got;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_record(call.Pointer, Arg.Unsigned(number), &got, &error), error);
        return new SessionRecord((char)got.Kind, DateTimeOffset.FromUnixTimeMilliseconds(got.TimeMs), got.Text.ToString());
    }

    /// <summary>
    /// Returns a new reference to the registry by which a record's frame is read, permanently; 0:
    /// that of the next frame. The caller disposes it.
    /// </summary>
    public SchemaRegistry RegistryOf(long record)
    {
        using var call = Enter();
        void* made;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_share_registry(call.Pointer, Arg.Unsigned(record), &made, &error), error);
        return SchemaRegistry.Own(made);
    }
}
