// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp.internal;

/** What the library calls in Java. */
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
     * One call, on the thread that called the library. Must not throw.
     *
     * @param kind which
     * @param texts what it is given, UTF-8; an envelope is answered here too
     * @param numbers the status goes to the first; then what it is given and answers
     * @return the text that is answered, or null
     */
    byte[] call(int kind, byte[][] texts, long[] numbers);
}
