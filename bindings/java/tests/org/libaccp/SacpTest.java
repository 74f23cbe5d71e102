// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Messages by which agents plan for each other. */
class SacpTest {
    static final String HOTELS =
            "{\"verbs\":[{\"name\":\"search\",\"description\":\"d\",\"inputs\":{\"city\":\"string\",\"limit\":\"integer\"},\"outputs\":\"hotels\",\"required\":[\"city\"]},"
            + "{\"name\":\"rank\",\"description\":\"d\",\"inputs\":{\"hotels\":\"any\"},\"outputs\":\"ranking\",\"required\":[\"hotels\"]}],"
            + "\"tools\":[{\"id\":\"H_API\",\"description\":\"d\",\"supported_verbs\":[\"search\"]},{\"id\":\"RANK\",\"description\":\"d\",\"supported_verbs\":[\"rank\"]}],"
            + "\"aliases\":{\"verbs\":{\"s\":\"search\"},\"verb_params\":{\"search\":{\"c\":\"city\"}}}}";
    private static final Sacp.Agent FINDER = new Sacp.Agent("Finder", List.of("search", "rank"), List.of("H_API"));

    private final Sacp sacp;

    SacpTest() throws AccpException {
        try (Library library = new Library(HOTELS)) {
            sacp = new Sacp(library);  // which keeps it
        }
    }

    @AfterEach
    void close() {
        sacp.close();
    }

    private static String search(String params) {
        return "{\"g\":\"G\",\"plan\":[[\"search\",\"H_API\"" + params + "]]}";
    }

    @Test
    void verdictsSayWhatAMessageIs() throws AccpException {
        Verdict valid = sacp.validate("{\"g\":\"G\",\"plan\":[[\"s\",\"H_API\",{\"c\":\"Paris\"}]]}");
        assertEquals(new Verdict(Verdict.Answer.VALID, null, "", "", 0, List.of(), "{\"status\":\"VALID\"}"), valid);
        assertTrue(valid.isValid());
        Verdict wrong = sacp.validate(search(""));
        assertEquals(Verdict.Code.MALFORMED_PLAN, wrong.code());
        assertEquals("1", wrong.step());
        assertEquals(17, wrong.offset());
        assertEquals("{\"status\":\"ERR\",\"code\":\"MALFORMED_PLAN\",\"details\":\"Missing parameters for action step 1\"}", wrong.json());
        Verdict missing = sacp.validate(search(",{}"));
        assertEquals(Verdict.Answer.REQ_CLARIFY, missing.answer());
        assertEquals(List.of("step.1.city"), missing.needs());
        assertFalse(missing.isValid());
        String unknown = "{\"g\":\"G\",\"plan\":[[\"fly\",\"AIR\",{}]]}";
        assertEquals(Verdict.Code.UNKNOWN_VERB, sacp.validate(unknown).code());
        assertTrue(sacp.validate(unknown, Sacp.Reading.LENIENT).isValid());
        byte[] latin = "{\"g\":\"\u00e9\",\"plan\":[]}".getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(Verdict.Code.MALFORMED_MESSAGE, sacp.validate(latin, Sacp.Reading.STRICT).code());
        assertThrows(AccpException.InvalidType.class, () -> sacp.validate("\ud800"));
    }

    @Test
    void onlySomeMayWriteProse() throws AccpException {
        String prose = "It is 12 degrees.";
        assertEquals(Verdict.Code.OUTPUT_DISCIPLINE, sacp.validateReply(prose, "executor", Sacp.OutFmt.RAW).code());
        assertTrue(sacp.validateReply(prose, "executor", Sacp.OutFmt.HUMAN).isValid());
        assertTrue(sacp.validateReply(prose, "formatter", Sacp.OutFmt.SUMMARY).isValid());
        String unknown = "{\"g\":\"G\",\"plan\":[[\"fly\",\"AIR\",{}]]}";
        assertEquals(Verdict.Code.UNKNOWN_VERB, sacp.validateReply(unknown, "executor", Sacp.OutFmt.RAW).code());
        assertTrue(sacp.validateReply(unknown, "executor", Sacp.OutFmt.RAW, Sacp.Reading.LENIENT).isValid());
    }

