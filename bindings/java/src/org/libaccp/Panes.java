// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_pane_setting;
import org.libaccp.internal.accp_panes_reading;
import org.libaccp.internal.accp_panes_writing;

/**
 * The packets of one project, in files under {@code .agentwire}: an orchestrator writes one for the worker of a pane, the worker reads it and says what it missed, and
 * what came of all tasks is counted. Any number of them, in any number of processes, may be open on a project. One thread at a time.
 */
public final class Panes extends Handle {
    /** In place of a pane's number: the packet that all panes share. */
    public static final int SHARED = -1;

    /** How a packet is read. */
    public enum Reading {
        /** With what is shared merged in. */
        MERGED(0),
        /** The pane's own packet, without what is shared. */
        ALONE(accp_panes_reading.ACCP_PANES_ALONE),
        /** The same, and its checksum may be any: to edit it. */
        UNVERIFIED(accp_panes_reading.ACCP_PANES_UNVERIFIED),
        /** Merged, by the worker itself: that it has read this packet is recorded. */
        RECEIPT(accp_panes_reading.ACCP_PANES_RECEIPT);

        final int number;

        Reading(int number) {
            this.number = number;
        }
    }

    /** What a configuration says. */
    public enum Setting {
        /** The number of a {@link ContextPacket.Depth}. */
        DEFAULT_DEPTH(accp_pane_setting.ACCP_PANES_DEFAULT_DEPTH),
        /** Tokens of a minimal packet. */
        BUDGET_MINIMAL(accp_pane_setting.ACCP_PANES_BUDGET_MINIMAL),
        /** Tokens of a standard packet. */
        BUDGET_STANDARD(accp_pane_setting.ACCP_PANES_BUDGET_STANDARD),
        /** Tokens of a deep packet. */
        BUDGET_DEEP(accp_pane_setting.ACCP_PANES_BUDGET_DEEP),
        /** 1: whoever starts a worker makes a packet for it. */
        AUTO_GENERATE(accp_pane_setting.ACCP_PANES_AUTO_GENERATE),
        /** 0: no task and no receipt is written. */
        TRACK_EFFICIENCY(accp_pane_setting.ACCP_PANES_TRACK_EFFICIENCY),
        /** 1: a task's packet is archived and removed with it. */
        AUTO_CLEANUP(accp_pane_setting.ACCP_PANES_AUTO_CLEANUP),
        /** The pane of whoever reads the configuration; -1: not said. */
        OWN_PANE(accp_pane_setting.ACCP_PANES_OWN_PANE),
        /** How many seconds a writer waits for another: then ERR_BUSY. */
        LOCK_SECONDS(accp_pane_setting.ACCP_PANES_LOCK_SECONDS);

        final int number;

        Setting(int number) {
            this.number = number;
        }
    }

    /**
     * What a worker says of its packet.
     *
     * @param gaps what it missed
     * @param unused what it had and did not need
     */
    public record Feedback(List<String> gaps, List<String> unused) {
        /**
         * Copies both.
         *
         * @param gaps what it missed
         * @param unused what it had and did not need
         */
        public Feedback {
            gaps = List.copyOf(gaps);
            unused = List.copyOf(unused);
        }
    }

    /**
     * A task that is over.
     *
     * @param kind of what sort it was, such as {@code auth}; may be empty
     * @param pane whose; -1: of none
     * @param success whether it is done
     * @param depth of its packet; null: not known
     * @param contextTokens of its packet; 0: as that says
     * @param wholeTokens of what the packet was made from; 0: not known
     * @param explored files that the worker looked up again; -1: not known
     * @param feedback null: that of the pane's file
     * @param at when; null: now
     */
    public record Task(String kind, int pane, boolean success, ContextPacket.Depth depth, long contextTokens, long wholeTokens, long explored, Feedback feedback,
            Instant at) {
        /**
         * A task of which no more is known.
         *
         * @param kind of what sort it was
         * @param pane whose; -1: of none
         * @param success whether it is done
         */
        public Task(String kind, int pane, boolean success) {
            this(kind, pane, success, null, 0, 0, -1, null, null);
        }
    }

