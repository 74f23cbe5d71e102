// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.List;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * How a model's vocabulary splits a text. Constant: any number of threads may share one. A {@link Counter} does the work. Counters and engines made
 * with it keep what they need, so it may be closed.
 */
public final class Tokenizer extends Handle {
    /** Counts the tokens of a text, for a host that has a tokenizer of its own. Called by whoever counts, on its thread. */
    @FunctionalInterface
    public interface Count {
        /**
         * Counts.
         *
         * @param text UTF-8
         * @return how many tokens
         * @throws Exception the count then fails with it as its cause
         */
        long count(byte[] text) throws Exception;
    }

    private Tokenizer(State state) {
        super(state);
    }

    /**
     * Makes a tokenizer that is built in.
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

    /** {@return the names of the tokenizers that are built in} */
    public static List<String> builtIn() {
        List<String> names = new ArrayList<>();
        for (byte[] name; (name = Raw.accp_tokenizer_builtin_name(names.size())) != null;) {
            names.add(Texts.out(name));
        }
        return names;
    }

    /**
     * Makes a tokenizer of the text of a {@code .tiktoken} file.
     *
     * @param name what {@link #name()} will say
     * @param pattern how text is cut ahead of merging: {@code "o200k_base"}, {@code "cl100k_base"}, {@code "llama3"} and others
     * @param text the file
     * @return a tokenizer; to be closed
     * @throws AccpException E1001 with the offset of the first bad line; E1004 for a vocabulary that cannot be merged; ERR_ARG for an unknown pattern
     */
    public static Tokenizer ofTiktoken(String name, String pattern, byte[] text) throws AccpException {
        return new Tokenizer(owned(Raw.accp_tokenizer_new_tiktoken(Texts.in(name, "name"), Texts.in(pattern, "pattern"), Texts.in(text, "text"), 0)));
    }

    /**
     * Makes a tokenizer of the text of a Hugging Face {@code tokenizer.json} with a byte-level BPE model.
     *
     * @param name what {@link #name()} will say
     * @param text the file
     * @return a tokenizer; to be closed
     * @throws AccpException E1001 for what is no JSON; E1004 for kinds that are not supported
     */
    public static Tokenizer ofJson(String name, byte[] text) throws AccpException {
        return new Tokenizer(owned(Raw.accp_tokenizer_new_json(Texts.in(name, "name"), Texts.in(text, "text"), 0)));
    }

    /**
     * Makes a tokenizer that asks the host. It counts; it has no ids.
     *
     * @param name what {@link #name()} will say
     * @param approximate whether its counts are estimates
     * @param count fit for every thread that has a counter of it
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

    /** {@return whether its counts are estimates and not exact: whoever shows such a count says so} */
    public boolean isApproximate() {
        return know(handle -> Raw.accp_tokenizer_approx(handle) != 0);
    }

    /** {@return how many tokens the vocabulary has, special ones not among them; 0 where there is none} */
    public long size() {
        return know(Raw::accp_tokenizer_size);
    }
}
