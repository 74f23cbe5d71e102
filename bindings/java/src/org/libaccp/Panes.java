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
 * The packets of one project, in files under {@code .agentwire}: an orchestrator writes one for the
 * worker of a pane, the worker reads it and writes feedback, and the results of all tasks are
 * counted. Any number of them, in any number of processes, may be open on a project. One thread at
 * a time.
 */
public final class Panes extends Handle {
    /** The number of the packet that all panes share. */
    public static final int SHARED = -1;

    /** Options for reading a packet. */
    public enum Reading {
        /** Merged with the shared packet. */
        MERGED(0),
        /** Only the pane's own packet, without shared content. */
        ALONE(accp_panes_reading.ACCP_PANES_ALONE),
        /** The same, with any checksum: for editing. */
        UNVERIFIED(accp_panes_reading.ACCP_PANES_UNVERIFIED),
        /** Merged, read by the worker itself: a receipt is recorded. */
        RECEIPT(accp_panes_reading.ACCP_PANES_RECEIPT);

        final int number;

        Reading(int number) {
            this.number = number;
        }
    }

    /** Settings of a configuration. */
    public enum Setting {
        /** The number of a {@link ContextPacket.Depth}. */
        DEFAULT_DEPTH(accp_pane_setting.ACCP_PANES_DEFAULT_DEPTH),
        /** Tokens of a minimal packet. */
        BUDGET_MINIMAL(accp_pane_setting.ACCP_PANES_BUDGET_MINIMAL),
        /** Tokens of a standard packet. */
        BUDGET_STANDARD(accp_pane_setting.ACCP_PANES_BUDGET_STANDARD),
        /** Tokens of a deep packet. */
        BUDGET_DEEP(accp_pane_setting.ACCP_PANES_BUDGET_DEEP),
        /** 1: programs that start a worker make a packet for it. */
        AUTO_GENERATE(accp_pane_setting.ACCP_PANES_AUTO_GENERATE),
        /** 0: tasks and receipts are not recorded. */
        TRACK_EFFICIENCY(accp_pane_setting.ACCP_PANES_TRACK_EFFICIENCY),
        /** 1: a task's packet is archived and removed after the task. */
        AUTO_CLEANUP(accp_pane_setting.ACCP_PANES_AUTO_CLEANUP),
        /** The pane of the reader of the configuration; -1: not set. */
        OWN_PANE(accp_pane_setting.ACCP_PANES_OWN_PANE),
        /** The seconds that a writer waits for another before ERR_BUSY. */
        LOCK_SECONDS(accp_pane_setting.ACCP_PANES_LOCK_SECONDS);

        final int number;

        Setting(int number) {
            this.number = number;
        }
    }

    /**
     * A worker's feedback on its packet.
     *
     * @param gaps missing information
     * @param unused unneeded information
     */
    public record Feedback(List<String> gaps, List<String> unused) {
        /**
         * Copies both.
         *
         * @param gaps missing information
         * @param unused unneeded information
         */
        public Feedback {
            gaps = List.copyOf(gaps);
            unused = List.copyOf(unused);
        }
    }

    /**
     * A task that is over.
     *
     * @param kind of the task, such as {@code auth}; may be empty
     * @param pane its pane; -1: none
     * @param success whether it succeeded
     * @param depth of its packet; null: unknown
     * @param contextTokens of its packet; 0: as in the packet
     * @param wholeTokens of the packet's sources; 0: unknown
     * @param explored files that the worker looked up again; -1: unknown
     * @param feedback null: the feedback in the pane's file
     * @param at the time; null: now
     */
    public record Task(String kind, int pane, boolean success, ContextPacket.Depth depth, long contextTokens, long wholeTokens, long explored, Feedback feedback,
            Instant at) {
        /**
         * Makes a task without further details.
         *
         * @param kind of the task
         * @param pane its pane; -1: none
         * @param success whether it succeeded
         */
        public Task(String kind, int pane, boolean success) {
            this(kind, pane, success, null, 0, 0, -1, null, null);
        }
    }

