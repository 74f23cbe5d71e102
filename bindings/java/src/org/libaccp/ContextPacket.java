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
import org.libaccp.internal.accp_packet_option;
import org.libaccp.internal.accp_packet_reading;
import org.libaccp.internal.accp_packet_warning;

/**
 * A context packet: the knowledge that a worker needs, in a file for people and programs: task,
 * goal, decisions, constraints, files, failures, and a checksum. It is empty until it is read or
 * generated, and after either has failed. One thread at a time.
 */
public final class ContextPacket extends Handle {
    /** The level of detail of a packet. Each level has a default budget in tokens of the prompt. */
    public enum Depth {
        /** Goal and constraints: 100. */
        MINIMAL(accp_packet_depth.ACCP_PACKET_MINIMAL),
        /** And decisions and files: 400. */
        STANDARD(accp_packet_depth.ACCP_PACKET_STANDARD),
        /** Adds failed attempts and open questions: 800. */
        DEEP(accp_packet_depth.ACCP_PACKET_DEEP);

        final int number;

        Depth(int number) {
            this.number = number;
        }
    }

    /** Non-fatal findings about a packet. */
    public enum Warning {
        /** The checksum is missing. */
        NO_CHECKSUM(accp_packet_warning.ACCP_PACKET_NO_CHECKSUM),
        /** {@code token_count} differs from the tokens of the prompt. */
        OTHER_TOKEN_COUNT(accp_packet_warning.ACCP_PACKET_OTHER_TOKEN_COUNT),
        /** The checksum differs; read without verification. */
        OTHER_CHECKSUM(accp_packet_warning.ACCP_PACKET_OTHER_CHECKSUM),
        /** The extractor returned items that are not in the conversation. */
        DROPPED_ITEMS(accp_packet_warning.ACCP_PACKET_DROPPED_ITEMS),
        /** The rules do not know the language of the conversation, so most items are missing. */
        OTHER_LANGUAGE(accp_packet_warning.ACCP_PACKET_OTHER_LANGUAGE);

        final int number;

        Warning(int number) {
            this.number = number;
        }
    }

    /**
     * A model that finds more items in a conversation. It must be safe for all threads that make
     * packets.
     */
    @FunctionalInterface
    public interface Extractor {
        /**
         * Finds items. Items that are not in the conversation are dropped:
         * {@link Warning#DROPPED_ITEMS}. It must not use the packet.
         *
         * @param conversation JSON:
         *     {@code {"task":…,"messages":[{"number":0,"role":"user","text":…},…]}}
         * @return JSON:
         *     {@code {"items":[{"kind":"decision","text":…,"message":3,"who":"user","reason":…,"reason_message":2},…]}}
         *     (docs/packets.md)
         * @throws Exception fails the call: an {@link AccpException} with its code, any other as
         *     the cause of ERR_IO
         */
        String extract(String conversation) throws Exception;
    }

    /** Parts of a packet's prompt: a worker begins with the first and requests more. */
    public enum Layer {
        /** The task, goal, success criteria and constraints. */
        GOALS(accp_packet_layer.ACCP_PACKET_GOALS),
        /** Decisions, their reasons and authors. */
        DECISIONS(accp_packet_layer.ACCP_PACKET_DECISIONS),
        /** Files, patterns, anti-patterns and examples. */
        CODEBASE(accp_packet_layer.ACCP_PACKET_CODEBASE),
        /** Failures, pivots, open questions, omitted items. */
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

    /** The kind of a packet's item. */
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

    private static final int STRICT_BUDGET = accp_packet_option.ACCP_PACKET_STRICT_BUDGET;

    private final Clock clock;
    private String items;
    private boolean strictBudget;
    private final long order = MADE.incrementAndGet();

    /**
     * Makes an empty packet with all defaults.
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
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public ContextPacket(Options options) throws AccpException {
        super(Config.open(options, Pressure.HANDLE, false, Raw::accp_packet_new, Raw::accp_packet_free));
        clock = options == null ? Clock.systemUTC() : options.config.clock;
    }

    /**
     * Reads a packet in YAML or JSON, and verifies its checksum.
     *
     * @param text the packet
     * @throws AccpException E1001: invalid YAML, another document, or a wrong checksum; E1004: a
     *     member of the wrong kind
     */
    public void read(String text) throws AccpException {
        read(text, true);
    }

