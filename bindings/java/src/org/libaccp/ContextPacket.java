// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_packet_depth;
import org.libaccp.internal.accp_packet_reading;
import org.libaccp.internal.accp_packet_warning;

/**
 * What a worker must know, in a file that people and programs read: task, goal, decisions, constraints, files, failures, under a checksum. It is empty until it is read or
 * generated, and after either has failed. One thread at a time.
 */
public final class ContextPacket extends Handle {
    /** How much a packet says. Each depth has a budget of its own, in tokens of the prompt. */
    public enum Depth {
        /** Goal and constraints: 100. */
        MINIMAL(accp_packet_depth.ACCP_PACKET_MINIMAL),
        /** And decisions and files: 400. */
        STANDARD(accp_packet_depth.ACCP_PACKET_STANDARD),
        /** And failed attempts and open questions: 800. */
        DEEP(accp_packet_depth.ACCP_PACKET_DEEP);

        final int number;

        Depth(int number) {
            this.number = number;
        }
    }

    /** What was read and taken, and somebody may want to know. */
    public enum Warning {
        /** There is no checksum. */
        NO_CHECKSUM(accp_packet_warning.ACCP_PACKET_NO_CHECKSUM),
        /** {@code token_count} is not the number of tokens of the prompt. */
        OTHER_TOKEN_COUNT(accp_packet_warning.ACCP_PACKET_OTHER_TOKEN_COUNT),
        /** The checksum is another one; read without verifying. */
        OTHER_CHECKSUM(accp_packet_warning.ACCP_PACKET_OTHER_CHECKSUM);

        final int number;

        Warning(int number) {
            this.number = number;
        }
    }

    private final Clock clock;

    /**
     * Makes an empty packet with every default.
     *
     * @throws AccpException ERR_NOMEM
     */
    public ContextPacket() throws AccpException {
        this(null);
    }

    /**
     * Makes an empty packet.
     *
     * @param options may be null: tokenizer, limits, clock
     * @throws AccpException ERR_NOMEM; ERR_ARG for options that cannot be
     */
    public ContextPacket(Options options) throws AccpException {
        super(Config.open(options, Pressure.HANDLE, false, Raw::accp_packet_new, Raw::accp_packet_free));
        clock = options == null ? Clock.systemUTC() : options.config.clock;
    }

    /**
     * Reads a packet, YAML or JSON, and verifies its checksum.
     *
     * @param text the packet
     * @throws AccpException E1001: no YAML, no packet, or a wrong checksum; E1004: a member of the wrong kind
     */
    public void read(String text) throws AccpException {
        read(text, true);
    }

    /**
     * Reads a packet, YAML or JSON.
     *
     * @param text the packet
     * @param verify false: a checksum that is a placeholder, malformed or another one is taken, {@link Warning#OTHER_CHECKSUM}
     * @throws AccpException as {@link #read(String)}
     */
    public void read(String text, boolean verify) throws AccpException {
        read(Texts.in(text, "text"), verify);
    }

    /**
     * Reads a packet, YAML or JSON.
     *
     * @param text the bytes of its file
     * @param verify as {@link #read(String, boolean)}
     * @throws AccpException as {@link #read(String)}; E1004 for what is not UTF-8
     */
    public void read(byte[] text, boolean verify) throws AccpException {
        byte[] bytes = Texts.in(text, "text");
        counting(handle -> Raw.accp_packet_read(handle, bytes, verify ? 0 : accp_packet_reading.ACCP_PACKET_UNVERIFIED));
    }

    /**
     * Makes a packet of a conversation, within the budget of its depth, and seals it.
     *
     * @param task what the worker is to do
     * @param conversation messages
     * @param form whose messages they are; null: ours, a line each
     * @param depth how much it says
     * @throws AccpException as {@link #generate(String, String, Interface, Depth, long, String, Instant)}
     */
    public void generate(String task, String conversation, Interface form, Depth depth) throws AccpException {
        generate(task, conversation, form, depth, 0, null, null);
    }

