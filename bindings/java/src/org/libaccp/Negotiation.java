// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_negotiation_state;

/** One side of a negotiation, by which two agents come to one registry (specification 6.4): a pure state machine. One thread at a time. */
public final class Negotiation extends Handle {
    /** How far a negotiation has come. While it is open, nothing else may be sent in the session. */
    public enum Progress {
        /** Frames are still to be exchanged. */
        OPEN(accp_negotiation_state.ACCP_NEGOTIATION_OPEN),
        /** {@link #registry()} is in force on both sides. */
        AGREED(accp_negotiation_state.ACCP_NEGOTIATION_AGREED),
        /** No common registry: no schemas by code, no defaults left out, no p1. */
        BARE(accp_negotiation_state.ACCP_NEGOTIATION_BARE),
        /** The session cannot go on. */
        REFUSED(accp_negotiation_state.ACCP_NEGOTIATION_REFUSED);

        private final int number;

        Progress(int number) {
            this.number = number;
        }
    }

    private final FrameCodec frames;

    /**
     * Begins a negotiation.
     *
     * @param own this side's registry
     * @param agent this side's name, as frames have it
     * @param extensions what this side can do; none: the bare specification
     * @throws AccpException E1001 for an agent that is no agent-id
     */
    public Negotiation(Registry own, String agent, Extension... extensions) throws AccpException {
        this(null, own, agent, extensions);
    }

    /**
     * Begins a negotiation.
     *
     * @param options may be null
     * @param own this side's registry
     * @param agent this side's name, as frames have it
     * @param extensions what this side can do; none: the bare specification
     * @throws AccpException E1001 for an agent that is no agent-id
     */
    public Negotiation(Options options, Registry own, String agent, Extension... extensions) throws AccpException {
        super(new State(Objects.requireNonNull(own, "own").ask(registry -> Options.make(options, handle -> Raw.accp_negotiation_new(handle, registry, Texts.in(agent, "agent"),
                Extension.bits(extensions)))), false, Raw::accp_negotiation_free));
        frames = new FrameCodec(options);
    }

    @Override
    public void close() {
        super.close();
        frames.close();
    }

    /**
     * Names the tokenizer that this side counts by, before the first {@link #next()}.
     *
     * @param name such as {@code "o200k_base"}
     * @throws AccpException ERR_ARG for a name that cannot be one
     */
    public void setTokenizer(String name) throws AccpException {
        byte[] text = Texts.in(name, "name");
        tell(handle -> Raw.accp_negotiation_set_tokenizer(handle, text));
    }

    /**
     * Sets how many bytes of a delta go in one frame, before the first {@link #next()}.
     *
     * @param bytes 64 to 8,192; default 200
     * @throws AccpException ERR_ARG beyond
     */
    public void setChunkBytes(int bytes) throws AccpException {
        tell(handle -> Raw.accp_negotiation_set_chunk_bytes(handle, bytes));
    }

    /**
     * Names what this side's sessions can do, before the first {@link #next()}.
     *
     * @param features none: nothing, the default
     * @throws AccpException ERR_NOMEM
     */
    public void setFeatures(Feature... features) throws AccpException {
        Objects.requireNonNull(features, "features");
        int bits = Feature.bits(features);
        tell(handle -> Raw.accp_negotiation_set_features(handle, bits));
    }

    /** {@return the features in force: what both sides named; none while it is open} */
    public Set<Feature> features() {
        return Feature.of(know(Raw::accp_negotiation_get_features));
    }

    /**
     * Tells of a registry kept from before ({@link #peer()}): it need not be sent again. The newest eight count.
     *
     * @param known the registry
     * @throws AccpException ERR_NOMEM
     */
    public void know(Registry known) throws AccpException {
        Objects.requireNonNull(known, "known");
        tell(handle -> known.tell(registry -> Raw.accp_negotiation_know(handle, registry)));
    }

    /**
     * Takes in a frame {@code sync:registry} of the peer. There may be frames to send afterwards.
     *
     * @param frame the frame
     * @throws AccpException E1001: a damaged frame; E1003: the registries do not go together; E1004: it makes no sense; ERR_ARG: any other frame.
     *     A failure may have ended the negotiation: see {@link #progress()}
     */
    public void receive(String frame) throws AccpException {
        byte[] text = Texts.in(frame, "frame");
        tell(handle -> frames.tell(parser -> Native.negotiationReceive(handle, parser, text)));
    }

    /**
     * The next frame to be sent, without metadata, which the caller puts after it. To be called until there is none, at the beginning and after each
     * frame and each timeout.
     *
     * @return the frame, or null when there is none for now
     * @throws AccpException ERR_NOMEM: call again
     */
    public String next() throws AccpException {
        return Texts.orNull(ask(Raw::accp_negotiation_next));
    }

    /**
     * Says that the peer has been silent for as long as the caller waits: what is wanted is asked for again, five times, then refused.
     *
     * @throws AccpException ERR_NOMEM
     */
    public void timeout() throws AccpException {
        tell(Raw::accp_negotiation_timeout);
    }

    /** {@return how far it has come} */
    public Progress progress() {
        int number = know(Raw::accp_negotiation_get_state);
        for (Progress one : Progress.values()) {
            if (one.number == number) {
                return one;
            }
        }
        throw new IllegalStateException("no progress " + number);
    }

    /** {@return the extensions in force: what both sides named; none while it is open} */
    public Set<Extension> extensions() {
        return Extension.of(know(Raw::accp_negotiation_get_extensions));
    }

    /** {@return the registry in force, to be closed; null where there is none} */
    public Registry registry() {
        return know(handle -> share(Raw.accp_negotiation_registry(handle)));
    }

    /** {@return the peer's own registry, to be kept and told of in the next session, and closed; null where there is none} */
    public Registry peer() {
        return know(handle -> share(Raw.accp_negotiation_peer(handle)));
    }

    /** {@return the peer's tokenizer, or null where it named none} */
    public String peerTokenizer() {
        return know(handle -> Texts.orNull(Raw.accp_negotiation_peer_tokenizer(handle)));
    }

    static Registry share(long view) {
        return view == 0 ? null : new Registry(Raw.accp_registry_share(view));
    }
}
