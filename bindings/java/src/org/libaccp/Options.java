// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.Objects;
import java.util.function.Function;
import org.libaccp.internal.Callback;
import org.libaccp.internal.Raw;

/**
 * The configuration of handles. One object serves any number of handles of any kind: each reads the
 * settings that it supports when it is made, and the options may be changed afterwards.
 * {@code null} instead of options means all defaults. One thread sets them up. The constructor of a
 * handle refuses invalid or conflicting settings.
 *
 * <ul>
 * <li>{@link FrameCodec}, {@link Batch}, {@link Renderer}: limits, dialect, extensions, the rules
 * abbreviate and keep_refs, ignored members.
 * <li>{@link Codec}: the same; registry, agreement, tokenizer, schema, strictness, every callback
 * but summariser, cold store and extractor, redacted keys, and the rules max_tokens, parts,
 * mark_defaults, inline_characters.
 * <li>{@link Engine}: limits, dialect, extensions, registry, agreement, store, tokenizer, clock,
 * strictness, every callback but keeper, envelopes and extractor, redacted keys, agents, the rules
 * of sessions.
 * <li>{@link Negotiation}: limits, registry, tokenizer, extensions, and the rules merges, parts,
 * by_sender, shares_store, chunk_bytes.
 * <li>{@link ContextPacket}: limits, tokenizer, clock, extractor.
 * <li>{@link Counter}: the rules token_cache and special_tokens. {@link StreamReceiver}: the limits
 * of streams, the rule keep_streams. Others: limits.
 * </ul>
 */
public final class Options {
    final Config config = new Config();

    /** Makes options with all defaults. */
    public Options() {}

    /**
     * Sets a limit.
     *
     * @param limit the limit
     * @param value its value
     * @return this
     */
    public Options limit(Limit limit, long value) {
        Objects.requireNonNull(limit, "limit");
        return with(config -> Raw.accp_config_set_limit(config, limit.number, value));
    }

    /**
     * Sets a rule.
     *
     * @param rule the rule
     * @param value its value; 0 or 1 for a boolean rule
     * @return this
     */
    public Options rule(Rule rule, long value) {
        Objects.requireNonNull(rule, "rule");
        config.rules.put(rule, value);
        return this;
    }

    /**
     * Sets the dialect for reading frames.
     *
     * @param dialect default {@link Dialect#STRICT}
     * @return this
     */
    public Options dialect(Dialect dialect) {
        Objects.requireNonNull(dialect, "dialect");
        return rule(Rule.DIALECT, dialect.number);
    }

    /**
     * Sets the extensions in force with the other side; the default is q1 alone. Implied ones are
     * added.
     *
     * @param extensions none: the bare specification, in which most strings cannot be written
     *     (E1004)
     * @return this
     */
    public Options extensions(Extension... extensions) {
        return rule(Rule.EXTENSIONS, Extension.bits(extensions));
    }

    /**
     * Sets what codecs and sessions refuse in addition to their rules; a codec needs a registry.
     *
     * @param strictness none: nothing, the default
     * @return this
     */
    public Options strictness(Strictness... strictness) {
        return rule(Rule.STRICTNESS, Strictness.bits(strictness));
    }

    /**
     * Sets the registry. With a schema a message gets the defaults of its fields; for unchanged
     * messages set one without profiles.
     *
     * @param registry shared, so it may be closed after the handle is made; null, the default: none
     *     for a codec, the profiles of the specification for an engine
     * @return this
     */
    public Options registry(Registry registry) {
        return shared(registry, Raw::accp_config_set_registry);
    }

    /**
     * Applies a negotiated agreement to codecs, engines and batches: registry, extensions, and
     * features as rules. It overrides the other options for these. If the sides are bare, the
     * registry has no schemas.
     *
     * @param agreement {@link Negotiation.Progress#AGREED} or {@link Negotiation.Progress#BARE},
     *     else the constructor throws ERR_ARG; shared, so it may be closed after the handle is
     *     made; null: none, the default
     * @return this
     */
    public Options agreement(Negotiation.Agreement agreement) {
        config.agreement = agreement;
        return this;
    }

    /**
     * Sets the store of an engine's sessions.
     *
     * @param store shared; close it after the sessions; null, the default: the engine's own store
     *     in memory
     * @return this
     */
    public Options store(Store store) {
        return shared(store == null ? null : store.handle, Raw::accp_config_set_store);
    }

    /**
     * Sets the tokenizer.
     *
     * @param tokenizer shared, so it may be closed after the handle is made; null, the default:
     *     o200k_base for an engine, and for a codec with the rule max_tokens; any other codec
     *     counts nothing, and a negotiation names none
     * @return this
     */
    public Options tokenizer(Tokenizer tokenizer) {
        config.tokenizer = tokenizer;
        return this;
    }

    /**
     * Sets the schema of a codec for messages that name none.
     *
     * @param code its code; null, the default: the one that is bound to intent and operation, if
     *     any
     * @return this
     */
    public Options schema(String code) {
        return with(config -> Raw.accp_config_set_schema(config, Texts.orEmpty(code)));
    }

