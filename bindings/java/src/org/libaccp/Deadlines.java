// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/**
 * The open requests of one side, with the time until which each waits. It reads no clock: times are
 * the caller's, in milliseconds. One thread at a time.
 */
public final class Deadlines extends Handle {
    /**
     * Makes an empty table with all defaults.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Deadlines() throws AccpException {
        this(null);
    }

    /**
     * Makes an empty table.
     *
     * @param options may be null: limits
     * @throws AccpException ERR_NOMEM; ERR_ARG for invalid options
     */
    public Deadlines(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_deadline_new), false, Raw::accp_deadline_free));
    }

    /**
     * Adds a sent request, or moves the deadline of an existing one.
     *
     * @param cid its correlation id
     * @param whenMs the end of its wait
     * @throws AccpException E1004 without a cid; E2003 if 4,096 are waiting
     */
    public void start(String cid, long whenMs) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_start(handle, text, whenMs));
    }

    /**
     * The intent {@code wait} came.
     *
     * @param cid the request's
     * @param whenMs the new end of its wait
     * @throws AccpException E3001 if it no longer waits
     */
    public void extend(String cid, long whenMs) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_extend(handle, text, whenMs));
    }

    /**
     * Removes a request that has got a reply or was cancelled.
     *
     * @param cid the request's
     * @throws AccpException E3001 if it no longer waits, so the reply is late
     */
    public void answer(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_remove(handle, text));
    }

    /**
     * Removes one request whose deadline has passed, the earliest first. It has failed with E3001.
     *
     * @param nowMs the time
     * @return its cid; null if none is left: call it until then
     * @throws AccpException ERR_NOMEM
     */
    public String expire(long nowMs) throws AccpException {
        return Texts.orNull(ask(handle -> Native.deadlineExpire(handle, nowMs)));
    }

    /** {@return the earliest deadline; {@link Long#MAX_VALUE} without requests} */
    public long next() {
        return know(Raw::accp_deadline_next);
    }
}
