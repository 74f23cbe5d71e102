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
        Codec codec = new Codec(new Options().registry(registry));
        Negotiation negotiation = new Negotiation("a", new Options().registry(registry));
        Renderer renderer = new Renderer();
        ContextPacket packet = new ContextPacket();
        PacketIndex index = new PacketIndex();
        Library library = new Library((String) null);
        Sacp sacp = new Sacp(library);
        AgentRegistry agents = new AgentRegistry();
        PlanRun run = new PlanRun(new PlanRequest("{}"));
        StreamReceiver streams = new StreamReceiver();
        Deadlines deadlines = new Deadlines();
        Store store = Store.open("memory:");
        Engine engine = Engine.open(new Options().store(store));
        Session session = engine.session("s");
        for (int i = 0; i < 2; i++) {
            for (Handle handle : List.of((Handle) session, (Handle) engine, deadlines, streams, run, agents, sacp, library, index, packet, renderer, negotiation, codec, registry, counter, tokenizer, batch, frames)) {
                handle.close();
            }
            store.close();
        }
        assertThrows(IllegalStateException.class, () -> frames.parse("@a>req:x{}"));
        assertThrows(IllegalStateException.class, () -> frames.print("@a>req:x{}"));
        assertThrows(IllegalStateException.class, () -> batch.decode(new byte[0]));
        assertThrows(IllegalStateException.class, tokenizer::name);
        assertThrows(IllegalStateException.class, () -> new Counter(tokenizer));
        assertThrows(IllegalStateException.class, () -> counter.count("x"));
        assertThrows(IllegalStateException.class, registry::describe);
        assertThrows(IllegalStateException.class, () -> new Codec(new Options().registry(registry)));
        assertThrows(IllegalStateException.class, () -> new Codec(new Options().tokenizer(tokenizer)));
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
        assertThrows(IllegalStateException.class, codec::outcome);
        assertThrows(IllegalStateException.class, negotiation::nextFrame);
        assertThrows(IllegalStateException.class, () -> renderer.json("1"));
        assertThrows(IllegalStateException.class, packet::toYaml);
        assertThrows(IllegalStateException.class, packet::warnings);
        assertThrows(IllegalStateException.class, index::size);
        assertThrows(IllegalStateException.class, () -> new Sacp(library));
        assertThrows(IllegalStateException.class, () -> sacp.validate("{}"));
        assertThrows(IllegalStateException.class, agents::size);
        assertThrows(IllegalStateException.class, run::state);
        assertThrows(IllegalStateException.class, streams::openCount);
        assertThrows(IllegalStateException.class, deadlines::next);
        assertThrows(IllegalStateException.class, store::counts);
        assertThrows(IllegalStateException.class, () -> engine.session("t"));
        assertThrows(IllegalStateException.class, () -> Engine.open(new Options().store(store)));
        assertThrows(IllegalStateException.class, session::nextDelivery);
        assertThrows(IllegalStateException.class, () -> session.send(MESSAGE));
    }

    @Test
    void whatIsBorrowedLivesAsLongAsItsBorrower() throws AccpException {
        Tokenizer tokenizer = new Tokenizer("o200k_base");
        Store store = Store.open("memory:");
        Registry registry = Registry.ofAllProfiles();
        Options options = new Options().store(store).registry(registry).tokenizer(tokenizer);
        Engine engine = Engine.open(options);
        try (Counter counter = new Counter(tokenizer); Session session = engine.session("s"); Codec codec = new Codec(options)) {
            tokenizer.close();
            registry.close();
            engine.close();
            store.close();
            assertEquals(2, counter.count("hello world"));
            assertTrue(codec.decode(codec.encode(MESSAGE)).contains("impl_auth"));
            assertTrue(codec.budget().total().tokens() > 5);
            session.budget();  // a question to what is in memory; what writes is the store's to refuse
        }
    }

    private static void run(int threads, Callable<?> body) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            futures.add(pool.submit(body));
        }
        for (Future<?> future : futures) {
            future.get(600, TimeUnit.SECONDS);
        }
        pool.shutdown();
    }

    @Test
    void sixtyFourThreadsOnTheirOwnSessions() throws Exception {
        AtomicInteger number = new AtomicInteger();
        try (Store store = Store.open("memory:"); Engine engine = Engine.open(new Options().store(store)); Engine other = Engine.open()) {
            run(64, () -> {
                String id = "s" + number.incrementAndGet();
                try (Session here = engine.session(id); Session there = other.session(id)) {
                    for (int i = 0; i < 30; i++) {
                        Message sent = Message.parse(MESSAGE.replace("impl_auth", id + "_" + i));
                        Message back = other.decode(engine.encode(sent, here), there);
                        assertEquals(sent.payload().get("task"), back.payload().get("task"));
                    }
                    assertEquals(30, here.recordCount());
                    return there.context();
                }
            });
            assertEquals(64, store.counts().sessions());
        }
    }

    private static void callsQueue(String place) throws Exception {
        try (Store store = Store.open(place, StoreFlag.NO_WAIT); Engine engine = Engine.open(new Options().store(store).log((received, status, line) -> { }));
                Session session = engine.session("s"); Codec codec = new Codec(); FrameCodec frames = new FrameCodec()) {
            run(8, () -> {
                for (int i = 0; i < 25; i++) {
                    session.append(MESSAGE);
                    codec.encode(MESSAGE);
                    frames.parse("@a>req:x{k:1}");
                }
                return null;
            });
            assertEquals(200, session.recordCount());
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

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // A codec that is held in a call until it may continue: other calls queue.
    @Test
    void whoQueuesIsServedInOrderAndEndsWithClose() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        Codec codec = new Codec(new Options().log((received, status, line) -> {
            inside.countDown();
            await(leave);
            order.add(line.length());
        }));
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
            for (int wait = 0; i > 0 && wait < 120_000 && threads.get(i).getState() != Thread.State.WAITING; wait++) {
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
        codec.close();

        CountDownLatch again = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Codec closing = new Codec(new Options().log((received, status, line) -> {
            again.countDown();
            await(end);
        }));
        Thread first = new Thread(() -> {
            try {
                closing.encode(MESSAGE);
            } catch (AccpException e) {
                throw new IllegalStateException(e);
            }
        });
        first.start();
        again.await();
        Thread queued = new Thread(() -> {
            try {
                closing.encode(MESSAGE);
            } catch (AccpException e) {
                throw new IllegalStateException(e);
            } catch (IllegalStateException e) {
                closed.incrementAndGet();
            }
        });
        queued.start();
        closing.close();  // takes effect when the other thread's call ends
        end.countDown();
        first.join();
        queued.join();
        assertEquals(1, closed.get());
        assertThrows(IllegalStateException.class, () -> closing.encode(MESSAGE));
    }

    @Test
    void onlyReentranceIsRefused() throws Exception {
        Session[] session = new Session[1];
        List<String> said = new ArrayList<>();
        Codec.Resolver resolver = ref -> {
            said.add(assertThrows(IllegalStateException.class, () -> session[0].append(MESSAGE)).getMessage());
            said.add(assertThrows(IllegalStateException.class, () -> session[0].nextDelivery()).getMessage());
            return "1".getBytes(StandardCharsets.UTF_8);
        };
        try (Engine engine = Engine.open(new Options().resolver(resolver))) {
            session[0] = engine.session("s");
            assertEquals(Session.Receipt.APPLIED, session[0].receive("@a>req:x{k:$warm.there}[mid:a00000000001,seq:1]"));
            assertEquals(1, session[0].recordCount());
            assertEquals(List.of("a callback uses what has called it: do that after the call"), said.stream().distinct().collect(Collectors.toList()));
            session[0].close();
        }
    }

    @Test
    void aPeerSpeaksAsItself() throws AccpException {
        try (Engine engine = Engine.open(new Options().ownAgents("planner").rule(Rule.BY_SENDER, 1)); Session session = engine.session("s")) {
            String frame = "@dev>req:x{k:1}[mid:a00000000001,seq:1]";
            assertThrows(AccpException.PolicyDenied.class, () -> session.receive(frame, Session.Peer.of("qa")));
            assertThrows(AccpException.PolicyDenied.class, () -> session.receive(frame, Session.Peer.of()));
            assertThrows(AccpException.PolicyDenied.class,
                    () -> session.receive("@planner>req:x{k:1}[mid:a00000000002,seq:1]", Session.Peer.of(Session.Peer.ANY)));
            assertEquals(Session.Receipt.APPLIED, session.receive(frame, new Session.Peer(Set.of("dev", "qa"), true)));
            assertTrue(session.nextDelivery().untrusted());
        }
    }

    // Tests UTF-8, offsets and invalid names; the steps of bindings.jsonl cover the permitted
    // messages of a peer.
    @Test
    void withoutAFrameAPeerSpeaksAsItselfToo() throws AccpException {
        try (Engine engine = Engine.open(new Options().ownAgents("planner")); Session session = engine.session("s")) {
            String message = "{\"agent\":\"dev\",\"intent\":\"done\",\"operation\":\"x\",\"payload\":{}";
            String raised = message + ",\"untrusted\":false}", chat = "{\"role\":\"user\",\"content\":\"a\"}";
            byte[] planner = message.replace("dev", "planner").concat("}").getBytes(StandardCharsets.UTF_8);
            Session.Peer dev = new Session.Peer(Set.of("dev"), true), any = new Session.Peer(Set.of(Session.Peer.ANY), true);
            assertEquals(raised.indexOf("false"), assertThrows(AccpException.PolicyDenied.class, () -> session.append(raised, dev)).offset());
            assertThrows(AccpException.PolicyDenied.class, () -> session.append(planner, any));
            assertThrows(AccpException.PolicyDenied.class, () -> session.appendMessages(Interface.OPENAI, chat, any));
            assertThrows(AccpException.PolicyDenied.class, () -> session.appendHistory(Interface.OPENAI, chat, null, dev));
            assertThrows(IllegalArgumentException.class, () -> Session.Peer.of("dev,qa"));
            assertEquals(0, session.recordCount());
            session.append((message + "}").getBytes(StandardCharsets.UTF_8), dev);
            Session.Peer user = new Session.Peer(Set.of(Session.Peer.ANY, "user"), true);
            assertEquals(1, session.appendMessages(Interface.OPENAI, chat.getBytes(StandardCharsets.UTF_8), user));
            assertEquals("(untrusted message) @dev done:x\n(untrusted message) @user req:plan content:a\n", session.context().text());
        }
    }

    @Test
    void aCallbackThatClosesItsOwnCodec() throws AccpException {
        Codec[] own = new Codec[1];
        Codec codec = own[0] = new Codec(new Options().log((received, status, line) -> own[0].close()));
        codec.encode(MESSAGE);
        assertThrows(IllegalStateException.class, () -> codec.encode(MESSAGE));
    }

    @Test
    void closingFromManyThreadsDuringCalls() throws Exception {
        for (int round = 0; round < 50; round++) {
            Codec codec = new Codec();
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

    // Handles that are never closed, some of them unreachable during a call, with the collector
    // running all the time.
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
            assertEquals(MESSAGE, new Codec().decode(new Codec().encode(MESSAGE)));
            Session session = Engine.open().session("s");  // its engine is forgotten at once
            session.append(MESSAGE);
            states.add(((Handle) session).state);
            assertEquals(2, new Counter(new Tokenizer("o200k_base")).count("hello world"));
            Codec codec = new Codec(new Options().log((received, status, line) -> System.gc()));
            if (i % 30 == 0) {
                codec.encode(MESSAGE);
            }
        }
        int freed = 0;
        for (int wait = 0; wait < 6_000 && freed < states.size() - 1; wait++) {
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

    // 2,500 engines with a session each that are never closed would be 850 MB.
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

    /** Two packets in one call, in both orders at once, and one with itself. */
    @Test
    void packetsTogether() throws Exception {
        String text = "{\"version\":1,\"created\":\"2024-01-15T10:30:00Z\",\"creator\":\"a\",\"target_task\":\"t\",\"context\":{\"goal\":\"g\","
                + "\"decisions\":[{\"choice\":\"Use JWT\",\"reason\":\"Stateless\"}]}}";
        try (ContextPacket a = new ContextPacket(); ContextPacket b = new ContextPacket(); PacketIndex index = new PacketIndex()) {
            a.read(text);
            b.read(text);
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean turned = i % 2 == 1;
                all.add(threads.submit(() -> {
                    for (int n = 0; n < 200; n++) {
                        assertEquals("{\"versions\":[null,null]}", turned ? b.diff(a) : a.diff(b));
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get(600, TimeUnit.SECONDS);
            }
            threads.shutdown();
            a.revise(a, "again");
            a.filter("JWT", 0);
            assertTrue(a.score(ContextPacket.Kind.DECISION, 1) >= 0.07);
            assertEquals(-1, a.score(ContextPacket.Kind.DECISION, 2));
            index.add(a);
            assertEquals("Stateless", Json.parse(index.query("Why JWT?", a.checksum())).get("answer").asString());
            assertEquals(2001, assertThrows(AccpException.class, () -> index.query("Why Redis?")).code());
        }
    }
}
