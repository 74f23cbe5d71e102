// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Converts messages to frames and back (specification 7.2, 7.3); with a registry it uses schemas,
 * short keys, types, defaults, payloads by position. One thread at a time. A callback runs inside
 * the call that causes it and must not use the codec ({@link IllegalStateException}).
 */
public final class Codec extends Handle {
    private final long value;

    /**
     * Makes a codec without a registry and with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Codec() throws AccpException {
        this(null);
    }

    /**
     * Makes a codec. Without a registry it uses only the grammar.
     *
     * @param options may be null
     * @throws AccpException E1003 if the registry lacks the options' schema; ERR_ARG for p1, a
     *     schema, strictness, tools or a policy without a registry, for parts without q1, and for
     *     invalid options
     */
    public Codec(Options options) throws AccpException {
        this(new long[1], options);
    }

    private Codec(long[] value, Options options) throws AccpException {
        super(open(value, options));
        this.value = value[0];
    }

    // Opens a codec and a value for reading messages.
    private static State open(long[] value, Options options) throws AccpException {
        try {
            return Config.open(options, Pressure.HANDLE, false, config -> {
                value[0] = Native.valueNew(config);
                return Raw.accp_codec_new(config);
            }, codec -> {
                Raw.accp_codec_free(codec);
                Native.valueFree(value[0]);
            });
        } catch (AccpException | RuntimeException e) {
            Native.valueFree(value[0]);
            throw e;
        }
    }

    private <T> T work(Ask<T> call) throws AccpException {
        return Upcall.guard(() -> ask(call));
    }

    /**
     * Encodes a message. Equal messages, registries and extensions give equal bytes.
     *
     * @param message JSON
     * @return the frame, or its parts separated by newlines
     * @throws AccpException E1001 not a message; E1002 an unknown intent; E1003 an unknown schema;
     *     E1004 a value that cannot be written or has the wrong type, or a missing required field;
     *     E2003 over {@link Rule#MAX_TOKENS}; the errors of callbacks
     */
    public String encode(String message) throws AccpException {
        return Texts.out(encodeAny(Texts.in(message, "message")));
    }

    /**
     * Encodes a message.
     *
     * @param message JSON, UTF-8
     * @return the frame, or its parts separated by newlines
     * @throws AccpException as {@link #encode(String)}
     */
    public byte[] encode(byte[] message) throws AccpException {
        return encodeAny(Texts.in(message, "message"));
    }

    /**
     * Encodes a message.
     *
     * @param message JSON, UTF-8
     * @return the frame, or its parts separated by newlines
     * @throws AccpException as {@link #encode(String)}
     */
    public byte[] encode(ByteBuffer message) throws AccpException {
        return encodeAny(Texts.in(message, "message"));
    }

    /**
     * Encodes a message.
     *
     * @param message the message
     * @return the frame, or its parts separated by newlines
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
     * Encodes a reply as {@link #encode(String)} does, with the cid and operation of the request
     * and its mid as aid (specification 3.5). Fields that the reply sets are kept.
     *
     * @param request the message to reply to in JSON, as {@link #decode(String)} returned it
     * @param answer JSON; the operation may be missing
     * @return the frame, or its parts separated by newlines
     * @throws AccpException E1001 at offset 0 if the request is not a message or has neither cid
     *     nor mid; else as {@link #encode(String)}
     */
    public String reply(String request, String answer) throws AccpException {
        return Texts.out(replyAny(Texts.in(request, "request"), Texts.in(answer, "answer")));
    }

    /**
     * Encodes a reply.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame, or its parts separated by newlines
     * @throws AccpException as {@link #reply(String, String)}
     */
    public byte[] reply(byte[] request, byte[] answer) throws AccpException {
        return replyAny(Texts.in(request, "request"), Texts.in(answer, "answer"));
    }

    /**
     * Encodes a reply.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame, or its parts separated by newlines
     * @throws AccpException as {@link #reply(String, String)}
     */
    public byte[] reply(ByteBuffer request, ByteBuffer answer) throws AccpException {
        return replyAny(Texts.in(request, "request"), Texts.in(answer, "answer"));
    }

    /**
     * Encodes a reply.
     *
     * @param request the message to reply to
     * @param answer the reply with its own operation
     * @return the frame, or its parts separated by newlines
     * @throws AccpException as {@link #reply(String, String)}
     */
    public String reply(Message request, Message answer) throws AccpException {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(answer, "answer");
        return reply(request.toJson(), answer.toJson());
    }

    private byte[] replyAny(Object request, Object answer) throws AccpException {
        return work(handle -> Raw.accp_codec_reply(handle, request, answer));
    }

    /**
     * Decodes a frame to its message, with full keys and defaults.
     *
     * @param frame the frame
     * @return compact JSON; null if the frame is a part of a message whose other parts are missing
     *     ({@link Rule#PARTS})
     * @throws AccpException E1001 grammar; E1002 an unknown intent; E1003 an unknown schema; E1004
     *     types, required fields; E2001 an unresolved reference; E2003 references that insert too
     *     much; the errors of callbacks
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
     * Decodes a frame to a parsed message.
     *
     * @param frame the frame
     * @return its message with only the five members; null as for {@link #decode(String)}
     * @throws AccpException as {@link #decode(String)}
     */
    public Message decodeMessage(String frame) throws AccpException {
        return decodeMessage(Texts.in(frame, "frame"));
    }

