// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams as publishers of {@code java.util.concurrent.Flow}, and counts for a meter. */
@Timeout(600)
class PublisherTest {
    /** Collects a stream, asking for one part at a time. */
    private static final class Collector implements Flow.Subscriber<StreamReceiver.Part> {
        final StringBuilder text = new StringBuilder();
        final CompletableFuture<String> whole = new CompletableFuture<>();
        private Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription of) {
            subscription = of;
            of.request(1);
        }

        @Override
        public void onNext(StreamReceiver.Part part) {
            text.append(part.data());
            subscription.request(1);
        }

        @Override
        public void onError(Throwable thrown) {
            whole.completeExceptionally(thrown);
        }

        @Override
        public void onComplete() {
            whole.complete(text.toString());
        }

        static Collector of(Flow.Publisher<StreamReceiver.Part> publisher) {
            Collector made = new Collector();
            publisher.subscribe(made);
            return made;
        }

        String reason() throws Exception {
            Throwable failed = assertThrows(java.util.concurrent.ExecutionException.class, () -> whole.get(120, TimeUnit.SECONDS)).getCause();
            return failed.getMessage();
        }
    }

    @Test
    void chunksInAnyOrderBecomeTextInOrder() throws Exception {
        String text = "Hello, wörld! ".repeat(3000);  // more parts than a buffer has
        List<Chunk> chunks = new ArrayList<>(Chunk.cut("s1", text, 32));
        assertTrue(chunks.size() > 1000);
        for (int i = 0; i + 1 < chunks.size(); i += 2) {
            java.util.Collections.swap(chunks, i, i + 1);
        }
        try (StreamReceiver receiver = new StreamReceiver()) {
            Collector one = Collector.of(receiver.publisher("s1")), two = Collector.of(receiver.publisher("s1"));
            for (Chunk chunk : chunks) {
                receiver.add(chunk);
            }
            assertEquals(text, one.whole.get(120, TimeUnit.SECONDS));
            assertEquals(text, two.whole.get(120, TimeUnit.SECONDS));
        }
    }

    @Test
    void messagesOfACodecArePublished() throws Exception {
        try (StreamReceiver receiver = new StreamReceiver(); Registry registry = Registry.ofAllProfiles(); Codec codec = new Codec(new Options().registry(registry))) {
            Collector one = Collector.of(receiver.publisher("s2", Executors.newSingleThreadExecutor()));
            for (Chunk chunk : Chunk.cut("s2", "in three pieces", 6)) {
                receiver.receive(codec.decode(codec.encodeChunk("a", "read", chunk)));
            }
            assertEquals("in three pieces", one.whole.get(120, TimeUnit.SECONDS));
        }
    }

    @Test
    void whatEndsEarlyFails() throws Exception {
        StreamReceiver receiver = new StreamReceiver();
        Flow.Publisher<StreamReceiver.Part> aborted = receiver.publisher("a");
        assertSame(aborted, receiver.publisher("a"));
        Collector[] all = {Collector.of(aborted), Collector.of(receiver.publisher("b")), Collector.of(receiver.publisher("c"))};
        for (String cid : List.of("a", "b", "c")) {
            receiver.add(new Chunk(cid, "begin", 0, 0, false));
        }
        receiver.end("a");
        receiver.remove("b");
        receiver.close();
        assertEquals("the stream was aborted", all[0].reason());
        assertEquals("the stream was removed", all[1].reason());
        assertEquals("the receiver was closed", all[2].reason());
        assertThrows(IllegalStateException.class, () -> receiver.publisher("d"));
        assertThrows(NullPointerException.class, () -> receiver.publisher(null));
        assertThrows(NullPointerException.class, () -> receiver.publisher("d", null));
    }

    @Test
    void countsForAMeter() throws AccpException {
        List<String> names = new ArrayList<>();
        List<LongSupplier> counts = new ArrayList<>();
        int at;
        try (Engine engine = Engine.open(); Session session = engine.session("s")) {
            engine.bindTo((name, unit, count) -> {
                names.add(name + " " + unit);
                counts.add(count);
            });
            assertEquals(engine.metrics().size(), names.size());
            at = names.indexOf("accp.records {record}");
            assertEquals(0, counts.get(at).getAsLong());
            session.append(LifetimeTest.MESSAGE);
            assertEquals(1, counts.get(at).getAsLong());
            assertThrows(NullPointerException.class, () -> engine.bindTo(null));
        }
        assertEquals(1, counts.get(at).getAsLong());
    }
}
