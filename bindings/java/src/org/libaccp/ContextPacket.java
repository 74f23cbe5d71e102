// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_packet_depth;
import org.libaccp.internal.accp_packet_kind;
import org.libaccp.internal.accp_packet_layer;
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
        OTHER_CHECKSUM(accp_packet_warning.ACCP_PACKET_OTHER_CHECKSUM),
        /** The extractor gave items that are not in the conversation. */
        DROPPED_ITEMS(accp_packet_warning.ACCP_PACKET_DROPPED_ITEMS);

        final int number;

        Warning(int number) {
            this.number = number;
        }
    }

    /** Finds items of a conversation beside the rules: a model. Fit for every thread that makes packets. */
    @FunctionalInterface
    public interface Extractor {
        /**
         * Finds items. What nobody said is dropped: {@link Warning#DROPPED_ITEMS}. It must not use the packet.
         *
         * @param conversation JSON: {@code {"task":…,"messages":[{"number":0,"role":"user","text":…},…]}}
         * @return JSON: {@code {"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,"reason_message":2},…]}}, as docs/packets.md has it
         * @throws Exception fails the call: an {@link AccpException} with its code, another one as ERR_IO, whose cause it is
         */
        String extract(String conversation) throws Exception;
    }

    /** Parts of a packet's prompt: a worker begins with the first and asks for more. */
    public enum Layer {
        /** The task, goal, success criteria and constraints. */
        GOALS(accp_packet_layer.ACCP_PACKET_GOALS),
        /** What was decided, why, and by whom. */
        DECISIONS(accp_packet_layer.ACCP_PACKET_DECISIONS),
        /** Files, patterns, anti-patterns and examples. */
        CODEBASE(accp_packet_layer.ACCP_PACKET_CODEBASE),
        /** Failures, pivots, open questions, what is not included. */
        HISTORY(accp_packet_layer.ACCP_PACKET_HISTORY);

        final int number;

        Layer(int number) {
            this.number = number;
        }

        static long bits(Layer... layers) {
            long bits = 0;
            for (Layer layer : Objects.requireNonNull(layers, "layers")) {
                bits |= Objects.requireNonNull(layer, "layers").number;
            }
            return bits;
        }
    }

    /** What an item of a packet is. */
    public enum Kind {
        /** Goal. */
        GOAL(accp_packet_kind.ACCP_PACKET_GOAL),
        /** Of success_criteria. */
        CRITERION(accp_packet_kind.ACCP_PACKET_CRITERION),
        /** Of constraints. */
        CONSTRAINT(accp_packet_kind.ACCP_PACKET_CONSTRAINT),
        /** Of decisions. */
        DECISION(accp_packet_kind.ACCP_PACKET_DECISION),
        /** Of relevant_files. */
        FILE(accp_packet_kind.ACCP_PACKET_FILE),
        /** Of patterns. */
        PATTERN(accp_packet_kind.ACCP_PACKET_PATTERN),
        /** Of anti_patterns. */
        ANTI_PATTERN(accp_packet_kind.ACCP_PACKET_ANTI_PATTERN),
        /** Of examples. */
        EXAMPLE(accp_packet_kind.ACCP_PACKET_EXAMPLE),
        /** Of failed_attempts. */
        FAILURE(accp_packet_kind.ACCP_PACKET_FAILURE),
        /** Of pivots. */
        PIVOT(accp_packet_kind.ACCP_PACKET_PIVOT),
        /** Of open_questions. */
        QUESTION(accp_packet_kind.ACCP_PACKET_QUESTION),
        /** Of not_included. */
        NOT_INCLUDED(accp_packet_kind.ACCP_PACKET_NOT_INCLUDED);

        final int number;

        Kind(int number) {
            this.number = number;
        }
    }

    private static final AtomicLong MADE = new AtomicLong();

    private final Clock clock;
    private final long order = MADE.incrementAndGet();

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
     * @param options may be null: tokenizer, limits, clock, extractor
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
     *     the budget; what the extractor fails with, and ERR_CORRUPT where its answer has another form
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
        generate(task, Texts.in(conversation, "conversation"), form, depth, budgetTokens, creator, at, code);
    }

    /**
     * Makes a packet of a conversation.
     *
     * @param task as {@link #generate(String, String, Interface, Depth, long, String, Instant, PacketCode)}
     * @param conversation as there, UTF-8
     * @param form as there
     * @param depth as there
     * @param budgetTokens as there
     * @param creator as there
     * @param at as there
     * @param code as there
     * @throws AccpException as {@link #generate(String, String, Interface, Depth, long, String, Instant, PacketCode)}
     */
    public void generate(String task, byte[] conversation, Interface form, Depth depth, long budgetTokens, String creator, Instant at, PacketCode code) throws AccpException {
        byte[][] texts = {Texts.in(task, "task"), Texts.in(conversation, "conversation"), Texts.orEmpty(creator)};
        int number = Objects.requireNonNull(depth, "depth").number;
        Tell call = files -> counting(handle -> Native.packetGenerate(handle, 0, files, texts, form == null ? 0 : form.number, number, budgetTokens,
                at == null ? clock.millis() : at.toEpochMilli()));
        if (code == null) {
            call.to(0);
        } else {
            code.tell(call);
        }
    }

    /**
     * Makes a packet of all that was said in a session, and of what its messages state in names and numbers, and seals it. Its sources name messages: {@code $cold.m17:0-40}.
     *
     * @param session it may be open to be read
     * @param task what the worker is to do; null: what was asked for first in the session
     * @param depth how much it says
     * @param budgetTokens the most tokens of its prompt; 0: those of the depth
     * @param creator who makes it; null: {@code accp}
     * @param at when; null: now
     * @throws AccpException ERR_ARG without a task where nobody has asked for anything; E2003 as {@link #generate(String, String, Interface, Depth)}
     */
    public void fromSession(Session session, String task, Depth depth, long budgetTokens, String creator, Instant at) throws AccpException {
        byte[][] texts = {Texts.orEmpty(task), Texts.orEmpty(null), Texts.orEmpty(creator)};
        int number = Objects.requireNonNull(depth, "depth").number;
        OpenSession.of(session).tell(from -> counting(handle -> Native.packetGenerate(handle, from, 0, texts, 0, number, budgetTokens,
                at == null ? clock.millis() : at.toEpochMilli())));
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
     * Members that it does not know, and that look like one that it knows.
     *
     * @return for each where it stands, a blank, and what it may be meant for: {@code context.constrains constraints}, {@code decisions[2].resaon reason}
     * @throws AccpException ERR_ARG for an empty packet
     */
    public List<String> misspeltMembers() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_misspelt_members)).lines().toList();
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

    /** {@return what was taken of the packet that was read or made} */
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

    /**
     * The prompt of some layers alone.
     *
     * @param layers which
     * @return Markdown; empty where they have nothing
     * @throws AccpException ERR_ARG for an empty packet, and without a layer
     */
    public String toPrompt(Layer... layers) throws AccpException {
        long bits = Layer.bits(layers);
        return Texts.out(ask(handle -> Raw.accp_packet_print_layers(handle, bits)));
    }

    /**
     * How many tokens the prompt of some layers has.
     *
     * @param layers which
     * @return tokens
     * @throws AccpException as {@link #toPrompt(Layer...)}
     */
    public long tokenCount(Layer... layers) throws AccpException {
        long bits = Layer.bits(layers);
        return Upcall.guard(() -> ask(handle -> Raw.accp_packet_count_layers(handle, bits)));
    }

    /**
     * Leaves out what is not about a task, and seals the packet; {@code not_included} then tells how much of each kind. After an exception the packet is what it was, as after
     * one of the four below.
     *
     * @param task null: the packet's own
     * @param threshold what an item has to score, from 0 to 1; 0: 0.07
     * @throws AccpException ERR_ARG for an empty packet, and a threshold that is none
     */
    public void filter(String task, double threshold) throws AccpException {
        byte[] text = Texts.orEmpty(task);
        counting(handle -> Raw.accp_packet_filter(handle, text, threshold));
    }

    /**
     * What an item scored in the last {@link #filter}.
     *
     * @param kind of the item
     * @param number of the item in its list, from 1
     * @return from 0 to 1; -1 where there is none
     */
    public double score(Kind kind, int number) {
        int of = Objects.requireNonNull(kind, "kind").number;
        return know(handle -> Raw.accp_packet_score(handle, of, number));
    }

    /**
     * Keeps of decisions, failures and pivots the newest as they are, older ones in a line, and of ancient ones a word in {@code not_included}; seals the packet.
     *
     * @param recent so many of each kind stay as they are
     * @param older so many before them keep a line
     * @throws AccpException ERR_ARG for an empty packet
     */
    public void fade(int recent, int older) throws AccpException {
        counting(handle -> Raw.accp_packet_fade(handle, recent, older));
    }

    /**
     * Puts a pattern and an example in the place of files of one folder whose summaries say the same, and seals the packet.
     *
     * @param minFiles how many have to; 0: 3
     * @throws AccpException ERR_ARG for an empty packet, and for one file
     */
    public void extractPatterns(int minFiles) throws AccpException {
        counting(handle -> Raw.accp_packet_extract_patterns(handle, minFiles));
    }

    /**
     * Makes one decision of those that tell parts of one thing, and seals the packet. As they were, they stand in {@code context.merged}, which is in no prompt.
     *
     * @throws AccpException ERR_ARG for an empty packet
     */
    public void mergeDecisions() throws AccpException {
        counting(Raw::accp_packet_merge_decisions);
    }

    /**
     * Makes the packet the next version of another, with a note in its changelog, and seals it.
     *
     * @param old the version before
     * @param note what is new
     * @throws AccpException ERR_ARG where one of them is empty, and without a note
     */
    public void revise(ContextPacket old, String note) throws AccpException {
        byte[] text = Texts.in(note, "note");
        withOther(Objects.requireNonNull(old, "old"), (packet, other) -> {
            Raw.accp_packet_revise(packet, other, text);
            return null;
        });
    }

    /**
     * What the packet has that an older one has not, and the other way.
     *
     * @param old the older one
     * @return JSON: {@code {"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[…]}}}
     * @throws AccpException ERR_ARG where one of them is empty
     */
    public String diff(ContextPacket old) throws AccpException {
        return Texts.out(withOther(Objects.requireNonNull(old, "old"), Raw::accp_packet_print_diff));
    }

    private interface Both {
        byte[] of(long packet, long other) throws AccpException;
    }

    // The packet that was made first has its turn first, so that no two calls wait for each other.
    private byte[] withOther(ContextPacket other, Both call) throws AccpException {
        return Upcall.guard(() -> {
            if (this == other) {
                return ask(alone -> call.of(alone, alone));
            } else if (order < other.order) {
                return ask(mine -> other.ask(theirs -> call.of(mine, theirs)));
            }
            return other.ask(theirs -> ask(mine -> call.of(mine, theirs)));
        });
    }

    // The prompt is counted, perhaps by the host.
    private void counting(Tell call) throws AccpException {
        Upcall.guard(() -> {
            tell(call);
            return null;
        });
    }
}
