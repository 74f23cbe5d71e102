// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Closing, threads, and the collector. */
class LifetimeTest {
    static final String MESSAGE = "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\",\"payload\":{\"task\":\"impl_auth\",\"priority\":\"high\"}}";

    @Test
    void aClosedHandleIsRefusedAndClosingTwiceIsNothing() throws AccpException {
        FrameCodec frames = new FrameCodec();
        Batch batch = new Batch();
        Tokenizer tokenizer = new Tokenizer("o200k_base");
        Counter counter = new Counter(tokenizer);
        Registry registry = Registry.ofAllProfiles();
        Codec codec = new Codec(registry);
        Negotiation negotiation = new Negotiation(registry, "a", Extension.Q1);
        Renderer renderer = new Renderer();
        StreamReceiver streams = new StreamReceiver();
        Deadlines deadlines = new Deadlines();
        Store store = Store.open("memory:");
        Engine engine = Engine.builder().store(store).open();
        Session session = engine.session("s");
        for (int i = 0; i < 2; i++) {
            for (Handle handle : List.of(session, engine, deadlines, streams, renderer, negotiation, codec, registry, counter, tokenizer, batch, frames)) {
                handle.close();
            }
            store.close();
        }
        assertThrows(IllegalStateException.class, () -> frames.parse("@a>req:x{}"));
        assertThrows(IllegalStateException.class, () -> frames.setEnvelope(null));
        assertThrows(IllegalStateException.class, () -> batch.decode(new byte[0]));
        assertThrows(IllegalStateException.class, tokenizer::name);
        assertThrows(IllegalStateException.class, () -> new Counter(tokenizer));
        assertThrows(IllegalStateException.class, () -> counter.count("x"));
        assertThrows(IllegalStateException.class, registry::hash);
        assertThrows(IllegalStateException.class, () -> new Codec(registry));
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
        assertThrows(IllegalStateException.class, () -> codec.setLog((received, status, line) -> { }));
        assertThrows(IllegalStateException.class, negotiation::next);
        assertThrows(IllegalStateException.class, () -> renderer.json("1"));
        assertThrows(IllegalStateException.class, streams::count);
        assertThrows(IllegalStateException.class, deadlines::next);
        assertThrows(IllegalStateException.class, store::stats);
        assertThrows(IllegalStateException.class, () -> engine.session("t"));
        assertThrows(IllegalStateException.class, () -> Engine.builder().store(store).open());
        assertThrows(IllegalStateException.class, session::next);
        assertThrows(IllegalStateException.class, () -> session.send(MESSAGE));
    }

    @Test
    void whatIsBorrowedLivesAsLongAsItsBorrower() throws AccpException {
        Tokenizer tokenizer = new Tokenizer("o200k_base");
        Store store = Store.open("memory:");
        Registry registry = Registry.ofAllProfiles();
        Engine engine = Engine.builder().store(store).registry(registry).tokenizer(tokenizer).open();
        try (Counter counter = new Counter(tokenizer); Session session = engine.session("s"); Codec codec = new Codec(registry)) {
            tokenizer.close();
            registry.close();
            engine.close();
            store.close();
            assertEquals(2, counter.count("hello world"));
            assertTrue(codec.decode(codec.encode(MESSAGE)).contains("impl_auth"));
            session.budget();  // a question to what is in memory; what writes is the store's to refuse
        }
    }

    @Test
    void aCounterThatWasClosedIsNotUsedByItsCodec() throws AccpException {
        try (Registry registry = Registry.ofAllProfiles(); Codec codec = new Codec(registry); Tokenizer tokenizer = new Tokenizer("o200k_base")) {
            Counter counter = new Counter(tokenizer);
            codec.setCounter(counter);
            codec.encode(MESSAGE);
            assertTrue(codec.tokens().total() > 5);
            counter.close();
            assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
            codec.setCounter(null);
            codec.encode(MESSAGE);
        }
    }

