// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Receives the chunks of any number of streams at once, in any order, and returns their text in
 * order (specification 10.4). One thread at a time.
 */
public final class StreamReceiver extends Handle {
    /** The state of a stream. */
    public enum Progress {
        /** Chunks are still to come. */
        OPEN,
        /** Closed: the final chunk and all before it have come. */
        COMPLETE,
        /** Closed: the intent {@code end} came first. Pending chunks are dropped. */
        ABORTED,
        /** The intent {@code end} for a closed stream: no effect. */
        CLOSED
    }

    /**
     * The result of a call.
     *
     * @param data new text in order; empty if a chunk has to wait
     * @param whole the whole text once the stream is complete or aborted; empty without the rule
     *     keep_streams
     * @param chunks number of chunks in order so far
     * @param progress the state of the stream
     */
    public record Part(String data, String whole, long chunks, Progress progress) {}

    /**
     * Makes a receiver with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public StreamReceiver() throws AccpException {
        this(null);
    }

    /**
     * Makes a receiver.
     *
     * @param options may be null: memory_bytes, json_bytes, the limits of streams and the rule
     *     keep_streams
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public StreamReceiver(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_stream_new), false, Raw::accp_stream_free));
    }

    /**
     * Adds one chunk.
     *
     * @param chunk the chunk
     * @return the result
     * @throws AccpException E1004 for an invalid chunk; E2003 beyond a limit. A refused chunk
     *     changes nothing
     */
    public Part add(Chunk chunk) throws AccpException {
        Objects.requireNonNull(chunk, "chunk");
        byte[][] texts = Texts.all(chunk.cid(), chunk.data());
        return part((handle, numbers) -> Native.streamAdd(handle, texts[0], texts[1], chunk.index(), chunk.total(), chunk.isFinal(), numbers));
    }

    /**
     * Applies the intent {@code end} to a stream.
     *
     * @param cid of the stream
     * @return the result
     * @throws AccpException as {@link #add}
     */
    public Part end(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        return part((handle, numbers) -> Native.streamEnd(handle, text, numbers));
    }

    /**
     * Adds a message of intent {@code stream} or {@code end}, as {@link Codec#decode(String)}
     * writes it.
     *
     * @param message JSON
     * @return the result
     * @throws AccpException ERR_ARG for any other intent; E1001 if it is not JSON; E1004 if it is
     *     not a chunk; else as {@link #add}
     */
    public Part receive(String message) throws AccpException {
        return receive(Texts.in(message, "message"));
    }

    /**
     * Adds a message.
     *
     * @param message as {@link #receive(String)}, UTF-8
     * @return as for the overload with a {@code String}
     * @throws AccpException as {@link #receive(String)}
     */
    public Part receive(byte[] message) throws AccpException {
        byte[] text = Texts.in(message, "message");
        return part((handle, numbers) -> Native.streamReceive(handle, text, numbers));
    }

    /**
     * Drops an open stream.
     *
     * @param cid of the stream
     * @throws AccpException ERR_ARG if it does not exist
     */
    public void remove(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_stream_remove(handle, text));
    }

    /** {@return the number of open streams} */
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
