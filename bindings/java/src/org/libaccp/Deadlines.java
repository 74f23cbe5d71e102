// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/** Requests that wait for an answer, and until when. No clock is read: times are the caller's, in milliseconds. One thread at a time. */
public final class Deadlines extends Handle {
    /**
     * Makes an empty table with every default.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Deadlines() throws AccpException {
        this(null);
    }

    /**
     * Makes an empty table.
     *
     * @param options may be null: limits count
     * @throws AccpException ERR_NOMEM; ERR_ARG for options that cannot be
     */
    public Deadlines(Options options) throws AccpException {
        super(new State(Config.make(options, Raw::accp_deadline_new), false, Raw::accp_deadline_free));
    }

    /**
     * A request was sent; one that waits already is moved.
     *
     * @param cid its correlation id
     * @param whenMs until when it waits
     * @throws AccpException E1004 without a cid; E2003 where 4,096 wait
     */
    public void start(String cid, long whenMs) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_start(handle, text, whenMs));
    }

    /**
     * The intent {@code wait} came.
     *
     * @param cid the request's
     * @param whenMs until when it waits now
     * @throws AccpException E3001 where it waits no more
     */
    public void extend(String cid, long whenMs) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_extend(handle, text, whenMs));
    }

    /**
     * The answer came, or the request was cancelled.
     *
     * @param cid the request's
     * @throws AccpException E3001 where it waits no more: the answer came too late
     */
    public void answer(String cid) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_answer(handle, text));
    }

    /**
     * Takes out one request whose deadline has passed, the earliest first. Its error is E3001.
     *
     * @param nowMs the time
     * @return its cid; null where there is none: call it until then
     * @throws AccpException ERR_NOMEM
     */
    public String expire(long nowMs) throws AccpException {
        return Texts.orNull(ask(handle -> Native.deadlineExpire(handle, nowMs)));
    }

    /** {@return the earliest deadline of all; {@link Long#MAX_VALUE} where nothing waits} */
    public long next() {
        return know(Raw::accp_deadline_next);
    }
}
