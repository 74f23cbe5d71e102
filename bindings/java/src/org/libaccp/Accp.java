// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;

/** Functions of the library as a whole. */
public final class Accp {
    private Accp() {}

    /** {@return the version of the loaded library, such as {@code "1.0.0"}} */
    public static String version() {
        return Texts.out(Raw.accp_version());
    }

    /** {@return the predefined operations; the first 19 are the core of specification 4.3} */
    public static List<String> operations() {
        List<String> names = new ArrayList<>();
        for (byte[] name; (name = Raw.accp_operation_name(names.size())) != null;) {
            names.add(Texts.out(name));
        }
        return names;
    }

    /**
     * Returns the default value of a limit.
     *
     * @param limit the limit
     * @return its default
     */
    public static long defaultOf(Limit limit) {
        Objects.requireNonNull(limit, "limit");
        return Raw.accp_limit_default(limit.number);
    }

    /**
     * Makes a message id with few tokens in legal hexadecimal: a letter, then digits.
     *
     * @param letter 0 to 5: {@code a} to {@code f}
     * @param issuer 0 counts to 10^11 - 1; issuers 1 to 99 share a session and count to 10^9 - 1
     *     each
     * @param counter the number
     * @return 12 characters
     * @throws AccpException ERR_ARG for a number out of range
     */
    public static String mid(int letter, int issuer, long counter) throws AccpException {
        return Texts.out(Native.midFormat(letter, issuer, counter));
    }

    /**
     * Returns the W3C Trace Context {@code traceparent} of a frame, equal on both sides.
     *
     * @param cid of the frame, for the trace; empty: the mid is used
     * @param mid of the frame, for the span; with an aid the span is that of the answered frame
     * @return {@code 00-<32 hexadecimal digits>-<16>-01}
     * @throws AccpException ERR_ARG if both are empty
     */
    public static String traceparent(String cid, String mid) throws AccpException {
        return Texts.out(Native.traceparent(Texts.in(cid, "cid"), Texts.in(mid, "mid")));
    }
}
