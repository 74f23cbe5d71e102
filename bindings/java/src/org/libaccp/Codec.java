// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.Callback;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Messages to frames and back under a registry: schemas, short keys, types, defaults, payloads by position (specification 7.2, 7.3). One thread at a time.
 * A callback runs inside the call that causes it, and must not use the codec: that is an {@link IllegalStateException}.
 */
public final class Codec extends Handle {
    private static final int HOOKS = Callback.LOG + 1;

    private final long value;
    private final long[] hooks;
    private Counter counter;

    /**
     * Makes a codec.
     *
     * @param registry null: none, and then a message is encoded and decoded as by a {@link FrameCodec}
     * @param extensions in force with the other side; {@link Extension#Q1} is the usual one, and implied by any other; none: the bare specification, in
     *     which most strings have no spelling (E1004)
     * @throws AccpException ERR_ARG for p1 without a registry
     */
    public Codec(Registry registry, Extension... extensions) throws AccpException {
        this(null, registry, extensions);
    }

    /**
     * Makes a codec.
     *
     * @param options may be null; its extensions do not count
     * @param registry null: none
     * @param extensions in force with the other side; q1 is implied by any other
     * @throws AccpException ERR_ARG for p1 without a registry
     */
    public Codec(Options options, Registry registry, Extension... extensions) throws AccpException {
        this(Native.valueNew(0), new long[HOOKS], options, registry, extensions);
    }

    private Codec(long value, long[] hooks, Options options, Registry registry, Extension... extensions) throws AccpException {
        super(open(value, hooks, options, registry, extensions));
        this.value = value;
        this.hooks = hooks;
    }

    private static State open(long value, long[] hooks, Options options, Registry registry, Extension... extensions) throws AccpException {
        try {
            int bits = Extension.bits(extensions);
            long made = Options.make(options, handle -> registry == null ? Raw.accp_codec_new(handle, 0, bits)
                    : registry.ask(shared -> Raw.accp_codec_new(handle, shared, bits)));
            return new State(made, false, handle -> {
                Raw.accp_codec_free(handle);
                Native.valueFree(value);
                Arrays.stream(hooks).filter(hook -> hook != 0).forEach(Native::callbackFree);
            });
        } catch (AccpException e) {
            Native.valueFree(value);
            throw e;
        }
    }

    // What may call back, or count: the counter is in use as long.
    private <T> T work(Ask<T> call) throws AccpException {
        Counter counting = counter;
        if (counting == null) {
            return Upcall.guard(() -> ask(call));
        }
        return counting.ask(counter -> Upcall.guard(() -> ask(call)));
    }

    /**
     * Encodes a message. The same message under the same registry and extensions is the same bytes everywhere.
     *
     * @param message JSON
     * @return the frame, or its parts with a newline between two
     * @throws AccpException E1001 no message; E1002 an unknown intent; E1003 an unknown schema; E1004 a value that has no spelling, or is not of its
     *     field's type, or a required field that is missing; E2003 over {@link #setMaxTokens}; what callbacks fail with
     */
    public String encode(String message) throws AccpException {
        return Texts.out(encodeAny(Texts.in(message, "message")));
    }

    /**
     * Encodes a message.
     *
     * @param message JSON, UTF-8
     * @return the frame, or its parts with a newline between two
     * @throws AccpException as {@link #encode(String)}
     */
    public byte[] encode(byte[] message) throws AccpException {
        return encodeAny(Texts.in(message, "message"));
    }

    /**
     * Encodes a message.
     *
     * @param message JSON, UTF-8
     * @return the frame, or its parts with a newline between two
     * @throws AccpException as {@link #encode(String)}
     */
    public byte[] encode(ByteBuffer message) throws AccpException {
        return encodeAny(Texts.in(message, "message"));
    }

    /**
     * Encodes a message.
     *
     * @param message the message
     * @return the frame, or its parts with a newline between two
     * @throws AccpException as {@link #encode(String)}
     */
    public String encode(Message message) throws AccpException {
        Objects.requireNonNull(message, "message");
        return encode(message.toJson());
    }

    private byte[] encodeAny(Object message) throws AccpException {
        return work(handle -> Raw.accp_codec_encode(handle, message));
    }

