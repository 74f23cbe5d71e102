// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Converts a person's request to a valid SACP message or a question: the first step of an interface
 * agent. It does not guess. One thread at a time.
 */
public final class Phrases extends Handle {
    /**
     * The input of a {@link Model}.
     *
     * @param prompt the person's request
     * @param specification a summary of the protocol with the library's verbs and tools
     * @param refused the verdict, JSON, that refused the previous reply; null at first
     */
    public record ModelRequest(String prompt, String specification, String refused) {}

    /** A model of the host that writes messages. */
    @FunctionalInterface
    public interface Model {
        /**
         * Writes a message. It runs within {@link Phrases#ask}, on its thread, and must not use its
         * own phrases.
         *
         * @param asked the input
         * @return a SACP message, or <code>{"status":"REQ_CLARIFY","need":[…]}</code>. It is
         *     checked like any other; after a refusal the model is called once more
         * @throws Exception becomes the cause of the exception of {@link Phrases#ask}
         */
        String answer(ModelRequest asked) throws Exception;
    }

    /**
     * The result for a prompt.
     *
     * @param message valid, with a complete plan; null: the verdict gives the reason
     * @param verdict valid, or why there is no message: the needs ({@code goal}, {@code goal.NAME},
     *     {@code ctx.SLOT}, {@code prompt}) or the fault. It has no step and no byte
     */
    public record Answer(String message, Verdict verdict) {}

    private Upcall model;  // belongs to the holder of the turn

    /**
     * Reads phrases with the default limits.
     *
     * @param document as for {@link #Phrases(String, Library, Options)}
     * @param library likewise
     * @throws AccpException as {@link #Phrases(String, Library, Options)}
     */
    public Phrases(String document, Library library) throws AccpException {
        this(document, library, null);
    }

    /**
     * Reads phrases.
     *
     * @param document JSON:
     *     <code>{"phrases":[{"say":[…],"slots":{…},"message":{…}}],"ignore":[…]}</code>
     *     (docs/sacp.md)
     * @param library the only verbs and tools of messages; may be closed before the phrases
     * @param options may be null: limits
     * @throws AccpException E1001, E1003, E1004: refused, with the byte of the document; ERR_NOMEM;
     *     ERR_ARG for invalid options
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
     * Sets a model for prompts that match no phrase. Only these phrases keep it.
     *
     * @param model null: none, the default
     */
    public void setModel(Model model) {
        know(phrases -> this.model = model == null ? null : Hooks.writing(model));
    }

    /**
     * Makes a message from a prompt. If the prompt is ambiguous or a slot is missing, the verdict
     * has a question.
     *
     * @param prompt the person's request: at most 4096 bytes in UTF-8, and 256 words
     * @return a message, or the reason why it could not be made
     * @throws AccpException ERR_NOMEM; E1004 for a lone surrogate; and the model's failure: an
     *     exception of this package keeps its code, any other is an {@link AccpException.Io}. The
     *     original is the cause; after an {@link InterruptedException} the thread is interrupted
     *     again
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