    @Test
    void aLibraryIsRefused() throws AccpException {
        String wrong = "{\"verbs\":[],\"x\":1}";
        assertEquals(16, assertThrows(AccpException.ParseError.class, () -> new Library(wrong)).offset());
        try (Sacp none = new Sacp(null); Library empty = new Library((String) null); Sacp same = new Sacp(empty)) {
            assertEquals(16, none.checkLibrary(wrong).offset());
            assertTrue(none.checkLibrary(HOTELS).isValid());
            assertEquals(none.validate(search(",{}")), same.validate(search(",{}")));
        }
        assertThrows(AccpException.ParseError.class, () -> new Library(HOTELS, new Options().limit(Limit.JSON_BYTES, 16)));
    }

    @Test
    void namesAreShortOrFull() throws AccpException {
        String brief = "{\"g\":\"G\",\"plan\":[[\"s\",\"H_API\",{\"c\":\"Paris\"}]]}", full = search(",{\"city\":\"Paris\"}");
        assertEquals(full, sacp.expand(" {\"plan\":[[\"s\",\"H_API\",{\"c\":\"Paris\"}]], \"g\":\"G\"}"));
        assertEquals(brief, sacp.compact(full));
        assertEquals("{\"g\":\"G\",\"plan\":[]}", sacp.canonical(" {\"plan\":[],\"g\":\"G\"}"));
    }

    @Test
    void whatIsRefusedHasAVerdict() {
        String refused = search("");
        Map<String, Executable> calls = new TreeMap<>(Map.of("expand", () -> sacp.expand(refused), "compact", () -> sacp.compact(refused),
                "canonical", () -> sacp.canonical(refused), "plan", () -> sacp.plan(refused), "prompt", () -> sacp.prompt(FINDER, refused),
                "toMessage", () -> sacp.toMessage("{\"status\":\"ERR\"}", "a"),
                "fromMessage", () -> sacp.fromMessage("{\"intent\":\"esc\",\"operation\":\"x\",\"payload\":{}}")));
        calls.forEach((name, call) -> {
            AccpException e = assertThrows(AccpException.class, call, name);
            assertNotNull(e.verdict(), name);
            assertNotNull(e.verdict().code(), name);
            assertEquals(AccpException.of(e.code(), "").getClass(), e.getClass(), name);
        });
        AccpException.InvalidType shape = assertThrows(AccpException.InvalidType.class, () -> sacp.expand(refused));
        assertEquals(Verdict.Code.MALFORMED_PLAN, shape.verdict().code());
        assertEquals(shape.verdict().offset(), shape.offset());
        assertEquals(Verdict.Code.MALFORMED_MESSAGE, assertThrows(AccpException.ParseError.class, () -> sacp.canonical("{")).verdict().code());
        assertNull(assertThrows(AccpException.class, () -> sacp.prompt(new Sacp.Agent("a\nb", List.of("v"), List.of("t")))).verdict());
    }

    @Test
    void aMessageGoesThroughAFrame() throws AccpException {
        String said = "{\"g\":\"G\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"Paris\"}]],\"msg_id\":\"m1\"}";
        try (Registry registry = new Registry(Sacp.registryDocument(), Profile.values()); Codec codec = new Codec(new Options().registry(registry))) {
            assertEquals(said, sacp.fromMessage(codec.decode(codec.encode(sacp.toMessage(said, "planner")))));
        }
    }

    @Test
    void aPlanIsMadeWhole() throws AccpException {
        Sacp.Planned made = sacp.plan("{\"g\":\"RANK\",\"ctx\":{\"city\":\"Paris\"},\"plan\":[],\"msg_id\":\"m1\"}");
        assertTrue(made.verdict().isValid());
        assertTrue(made.message().contains("[\"search\",\"H_API\",{\"city\":") && made.message().contains("\"reply_to\":\"m1\""), made.message());
        assertEquals(Verdict.Answer.REQ_CLARIFY, sacp.plan("{\"g\":\"RANK\",\"plan\":[]}").verdict().answer());
        SacpPlan three = new SacpPlan().step("search", "H_API", Map.of("city", "Paris")).step("search", "H_API", Map.of("city", "Rome"))
                .step("rank", "RANK", Map.of("hotels", List.of()));
        assertTrue(sacp.plan(new SacpMessage("G").plan(three).toJson(), true).message().contains("{\"parallel\":[[\"search\""));
    }