    /**
     * Decodes a frame to its message, keys in full and defaults filled in.
     *
     * @param frame the frame
     * @return compact JSON; null where the frame is a part of a message, and others are still missing ({@link #setReassembly})
     * @throws AccpException E1001 grammar; E1002 an unknown intent; E1003 an unknown schema; E1004 types, required fields; E2001 a reference that
     *     nobody resolves; E2003 references that bring in too much; what callbacks fail with
     */
    public String decode(String frame) throws AccpException {
        return Texts.out(decodeAny(Texts.in(frame, "frame")));
    }

    /**
     * Decodes a frame to its message.
     *
     * @param frame UTF-8
     * @return as {@link #decode(String)}
     * @throws AccpException as {@link #decode(String)}
     */
    public byte[] decode(byte[] frame) throws AccpException {
        return decodeAny(Texts.in(frame, "frame"));
    }

    /**
     * Decodes a frame to its message.
     *
     * @param frame UTF-8
     * @return as {@link #decode(String)}
     * @throws AccpException as {@link #decode(String)}
     */
    public byte[] decode(ByteBuffer frame) throws AccpException {
        return decodeAny(Texts.in(frame, "frame"));
    }

    private byte[] decodeAny(Object frame) throws AccpException {
        return work(handle -> Raw.accp_codec_decode(handle, frame));
    }

    /**
     * Decodes a frame to its message, ready to be read.
     *
     * @param frame the frame
     * @return its message, without members beside the five; null as {@link #decode(String)}
     * @throws AccpException as {@link #decode(String)}
     */
    public Message decodeMessage(String frame) throws AccpException {
        return decodeMessage(Texts.in(frame, "frame"));
    }

    /**
     * Decodes a frame to its message, ready to be read.
     *
     * @param frame UTF-8
     * @return as {@link #decodeMessage(String)}
     * @throws AccpException as {@link #decode(String)}
     */
    public Message decodeMessage(byte[] frame) throws AccpException {
        byte[] text = Texts.in(frame, "frame");
        byte[] packed = work(handle -> Native.codecDecodeMessage(handle, value, text));
        return packed == null ? null : Message.of(Json.ofPacked(packed));
    }

    /** {@return the codec's registry, to be closed; null where it has none} */
    public Registry registry() {
        return know(handle -> Negotiation.share(Raw.accp_codec_registry(handle)));
    }

    /**
     * Adds schemas to the codec's registry; others that share the old one keep it. Both sides must do it, or negotiate anew (specification 7.1).
     *
     * @param document as {@link Registry#add} takes it
     * @throws AccpException as {@link Registry#add}; E1003 where the schema of {@link #setSchema} would be gone; ERR_ARG without a registry
     */
    public void registerSchema(String document) throws AccpException {
        byte[] text = Texts.in(document, "document");
        tell(handle -> Raw.accp_codec_register_schema(handle, text));
    }

    /**
     * Sets the schema of messages that name none.
     *
     * @param code its code; null: none, the default
     * @throws AccpException E1003 for an unknown code; ERR_ARG without a registry
     */
    public void setSchema(String code) throws AccpException {
        byte[] text = Texts.orEmpty(code);
        tell(handle -> Raw.accp_codec_set_schema(handle, text));
    }

    /**
     * Sets the envelope that encoding writes ahead of a message's own metadata.
     *
     * @param envelope null: none, the default
     * @throws AccpException as {@link FrameCodec#setEnvelope}
     */
    public void setEnvelope(Envelope envelope) throws AccpException {
        byte[][] texts = envelope == null ? null : envelope.texts();
        tell(handle -> Native.codecSetEnvelope(handle, texts, envelope == null ? null : envelope.numbers()));
    }

    /**
     * Sets who counts the tokens of what is encoded. It is in use while this encodes.
     *
     * @param counter null: nobody, the default
     * @throws AccpException never
     */
    public void setCounter(Counter counter) throws AccpException {
        if (counter == null) {
            tell(handle -> Raw.accp_codec_set_counter(handle, 0));
        } else {
            counter.tell(counting -> tell(handle -> Raw.accp_codec_set_counter(handle, counting)));
        }
        this.counter = counter;
    }

    /**
     * Sets how many tokens a frame may have, of those that a counter counts.
     *
     * @param maxTokens 0: any number, the default; the hard limit of specification 3.4 is 240
     * @throws AccpException never
     */
    public void setMaxTokens(long maxTokens) throws AccpException {
        tell(handle -> Raw.accp_codec_set_max_tokens(handle, maxTokens));
    }