    private static void run(int threads, Callable<?> body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            futures.add(pool.submit(body));
        }
        for (Future<?> future : futures) {
            future.get(120, TimeUnit.SECONDS);
        }
        pool.shutdown();
    }

    @Test
    void sixtyFourThreadsOnTheirOwnSessions() throws Exception {
        AtomicInteger number = new AtomicInteger();
        try (Store store = Store.open("memory:"); Engine engine = Engine.builder().store(store).open(); Engine other = Engine.open()) {
            run(64, () -> {
                String id = "s" + number.incrementAndGet();
                try (Session here = engine.session(id); Session there = other.session(id)) {
                    for (int i = 0; i < 30; i++) {
                        Message sent = Message.parse(MESSAGE.replace("impl_auth", id + "_" + i));
                        Message back = other.decode(engine.encode(sent, here), there);
                        assertEquals(sent.payload().get("task"), back.payload().get("task"));
                    }
                    assertEquals(30, here.records());
                    return there.context();
                }
            });
            assertEquals(64, store.stats().sessions());
        }
    }

    @Test
    void oneSessionMisusedByManyThreads() throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        try (Engine engine = Engine.open(); Session session = engine.session("s")) {
            run(16, () -> {
                for (int i = 0; i < 200; i++) {
                    try {
                        session.append(MESSAGE);
                        done.incrementAndGet();
                    } catch (IllegalStateException e) {
                        refused.incrementAndGet();
                    }
                }
                return null;
            });
            assertEquals(3200, done.get() + refused.get());
            assertTrue(done.get() > 0);
            assertEquals(done.get(), session.records());
        }
    }

    @Test
    void aSecondThreadIsRefusedDuringACall() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Codec codec = new Codec(null);
        codec.setLog((received, status, line) -> {
            inside.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread first = new Thread(() -> {
            try {
                codec.encode(MESSAGE);
            } catch (AccpException e) {
                throw new IllegalStateException(e);
            }
        });
        first.start();
        inside.await();
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
        codec.close();  // takes effect when the other thread's call ends
        leave.countDown();
        first.join();
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
    }

    @Test
    void aCallbackThatClosesItsOwnCodec() throws AccpException {
        Codec codec = new Codec(null);
        codec.setLog((received, status, line) -> codec.close());
        codec.encode(MESSAGE);
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
    }

    @Test
    void closingFromManyThreadsDuringCalls() throws Exception {
        for (int round = 0; round < 50; round++) {
            FrameCodec codec = new FrameCodec();
            run(4, () -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        codec.decode("@a>req:x{k:1}");
                    }
                    codec.close();
                } catch (IllegalStateException e) {
                    codec.close();
                }
                return null;
            });
            assertThrows(IllegalStateException.class, () -> codec.decode("@a>req:x{}"));
        }
    }

    // Handles that nobody closes, some of them unreachable while a call of theirs is under way, with the collector running all the time.
    @Test
    void theCollectorFreesWhatWasForgottenAndNothingElse() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread collector = new Thread(() -> {
            while (!over.get()) {
                System.gc();
            }
        });
        collector.start();
        List<Handle.State> states = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            assertEquals(MESSAGE, new FrameCodec().decode(new FrameCodec().encode(MESSAGE)));
            Session session = Engine.open().session("s");  // its engine is forgotten at once
            session.append(MESSAGE);
            states.add(session.state);
            assertEquals(2, new Counter(new Tokenizer("o200k_base")).count("hello world"));
            Codec codec = new Codec(null);
            codec.setLog((received, status, line) -> System.gc());
            if (i % 30 == 0) {
                codec.encode(MESSAGE);
            }
        }
        int freed = 0;
        for (int wait = 0; wait < 100 && freed < states.size() - 1; wait++) {
            Thread.sleep(20);
            freed = (int) states.stream().filter(LifetimeTest::isClosed).count();
        }
        over.set(true);
        collector.join();
        assertTrue(freed >= states.size() - 1, freed + " of " + states.size());
    }

    private static boolean isClosed(Handle.State state) {
        try {
            state.use();
            state.unuse();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