    @Test
    void whatAModelIsTold() throws AccpException {
        String text = sacp.prompt(FINDER, " {\"g\":\"G\",\"plan\":[]}");
        for (String part : List.of("Finder", "- search\n- rank\n", "- H_API\n", "{\"g\":\"G\",\"plan\":[]}")) {
            assertTrue(text.contains(part), text);
        }
        assertFalse(sacp.prompt(FINDER).contains("\"g\""));
        assertThrows(AccpException.Arg.class, () -> sacp.prompt(new Sacp.Agent("Finder", List.of("a\nb"), List.of("t"))));
        assertThrows(AccpException.Arg.class, () -> sacp.prompt(new Sacp.Agent("Finder", List.of(), List.of("t"))));
        assertTrue(sacp.specification().contains("search(city!:string,limit:integer) -> hotels\n"));
    }

    @Test
    void statesFollowEachOther() throws AccpException {
        List<SacpState> states = SacpState.Version.V0_1.states();
        assertEquals("[PENDING, IN_PROGRESS, DONE, FAILED]", states.toString());
        assertEquals(7, SacpState.Version.V1_0.states().size());
        SacpState pending = states.get(0), running = states.get(1), done = states.get(2);
        assertTrue(running.mayFollow(pending) && pending.mayFollow(pending));
        assertFalse(done.mayFollow(pending) || pending.mayFollow(done) || new SacpState(SacpState.Version.V1_0, "ACCEPTED").mayFollow(pending));
        assertThrows(IllegalArgumentException.class, () -> new SacpState(SacpState.Version.V0_1, "WAITING"));
        for (Verdict.Code one : Verdict.Code.values()) {
            assertEquals(one.name(), one.toString());
            assertEquals(one, Verdict.Code.of(one.name()));
        }
        assertNull(Verdict.Code.of("no_agent"));
    }

    @Test
    void messagesAreWritten() throws AccpException {
        SacpPlan plan = new SacpPlan()
                .parallel(new SacpPlan().step("search", "H_API", Map.of("city", "$ctx.city")), new SacpPlan().step("a", "A").step("b", "B")).join("MERGE");
        String text = new SacpMessage("say \"\u00dcml\u00e4ut\"").ctx(Map.of("city", "Paris")).plan(plan).outFmt(Sacp.OutFmt.HUMAN)
                .state(new SacpState(SacpState.Version.V0_1, "PENDING")).msgId("m1").replyTo("m0").subtask(new SacpMessage("H")).testMode(true).ext(Map.of("x", 1)).toJson();
        String want = "{\"g\":\"say \\\"\u00dcml\u00e4ut\\\"\",\"ctx\":{\"city\":\"Paris\"},\"plan\":[{\"parallel\":[[\"search\",\"H_API\",{\"city\":\"$ctx.city\"}],"
                + "[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]]},[\"join\",\"MERGE\",{}]],\"out_fmt\":\"human\",\"state\":\"PENDING\",\"msg_id\":\"m1\",\"reply_to\":\"m0\","
                + "\"subtask\":{\"g\":\"H\",\"plan\":[]},\"test_mode\":true,\"ext\":{\"x\":1}}";
        assertEquals(want, sacp.canonical(text));
        assertTrue(sacp.validate(new SacpMessage("G").ctx(Map.of("city", "Paris")).plan(plan).toJson(), Sacp.Reading.LENIENT).isValid());
        assertEquals("{\"g\":\"G\",\"plan\":[],\"subtask\":[{\"g\":\"H\",\"plan\":[]},{\"g\":\"I\",\"plan\":[]}]}",
                new SacpMessage("G").subtask(new SacpMessage("H"), new SacpMessage("I")).toJson());
        assertEquals("{\"g\":\"G\",\"plan\":[[\"do\",\"IT\",{\"subtask\":{\"g\":\"H\",\"plan\":[]}}]]}",
                new SacpMessage("G").plan(new SacpPlan().step("do", "IT", Map.of("subtask", new SacpMessage("H")))).toJson());
        assertEquals("JSON has nothing for a java.lang.Double of NaN, at ctx.n",
                assertThrows(IllegalArgumentException.class, () -> new SacpMessage("G").ctx(Map.of("n", Double.NaN)).toJson()).getMessage());
        assertThrows(AccpException.InvalidType.class, () -> sacp.validate(new SacpMessage("\ud800").toJson()));
    }
}
