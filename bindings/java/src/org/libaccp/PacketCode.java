// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Raw;

/** Files of code, of which packets tell those of a task: their texts are not kept. One thread at a time. */
public final class PacketCode extends Handle {
    /**
     * Makes one without files, with every default.
     *
     * @throws AccpException ERR_NOMEM
     */
    public PacketCode() throws AccpException {
        this((Options) null);
    }

    /**
     * Makes one without files.
     *
     * @param options may be null: limits count
     * @throws AccpException ERR_NOMEM; ERR_ARG for options that cannot be
     */
    public PacketCode(Options options) throws AccpException {
        super(Config.open(options, Pressure.HANDLE, false, Raw::accp_packet_code_new, Raw::accp_packet_code_free));
    }

    private PacketCode(Handle.State state) {
        super(state);
    }

    /**
     * Makes one that stays on disk, of the file that is there or of a new one (docs/packets.md, An index that stays): a cache, which is made anew where
     * it is damaged. {@link #sync()} before {@link #close()}, or what was added last may be lost.
     *
     * @param path of the file, in a directory that is there
     * @return the files that it has
     * @throws AccpException ERR_ARG for a file that is something else, or a library without SQLite; ERR_CORRUPT for no file of SQLite; ERR_IO
     */
    public static PacketCode open(String path) throws AccpException {
        return open(path, new Options());
    }

    /**
     * The same with options.
     *
     * @param path as {@link #open(String)}
     * @param options limits count
     * @return as {@link #open(String)}
     * @throws AccpException as {@link #open(String)}
     */
    public static PacketCode open(String path, Options options) throws AccpException {
        byte[] name = Texts.in(path, "path");
        Objects.requireNonNull(options, "options");
        return new PacketCode(
                Config.open(options, Pressure.HANDLE, false, config -> Raw.accp_packet_code_new_on_disk(name, config), Raw::accp_packet_code_free));
    }

    /**
     * Adds a file, or replaces the one of this path; the same text again costs no more than its hash.
     *
     * @param path from the tree's root on, with straight slashes
     * @param text of which the first 262,144 bytes are read; where one of them is NUL the path alone counts
     * @throws AccpException ERR_ARG for a path that is empty, or has more than 4,096 bytes; ERR_NOMEM
     */
    public void add(String path, String text) throws AccpException {
        add(path, Texts.in(text, "text"));
    }

    /**
     * Adds a file, or replaces the one of this path.
     *
     * @param path as {@link #add(String, String)}
     * @param text any bytes
     * @throws AccpException as {@link #add(String, String)}
     */
    public void add(String path, byte[] text) throws AccpException {
        byte[] name = Texts.in(path, "path");
        byte[] bytes = Texts.in(text, "text");
        tell(handle -> Raw.accp_packet_code_add(handle, name, bytes));
    }

    /**
     * The same with a stamp, of which only the caller knows what it says: a hash of the file's size and times, say.
     *
     * @param path as {@link #add(String, String)}
     * @param text any bytes
     * @param stamp what {@link #stamp} then tells; 0: none
     * @throws AccpException as {@link #add(String, String)}
     */
    public void add(String path, byte[] text, long stamp) throws AccpException {
        byte[] name = Texts.in(path, "path");
        byte[] bytes = Texts.in(text, "text");
        tell(handle -> Raw.accp_packet_code_add_stamped(handle, name, bytes, stamp));
    }

    /**
     * The stamp that the file of a path was added with last: whether its text has to be read at all.
     *
     * @param path of the file
     * @return 0: there is no such file, or no stamp
     * @throws AccpException E1004 for a path that is not Unicode
     */
    public long stamp(String path) throws AccpException {
        byte[] name = Texts.in(path, "path");
        return ask(handle -> Raw.accp_packet_code_stamp(handle, name));
    }

    /**
     * All paths.
     *
     * @return in the order of their bytes
     * @throws AccpException ERR_NOMEM; of one on disk ERR_IO, ERR_CORRUPT
     */
    public List<String> paths() throws AccpException {
        String all = Texts.out(ask(Raw::accp_packet_code_paths));
        return all.isEmpty() ? List.of() : List.of(all.split("\0"));
    }

    /**
     * Writes what was added to the disk.
     *
     * @throws AccpException ERR_IO (also where the disk is full), ERR_BUSY: nothing is lost, call again; ERR_CORRUPT: the file was damaged, and is gone
     */
    public void sync() throws AccpException {
        tell(Raw::accp_packet_code_sync);
    }

    /**
     * Removes the file of a path.
     *
     * @param path of the file
     * @return whether there was one
     * @throws AccpException E1004 for a path that is not Unicode; of one on disk as {@link #sync()}
     */
    public boolean remove(String path) throws AccpException {
        byte[] name = Texts.in(path, "path");
        int removed = ask(handle -> Raw.accp_packet_code_remove(handle, name));
        if (removed < 0) {
            throw AccpException.of(removed, 0, null);
        }
        return removed != 0;
    }

    /** {@return the number of files} */
    public long count() {
        return know(Raw::accp_packet_code_count);
    }
}
