// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_negotiation_state;

/**
 * One side of an agreement on a registry (specification 6.4): a pure state machine. One thread at a
 * time.
 */
public final class Negotiation extends Handle {
    /** The progress of a negotiation. While it is open, nothing else may be sent in the session. */
    public enum Progress {
        /** More frames have to be exchanged. */
        OPEN(accp_negotiation_state.ACCP_NEGOTIATION_OPEN),
        /** One registry is in force on both sides. */
        AGREED(accp_negotiation_state.ACCP_NEGOTIATION_AGREED),
        /** No common registry: no schemas by code, no omitted defaults, no p1. */
        BARE(accp_negotiation_state.ACCP_NEGOTIATION_BARE),
        /** The session cannot continue. */
        REFUSED(accp_negotiation_state.ACCP_NEGOTIATION_REFUSED);

        private final int number;

        Progress(int number) {
            this.number = number;
        }

        private static Progress of(long number) {
            return Arrays.stream(values()).filter(one -> one.number == number).findFirst().orElseThrow();
        }
    }

    /**
     * The result of a negotiation. While it is open nothing is agreed. Closing it closes both
     * registries.
     *
     * @param progress the progress
     * @param extensions in force: those that both sides named
     * @param features the same
     * @param registry in force; null if it does not exist
     * @param peer the peer's own registry, to be kept for the next session; null if unknown
     * @param peerTokenizer the name of the peer's tokenizer; null if it named none
     */
    public record Agreement(Progress progress, Set<Extension> extensions, Set<Feature> features, Registry registry, Registry peer, String peerTokenizer)
            implements AutoCloseable {
        void apply(long config) throws AccpException {
            int agreed = Extension.bits(extensions.toArray(new Extension[0]));
            Handle.Tell set = shared -> Native.configSetAgreement(config, progress.number, agreed, Feature.bits(features), shared);
            if (registry == null) {
                set.to(0);
            } else {
                registry.tell(set);
            }
        }

        @Override
        public void close() {
            for (Registry one : new Registry[] {registry, peer}) {
                if (one != null) {
                    one.close();
                }
            }
        }
    }

    private final FrameCodec frames;

    /**
     * Begins a negotiation.
     *
     * @param agent this side's name in frames
     * @param options this side's registry (required), extensions, tokenizer (the peer receives its
     *     name), and as features the rules merges, parts, by_sender and shares_store; set the last
     *     only if both sides are known to read the same store
     * @throws AccpException E1001 for an invalid agent-id; ERR_ARG without a registry and for
     *     invalid options
     */
    public Negotiation(String agent, Options options) throws AccpException {
        super(open(Texts.in(agent, "agent"), Objects.requireNonNull(options, "options")));
        frames = new FrameCodec(options);
    }

    private static State open(byte[] agent, Options options) throws AccpException {
        return Config.open(options, Pressure.HANDLE, false, config -> Raw.accp_negotiation_new(agent, config), Raw::accp_negotiation_free);
    }

    @Override
    public void close() {
        super.close();
        frames.close();
    }

    /**
     * Adds the peer's registry from an earlier session ({@link Agreement#peer}), so that it is not
     * sent again. The newest eight are used.
     *
     * @param known the registry
     * @throws AccpException ERR_NOMEM
     */
    public void addKnown(Registry known) throws AccpException {
        Objects.requireNonNull(known, "known");
        tell(handle -> known.tell(registry -> Raw.accp_negotiation_add_known(handle, registry)));
    }

    /**
     * Takes a {@code sync:registry} frame of the peer. There may be frames to send afterwards.
     *
     * @param frame the frame
     * @throws AccpException E1001: a damaged frame; E1003: incompatible registries; E1004: invalid
     *     content; ERR_ARG: any other frame. A failure may have ended the negotiation: see
     *     {@link #agreement()}
     */
    public void receive(String frame) throws AccpException {
        receive(Texts.in(frame, "frame"));
    }

    /**
     * Takes a frame of the peer.
     *
     * @param frame as {@link #receive(String)}, UTF-8
     * @throws AccpException as {@link #receive(String)}
     */
    public void receive(byte[] frame) throws AccpException {
        byte[] text = Texts.in(frame, "frame");
        tell(handle -> frames.tell(parser -> Native.negotiationReceive(handle, parser, text)));
    }

    /**
     * Returns the next frame to send, without metadata, which the caller appends. Call it until it
     * returns null: at the beginning, and after each frame and timeout.
     *
     * @return the frame, or null if it does not exist now
     * @throws AccpException ERR_NOMEM: call again
     */
    public String nextFrame() throws AccpException {
        return Texts.orNull(ask(Raw::accp_negotiation_next_frame));
    }

    /**
     * Reports that the peer did not reply in time. The request is repeated five times; then the
     * negotiation is refused.
     *
     * @throws AccpException ERR_NOMEM
     */
    public void timeout() throws AccpException {
        tell(Raw::accp_negotiation_timeout);
    }

    /**
     * Returns the current result.
     *
     * @return the agreement; to be closed
     * @throws AccpException never
     */
    public Agreement agreement() throws AccpException {
        long[] n = new long[5];
        byte[] tokenizer = ask(handle -> Native.negotiationAgreement(handle, n));
        return new Agreement(Progress.of(n[0]), Extension.of(n[1]), Feature.of(n[2]), Registry.of(n[3]), Registry.of(n[4]), Texts.orNull(tokenizer));
    }
}