    /**
     * A recommendation for the next packet.
     *
     * @param depth the level of detail
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
     * @param directory of the project, which must exist
     * @param store keeps removed packets, receipts and tasks; the panes keep it alive
     * @return the panes; to be closed
     * @throws AccpException as {@link #open(String, Store, Options)}
     */
    public static Panes open(String directory, Store store) throws AccpException {
        return open(directory, store, null);
    }

    /**
     * Opens a project.
     *
     * @param directory of the project, which must exist
     * @param store keeps removed packets, receipts and tasks; the panes keep it alive
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
     * Applies the part {@code context} of a configuration.
     *
     * @param yaml the configuration
     * @throws AccpException E1001: invalid YAML; E1004: an unknown name or an invalid value; then
     *     nothing changes
     */
    public void configure(String yaml) throws AccpException {
        byte[] text = Texts.in(yaml, "yaml");
        tell(panes -> Raw.accp_panes_configure(panes, text));
    }

    /**
     * A setting in force.
     *
     * @param which the setting
     * @return its number
     */
    public long setting(Setting which) {
        int number = Objects.requireNonNull(which, "which").number;
        return know(panes -> Raw.accp_panes_setting(panes, number));
    }

    /**
     * Seals a packet and writes it, durably.
     *
     * @param pane its number, or {@link #SHARED}, which must not exist yet
     * @param packet the packet
     * @throws AccpException as {@link #write(int, ContextPacket, String, boolean)}
     */
    public void write(int pane, ContextPacket packet) throws AccpException {
        write(pane, packet, null, false);
    }

    /**
     * Seals a packet and writes it, durably.
     *
     * @param pane its number, or {@link #SHARED}
     * @param packet the packet
     * @param revision the required checksum of the current packet; null: any for a pane; for the
     *     shared packet there must be none
     * @param edited whether it was edited by hand, which is counted
     * @throws AccpException ERR_ARG: it is empty, or an invalid pane; ERR_BUSY: another revision
     *     exists; ERR_IO: the old packet remains
     */
    public void write(int pane, ContextPacket packet, String revision, boolean edited) throws AccpException {
        byte[] sum = Texts.orEmpty(revision);
        int how = edited ? accp_panes_writing.ACCP_PANES_EDITED : 0;
        with(packet, (panes, of) -> Raw.accp_panes_write(panes, pane, of, sum, clock.millis(), how));
    }

    /**
     * Reads the packet of a pane.
     *
     * @param pane its number, or {@link #SHARED}
     * @param packet replaced; empty on failure
     * @param reading options
     * @throws AccpException E2001: it does not exist; E1001, E1004: it is not a packet, or its
     *     checksum is wrong
     */
    public void read(int pane, ContextPacket packet, Reading reading) throws AccpException {
        int how = Objects.requireNonNull(reading, "reading").number;
        with(packet, (panes, of) -> Raw.accp_panes_read(panes, pane, clock.millis(), how, of));
    }

    /**
     * Removes only the packet of a pane. If the settings require it, packet and feedback are
     * archived first.
     *
     * @param pane its number
     * @throws AccpException E2001: it does not exist; ERR_IO: it was not removed
     */
    public void remove(int pane) throws AccpException {
        tell(panes -> Raw.accp_panes_remove(panes, pane, clock.millis()));
    }

    /**
     * Replaces the packet of a pane by one that was made again, and keeps what people changed by
     * hand.
     *
     * @param pane its number
     * @param packet the packet that was made; becomes the result, the next version
     * @param revision the required checksum of the current packet; null: any
     * @param note the entry of the changelog; null: the library lists the changes
     * @throws AccpException E2001: the pane has no packet; ERR_BUSY: another revision exists
     */
    public void refresh(int pane, ContextPacket packet, String revision, String note) throws AccpException {
        byte[] sum = Texts.orEmpty(revision);
        byte[] why = Texts.orEmpty(note);
        with(packet, (panes, of) -> Raw.accp_panes_refresh(panes, pane, of, sum, why));
    }

