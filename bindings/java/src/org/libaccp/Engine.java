// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The settings that sessions of one kind share: a store, a registry, a tokenizer, rules, a clock.
 * Any number of threads may use an engine. Sessions keep their dependencies, so it may be closed
 * while they are open.
 *
 * <p>It is an interface so that tests can replace it.
 */
public interface Engine extends AccpCodec, AutoCloseable {
    /**
     * Makes an engine with a store in memory, the profiles of the specification, o200k_base and all
     * defaults.
     *
     * @return an engine; to be closed
     * @throws AccpException ERR_NOMEM
     */
    static Engine open() throws AccpException {
        return open(null);
    }

    /**
     * Makes an engine.
     *
     * @param options may be null
     * @return an engine; to be closed
     * @throws AccpException ERR_ARG for parts without q1, and for invalid options
     */
    static Engine open(Options options) throws AccpException {
        return new OpenEngine(new FrameCodec(options), options);
    }

    /**
     * Opens a session (specification 1.3, 5). For writing it is created if it does not exist, and
     * an earlier writer, in this or another process, loses its right to write. For reading it must
     * exist; it shows its state at this moment, its writer is not disturbed, and calls that would
     * change something are ERR_ARG.
     *
     * @param id 1 to 256 bytes
     * @param flags none: for writing
     * @return the session; to be closed
     * @throws AccpException ERR_CORRUPT for a damaged session; ERR_ARG for an invalid id,
     *     conflicting rules, and a session that was kept under other token rules; E2001 for reading
     *     a session that does not exist; ERR_BUSY, ERR_IO
     */
    Session session(String id, SessionFlag... flags) throws AccpException;

    /**
     * Not for messages that may become several frames ({@link Rule#PARTS}, {@link Feature#PARTS},
     * {@link SessionFlag#LOCAL}): use {@link Session#send(Message)}.
     */
    @Override
    Frame encode(Message message, Session session) throws AccpException;

    /**
     * It applies to every later call on every session of this engine. The other side must do it
     * too, or negotiate again.
     */
    @Override
    void registerSchema(String name, Json schema) throws AccpException;

    /** {@return the registry in force; to be closed} */
    Registry registry();

    /**
     * A count of the engine over all its sessions.
     *
     * @param name such as {@code accp.frames.received}
     * @param unit by UCUM, such as {@code By} or <code>{frame}</code>
     * @param value the count; it never falls
     */
    record Metric(String name, String unit, long value) {}

    /** {@return all current counts except for {@link #outcomes}} */
    List<Metric> metrics();

    /** Receives the counts of an engine one by one, for a library of metrics. */
    @FunctionalInterface
    interface Meter {
        /**
         * Registers one count.
         *
         * @param name such as {@code accp.frames.received}
         * @param unit by UCUM, such as {@code By} or <code>{frame}</code>
         * @param count reads the current count, on any thread and at any time. It never falls; after
         *     the engine was closed it remains the one that was read last
         */
        void counter(String name, String unit, LongSupplier count);
    }

    /**
     * Registers all counts of {@link #metrics} once. For Micrometer: {@code engine.bindTo((name,
     * unit, count) -> FunctionCounter.builder(name, count, LongSupplier::getAsLong).baseUnit(unit)
     * .register(registry))}. The suppliers keep the engine reachable.
     *
     * @param meter called for each count before this returns; its exceptions end the call
     */
    default void bindTo(Meter meter) {
        Objects.requireNonNull(meter, "meter");
        List<Metric> all = metrics();
        for (int i = 0; i < all.size(); i++) {
            int number = i;
            AtomicLong last = new AtomicLong(all.get(i).value());
            meter.counter(all.get(i).name(), all.get(i).unit(), () -> {
                try {
                    return last.accumulateAndGet(metrics().get(number).value(), Math::max);
                } catch (IllegalStateException closed) {
                    return last.get();
                }
            });
        }
    }

