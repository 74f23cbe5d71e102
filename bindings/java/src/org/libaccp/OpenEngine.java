// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Raw;

/** An engine of the library. */
final class OpenEngine extends Handle implements Engine {
    private final Clock clock;

    private final boolean parts;

    private final FrameCodec frames;  // reads sent frames with the same options

    OpenEngine(FrameCodec frames, Options options) throws AccpException {
        super(Config.open(options, Pressure.ENGINE, true, Raw::accp_engine_new, engine -> {
            Raw.accp_engine_free(engine);
            frames.close();
        }));
        this.frames = frames;
        Config config = options == null ? new Config() : options.config;
        clock = config.clock;
        parts = config.agreement == null ? config.rules.getOrDefault(Rule.PARTS, 0L) != 0 : config.agreement.features().contains(Feature.PARTS);
    }

    @Override
    public Session session(String id, SessionFlag... flags) throws AccpException {
        byte[] text = Texts.in(id, "id");
        int bits = SessionFlag.bits(flags);
        long engine = use();
        try {
            long made = Upcall.guard(() -> Raw.accp_session_open(engine, text, bits));
            return new OpenSession(new State(made, false, Raw::accp_session_close, state), clock, id, parts || List.of(flags).contains(SessionFlag.LOCAL));
        } catch (AccpException e) {
            state.unuse();
            throw e;
        }
    }

    @Override
    public Frame encode(Message message, Session session) throws AccpException {
        Objects.requireNonNull(message, "message");
        if (OpenSession.of(session).parts) {
            throw new IllegalStateException("a message may go in parts here, and become several frames: Session.send()");
        }
        return frames.parse(session.send(message));
    }

    @Override
    public Message decode(Frame frame, Session session) throws AccpException {
        Objects.requireNonNull(frame, "frame");
        return OpenSession.of(session).decode(frame);
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

    @Override
    public void registerSchema(String name, Json schema) throws AccpException {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(schema, "schema");
        StringBuilder document = new StringBuilder("{\"schemas\":{");
        JsonText.quote(name, document);
        byte[] text = Texts.in(document.append(':').append(schema).append("}}").toString(), "schema");
        tell(handle -> Raw.accp_engine_register_schema(handle, text));
    }

    @Override
    public Registry registry() {
        return know(handle -> new Registry(Raw.accp_engine_share_registry(handle)));
    }

    @Override
    public List<Metric> metrics() {
        return know(handle -> {
            List<Metric> all = new ArrayList<>();
            for (int i = 0; Raw.accp_metric_name(i) != null; ++i)
                all.add(new Metric(Texts.out(Raw.accp_metric_name(i)), Texts.out(Raw.accp_metric_unit_name(i)), Raw.accp_engine_metric(handle, i)));
            return all;
        });
    }

    @Override
    public long outcomes(boolean received, int code) {
        return know(handle -> Raw.accp_engine_outcome_count(handle, received ? 1 : 0, code));
    }
}
