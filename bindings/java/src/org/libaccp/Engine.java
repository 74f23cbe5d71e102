// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * What sessions of one kind share: a store, a registry, a tokenizer, rules, a clock. Any number of threads may use one. Sessions keep what they need, so
 * it may be closed while they are open.
 */
public final class Engine extends Handle implements AccpCodec {
    private final Clock clock;
    private final boolean parts;

    private Engine(Builder builder) throws AccpException {
        super(open(builder));
        clock = builder.clock;
        parts = builder.rules.getOrDefault(Rule.PARTS, 0L) != 0;
    }

    /**
     * Makes an engine with a store in memory, the profiles of the specification, o200k_base and every default.
     *
     * @return an engine; to be closed
     * @throws AccpException ERR_NOMEM
     */
    public static Engine open() throws AccpException {
        return new Builder().open();
    }

    /** {@return a builder} */
    public static Builder builder() {
        return new Builder();
    }

    // The tokenizer is borrowed by the library, so its state is kept by this one; store and registry are shared.
    private static State open(Builder made) throws AccpException {
        State[] parents = made.tokenizer == null ? new State[0] : new State[] {made.tokenizer.state};
        long tokenizer = made.tokenizer == null ? 0 : made.tokenizer.state.use();
        long[] hooks = made.hooks.stream().mapToLong(Native::callbackNew).toArray();
        long engine = 0;
        try {
            engine = withStore(made.store, store -> withRegistry(made.registry, registry -> Options.make(made.options,
                    options -> Raw.accp_engine_new(options, store, registry, Extension.bits(made.extensions), tokenizer))));
            for (Map.Entry<Rule, Long> rule : made.rules.entrySet()) {
                Raw.accp_engine_set_rule(engine, rule.getKey().number, rule.getValue());
            }
            for (int i = 0; i < hooks.length; i++) {
                Native.engineSetHook(engine, made.hooks.get(i).kind, hooks[i]);
            }
            if (!made.own.isEmpty()) {
                Raw.accp_engine_set_own_agents(engine, Texts.in(String.join(",", made.own), "agents"));
            }
            for (String agent : made.untrusted) {
                Raw.accp_engine_set_origin(engine, Texts.in(agent, "agent"), 1);
            }
            for (String key : made.redacted) {
                Raw.accp_engine_set_redacted(engine, Texts.in(key, "redacted"));
            }
        } catch (AccpException | RuntimeException e) {
            free(engine, hooks);
            for (State parent : parents) {
                parent.unuse();
            }
            throw e;
        }
        return new State(engine, Pressure.ENGINE, true, handle -> free(handle, hooks), parents);
    }

    private static long withStore(Store store, Ask<Long> call) throws AccpException {
        return store == null ? call.of(0) : store.handle.ask(call);
    }

    private static long withRegistry(Registry registry, Ask<Long> call) throws AccpException {
        return registry == null ? call.of(0) : registry.ask(call);
    }

    private static void free(long engine, long[] hooks) {
        Raw.accp_engine_free(engine);
        Arrays.stream(hooks).forEach(Native::callbackFree);
    }

    /**
     * Opens a session for writing; it is made where it is missing. An older writer, here or elsewhere, is shut out (specification 1.3, 5).
     *
     * @param id 1 to 256 bytes
     * @return the session; to be closed
     * @throws AccpException ERR_CORRUPT for a session that is damaged; ERR_ARG for an id that cannot be one, and where the session was kept under other
     *     rules of tokens; ERR_BUSY, ERR_IO
     */
    public Session session(String id) throws AccpException {
        return session(id, Raw::accp_session_open);
    }

    /**
     * Opens a session to read it as it stands. Who has it open to write goes on; what is said from then on is seen by opening it again. Calls that would
     * change something are ERR_ARG.
     *
     * @param id its id
     * @return the session; to be closed
     * @throws AccpException E2001: there is no such session; else as {@link #session}
     */
    public Session read(String id) throws AccpException {
        return session(id, Raw::accp_session_open_read);
    }

    private interface Opening {
        long open(long engine, Object id) throws AccpException;
    }

    private Session session(String id, Opening opening) throws AccpException {
        byte[] text = Texts.in(id, "id");
        long engine = state.use();
        try {
            long made = Upcall.guard(() -> opening.open(engine, text));
            return new Session(new State(made, false, Raw::accp_session_close, state), clock, id);
        } catch (AccpException e) {
            state.unuse();
            throw e;
        }
    }

