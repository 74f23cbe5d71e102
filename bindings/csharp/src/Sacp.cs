// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Collections.Generic;
using Accp.Interop;

namespace Accp;

/// <summary>How to handle verbs and tools that the library does not have.</summary>
public enum SacpReading
{
    /// <summary>They are errors.</summary>
    Strict = 0,
    /// <summary>They are accepted; all other checks apply.</summary>
    Lenient = 1,
}

/// <summary>The requested format of a result.</summary>
public enum SacpOutFmt
{
    /// <summary>For programs.</summary>
    Raw = 0,
    /// <summary>For people.</summary>
    Human = 1,
    /// <summary>For programs, in short.</summary>
    Summary = 2,
}

/// <summary>An agent for a model's prompt.</summary>
/// <param name="Name">The name, on one line like the other names.</param>
/// <param name="Verbs">At least one.</param>
/// <param name="Tools">Likewise.</param>
public sealed record SacpAgent(string Name, IReadOnlyList<string> Verbs, IReadOnlyList<string> Tools);

/// <summary>
/// The members that a message of version 1.0.0 needs beyond one of 0.1; used if the message lacks
/// them.
/// </summary>
/// <param name="Sender">The sender.</param>
/// <param name="Recipient">The recipient; empty: none.</param>
/// <param name="MessageId">Its id; empty: the message must have one.</param>
/// <param name="At">The time; null: now, by <see cref="AccpConfig.Clock"/>.</param>
public sealed record SacpSender(string Sender, string Recipient = "", string MessageId = "", DateTimeOffset? At = null);

/// <summary>The receiver of a message.</summary>
/// <param name="Role"><c>interface</c> and <c>formatter</c> talk to people; any other role is
/// intermediate.</param>
/// <param name="MessageId">For a message without one; empty: none.</param>
public sealed record SacpReceiver(string Role, string MessageId = "")
{
    /// <summary>Tools that also talk to people.</summary>
    public IReadOnlyList<string> Formatters { get; init; } = [];
}

/// <summary>
/// Checks messages by which agents plan (a goal, a context, a plan of steps) against a
/// <see cref="SacpLibrary"/>, and converts them; <see cref="SacpMessage"/> writes them. If a
/// message is refused, the exception has the class of its code and the
/// <see cref="AccpException.Verdict"/>.
/// </summary>
public sealed unsafe class Sacp : ExclusiveObject
{
    private const int AsIs = 0, Full = 1, Brief = 2;  // accp_sacp_spelling
    private readonly TimeProvider clock;

    /// <summary>
    /// Makes a checker; library null: no verbs and tools; config null: all defaults. It reads the
    /// limits of a config. The library may be disposed before it.
    /// </summary>
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