    /**
     * What the next packet ought to be.
     *
     * @param depth how much it says
     * @param why the reason
     */
    public record Advice(ContextPacket.Depth depth, String why) {}

    private final Clock clock;

    private Panes(State state, Clock clock) {
        super(state);
        this.clock = clock;
    }

    /**
     * Opens a project.
     *
     * @param directory of the project, which has to be there
     * @param store keeps what is removed, receipts and tasks; the panes keep what they need of it
     * @return the panes; to be closed
     * @throws AccpException as {@link #open(String, Store, Options)}
     */
    public static Panes open(String directory, Store store) throws AccpException {
        return open(directory, store, null);
    }

    /**
     * Opens a project.
     *
     * @param directory of the project, which has to be there
     * @param store keeps what is removed, receipts and tasks; the panes keep what they need of it
     * @param options may be null: limits, clock
     * @return the panes; to be closed
     * @throws AccpException ERR_ARG, ERR_IO: no such directory
     */
    public static Panes open(String directory, Store store, Options options) throws AccpException {
        byte[] name = Texts.in(directory, "directory");
        Objects.requireNonNull(store, "store");
        State state = store.handle.ask(shared -> Config.open(options, Pressure.HANDLE, false, config -> Raw.accp_panes_open(name, shared, config), Raw::accp_panes_close));
        return new Panes(state, options == null ? Clock.systemUTC() : options.config.clock);
    }

    /**
     * Takes over the part {@code context} of a configuration.
     *
     * @param yaml the configuration
     * @throws AccpException E1001: no YAML; E1004: a name that is not there, or a value that cannot be: nothing changes then
     */
    public void configure(String yaml) throws AccpException {
        byte[] text = Texts.in(yaml, "yaml");
        tell(panes -> Raw.accp_panes_configure(panes, text));
    }

    /**
     * A setting in force.
     *
     * @param which of them
     * @return its number
     */
    public long setting(Setting which) {
        int number = Objects.requireNonNull(which, "which").number;
        return know(panes -> Raw.accp_panes_setting(panes, number));
    }

    /**
     * Seals a packet and writes it, durably.
     *
     * @param pane whose, or {@link #SHARED}, of which there must be none
     * @param packet the packet
     * @throws AccpException as {@link #write(int, ContextPacket, String, boolean)}
     */
    public void write(int pane, ContextPacket packet) throws AccpException {
        write(pane, packet, null, false);
    }

    /**
     * Seals a packet and writes it, durably.
     *
     * @param pane whose, or {@link #SHARED}
     * @param packet the packet
     * @param revision the checksum that the packet there has to have; null: of a pane any, of the shared one there must be none
     * @param edited whether somebody has changed it by hand, which is counted
     * @throws AccpException ERR_ARG: it is empty, or no such pane; ERR_BUSY: there is another revision; ERR_IO: what was there still is
     */
    public void write(int pane, ContextPacket packet, String revision, boolean edited) throws AccpException {
        byte[] sum = Texts.orEmpty(revision);
        int how = edited ? accp_panes_writing.ACCP_PANES_EDITED : 0;
        with(packet, (panes, of) -> Raw.accp_panes_write(panes, pane, sum, how, clock.millis(), of));
    }

    /**
     * Reads the packet of a pane.
     *
     * @param pane whose, or {@link #SHARED}
     * @param packet replaced; empty on failure
     * @param reading how
     * @throws AccpException E2001: there is none; E1001, E1004: it is no packet, or its checksum is wrong
     */
    public void read(int pane, ContextPacket packet, Reading reading) throws AccpException {
        int how = Objects.requireNonNull(reading, "reading").number;
        with(packet, (panes, of) -> Raw.accp_panes_read(panes, pane, how, clock.millis(), of));
    }

    /**
     * Removes the packet of a pane and nothing else; packet and feedback are archived before, where the settings say so.
     *
     * @param pane whose
     * @throws AccpException E2001: there is none; ERR_IO: it is still there
     */
    public void remove(int pane) throws AccpException {
        tell(panes -> Raw.accp_panes_remove(panes, pane, clock.millis()));
    }

