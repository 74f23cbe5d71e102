// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Callback;
import org.libaccp.internal.Native;

/**
 * A host's callback, as the library calls it. What it throws never crosses the border: it becomes a status, and the cause of the exception that the
 * call then ends with. Holds what the host gave and nothing of ours, as the library keeps it alive.
 */
abstract class Upcall implements Callback {
    static final int IO = -5;
    static final int INTERNAL = 9999;
    private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();

    private final int otherwise;

    /**
     * Makes one.
     *
     * @param otherwise the status for an exception that has no code of ours
     */
    Upcall(int otherwise) {
        this.otherwise = otherwise;
    }

    abstract byte[] answer(byte[][] texts, long[] numbers) throws Exception;

    @Override
    public final byte[] call(int kind, byte[][] texts, long[] numbers) {
        Throwable earlier = THROWN.get();
        try {
            byte[] answered = answer(texts, numbers);
            if (earlier != null) {
                THROWN.set(earlier);  // a call that the callback made has taken it
            }
            return answered;
        } catch (AccpException e) {
            THROWN.set(e);
            numbers[0] = e.code() == 0 ? otherwise : e.code();
        } catch (Throwable e) {
            THROWN.set(e);
            numbers[0] = otherwise;
        }
        return null;
    }

    /** A call that may call back. */
    interface Call<T> {
        T run() throws AccpException;
    }

    static <T> T guard(Call<T> call) throws AccpException {
        THROWN.remove();
        T made;
        try {
            made = call.run();
        } catch (AccpException e) {
            throw caused(e);
        }
        if (THROWN.get() != null) {
            throw caused(AccpException.of(IO, "a callback failed"));
        }
        return made;
    }

    private static AccpException caused(AccpException e) {
        Throwable thrown = THROWN.get();
        THROWN.remove();
        if (thrown != null && thrown != e) {
            e.initCause(thrown);
        }
        return e;
    }

    /** For what the call must not fail with, as it has been taken by then. */
    static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    /** For one call only: gives the library what it may call, and takes it back. */
    static void lend(Upcall upcall, Handle.Tell call) throws AccpException {
        long target = Native.callbackNew(upcall);
        try {
            guard(() -> {
                call.to(target);
                return null;
            });
        } finally {
            Native.callbackFree(target);
        }
    }
}
