// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;

/**
 * One chunk of a stream (specification 10.4).
 *
 * @param cid of its stream
 * @param data the piece
 * @param index from 0
 * @param total number of chunks; 0: not given
 * @param isFinal whether it is the last
 */
public record Chunk(String cid, String data, long index, long total, boolean isFinal) {
    /**
     * Checks that the texts are not null.
     *
     * @param cid of the stream
     * @param data the piece
     * @param index its number, from 0
     * @param total number of chunks; 0: unknown
     * @param isFinal whether it is the last
     */
    public Chunk {
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(data, "data");
    }

    /**
     * Cuts a long text. It splits no code point and, if possible, no character from its marks.
     *
     * @param cid of the stream
     * @param text the text
     * @param maxBytes of one piece in UTF-8, from 1; a code point is never split
     * @return its chunks; an empty text is one empty chunk
     * @throws AccpException E1004 for a lone surrogate; ERR_ARG for {@code maxBytes} below 1
     */
    public static List<Chunk> cut(String cid, String text, int maxBytes) throws AccpException {
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(text, "text");
        byte[] bytes = Texts.in(text, "text");
        long[] ends = Native.chunkEnds(bytes, maxBytes);
        List<Chunk> chunks = new ArrayList<>(ends.length);
        int from = 0;
        for (int i = 0; i < ends.length; i++) {
            int end = (int) ends[i];
            chunks.add(new Chunk(cid, new String(bytes, from, end - from, StandardCharsets.UTF_8), i, ends.length, i == ends.length - 1));
            from = end;
        }
        return chunks;
    }
}