    /**
     * Writes what the worker of a pane says. Items that say that there is none are nothing.
     *
     * @param pane whose
     * @param feedback what it says
     * @throws AccpException E1001: too many, or too long; ERR_IO
     */
    public void writeFeedback(int pane, Feedback feedback) throws AccpException {
        Objects.requireNonNull(feedback, "feedback");
        byte[] gaps = lines(feedback.gaps);
        byte[] unused = lines(feedback.unused);
        tell(panes -> Raw.accp_panes_write_feedback(panes, pane, gaps, unused));
    }

    /**
     * What the worker of a pane said.
     *
     * @param pane whose
     * @return what it said
     * @throws AccpException E2001: there is none; E1001, E1004: it cannot be read
     */
    public Feedback feedback(int pane) throws AccpException {
        byte[][] both = ask(panes -> Native.panesFeedback(panes, pane));
        return new Feedback(Texts.out(both[0]).lines().toList(), Texts.out(both[1]).lines().toList());
    }

    /**
     * Records a task, durably, and cleans up after it, both as the settings say.
     *
     * @param task the task
     * @throws AccpException ERR_ARG: it cannot be; else nothing was recorded, and nothing removed
     */
    public void record(Task task) throws AccpException {
        Feedback said = Objects.requireNonNull(task, "task").feedback;
        byte[][] texts = {Texts.orEmpty(task.kind), said == null ? Texts.EMPTY : lines(said.gaps), said == null ? Texts.EMPTY : lines(said.unused)};
        if (said != null && texts[1].length + texts[2].length == 0) {
            texts[1] = new byte[] {'\n'};  // nothing was missed, and that was said
        }
        long at = task.at == null ? clock.millis() : task.at.toEpochMilli();
        long[] numbers = {task.pane, task.success ? 1 : 0, task.depth == null ? -1 : task.depth.number, task.contextTokens, task.wholeTokens, task.explored, at};
        tell(panes -> Native.panesRecord(panes, texts, numbers));
    }

    /**
     * What came of all tasks.
     *
     * @param compared whether of the earlier half beside the later
     * @return lines for people
     * @throws AccpException ERR_CORRUPT, ERR_IO
     */
    public String stats(boolean compared) throws AccpException {
        return Texts.out(ask(panes -> Raw.accp_panes_print_stats(panes, compared ? 1 : 0)));
    }

    /**
     * The same with every number.
     *
     * @param compared whether with both halves in it
     * @return JSON
     * @throws AccpException ERR_CORRUPT, ERR_IO
     */
    public String statsJson(boolean compared) throws AccpException {
        return Texts.out(ask(panes -> Raw.accp_panes_print_stats_json(panes, compared ? 1 : 0)));
    }

    /**
     * The depth that the next packet for such a task ought to have.
     *
     * @param kind of the task; empty: of any
     * @return the depth, and why; the default one where tasks are too few
     * @throws AccpException ERR_CORRUPT, ERR_IO
     */
    public Advice advise(String kind) throws AccpException {
        byte[] text = Texts.in(kind, "kind");
        long[] depth = new long[1];
        byte[][] why = ask(panes -> Native.panesAdvise(panes, text, depth));
        return new Advice(ContextPacket.Depth.values()[(int) depth[0]], Texts.out(why[0]));
    }

    private static byte[] lines(List<String> items) throws AccpException {
        StringBuilder lines = new StringBuilder();
        for (String item : items) {
            lines.append(item.replace('\n', ' ')).append('\n');
        }
        return Texts.in(lines.toString(), "items");
    }

    private interface Both {
        void to(long panes, long packet) throws AccpException;
    }

    // Panes first, so that two such calls never wait for each other. The prompt is counted, perhaps by the host.
    private void with(ContextPacket packet, Both call) throws AccpException {
        Objects.requireNonNull(packet, "packet");
        Upcall.guard(() -> {
            tell(panes -> packet.tell(of -> call.to(panes, of)));
            return null;
        });
    }
}
