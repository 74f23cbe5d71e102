// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/** Native memory with an owner in Java: what is in use is not freed, what was freed is not used, and what was forgotten is freed by the collector. */
class Handle implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    final State state;
    private final Cleaner.Cleanable cleanable;

    Handle(State state) {
        this.state = state;
        cleanable = CLEANER.register(this, state);
    }

    /** Frees the native memory, at the latest when a call that is under way on another thread has ended. Closing twice is nothing. */
    @Override
    public void close() {
        cleanable.clean();
    }

    /** A call with a result. */
    interface Ask<T> {
        T of(long handle) throws AccpException;
    }

    /** A call without one. */
    interface Tell {
        void to(long handle) throws AccpException;
    }

    // The fences: without them the collector may take a handle whose last use this is, and the cleaner close it before the call begins.
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

    /** Keeps the memory until {@link State#unuse}, whoever closes meanwhile. */
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

    /** Frees what a state is made of. */
    interface Free {
        void free(long handle);
    }

    /**
     * The native half of a handle, apart from it so that the cleaner can hold it. Calls on a handle that serves one at a time queue for its turn. One word
     * says the rest: bit 0, a call is under way on such a handle; bit 1, closed; above, how many calls are under way on one that threads share, and how many other handles
     * live by this one. Who brings the word to "closed and nothing else" frees the memory.
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
        private final ReentrantLock turn;  // null where shared
        private final long handle;
        private final long bytes;
        private final Free free;
        private final State[] parents;

        /** Takes the handle over; each parent is entered by {@link #use} before and left when this is freed. */
        State(long handle, boolean shared, Free free, State... parents) {
            this(handle, Pressure.HANDLE, shared, free, parents);
        }

        /** With what it holds in native memory. */
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

        /** Waits for the turn; those that came earlier have it first. */
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

        /** Keeps the memory until {@link #unuse}, whoever closes meanwhile. */
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
