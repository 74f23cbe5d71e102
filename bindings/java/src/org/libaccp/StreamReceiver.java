// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.locks.ReentrantLock;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Receives the chunks of any number of streams at once, in any order, and returns their text in
 * order (specification 10.4). One thread at a time.
 */
public final class StreamReceiver extends Handle {
    private final Map<String, SubmissionPublisher<Part>> publishers = new ConcurrentHashMap<>();
    private final ReentrantLock order = new ReentrantLock(true);  // parts are published in the order in which they were made

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
        return published(chunk.cid(), () -> part((handle, numbers) -> Native.streamAdd(handle, texts[0], texts[1], chunk.index(), chunk.total(), chunk.isFinal(), numbers)));
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
        return published(cid, () -> part((handle, numbers) -> Native.streamEnd(handle, text, numbers)));
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
        return published(publishers.isEmpty() ? null : cidOf(text), () -> part((handle, numbers) -> Native.streamReceive(handle, text, numbers)));
    }

    /**
     * Drops an open stream.
     *
     * @param cid of the stream
     * @throws AccpException ERR_ARG if it does not exist
     */
    public void remove(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        order.lock();
        try {
            tell(handle -> Raw.accp_stream_remove(handle, text));
            end(cid, new IllegalStateException("the stream was removed"));
        } finally {
            order.unlock();
        }
    }

    /**
     * Publishes the parts of one stream that have new text, in order, from the next call of {@link
     * #add}, {@link #end} or {@link #receive} on. Subscribers are called by the common pool.
     *
     * @param cid of the stream, which need not have begun
     * @return the same as {@code publisher(cid, ForkJoinPool.commonPool())}
     */
    public Flow.Publisher<Part> publisher(String cid) {
        return publisher(cid, ForkJoinPool.commonPool());
    }

    /**
     * Publishes the parts of one stream that have new text, in order, from the next call of {@link
     * #add}, {@link #end} or {@link #receive} on. A subscriber that is 256 parts behind makes these
     * calls wait, for all streams of this receiver, so it must not call the receiver.
     *
     * <p>The publisher completes when the stream does. It fails with an {@link
     * IllegalStateException} if the stream is aborted or removed, or this receiver is closed;
     * subscribers may then miss parts that they had not taken yet.
     *
     * @param cid of the stream, which need not have begun
     * @param executor calls the subscribers, such as one of virtual threads
     * @return the publisher; the same one for each call until the stream has ended, with the
     *     executor of the first
     */
    public Flow.Publisher<Part> publisher(String cid, Executor executor) {
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(executor, "executor");
        order.lock();
        try {
            openCount();  // refused if it is closed
            return publishers.computeIfAbsent(cid, name -> new SubmissionPublisher<>(executor, Flow.defaultBufferSize()));
        } finally {
            order.unlock();
        }
    }

    /** Frees the memory, and fails the publishers of streams that have not ended. */
    @Override
    public void close() {
        order.lock();
        try {
            super.close();
            for (String cid : publishers.keySet()) {
                end(cid, new IllegalStateException("the receiver was closed"));
            }
        } finally {
            order.unlock();
        }
    }

    private interface Making {
        Part run() throws AccpException;
    }

    private Part published(String cid, Making making) throws AccpException {
        order.lock();
        try {
            Part part = making.run();
            SubmissionPublisher<Part> publisher = cid == null ? null : publishers.get(cid);
            if (publisher != null) {
                if (!part.data().isEmpty()) {
                    publisher.submit(part);
                }
                switch (part.progress()) {
                    case COMPLETE -> end(cid, null);
                    case ABORTED -> end(cid, new IllegalStateException("the stream was aborted"));
                    default -> { }
                }
            }
            return part;
        } finally {
            order.unlock();
        }
    }

    private void end(String cid, Throwable failure) {
        SubmissionPublisher<Part> publisher = publishers.remove(cid);
        if (publisher != null && failure == null) {
            publisher.close();
        } else if (publisher != null) {
            publisher.closeExceptionally(failure);
        }
    }

    /** The cid of a message; null if it has none, which the call then reports. */
    private static String cidOf(byte[] message) {
        try {
            Json cid = Json.parse(message).get("meta").get("cid");
            return cid == null ? null : cid.asString();
        } catch (AccpException | RuntimeException e) {
            return null;
        }
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