    /**
     * Writes the packet of a pane that was archived last, and its feedback.
     *
     * @param pane its number
     * @throws AccpException E2001: there is none; ERR_BUSY: the pane has a packet
     */
    public void restore(int pane) throws AccpException {
        tell(panes -> Raw.accp_panes_restore(panes, pane));
    }

    /**
     * Writes the feedback of a pane's worker. Items that mean "none" are ignored.
     *
     * @param pane its number
     * @param feedback the feedback
     * @throws AccpException E1001: too many, or too long; ERR_IO
     */
    public void writeFeedback(int pane, Feedback feedback) throws AccpException {
        Objects.requireNonNull(feedback, "feedback");
        byte[] gaps = lines(feedback.gaps);
        byte[] unused = lines(feedback.unused);
        tell(panes -> Raw.accp_panes_write_feedback(panes, pane, gaps, unused));
    }

    /**
     * Reads the feedback of a pane's worker.
     *
     * @param pane its number
     * @return the feedback
     * @throws AccpException E2001: it does not exist; E1001, E1004: it is unreadable
     */
    public Feedback feedback(int pane) throws AccpException {
        byte[][] both = ask(panes -> Native.panesFeedback(panes, pane));
        return new Feedback(Texts.out(both[0]).lines().toList(), Texts.out(both[1]).lines().toList());
    }

    /**
     * Records a task durably and cleans up after it, as the settings define.
     *
     * @param task the task
     * @throws AccpException ERR_ARG: it is invalid; after any other nothing was recorded or removed
     */
    public void record(Task task) throws AccpException {
        Feedback said = Objects.requireNonNull(task, "task").feedback;
        byte[][] texts = {Texts.orEmpty(task.kind), said == null ? Texts.EMPTY : lines(said.gaps), said == null ? Texts.EMPTY : lines(said.unused)};
        if (said != null && texts[1].length + texts[2].length == 0) {
            texts[1] = new byte[] {'\n'};  // explicit feedback that nothing was missing
        }
        long at = task.at == null ? clock.millis() : task.at.toEpochMilli();
        long[] numbers = {task.pane, task.success ? 1 : 0, task.depth == null ? -1 : task.depth.number, task.contextTokens, task.wholeTokens, task.explored, at};
        tell(panes -> Native.panesRecord(panes, texts, numbers));
    }

    /**
     * Returns the results of all tasks.
     *
     * @param compared whether to show the earlier half beside the later
     * @return lines for people
     * @throws AccpException ERR_CORRUPT, ERR_IO
     */
    public String stats(boolean compared) throws AccpException {
        return Texts.out(ask(panes -> Raw.accp_panes_print_stats(panes, compared ? 1 : 0)));
    }

    /**
     * The same with every number.
     *
     * @param compared whether to include both halves
     * @return JSON
     * @throws AccpException ERR_CORRUPT, ERR_IO
     */
    public String statsJson(boolean compared) throws AccpException {
        return Texts.out(ask(panes -> Raw.accp_panes_print_stats_json(panes, compared ? 1 : 0)));
    }

    /**
     * Returns the recommended depth for the next packet of a kind of task.
     *
     * @param kind of the task; empty: any
     * @return the depth and the reason; the default depth if there are too few tasks
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

    // The turn of the panes comes first, so two such calls never wait for each other. Counting the
    // prompt may call the host.
    private void with(ContextPacket packet, Both call) throws AccpException {
        Objects.requireNonNull(packet, "packet");
        Upcall.guard(() -> {
            tell(panes -> packet.tell(of -> call.to(panes, of)));
            return null;
        });
    }
}