    /**
     * Sets how many code points a string may have and stay inline.
     *
     * @param characters default 50
     * @throws AccpException never
     */
    public void setInlineCharacters(long characters) throws AccpException {
        tell(handle -> Raw.accp_codec_set_inline_characters(handle, characters));
    }

    /**
     * Decoding takes messages in parts, in whatever order they come.
     *
     * @param on default false: such a frame is like any other
     * @throws AccpException ERR_ARG without q1
     */
    public void setReassembly(boolean on) throws AccpException {
        tell(handle -> Raw.accp_codec_set_reassembly(handle, on ? 1 : 0));
    }

    /**
     * Drops the parts held of a chain.
     *
     * @param cid its cid; null: of all chains
     * @throws AccpException never
     */
    public void abandon(String cid) throws AccpException {
        byte[] text = Texts.orEmpty(cid);
        tell(handle -> Raw.accp_codec_abandon(handle, text));
    }

    /**
     * Decoding adds to the message a member {@code defaults}, the names of the payload's members that the frame did not have.
     *
     * @param on default false
     * @throws AccpException never
     */
    public void setMarkDefaults(boolean on) throws AccpException {
        tell(handle -> Raw.accp_codec_set_mark_defaults(handle, on ? 1 : 0));
    }

    /**
     * Sets what is refused beyond the rules.
     *
     * @param strictness none: nothing, the default
     * @throws AccpException ERR_ARG without a registry
     */
    public void setStrict(Strictness... strictness) throws AccpException {
        Objects.requireNonNull(strictness, "strictness");
        int bits = Strictness.bits(strictness);
        tell(handle -> Raw.accp_codec_set_strict(handle, bits));
    }

    /**
     * Sets where the frames to be decoded come from. A message from outside has a member {@code "untrusted"}.
     *
     * @param untrusted default false
     * @throws AccpException never
     */
    public void setUntrusted(boolean untrusted) throws AccpException {
        tell(handle -> Raw.accp_codec_set_origin(handle, untrusted ? 1 : 0));
    }

    /**
     * Names a key whose values the log does not show; again for more.
     *
     * @param key in full; null: none again
     * @throws AccpException ERR_ARG beyond 4,096 bytes of names
     */
    public void setRedacted(String key) throws AccpException {
        byte[] text = Texts.orEmpty(key);
        tell(handle -> Raw.accp_codec_set_redacted(handle, text));
    }

    /** {@return how many frames the message became that was encoded last: 1, or its parts; 0 where it was refused} */
    public long parts() {
        return know(Raw::accp_codec_parts);
    }

    /** {@return how many values of it went to the keeper} */
    public long kept() {
        return know(Raw::accp_codec_kept);
    }

    /** {@return what was odd about the message that was encoded or decoded last} */
    public Set<Warning> warnings() {
        return Warning.of(know(Raw::accp_codec_warnings));
    }

    /**
     * What the frame that was encoded last costs in tokens.
     *
     * @return all 0 where nothing is counted
     * @throws AccpException ERR_NOMEM
     */
    public FrameTokens tokens() throws AccpException {
        long[] n = work(Raw::accp_codec_tokens);
        return new FrameTokens(n[0], n[1], n[2], n[3]);
    }

    /**
     * The frame that was encoded last against the limits of specification 3.4.
     *
     * @return header, body, metadata and all of it
     * @throws AccpException ERR_NOMEM
     */
    public FrameBudget budget() throws AccpException {
        long[] n = work(Raw::accp_codec_budget);
        return new FrameBudget(part(n, 0), part(n, 3), part(n, 6), part(n, 9));
    }

    private static PartBudget part(long[] numbers, int at) {
        return new PartBudget(numbers[at], numbers[at + 1], numbers[at + 2]);
    }

    /**
     * Makes the frame that sends a frame again (specification 3.7, 10.3): same header and payload, byte for byte. Only what failed with a code that is
     * {@link AccpException#retryable()} may be sent again.
     *
     * @param frame the frame that was sent
     * @param fresh a mid of its own and a higher seq; a ts where the frame had one
     * @return the frame to send
     * @throws AccpException E1001 for what is no frame, or has neither mid nor cid; ERR_ARG for an envelope that is not fresh
     */
    public String retry(String frame, Envelope fresh) throws AccpException {
        Objects.requireNonNull(fresh, "fresh");
        byte[] text = Texts.in(frame, "frame");
        byte[][] texts = fresh.texts();
        return Texts.out(work(handle -> Native.codecRetry(handle, text, texts, fresh.numbers())));
    }

