// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Makes a valid message of SACP of what a person says, or a question: what an interface agent does first. They guess nothing. One thread at a time.
 */
public final class Phrases extends Handle {
    /**
     * What a {@link Model} is asked.
     *
     * @param prompt what the person said
     * @param specification the protocol in short, with the library's verbs and tools
     * @param refused the verdict, JSON, that its answer before was refused with; null at first
     */
    public record ModelRequest(String prompt, String specification, String refused) {}

    /** A model of the host's, which writes messages. */
    @FunctionalInterface
    public interface Model {
        /**
         * Writes a message. Called within {@link Phrases#ask}, on its thread; must not use the phrases that ask it.
         *
         * @param asked what it is asked
         * @return a message of SACP, or <code>{"status":"REQ_CLARIFY","need":[…]}</code>. It is checked like any other: what is refused is asked for once more
         * @throws Exception whatever it fails with: the cause of what {@link Phrases#ask} throws
         */
        String answer(ModelRequest asked) throws Exception;
    }

    /**
     * What a prompt is.
     *
     * @param message valid, with a plan that is whole; null: there is none
     * @param verdict valid, or why there is no message: what has to be asked ({@code goal}, {@code goal.NAME}, {@code ctx.SLOT}, {@code prompt}), or what is wrong. It has no step and no
     *     byte of its own
     */
    public record Answer(String message, Verdict verdict) {}

    private Upcall model;  // of whoever has the turn

    /**
     * Reads phrases with the default limits.
     *
     * @param document as {@link #Phrases(String, Library, Options)} takes it
     * @param library likewise
     * @throws AccpException as {@link #Phrases(String, Library, Options)}
     */
    public Phrases(String document, Library library) throws AccpException {
        this(document, library, null);
    }

    /**
     * Reads phrases.
     *
     * @param document JSON: <code>{"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}</code>, as docs/sacp.md of the project has it
     * @param library its verbs and tools are all that a message has; may be closed before the phrases
     * @param options may be null: limits
     * @throws AccpException E1001, E1003, E1004: refused, with the byte of the document; ERR_NOMEM; ERR_ARG for options that cannot be
     */
    public Phrases(String document, Library library, Options options) throws AccpException {
        super(new State(make(document, library, options), false, Raw::accp_phrases_free));
    }

    private static long make(String document, Library library, Options options) throws AccpException {
        byte[] text = Texts.in(document, "document");
        Objects.requireNonNull(library, "library");
        return Config.make(options, config -> library.ask(verbs -> Raw.accp_phrases_new(text, verbs, config)));
    }

    /**
     * Sets a model that is asked where no phrase says what a prompt is. Only these phrases keep it.
     *
     * @param model null: none, as at first
     */
    public void setModel(Model model) {
        know(phrases -> this.model = model == null ? null : Hooks.writing(model));
    }

    /**
     * Makes a message of a prompt. Where it may be more than one message, or a slot is missing, the verdict asks.
     *
     * @param prompt what the person said: at most 4096 bytes in UTF-8, and 256 words
     * @return a message, or why there is none
     * @throws AccpException ERR_NOMEM; E1004 for a lone surrogate; and what the model fails with: an exception of this package has its code, any other is an
     *     {@link AccpException.Io}. What was thrown is the cause; after an {@link InterruptedException} the thread is interrupted again
     */
    public Answer ask(String prompt) throws AccpException {
        byte[] text = Texts.in(prompt, "prompt");
        int[] said = new int[1];
        return ask(phrases -> {
            String answer = Texts.out(Upcall.guard(() -> Native.phrasesAsk(phrases, model, text, said)));
            boolean valid = said[0] == Verdict.Answer.VALID.number;
            return valid ? new Answer(answer, Verdict.valid()) : new Answer(null, Verdict.of(answer, 0));
        });
    }
}
