// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callbacks of the host. */
class CallbackTest {
    private static final String LONG = "A string of more than fifty characters, which leaves by reference where there is a keeper.";
    private static final String TOOL = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"tool\",\"payload\":{\"tool_name\":\"grep\",\"arguments\":{\"k\":1},\"schema\":\"TC\"}}";

    private static String message(String text) {
        return "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":\"" + text + "\"}}";
    }

    private static Options all(Registry registry) {
        return new Options().registry(registry);
    }

    @Test
    void whatACallbackThrowsIsTheCause() throws AccpException {
        RuntimeException thrown = new RuntimeException("thrown");
        try (Registry registry = Registry.ofAllProfiles(); Codec codec = new Codec(all(registry).resolver(ref -> {
            throw thrown;
        }).keeper(json -> {
            throw thrown;
        }).tools((name, arguments) -> {
            throw thrown;
        })); Codec denying = new Codec(all(registry).policy(asked -> {
            throw new StackOverflowError();
        })); Codec plain = new Codec(all(registry).resolver(null).keeper(null))) {
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> codec.decode("@a>req:x{k:$warm.z}")).getCause());
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> codec.encode(message(LONG))).getCause());
            assertSame(thrown, assertThrows(AccpException.InternalError.class, () -> codec.encode(TOOL)).getCause());
            assertTrue(assertThrows(AccpException.InternalError.class, () -> denying.encode(TOOL)).getCause() instanceof StackOverflowError);
            assertNull(assertThrows(AccpException.RefNotFound.class, () -> plain.decode("@a>req:x{k:$warm.z}")).getCause());
            assertEquals(message(LONG), plain.decode(plain.encode(message(LONG))));
        }
    }

    // A log that counts refusals, with another tokenizer of the host.
    @Test
    void theCauseStaysThoughALaterCallbackCallsBackToo() throws AccpException {
        RuntimeException thrown = new RuntimeException("thrown");
        try (Registry registry = Registry.ofAllProfiles(); Tokenizer words = Tokenizer.of("words", true, text -> 1); Counter counter = new Counter(words);
                Tokenizer broken = Tokenizer.of("broken", true, text -> {
                    throw new IOException("broken");
                }); Counter failing = new Counter(broken); Codec codec = new Codec(all(registry).resolver(ref -> {
                    throw thrown;
                }).log((received, code, text) -> {
                    assertDoesNotThrow(() -> counter.count(text));
                    assertTrue(assertThrows(AccpException.Io.class, () -> failing.count(text)).getCause() instanceof IOException);
                }))) {
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> codec.decode("@a>req:x{k:$warm.z}")).getCause());
        }
    }

    @Test
    void aSessionAsksThemToo() throws AccpException {
        RuntimeException thrown = new RuntimeException("thrown");
        try (Engine engine = Engine.open(new Options().tools((name, arguments) -> {
            throw thrown;
        }).policy(asked -> {
            if (asked.received()) {
                throw new AccpException.PolicyDenied("not here");
            }
        })); Session session = engine.session("s")) {
            assertSame(thrown, assertThrows(AccpException.InternalError.class, () -> session.send(TOOL)).getCause());
            assertThrows(AccpException.PolicyDenied.class, () -> session.receive("@a>req:x{k:1}[mid:a00000000001,seq:1]"));
            session.send(message("{}"));
        }
    }

    @Test
    void aCodeThatACallbackThrowsIsTheCallsOwn() throws AccpException {
        try (Registry registry = Registry.ofAllProfiles(); Codec codec = new Codec(all(registry).resolver(ref -> {
            throw new AccpException.RefExpired("too old");
        }).tools((name, arguments) -> {
            assertEquals("grep", name);
            assertEquals(1, arguments.get("k").asInt());
            throw new AccpException.ToolNotFound("no such tool");
        }))) {
            AccpException e = assertThrows(AccpException.RefExpired.class, () -> codec.decode("@a>req:x{k:$warm.z}"));
            assertEquals("too old", ((AccpException) e.getCause()).reason());
            assertThrows(AccpException.ToolNotFound.class, () -> codec.encode(TOOL));
        }
    }

    @Test
    void aCallbackMustNotUseItsCodec() throws AccpException {
        Codec[] own = new Codec[1];
        Codec.Resolver resolver = ref -> own[0].encode(message("x")).getBytes(StandardCharsets.UTF_8);
        try (Codec codec = own[0] = new Codec(new Options().resolver(resolver))) {
            AccpException e = assertThrows(AccpException.Io.class, () -> codec.decode("@a>req:x{k:$warm.z}"));
            assertTrue(e.getCause() instanceof IllegalStateException);
        }
    }

    @Test
    void valuesGoByReferenceAndComeBack() throws AccpException {
        Map<String, byte[]> kept = new ConcurrentHashMap<>();
        try (Registry registry = Registry.ofAllProfiles(); Codec codec = new Codec(all(registry).resolver(kept::get).keeper(json -> {
            kept.put("cold.t1", json);
            return "cold.t1";
        })); Codec without = new Codec(all(registry).keeper(json -> null))) {
            String frame = codec.encode(message(LONG + " 😀"));
            assertEquals("@a>req:x{k:$cold.t1}", frame);
            assertEquals(1, codec.outcome().kept());
            assertEquals(message(LONG + " 😀"), codec.decode(frame));
            assertTrue(without.encode(message(LONG)).length() > LONG.length());  // it cannot be kept: it stays
            assertEquals(0, without.outcome().kept());
        }
    }

    @Test
    void aMessageInParts() throws AccpException {
        long[] next = {1};
        RuntimeException thrown = new RuntimeException("thrown");
        Options options = new Options().rule(Rule.MAX_TOKENS, 60).rule(Rule.PARTS, 1);
        try (Codec whole = new Codec(options); Codec codec = new Codec(options.nextEnvelope(first -> {
            next[0]++;
            return new Envelope("a0000000000" + next[0], next[0], first.ts(), first.cid(), first.aid(), first.sid(), first.ttl());
        })); Codec throwing = new Codec(options.nextEnvelope(first -> {
            throw thrown;
        })); Codec receiver = new Codec(new Options().rule(Rule.PARTS, 1))) {
            assertThrows(AccpException.BudgetExceeded.class, () -> whole.encode(message(LONG.repeat(6))));
            codec.setEnvelope(new Envelope("a00000000001", 1));
            String[] parts = codec.encode(message(LONG.repeat(3))).split("\n");
            assertEquals(parts.length, codec.outcome().parts());
            assertTrue(parts.length > 1);
            String message = null;
            for (int i = parts.length - 1; i >= 0; i--) {
                assertNull(message);
                message = receiver.decode(parts[i]);
            }
            assertEquals(LONG.repeat(3), Message.parse(message).payload().get("k").asString());
            receiver.decode(parts[0]);
            receiver.removeParts(null);
            assertNull(receiver.decode(parts[0]));  // a part like any other again
            throwing.setEnvelope(new Envelope("a00000000001", 1));
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> throwing.encode(message(LONG.repeat(3)))).getCause());
        }
    }

    @Test
    void aTokenizerOfTheHost() throws AccpException {
        RuntimeException thrown = new RuntimeException("thrown");
        try (Tokenizer words = Tokenizer.of("words 😀", true, text -> {
            String string = new String(text, StandardCharsets.UTF_8);
            if (string.equals("throw")) {
                throw thrown;
            }
            return string.isEmpty() ? 0 : string.split(" ").length;
        }); Counter counter = new Counter(words)) {
            assertEquals("words 😀", words.name());
            assertTrue(words.isApproximate());
            assertEquals(3, counter.count("a b c"));
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> counter.count("throw")).getCause());
            assertThrows(AccpException.Arg.class, () -> counter.encode("a"));
            counter.append("a b".getBytes(StandardCharsets.UTF_8));
            assertEquals(2, counter.total());
        }
    }

    @Test
    void aPacketTellsTheFilesOfItsTask() throws AccpException {
        try (PacketCode code = new PacketCode(); ContextPacket packet = new ContextPacket()) {
            code.add("routes/auth.py", "\"\"\"Routes of accounts.\"\"\"\nasync def login(user): ...\n");
            code.add("weather.py", "def rain(): ...\n");
            packet.generate("Mend the login", "", null, ContextPacket.Depth.STANDARD, 0, null, null, code);
            assertTrue(packet.toPrompt().contains("## Files\n- routes/auth.py: Routes of accounts (login)\n"));
            assertEquals(List.of(), packet.staleFiles(code));
            code.add("routes/auth.py", "another");
            assertEquals(List.of("routes/auth.py"), packet.staleFiles(code));
            assertTrue(code.remove("weather.py"));
            assertEquals(1, code.count());
            assertThrows(AccpException.Arg.class, () -> code.add("", "x"));
            assertThrows(AccpException.Arg.class, () -> packet.generate("Mend the login", "", null, ContextPacket.Depth.STANDARD));
        }
    }

    @Test
    void theFilesOfCodeStayOnDisk(@TempDir Path directory) throws AccpException, IOException {
        String path = directory.resolve("code.sqlite").toString();
        try (PacketCode code = PacketCode.open(path)) {
            code.add("routes/auth.py", "async def login(user): ...\n".getBytes(StandardCharsets.UTF_8), 7);
            code.add("weather.py", "def rain(): ...\n");
            code.sync();
        }
        try (PacketCode code = PacketCode.open(path, new Options()); ContextPacket packet = new ContextPacket()) {
            assertEquals(List.of("routes/auth.py", "weather.py"), code.paths());
            assertEquals(7, code.stamp("routes/auth.py"));
            assertEquals(0, code.stamp("none.py"));
            packet.generate("Mend the login", "", null, ContextPacket.Depth.STANDARD, 0, null, null, code);
            assertTrue(packet.toPrompt().contains("## Files\n- routes/auth.py: login\n"));
            assertTrue(code.remove("routes/auth.py"));
            assertFalse(code.remove("routes/auth.py"));
            assertTrue(code.remove("weather.py"));
            assertEquals(List.of(), code.paths());
        }
        Files.writeString(directory.resolve("letter"), "a letter to somebody");
        assertThrows(AccpException.class, () -> PacketCode.open(directory.resolve("letter").toString()));
        assertThrows(AccpException.Io.class, () -> PacketCode.open(directory.resolve("none/code").toString()));
    }

    @Test
    void aPacketKeepsItsTokenizerAndTakesTheClock() throws AccpException {
        RuntimeException thrown = new RuntimeException("thrown");
        boolean[] fails = {false};
        Tokenizer host = Tokenizer.of("bytes", true, text -> {
            if (fails[0]) {
                throw thrown;
            }
            return text.length;
        });
        try (ContextPacket packet = new ContextPacket(new Options().tokenizer(host).clock(Clock.fixed(Instant.ofEpochSecond(43200), ZoneOffset.UTC)))) {
            host.close();
            String chat = "User: It must not fail.\n\nAssistant: ok";
            packet.generate("Add a login", chat, Interface.SPEAKERS, ContextPacket.Depth.MINIMAL, 200, null, null);
            assertTrue(packet.toPrompt().contains("- It must not fail."));
            assertEquals(packet.toPrompt().length(), packet.tokenCount());
            assertEquals("1970-01-01T12:00:00Z", Json.parse(packet.toJson()).get("created").asString());
            assertEquals("bytes", Json.parse(packet.toJson()).get("tokenizer").asString());
            fails[0] = true;
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> packet.generate("Add a login", chat, Interface.SPEAKERS, ContextPacket.Depth.DEEP)).getCause());
            assertThrows(AccpException.Arg.class, packet::seal);
            assertEquals(3, assertThrows(AccpException.InvalidType.class, () -> packet.read(new byte[] {'a', ':', ' ', (byte) 0xff}, true)).offset());
        }
    }

    @Test
    void aPacketTellsItsTypingErrors() throws AccpException {
        try (ContextPacket packet = new ContextPacket()) {
            packet.read("version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext: {goal: g, constrains: [c]}\n", true);
            assertEquals(List.of("context.constrains constraints"), packet.misspeltMembers());
        }
    }

    @Test
    void aPacketAsksItsExtractor() throws AccpException {
        RuntimeException thrown = new RuntimeException("thrown");
        String[] told = {null, "{\"items\":[{\"kind\":\"decision\",\"text\":\"survive the proxy\",\"message\":1},"
                + "{\"kind\":\"failure\",\"text\":\"made up\",\"message\":0}]}"};
        try (ContextPacket packet = new ContextPacket(new Options().extractor(conversation -> {
            told[0] = conversation;
            if (told[1] == null) {
                throw thrown;
            }
            return told[1];
        }))) {
            String chat = "User: Add a login.\n\nAssistant: Cookies survive the proxy.";
            packet.generate("Add a login", chat, Interface.SPEAKERS, ContextPacket.Depth.STANDARD);
            assertTrue(packet.toPrompt().contains("- Cookies survive the proxy. (agent)"));
            assertEquals(Set.of(ContextPacket.Warning.DROPPED_ITEMS), packet.warnings());
            assertTrue(told[0].startsWith("{\"task\":\"Add a login\",\"messages\":[{\"number\":0,\"role\":\"user\","));
            told[1] = "no";
            assertThrows(AccpException.Corrupt.class, () -> packet.generate("Add a login", chat, Interface.SPEAKERS, ContextPacket.Depth.STANDARD));
            told[1] = null;
            assertSame(thrown, assertThrows(AccpException.Io.class, () -> packet.generate("Add a login", chat, Interface.SPEAKERS, ContextPacket.Depth.STANDARD)).getCause());
            assertThrows(AccpException.Arg.class, packet::seal);
        }
    }

    @Test
    void whatALogThrowsIsUncaughtAndTheCallSucceeds() throws Exception {
        List<Throwable> uncaught = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
        try (Engine engine = Engine.open(new Options().rule(Rule.SPECIFICATION, 1).redacted("secret").log((received, status, line) -> {
            lines.add(line);
            throw new IllegalArgumentException("thrown");
        }).summariser((hot, max) -> {
            throw new IllegalArgumentException("thrown");
        })); Session session = engine.session("s")) {
            session.send("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"secret\":\"hunter2\",\"k\":1}}");
            assertThrows(AccpException.class, () -> session.receive("@a>"));
            session.checkpoint();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(null);
        }
        assertEquals(2, lines.size());
        assertTrue(!lines.get(0).contains("hunter2"), lines.get(0));
        assertEquals(3, uncaught.size());
    }

    @Test
    void anEngineCounts() throws AccpException {
        try (Engine engine = Engine.open(new Options()); Session session = engine.session("s")) {
            session.append(LifetimeTest.MESSAGE);
            assertThrows(AccpException.class, () -> session.receive("@a>req:x{}"));
            assertTrue(engine.metrics().contains(new Engine.Metric("accp.records", "{record}", 1)), engine.metrics().toString());
            assertEquals(1, engine.outcomes(true, 1001));
            assertEquals(0, engine.outcomes(false, 0));
        }
    }

    @Test
    void aSummariserOfTheHost() throws AccpException {
        try (Engine engine = Engine.open(new Options().rule(Rule.SPECIFICATION, 1).summariser((hot, max) -> hot.contains("impl_auth") ? "auth is being built 😀" : null));
                Session session = engine.session("s")) {
            session.append(LifetimeTest.MESSAGE);
            assertEquals("(summary)\n auth is being built 😀", session.checkpoint().summary().strip());
        }
    }

    @Test
    void aResolverOfTheHost() throws AccpException {
        try (Engine here = Engine.open(new Options().rule(Rule.SHARES_STORE, 1)); Session sender = here.session("s")) {
            String frame = sender.send(message(LONG + " 😀"));
            assertTrue(frame.contains("$cold.t1"), frame);
            try (Engine there = Engine.open(new Options().resolver(ref -> {
                try (Session reader = here.session("s", SessionFlag.READ_ONLY)) {
                    return reader.resolve(ref).toBytes();
                }
            })); Session receiver = there.session("s")) {
                receiver.receive(frame);
                assertEquals(LONG + " 😀", Message.parse(receiver.nextDelivery().message()).payload().get("k").asString());
            }
            try (Session reader = here.session("s", SessionFlag.READ_ONLY)) {
                assertEquals(1, reader.recordCount());
                assertThrows(AccpException.Arg.class, () -> reader.append(message("x")));
            }
            assertThrows(AccpException.RefNotFound.class, () -> here.session("none", SessionFlag.READ_ONLY));
        }
    }

    private static final class MapColdStore implements ColdStore {
        private final Map<String, byte[]> texts = new ConcurrentHashMap<>();
        private volatile RuntimeException broken;

        @Override
        public void put(String key, byte[] text) {
            check();
            texts.put(key, text);
        }

        @Override
        public byte[] get(String key) {
            check();
            return texts.get(key);
        }

        private void check() {
            if (broken != null) {
                throw broken;
            }
        }
    }

    @Test
    void aColdStoreOfTheHost() throws AccpException {
        MapColdStore cold = new MapColdStore();
        try (Engine engine = Engine.open(new Options().coldStore(cold)); Session session = engine.session("s")) {
            Json value = Json.parse("{\"report\":\"😀 \\u0000\"}");
            session.put("cold.report", value, null);
            assertEquals(1, cold.texts.size());
            assertEquals(64, cold.texts.keySet().iterator().next().length());
            assertEquals(value, session.resolve("cold.report"));
            cold.broken = new RuntimeException("no network");
            assertSame(cold.broken, assertThrows(AccpException.Io.class, () -> session.put("cold.other", value, null)).getCause());
            assertSame(cold.broken, assertThrows(AccpException.Io.class, () -> session.resolve("cold.report")).getCause());
            cold.broken = null;
            assertEquals(value, session.resolve("cold.report"));
            cold.texts.replaceAll((key, text) -> "another".getBytes(StandardCharsets.UTF_8));
            assertThrows(AccpException.Corrupt.class, () -> session.resolve("cold.report"));
            cold.texts.clear();
            assertThrows(AccpException.Corrupt.class, () -> session.resolve("cold.report"));
        }
    }

    @Test
    void aStoreInAFile(@TempDir Path directory) throws Exception {
        String name = "sqlite:" + directory.resolve("work 😀.db");
        byte[] exported;
        try (Store store = Store.open(name); Engine engine = Engine.open(new Options().store(store)); Session session = engine.session("s😀")) {
            session.append(LifetimeTest.MESSAGE);
            session.sync();
            assertEquals(List.of("s😀"), store.sessions());
            assertEquals(1, store.counts().records());
            assertTrue(store.verify().isEmpty());
            exported = export(store, "s😀");
            assertThrows(AccpException.RefNotFound.class, () -> export(store, "none"));
            IOException full = new IOException("full");
            AccpException e = assertThrows(AccpException.Io.class, () -> store.exportTo("s😀", new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw full;
                }
            }));
            assertSame(full, e.getCause());
        }
        try (Store store = Store.open(name, StoreFlag.READ_ONLY, StoreFlag.EXISTING); Store other = Store.open("memory:")) {
            assertArrayEquals(exported, export(store, "s😀"));
            other.importFrom(exported);
            assertArrayEquals(exported, export(other, "s😀"));
            assertThrows(AccpException.Busy.class, () -> other.importFrom(exported));
            assertThrows(AccpException.class, () -> other.importFrom(new byte[] {1}));
        }
        String file = Files.readString(directory.resolve("work 😀.db"), StandardCharsets.ISO_8859_1);
        Files.writeString(directory.resolve("damaged.db"), file.replace("impl_auth", "impl_euth"), StandardCharsets.ISO_8859_1);
        try (Store store = Store.open("sqlite:" + directory.resolve("damaged.db"))) {
            List<Store.Damage> damage = store.verify();
            assertEquals("s😀", damage.get(0).session());
            assertTrue(!damage.get(0).what().isEmpty());
        }
        assertThrows(AccpException.class, () -> Store.open("sqlite:" + directory.resolve("missing.db"), StoreFlag.EXISTING));
    }

    private static byte[] export(Store store, String id) throws AccpException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.exportTo(id, out);
        return out.toByteArray();
    }

    @Test
    void partsOfASession() throws AccpException {
        Options options = new Options().rule(Rule.PARTS, 1).rule(Rule.MAX_TOKENS, 80);
        try (Engine here = Engine.open(options); Engine there = Engine.open(options); Session sender = here.session("s");
                Session receiver = there.session("s")) {
            assertThrows(IllegalStateException.class, () -> here.encode(Message.parse(message("x")), sender));
            String[] frames = sender.send(message(LONG.repeat(4))).split("\n");
            assertTrue(frames.length > 1);
            for (int i = 0; i + 1 < frames.length; i++) {
                assertNull(there.decode(Frame.parse(frames[i]), receiver));
            }
            assertEquals(LONG.repeat(4), there.decode(Frame.parse(frames[frames.length - 1]), receiver).payload().get("k").asString());
            assertNull(receiver.nextDelivery());
            String[] more = sender.send(message(LONG.repeat(5))).split("\n");
            receiver.receive(more[0]);
            receiver.removeParts(null);
            assertEquals('A', receiver.record(receiver.recordCount()).kind());
        }
    }

    @Test
    void aDeadlineOfASession() throws AccpException {
        Steps.TestClock clock = new Steps.TestClock();
        clock.now = 1714000000000L;
        try (Engine engine = Engine.open(new Options().rule(Rule.DEADLINE_MS, 1000).clock(clock)); Session session = engine.session("s")) {
            assertNull(session.nextDeadline());
            String sent = session.send(LifetimeTest.MESSAGE);
            assertEquals(clock.now + 1000, session.nextDeadline().toEpochMilli());
            clock.now += 1001;
            session.expire();
            Session.Delivery late = session.nextDelivery();
            assertTrue(late.error() instanceof AccpException.Timeout);
            assertTrue(sent.contains(late.cid()), late.toString());
            assertNull(late.message());
            assertNull(late.mid());
            String again = session.retry(late.seq());
            assertTrue(again.contains("seq:2"), again);
        }
    }
}
