// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
using System;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Accp.Interop;

namespace Accp;

/// <summary>What a <see cref="PhraseModel"/> is asked.</summary>
/// <param name="Prompt">What the person said.</param>
/// <param name="Specification">The protocol in short, with the library's verbs and tools.</param>
/// <param name="Refused">The verdict, JSON, that its answer before was refused with; empty at first.</param>
public sealed record ModelRequest(string Prompt, string Specification, string Refused);

/// <summary>
/// A model that writes a message of SACP, or answers <c>{"status":"REQ_CLARIFY","need":[…]}</c>. Its answer is checked like any other message; what is refused is asked for once more.
/// </summary>
public delegate ValueTask<string> PhraseModel(ModelRequest asked, CancellationToken cancellationToken);

/// <summary>Makes a valid message of SACP of what a person says, or a question: what an interface agent does first. It guesses nothing.</summary>
public sealed class Phrases : ExclusiveObject
{
    /// <summary>Reads phrases; config null: every default. Of a config it reads the limits.</summary>
    /// <param name="document">JSON: <c>{"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}</c>, as docs/sacp.md of the repository has it.</param>
    /// <param name="library">Its verbs and tools are all that a message has. It may be disposed before the phrases.</param>
    /// <param name="config">The limits.</param>
    /// <exception cref="AccpException">It is refused; with the byte of the document.</exception>
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

    /// <summary>Makes a message of a prompt. Where it may be more than one message, or a slot is missing, the verdict asks.</summary>
    /// <param name="prompt">What the person said: at most 4096 bytes in UTF-8, and 256 words.</param>
    /// <returns>A message that is valid, with a plan that is whole; or null and why: what has to be asked (<c>goal</c>, <c>goal.NAME</c>, <c>ctx.SLOT</c>, <c>prompt</c>), or what is
    /// wrong.</returns>
    public unsafe (string? Message, Verdict Verdict) Ask(Utf8Text prompt)
    {
        prompt.Check(nameof(prompt));
        using var call = Enter();
        return Answer(call.Pointer, prompt, null)!.Value;
    }

    /// <summary>
    /// The same with a model, which is asked where no phrase says what a prompt is. What the model throws comes out of this. Other calls go on while it answers; it may use these phrases.
    /// </summary>
    /// <param name="prompt">What the person said.</param>
    /// <param name="model">Whatever it answers, what comes out of this can be run.</param>
    /// <param name="cancellationToken">The model gets it too.</param>
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

    // Null: the model has to be asked first.
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
