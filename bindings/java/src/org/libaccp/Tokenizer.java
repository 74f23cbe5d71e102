// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.List;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Splits text by a model's vocabulary. Constant: any number of threads may share one. A
 * {@link Counter} does the work. Counters and engines keep what they need, so it may be closed.
 */
public final class Tokenizer extends Handle {
    /** Counts the tokens of a text with the host's own tokenizer, on the thread of the caller. */
    @FunctionalInterface
    public interface Count {
        /**
         * Counts.
         *
         * @param text UTF-8
         * @return the number of tokens
         * @throws Exception becomes the cause of the count's exception
         */
        long count(byte[] text) throws Exception;
    }

    private Tokenizer(State state) {
        super(state);
    }

    /**
     * Returns a built-in tokenizer.
     *
     * @param name one of {@link #builtIn()}
     * @throws AccpException ERR_ARG for an unknown name
     */
    public Tokenizer(String name) throws AccpException {
        super(owned(Raw.accp_tokenizer_new(Texts.in(name, "name"), 0)));
    }

    private static State owned(long handle) {
        return new State(handle, true, Raw::accp_tokenizer_free);
    }

    /** {@return the names of the built-in tokenizers} */
    public static List<String> builtIn() {
        List<String> names = new ArrayList<>();
        for (byte[] name; (name = Raw.accp_tokenizer_builtin_name(names.size())) != null;) {
            names.add(Texts.out(name));
        }
        return names;
    }

    /**
     * Makes a tokenizer from the text of a {@code .tiktoken} file.
     *
     * @param name the result of {@link #name()}
     * @param pattern how text is cut before merging: {@code "o200k_base"}, {@code "cl100k_base"},
     *     {@code "llama3"} and others
     * @param text the file
     * @return a tokenizer; to be closed
     * @throws AccpException E1001 with the offset of the first bad line; E1004 for a vocabulary
     *     that cannot be merged; ERR_ARG for an unknown pattern
     */
    public static Tokenizer ofTiktoken(String name, String pattern, byte[] text) throws AccpException {
        return new Tokenizer(owned(Raw.accp_tokenizer_new_tiktoken(Texts.in(name, "name"), Texts.in(pattern, "pattern"), Texts.in(text, "text"), 0)));
    }

    /**
     * Makes a tokenizer from the text of a Hugging Face {@code tokenizer.json} with a byte-level
     * BPE model.
     *
     * @param name the result of {@link #name()}
     * @param text the file
     * @return a tokenizer; to be closed
     * @throws AccpException E1001 for invalid JSON; E1004 for unsupported kinds
     */
    public static Tokenizer ofJson(String name, byte[] text) throws AccpException {
        return new Tokenizer(owned(Raw.accp_tokenizer_new_json(Texts.in(name, "name"), Texts.in(text, "text"), 0)));
    }

    /**
     * Makes a tokenizer that calls the host. It counts and has no ids.
     *
     * @param name the result of {@link #name()}
     * @param approximate whether its counts are estimates
     * @param count must be safe for all threads with a counter of it
     * @return a tokenizer; to be closed
     * @throws AccpException ERR_NOMEM
     */
    public static Tokenizer of(String name, boolean approximate, Count count) throws AccpException {
        java.util.Objects.requireNonNull(count, "count");
        byte[] text = Texts.in(name, "name");
        long target = Native.callbackNew(new Upcall(Upcall.IO) {
            @Override
            byte[] answer(byte[][] texts, long[] numbers) throws Exception {
                numbers[1] = count.count(texts[0]);
                return null;
            }
        });
        try {
            long made = Native.tokenizerNewCallback(text, approximate ? 1 : 0, target, 0);
            return new Tokenizer(new State(made, true, handle -> {
                Raw.accp_tokenizer_free(handle);
                Native.callbackFree(target);
            }));
        } catch (AccpException e) {
            Native.callbackFree(target);
            throw e;
        }
    }

    /** {@return its name} */
    public String name() {
        return know(handle -> Texts.out(Raw.accp_tokenizer_name(handle)));
    }

    /** {@return whether its counts are estimates; show them as such} */
    public boolean isApproximate() {
        return know(handle -> Raw.accp_tokenizer_is_approximate(handle) != 0);
    }

    /**
     * {@return the number of tokens in the vocabulary without special ones; 0 for a tokenizer without a
     * vocabulary}
     */
    public long size() {
        return know(Raw::accp_tokenizer_token_count);
    }
}
