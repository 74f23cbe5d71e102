// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * Native memory with an owner in Java: it is not freed during use, not used after it was freed, and
 * freed by the collector if forgotten.
 */
class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    final State state;
    private final Cleaner.Cleanable cleanable;

    Handle(State state) {
        this.state = state;
        cleanable = CLEANER.register(this, state);
    }

    /**
     * Frees the native memory, at the latest when a running call on another thread has ended. It
     * may be closed twice.
     */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** A call with a result. */
    interface Ask<T> {
        T of(long handle) throws AccpException;
    }

    /** A call without a result. */
    interface Tell {
        void to(long handle) throws AccpException;
    }

    // Without these fences the collector may collect a handle during its last use, and the cleaner
    // may close it before the call begins.
    final <T> T ask(Ask<T> call) throws AccpException {
        long handle = state.enter();
        try {
            return call.of(handle);
        } finally {
            state.exit();
            Reference.reachabilityFence(this);
        }
    }

    final void tell(Tell call) throws AccpException {
        long handle = state.enter();
        try {
            call.to(handle);
        } finally {
            state.exit();
            Reference.reachabilityFence(this);
        }
    }

    /** Keeps the memory until {@link State#unuse}, even if it is closed before. */
    final long use() {
        try {
            return state.use();
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** A question that cannot fail. */
    final <T> T know(LongFunction<T> call) {
        long handle = state.enter();
        try {
            return call.apply(handle);
        } finally {
            state.exit();
            Reference.reachabilityFence(this);
        }
    }

    /** Frees the native object of a state. */
    interface Free {
        void free(long handle);
    }

    /**
     * The native half of a handle, separate so that the cleaner can hold it. Calls on a handle for
     * one thread at a time queue for its turn. One word has the other state: bit 0, a call is
     * running on such a handle; bit 1, closed; above, the number of running calls on a shared
     * handle and of other handles that depend on it. The call that changes the word to "closed and
     * nothing else" frees the memory.
     */
    static final class State implements Runnable {
        private static final int BUSY = 1;
        private static final int CLOSED = 2;
        private static final int USER = 4;
        private static final VarHandle WORD;

        static {
            try {
                WORD = MethodHandles.lookup().findVarHandle(State.class, "word", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private volatile int word;
        private final boolean shared;
        private final ReentrantLock turn;  // null if shared
        private final long handle;
        private final long bytes;
        private final Free free;
        private final State[] parents;

        /**
         * Takes over the handle; each parent must be in {@link #use} and is released when this is
         * freed.
         */
        State(long handle, boolean shared, Free free, State... parents) {
            this(handle, Pressure.HANDLE, shared, free, parents);
        }

        /** The same with the size of its native memory. */
        State(long handle, long bytes, boolean shared, Free free, State... parents) {
            this.bytes = bytes;
            Pressure.hold(bytes, CLEANER);
            this.handle = handle;
            this.shared = shared;
            turn = shared ? null : new ReentrantLock(true);
            this.free = free;
            this.parents = parents;
        }

        long enter() {
            return shared ? use() : own();
        }

        void exit() {
            if (shared) {
                leave(USER);
                return;
            }
            try {
                leave(BUSY);
            } finally {
                turn.unlock();
            }
        }

        /** Waits for the turn, in the order of the calls. */
        private long own() {
            if (turn.isHeldByCurrentThread()) {
                throw new IllegalStateException("a callback uses what has called it: do that after the call");
            }
            turn.lock();
            for (;;) {
                int now = word;
                if ((now & CLOSED) != 0) {
                    turn.unlock();
                    throw new IllegalStateException("it is closed");
                }
                if (WORD.compareAndSet(this, now, now | BUSY)) {
                    return handle;
                }
            }
        }

        /** Keeps the memory until {@link #unuse}, even if it is closed before. */
        long use() {
            for (;;) {
                int now = word;
                if ((now & CLOSED) != 0) {
                    throw new IllegalStateException("it is closed");
                }
                if (WORD.compareAndSet(this, now, now + USER)) {
                    return handle;
                }
            }
        }

        void unuse() {
            leave(USER);
        }

        private void leave(int what) {
            if ((int) WORD.getAndAdd(this, -what) - what == CLOSED) {
                release();
            }
        }

        /** Closes; called by the cleaner, once. */
        @Override
        public void run() {
            int before = (int) WORD.getAndBitwiseOr(this, CLOSED);
            if (before == 0) {
                release();
            }
        }

        private void release() {
            free.free(handle);
            Pressure.unhold(bytes);
            for (State parent : parents) {
                parent.unuse();
            }
        }
    }
}
