// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.Objects;
import org.libaccp.internal.Raw;

/** Answers questions from the packets in it. One thread at a time. */
public final class PacketIndex extends Handle {
    /**
     * Makes an empty index with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public PacketIndex() throws AccpException {
        this(null);
    }

    /**
     * Makes an empty index.
     *
     * @param options may be null: limits
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public PacketIndex(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_packet_index_new), false, Raw::accp_packet_index_free));
    }

    /**
     * Adds the current content of a packet; a packet with the same checksum is not added twice.
     *
     * @param packet the packet
     * @throws AccpException ERR_ARG if it is empty
     */
    public void add(ContextPacket packet) throws AccpException {
        Objects.requireNonNull(packet, "packet").tell(added -> tell(index -> Raw.accp_packet_index_add(index, added)));
    }

    /** {@return the number of packets} */
    public long size() {
        return know(Raw::accp_packet_index_count);
    }

    /**
     * Searches all packets for the answer to a question.
     *
     * @param question in English
     * @return JSON:
     *     {@code {"answer":…,"sources":[{"packet":…,"kind":…,"number":…,"text":…,"score":…}]}}
     * @throws AccpException E2001 if no item matches; ERR_ARG without a question
     */
    public String query(String question) throws AccpException {
        return query(question, null);
    }

    /**
     * Answers a question from one packet and the packets that it refers to.
     *
     * @param question in English
     * @param from the packet's checksum; null: all packets
     * @return JSON, as {@link #query(String)}
     * @throws AccpException as {@link #query(String)}; also ERR_ARG if no packet has that checksum
     */
    public String query(String question, String from) throws AccpException {
        byte[] asked = Texts.in(question, "question"), begin = Texts.orEmpty(from);
        return Texts.out(ask(index -> Raw.accp_packet_index_query(index, asked, begin)));
    }
}