    /// <summary>
    /// Checks whether a message can be run. The verdict has its faults, also for invalid UTF-8.
    /// </summary>
    public Verdict Validate(Utf8Text message, SacpReading reading = SacpReading.Strict)
    {
        message.Check(nameof(message));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = message)
            Check.Ok(Native.accp_sacp_check(call.Pointer, bytes, message.Length, (int)reading, null, &error), error);
        return Verdict.Read(call.Pointer);
    }

    /// <summary>
    /// Checks whether a reply may be sent: a message, a verdict, or prose if the sender may write
    /// it.
    /// </summary>
    /// <param name="reply">The reply.</param>
    /// <param name="role">The sender's role; <c>interface</c> and <c>formatter</c> may write
    /// prose.</param>
    /// <param name="asked">The out_fmt of the request; after <see cref="SacpOutFmt.Human"/> every
    /// sender may write prose.</param>
    /// <param name="reading">How to handle verbs and tools that the library does not have.</param>
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

    /// <summary>Checks whether <see cref="SacpLibrary"/> accepts a document.</summary>
    public Verdict CheckLibrary(Utf8Text document)
    {
        document.Check(nameof(document));
        using var call = Enter();
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_sacp_check_library(call.Pointer, bytes, document.Length, null, &error), error);
        return Verdict.Read(call.Pointer);
    }

    /// <summary>
    /// Prints the canonical form of a message: compact, with ordered members and unchanged numbers.
    /// </summary>
    /// <exception cref="AccpException">It does not have the shape of a message.</exception>
    public string Canonical(Utf8Text message) => Spell(message, AsIs);

    /// <summary>Prints the canonical form with the full names of verbs and keys.</summary>
    /// <exception cref="AccpException">It does not have the shape of a message.</exception>
    public string Expand(Utf8Text message) => Spell(message, Full);

    /// <summary>
    /// Prints the canonical form with short names; <see cref="Expand"/> is the inverse.
    /// </summary>
    /// <exception cref="AccpException">It does not have the shape of a message.</exception>
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

    /// <summary>
    /// Makes an ACCP message for <see cref="FrameCodec"/> and <see cref="EngineSession"/>.
    /// <see cref="RegistryDocument"/> has its schemas.
    /// </summary>
    /// <param name="text">A SACP message, a verdict, a query to a registry of agents
    /// (<c>{"query":…}</c>) or its result (<c>{"agents":…}</c>).</param>
    /// <param name="agent">The sender.</param>
    /// <exception cref="AccpException">Any other text.</exception>
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

    /// <summary>
    /// The inverse of <see cref="ToMessage"/>. Nothing is lost; after a frame, numbers may have
    /// another spelling and maps another order.
    /// </summary>
    /// <exception cref="AccpException">It is not from SACP.</exception>
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
    /// Completes a plan: a missing required param comes from the ctx, from an earlier step, or from
    /// the fewest new steps. An empty plan is made for the output or verb that the goal names. The
    /// message has full names; the verdict has what is still missing.
    /// </summary>
    /// <param name="message">JSON.</param>
    /// <param name="beside">Independent steps go side by side: for steps without effects on each
    /// other.</param>
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

    /// <summary>
    /// Prints a message for another agent in its canonical form. It omits <c>out_fmt</c> human if
    /// the receiver does not talk to people.
    /// </summary>
    /// <exception cref="AccpException">It does not have the shape of a message.</exception>
    /// <exception cref="AccpArgumentException">An invalid msg_id.</exception>
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

    /// <summary>
    /// Joins messages into threads by msg_id and reply_to: a JSON array (docs/sacp.md) in which
    /// each comes before its replies.
    /// </summary>
    /// <param name="messages">One message or other object with ids per line, in any order.</param>
    /// <param name="indented">For people: one line each, indented by two blanks per level.</param>
    /// <exception cref="AccpException">A line is not an object, or an id is invalid.</exception>
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

    /// <summary>
    /// Converts a message of version 0.1 to 1.0.0. It refuses one that cannot be converted without
    /// loss: 1.0.0 has no messages inside messages.
    /// </summary>
    /// <exception cref="AccpException">It is refused; the verdict has what 1.0.0 cannot
    /// express.</exception>
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

    /// <summary>
    /// Converts a message of version 1.0.0 to 0.1. It refuses one that cannot be converted without
    /// loss: 0.1 has no retries and timeouts of single steps.
    /// </summary>
    /// <exception cref="AccpException">It is refused; the verdict has what 0.1 cannot
    /// express.</exception>
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

    /// <summary>
    /// Returns the instructions for a model that acts as an agent, by the template of appendix C.
    /// </summary>
    /// <param name="agent">The agent.</param>
    /// <param name="message">The message to work on; empty: it comes later.</param>
    /// <exception cref="AccpArgumentException">A name has more than one line.</exception>
    /// <exception cref="AccpException">The message does not have the shape of one.</exception>
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

    /// <summary>
    /// Returns a summary of the protocol with the library's verbs and tools, for a model that
    /// writes or reads messages.
    /// </summary>
    public string Specification()
    {
        using var call = Enter();
        AccpText text;
        ErrorDetail error;
        Check.Ok(Native.accp_sacp_print_specification(call.Pointer, &text, &error), error);
        return text.ToString();
    }

    /// <summary>
    /// A document for <see cref="SchemaRegistry"/> with the schemas that send SACP messages by
    /// position.
    /// </summary>
    public static string RegistryDocument => Native.accp_sacp_registry().ToString();

    // A refusal has a verdict; a status below 0 is not about the message.
    private static void Written(void* sacp, int status, in ErrorDetail error)
    {
        if (status == 0) return;
        AccpException refused = Check.Exception(status, error);
        Verdict? why = status > 0 ? Verdict.Read(sacp) : null;
        throw why is { Code: not SacpCode.None } ? why.Refusal(refused) : refused;
    }
}
