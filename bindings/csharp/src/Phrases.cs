// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>The input of a <see cref="PhraseModel"/>.</summary>
/// <param name="Prompt">The person's request.</param>
/// <param name="Specification">A summary of the protocol with the library's verbs and
/// tools.</param>
/// <param name="Refused">The verdict, JSON, that refused the previous reply; empty at
/// first.</param>
public sealed record ModelRequest(string Prompt, string Specification, string Refused);

/// <summary>
/// A model that writes a SACP message or <c>{"status":"REQ_CLARIFY","need":[…]}</c>. The result is
/// checked like any other message; after a refusal the model is called once more.
/// </summary>
public delegate ValueTask<string> PhraseModel(ModelRequest asked, CancellationToken cancellationToken);

/// <summary>
/// Converts a person's request to a valid SACP message or a question: the first step of an
/// interface agent. It does not guess.
/// </summary>
public sealed class Phrases : ExclusiveObject
{
    /// <summary>
    /// Reads phrases; config null: all defaults. It reads the limits of a config.
    /// </summary>
    /// <param name="document">JSON:
    /// <c>{"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}</c>
    /// (docs/sacp.md).</param>
    /// <param name="library">The only verbs and tools of messages. It may be disposed before the
    /// phrases.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpException">It is refused, with the byte of the document.</exception>
    public unsafe Phrases(Utf8Text document, SacpLibrary library, AccpConfig? config = null)
    {
        document.Check(nameof(document));
        ArgumentNullException.ThrowIfNull(library);
        using var made = new NativeConfig(config);
        using var verbs = library.Borrow();
        void* phrases;
        ErrorDetail error;
        fixed (byte* bytes = document)
            Check.Ok(Native.accp_phrases_new(bytes, document.Length, verbs.Pointer, made.Pointer, &phrases, &error), error);
        Own(new Handle(phrases, &Free, Weight.Phrases));
    }

    private static unsafe void Free(void* phrases) => Native.accp_phrases_free(phrases);

    /// <summary>
    /// Makes a message from a prompt. If the prompt is ambiguous or a slot is missing, the verdict
    /// has a question.
    /// </summary>
    /// <param name="prompt">The person's request: at most 4096 bytes in UTF-8, and 256
    /// words.</param>
    /// <returns>A valid message with a complete plan; or null and a verdict with the needs
    /// (<c>goal</c>, <c>goal.NAME</c>, <c>ctx.SLOT</c>, <c>prompt</c>) or the fault.</returns>
    public unsafe (string? Message, Verdict Verdict) Ask(Utf8Text prompt)
    {
        prompt.Check(nameof(prompt));
        using var call = Enter();
        return Answer(call.Pointer, prompt, null)!.Value;
    }

    /// <summary>
    /// The same with a model for prompts that match no phrase. The model's exception leaves this
    /// call. Other calls continue while it works; it may use these phrases.
    /// </summary>
    /// <param name="prompt">The person's request.</param>
    /// <param name="model">Its messages are checked, so the result can always be run.</param>
    /// <param name="cancellationToken">Also passed to the model.</param>
    /// <returns>As <see cref="Ask"/>.</returns>
    public Task<(string? Message, Verdict Verdict)> AskAsync(string prompt, PhraseModel model, CancellationToken cancellationToken = default)
    {
        byte[] text = Utf8.Encode(prompt);
        ArgumentNullException.ThrowIfNull(model);
        return AskAsync(text, model, cancellationToken);
    }

    private async Task<(string? Message, Verdict Verdict)> AskAsync(byte[] prompt, PhraseModel model, CancellationToken cancellationToken)
    {
        var talk = new ModelTalk();
        while (true)
        {
            if (await Queued(() => Answer(prompt, talk), cancellationToken).ConfigureAwait(false) is { } answer) return answer;
            talk.Add(Utf8.Encode(await model(talk.Asked!, cancellationToken).ConfigureAwait(false) ?? ""));
        }
    }

    // Null: the model has to be called first.
    private unsafe (string? Message, Verdict Verdict)? Answer(byte[] prompt, ModelTalk talk)
    {
        using var call = Enter();
        GCHandle user = GCHandle.Alloc(talk);
        ErrorDetail error;
        try
        {
            talk.Begin();
            Check.Ok(Native.accp_phrases_set_model(call.Pointer, (delegate* unmanaged[Cdecl]<byte*, nuint, byte*, nuint, byte*, nuint, AccpText*, void*, int>)&ModelTalk.OnModel,
                (void*)GCHandle.ToIntPtr(user), &error), error);
            return Answer(call.Pointer, prompt, talk);
        }
        finally
        {
            _ = Native.accp_phrases_set_model(call.Pointer, null, null, &error);
            user.Free();
        }
    }

    private static unsafe (string? Message, Verdict Verdict)? Answer(void* phrases, Utf8Text prompt, ModelTalk? talk)
    {
        AccpText text;
        int answer, status;
        ErrorDetail error;
        fixed (byte* bytes = prompt)
            status = Native.accp_phrases_ask(phrases, bytes, prompt.Length, &text, &answer, &error);
        if (talk?.Asked != null) return null;
        Check.Ok(status, error);
        return (SacpAnswer)answer == SacpAnswer.Valid ? (text.ToString(), Verdict.Valid) : (null, Verdict.Parse(Utf8Text.Element(text.Span), 0));
    }
}
