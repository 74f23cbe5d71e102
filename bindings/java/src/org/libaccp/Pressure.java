// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What handles hold in native memory. The collector sees a hundred bytes of each, and would let gigabytes be forgotten: so it is asked to run when much is held, as
 * the JDK does for direct buffers; at first at 256 MiB, then at twice what was still in use after it had run. Who closes what he opens never gets there.
 */
final class Pressure {
    /** An engine, with what its first session makes; on average, as the Go tests measure it. */
    static final long ENGINE = 340 << 10;
    /** A session, a codec, any other. */
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

    /** Runs the collector, and waits a little for the cleaner to free what it finds. */
    private static void collect(Cleaner cleaner) {
        CountDownLatch cleaned = new CountDownLatch(1);
        cleaner.register(new Object(), cleaned::countDown);
        System.gc();
        try {
            cleaned.await(100, TimeUnit.MILLISECONDS);
            for (long before = Long.MAX_VALUE; HELD.get() < before;) {  // it frees in no order
                before = HELD.get();
                TimeUnit.MILLISECONDS.sleep(2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
