// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of people as messages. */
class PhrasesTest {
    private static final String SAYINGS =
            "{\"ignore\":[\"please\"],\"phrases\":[{\"say\":[\"[find] hotels[ in {city}]\"],\"slots\":{\"city\":{\"type\":\"text\"}},"
            + "\"message\":{\"g\":\"FIND_HOTEL\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"{city}\"}]]}},"
            + "{\"say\":[\"stay in {city}\"],\"slots\":{\"city\":{\"type\":\"text\"}},\"message\":{\"g\":\"FIND_HOTEL\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"{city}\"}]]}},"
            + "{\"say\":[\"stay in {place}\"],\"slots\":{\"place\":{\"type\":\"text\"}},\"message\":{\"g\":\"GET_RANKING\",\"ctx\":{\"city\":\"{place}\"},\"plan\":[]}}]}";
    private static final String IN_ROME = "{\"g\":\"X\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"Rome\"}]]}";
    private static final String MISMATCH = "{\"g\":\"X\",\"plan\":[[\"search\",\"RANK\",{\"city\":\"Rome\"}]]}";

    private final Phrases phrases = made();

    PhrasesTest() throws AccpException {}

    private static Phrases made() throws AccpException {
        try (Library library = new Library(SacpTest.HOTELS)) {
            return new Phrases(SAYINGS, library);  // which keep it
        }
    }

    @AfterEach
    void close() {
        phrases.close();
    }

    private record Said(String prompt, String message, List<String> needs) {}

    @Test
    void SACP_9A_02_aPromptIsAMessageOrAQuestion() throws AccpException {
        List<Said> cases = List.of(
                new Said("Find hotels in Paris, please!", "{\"g\":\"FIND_HOTEL\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"Paris\"}]]}", List.of()),
                new Said("hotels in \"Stow in the Wold\"", "{\"g\":\"FIND_HOTEL\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"Stow in the Wold\"}]]}", List.of()),
                new Said("hotels", null, List.of("ctx.city")),
                new Said("stay in Rome", null, List.of("goal.FIND_HOTEL", "goal.GET_RANKING")),
                new Said("sing", null, List.of("goal")),
                new Said("", null, List.of("goal")));
        for (Said one : cases) {
            Phrases.Answer answer = phrases.ask(one.prompt());
            assertEquals(one.message(), answer.message(), one.prompt());
            assertEquals(one.needs(), answer.verdict().needs(), one.prompt());
            assertEquals(one.message() != null, answer.verdict().isValid(), one.prompt());
        }
        assertEquals(Verdict.Code.LIMIT, phrases.ask("x".repeat(5000)).verdict().code());
        assertThrows(AccpException.InvalidType.class, () -> phrases.ask("\ud800"));
    }

    private record Wrong(long offset, Class<? extends AccpException> type) {}

    @Test
    void phrasesThatAreRefused() throws AccpException {
        Map<String, Wrong> cases = Map.of("{\"phrases\":", new Wrong(11, AccpException.ParseError.class), "{\"phrases\":1}", new Wrong(11, AccpException.InvalidType.class),
                "{\"phrases\":[{\"say\":[\"x\"]}]}", new Wrong(12, AccpException.InvalidType.class));
        Library library = new Library(SacpTest.HOTELS);
        cases.forEach((text, want) -> assertEquals(want.offset(), assertThrows(want.type(), () -> new Phrases(text, library), text).offset(), text));
        String spaced = " ".repeat(100_000) + SAYINGS;
        assertThrows(AccpException.Nomem.class, () -> new Phrases(spaced, library, new Options().limit(Limit.MEMORY_BYTES, 65_536)));
        library.close();
        assertThrows(IllegalStateException.class, () -> new Phrases(SAYINGS, library));
    }

    /** A model with fixed replies that records its requests. */
    private static final class Oracle implements Phrases.Model {
        private final List<String> says;
        private final List<Phrases.ModelRequest> asked = new ArrayList<>();

        Oracle(String... says) {
            this.says = new ArrayList<>(List.of(says));
        }

        @Override
        public String answer(Phrases.ModelRequest request) {
            asked.add(request);
            return says.get(asked.size() - 1);
        }
    }

    private record Written(List<String> says, String message, Verdict.Code code, List<String> needs) {}

