// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.util.Objects;
import java.util.function.Function;
import org.libaccp.internal.Callback;
import org.libaccp.internal.Raw;

/**
 * How handles behave that are made with them. One object serves any number of handles of any kind: each reads what concerns it and keeps that, and the
 * options may be changed afterwards. {@code null} in their place means every default. Set up by one thread. What cannot be (a rule's value, a limit, what does
 * not go together) is refused by whatever is made with them.
 *
 * <ul>
 * <li>{@link FrameCodec}, {@link Batch}, {@link Renderer}: limits, dialect, extensions, the rules abbreviate and keep_refs, ignored members.
 * <li>{@link Codec}: the same; registry, agreement, tokenizer, schema, strictness, every callback but summariser, cold store and extractor, redacted keys, and the rules
 * max_tokens, parts, mark_defaults, inline_characters.
 * <li>{@link Engine}: limits, dialect, extensions, registry, agreement, store, tokenizer, clock, strictness, every callback but keeper, envelopes and extractor, redacted keys,
 * agents, the rules of sessions.
 * <li>{@link Negotiation}: limits, registry, tokenizer, extensions, and the rules merges, parts, by_sender, shares_store, chunk_bytes.
 * <li>{@link ContextPacket}: limits, tokenizer, clock, extractor.
 * <li>{@link Counter}: the rules token_cache and special_tokens. {@link StreamReceiver}: the limits of streams, the rule keep_streams. Others: limits.
 * </ul>
 */
public final class Options {
    final Config config = new Config();

    /** Makes options with every default. */
    public Options() {}

    /**
     * Sets a limit.
     *
     * @param limit which
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
     * @param rule which
     * @param value its value; of one that answers a question 0 or 1
     * @return this
     */
    public Options rule(Rule rule, long value) {
        Objects.requireNonNull(rule, "rule");
        config.rules.put(rule, value);
        return this;
    }

    /**
     * Sets the dialect that frames are read in.
     *
     * @param dialect default {@link Dialect#STRICT}
     * @return this
     */
    public Options dialect(Dialect dialect) {
        Objects.requireNonNull(dialect, "dialect");
        return rule(Rule.DIALECT, dialect.number);
    }

    /**
     * Sets the extensions in force with the other side, in place of q1 alone; implied ones are added.
     *
     * @param extensions none: the bare specification, in which most strings have no spelling (E1004)
     * @return this
     */
    public Options extensions(Extension... extensions) {
        return rule(Rule.EXTENSIONS, Extension.bits(extensions));
    }

    /**
     * Sets what codecs and sessions refuse beyond their rules; a codec needs a registry.
     *
     * @param strictness none: nothing, the default
     * @return this
     */
    public Options strictness(Strictness... strictness) {
        return rule(Rule.STRICTNESS, Strictness.bits(strictness));
    }

    /**
     * Sets the registry. Under a schema a message gets the defaults of its fields; for messages exactly as they were said, set one without profiles.
     *
     * @param registry shared, so it may be closed when a handle is made; null, the default: a codec has none, an engine the profiles of the specification
     * @return this
     */
    public Options registry(Registry registry) {
        return shared(registry, Raw::accp_config_set_registry);
    }

    /**
     * Puts in force what was negotiated, for codecs, engines and batches: the registry, the extensions, and the features as rules, in place of what else these
     * options say of them. Where the two sides are bare it is a registry without schemas.
     *
     * @param agreement {@link Negotiation.Progress#AGREED} or {@link Negotiation.Progress#BARE}, else whatever is made is ERR_ARG; shared, so it may be closed
     *     when a handle is made; null: none, the default
     * @return this
     */
    public Options agreement(Negotiation.Agreement agreement) {
        config.agreement = agreement;
        return this;
    }

    /**
     * Sets the store of an engine's sessions.
     *
     * @param store shared; to be closed when the sessions are; null, the default: one in memory, the engine's own
     * @return this
     */
    public Options store(Store store) {
        return shared(store == null ? null : store.handle, Raw::accp_config_set_store);
    }

    /**
     * Sets the tokenizer.
     *
     * @param tokenizer shared, so it may be closed when a handle is made; null, the default: o200k_base for an engine, and for a codec with the rule
     *     max_tokens; any other codec then counts nothing, and a negotiation names none
     * @return this
     */
    public Options tokenizer(Tokenizer tokenizer) {
        config.tokenizer = tokenizer;
        return this;
    }

    /**
     * Sets the schema of messages that a codec is given and that name none.
     *
     * @param code its code; null, the default: the one that is bound to intent and operation, if there is one
     * @return this
     */
    public Options schema(String code) {
        return with(config -> Raw.accp_config_set_schema(config, Texts.orEmpty(code)));
    }

