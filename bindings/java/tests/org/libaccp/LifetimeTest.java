// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
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

    private static void callsQueue(String place) throws Exception {
        try (Store store = Store.open(place, StoreFlag.NO_WAIT); Engine engine = Engine.builder().store(store).log((received, status, line) -> { }).open();
                Session session = engine.session("s"); Codec codec = new Codec(null); FrameCodec frames = new FrameCodec()) {
            run(8, () -> {
                for (int i = 0; i < 25; i++) {
                    session.append(MESSAGE);
                    codec.encode(MESSAGE);
                    frames.encode(MESSAGE);
                }
                return null;
            });
            assertEquals(200, session.records());
        }
    }

    @Test
    void callsQueue() throws Exception {
        callsQueue("memory:");
        Path directory = Files.createTempDirectory("accp");
        try {
            callsQueue("sqlite:" + directory.resolve("s.db"));
        } finally {
            for (String name : directory.toFile().list()) {
                Files.delete(directory.resolve(name));
            }
            Files.delete(directory);
        }
    }

    // A codec that is held in a call until it is told to go on: what queues after it.
    @Test
    void whoQueuesIsServedInOrderAndEndsWithClose() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        Codec codec = new Codec(null);
        codec.setLog((received, status, line) -> {
            inside.countDown();
            try {
                leave.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            order.add(line.length());
        });
        List<Thread> threads = new ArrayList<>();
        AtomicInteger closed = new AtomicInteger();
        for (int i = 0; i < 6; i++) {
            String frame = "@a>req:x{k:\"" + "y".repeat(10 * i + 1) + "\"}";
            threads.add(new Thread(() -> {
                try {
                    codec.decode(frame);
                } catch (AccpException e) {
                    throw new IllegalStateException(e);
                } catch (IllegalStateException e) {
                    closed.incrementAndGet();
                }
            }));
            threads.get(i).start();
            inside.await();
            for (int wait = 0; i > 0 && wait < 500 && threads.get(i).getState() != Thread.State.WAITING; wait++) {
                Thread.sleep(1);
            }
        }
        leave.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        List<Integer> sorted = new ArrayList<>(order);
        Collections.sort(sorted);
        assertEquals(sorted, order);
        assertEquals(6, order.size());

        CountDownLatch again = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        codec.setLog((received, status, line) -> {
            again.countDown();
            try {
                end.await();
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
        again.await();
        Thread queued = new Thread(() -> {
            try {
                codec.encode(MESSAGE);
            } catch (AccpException e) {
                throw new IllegalStateException(e);
            } catch (IllegalStateException e) {
                closed.incrementAndGet();
            }
        });
        queued.start();
        codec.close();  // takes effect when the other thread's call ends
        end.countDown();
        first.join();
        queued.join();
        assertEquals(1, closed.get());
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
    }

    @Test
    void onlyReentranceIsRefused() throws Exception {
        Session[] session = new Session[1];
        List<String> said = new ArrayList<>();
        Codec.Resolver resolver = ref -> {
            said.add(assertThrows(IllegalStateException.class, () -> session[0].append(MESSAGE)).getMessage());
            said.add(assertThrows(IllegalStateException.class, () -> session[0].next()).getMessage());
            return "1".getBytes(StandardCharsets.UTF_8);
        };
        try (Engine engine = Engine.builder().resolver(resolver).open()) {
            session[0] = engine.session("s");
            assertEquals(Session.Receipt.APPLIED, session[0].receive("@a>req:x{k:$warm.there}[mid:a00000000001,seq:1]"));
            assertEquals(1, session[0].records());
            assertEquals(List.of("a callback uses what has called it: do that after the call"), said.stream().distinct().collect(Collectors.toList()));
            session[0].close();
        }
    }

    @Test
    void aPeerSpeaksAsItself() throws AccpException {
        try (Engine engine = Engine.builder().own("planner").rule(Rule.BY_SENDER, 1).open(); Session session = engine.session("s")) {
            String frame = "@dev>req:x{k:1}[mid:a00000000001,seq:1]";
            assertThrows(AccpException.PolicyDenied.class, () -> session.receiveFrom(Session.Peer.of("qa"), frame));
            assertThrows(AccpException.PolicyDenied.class, () -> session.receiveFrom(Session.Peer.of(), frame));
            assertThrows(AccpException.PolicyDenied.class,
                    () -> session.receiveFrom(Session.Peer.of(Session.Peer.ANY), "@planner>req:x{k:1}[mid:a00000000002,seq:1]"));
            assertEquals(Session.Receipt.APPLIED, session.receiveFrom(new Session.Peer(Set.of("dev", "qa"), true), frame));
            assertTrue(session.next().untrusted());
        }
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

    private static long resident() throws Exception {
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096;
    }

    // 2,500 engines with a session each that nobody closes would be 850 MB.
    @Test
    void theCollectorIsToldOfNativeMemory() throws Exception {
        long before = resident();
        for (int i = 0; i < 2500; i++) {
            Engine.open().session("s").send(MESSAGE);
        }
        long grown = (resident() - before) >> 20;
        assertTrue(grown < 550, grown + " MiB");
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
