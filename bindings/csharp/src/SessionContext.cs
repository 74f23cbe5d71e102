// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Buffers;
using System.Collections.Generic;
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

    /// <summary>
    /// The same as blocks, the most stable first; none where nothing was said yet. Together, in their order, they are the text of <see cref="Context(long)"/>.
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
    /// What a model should be given now, as messages that are ready to be sent. Between two folds each begins with the messages of the one before. A tool's call and its
    /// result are a pair where both stand there as they were said, and text otherwise.
    /// </summary>
    /// <param name="form"><see cref="AccpInterface.OpenAI"/> or <see cref="AccpInterface.Anthropic"/>.</param>
    /// <param name="budgetTokens">As for <see cref="Context(long)"/>.</param>
    /// <exception cref="AccpArgumentException">An interface that takes no messages.</exception>
    public SessionMessages ContextMessages(AccpInterface form, long budgetTokens = 0)
    {
        using var call = Enter();
        byte[] json = ContextMessagesIn(call.Pointer, form, budgetTokens, out long tokens).ToArray();
        return new SessionMessages(json, tokens);
    }

    /// <summary>The same, to UTF-8; answers how many tokens the texts have.</summary>
    public long ContextMessages(AccpInterface form, IBufferWriter<byte> output, long budgetTokens = 0)
    {
        ArgumentNullException.ThrowIfNull(output);
        using var call = Enter();
        output.Write(ContextMessagesIn(call.Pointer, form, budgetTokens, out long tokens));
        return tokens;
    }

    /// <summary>
    /// Answers a call of the tool <c>resolve</c> (<see cref="AccpInterfaces.Tool"/>): what goes back to the model, at most some 64 KiB. What the model got wrong is such a text
    /// too, <c>error: …</c>, and no exception, as it can mend it. Only what this session has is answered: nothing of the host's resolver, and nothing of another session.
    /// </summary>
    /// <param name="arguments">As the model gave them: a JSON object.</param>
    /// <param name="at">When; a ref may have expired.</param>
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

    /// <summary>The registry that the frame of a record was written under, by which it is read for ever, with an owner more; 0: that of the next frame.</summary>
    public SchemaRegistry RegistryOf(long record)
    {
        using var call = Enter();
        void* made;
        ErrorDetail error;
        HookHost.Ok(Native.accp_session_share_registry(call.Pointer, Arg.Unsigned(record), &made, &error), error);
        return SchemaRegistry.Own(made);
    }
}
