// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>What is done with verbs and tools that the library does not have.</summary>
public enum SacpReading
{
    /// <summary>They are errors.</summary>
    Strict = 0,
    /// <summary>They are taken; all else holds.</summary>
    Lenient = 1,
}

/// <summary>What an answer is to be like.</summary>
public enum SacpOutFmt
{
    /// <summary>For programs.</summary>
    Raw = 0,
    /// <summary>For people.</summary>
    Human = 1,
    /// <summary>For programs, in short.</summary>
    Summary = 2,
}

/// <summary>An agent that a model is to act as.</summary>
/// <param name="Name">Of one line, as the others.</param>
/// <param name="Verbs">That it may be asked for, one at least.</param>
/// <param name="Tools">Likewise.</param>
public sealed record SacpAgent(string Name, IReadOnlyList<string> Verbs, IReadOnlyList<string> Tools);

/// <summary>What a message of version 1.0.0 has beyond one of 0.1; used where the message does not say it.</summary>
/// <param name="Sender">Who sends it.</param>
/// <param name="Recipient">To whom; empty: to nobody in particular.</param>
/// <param name="MessageId">Its id; empty: the message has to have one.</param>
/// <param name="At">When; null: now, by <see cref="AccpConfig.Clock"/>.</param>
public sealed record SacpSender(string Sender, string Recipient = "", string MessageId = "", DateTimeOffset? At = null);

/// <summary>To whom a message goes.</summary>
/// <param name="Role"><c>interface</c> and <c>formatter</c> talk to people; any other is in between.</param>
/// <param name="MessageId">Of the message, where it has none; empty: it goes without.</param>
public sealed record SacpReceiver(string Role, string MessageId = "")
{
    /// <summary>Tools that talk to people too.</summary>
    public IReadOnlyList<string> Formatters { get; init; } = [];
}

/// <summary>
/// Checks messages by which agents plan for each other (a goal, a context, a plan of steps) against a <see cref="SacpLibrary"/>, and makes other forms of them; <see cref="SacpMessage"/>
/// writes them. Where a message is refused the exception is of the class of its code, and has the <see cref="AccpException.Verdict"/>.
/// </summary>
public sealed unsafe class Sacp : ExclusiveObject
{
    private const int AsIs = 0, Full = 1, Brief = 2;  // accp_sacp_spelling
    private readonly TimeProvider clock;

    /// <summary>Makes one; library null: one without verbs and tools; config null: every default. Of a config it reads the limits. The library may be disposed before it.</summary>
    public Sacp(SacpLibrary? library = null, AccpConfig? config = null)
    {
        LibraryResolver.CheckAbi();
        using var made = new NativeConfig(config);
        using var verbs = library == null ? default : library.Borrow();
        void* sacp;
        ErrorDetail error;
        Check.Ok(Native.accp_sacp_new(verbs.Pointer, made.Pointer, &sacp, &error), error);
        Own(new Handle(sacp, &Free, Weight.Sacp));
        clock = config?.Clock ?? TimeProvider.System;
    }

    private static void Free(void* sacp) => Native.accp_sacp_free(sacp);

