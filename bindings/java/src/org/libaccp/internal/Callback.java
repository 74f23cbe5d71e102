// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp.internal;

/** A Java function that the library calls. */
public interface Callback {
    int RESOLVE = 0;
    int KEEP = 1;
    int ENVELOPE = 2;
    int TOOL = 3;
    int POLICY = 4;
    int LOG = 5;
    int COUNT = 6;
    int TEXT = 7;
    int DAMAGE = 8;
    int COLD_PUT = 9;
    int COLD_GET = 10;
    int SUMMARY = 11;
    int EVENT = 12;
    int EXTRACT = 13;
    int MODEL = 14;
    int KINDS = 15;

    /**
     * Receives one call, on the thread that called the library. It must not throw.
     *
     * @param kind the kind of the callback
     * @param texts inputs in UTF-8; the result of an envelope goes here too
     * @param numbers the first receives the status; then inputs and outputs
     * @return the result as text, or null
     */
    byte[] call(int kind, byte[][] texts, long[] numbers);
}