    /**
     * Sets the clock of an engine's sessions, or of a packet.
     *
     * @param clock read by each call that needs the time, when its turn has come; it must not use
     *     the session or packet. Default: the system's
     * @return this
     */
    public Options clock(Clock clock) {
        config.clock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Names members of messages that encoding ignores instead of refusing; may be repeated.
     *
     * @param names the members
     * @return this
     */
    public Options ignored(String... names) {
        return each(names, "names", Raw::accp_config_add_ignored);
    }

    /**
     * Names keys whose values the log hides at any depth; may be repeated.
     *
     * @param keys in full
     * @return this
     */
    public Options redacted(String... keys) {
        return each(keys, "keys", Raw::accp_config_add_redacted);
    }

    /**
     * Names agents of the host: no session accepts a frame with one of these names from outside
     * (E5001). An agent under whose name a session has sent is the host's own in that session
     * anyway. May be repeated.
     *
     * @param agents their names
     * @return this
     */
    public Options ownAgents(String... agents) {
        return each(agents, "agents", Raw::accp_config_add_own_agent);
    }

    /**
     * Names agents whose messages are data and not instructions in sessions, from any peer: they
     * carry {@code "untrusted":true}. May be repeated.
     *
     * @param agents their names
     * @return this
     */
    public Options untrustedAgents(String... agents) {
        return each(agents, "agents", (config, agent) -> Raw.accp_config_set_agent_origin(config, agent, 1));
    }

    /**
     * Sets the resolver for references in incoming frames (specification 5.1, 9.5). In a session
     * they belong to the sender: all are passed to the resolver, and its results are kept with the
     * frame. Without a resolver both sides use one session.
     *
     * @param resolver null: none, the default
     * @return this
     */
    public Options resolver(Codec.Resolver resolver) {
        return hook(Callback.RESOLVE, resolver, Hooks::resolving);
    }

    /**
     * Sets the keeper of values that a codec encodes by reference, if the peer can resolve them
     * (specification 3.3, 7.2).
     *
     * @param keeper null: none, the default
     * @return this
     */
    public Options keeper(Codec.Keeper keeper) {
        return hook(Callback.KEEP, keeper, Hooks::keeping);
    }

    /**
     * Allows a codec with {@link Rule#PARTS} to send a message in parts if its frame is over
     * {@link Rule#MAX_TOKENS}. A session makes envelopes itself.
     *
     * @param next makes the envelopes of the parts after the first; null: no parts, the default
     * @return this
     */
    public Options nextEnvelope(Codec.NextEnvelope next) {
        return hook(Callback.ENVELOPE, next, Hooks::splitting);
    }

    /**
     * Sets the tool lookup for requests under the schema TC. A codec, which needs a registry,
     * checks what it encodes and decodes; a session checks incoming and outgoing messages, but not
     * when it reads its log again.
     *
     * @param tools null: none, the default
     * @return this
     */
    public Options tools(Codec.Tools tools) {
        return hook(Callback.TOOL, tools, Hooks::lookingUp);
    }

    /**
     * Sets the policy, which is called for every message as {@link #tools} is. A refused message
     * changes nothing and is not answered; in a session its seq and mid are used up.
     *
     * @param policy null: none, the default
     * @return this
     */
    public Options policy(Codec.Policy policy) {
        return hook(Callback.POLICY, policy, Hooks::asking);
    }

    /**
     * Sets the log, which receives every message and every refusal: the debug mode of specification
     * 9.1. Its exceptions go to the thread's handler of uncaught exceptions, because the message
     * has been accepted by then.
     *
     * @param log null: none, the default
     * @return this
     */
    public Options log(Codec.Log log) {
        return hook(Callback.LOG, log, Hooks::logging);
    }

    /**
     * Sets the writer of summaries for a session's checkpoints.
     *
     * @param summariser null: the library, the default
     * @return this
     */
    public Options summariser(Engine.Summariser summariser) {
        return hook(Callback.SUMMARY, summariser, Hooks::summarising);
    }

    /**
     * Sets the receiver of events in the sessions of an engine, which runs on the thread of the
     * call and after it. It must not use that session. Its exceptions go to the thread's handler of
     * uncaught exceptions.
     *
     * @param events null: none, the default
     * @return this
     */
    public Options events(Engine.Events events) {
        return hook(Callback.EVENT, events, Hooks::telling);
    }

    /**
     * Sets a model that finds more items in a conversation for {@link ContextPacket#generate}.
     *
     * @param extractor null: none, the default
     * @return this
     */
    public Options extractor(ContextPacket.Extractor extractor) {
        return hook(Callback.EXTRACT, extractor, Hooks::extracting);
    }

    /**
     * Sets the store for the cold tier of sessions.
     *
     * @param cold null: in the store, the default
     * @return this
     */
    public Options coldStore(ColdStore cold) {
        hook(Callback.COLD_PUT, cold, Hooks::keeping);
        config.hooks[Callback.COLD_GET] = config.hooks[Callback.COLD_PUT];
        return this;
    }

    private Options with(Handle.Tell setting) {
        config.settings.add(setting);
        return this;
    }

    private interface Setter<T> {
        void on(long config, T value) throws AccpException;
    }

    private Options shared(Handle handle, Setter<Long> set) {
        return with(handle == null ? config -> set.on(config, 0L) : config -> handle.tell(shared -> set.on(config, shared)));
    }

    private Options each(String[] names, String parameter, Setter<byte[]> add) {
        for (String name : Objects.requireNonNull(names, parameter)) {
            Objects.requireNonNull(name, parameter);
            with(config -> add.on(config, Texts.in(name, parameter)));
        }
        return this;
    }

    private <H> Options hook(int kind, H host, Function<H, Upcall> made) {
        config.hooks[kind] = host == null ? null : made.apply(host);
        return this;
    }
}
