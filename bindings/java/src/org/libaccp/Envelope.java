// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_envelope_field;

/**
 * The standard envelope of a frame (specification 3.5), typed. Missing fields are null.
 *
 * @param mid message id
 * @param seq sequence number
 * @param ts seconds since the epoch
 * @param cid correlation id
 * @param aid id of the cause
 * @param sid session id
 * @param ttl seconds to live
 */
public record Envelope(String mid, Long seq, Long ts, String cid, String aid, String sid, Long ttl) {
    /**
     * Makes the usual envelope.
     *
     * @param mid message id
     * @param seq sequence number
     */
    public Envelope(String mid, long seq) {
        this(mid, seq, null, null, null, null, null);
    }

    byte[][] texts() throws AccpException {
        return Texts.all(mid, cid, aid, sid);
    }

    /** Fields, seq, ts, ttl. */
    long[] numbers() {
        long fields = bit(mid, accp_envelope_field.ACCP_ENVELOPE_MID) | bit(seq, accp_envelope_field.ACCP_ENVELOPE_SEQ)
                | bit(ts, accp_envelope_field.ACCP_ENVELOPE_TS) | bit(cid, accp_envelope_field.ACCP_ENVELOPE_CID)
                | bit(aid, accp_envelope_field.ACCP_ENVELOPE_AID) | bit(sid, accp_envelope_field.ACCP_ENVELOPE_SID)
                | bit(ttl, accp_envelope_field.ACCP_ENVELOPE_TTL);
        return new long[] {fields, orZero(seq), orZero(ts), orZero(ttl)};
    }

    /** Reads an envelope from both arrays; numbers begin at {@code at}. */
    static Envelope of(byte[][] texts, long[] numbers, int at) {
        long fields = numbers[at];
        return new Envelope(text(fields, accp_envelope_field.ACCP_ENVELOPE_MID, texts[0]), number(fields, accp_envelope_field.ACCP_ENVELOPE_SEQ,
                numbers[at + 1]), number(fields, accp_envelope_field.ACCP_ENVELOPE_TS, numbers[at + 2]), text(fields,
                accp_envelope_field.ACCP_ENVELOPE_CID, texts[1]), text(fields, accp_envelope_field.ACCP_ENVELOPE_AID, texts[2]), text(fields,
                accp_envelope_field.ACCP_ENVELOPE_SID, texts[3]), number(fields, accp_envelope_field.ACCP_ENVELOPE_TTL, numbers[at + 3]));
    }

    private static long bit(Object field, int bit) {
        return field == null ? 0 : bit;
    }

    private static long orZero(Long number) {
        return number == null ? 0 : number;
    }

    private static String text(long fields, int bit, byte[] text) {
        return (fields & bit) == 0 ? null : Texts.out(text);
    }

    private static Long number(long fields, int bit, long number) {
        return (fields & bit) == 0 ? null : number;
    }
}