    /**
     * Sets the clock of an engine's sessions, or of a packet.
     *
     * @param clock asked in every call that needs the time, when its turn has come; it must use neither. Default: the system's
     * @return this
     */
    public Options clock(Clock clock) {
        config.clock = Objects.requireNonNull(clock, "clock");
        return this;
    }

    /**
     * Names members of a message to pass over when encoding, where they would be refused; again for more.
     *
     * @param names the members
     * @return this
     */
    public Options ignored(String... names) {
        return each(names, "names", Raw::accp_config_add_ignored);
    }

    /**
     * Names keys whose values the log does not show, wherever they stand in a message; again for more.
     *
     * @param keys in full
     * @return this
     */
    public Options redacted(String... keys) {
        return each(keys, "keys", Raw::accp_config_add_redacted);
    }

    /**
     * Names agents of the host: no session takes a frame under one of these names from outside (E5001). An agent that a session has sent as is the host's own
     * in that session anyway. Again for more.
     *
     * @param agents their names
     * @return this
     */
    public Options ownAgents(String... agents) {
        return each(agents, "agents", Raw::accp_config_add_own_agent);
    }

    /**
     * Names agents whose messages are data and no instruction in sessions, however they come: they carry {@code "untrusted":true}. Again for more.
     *
     * @param agents their names
     * @return this
     */
    public Options untrustedAgents(String... agents) {
        return each(agents, "agents", (config, agent) -> Raw.accp_config_set_agent_origin(config, agent, 1));
    }

    /**
     * Sets who resolves the references of frames that come in (specification 5.1, 9.5). In a session they are its sender's: all are asked of it, and what it
     * answers is kept with the frame; without it both sides are of one session.
     *
     * @param resolver null: nobody, the default
     * @return this
     */
    public Options resolver(Codec.Resolver resolver) {
        return hook(Callback.RESOLVE, resolver, Hooks::resolving);
    }

    /**
     * Sets who keeps values of what a codec encodes, where the peer can resolve references (specification 3.3, 7.2).
     *
     * @param keeper null: nobody, the default
     * @return this
     */
    public Options keeper(Codec.Keeper keeper) {
        return hook(Callback.KEEP, keeper, Hooks::keeping);
    }

    /**
     * Lets a codec's message go in parts where its frame is over {@link Rule#MAX_TOKENS}; with {@link Rule#PARTS}. A session makes envelopes itself.
     *
     * @param next gives the parts after the first their envelopes; null: no parts, the default
     * @return this
     */
    public Options nextEnvelope(Codec.NextEnvelope next) {
        return hook(Callback.ENVELOPE, next, Hooks::splitting);
    }

    /**
     * Sets the tool lookup, asked of requests under the schema TC. A codec, which needs a registry, asks of what it encodes and decodes; a session of what comes
     * in and of what it sends, and not when it reads its log again.
     *
     * @param tools null: nobody, the default
     * @return this
     */
    public Options tools(Codec.Tools tools) {
        return hook(Callback.TOOL, tools, Hooks::lookingUp);
    }

    /**
     * Sets the policy, asked of every message when {@link #tools} is. A message that it refuses changes nothing, and is not answered; in a session its seq and mid
     * are used up.
     *
     * @param policy null: nobody, the default
     * @return this
     */
    public Options policy(Codec.Policy policy) {
        return hook(Callback.POLICY, policy, Hooks::asking);
    }

    /**
     * Sets who is told of every message and every refusal: the debug mode of specification 9.1. What it throws goes to the thread's handler of uncaught
     * exceptions: the message has been taken by then.
     *
     * @param log null: nobody, the default
     * @return this
     */
    public Options log(Codec.Log log) {
        return hook(Callback.LOG, log, Hooks::logging);
    }

    /**
     * Sets who writes the summaries of a session's checkpoints.
     *
     * @param summariser null: the library, the default
     * @return this
     */
    public Options summariser(Engine.Summariser summariser) {
        return hook(Callback.SUMMARY, summariser, Hooks::summarising);
    }

    /**
     * Sets who is told of what happens in the sessions of an engine, on the thread of the call and after it. It must not use that session. What it throws goes to the
     * thread's handler of uncaught exceptions.
     *
     * @param events null: nobody, the default
     * @return this
     */
    public Options events(Engine.Events events) {
        return hook(Callback.EVENT, events, Hooks::telling);
    }

    /**
     * Sets what finds items of a conversation for {@link ContextPacket#generate}, beside the rules: a model.
     *
     * @param extractor null: nothing, the default
     * @return this
     */
    public Options extractor(ContextPacket.Extractor extractor) {
        return hook(Callback.EXTRACT, extractor, Hooks::extracting);
    }

    /**
     * Sets where the values of the cold tier of sessions are kept.
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
