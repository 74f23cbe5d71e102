// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans and agents: a byte[] has the same result as its String. */
class BytesTest {
    private static final String MESSAGE = "{\"g\":\"Gr\u00fc\u00dfe\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"M\u00fcnchen\"}]],\"msg_id\":\"m1\"}";
    private static final String REFUSED = "{\"g\":\"\u00fc\",\"plan\":[[\"search\",\"H_API\"";
    private static final byte[] NOT_UTF8 = {'{', '"', 'g', '"', ':', '"', (byte) 0xff, '"', '}'};
    private static final String SAYINGS =
            "{\"phrases\":[{\"say\":[\"hotels in {city}\"],\"slots\":{\"city\":{\"type\":\"text\"}},\"message\":{\"g\":\"G\",\"plan\":[[\"search\",\"H_API\",{\"city\":\"{city}\"}]]}}]}";
    private static final String ENTRY = new AgentEntry("FINDER", "f\u00fcr Hotels").verbs("search").tools("H_API").toJson();
    private static final String REQUEST =
            "{\"g\":\"SPAWN_AGENT\",\"msg_id\":\"m9\",\"ctx\":{\"agent_name\":\"X\",\"description\":\"d\u00fc\",\"verbs\":[\"search\"],\"tools\":[\"H_API\"]},\"plan\":[]}";
    private static final Sacp.Agent FINDER = new Sacp.Agent("Finder", List.of("search"), List.of("H_API"));
    private static final Sacp.Receiver TO = new Sacp.Receiver("executor");
    private static final Sacp.Sender SENDER = new Sacp.Sender("m1", "planner", "executor", Instant.EPOCH);
    private static final AgentRound ROUND = new AgentRound(0);
    private static final SpawnRules RULES = new SpawnRules(true);

    private final Library library = new Library(utf8(SacpTest.HOTELS));
    private final Sacp sacp = new Sacp(library);
    private final AgentRegistry agents = new AgentRegistry();

    BytesTest() throws AccpException {}