    /**
     * Reads a packet in YAML or JSON.
     *
     * @param text the packet
     * @param verify false: a missing, malformed or wrong checksum is accepted,
     *     {@link Warning#OTHER_CHECKSUM}
     * @throws AccpException as {@link #read(String)}
     */
    public void read(String text, boolean verify) throws AccpException {
        read(Texts.in(text, "text"), verify);
    }

    /**
     * Reads a packet in YAML or JSON.
     *
     * @param text the bytes of its file
     * @param verify as {@link #read(String, boolean)}
     * @throws AccpException as {@link #read(String)}; E1004 for invalid UTF-8
     */
    public void read(byte[] text, boolean verify) throws AccpException {
        byte[] bytes = Texts.in(text, "text");
        counting(handle -> Raw.accp_packet_parse(handle, bytes, verify ? 0 : accp_packet_reading.ACCP_PACKET_UNVERIFIED));
    }

    /**
     * Makes and seals a packet from a conversation, within the budget of its depth.
     *
     * @param task the worker's task
     * @param conversation messages
     * @param form the format of the messages; null: ours, one per line
     * @param depth the level of detail
     * @throws AccpException as
     *     {@link #generate(String, String, Interface, Depth, long, String, Instant)}
     */
    public void generate(String task, String conversation, Interface form, Depth depth) throws AccpException {
        generate(task, conversation, form, depth, 0, null, null);
    }

    /**
     * Makes a packet from a conversation by deterministic rules, and seals it. Items without space
     * are counted in {@code not_included}.
     *
     * @param task the worker's task
     * @param conversation messages
     * @param form the format of the messages; null: ours, one per line
     * @param depth the level of detail
     * @param budgetTokens the most tokens of its prompt; 0: those of the depth
     * @param creator the creator; null: {@code accp}
     * @param at the time; null: now
     * @throws AccpException ERR_ARG: no task, no conversation, or an interface without messages;
     *     E1001, E1004: an invalid message; E2003: the task alone exceeds the budget; the
     *     extractor's error, and ERR_CORRUPT if its result has a wrong form
     */
    public void generate(String task, String conversation, Interface form, Depth depth, long budgetTokens, String creator, Instant at) throws AccpException {
        generate(task, conversation, form, depth, budgetTokens, creator, at, null);
    }

    /**
     * Makes and seals a packet from a conversation, from code, or from both. From code it takes the
     * files of the task, each with a line about its purpose.
     *
     * @param task the worker's task
     * @param conversation messages; may be empty if code is given
     * @param form the format of the messages; null: ours, one per line
     * @param depth the level of detail
     * @param budgetTokens the most tokens of its prompt; 0: those of the depth
     * @param creator the creator; null: {@code accp}
     * @param at the time; null: now
     * @param code files; null: none
     * @throws AccpException as
     *     {@link #generate(String, String, Interface, Depth, long, String, Instant)}
     */
    public void generate(String task, String conversation, Interface form, Depth depth, long budgetTokens, String creator, Instant at, PacketCode code)
            throws AccpException {
        generate(task, Texts.in(conversation, "conversation"), form, depth, budgetTokens, creator, at, code);
    }

    /**
     * Makes a packet from a conversation.
     *
     * @param task as
     *     {@link #generate(String, String, Interface, Depth, long, String, Instant, PacketCode)}
     * @param conversation messages in UTF-8
     * @param form as
     *     {@link #generate(String, String, Interface, Depth, long, String, Instant, PacketCode)}
     * @param depth as
     *     {@link #generate(String, String, Interface, Depth, long, String, Instant, PacketCode)}
     * @param budgetTokens the most tokens; 0: the default
     * @param creator the creator; null: {@code accp}
     * @param at the time; null: now
     * @param code files; null: none
     * @throws AccpException as
     *     {@link #generate(String, String, Interface, Depth, long, String, Instant, PacketCode)}
     */
    public void generate(String task, byte[] conversation, Interface form, Depth depth, long budgetTokens, String creator, Instant at, PacketCode code) throws AccpException {
        byte[][] texts = {Texts.in(task, "task"), Texts.in(conversation, "conversation"), Texts.orEmpty(creator), Texts.orEmpty(items)};
        int number = Objects.requireNonNull(depth, "depth").number;
        Tell call = files -> counting(handle -> Native.packetGenerate(handle, 0, files, texts, form == null ? 0 : form.number, number, budgetTokens,
                at == null ? clock.millis() : at.toEpochMilli(), strictBudget ? STRICT_BUDGET : 0));
        if (code == null) {
            call.to(0);
        } else {
            code.tell(call);
        }
    }

