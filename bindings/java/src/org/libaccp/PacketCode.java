// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Raw;

/**
 * An index of code files from which packets select those of a task. It does not keep their texts.
 * One thread at a time.
 */
public final class PacketCode extends Handle {
    /**
     * Makes an empty index in memory with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public PacketCode() throws AccpException {
        this((Options) null);
    }

    /**
     * Makes an empty index in memory.
     *
     * @param options may be null: limits
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public PacketCode(Options options) throws AccpException {
        super(Config.open(options, Pressure.HANDLE, false, Raw::accp_packet_code_new, Raw::accp_packet_code_free));
    }

    private PacketCode(Handle.State state) {
        super(state);
    }

    /**
     * Opens or creates an index on disk (docs/packets.md, An index that stays): a cache, which is
     * rebuilt if it is damaged. Call {@link #sync()} before {@link #close()}, or the last additions
     * may be lost.
     *
     * @param path of the file, in an existing directory
     * @return the index with the files in it
     * @throws AccpException ERR_ARG for a file that is something else, or a library without SQLite;
     *     ERR_CORRUPT for a file that is not from SQLite; ERR_IO
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
     * Adds a file or replaces the one with this path; the same text costs only its hash.
     *
     * @param path relative to the tree's root, with forward slashes
     * @param text the first 262,144 bytes are read; if they contain a NUL, only the path counts
     * @throws AccpException ERR_ARG for a path that is empty, or has more than 4,096 bytes;
     *     ERR_NOMEM
     */
    public void add(String path, String text) throws AccpException {
        add(path, Texts.in(text, "text"));
    }

    /**
     * Adds a file or replaces the one with this path.
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
     * Adds a file with a stamp of the caller, such as a hash of the file's size and times.
     *
     * @param path as {@link #add(String, String)}
     * @param text any bytes
     * @param stamp the value that {@link #stamp} returns; 0: none
     * @throws AccpException as {@link #add(String, String)}
     */
    public void add(String path, byte[] text, long stamp) throws AccpException {
        byte[] name = Texts.in(path, "path");
        byte[] bytes = Texts.in(text, "text");
        tell(handle -> Raw.accp_packet_code_add_stamped(handle, name, bytes, stamp));
    }

    /**
     * Returns the last stamp of a path, to decide whether its text has to be read.
     *
     * @param path of the file
     * @return 0: the file does not exist or has no stamp
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
     * @throws AccpException ERR_NOMEM; on disk ERR_IO, ERR_CORRUPT
     */
    public List<String> paths() throws AccpException {
        String all = Texts.out(ask(Raw::accp_packet_code_paths));
        return all.isEmpty() ? List.of() : List.of(all.split("\0"));
    }

    /**
     * Writes additions to the disk.
     *
     * @throws AccpException ERR_IO (also for a full disk), ERR_BUSY: nothing is lost, call again;
     *     ERR_CORRUPT: the file was damaged and is removed
     */
    public void sync() throws AccpException {
        tell(Raw::accp_packet_code_sync);
    }

    /**
     * Removes the file with a path.
     *
     * @param path of the file
     * @return whether it existed
     * @throws AccpException E1004 for a path that is not Unicode; on disk as {@link #sync()}
     */
    public boolean remove(String path) throws AccpException {
        byte[] name = Texts.in(path, "path");
        try {
            tell(handle -> Raw.accp_packet_code_remove(handle, name));
            return true;
        } catch (AccpException.RefNotFound notThere) {
            return false;
        }
    }

    /** {@return the number of files} */
    public long count() {
        try {
            return ask(Raw::accp_packet_code_count);
        } catch (AccpException unreadable) {
            return 0;
        }
    }
}
