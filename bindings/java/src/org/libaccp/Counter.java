// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/** Counts tokens exactly, with a cache. One thread at a time. */
public final class Counter extends Handle {
    private static final long UNBOUNDED = -1;  // the largest value of 64 bits

    /**
     * Makes a counter.
     *
     * @param tokenizer the tokenizer
     * @throws AccpException ERR_NOMEM
     */
    public Counter(Tokenizer tokenizer) throws AccpException {
        this(tokenizer, null);
    }

    /**
     * Makes a counter.
     *
     * @param tokenizer the tokenizer
     * @param options may be null: memory_bytes, and the rules token_cache and special_tokens
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public Counter(Tokenizer tokenizer, Options options) throws AccpException {
        super(open(tokenizer, options));
    }

    private static State open(Tokenizer tokenizer, Options options) throws AccpException {
        Objects.requireNonNull(tokenizer, "tokenizer");
        long parent = tokenizer.use();
        try {
            long made = Config.make(options, config -> Raw.accp_counter_new(parent, config));
            return new State(made, false, Raw::accp_counter_free, tokenizer.state);
        } catch (AccpException | RuntimeException e) {
            tokenizer.state.unuse();
            throw e;
        }
    }

    /**
     * Counts the tokens of a text.
     *
     * @param text the text
     * @return the number
     * @throws AccpException ERR_NOMEM; ERR_IO if a tokenizer of the host fails; E1004 for a lone
     *     surrogate
     */
    public long count(String text) throws AccpException {
        return countAny(Texts.in(text, "text"), UNBOUNDED);
    }

    /**
     * Counts the tokens of a text.
     *
     * @param text UTF-8
     * @return the number
     * @throws AccpException as {@link #count(String)}
     */
    public long count(byte[] text) throws AccpException {
        return countAny(Texts.in(text, "text"), UNBOUNDED);
    }

    /**
     * Counts the tokens of a text.
     *
     * @param text UTF-8
     * @return the number
     * @throws AccpException as {@link #count(String)}
     */
    public long count(ByteBuffer text) throws AccpException {
        return countAny(Texts.in(text, "text"), UNBOUNDED);
    }

    /**
     * Counts up to a bound, and stops once it is exceeded.
     *
     * @param text the text
     * @param max the bound
     * @return the count, or {@code max + 1} if there are more
     * @throws AccpException as {@link #count(String)}
     */
    public long count(String text, long max) throws AccpException {
        return countAny(Texts.in(text, "text"), max);
    }

    private long countAny(Object text, long max) throws AccpException {
        return Upcall.guard(() -> ask(handle -> Raw.accp_counter_count(handle, text, max)));
    }

    /**
     * Returns the ids of a text's tokens.
     *
     * @param text the text
     * @return the ids
     * @throws AccpException ERR_ARG for a tokenizer without a vocabulary
     */
    public int[] encode(String text) throws AccpException {
        return encode(Texts.in(text, "text"));
    }

    /**
     * Returns the ids of a text's tokens.
     *
     * @param text UTF-8
     * @return the ids
     * @throws AccpException ERR_ARG for a tokenizer without a vocabulary
     */
    public int[] encode(byte[] text) throws AccpException {
        byte[] bytes = Texts.in(text, "text");
        return ask(handle -> Native.counterEncode(handle, bytes));
    }

    /**
     * Returns the bytes of ids; single tokens may be parts of characters.
     *
     * @param ids the ids
     * @return UTF-8, if the ids are of a text
     * @throws AccpException ERR_ARG for an unknown id; its offset counts ids
     */
    public byte[] decode(int[] ids) throws AccpException {
        Objects.requireNonNull(ids, "ids");
        int[] copy = ids.clone();
        return ask(handle -> Native.counterDecode(handle, copy));
    }

    /**
     * Adds to a growing text, which {@link #total()} counts. It may be cut anywhere, even inside a
     * character.
     *
     * @param text UTF-8
     * @throws AccpException ERR_NOMEM; nothing was added then
     */
    public void append(byte[] text) throws AccpException {
        byte[] bytes = Texts.in(text, "text");
        tell(handle -> Raw.accp_counter_append(handle, bytes));
    }

    /**
     * Counts all text that was appended since {@link #reset()}.
     *
     * @return the same as the count of the whole text
     * @throws AccpException as {@link #count(String)}
     */
    public long total() throws AccpException {
        return Upcall.guard(() -> ask(Raw::accp_counter_total));
    }

    /** Drops the appended text. */
    public void reset() {
        know(handle -> {
            Raw.accp_counter_reset(handle);
            return null;
        });
    }
}