    /// <summary>Whether a message is one that can be run. What is wrong with it the verdict says, for what is not UTF-8 too.</summary>
    public Verdict Validate(Utf8Text message, SacpReading reading = SacpReading.Strict)
    {
        message.Check(nameof(message));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = message)
            Check.Ok(Native.accp_sacp_check(call.Pointer, bytes, message.Length, (int)reading, null, &error), error);
        return Verdict.Read(call.Pointer);
    }

    /// <summary>Whether a reply may be sent: a message, a verdict, or prose where its sender may write that.</summary>
    /// <param name="reply">What is sent.</param>
    /// <param name="role">Of the sender; <c>interface</c> and <c>formatter</c> may write prose.</param>
    /// <param name="asked">What the message that it answers asked for; <see cref="SacpOutFmt.Human"/> lets anybody write prose.</param>
    /// <param name="reading">What is done with verbs and tools that the library does not have.</param>
    public Verdict ValidateReply(Utf8Text reply, string role, SacpOutFmt asked = SacpOutFmt.Raw, SacpReading reading = SacpReading.Strict)
    {
        reply.Check(nameof(reply));
        Utf8Text sender = Utf8Text.Of(role, nameof(role));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = reply, from = sender)
            Check.Ok(Native.accp_sacp_check_reply(call.Pointer, bytes, reply.Length, from, sender.Length, (int)asked, (int)reading, null, &error), error);
        return Verdict.Read(call.Pointer);
    }

    /// <summary>Whether <see cref="SacpLibrary"/> takes a document.</summary>
    public Verdict CheckLibrary(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_sacp_check_library(call.Pointer, bytes, document.Length, null, &error), error);
        return Verdict.Read(call.Pointer);
    }

    /// <summary>The canonical form of a message: compact, members in one order, numbers as they were written.</summary>
    /// <exception cref="AccpException">It has not the shape of a message.</exception>
    public string Canonical(Utf8Text message) => Spell(message, AsIs);

    /// <summary>The canonical form with the full names of verbs and keys.</summary>
    /// <exception cref="AccpException">It has not the shape of a message.</exception>
    public string Expand(Utf8Text message) => Spell(message, Full);

    /// <summary>The canonical form with the short names, which <see cref="Expand"/> takes back.</summary>
    /// <exception cref="AccpException">It has not the shape of a message.</exception>
    public string Compact(Utf8Text message) => Spell(message, Brief);

    private string Spell(Utf8Text message, int spelling)
    {
        message.Check(nameof(message));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message)
            Written(call.Pointer, Native.accp_sacp_spell(call.Pointer, bytes, message.Length, spelling, &text, &error), error);
        return text.ToString();
    }

    /// <summary>What is sent as a message of ACCP, which <see cref="FrameCodec"/> and <see cref="EngineSession"/> take. <see cref="RegistryDocument"/> has its schemas.</summary>
    /// <param name="text">A message, a verdict, a query to a registry of agents (<c>{"query":…}</c>) or its answer (<c>{"agents":…}</c>).</param>
    /// <param name="agent">Who says it.</param>
    /// <exception cref="AccpException">It is none of these.</exception>
    public string ToMessage(Utf8Text text, string agent)
    {
        text.Check(nameof(text));
        Utf8Text speaker = Utf8Text.Of(agent, nameof(agent));
        using var call = Enter();
        AccpText message;
        ErrorDetail error;
        fixed (byte* bytes = text, who = speaker)
            Written(call.Pointer, Native.accp_sacp_to_message(call.Pointer, bytes, text.Length, who, speaker.Length, &message, &error), error);
        return message.ToString();
    }

    /// <summary>The way back. Nothing is lost; through a frame numbers may be spelt anew and maps reordered.</summary>
    /// <exception cref="AccpException">It is none of SACP.</exception>
    public string FromMessage(Utf8Text message)
    {
        message.Check(nameof(message));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message)
            Written(call.Pointer, Native.accp_sacp_from_message(call.Pointer, bytes, message.Length, &text, &error), error);
        return text.ToString();
    }

    /// <summary>
    /// Makes a plan whole: a required param that is missing comes from the ctx, from a step before it, or from new steps, the fewest that will do; an empty plan is made for the one
    /// output or verb that the goal names. The message has full names; what nothing makes stays missing, and the verdict asks for it.
    /// </summary>
    /// <param name="message">JSON.</param>
    /// <param name="beside">Steps that take nothing from each other go side by side: for whoever knows that they have no effect on each other.</param>
    /// <exception cref="AccpException">The message has a fault.</exception>
    public (string Message, Verdict Verdict) Plan(Utf8Text message, bool beside = false)
    {
        message.Check(nameof(message));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message)
            Written(call.Pointer, Native.accp_sacp_plan(call.Pointer, bytes, message.Length, beside ? 1 : 0, &text, &error), error);
        string whole = text.ToString();
        return (whole, Verdict.Read(call.Pointer));
    }

    /// <summary>A message as it goes to another agent, in its canonical form: <c>out_fmt</c> human is left out where the receiver does not talk to people.</summary>
    /// <exception cref="AccpException">It has not the shape of a message.</exception>
    /// <exception cref="AccpArgumentException">A msg_id that no message can have.</exception>
    public string Compose(Utf8Text message, SacpReceiver to)
    {
        message.Check(nameof(message));
        ArgumentNullException.ThrowIfNull(to);
        Utf8Text role = Utf8Text.Of(to.Role, nameof(to)), formatters = Lines(to.Formatters), id = Utf8Text.Of(to.MessageId, nameof(to));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message, r = role, f = formatters, i = id)
        {
            var data = new SacpReceiverData
            {
                Role = new AccpText { Text = r, Length = role.Length }, Formatters = new AccpText { Text = f, Length = formatters.Length },
                MsgId = new AccpText { Text = i, Length = id.Length },
            };
            Written(call.Pointer, Native.accp_sacp_compose(call.Pointer, bytes, message.Length, &data, &text, &error), error);
        }
        return text.ToString();
    }

    /// <summary>Puts messages together into threads, by msg_id and reply_to: a JSON array, in which each stands before what replies to it; docs/sacp.md has its form.</summary>
    /// <param name="messages">A message, or any object with ids, a line; in any order.</param>
    /// <param name="indented">For people: a line each, two blanks for every depth.</param>
    /// <exception cref="AccpException">A line is no object, or an id is none.</exception>
    public string Threads(Utf8Text messages, bool indented = false)
    {
        messages.Check(nameof(messages));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = messages)
            Written(call.Pointer, Native.accp_sacp_thread(call.Pointer, bytes, messages.Length, indented ? 1 : 0, &text, &error), error);
        return text.ToString();
    }

    /// <summary>A message of version 0.1 as one of 1.0.0. Nothing is lost, or it is refused: 1.0.0 has no messages inside messages.</summary>
    /// <exception cref="AccpException">It is refused; the verdict says what 1.0.0 cannot say.</exception>
    public string ToV10(Utf8Text message, SacpSender sender)
    {
        message.Check(nameof(message));
        ArgumentNullException.ThrowIfNull(sender);
        Utf8Text from = Utf8Text.Of(sender.Sender, nameof(sender)), to = Utf8Text.Of(sender.Recipient, nameof(sender)), id = Utf8Text.Of(sender.MessageId, nameof(sender));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message, f = from, t = to, i = id)
        {
            var data = new SacpSenderData
            {
                MsgId = new AccpText { Text = i, Length = id.Length }, Sender = new AccpText { Text = f, Length = from.Length },
                Recipient = new AccpText { Text = t, Length = to.Length }, NowMs = (sender.At ?? clock.GetUtcNow()).ToUnixTimeMilliseconds(),
            };
            Written(call.Pointer, Native.accp_sacp_to_1_0(call.Pointer, bytes, message.Length, &data, &text, &error), error);
        }
        return text.ToString();
    }

    /// <summary>A message of version 1.0.0 as one of 0.1. Nothing is lost, or it is refused: 0.1 has no retries and timeouts of single steps.</summary>
    /// <exception cref="AccpException">It is refused; the verdict says what 0.1 cannot say.</exception>
    public string ToV01(Utf8Text message)
    {
        message.Check(nameof(message));
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* bytes = message)
            Written(call.Pointer, Native.accp_sacp_to_0_1(call.Pointer, bytes, message.Length, &text, &error), error);
        return text.ToString();
    }

    /// <summary>What a model is told that is to act as an agent, by the template of appendix C.</summary>
    /// <param name="agent">The agent.</param>
    /// <param name="message">The message that it is to work on; empty: it comes later.</param>
    /// <exception cref="AccpArgumentException">A name is not of one line.</exception>
    /// <exception cref="AccpException">The message has not the shape of one.</exception>
    public string Prompt(SacpAgent agent, Utf8Text message = default)
    {
        ArgumentNullException.ThrowIfNull(agent);
        message.Check(nameof(message));
        Utf8Text name = Utf8Text.Of(agent.Name, nameof(agent)), verbs = Lines(agent.Verbs), tools = Lines(agent.Tools);
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        fixed (byte* n = name, v = verbs, t = tools, bytes = message)
            Written(call.Pointer, Native.accp_sacp_print_prompt(call.Pointer, n, name.Length, v, verbs.Length, t, tools.Length, bytes, message.Length, &text, &error), error);
        return text.ToString();
    }

    private static Utf8Text Lines(IReadOnlyList<string> names)
    {
        foreach (string name in names)
            if (name.Contains('\n')) throw new AccpArgumentException("an agent, its verbs and its tools have names of one line each");
        return string.Join('\n', names);
    }

    /// <summary>The protocol in short, for a model that writes or reads messages, and the library's verbs and tools.</summary>
    public string Specification()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_sacp_print_specification(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>A document for <see cref="SchemaRegistry"/>, with the schemas by which messages of SACP are sent by position.</summary>
    public static string RegistryDocument => Native.accp_sacp_registry().ToString();

    // A refusal is explained by the verdict; what is below 0 is not about the message.
    private static void Written(void* sacp, int status, in ErrorDetail error)
    {
        if (status == 0) return;
        AccpException refused = Check.Exception(status, error);
        Verdict? why = status > 0 ? Verdict.Read(sacp) : null;
        throw why is { Code: not SacpCode.None } ? why.Refusal(refused) : refused;
    }
}