    /**
     * Writes an error frame (specification 3.6).
     *
     * @param failure what it says
     * @return the frame
     * @throws AccpException ERR_ARG for a codec without a registry, or a code that the specification does not define; else as {@link #encode(String)}
     */
    public String encodeFailure(Failure failure) throws AccpException {
        Objects.requireNonNull(failure, "failure");
        byte[][] texts = Texts.all(failure.agent(), failure.message(), failure.detail(), failure.source(), failure.cid());
        return Texts.out(work(handle -> Native.failureEncode(handle, failure.code(), texts)));
    }

    /**
     * Reads a frame that may be an error frame (specification 3.6).
     *
     * @param frame the frame
     * @return what it says; null where it is no error frame
     * @throws AccpException ERR_ARG for a codec without a registry; else as {@link #decode(String)}
     */
    public Failure decodeFailure(String frame) throws AccpException {
        byte[] text = Texts.in(frame, "frame");
        long[] numbers = new long[2];
        byte[][] texts = work(handle -> Native.failureDecode(handle, text, numbers));
        return numbers[0] == 0 ? null : new Failure((int) numbers[0], numbers[1] != 0, Texts.orNull(texts[0]), Texts.orNull(texts[1]),
                Texts.orNull(texts[2]), Texts.orNull(texts[3]), Texts.orNull(texts[4]));
    }

    /**
     * Writes the frame of a chunk of a stream, under the schema ST (specification 10.4).
     *
     * @param agent who says it
     * @param operation what it is about
     * @param chunk the chunk
     * @return the frame
     * @throws AccpException E1004 without a cid; E1003 where the registry has no ST; else as {@link #encode(String)}
     */
    public String encodeChunk(String agent, String operation, Chunk chunk) throws AccpException {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(chunk, "chunk");
        byte[][] texts = Texts.all(agent, operation, chunk.cid(), chunk.data());
        return Texts.out(work(handle -> Native.chunkEncode(handle, texts, chunk.index(), chunk.total(), chunk.isFinal())));
    }

    /**
     * Sets who resolves the references of what is decoded (specification 5.1, 9.5).
     *
     * @param resolver null: nobody, the default
     * @throws AccpException ERR_NOMEM
     */
    public void setResolver(Resolver resolver) throws AccpException {
        hook(Callback.RESOLVE, resolver == null ? null : Hooks.resolving(resolver));
    }

    /**
     * Sets who keeps values of what is encoded, where the peer can resolve references (specification 3.3, 7.2).
     *
     * @param keeper null: nobody, the default
     * @throws AccpException ERR_NOMEM
     */
    public void setKeeper(Keeper keeper) throws AccpException {
        hook(Callback.KEEP, keeper == null ? null : Hooks.keeping(keeper));
    }

    /**
     * Lets a message go in parts where its frame is over {@link #setMaxTokens}, as the peer takes such.
     *
     * @param next gives the parts after the first their envelopes; null: no parts, the default
     * @throws AccpException ERR_ARG without q1
     */
    public void setSplitting(NextEnvelope next) throws AccpException {
        hook(Callback.ENVELOPE, next == null ? null : Hooks.splitting(next));
    }

    /**
     * Sets the host's tool lookup, asked of what is encoded and of what is decoded.
     *
     * @param tools null: nobody, the default
     * @throws AccpException ERR_ARG without a registry
     */
    public void setTools(Tools tools) throws AccpException {
        hook(Callback.TOOL, tools == null ? null : Hooks.lookingUp(tools));
    }

    /**
     * Sets the host's policy. Refusing a message changes nothing.
     *
     * @param policy null: nobody, the default
     * @throws AccpException ERR_ARG without a registry
     */
    public void setPolicy(Policy policy) throws AccpException {
        hook(Callback.POLICY, policy == null ? null : Hooks.asking(policy));
    }