    /**
     * Decodes a frame to a parsed message.
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

    /** {@return the codec's registry, to be closed; null if it has none} */
    public Registry registry() {
        return know(handle -> Registry.of(Raw.accp_registry_share(Raw.accp_codec_registry(handle))));
    }

    /**
     * Adds schemas to the codec's registry; other users of the old one keep it. Both sides must do
     * it, or negotiate again (specification 7.1).
     *
     * @param document as for {@link Registry#add}
     * @throws AccpException as {@link Registry#add}; E1003 if the schema of {@link Options#schema}
     *     would disappear; ERR_ARG without a registry
     */
    public void registerSchema(String document) throws AccpException {
        registerSchema(Texts.in(document, "document"));
    }

    /**
     * Adds a document of schemas to the codec's registry.
     *
     * @param document as {@link #registerSchema(String)}, UTF-8
     * @throws AccpException as {@link #registerSchema(String)}
     */
    public void registerSchema(byte[] document) throws AccpException {
        byte[] text = Texts.in(document, "document");
        tell(handle -> Raw.accp_codec_register_schema(handle, text));
    }

    /**
     * Sets the envelope that encoding writes before a message's own metadata, until it is set
     * again. Every frame needs its own mid and seq.
     *
     * @param envelope null: none, the default
     * @throws AccpException E1004 for text that is empty, too long, or not safe in a frame; ERR_ARG
     *     for a negative number
     */
    public void setEnvelope(Envelope envelope) throws AccpException {
        byte[][] texts = envelope == null ? null : envelope.texts();
        tell(handle -> Native.codecSetEnvelope(handle, texts, envelope == null ? null : envelope.numbers()));
    }

    /**
     * Drops the held parts of a chain.
     *
     * @param cid its cid; null: of all chains
     * @throws AccpException never
     */
    public void removeParts(String cid) throws AccpException {
        byte[] text = Texts.orEmpty(cid);
        tell(handle -> Raw.accp_codec_remove_parts(handle, text));
    }

    /**
     * Sets whether the frames to be decoded come from outside. Their messages have a member
     * {@code "untrusted"}.
     *
     * @param untrusted default false
     * @throws AccpException never
     */
    public void setUntrusted(boolean untrusted) throws AccpException {
        tell(handle -> Raw.accp_codec_set_origin(handle, untrusted ? 1 : 0));
    }

    /**
     * Describes the last encoded or decoded message.
     *
     * @return its parts, kept values and warnings
     * @throws AccpException never
     */
    public Outcome outcome() throws AccpException {
        return Outcome.of(ask(Raw::accp_codec_outcome));
    }

    /**
     * Compares the tokens of the last encoded frame with the limits of specification 3.4.
     *
     * @return header, body, metadata and total; no tokens if the codec does not count
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
     * Makes a frame that repeats a frame (specification 3.7, 10.3) with the same header and
     * payload, byte for byte. Only frames that failed with a {@link AccpException#retryable()} code
     * may be repeated.
     *
     * @param frame the original frame
     * @param fresh a new mid and a higher seq; a ts if the frame had one
     * @return the frame to send
     * @throws AccpException E1001 for text that is not a frame or has neither mid nor cid; ERR_ARG
     *     for an envelope that is not fresh
     */
    public String retry(String frame, Envelope fresh) throws AccpException {
        return Texts.out(retry(Texts.in(frame, "frame"), fresh));
    }

    /**
     * Makes a frame that repeats a frame.
     *
     * @param frame as {@link #retry(String, Envelope)}, UTF-8
     * @param fresh as for {@link #retry(String, Envelope)}
     * @return the frame
     * @throws AccpException as {@link #retry(String, Envelope)}
     */
    public byte[] retry(byte[] frame, Envelope fresh) throws AccpException {
        Objects.requireNonNull(fresh, "fresh");
        byte[] text = Texts.in(frame, "frame");
        byte[][] texts = fresh.texts();
        return work(handle -> Native.codecRetry(handle, text, texts, fresh.numbers()));
    }

    /**
     * Writes an error frame (specification 3.6).
     *
     * @param failure the content of the frame
     * @return the frame
     * @throws AccpException ERR_ARG for a codec without a registry, or a code that the
     *     specification does not define; else as {@link #encode(String)}
     */
    public String encodeFailure(Failure failure) throws AccpException {
        Objects.requireNonNull(failure, "failure");
        byte[][] texts = Texts.all(failure.agent(), failure.message(), failure.detail(), failure.source(), failure.cid());
        return Texts.out(work(handle -> Native.codecEncodeFailure(handle, failure.code(), texts)));
    }

