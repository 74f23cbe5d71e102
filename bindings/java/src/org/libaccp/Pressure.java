// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the native memory of handles. The collector sees a hundred bytes of each and would allow
 * gigabytes of forgotten handles, so it is started when much is held, as the JDK does for direct
 * buffers: first at 256 MiB, then at twice the amount that remained in use. A program that closes
 * its handles does not reach this.
 */
final class Pressure {
    /** An engine with its first session, on average, as the Go tests measure it. */
    static final long ENGINE = 340 << 10;
    /** A session, a codec, or any other. */
    static final long HANDLE = 8 << 10;

    private static final long FIRST = 256 << 20;
    private static final AtomicLong HELD = new AtomicLong();
    private static final AtomicBoolean RUNNING = new AtomicBoolean();
    private static volatile long next = FIRST;

    private Pressure() {}

    static void hold(long bytes, Cleaner cleaner) {
        if (HELD.addAndGet(bytes) < next || !RUNNING.compareAndSet(false, true)) {
            return;
        }
        try {
            collect(cleaner);
            next = Math.max(FIRST, 2 * HELD.get());
        } finally {
            RUNNING.set(false);
        }
    }

    static void unhold(long bytes) {
        HELD.addAndGet(-bytes);
    }

    /** Runs the collector, and waits briefly for the cleaner. */
    private static void collect(Cleaner cleaner) {
        CountDownLatch cleaned = new CountDownLatch(1);
        cleaner.register(new Object(), cleaned::countDown);
        System.gc();
        try {
            cleaned.await(100, TimeUnit.MILLISECONDS);
            for (long before = Long.MAX_VALUE; HELD.get() < before;) {  // it frees in any order
                before = HELD.get();
                TimeUnit.MILLISECONDS.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
