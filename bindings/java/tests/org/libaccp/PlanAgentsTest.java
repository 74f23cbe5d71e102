// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Steps that agents do, after a request by message. */
class PlanAgentsTest {
    private static final Instant AT = Instant.ofEpochMilli(1_000_000);
    private static final Executor THREADS = task -> new Thread(task).start();

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private PlanRun run(String steps) throws AccpException {
        RunPolicy once = new RunPolicy().retries(0).fallback(false).maxBytes(200, 1 << 20, 1 << 20);
        PlanRun run = new PlanRun(new PlanRequest("{\"g\":\"G\",\"plan\":" + steps + "}").lenient().policy(once));
        opened.add(run);
        return run;
    }

    /** The first calls of a run. */
    private static List<PlanRun.Effect> called(PlanRun run) throws AccpException {
        List<PlanRun.Effect> effects = new ArrayList<>();
        for (PlanRun.Effect effect; (effect = run.next(AT)).kind() == PlanRun.Kind.CALL;) {
            effects.add(effect);
        }
        return effects;
    }

    private static String idOf(String request) {
        try {
            return Json.parse(request).get("msg_id").asString();
        } catch (AccpException e) {
            throw new AssertionError(request, e);
        }
    }

    private static String answer(String id, String result) {
        return "{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{\"x\":1}]],\"state\":\"DONE\",\"reply_to\":\"" + id + "\",\"result\":{\"output\":" + result + "}}";
    }

    /** Both messages go as frames of ACCP. */
    @Test
    void anAgentDoesAStepOverAccp() throws AccpException {
        PlanRun run = run("[[\"a\",\"A\",{\"x\":1}]]");
        long call = called(run).get(0).call();
        try (Sacp sacp = new Sacp(null); Registry registry = new Registry(Sacp.registryDocument(), Profile.values()); Codec codec = new Codec(new Options().registry(registry))) {
            String request = sacp.fromMessage(codec.decode(codec.encode(sacp.toMessage(run.requestMessage(call, "WORKER", "executor"), "planner"))));
            assertTrue(sacp.validate(request, Sacp.Reading.LENIENT).isValid() && request.startsWith("{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{\"x\":1}]]"), request);
            assertTrue(run.receive("WORKER", sacp.fromMessage(codec.decode(codec.encode(sacp.toMessage(answer(idOf(request), "[1]"), "WORKER")))), AT));
        }
        assertEquals(PlanRun.Kind.ENDED, run.next(AT).kind());
        assertEquals("{\"state\":\"DONE\",\"result\":{\"output\":[1],\"step_results\":{\"1\":[1]}}}", run.finalJson());
    }

    private record Sent(String sender, String text, Object want) {}

    @Test
    void onlyWhoWasAskedAnswers() throws AccpException {
        PlanRun run = run("[{\"parallel\":[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]}]");
        List<PlanRun.Effect> effects = called(run);
        long first = effects.get(0).call(), second = effects.get(1).call();
        String id = idOf(run.requestMessage(first, "ONE", "")), other = idOf(run.requestMessage(second, "ONE", "formatter"));
        assertEquals(id, idOf(run.requestMessage(first, "TWO", "")));
        List<Sent> cases = List.of(
                new Sent("ONE", answer(id, "1"), AccpException.Arg.class),  // the call is TWO's now
                new Sent("TWO", answer("nobody.1", "1"), false),
                new Sent("TWO", "{\"g\":\"G\",\"plan\":[],\"state\":\"DONE\"}", AccpException.ParseError.class),
                new Sent("TWO", "{", AccpException.ParseError.class),
                new Sent("TWO", answer(id, "\"" + "x".repeat(200) + "\""), AccpException.ParseError.class),
                new Sent("TWO", "{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{}]],\"state\":\"IN_PROGRESS\",\"reply_to\":\"" + id + "\"}", true),
                new Sent("TWO", answer(id, "1"), true),
                new Sent("TWO", answer(id, "2"), false),
                new Sent("", answer(other, "2"), true));  // from the requested agent
        for (Sent one : cases) {
            Object got;
            try {
                got = run.receive(one.sender(), one.text(), AT);
            } catch (AccpException refused) {
                got = refused.getClass();
            }
            assertEquals(one.want(), got, one.toString());
        }
        assertEquals(PlanRun.Kind.ENDED, run.next(AT).kind());
        assertTrue(run.state() == PlanRun.State.DONE && run.finalJson().contains("\"1.1\":1,\"1.2\":2"), run.finalJson());
        assertNull(run.requestMessage(first, "ONE", ""));
    }

    @Test
    void aCallThatNoAgentCanBeAskedFor() throws AccpException {
        PlanRun run = run("[{\"parallel\":[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]},[\"join\",\"J\",{}]]");
        List<PlanRun.Effect> effects = called(run);
        long first = effects.get(0).call();
        String longName = "x".repeat(257);
        for (List<String> agent : List.of(List.of("", ""), List.of(longName, ""), List.of("ONE", longName))) {
            assertThrows(AccpException.Arg.class, () -> run.requestMessage(first, agent.get(0), agent.get(1)), agent.toString());
        }
        for (PlanRun.Effect effect : effects) {
            assertTrue(run.complete(effect.call(), effect.tool(), "1", AT));
        }
        PlanRun.Effect join = run.next(AT);
        assertEquals("join", join.verb());
        assertThrows(AccpException.Arg.class, () -> run.requestMessage(join.call(), "ONE", ""));
        run.close();
        assertThrows(IllegalStateException.class, () -> run.requestMessage(1, "ONE", ""));
        assertThrows(IllegalStateException.class, () -> run.receive("ONE", answer("a", "1"), AT));
    }

    /**
     * The tool sends the request, and the receiver of the reply reports it to the run, which
     * another thread drives.
     */
    @Test
    void aRunIsDrivenWithAgentsThatAnswerLater() throws Exception {
        PlanRun run = run("[[\"a\",\"A\",{\"x\":1}],[\"b\",\"B\",{\"y\":\"$step.1\"}]]");
        List<CompletableFuture<Void>> stopped = Collections.synchronizedList(new ArrayList<>());
        Tool agent = call -> {
            String id = idOf(run.requestMessage(call.number(), call.tool(), ""));
            stopped.add(call.stopped());
            CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS).execute(() -> {
                try {
                    run.receive(call.tool(), answer(id, "\"of " + call.tool() + "\""), Instant.now());
                } catch (AccpException e) {
                    throw new AssertionError(e);
                }
            });
            return new CompletableFuture<>();
        };
        PlanResult result = PlanDriver.start(run, name -> agent, THREADS).result().get(120, TimeUnit.SECONDS);
        assertEquals(PlanRun.State.DONE, result.state(), result.json());
        assertEquals("of B", result.orThrow().asString());
        CompletableFuture.allOf(stopped.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);  // no longer needed
    }
}
