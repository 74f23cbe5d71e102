// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/** Requests that wait for an answer, and until when. No clock is read: times are the caller's, in one unit. One thread at a time. */
public final class Deadlines extends Handle {
    /**
     * Makes an empty table.
     *
     * @throws AccpException ERR_NOMEM
     */
    public Deadlines() throws AccpException {
        super(new State(Raw.accp_deadline_new(0), false, Raw::accp_deadline_free));
    }

    /**
     * A request was sent; one that waits already is moved.
     *
     * @param cid its correlation id
     * @param when until when it waits
     * @throws AccpException E1004 without a cid; E2003 where 4,096 wait
     */
    public void start(String cid, long when) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_start(handle, text, when));
    }

    /**
     * The intent {@code wait} came.
     *
     * @param cid the request's
     * @param when until when it waits now
     * @throws AccpException E3001 where it waits no more
     */
    public void extend(String cid, long when) throws AccpException {
        byte[] text = Texts.in(cid, "cid");
        tell(handle -> Raw.accp_deadline_extend(handle, text, when));
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
     * @param now the time
     * @return its cid; null where there is none: call it until then
     * @throws AccpException ERR_NOMEM
     */
    public String expire(long now) throws AccpException {
        return Texts.out(ask(handle -> Native.deadlineExpire(handle, now)));
    }

    /** {@return the earliest deadline of all; {@link Long#MAX_VALUE} where nothing waits} */
    public long next() {
        return know(Raw::accp_deadline_next);
    }
}