    /** Not under {@link Rule#PARTS}, where a message may become several frames: {@link Session#send(Message)}. */
    @Override
    public Frame encode(Message message, Session session) throws AccpException {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(session, "session");
        if (parts) {
            throw new IllegalStateException("under Rule.PARTS a message may become several frames: Session.send()");
        }
        return Frame.parse(session.send(message));
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
        return know(handle -> new Registry(Raw.accp_engine_registry(handle)));
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

    /** Gathers what an engine is made of; what is not set has its default. */
    public static final class Builder {
        private Options options;
        private Store store;
        private Registry registry;
        private Tokenizer tokenizer;
        private Extension[] extensions = {Extension.Q1};
        private final List<Upcall> hooks = new ArrayList<>();
        private final List<String> own = new ArrayList<>();
        private final List<String> untrusted = new ArrayList<>();
        private final List<String> redacted = new ArrayList<>();
        private Clock clock = Clock.systemUTC();
        private final Map<Rule, Long> rules = new EnumMap<>(Rule.class);

        private Builder() {}

        /**
         * Sets the options of sessions; extensions and abbreviations do not count, they are the registry's.
         *
         * @param options the options
         * @return this
         */
        public Builder options(Options options) {
            this.options = options;
            return this;
        }

        /**
         * Sets the store, in place of one in memory.
         *
         * @param store shared; it may be closed when the sessions are
         * @return this
         */
        public Builder store(Store store) {
            this.store = store;
            return this;
        }

        /**
         * Sets the registry, in place of the profiles of the specification. Under a schema a message gets the defaults of its fields; for messages exactly as
         * they were said, set one without profiles.
         *
         * @param registry shared, so it may be closed once the engine is open
         * @return this
         */
        public Builder registry(Registry registry) {
            this.registry = registry;
            return this;
        }

        /**
         * Sets the tokenizer, in place of o200k_base.
         *
         * @param tokenizer shared, so it may be closed once the engine is open
         * @return this
         */
        public Builder tokenizer(Tokenizer tokenizer) {
            this.tokenizer = tokenizer;
            return this;
        }

        /**
         * Sets the extensions in force with the other side, in place of q1.
         *
         * @param extensions none: the bare specification, in which most strings have no spelling (E1004)
         * @return this
         */
        public Builder extensions(Extension... extensions) {
            Objects.requireNonNull(extensions, "extensions");
            this.extensions = extensions.clone();
            return this;
        }

        /**
         * Sets a rule.
         *
         * @param rule which
         * @param value its value
         * @return this
         */
        public Builder rule(Rule rule, long value) {
            Objects.requireNonNull(rule, "rule");
            rules.put(rule, value);
            return this;
        }

        /**
         * Sets where the values of the cold tier are kept, in place of the store.
         *
         * @param cold called from every thread that has a session
         * @return this
         */
        public Builder coldStore(ColdStore cold) {
            hooks.add(Hooks.keeping(Objects.requireNonNull(cold, "cold")));
            return this;
        }

        /**
         * Sets who resolves the references of frames that a session itself has not: those of a peer that sends long values by reference out of a session
         * of its own. What it answers is kept with the frame.
         *
         * @param resolver called from every thread that has a session; it must not use the session
         * @return this
         */
        public Builder resolver(Codec.Resolver resolver) {
            hooks.add(Hooks.resolving(Objects.requireNonNull(resolver, "resolver")));
            return this;
        }

        /**
         * Sets who writes the summaries of checkpoints, in place of the library.
         *
         * @param summariser called from every thread that has a session
         * @return this
         */
        public Builder summariser(Summariser summariser) {
            hooks.add(Hooks.summarising(Objects.requireNonNull(summariser, "summariser")));
            return this;
        }

        /**
         * Sets who is told of every message that comes in or goes out, and of every refusal: the debug mode of specification 9.1. What it throws goes
         * to the thread's handler of uncaught exceptions.
         *
         * @param log called from every thread that has a session; it must not use the session
         * @param redacted keys whose values it does not show
         * @return this
         */
        public Builder log(Codec.Log log, String... redacted) {
            Objects.requireNonNull(redacted, "redacted");
            hooks.add(Hooks.logging(Objects.requireNonNull(log, "log")));
            this.redacted.addAll(Arrays.asList(redacted));
            return this;
        }

        /**
         * Names agents of the host: no session takes a frame under one of these names from outside (E5001). An agent that a session has sent as is the
         * host's own in that session anyway.
         *
         * @param agents their names
         * @return this
         */
        public Builder own(String... agents) {
            own.addAll(List.of(Objects.requireNonNull(agents, "agents")));
            return this;
        }

        /**
         * Names agents whose messages are data and no instruction, however they come: they carry {@code "untrusted":true}.
         *
         * @param agents their names
         * @return this
         */
        public Builder untrusted(String... agents) {
            untrusted.addAll(List.of(Objects.requireNonNull(agents, "agents")));
            return this;
        }

        /**
         * Sets the clock, in place of the system's.
         *
         * @param clock asked in every call that needs the time, when its turn has come; it must not use a session
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /**
         * Makes the engine.
         *
         * @return an engine; to be closed
         * @throws AccpException ERR_ARG for a rule's value that cannot be, or a tokenizer that is not built in
         */
        public Engine open() throws AccpException {
            return new Engine(this);
        }
    }
}
