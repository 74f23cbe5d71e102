// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ResourceBundle;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events without frames, events as lines of a logger, what errors name, and a store by its URL. */
@Timeout(600)
class EventsTest {
    private static String chat() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add("{\"role\":\"user\",\"content\":\"question " + i + ": " + "word ".repeat(50) + "\"}");
        }
        return "[" + String.join(",", all) + "]";
    }

    @Test
    void appendsContextsAndWhatABudgetLeavesOut() throws AccpException {
        List<Engine.Event> told = Collections.synchronizedList(new ArrayList<>());
        try (Engine engine = Engine.open(new Options().events(told::add)); Session session = engine.session("s")) {
            assertEquals(20, session.appendMessages(Interface.OPENAI, chat()));
            long whole = session.context().tokens();
            long less = session.context(whole / 2).tokens();
            assertEquals("APPENDED CONTEXT CONTEXT EVICTED", told.stream().map(event -> event.kind().name()).collect(Collectors.joining(" ")));
            Engine.Event appended = told.get(0), context = told.get(1), evicted = told.get(3);
            assertEquals(20, appended.count());
            assertTrue(appended.tokens() > 0 && appended.bytes() > 0 && appended.session().equals("s"));
            assertEquals(whole, context.tokens());
            assertEquals(whole, context.cached() + context.written());
            assertTrue(context.history() > 0 && context.count() == 20);
            assertEquals(less, told.get(2).tokens());
            assertTrue(evicted.count() > 0 && evicted.count() < 20 && evicted.tokens() > 0);
        }
    }

    /** A logger that keeps its lines, from a level on. */
    private record Lines(Level from, List<String> lines) implements System.Logger {
        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return level.getSeverity() >= from.getSeverity();
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
            lines.add(level + " " + text);
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            lines.add(level + " " + format);
        }
    }

    @Test
    void eventsAsLinesOfALogger() throws AccpException {
        for (System.Logger.Level level : List.of(System.Logger.Level.DEBUG, System.Logger.Level.WARNING)) {
            Lines lines = new Lines(level, new ArrayList<>());
            try (Engine engine = Engine.open(new Options().events(Engine.Events.to(lines))); Session session = engine.session("a \"b\"\nc")) {
                session.append(LifetimeTest.MESSAGE);
                session.context();
                assertThrows(AccpException.ParseError.class, () -> session.receive("no frame"));
            }
            String all = String.join("\n", lines.lines());
            assertEquals(level == System.Logger.Level.DEBUG ? 3 : 1, lines.lines().size(), all);
            assertTrue(all.contains("WARNING accp refused session=\"a \\\"b\\\"\\nc\"") && all.endsWith(" error=E1001"), all);
            assertEquals(level == System.Logger.Level.DEBUG, all.startsWith("DEBUG accp appended session=") && all.contains("DEBUG accp context session=") && all.contains(" messages=1 "), all);
        }
        assertThrows(NullPointerException.class, () -> Engine.Events.to(null));
    }

    private static void names(AccpException refused, String... wanted) {
        for (String one : wanted) {
            assertTrue(refused.getMessage().contains(one), one + " in " + refused.getMessage());
        }
        for (String other : List.of("ACCP_", "accp_", "rule ", "mode ")) {
            assertFalse(refused.getMessage().contains(other), refused.getMessage());
        }
    }

    @Test
    void errorsNameWhatJavaHas() throws AccpException {
        try (Engine engine = Engine.open(); Session session = engine.session("s"); Codec codec = new Codec(new Options().limit(Limit.JSON_BYTES, 8));
                Engine odd = Engine.open(new Options().rule(Rule.HOT_DUE, 1000).rule(Rule.HOT_MAX, 500))) {
            String words = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"text\":\"" + "word ".repeat(300) + "\"}}";
            names(assertThrows(AccpException.BudgetExceeded.class, () -> session.send(words)), "E2003", " of 240)", "SessionFlag.LOCAL", "Rule.PARTS", "Rule.SHARES_STORE",
                    "raise Rule.MAX_TOKENS");
            names(assertThrows(AccpException.ParseError.class, () -> codec.encode(LifetimeTest.MESSAGE)), "Limit.JSON_BYTES", " of 8)");
            names(assertThrows(AccpException.Arg.class, () -> odd.session("s")), "Rule.HOT_DUE and Rule.HOT_MAX");
            names(assertThrows(AccpException.class, () -> session.receive("@a>req:x{}[mid:long_one,seq:1]")), "Rule.LOOSE_MID allows others");
        }
        assertEquals("open both with SessionFlag.LOCAL; call Session.sync() until it succeeds, the rule unheard_of", Spelling.of("open both in mode local; call session_sync until it succeeds, the rule unheard_of"));
    }

    @Test
    void aStoreIsAUrl(@TempDir Path directory) throws Exception {
        assertTrue(assertThrows(AccpException.Arg.class, () -> Store.open("redis://127.0.0.1:1")).getMessage().contains("sqlite:PATH or nats://HOST:PORT/PREFIX"));
        String program = Files.exists(Path.of("/usr/sbin/nats-server")) ? "/usr/sbin/nats-server" : "nats-server";  // Debian's place, which may not be on the PATH
        Process server = new ProcessBuilder(program, "-a", "127.0.0.1", "-p", "-1", "-js", "-sd", directory.resolve("js").toString(), "--ports_file_dir", directory.toString())
                .redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile()).start();
        try {
            String url = "nats://" + address(directory) + "/accp_java";
            try (Store store = opened(url); Engine engine = Engine.open(new Options().store(store)); Session session = engine.session("s")) {
                session.append(LifetimeTest.MESSAGE);
            }
            try (Store store = Store.open(url, StoreFlag.EXISTING); Engine engine = Engine.open(new Options().store(store)); Session session = engine.session("s", SessionFlag.READ_ONLY)) {
                assertEquals(1, session.recordCount());
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    // A server takes a while until its streams can be made.
    private static Store opened(String url) throws Exception {
        for (int tries = 0;; tries++) {
            try {
                return Store.open(url);
            } catch (AccpException e) {
                if (tries == 1200) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private static String address(Path directory) throws Exception {
        for (int tries = 0; tries < 1200; tries++) {
            try (var files = Files.newDirectoryStream(directory, "*.ports")) {
                for (Path file : files) {
                    String text = Files.readString(file);
                    int at = text.indexOf("nats://");
                    if (at >= 0) {
                        return text.substring(at + 7, text.indexOf('"', at));
                    }
                }
            }
            Thread.sleep(100);
        }
        throw new IllegalStateException("nats-server wrote no address down");
    }
}