    @AfterEach
    void close() {
        agents.close();
        sacp.close();
        library.close();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A call with a text. */
    private interface Call<T> {
        Object with(T text) throws AccpException;
    }

    /** Both forms of a call, and a text that it takes. */
    private record Twin(String name, String text, Call<String> string, Call<byte[]> bytes) {
        Twin(String name, Call<String> string, Call<byte[]> bytes) {
            this(name, MESSAGE, string, bytes);
        }
    }

    // The result, or all of the failure; a byte[] as the text that it is.
    private static <T> String said(Call<T> call, T text) {
        try {
            Object result = call.with(text);
            return result instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(result);
        } catch (AccpException e) {
            return e.getClass() + " " + e.offset() + " " + e.reason() + " " + e.verdict();
        }
    }

    private List<Twin> twins() throws AccpException {
        String newer = sacp.toVersion10(MESSAGE, SENDER);
        return List.of(new Twin("validate", t -> sacp.validate(t), t -> sacp.validate(t)),
                new Twin("validate, lenient", t -> sacp.validate(t, Sacp.Reading.LENIENT), t -> sacp.validate(t, Sacp.Reading.LENIENT)),
                new Twin("validateReply", t -> sacp.validateReply(t, "executor", Sacp.OutFmt.RAW), t -> sacp.validateReply(t, "executor", Sacp.OutFmt.RAW)),
                new Twin("validateReply, lenient", t -> sacp.validateReply(t, "executor", Sacp.OutFmt.RAW, Sacp.Reading.LENIENT),
                        t -> sacp.validateReply(t, "executor", Sacp.OutFmt.RAW, Sacp.Reading.LENIENT)),
                new Twin("checkLibrary", SacpTest.HOTELS, t -> sacp.checkLibrary(t), t -> sacp.checkLibrary(t)),
                new Twin("canonical", t -> sacp.canonical(t), t -> sacp.canonical(t)),
                new Twin("expand", t -> sacp.expand(t), t -> sacp.expand(t)),
                new Twin("compact", t -> sacp.compact(t), t -> sacp.compact(t)),
                new Twin("compose", t -> sacp.compose(t, TO), t -> sacp.compose(t, TO)),
                new Twin("threads", t -> sacp.threads(t), t -> sacp.threads(t)),
                new Twin("threadsJson", t -> sacp.threadsJson(t), t -> sacp.threadsJson(t)),
                new Twin("threadsText", t -> sacp.threadsText(t), t -> sacp.threadsText(t)),
                new Twin("toMessage", t -> sacp.toMessage(t, "planner"), t -> sacp.toMessage(t, "planner")),
                new Twin("fromMessage", sacp.toMessage(MESSAGE, "planner"), t -> sacp.fromMessage(t), t -> sacp.fromMessage(t)),
                new Twin("plan", t -> sacp.plan(t), t -> sacp.plan(t)),
                new Twin("plan, side by side", t -> sacp.plan(t, true), t -> sacp.plan(t, true)),
                new Twin("prompt", t -> sacp.prompt(FINDER, t), t -> sacp.prompt(FINDER, t)),
                new Twin("toVersion10", t -> sacp.toVersion10(t, SENDER), t -> sacp.toVersion10(t, SENDER)),
                new Twin("toVersion01", newer, t -> sacp.toVersion01(t), t -> sacp.toVersion01(t)),
                new Twin("Library", SacpTest.HOTELS, t -> useLibrary(new Library(t)), t -> useLibrary(new Library(t))),
                new Twin("Library, options", SacpTest.HOTELS, t -> useLibrary(new Library(t, new Options())), t -> useLibrary(new Library(t, new Options()))),
                new Twin("Phrases", SAYINGS, t -> ask(new Phrases(t, library)), t -> ask(new Phrases(t, library))),
                new Twin("Phrases, options", SAYINGS, t -> ask(new Phrases(t, library, new Options())), t -> ask(new Phrases(t, library, new Options()))),
                new Twin("ask", "hotels in M\u00fcnchen", t -> ask(p -> p.ask(t)), t -> ask(p -> p.ask(t))),
                new Twin("PlanRequest", t -> run(new PlanRequest(t).library(SacpTest.HOTELS)), t -> run(new PlanRequest(t).library(SacpTest.HOTELS))),
                new Twin("PlanRequest.library", SacpTest.HOTELS, t -> run(new PlanRequest(MESSAGE).library(t)), t -> run(new PlanRequest(MESSAGE).library(t))),
                new Twin("PlanRequest.policy", new RunPolicy().toJson(), t -> run(new PlanRequest(MESSAGE).lenient().policy(t)),
                        t -> run(new PlanRequest(MESSAGE).lenient().policy(t))),
                new Twin("register", ENTRY, t -> registered(a -> a.register(t)), t -> registered(a -> a.register(t))),
                new Twin("load", "[" + ENTRY + "]", t -> registered(a -> a.load(t)), t -> registered(a -> a.load(t))),
                new Twin("query", new AgentQuery().verb("search").toJson(), t -> agents.query(t, null), t -> agents.query(t, null)),
                new Twin("queryJson", new AgentQuery().verb("search").toJson(), t -> agents.queryJson(t, null), t -> agents.queryJson(t, null)),
                new Twin("checkPlan", t -> agents.checkPlan(sacp, t, null), t -> agents.checkPlan(sacp, t, null)),
                new Twin("checkPlan, lenient", t -> agents.checkPlan(sacp, t, null, Sacp.Reading.LENIENT), t -> agents.checkPlan(sacp, t, null, Sacp.Reading.LENIENT)),
                new Twin("requestAgents", t -> agents.requestAgents(sacp, t, null, ROUND), t -> agents.requestAgents(sacp, t, null, ROUND)),
                new Twin("requestAgents, lenient", t -> agents.requestAgents(sacp, t, null, ROUND, Sacp.Reading.LENIENT),
                        t -> agents.requestAgents(sacp, t, null, ROUND, Sacp.Reading.LENIENT)),
                new Twin("spawn", REQUEST, t -> agents.spawn(sacp, t, RULES), t -> agents.spawn(sacp, t, RULES)));
    }

    private static Object useLibrary(Library made) throws AccpException {
        try (made; Sacp with = new Sacp(made)) {
            return with.specification();
        }
    }

    private static Object ask(Phrases made) throws AccpException {
        try (made) {
            return made.ask("hotels in Rom");
        }
    }

    private Object ask(Asked asked) throws AccpException {
        try (Phrases made = new Phrases(SAYINGS, library)) {
            return asked.of(made);
        }
    }

    private interface Asked {
        Object of(Phrases phrases) throws AccpException;
    }

    private static List<Object> run(PlanRequest request) throws AccpException {
        try (PlanRun run = new PlanRun(request)) {
            PlanRun.Effect first = run.next(Instant.EPOCH);  // its key is random
            return List.of(first.kind(), first.path(), first.tool(), first.text(), first.kind() == PlanRun.Kind.ENDED ? run.finalJson() : "");
        }
    }

    private interface Change {
        void of(AgentRegistry agents) throws AccpException;
    }

    private static Object registered(Change change) throws AccpException {
        try (AgentRegistry made = new AgentRegistry()) {
            change.of(made);
            return made.toJson();
        }
    }

    @Test
    void bothFormsHaveTheSameResult() throws AccpException {
        agents.register(ENTRY);
        for (Twin one : twins()) {
            String result = said(one.string(), one.text());
            assertEquals(result, said(one.bytes(), utf8(one.text())), one.name());
            assertTrue(!result.startsWith("class "), one.name() + ": " + result);
            String refused = said(one.string(), REFUSED);
            assertEquals(refused, said(one.bytes(), utf8(REFUSED)), one.name());
        }
    }

    @Test
    void invalidUtf8IsRefused() throws AccpException {
        for (Twin one : twins()) {
            String result = said(one.bytes(), NOT_UTF8);
            assertTrue(result.contains("UTF-8"), one.name() + ": " + result);
        }
        assertEquals(6, assertThrows(AccpException.ParseError.class, () -> sacp.canonical(NOT_UTF8)).offset());
        assertEquals(Verdict.Code.MALFORMED_MESSAGE, sacp.validateReply(NOT_UTF8, "interface", Sacp.OutFmt.HUMAN).code());
    }

    @Test
    void aRequestKeepsItsOwnCopy() throws AccpException {
        byte[] message = utf8(MESSAGE), library = utf8(SacpTest.HOTELS), policy = utf8(new RunPolicy().toJson());
        PlanRequest request = new PlanRequest(message).library(library).policy(policy);
        for (byte[] one : List.of(message, library, policy)) {
            one[0] = 'x';
        }
        assertEquals(PlanRun.Kind.CALL, run(request).get(0));
    }
}