    /**
     * Makes a packet of a conversation, by rules and so the same each time, and seals it. What has no space is counted in {@code not_included}.
     *
     * @param task what the worker is to do
     * @param conversation messages
     * @param form whose messages they are; null: ours, a line each
     * @param depth how much it says
     * @param budgetTokens the most tokens of its prompt; 0: those of the depth
     * @param creator who makes it; null: {@code accp}
     * @param at when; null: now
     * @throws AccpException ERR_ARG: no task, no conversation, or an interface without messages; E1001, E1004: a message that is none; E2003: the task alone is over
     *     the budget
     */
    public void generate(String task, String conversation, Interface form, Depth depth, long budgetTokens, String creator, Instant at) throws AccpException {
        generate(task, conversation, form, depth, budgetTokens, creator, at, null);
    }

    /**
     * Makes a packet of a conversation, of code, or of both, and seals it: of code, which files the task is about, and in a line what each is for.
     *
     * @param task what the worker is to do
     * @param conversation messages; empty where there is code
     * @param form whose messages they are; null: ours, a line each
     * @param depth how much it says
     * @param budgetTokens the most tokens of its prompt; 0: those of the depth
     * @param creator who makes it; null: {@code accp}
     * @param at when; null: now
     * @param code files; null: none
     * @throws AccpException as {@link #generate(String, String, Interface, Depth, long, String, Instant)}
     */
    public void generate(String task, String conversation, Interface form, Depth depth, long budgetTokens, String creator, Instant at, PacketCode code)
            throws AccpException {
        byte[][] texts = {Texts.in(task, "task"), Texts.in(conversation, "conversation"), Texts.orEmpty(creator)};
        int number = Objects.requireNonNull(depth, "depth").number;
        Tell call = files -> counting(handle -> Native.packetGenerate(handle, files, texts, form == null ? 0 : form.number, number, budgetTokens,
                at == null ? clock.millis() : at.toEpochMilli()));
        if (code == null) {
            call.to(0);
        } else {
            code.tell(call);
        }
    }

    /**
     * Which of its files are others in the code than when it was made of code, or are not there.
     *
     * @param code the files as they are now
     * @return their paths
     * @throws AccpException ERR_ARG for an empty packet
     */
    public List<String> staleFiles(PacketCode code) throws AccpException {
        String lines = Objects.requireNonNull(code, "code").ask(files -> Texts.out(ask(handle -> Raw.accp_packet_stale_files(handle, files))));
        return lines.lines().toList();
    }

    /**
     * Makes checksum, {@code token_count} and {@code tokenizer} what they ought to be.
     *
     * @throws AccpException ERR_ARG for an empty packet
     */
    public void seal() throws AccpException {
        tell(Raw::accp_packet_seal);
    }

    /**
     * The packet for a file.
     *
     * @return YAML
     * @throws AccpException ERR_ARG for an empty packet; E1004 for a key that YAML cannot have
     */
    public String toYaml() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_yaml));
    }

    /**
     * What a worker's model reads.
     *
     * @return Markdown
     * @throws AccpException ERR_ARG for an empty packet
     */
    public String toPrompt() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_prompt));
    }

    /**
     * The packet as JSON.
     *
     * @return JSON
     * @throws AccpException ERR_ARG for an empty packet
     */
    public String toJson() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_json));
    }

    /** {@return the checksum that it ought to have, {@code sha256:…}; empty for an empty packet} */
    public String checksum() {
        return know(handle -> Texts.out(Raw.accp_packet_checksum(handle)));
    }

    /** {@return the tokens of the prompt, by the options' tokenizer (o200k_base); 0 for an empty packet} */
    public long tokenCount() {
        return know(Raw::accp_packet_tokens);
    }

    /** {@return what was taken of the packet that was read} */
    public Set<Warning> warnings() {
        long bits = know(Raw::accp_packet_warnings);
        EnumSet<Warning> set = EnumSet.noneOf(Warning.class);
        for (Warning one : Warning.values()) {
            if ((bits & one.number) != 0) {
                set.add(one);
            }
        }
        return set;
    }

    // The prompt is counted, perhaps by the host.
    private void counting(Tell call) throws AccpException {
        Upcall.guard(() -> {
            tell(call);
            return null;
        });
    }
}