    /**
     * Sets who is told of every message and every refusal: the debug mode of specification 9.1. What it throws goes to the thread's handler of uncaught
     * exceptions: the message has been taken by then.
     *
     * @param log null: nobody, the default
     * @throws AccpException ERR_NOMEM
     */
    public void setLog(Log log) throws AccpException {
        hook(Callback.LOG, log == null ? null : Hooks.logging(log));
    }

    private void hook(int kind, Upcall upcall) throws AccpException {
        tell(handle -> {
            long target = upcall == null ? 0 : Native.callbackNew(upcall);
            long unused = target;
            try {
                Native.codecSetHook(handle, kind, target);
                unused = hooks[kind];
                hooks[kind] = target;
            } finally {
                if (unused != 0) {
                    Native.callbackFree(unused);
                }
            }
        });
    }

    /** Resolves references. */
    @FunctionalInterface
    public interface Resolver {
        /**
         * What a reference stands for.
         *
         * @param ref such as {@code "warm.key"}, without {@code $}; a bare {@code $key} is asked for as hot.key and then as warm.key
         * @return a JSON value, in which <code>{"$ref":"warm.other"}</code> is a reference in its turn; null where there is none (E2001)
         * @throws Exception the decoding fails with the code of an {@link AccpException} ({@code RefExpired}, {@code UnauthorizedRef}), else ERR_IO
         */
        byte[] resolve(String ref) throws Exception;
    }

    /** Keeps values that leave by reference. */
    @FunctionalInterface
    public interface Keeper {
        /**
         * Keeps a value. The same value should get the same reference.
         *
         * @param json the value
         * @return such as {@code "warm.key"}, by which the peer can resolve it; null where it cannot be kept: it then stays inline
         * @throws Exception the encoding fails with ERR_IO
         */
        String keep(byte[] json) throws Exception;
    }

    /** Gives the parts of a message their envelopes. */
    @FunctionalInterface
    public interface NextEnvelope {
        /**
         * The envelope of the next part.
         *
         * @param first that of the first part
         * @return the same with a mid and a seq of its own
         * @throws Exception the encoding fails with its code, else ERR_IO
         */
        Envelope next(Envelope first) throws Exception;
    }

    /** Looks tools up. */
    @FunctionalInterface
    public interface Tools {
        /**
         * Is there such a tool, and does it take these arguments?
         *
         * @param name the tool
         * @param arguments null: none
         * @throws Exception where not: {@link AccpException.ToolNotFound}, {@link AccpException.ToolSchemaMismatch}; any other becomes E9999
         */
        void check(String name, Json arguments) throws Exception;
    }

    /** Allows messages. */
    @FunctionalInterface
    public interface Policy {
        /**
         * May this message pass?
         *
         * @param asked the message
         * @throws Exception where not: {@link AccpException.PolicyDenied}; any other becomes E9999
         */
        void check(PolicyCase asked) throws Exception;
    }

    /** Takes the lines of a debug log. */
    @FunctionalInterface
    public interface Log {
        /**
         * One line.
         *
         * @param received whether the message is decoded; else it is encoded
         * @param status 0 and the message; or the code of a refusal
         * @param line render text, or why
         */
        void line(boolean received, int status, String line);
    }

    /**
     * What a policy is asked about.
     *
     * @param received whether it is decoded; else it is encoded
     * @param untrusted whether it came from outside
     * @param agent who says it
     * @param intent the intent's code
     * @param operation what it is about
     * @param schema the code of its schema; null: none
     * @param message JSON
     */
    public record PolicyCase(boolean received, boolean untrusted, String agent, String intent, String operation, String schema, String message) {}

    /**
     * What one frame costs in tokens: its parts, each counted by itself, and the whole as one text.
     *
     * @param header {@code @agent>intent:operation}
     * @param body the payload with its brackets
     * @param metadata the metadata with its brackets
     * @param total all of it
     */
    public record FrameTokens(long header, long body, long metadata, long total) {}

    /**
     * One part of a frame against its limits.
     *
     * @param tokens what it has
     * @param soft more is worth a warning
     * @param hard more a session does not send
     */
    public record PartBudget(long tokens, long soft, long hard) {}

    /**
     * A frame against its limits (specification 3.4).
     *
     * @param header {@code @agent>intent:operation}
     * @param body the payload
     * @param metadata the metadata
     * @param total all of it
     */
    public record FrameBudget(PartBudget header, PartBudget body, PartBudget metadata, PartBudget total) {}
}
