// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;

/**
 * What sessions of one kind share: a store, a registry, a tokenizer, rules, a clock. Any number of threads may use one. Sessions keep what they need, so
 * it may be closed while they are open.
 *
 * <p>It is an interface so that tests can put something else in its place.
 */
public interface Engine extends AccpCodec, AutoCloseable {
    /**
     * Makes an engine with a store in memory, the profiles of the specification, o200k_base and every default.
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
     * @throws AccpException ERR_ARG for parts without q1, and for options that cannot be
     */
    static Engine open(Options options) throws AccpException {
        return new OpenEngine(new FrameCodec(options), options);
    }

    /**
     * Opens a session (specification 1.3, 5). To write it is made where it is missing, and an older writer, here or elsewhere, is shut out. To read it as it
     * stands it must be there, who writes it goes on, what is said from then on is seen by opening it again, and calls that would change something are ERR_ARG.
     *
     * @param id 1 to 256 bytes
     * @param flags none: to write
     * @return the session; to be closed
     * @throws AccpException ERR_CORRUPT for a session that is damaged; ERR_ARG for an id that cannot be one, rules that do not go together, and where the
     *     session was kept under other rules of tokens; E2001 to read: there is no such session; ERR_BUSY, ERR_IO
     */
    Session session(String id, SessionFlag... flags) throws AccpException;

    /** Not where a message may become several frames ({@link Rule#PARTS}, {@link Feature#PARTS}, {@link SessionFlag#LOCAL}): {@link Session#send(Message)}. */
    @Override
    Frame encode(Message message, Session session) throws AccpException;

    /** It is in force for every call on every session of this engine from now on. The other side must do it too, or negotiate anew. */
    @Override
    void registerSchema(String name, Json schema) throws AccpException;

    /** {@return the registry in force; to be closed} */
    Registry registry();

    /**
     * What the engine has counted since it was made, of all its sessions.
     *
     * @param name such as {@code accp.frames.received}
     * @param unit by UCUM, such as {@code By} or <code>{frame}</code>
     * @param value it never falls
     */
    record Metric(String name, String unit, long value) {}

    /** {@return every count, as it is now, but for {@link #outcomes}} */
    List<Metric> metrics();

    /**
     * How many calls ended so.
     *
     * @param received of {@link Session#receive}; else of those that send
     * @param code {@link AccpException#code()}, or 0 for those that succeeded
     * @return the count
     */
    long outcomes(boolean received, int code);

    /** What has happened in a session. */
    enum EventKind {
        /** A frame came in and was applied, a part of a message too; also one that had waited. */
        RECEIVED,
        /** A frame went out: one event for each part of a message. */
        SENT,
        /** A frame waits for an earlier one. */
        HELD,
        /** A frame, or a message of ours, had expired, or its chain was cancelled. */
        DROPPED,
        /** A frame, or a message of ours, was refused, or its call failed. */
        REFUSED,
        /** Frames before the seq are missing. */
        GAP_OPENED,
        /** Nothing waits for a gap any more: it was filled, or given up. */
        GAP_CLOSED,
        /** A checkpoint was made: the seq is its number. */
        CHECKPOINT,
        /** A request of ours was not answered in time: the seq is the number of its record. */
        REQUEST_EXPIRED,
        /** Frames are under another registry from now on. */
        REGISTRY_CHANGED,
        /** Messages were appended without a frame: one event for each call. */
        APPENDED,
        /** A context was made, as text, blocks or messages. */
        CONTEXT,
        /** The context of the event before this one left messages out: its budget had no room. */
        EVICTED
    }

    /**
     * One event; what does not apply is 0 or empty. {@link Accp#traceparent} makes trace ids of cid, mid and aid.
     *
     * @param kind what has happened
     * @param status of the call, or of the frame that had waited; 0: it succeeded
     * @param received whether the frame came in; else it went out
     * @param seq of the frame; else as the kind says
     * @param bytes of the frame's text, of the text that was appended, or of the context
     * @param tokens of the frame or the context; of what was appended, what it adds to the history; of {@link EventKind#EVICTED}, what the context has less
     * @param session its id
     * @param agent of the frame
     * @param mid of the frame
     * @param cid of the frame, or of a request that expired
     * @param aid of the frame
     * @param count messages: that were appended, that a checkpoint closed, that the session has ({@link EventKind#CONTEXT}), that were left out
     * @param history of {@link EventKind#CONTEXT}: the tokens that sending all messages again would cost
     * @param cached of {@link EventKind#CONTEXT}: tokens at its front that the context before had too, so that a provider's cache can serve them
     * @param written of {@link EventKind#CONTEXT}: its other tokens
     */
    record Event(EventKind kind, int status, boolean received, long seq, long bytes, long tokens, String session, String agent, String mid, String cid,
            String aid, long count, long history, long cached, long written) {}

    /** Is told of events. Fit for every thread that has a session. */
    @FunctionalInterface
    interface Events {
        /**
         * One event.
         *
         * @param event what has happened
         */
        void event(Event event);

        /**
         * Writes each event on one line: what was refused or dropped, gaps, requests that nobody answered and messages that a budget left out as warnings, checkpoints and
         * changes of the registry as information, all else as debugging.
         *
         * @param logger where to, such as {@code System.getLogger("org.libaccp")}
         * @return to be given to {@link Options#events}
         */
        static Events to(System.Logger logger) {
            return new EventLines(logger);
        }
    }

    /** Writes the summaries of checkpoints. Fit for every thread that has a session. */
    @FunctionalInterface
    interface Summariser {
        /**
         * Writes a summary. It must not use the session.
         *
         * @param hot what the checkpoint closes, as the context has it
         * @param maxTokens what the summary may have
         * @return one line or more; null for none: the library then writes its own, as for one that is too long
         * @throws Exception goes to the thread's handler of uncaught exceptions, and the library writes its own
         */
        String summarise(String hot, int maxTokens) throws Exception;
    }

    /** Frees what the engine holds in native memory, at the latest when its last session is closed. Closing twice is nothing. */
    @Override
    void close();
}
