// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.Callback;
import org.libaccp.internal.Native;

/**
 * A host's callback for the library. Its exceptions do not cross the border: they become a status
 * and the cause of the call's exception. It holds only the host's objects, because the library
 * keeps it alive.
 */
abstract class Upcall implements Callback {
    static final int IO = -5;
    static final int INTERNAL = 9999;
    private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();

    private final int otherwise;

    /**
     * Makes one with options.
     *
     * @param otherwise the status for an exception without an ACCP code
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
                THROWN.set(earlier);  // a call of the callback has taken it
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

    /** For a callback that must not fail the call, which has taken effect already. */
    static void uncaught(Throwable thrown) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    }

    /** Sets a callback for one call only. */
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
