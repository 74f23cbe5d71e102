// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Raw;

/** Files of code, of which packets tell those of a task: their texts are not kept. One thread at a time. */
public final class PacketCode extends Handle {
    /**
     * Makes one without files, with every default.
     *
     * @throws AccpException ERR_NOMEM
     */
    public PacketCode() throws AccpException {
        this(null);
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
     * Removes the file of a path.
     *
     * @param path of the file
     * @return whether there was one
     * @throws AccpException E1004 for a path that is not Unicode
     */
    public boolean remove(String path) throws AccpException {
        byte[] name = Texts.in(path, "path");
        return ask(handle -> Raw.accp_packet_code_remove(handle, name) != 0);
    }

    /** {@return the number of files} */
    public long count() {
        return know(Raw::accp_packet_code_count);
    }
}
