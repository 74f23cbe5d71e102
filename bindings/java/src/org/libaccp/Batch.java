// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Processes many frames or messages in one crossing: a text with one per line (LF; an empty line is
 * a refused record). A refused line does not stop the others. One thread at a time; results are
 * immutable.
 */
public final class Batch extends Handle {
    private static final int PARSE = 0;
    private static final int ENCODE = 1;
    private static final int DECODE = 2;

    /**
     * Makes a batch with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Batch() throws AccpException {
        this(null);
    }

    /**
     * Makes a batch.
     *
     * @param options may be null
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public Batch(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_batch_new), false, Raw::accp_batch_free));
    }

    /**
     * Parses frames.
     *
     * @param frames one per line, UTF-8; copied
     * @return a frame a line
     * @throws AccpException ERR_NOMEM only; faults of a line are in its record
     */
    public Results<Frame> parse(byte[] frames) throws AccpException {
        Objects.requireNonNull(frames, "frames");
        byte[] text = frames.clone();
        Object[] made = run(PARSE, text);
        return new Results<>((long[]) made[0], text) {
            @Override
            Frame read(int index) {
                int first = Math.toIntExact(first(index));
                return new Frame(text, offset(index), length(index), (byte[]) made[1], first * Tree.NODE_BYTES, nodeCount(index));
            }
        };
    }

    /**
     * Encodes messages.
     *
     * @param messages JSON, one per line, UTF-8
     * @return the text of a frame per line
     * @throws AccpException ERR_NOMEM
     */
    public Results<String> encode(byte[] messages) throws AccpException {
        return texts(run(ENCODE, Texts.in(messages, "messages")));
    }

    /**
     * Encodes messages.
     *
     * @param messages JSON, one per line, UTF-8
     * @return the text of a frame per line
     * @throws AccpException ERR_NOMEM
     */
    public Results<String> encode(ByteBuffer messages) throws AccpException {
        return texts(run(ENCODE, Texts.in(messages, "messages")));
    }

    /**
     * Decodes frames into their messages.
     *
     * @param frames one per line, UTF-8
     * @return compact JSON a line
     * @throws AccpException ERR_NOMEM
     */
    public Results<String> decode(byte[] frames) throws AccpException {
        return texts(run(DECODE, Texts.in(frames, "frames")));
    }

    /**
     * Decodes frames into their messages.
     *
     * @param frames one per line, UTF-8
     * @return compact JSON a line
     * @throws AccpException ERR_NOMEM
     */
    public Results<String> decode(ByteBuffer frames) throws AccpException {
        return texts(run(DECODE, Texts.in(frames, "frames")));
    }

    private Object[] run(int kind, Object text) throws AccpException {
        long handle = state.enter();
        try {
            return Native.batch(handle, kind, text);
        } finally {
            state.exit();
            Reference.reachabilityFence(this);
        }
    }

    private static Results<String> texts(Object[] made) {
        return new Results<>((long[]) made[0], (byte[]) made[1]) {
            @Override
            String read(int index) {
                return Texts.out(bytes(index));
            }
        };
    }

    /**
     * The records of one call, one per line. As a list, it has null for a refused line.
     *
     * @param <T> the result of a line
     */
    public abstract static class Results<T> extends AbstractList<T> {
        private static final int FIELDS = 6;  // of accp_record: status and node_count, first_node, offset, len, error_offset, message
        private final long[] records;
        private final byte[] text;

        Results(long[] records, byte[] text) {
            this.records = records;
            this.text = text;
        }

        abstract T read(int index);

        final long first(int index) {
            return records[FIELDS * index + 1];
        }

        final int offset(int index) {
            return Math.toIntExact(records[FIELDS * index + 2]);
        }

        final int length(int index) {
            return Math.toIntExact(records[FIELDS * index + 3]);
        }

        final int nodeCount(int index) {
            return (int) (records[FIELDS * index] >>> 32);
        }

        @Override
        public int size() {
            return records.length / FIELDS;
        }

        @Override
        public T get(int index) {
            return isRefused(index) ? null : read(index);
        }

        /**
         * Returns whether a line was refused.
         *
         * @param index of the line, from 0
         * @return true if so
         */
        public boolean isRefused(int index) {
            return (int) records[FIELDS * java.util.Objects.checkIndex(index, size())] != 0;
        }

        /**
         * Returns why a line was refused.
         *
         * @param index of the line, from 0
         * @return the exception of a call for this line alone, with its offset in the line; null if
         *     the line was accepted
         */
        public AccpException error(int index) {
            if (!isRefused(index)) {
                return null;
            }
            int at = FIELDS * index;
            return AccpException.of((int) records[at], records[at + 4], Native.staticText(records[at + 5]));
        }

        /**
         * Returns the text of a line's result: the message, the frame, or for a parsed frame the
         * line itself.
         *
         * @param index of the line, from 0
         * @return UTF-8; a copy; empty if the line was refused
         */
        public byte[] bytes(int index) {
            return isRefused(index) ? Texts.EMPTY : java.util.Arrays.copyOfRange(text, offset(index), offset(index) + length(index));
        }

        /** {@return the texts of all results, each ended by LF, in UTF-8; a copy} */
        public byte[] toBytes() {
            return text.clone();
        }

        /** {@return all results} */
        public List<T> toList() {
            return new java.util.ArrayList<>(this);
        }
    }
}