    @Test
    void SACP_9A_04_aModelsMessageIsCheckedAndAskedForAgainOnce() throws AccpException {
        List<Written> cases = List.of(
                new Written(List.of(IN_ROME), IN_ROME, null, List.of()),
                new Written(List.of(MISMATCH, IN_ROME), IN_ROME, null, List.of()),
                new Written(List.of(MISMATCH, MISMATCH), null, Verdict.Code.VERB_TOOL_MISMATCH, List.of()),
                new Written(List.of("Sure! Here it is.", IN_ROME), IN_ROME, null, List.of()),
                new Written(List.of("", IN_ROME), IN_ROME, null, List.of()),
                new Written(List.of("{\"status\":\"REQ_CLARIFY\",\"need\":[\"ctx.city\"]}"), null, null, List.of("ctx.city")));
        for (Written one : cases) {
            Oracle model = new Oracle(one.says().toArray(String[]::new));
            phrases.setModel(model);
            Phrases.Answer answer = phrases.ask("tell me of Rome");
            assertEquals(one.message(), answer.message(), one.toString());
            assertEquals(one.code(), answer.verdict().code(), one.toString());
            assertEquals(one.needs(), answer.verdict().needs(), one.toString());
            assertEquals(one.says().size(), model.asked.size(), one.toString());
            Phrases.ModelRequest first = model.asked.get(0), last = model.asked.get(model.asked.size() - 1);
            assertEquals("tell me of Rome", first.prompt());
            assertTrue(first.refused() == null && first.specification().contains("search(city!:string"), first.toString());
            assertTrue(model.asked.size() == 1 || last.refused().startsWith("{\"status\":\"ERR\""), last.toString());
        }
        phrases.setModel(asked -> asked.refused() == null ? null : IN_ROME);  // null is as good as nothing
        assertEquals(IN_ROME, phrases.ask("tell me of Rome").message());
    }

    @Test
    void aModelIsAskedWhereNoPhraseFits() throws AccpException {
        Oracle model = new Oracle(IN_ROME), other = new Oracle(IN_ROME);
        phrases.setModel(model);
        for (String prompt : List.of("hotels in Paris", "hotels", "stay in Rome")) {
            phrases.ask(prompt);
        }
        phrases.setModel(other);
        assertEquals(IN_ROME, phrases.ask("else").message());
        phrases.setModel(null);
        assertEquals(List.of("goal"), phrases.ask("else").verdict().needs());
        assertEquals(List.of(0, 1), List.of(model.asked.size(), other.asked.size()));
    }

    @Test
    void aModelThatFails() throws AccpException {
        Map<Throwable, Class<? extends AccpException>> cases = Map.of(new Exception("mine"), AccpException.Io.class, new StackOverflowError(), AccpException.Io.class,
                new InterruptedException(), AccpException.Io.class, AccpException.of(5001, "no"), AccpException.of(5001, "").getClass());
        for (Map.Entry<Throwable, Class<? extends AccpException>> one : cases.entrySet()) {
            Throwable thrown = one.getKey();
            phrases.setModel(asked -> {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (Exception) thrown;
            });
            assertSame(thrown, assertThrows(one.getValue(), () -> phrases.ask("else"), thrown.toString()).getCause());
            assertEquals(thrown instanceof InterruptedException, Thread.interrupted(), thrown.toString());
        }
        phrases.setModel(asked -> "\ud800");
        assertThrows(AccpException.InvalidType.class, () -> phrases.ask("else"));
        phrases.setModel(asked -> phrases.ask("else").message());
        assertEquals(IllegalStateException.class, assertThrows(AccpException.Io.class, () -> phrases.ask("else")).getCause().getClass());
        phrases.setModel(asked -> {
            phrases.setModel(null);
            return IN_ROME;
        });
        assertEquals(IllegalStateException.class, assertThrows(AccpException.Io.class, () -> phrases.ask("else")).getCause().getClass());
        assertNull(phrases.ask("hotels in Paris").verdict().code(), "after all of that");
        phrases.setModel(asked -> {
            phrases.close();
            return IN_ROME;
        });
        assertEquals(IN_ROME, phrases.ask("else").message(), "closed when the call ends");
        assertThrows(IllegalStateException.class, () -> phrases.ask("else"));
        assertThrows(IllegalStateException.class, () -> phrases.setModel(null));
    }

    @Test
    void manyAskOnePhrases() {
        phrases.setModel(asked -> {
            System.gc();
            return IN_ROME.replace("Rome", asked.prompt());
        });
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String prompt = "town " + i;
            all.add(CompletableFuture.runAsync(() -> {
                try {
                    assertEquals(IN_ROME.replace("Rome", prompt), phrases.ask(prompt).message());
                } catch (AccpException e) {
                    throw new AssertionError(e);
                }
            }, task -> new Thread(task).start()));
        }
        all.forEach(CompletableFuture::join);
    }

    @Test
    void aModelThatHoldsItsPhrasesDoesNotKeepThem() throws Exception {
        WeakReference<Phrases> forgotten = forget();
        for (int i = 0; i < 6_000 && forgotten.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(forgotten.get());
    }

    private static WeakReference<Phrases> forget() throws AccpException {
        Phrases some = made();
        some.setModel(asked -> some == null ? "" : IN_ROME);
        assertEquals(IN_ROME, some.ask("else").message());
        return new WeakReference<>(some);
    }
}
