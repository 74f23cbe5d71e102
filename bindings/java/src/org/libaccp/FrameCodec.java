// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * Reads frames: parse, print, envelope, message; it reuses its memory. A {@link Codec} makes
 * frames. One thread at a time.
 */
public final class FrameCodec extends Handle {
    private static final int SMALL_BYTES = 65_536;
    private static final ThreadLocal<FrameCodec> OWN = new ThreadLocal<>();

    private final long payload;
    private final long meta;

    /**
     * Makes one with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public FrameCodec() throws AccpException {
        this(null);
    }

    /**
     * Makes one with options.
     *
     * @param options may be null
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public FrameCodec(Options options) throws AccpException {
        this(new long[3], options);
    }

    private FrameCodec(long[] made, Options options) throws AccpException {
        super(open(made, options));
        payload = made[1];
        meta = made[2];
    }

    // Opens a frame, and a value each for payload and metadata.
    private static State open(long[] made, Options options) throws AccpException {
        try {
            Config.make(options, config -> {
                made[0] = Raw.accp_frame_new(config);
                made[1] = Native.valueNew(config);
                return made[2] = Native.valueNew(config);
            });
        } catch (AccpException | RuntimeException e) {
            free(made);
            throw e;
        }
        return new State(made[0], false, frame -> free(made));
    }

    private static void free(long[] made) {
        Raw.accp_frame_free(made[0]);
        Native.valueFree(made[1]);
        Native.valueFree(made[2]);
    }

    /**
     * Returns the thread's own instance for short use; the collector frees it after the thread has
     * ended.
     */
    static FrameCodec own() throws AccpException {
        FrameCodec own = OWN.get();
        if (own == null) {
            own = new FrameCodec();
            OWN.set(own);
        }
        return own;
    }

    /** A call that reads JSON with a native value. */
    interface JsonCall {
        byte[] of(long value) throws AccpException;
    }

    /**
     * Passes the thread's own native value to a call; a large text gets a new one, so that no
     * thread keeps its memory.
     */
    static byte[] withValue(int bytes, JsonCall call) throws AccpException {
        if (bytes > SMALL_BYTES) {
            return withValue((Options) null, call);
        }
        FrameCodec own = own();
        return own.ask(handle -> call.of(own.payload));
    }

    static byte[] withValue(Options options, JsonCall call) throws AccpException {
        long value = Config.make(options, Native::valueNew);
        try {
            return call.of(value);
        } finally {
            Native.valueFree(value);
        }
    }

    /**
     * Parses one frame (specification 3.1, 9.2).
     *
     * @param frame the frame
     * @return its tree
     * @throws AccpException E1001 with the first byte after which no valid frame is possible
     */
    public Frame parse(String frame) throws AccpException {
        Objects.requireNonNull(frame, "frame");
        return read(Texts.in(frame, "frame"));
    }

    /**
     * Parses one frame.
     *
     * @param frame UTF-8; copied
     * @return its tree
     * @throws AccpException as {@link #parse(String)}
     */
    public Frame parse(byte[] frame) throws AccpException {
        Objects.requireNonNull(frame, "frame");
        return read(frame.clone());
    }

    /**
     * Parses one frame.
     *
     * @param frame UTF-8; copied
     * @return its tree
     * @throws AccpException as {@link #parse(String)}
     */
    public Frame parse(ByteBuffer frame) throws AccpException {
        Objects.requireNonNull(frame, "frame");
        return read(Texts.bytes(frame));
    }

    private Frame read(byte[] text) throws AccpException {
        long handle = state.enter();
        try {
            byte[] nodes = Native.frameParse(handle, text);
            return new Frame(text, 0, text.length, nodes, 0, nodes.length / Tree.NODE_BYTES);
        } finally {
            state.exit();
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Writes a frame canonically: sorted maps, decimals without trailing zeros, and the escapes of
     * the strict grammar (specification 3.1.1).
     *
     * @param frame the frame
     * @return its canonical form
     * @throws AccpException as {@link #parse(String)}; E1004 for a decimal of more than six places
     */
    public String print(String frame) throws AccpException {
        return Texts.out(print(Texts.in(frame, "frame")));
    }

    /**
     * Writes a frame canonically.
     *
     * @param frame UTF-8
     * @return its canonical form
     * @throws AccpException as {@link #print(String)}
     */
    public byte[] print(byte[] frame) throws AccpException {
        byte[] text = Texts.in(frame, "frame");
        return ask(handle -> Native.framePrint(handle, text));
    }

    /**
     * Decodes one frame into a parsed message without JSON text. References stay references.
     *
     * @param frame the frame
     * @return its message
     * @throws AccpException E1001: grammar, limits, a malformed escape; E1004: a malformed table,
     *     invalid UTF-8
     */
    public Message decodeMessage(String frame) throws AccpException {
        return messageOf(Texts.in(frame, "frame"));
    }

    /**
     * Decodes one frame into its message.
     *
     * @param frame UTF-8
     * @return its message
     * @throws AccpException as {@link #decodeMessage(String)}
     */
    public Message decodeMessage(byte[] frame) throws AccpException {
        return messageOf(Texts.in(frame, "frame"));
    }

    /**
     * Decodes one frame into its message.
     *
     * @param frame UTF-8
     * @return its message
     * @throws AccpException as {@link #decodeMessage(String)}
     */
    public Message decodeMessage(ByteBuffer frame) throws AccpException {
        return messageOf(Texts.in(frame, "frame"));
    }

    private Message messageOf(Object frame) throws AccpException {
        long handle = state.enter();
        try {
            return Message.ofPacked(Native.frameMessage(handle, payload, meta, frame));
        } finally {
            state.exit();
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Reads the standard envelope of a frame (specification 3.5).
     *
     * @param frame the frame
     * @return its envelope
     * @throws AccpException as {@link #parse(String)}; E1001 for a field of the wrong type
     */
    public Envelope envelope(String frame) throws AccpException {
        return envelope(Texts.in(frame, "frame"));
    }

    /**
     * The envelope of a frame.
     *
     * @param frame as {@link #envelope(String)}, UTF-8
     * @return as for the overload with a {@code String}
     * @throws AccpException as {@link #envelope(String)}
     */
    public Envelope envelope(byte[] frame) throws AccpException {
        byte[] text = Texts.in(frame, "frame");
        long[] numbers = new long[4];
        return ask(handle -> Envelope.of(Native.frameEnvelope(handle, text, numbers), numbers, 0));
    }
}
