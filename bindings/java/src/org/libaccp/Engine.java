// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Raw;

/**
 * What sessions of one kind share: a store, a registry, a tokenizer, rules, a clock. Any number of threads may use one. Sessions keep what they need, so
 * it may be closed while they are open.
 */
public final class Engine extends Handle implements AccpCodec {
    private final Clock clock;
    private final boolean parts;
    private final FrameCodec frames;  // reads what was sent, under the same options

    private Engine(FrameCodec frames, Options options) throws AccpException {
        super(Config.open(options, Pressure.ENGINE, true, Raw::accp_engine_new, engine -> {
            Raw.accp_engine_free(engine);
            frames.close();
        }));
        this.frames = frames;
        Config config = options == null ? new Config() : options.config;
        clock = config.clock;
        parts = config.agreement == null ? config.rules.getOrDefault(Rule.PARTS, 0L) != 0 : config.agreement.features().contains(Feature.PARTS);
    }

    /**
     * Makes an engine with a store in memory, the profiles of the specification, o200k_base and every default.
     *
     * @return an engine; to be closed
     * @throws AccpException ERR_NOMEM
     */
    public static Engine open() throws AccpException {
        return open(null);
    }

    /**
     * Makes an engine.
     *
     * @param options may be null
     * @return an engine; to be closed
     * @throws AccpException ERR_ARG for parts without q1, and for options that cannot be
     */
    public static Engine open(Options options) throws AccpException {
        return new Engine(new FrameCodec(options), options);
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
    public Session session(String id, SessionFlag... flags) throws AccpException {
        byte[] text = Texts.in(id, "id");
        int bits = SessionFlag.bits(flags);
        long engine = state.use();
        try {
            long made = Upcall.guard(() -> Raw.accp_session_open(engine, text, bits));
            return new Session(new State(made, false, Raw::accp_session_close, state), clock, id, parts || List.of(flags).contains(SessionFlag.LOCAL));
        } catch (AccpException e) {
            state.unuse();
            throw e;
        }
    }

    /** Not where a message may become several frames ({@link Rule#PARTS}, {@link Feature#PARTS}, {@link SessionFlag#LOCAL}): {@link Session#send(Message)}. */
    @Override
    public Frame encode(Message message, Session session) throws AccpException {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(session, "session");
        if (session.parts) {
            throw new IllegalStateException("a message may go in parts here, and become several frames: Session.send()");
        }
        return frames.parse(session.send(message));
    }

    @Override
    public Message decode(Frame frame, Session session) throws AccpException {
        Objects.requireNonNull(frame, "frame");
        Objects.requireNonNull(session, "session");
        return session.decode(frame);
    }

    @Override
    public Checkpoint checkpoint(Session session) throws AccpException {
        Objects.requireNonNull(session, "session");
        return session.checkpoint();
    }

    @Override
    public TokenBudget getBudget(Session session) throws AccpException {
        Objects.requireNonNull(session, "session");
        return session.budget();
    }

    /** It is in force for every call on every session of this engine from now on. The other side must do it too, or negotiate anew. */
    @Override
    public void registerSchema(String name, Json schema) throws AccpException {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(schema, "schema");
        StringBuilder document = new StringBuilder("{\"schemas\":{");
        JsonText.quote(name, document);
        byte[] text = Texts.in(document.append(':').append(schema).append("}}").toString(), "schema");
        tell(handle -> Raw.accp_engine_register_schema(handle, text));
    }

    /** {@return the registry in force; to be closed} */
    public Registry registry() {
        return know(handle -> new Registry(Raw.accp_engine_share_registry(handle)));
    }

    /**
     * What the engine has counted since it was made, of all its sessions.
     *
     * @param name such as {@code accp.frames.received}
     * @param unit by UCUM, such as {@code By} or <code>{frame}</code>
     * @param value it never falls
     */
    public record Metric(String name, String unit, long value) {}

    /** {@return every count, as it is now, but for {@link #outcomes}} */
    public List<Metric> metrics() {
        return know(handle -> {
            List<Metric> all = new ArrayList<>();
            for (int i = 0; Raw.accp_metric_name(i) != null; ++i)
                all.add(new Metric(Texts.out(Raw.accp_metric_name(i)), Texts.out(Raw.accp_metric_unit_name(i)), Raw.accp_engine_metric(handle, i)));
            return all;
        });
    }

    /**
     * How many calls ended so.
     *
     * @param received of {@link Session#receive}; else of those that send
     * @param code {@link AccpException#code()}, or 0 for those that succeeded
     * @return the count
     */
    public long outcomes(boolean received, int code) {
        return know(handle -> Raw.accp_engine_outcomes(handle, received ? 1 : 0, code));
    }

    /** What has happened in a session. */
    public enum EventKind {
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
        REGISTRY_CHANGED
    }

    /**
     * One event; what does not apply is 0 or empty. {@link Accp#traceparent} makes trace ids of cid, mid and aid.
     *
     * @param kind what has happened
     * @param status of the call, or of the frame that had waited; 0: it succeeded
     * @param received whether the frame came in; else it went out
     * @param seq of the frame; else as the kind says
     * @param bytes of the frame's text
     * @param tokens of it
     * @param session its id
     * @param agent of the frame
     * @param mid of the frame
     * @param cid of the frame, or of a request that expired
     * @param aid of the frame
     */
    public record Event(EventKind kind, int status, boolean received, long seq, long bytes, long tokens, String session, String agent, String mid, String cid,
            String aid) {}

    /** Is told of events. Fit for every thread that has a session. */
    @FunctionalInterface
    public interface Events {
        /**
         * One event.
         *
         * @param event what has happened
         */
        void event(Event event);
    }

    /** Writes the summaries of checkpoints. Fit for every thread that has a session. */
    @FunctionalInterface
    public interface Summariser {
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
}