    /**
     * Sets what the caller knows already, for the packets that this object generates from now on.
     *
     * @param given members of a packet's context in YAML or JSON, each optional; an item may have a
     *     {@code quote} of the conversation. Items of a kind replace what the rules find of it.
     *     Null: none
     * @throws AccpException E1004 for a lone surrogate
     */
    public void setItems(String given) throws AccpException {
        Texts.orEmpty(given);
        items = given;
    }

    /**
     * Sets whether generating fails with E2003 if a given item, or a plain demand or decision of a
     * user, does not fit into the budget. Otherwise it is counted in {@code not_included}.
     *
     * @param strict true: it fails
     */
    public void setStrictBudget(boolean strict) {
        strictBudget = strict;
    }

    /**
     * Returns what became of the given items of the last packet generated: JSON with
     * {@code dropped}, {@code unverified} and {@code contradicted}; empty without given items.
     *
     * @return the report
     * @throws AccpException never for an open packet
     */
    public String report() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_report));
    }

    /**
     * Makes and seals a packet from all messages of a session and the names and numbers in them.
     * Its sources refer to messages: {@code $cold.m17:0-40}.
     *
     * @param session may be open for reading
     * @param task the worker's task; null: the first request in the session
     * @param depth the level of detail
     * @param budgetTokens the most tokens of its prompt; 0: those of the depth
     * @param creator the creator; null: {@code accp}
     * @param at the time; null: now
     * @throws AccpException ERR_ARG without a task if the session has no request; E2003 as
     *     {@link #generate(String, String, Interface, Depth)}
     */
    public void fromSession(Session session, String task, Depth depth, long budgetTokens, String creator, Instant at) throws AccpException {
        byte[][] texts = {Texts.orEmpty(task), Texts.orEmpty(null), Texts.orEmpty(creator), Texts.orEmpty(items)};
        int number = Objects.requireNonNull(depth, "depth").number;
        OpenSession.of(session).tell(from -> counting(handle -> Native.packetGenerate(handle, from, 0, texts, 0, number, budgetTokens,
                at == null ? clock.millis() : at.toEpochMilli(), strictBudget ? STRICT_BUDGET : 0)));
    }

    /**
     * Returns its files that have changed or are missing in the code since the packet was made from
     * code.
     *
     * @param code the current files
     * @return their paths
     * @throws AccpException ERR_ARG for an empty packet
     */
    public List<String> staleFiles(PacketCode code) throws AccpException {
        String lines = Objects.requireNonNull(code, "code").ask(files -> Texts.out(ask(handle -> Raw.accp_packet_stale_files(handle, files))));
        return lines.lines().toList();
    }

    /**
     * Returns unknown members that resemble known ones.
     *
     * @return for each its path, a blank, and the known name:
     *     {@code context.constrains constraints}, {@code decisions[2].resaon reason}
     * @throws AccpException ERR_ARG for an empty packet
     */
    public List<String> misspeltMembers() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_misspelt_members)).lines().toList();
    }

    /**
     * Updates checksum, {@code token_count} and {@code tokenizer}.
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
     * @throws AccpException ERR_ARG for an empty packet; E1004 for a key that YAML does not allow
     */
    public String toYaml() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_yaml));
    }

    /**
     * Returns the text for a worker's model.
     *
     * @return Markdown
     * @throws AccpException ERR_ARG for an empty packet
     */
    public String toPrompt() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_prompt));
    }

    /**
     * Returns the packet as JSON.
     *
     * @return JSON
     * @throws AccpException ERR_ARG for an empty packet
     */
    public String toJson() throws AccpException {
        return Texts.out(ask(Raw::accp_packet_print_json));
    }

    /** {@return the correct checksum, {@code sha256:…}; empty for an empty packet} */
    public String checksum() {
        return know(handle -> Texts.out(Raw.accp_packet_checksum(handle)));
    }

    /** {@return the tokens of the prompt, by the options' tokenizer (o200k_base); 0 for an empty packet} */
    public long tokenCount() {
        return know(Raw::accp_packet_tokens);
    }

    /** {@return the findings about the packet that was read or made} */
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
     * Returns the prompt of some layers.
     *
     * @param layers the layers
     * @return Markdown; empty if the layers are empty
     * @throws AccpException ERR_ARG for an empty packet, and without a layer
     */
    public String toPrompt(Layer... layers) throws AccpException {
        long bits = Layer.bits(layers);
        return Texts.out(ask(handle -> Raw.accp_packet_print_layers(handle, bits)));
    }

    /**
     * Returns the tokens of the prompt of some layers.
     *
     * @param layers the layers
     * @return tokens
     * @throws AccpException as {@link #toPrompt(Layer...)}
     */
    public long tokenCount(Layer... layers) throws AccpException {
        long bits = Layer.bits(layers);
        return Upcall.guard(() -> ask(handle -> Raw.accp_packet_layer_tokens(handle, bits)));
    }

    /**
     * Removes items that are not about a task, and seals the packet; {@code not_included} then has
     * the removed amounts. After an exception the packet is unchanged, as after an exception of the
     * four methods below.
     *
     * @param task null: the packet's own
     * @param threshold the least score of a kept item, from 0 to 1; 0: 0.07
     * @throws AccpException ERR_ARG for an empty packet and an invalid threshold
     */
    public void filter(String task, double threshold) throws AccpException {
        byte[] text = Texts.orEmpty(task);
        counting(handle -> Raw.accp_packet_filter(handle, text, threshold));
    }

    /**
     * Returns the score of an item in the last {@link #filter}.
     *
     * @param kind of the item
     * @param number of the item in its list, from 1
     * @return from 0 to 1; -1 if it does not exist
     */
    public double score(Kind kind, int number) {
        int of = Objects.requireNonNull(kind, "kind").number;
        return know(handle -> Raw.accp_packet_score(handle, of, number));
    }

    /**
     * Keeps the newest decisions, failures and pivots unchanged, shortens older ones to a line, and
     * reduces ancient ones to an entry in {@code not_included}; seals the packet.
     *
     * @param recent number of each kind that stay unchanged
     * @param older number before them that keep a line
     * @throws AccpException ERR_ARG for an empty packet
     */
    public void fade(int recent, int older) throws AccpException {
        counting(handle -> Raw.accp_packet_fade(handle, recent, older));
    }

    /**
     * Replaces files of one folder with equal summaries by a pattern and an example, and seals the
     * packet.
     *
     * @param minFiles the least number of files; 0: 3
     * @throws AccpException ERR_ARG for an empty packet, and for 1
     */
    public void extractPatterns(int minFiles) throws AccpException {
        counting(handle -> Raw.accp_packet_extract_patterns(handle, minFiles));
    }

    /**
     * Merges decisions about parts of one thing, and seals the packet. The originals remain in
     * {@code context.merged}, which no prompt has.
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
     * @param note the news of this version
     * @throws AccpException ERR_ARG if one of them is empty, and without a note
     */
    public void revise(ContextPacket old, String note) throws AccpException {
        byte[] text = Texts.in(note, "note");
        withOther(Objects.requireNonNull(old, "old"), (packet, other) -> {
            Raw.accp_packet_revise(packet, other, text);
            return null;
        });
    }

    /**
     * Returns the differences from an older packet.
     *
     * @param old the older packet
     * @return JSON:
     *     {@code {"versions":[1,2],"decisions":{"added":[…],"removed":[…],"changed":[…]}}}
     * @throws AccpException ERR_ARG if one of them is empty
     */
    public String diff(ContextPacket old) throws AccpException {
        return Texts.out(withOther(Objects.requireNonNull(old, "old"), Raw::accp_packet_print_diff));
    }

    private interface Both {
        byte[] of(long packet, long other) throws AccpException;
    }

    // The turn of the older object comes first, so no two calls wait for each other.
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

    // Counting the prompt may call the host.
    private void counting(Tell call) throws AccpException {
        Upcall.guard(() -> {
            tell(call);
            return null;
        });
    }
}