    /**
     * Returns the content of the last decoded frame if it is an error frame (specification 3.6).
     *
     * @return null if it is not an error frame, was refused, or the codec has no registry
     * @throws AccpException ERR_NOMEM
     */
    public Failure failure() throws AccpException {
        long[] numbers = new long[2];
        byte[][] texts = ask(handle -> Native.codecFailure(handle, numbers));
        return numbers[0] == 0 ? null : new Failure((int) numbers[0], numbers[1] != 0, Texts.orNull(texts[0]), Texts.orNull(texts[1]),
                Texts.orNull(texts[2]), Texts.orNull(texts[3]), Texts.orNull(texts[4]));
    }

    /**
     * Writes the frame of a chunk of a stream, under the schema ST (specification 10.4).
     *
     * @param agent the sender
     * @param operation the operation
     * @param chunk the chunk
     * @return the frame
     * @throws AccpException E1004 without a cid; E1003 if the registry lacks ST; else as
     *     {@link #encode(String)}
     */
    public String encodeChunk(String agent, String operation, Chunk chunk) throws AccpException {
        Objects.requireNonNull(agent, "agent");
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(chunk, "chunk");
        byte[][] texts = Texts.all(agent, operation, chunk.cid(), chunk.data());
        return Texts.out(work(handle -> Native.codecEncodeChunk(handle, texts, chunk.index(), chunk.total(), chunk.isFinal())));
    }

    /** Resolves references. */
    @FunctionalInterface
    public interface Resolver {
        /**
         * Returns the value of a reference.
         *
         * @param ref such as {@code "warm.key"}, without {@code $}; a bare {@code $key} is resolved
         *     as hot.key and then as warm.key
         * @return a JSON value, in which <code>{"$ref":"warm.other"}</code> is another reference;
         *     null if it does not exist (E2001)
         * @throws Exception the decoding fails with the code of an {@link AccpException}
         *     ({@code RefExpired}, {@code UnauthorizedRef}), else ERR_IO
         */
        byte[] resolve(String ref) throws Exception;
    }

    /** Keeps values that are sent by reference. */
    @FunctionalInterface
    public interface Keeper {
        /**
         * Keeps a value. Equal values should get equal references.
         *
         * @param json the value
         * @return such as {@code "warm.key"}, by which the peer can resolve it; null if it cannot
         *     be kept: it then stays inline
         * @throws Exception the encoding fails with ERR_IO
         */
        String keep(byte[] json) throws Exception;
    }

    /** Makes the envelopes of a message's parts. */
    @FunctionalInterface
    public interface NextEnvelope {
        /**
         * Returns the envelope of the next part.
         *
         * @param first that of the first part
         * @return the same with a new mid and seq
         * @throws Exception the encoding fails with its code, else ERR_IO
         */
        Envelope next(Envelope first) throws Exception;
    }

    /** Looks tools up. */
    @FunctionalInterface
    public interface Tools {
        /**
         * Checks whether the tool exists and accepts these arguments.
         *
         * @param name the tool
         * @param arguments null: none
         * @throws Exception {@link AccpException.ToolNotFound} or
         *     {@link AccpException.ToolSchemaMismatch} refuses it; any other becomes E9999
         */
        void check(String name, Json arguments) throws Exception;
    }

    /** Allows messages. */
    @FunctionalInterface
    public interface Policy {
        /**
         * Checks whether a message may pass.
         *
         * @param asked the message to check
         * @throws Exception {@link AccpException.PolicyDenied} refuses it; any other becomes E9999
         */
        void check(PolicyCase asked) throws Exception;
    }

    /** Receives the lines of a debug log. */
    @FunctionalInterface
    public interface Log {
        /**
         * Receives one line.
         *
         * @param received whether the message is decoded; else it is encoded
         * @param status 0 and the message; or the code of a refusal
         * @param line the message, or the reason
         */
        void line(boolean received, int status, String line);
    }

    /**
     * A message for a policy.
     *
     * @param received whether it is decoded; else it is encoded
     * @param untrusted whether it, or the value of a reference in it, came from outside
     * @param agent the sender
     * @param intent the intent's code
     * @param operation the operation
     * @param schema the code of its schema; null: none
     * @param message JSON
     */
    public record PolicyCase(boolean received, boolean untrusted, String agent, String intent, String operation, String schema, String message) {}

    /**
     * Describes an encoded or decoded message.
     *
     * @param parts frames that encoding made: 1 or the number of parts; 0 after a refusal or
     *     decoding
     * @param kept values that became references: by the keeper, or in the store of a session
     * @param warnings non-fatal faults; empty after a refusal
     */
    public record Outcome(long parts, long kept, Set<Warning> warnings) {
        static Outcome of(long[] numbers) {
            return new Outcome(numbers[0], numbers[1], Warning.of(numbers[2]));
        }
    }

    /**
     * The tokens of one part of a frame and its limits.
     *
     * @param tokens its tokens
     * @param soft more is a warning
     * @param hard a session does not send more
     */
    public record PartBudget(long tokens, long soft, long hard) {}

    /**
     * The tokens of a frame and its limits (specification 3.4).
     *
     * @param header {@code @agent>intent:operation}
     * @param body the payload
     * @param metadata the metadata
     * @param total the whole frame
     */
    public record FrameBudget(PartBudget header, PartBudget body, PartBudget metadata, PartBudget total) {}
}
