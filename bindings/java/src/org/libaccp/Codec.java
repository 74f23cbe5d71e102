// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Messages to frames and back (specification 7.2, 7.3); under a registry with schemas, short keys, types, defaults, payloads by position. One thread at a
 * time. A callback runs inside the call that causes it, and must not use the codec: that is an {@link IllegalStateException}.
 */
public final class Codec extends Handle {
    private final long value;

    /**
     * Makes a codec without a registry and with every default.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Codec() throws AccpException {
        this(null);
    }

    /**
     * Makes a codec. Without a registry it encodes and decodes what the grammar alone says.
     *
     * @param options may be null
     * @throws AccpException E1003 where the registry does not have the options' schema; ERR_ARG for p1, a schema, strictness, tools or a policy without a
     *     registry, for parts without q1, and for options that cannot be
     */
    public Codec(Options options) throws AccpException {
        this(new long[1], options);
    }

    private Codec(long[] value, Options options) throws AccpException {
        super(open(value, options));
        this.value = value[0];
    }

    // A codec, and a value to read messages with.
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
     * Encodes a message. The same message under the same registry and extensions is the same bytes everywhere.
     *
     * @param message JSON
     * @return the frame, or its parts with a newline between two
     * @throws AccpException E1001 no message; E1002 an unknown intent; E1003 an unknown schema; E1004 a value that has no spelling, or is not of its
     *     field's type, or a required field that is missing; E2003 over {@link Rule#MAX_TOKENS}; what callbacks fail with
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
     * Encodes an answer: what {@link #encode(String)} would, with the cid and the operation of what it answers, and an aid that is its mid (specification 3.5).
     * Fields that the answer names itself are its own.
     *
     * @param request what is answered: the message in JSON, as {@link #decode(String)} wrote it
     * @param answer JSON; it may have no operation
     * @return the frame, or its parts with a newline between two
     * @throws AccpException E1001, at offset 0, for a request that is no message, or has neither cid nor mid; else as {@link #encode(String)}
     */
    public String reply(String request, String answer) throws AccpException {
        return Texts.out(replyAny(Texts.in(request, "request"), Texts.in(answer, "answer")));
    }

    /**
     * Encodes an answer.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame, or its parts with a newline between two
     * @throws AccpException as {@link #reply(String, String)}
     */
    public byte[] reply(byte[] request, byte[] answer) throws AccpException {
        return replyAny(Texts.in(request, "request"), Texts.in(answer, "answer"));
    }

    /**
     * Encodes an answer.
     *
     * @param request JSON, UTF-8
     * @param answer JSON, UTF-8
     * @return the frame, or its parts with a newline between two
     * @throws AccpException as {@link #reply(String, String)}
     */
    public byte[] reply(ByteBuffer request, ByteBuffer answer) throws AccpException {
        return replyAny(Texts.in(request, "request"), Texts.in(answer, "answer"));
    }

    /**
     * Encodes an answer.
     *
     * @param request what is answered
     * @param answer the answer, with an operation of its own
     * @return the frame, or its parts with a newline between two
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
     * Decodes a frame to its message, keys in full and defaults filled in.
     *
     * @param frame the frame
     * @return compact JSON; null where the frame is a part of a message, and others are still missing ({@link Rule#PARTS})
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
        return know(handle -> Registry.of(Raw.accp_registry_share(Raw.accp_codec_registry(handle))));
    }

    /**
     * Adds schemas to the codec's registry; others that share the old one keep it. Both sides must do it, or negotiate anew (specification 7.1).
     *
     * @param document as {@link Registry#add} takes it
     * @throws AccpException as {@link Registry#add}; E1003 where the schema of {@link Options#schema} would be gone; ERR_ARG without a registry
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
     * Sets the envelope that encoding writes ahead of a message's own metadata, until it is set again: every frame wants its own mid and seq.
     *
     * @param envelope null: none, the default
     * @throws AccpException E1004 for text that is empty, too long, or not safe in a frame; ERR_ARG for a negative number
     */
    public void setEnvelope(Envelope envelope) throws AccpException {
        byte[][] texts = envelope == null ? null : envelope.texts();
        tell(handle -> Native.codecSetEnvelope(handle, texts, envelope == null ? null : envelope.numbers()));
    }

    /**
     * Drops the parts held of a chain.
     *
     * @param cid its cid; null: of all chains
     * @throws AccpException never
     */
    public void removeParts(String cid) throws AccpException {
        byte[] text = Texts.orEmpty(cid);
        tell(handle -> Raw.accp_codec_remove_parts(handle, text));
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
     * What became of the message that was encoded or decoded last.
     *
     * @return its parts, what was kept of it, what is odd about it
     * @throws AccpException never
     */
    public Outcome outcome() throws AccpException {
        return Outcome.of(ask(Raw::accp_codec_outcome));
    }

    /**
     * The tokens of the frame that was encoded last, against the limits of specification 3.4.
     *
     * @return header, body, metadata and all of it; no tokens where the codec counts nothing
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
        return Texts.out(retry(Texts.in(frame, "frame"), fresh));
    }

    /**
     * Makes the frame that sends a frame again.
     *
     * @param frame as {@link #retry(String, Envelope)}, UTF-8
     * @param fresh as there
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
     * @param failure what it says
     * @return the frame
     * @throws AccpException ERR_ARG for a codec without a registry, or a code that the specification does not define; else as {@link #encode(String)}
     */
    public String encodeFailure(Failure failure) throws AccpException {
        Objects.requireNonNull(failure, "failure");
        byte[][] texts = Texts.all(failure.agent(), failure.message(), failure.detail(), failure.source(), failure.cid());
        return Texts.out(work(handle -> Native.codecEncodeFailure(handle, failure.code(), texts)));
    }

    /**
     * What the frame that was decoded last says as an error frame (specification 3.6).
     *
     * @return null where it was none, was refused, or there is no registry, which knows what an error frame is
     * @throws AccpException where memory is short
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
        return Texts.out(work(handle -> Native.codecEncodeChunk(handle, texts, chunk.index(), chunk.total(), chunk.isFinal())));
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
     * @param untrusted whether it came from outside, or what a reference in it stands for did
     * @param agent who says it
     * @param intent the intent's code
     * @param operation what it is about
     * @param schema the code of its schema; null: none
     * @param message JSON
     */
    public record PolicyCase(boolean received, boolean untrusted, String agent, String intent, String operation, String schema, String message) {}

    /**
     * What became of a message.
     *
     * @param parts frames that encoding made: 1, or its parts; 0 where it was refused, or decoded
     * @param kept values of it that went by reference: to the keeper, or to the store of a session
     * @param warnings what is odd about it, though it was taken; empty where it was refused
     */
    public record Outcome(long parts, long kept, Set<Warning> warnings) {
        static Outcome of(long[] numbers) {
            return new Outcome(numbers[0], numbers[1], Warning.of(numbers[2]));
        }
    }

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
