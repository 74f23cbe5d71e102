// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * What sessions of one kind share: a store, a registry, a tokenizer, rules, a clock. Any number of threads may use one. Sessions keep what they need, so
 * it may be closed while they are open.
 */
public final class Engine implements AccpCodec, AutoCloseable {
    private final Builder made;
    private final Store ownStore;
    private Registry registry;
    private volatile Handle core;

    private Engine(Builder builder) throws AccpException {
        made = builder;
        ownStore = builder.store == null ? Store.open("memory:") : null;
        try {
            registry = builder.registry == null ? Registry.ofAllProfiles() : builder.registry.ask(view -> new Registry(Raw.accp_registry_share(view)));
            core = open(registry);
        } catch (AccpException | RuntimeException e) {
            close();
            throw e;
        }
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

    // The native engine under a registry, with all that was set. What it borrows is kept by its state.
    private Handle open(Registry registry) throws AccpException {
        Handle.State[] parents = made.tokenizer == null ? new Handle.State[0] : new Handle.State[] {made.tokenizer.state};
        long tokenizer = made.tokenizer == null ? 0 : made.tokenizer.state.use();
        long cold = made.cold == null ? 0 : Native.callbackNew(new ColdUpcall(made.cold));
        long native_ = 0;
        try {
            int bits = Extension.bits(made.extensions);
            Store store = made.store == null ? ownStore : made.store;
            native_ = store.handle.ask(kept -> registry.ask(known -> Options.make(made.options, options -> Raw.accp_engine_new(options, kept, known, bits,
                    tokenizer))));
            for (Map.Entry<Rule, Long> rule : made.rules.entrySet()) {
                Raw.accp_engine_set_rule(native_, rule.getKey().number, rule.getValue());
            }
            if (cold != 0) {
                Native.engineSetColdStore(native_, cold);
            }
        } catch (AccpException | RuntimeException e) {
            Raw.accp_engine_free(native_);
            release(cold);
            for (Handle.State parent : parents) {
                parent.unuse();
            }
            throw e;
        }
        return new Handle(new Handle.State(native_, true, engine -> {
            Raw.accp_engine_free(engine);
            release(cold);
        }, parents));
    }

    private static void release(long callback) {
        if (callback != 0) {
            Native.callbackFree(callback);
        }
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
        byte[] text = Texts.in(id);
        Handle.State parent = core.state;
        long engine = parent.use();
        try {
            return new Session(new Handle.State(Raw.accp_session_open(engine, text), false, Raw::accp_session_close, parent), made.clock, id);
        } catch (AccpException e) {
            parent.unuse();
            throw e;
        }
    }

    @Override
    public Frame encode(Message message, Session session) throws AccpException {
        return Frame.parse(session.send(message));
    }

    @Override
    public Message decode(Frame frame, Session session) throws AccpException {
        return session.decode(frame.toBytes());
    }

    @Override
    public Checkpoint checkpoint(Session session) throws AccpException {
        return session.checkpoint();
    }

    @Override
    public TokenBudget getBudget(Session session) throws AccpException {
        return session.budget();
    }

    @Override
    public synchronized void registerSchema(String name, Json schema) throws AccpException {
        StringBuilder document = new StringBuilder("{\"schemas\":{");
        JsonText.quote(name, document);
        document.append(':').append(schema).append("}}");
        Registry more = registry.add(document.toString());
        try {
            Handle old = core;
            core = open(more);
            old.close();
            registry.close();
            registry = more;
        } catch (AccpException | RuntimeException e) {
            more.close();
            throw e;
        }
    }

    /** {@return the registry in force in sessions that are opened now; to be closed} */
    public synchronized Registry registry() {
        return registry.know(view -> new Registry(Raw.accp_registry_share(view)));
    }

    /** Closes the engine; sessions that are open go on. Closing twice is nothing. */
    @Override
    public synchronized void close() {
        if (core != null) {
            core.close();
        }
        if (registry != null) {
            registry.close();
        }
        if (ownStore != null) {
            ownStore.handle.close();  // in memory: there is nothing that could fail
        }
    }

    /** A host's cold store, as the library calls it. */
    private static final class ColdUpcall extends Upcall {
        private final ColdStore store;

        ColdUpcall(ColdStore store) {
            super(IO);
            this.store = store;
        }

        @Override
        byte[] answer(byte[][] texts, long[] numbers) throws Exception {
            String key = Texts.out(texts[0]);
            if (texts.length == 2) {
                store.put(key, texts[1]);
                return null;
            }
            byte[] text = store.get(key);
            if (text == null) {
                numbers[0] = 2001;
            }
            return text;
        }
    }

    /** Gathers what an engine is made of; what is not set has its default. */
    public static final class Builder {
        private Options options;
        private Store store;
        private Registry registry;
        private Tokenizer tokenizer;
        private Extension[] extensions = {Extension.Q1};
        private ColdStore cold;
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
         * Sets the registry, in place of the profiles of the specification.
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
         * @param extensions none: the bare specification
         * @return this
         */
        public Builder extensions(Extension... extensions) {
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
            this.cold = cold;
            return this;
        }

        /**
         * Sets the clock, in place of the system's.
         *
         * @param clock asked in every call that needs the time
         * @return this
         */
        public Builder clock(Clock clock) {
            this.clock = java.util.Objects.requireNonNull(clock);
            return this;
        }

        /**
         * Makes the engine.
         *
         * @return an engine; to be closed
         * @throws AccpException ERR_ARG for a rule's value that cannot be, or a tokenizer that is not built in
         */
        public Engine open() throws AccpException {
            Builder copy = new Builder();
            copy.options = options;
            copy.store = store;
            copy.registry = registry;
            copy.tokenizer = tokenizer;
            copy.extensions = extensions;
            copy.cold = cold;
            copy.clock = clock;
            copy.rules.putAll(rules);
            return new Engine(copy);
        }
    }
}