    /**
     * Returns how many calls ended with a code.
     *
     * @param received for {@link Session#receive}; else for calls that send
     * @param code {@link AccpException#code()}, or 0 for those that succeeded
     * @return the count
     */
    long outcomes(boolean received, int code);

    /** The kind of an event in a session. */
    enum EventKind {
        /** An incoming frame was applied, also a part or a frame that had waited. */
        RECEIVED,
        /** A frame was sent: one event for each part of a message. */
        SENT,
        /** A frame waits for an earlier one. */
        HELD,
        /** A frame or our message had expired, or its chain was cancelled. */
        DROPPED,
        /** A frame or our message was refused, or its call failed. */
        REFUSED,
        /** Frames before the seq are missing. */
        GAP_OPENED,
        /** No frame waits for a gap: it was filled or given up. */
        GAP_CLOSED,
        /** A checkpoint was made: the seq is its number. */
        CHECKPOINT,
        /** Our request was not answered in time: the seq is the number of its record. */
        REQUEST_EXPIRED,
        /** Later frames use another registry. */
        REGISTRY_CHANGED,
        /** Messages were appended without a frame: one event for each call. */
        APPENDED,
        /** A context was made as text, blocks or messages. */
        CONTEXT,
        /** The context of the previous event omitted messages because of its budget. */
        EVICTED
    }

    /**
     * One event; fields that do not apply are 0 or empty. {@link Accp#traceparent} makes trace ids
     * from cid, mid and aid.
     *
     * @param kind the kind of the event
     * @param status of the call or of the frame that had waited; 0: success
     * @param received whether the frame was received; else it was sent
     * @param seq of the frame; else as described for the kind
     * @param bytes of the frame, of the appended text, or of the context
     * @param tokens of the frame or the context; for appended messages, their part of the history;
     *     for {@link EventKind#EVICTED}, the omitted tokens
     * @param session its id
     * @param agent of the frame
     * @param mid of the frame
     * @param cid of the frame or of an expired request
     * @param aid of the frame
     * @param count messages: appended, closed by a checkpoint, in the session
     *     ({@link EventKind#CONTEXT}), omitted
     * @param history for {@link EventKind#CONTEXT}: the tokens of resending all messages
     * @param cached for {@link EventKind#CONTEXT}: tokens that a provider's cache can serve,
     *     because the previous context began with them
     * @param written for {@link EventKind#CONTEXT}: the other tokens
     */
    record Event(EventKind kind, int status, boolean received, long seq, long bytes, long tokens, String session, String agent, String mid, String cid,
            String aid, long count, long history, long cached, long written) {}

    /** Receives events. It must be safe for all threads with a session. */
    @FunctionalInterface
    interface Events {
        /**
         * Receives one event.
         *
         * @param event the event
         */
        void event(Event event);

        /**
         * Writes each event on one line. Refused and dropped frames, gaps, unanswered requests and
         * omitted messages are warnings; checkpoints and changes of the registry are information;
         * all else is for debugging.
         *
         * @param logger the logger, such as {@code System.getLogger("org.libaccp")}
         * @return for {@link Options#events}
         */
        static Events to(System.Logger logger) {
            return new EventLines(logger);
        }
    }

    /** Writes the summaries of checkpoints. It must be safe for all threads with a session. */
    @FunctionalInterface
    interface Summariser {
        /**
         * Writes a summary. It must not use the session.
         *
         * @param hot the text that the checkpoint closes
         * @param maxTokens the most tokens of the summary
         * @return one line or more; for null and for a summary that is too long the library writes
         *     its own
         * @throws Exception goes to the thread's handler of uncaught exceptions, and the library
         *     writes its own
         */
        String summarise(String hot, int maxTokens) throws Exception;
    }

    /**
     * Frees the engine's native memory, at the latest when its last session is closed. It may be
     * closed twice.
     */
    @Override
    void close();
}
