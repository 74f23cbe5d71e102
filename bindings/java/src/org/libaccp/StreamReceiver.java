// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/** Takes the chunks of any number of streams at once, in any order, and hands them out in order (specification 10.4). One thread at a time. */
public final class StreamReceiver extends Handle {
    /** How a stream stands. */
    public enum Progress {
        /** Chunks are still to come. */
        OPEN,
        /** Closed: the final chunk came, and all before it. */
        COMPLETE,
        /** Closed: the intent {@code end} came first. What waited for a missing chunk is gone. */
        ABORTED,
        /** The intent {@code end} for a stream that was closed before: nothing. */
        CLOSED
    }

    /**
     * What a call brought.
     *
     * @param data what follows what was handed out before, in order; empty where a chunk has to wait
     * @param whole all of it, once the stream is complete or aborted; empty without the rule keep_streams
     * @param chunks how many have come in order
     * @param progress how the stream stands
     */
    public record Part(String data, String whole, long chunks, Progress progress) {}

    /**
     * Makes a receiver with every default.
     *
     * @throws AccpException ERR_NOMEM
     */
    public StreamReceiver() throws AccpException {
        this(null);
    }

    /**
     * Makes a receiver.
     *
     * @param options may be null: memory_bytes, json_bytes, the limits of streams and the rule keep_streams count
     * @throws AccpException ERR_NOMEM; ERR_ARG for options that cannot be
     */
    public StreamReceiver(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_stream_new), false, Raw::accp_stream_free));
    }

    /**
     * Takes in one chunk.
     *
     * @param chunk the chunk
     * @return what it brought
     * @throws AccpException E1004 for a chunk that cannot be; E2003 beyond a limit. A refused chunk changes nothing
     */
    public Part add(Chunk chunk) throws AccpException {
        Objects.requireNonNull(chunk, "chunk");
        byte[][] texts = Texts.all(chunk.cid(), chunk.data());
        return part((handle, numbers) -> Native.streamAdd(handle, texts[0], texts[1], chunk.index(), chunk.total(), chunk.isFinal(), numbers));
    }

    /**
     * The intent {@code end} for a stream.
     *
     * @param cid of the stream
     * @return what there is
     * @throws AccpException as {@link #add}
     */
    public Part end(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        return part((handle, numbers) -> Native.streamEnd(handle, text, numbers));
    }

    /**
     * Takes in a message of intent {@code stream} or {@code end}, as {@link Codec#decode(String)} writes it.
     *
     * @param message JSON
     * @return what it brought
     * @throws AccpException ERR_ARG for any other intent; E1001 where it is not JSON; E1004 where it is no chunk; else as {@link #add}
     */
    public Part receive(String message) throws AccpException {
        return receive(Texts.in(message, "message"));
    }

    /**
     * Takes in a message.
     *
     * @param message as {@link #receive(String)}, UTF-8
     * @return as there
     * @throws AccpException as {@link #receive(String)}
     */
    public Part receive(byte[] message) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return part((handle, numbers) -> Native.streamReceive(handle, text, numbers));
    }

    /**
     * Forgets an open stream and what it holds.
     *
     * @param cid of the stream
     * @throws AccpException ERR_ARG where there is none
     */
    public void remove(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_stream_remove(handle, text));
    }

    /** {@return how many streams are open} */
    public long openCount() {
        return know(Raw::accp_stream_open_count);
    }

    private interface Take {
        byte[][] of(long handle, long[] numbers) throws AccpException;
    }

    private Part part(Take take) throws AccpException {
        long[] numbers = new long[2];
        byte[][] texts = ask(handle -> take.of(handle, numbers));
        return new Part(Texts.out(texts[0]), Texts.out(texts[1]), numbers[0], Progress.values()[(int) numbers[1]]);
    }
}
