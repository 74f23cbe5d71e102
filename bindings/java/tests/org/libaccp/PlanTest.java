// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Running plans, with tools that are functions. */
@Timeout(600)
class PlanTest {
    private static final RunPolicy QUICK = new RunPolicy().backoff(Duration.ZERO, Duration.ZERO);
    private static final RunPolicy ONCE = new RunPolicy().retries(0);

    private final List<ToolCall> calls = Collections.synchronizedList(new ArrayList<>());

    private static PlanRequest plan(String steps) {
        return new PlanRequest("{\"g\":\"G\",\"plan\":" + steps + "}").lenient().policy(QUICK);
    }

    /** A toolbox that notes each call, and has one function for all of them. */
    private Map<String, Tool> all(Tool tool) {
        Tool noted = call -> {
            calls.add(call);
            return tool.call(call);
        };
        return Map.of("A", noted, "B", noted, "C", noted, "D", noted);
    }

    private String called() {
        return calls.stream().map(ToolCall::tool).collect(Collectors.joining());
    }

    private static void failed(Verdict.Code code, PlanResult result) {
        assertEquals(PlanRun.State.FAILED, result.state());
        assertEquals(code, result.verdict().code(), result.json());
    }

    private static Tool saying(Object value) {
        return call -> value;
    }

    private static Tool failing(Exception failure) {
        return call -> {
            throw failure;
        };
    }

    @Test
    void SACP_3_03_stepsRunInOrder() throws Exception {
        try (PlanRun run = new PlanRun(plan("[[\"fetch\",\"A\",{}],[\"sort\",\"B\",{\"items\":\"$step.1.list\"}],[\"show\",\"C\",{\"text\":\"$step.2.0\"}]]"))) {
            Map<String, Tool> tools = all(call -> switch (call.tool()) {
                case "A" -> Map.of("list", List.of(1, 2));
                case "B" -> Json.parse("[2,1.50]");
                default -> null;
            });
            PlanResult result = PlanDriver.start(run, tools::get, ForkJoinPool.commonPool()).await();
            assertTrue(result.orThrow().isNull());
            assertEquals("ABC", called());
            assertEquals("{\"items\":[1,2]}", calls.get(1).params());
            assertEquals("2", calls.get(2).json().get("text").toString());
            assertEquals("show", calls.get(2).verb());
            assertEquals("[2,1.50]", result.stepResults().get("2").toString());
            assertEquals(List.of(), result.failures());
            assertNull(result.verdict());
            assertEquals(new PlanRun.Step(PlanRun.Part.STEP, PlanRun.StepState.DONE, 1, "2", "sort", "B"), run.steps().get(1));
            assertEquals(4, run.trace().split("\"outcome\":\"OK\"").length);
            assertTrue(run.replyMessage("m2").contains("\"state\":\"DONE\",\"msg_id\":\"m2\""));
            assertThrows(AccpException.Arg.class, () -> run.replyMessage("no id"));
        }
    }

    // Each branch returns only after the other one has begun.
    @Test
    void SACP_2_03_branchesRunAtOnceAndJoinWaits() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        Tool branch = call -> {
            both.await(120, TimeUnit.SECONDS);
            return call.tool();
        };
        AtomicReference<String> joined = new AtomicReference<>();
        Tool end = call -> {
            joined.set(call.params());
            return "end";
        };
        PlanResult result = PlanDriver.start(plan("[{\"parallel\":[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]},[\"join\",\"MERGE\",{}],[\"c\",\"C\",{\"of\":\"$step.2\"}]]"),
                Map.of("A", branch, "B", branch, "C", end)).await();
        assertEquals("end", result.orThrow().asString());
        assertEquals("{\"of\":[\"A\",\"B\"]}", joined.get());
    }

    @Test
    void noMoreCallsAtOnceThanThePolicyLets() throws Exception {
        AtomicInteger now = new AtomicInteger(), max = new AtomicInteger();
        CountDownLatch met = new CountDownLatch(2);
        String call = "[\"a\",\"A\",{}]";
        PlanResult result = PlanDriver.start(plan("[{\"parallel\":[" + String.join(",", Collections.nCopies(6, call)) + "]}]").policy(new RunPolicy().maxParallel(2)), all(c -> {
            max.accumulateAndGet(now.incrementAndGet(), Math::max);
            met.countDown();
            met.await(120, TimeUnit.SECONDS);
            Thread.sleep(5);  // for one more than may run
            return now.decrementAndGet();
        })).await();
        assertNotNull(result.orThrow());
        assertEquals(2, max.get());
    }

    @Test
    void aToolThatIsTooLateIsInterruptedAndItsAnswerDropped() throws Exception {
        CountDownLatch let = new CountDownLatch(1), interrupted = new CountDownLatch(1), left = new CountDownLatch(2);
        for (boolean heeds : new boolean[] {true, false}) {
            PlanRequest request = plan("[[\"a\",\"A\",{}]]").policy(new RunPolicy().retries(0).timeout(Duration.ofSeconds(1)));  // the tool has begun by then
            long began = System.nanoTime();
            PlanResult result = PlanDriver.start(request, all(call -> {
                try {
                    Thread.sleep(300_000);
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
                if (!heeds) {
                    let.await();
                }
                call.stopped().join();
                left.countDown();
                return 1;
            })).await();
            failed(Verdict.Code.TIMEOUT, result);
            assertTrue(System.nanoTime() - began >= 999_000_000);
            assertThrows(AccpException.Timeout.class, result::orThrow);
            assertEquals(1, result.failures().size());
            assertTrue(result.failures().get(0).cause() instanceof TimeoutException);
        }
        let.countDown();
        assertTrue(interrupted.await(120, TimeUnit.SECONDS) && left.await(120, TimeUnit.SECONDS));
    }

    @Test
    void aToolIsTriedAgain() throws Exception {
        IOException no = new IOException("no");
        RunPolicy policy = new RunPolicy().retries(2).backoff(Duration.ofMillis(1), Duration.ofMillis(2)).jitter(0);
        PlanResult result = PlanDriver.start(plan("[[\"a\",\"A\",{\"x\":1}]]").policy(policy), all(call -> {
            if (calls.size() < 3) {
                throw no;
            }
            return "yes";
        })).await();
        assertEquals("yes", result.orThrow().asString());
        assertEquals("AAA", called());
        assertFalse(calls.get(0).key().isEmpty());
        assertEquals(calls.get(0).key(), calls.get(2).key());
        assertEquals(2, result.failures().size());
        assertSame(no, result.failures().get(1).cause());
    }

    @Test
    void SACP_4_14_anotherToolIsTried() throws Exception {
        String library = "{\"verbs\":[{\"name\":\"find\",\"description\":\"d\",\"inputs\":{},\"outputs\":\"x\"}],\"tools\":["
                + "{\"id\":\"A\",\"description\":\"d\",\"supported_verbs\":[\"find\"],\"fallback\":[\"B\"]},{\"id\":\"B\",\"description\":\"d\",\"supported_verbs\":[\"find\"]}]}";
        PlanRequest request = new PlanRequest("{\"g\":\"G\",\"plan\":[[\"find\",\"A\",{}]]}").library(library).policy(QUICK);
        Tool no = failing(new IOException("no")), nobody = failing(new AccpException.ToolNotFound("away"));
        for (Map<String, Tool> tools : List.of(Map.of("A", no, "B", saying(2)), Map.of("B", saying(2)), Map.of("A", nobody, "B", saying(2)))) {
            assertEquals(2, PlanDriver.start(request, tools).await().orThrow().asInt());
        }
        PlanResult none = PlanDriver.start(request, Map.of()).await();
        failed(Verdict.Code.NO_AGENT, none);
        assertEquals(2, none.failures().size());
        failed(Verdict.Code.TOOL_FAILED, PlanDriver.start(request.policy(new RunPolicy().fallback(false).retries(0)), Map.of("A", no, "B", saying(2))).await());
    }

    @Test
    void aToolThatFailsInItsOwnWay() throws Exception {
        PlanRequest request = plan("[[\"a\",\"A\",{}]]").policy(new RunPolicy().retries(0).maxBytes(8, 100, 1000));
        for (Tool tool : List.of(failing(new IllegalStateException("half a character: \ud800")), saying(new Object[] {Thread.currentThread()}), saying("123456789"),
                saying("\ud800"), saying(new Tool.Reply("formatter", "\ud800")), saying(new Tool.Reply("\ud800", "Sure!")),
                saying(CompletableFuture.failedFuture(new IOException("later"))), call -> {
                    throw new StackOverflowError();
                })) {
            PlanResult result = PlanDriver.start(request, Map.of("A", tool)).await();
            failed(Verdict.Code.TOOL_FAILED, result);
            assertThrows(AccpException.ToolExecFailed.class, result::orThrow);
        }
        Executor full = work -> {
            throw new java.util.concurrent.RejectedExecutionException("full");
        };
        try (PlanRun run = new PlanRun(request)) {
            failed(Verdict.Code.TOOL_FAILED, PlanDriver.start(run, name -> saying(1), full).await());
        }
    }

    @Test
    void aToolMayAnswerLater() throws Exception {
        CompletableFuture<Object> later = new CompletableFuture<>(), never = new CompletableFuture<>();
        CompletableFuture<String> params = new CompletableFuture<>();
        PlanDriver driver = PlanDriver.start(plan("[[\"a\",\"A\",{}],[\"b\",\"B\",{\"x\":\"$step.1.0\"}]]"), Map.of("A", saying(later), "B", call -> {
            params.complete(call.params());
            return never;
        }));
        later.complete(List.of(1));
        assertEquals("{\"x\":1}", params.get(120, TimeUnit.SECONDS));
        driver.close();
        failed(Verdict.Code.TOOL_FAILED, driver.await());
        assertThrows(CancellationException.class, () -> never.get(120, TimeUnit.SECONDS));
    }

    @Test
    void anAnswerThatATooLateToolPromisesIsCancelled() throws Exception {
        CompletableFuture<Object> never = new CompletableFuture<>();
        CountDownLatch begun = new CountDownLatch(1), ended = new CountDownLatch(1);
        PlanDriver driver = PlanDriver.start(plan("[[\"a\",\"A\",{}]]"), Map.of("A", call -> {
            begun.countDown();
            while (ended.getCount() != 0) {
                Thread.onSpinWait();  // which no interrupt ends
            }
            return never;
        }));
        assertTrue(begun.await(120, TimeUnit.SECONDS));
        driver.close();
        failed(Verdict.Code.TOOL_FAILED, driver.await());
        ended.countDown();
        assertThrows(CancellationException.class, () -> never.get(120, TimeUnit.SECONDS));
    }

    @Test
    void aPlanIsCancelled() throws Exception {
        for (int how = 0; how < 4; how++) {
            calls.clear();
            CountDownLatch begun = new CountDownLatch(1), told = new CountDownLatch(1);
            PlanRun run = new PlanRun(plan("[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]"));
            Map<String, Tool> tools = all(call -> {
                begun.countDown();
                try {
                    Thread.sleep(300_000);
                } finally {
                    told.countDown();
                }
                return 1;
            });
            PlanDriver driver = PlanDriver.start(run, tools::get, work -> new Thread(work).start());
            assertThrows(IllegalStateException.class, () -> PlanDriver.start(run, tools::get, Runnable::run));
            assertTrue(begun.await(120, TimeUnit.SECONDS));
            switch (how) {
                case 0 -> driver.cancel();
                case 1 -> assertTrue(driver.result().cancel(true));
                case 2 -> run.cancel(Instant.now());
                default -> run.close();
            }
            assertTrue(told.await(120, TimeUnit.SECONDS), "interrupted");
            if (how == 1) {
                assertThrows(CancellationException.class, () -> driver.result().get());
            } else if (how == 3) {
                assertTrue(assertThrows(ExecutionException.class, driver::await).getCause() instanceof IllegalStateException);
            } else {
                failed(Verdict.Code.TOOL_FAILED, driver.await());
                assertTrue(driver.await().verdict().details().contains("cancelled"));
            }
            assertEquals("A", called());
            run.close();
        }
    }

    @Test
    void whoWaitsMayBeInterrupted() throws Exception {
        Thread waiting = Thread.currentThread();
        PlanDriver driver = PlanDriver.start(plan("[[\"a\",\"A\",{}]]"), all(call -> {
            waiting.interrupt();
            Thread.sleep(300_000);
            return 1;
        }));
        assertThrows(InterruptedException.class, driver::await);
        failed(Verdict.Code.TOOL_FAILED, driver.await());
    }

    @Test
    void SACP_5_04_aDryRunCallsNoTool() throws Exception {
        PlanRequest request = new PlanRequest("{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{}],[\"b\",\"B\",{}]],\"test_mode\":true}").lenient()
                .policy(new RunPolicy().simulate(Map.of("B", "b")));
        PlanResult result = PlanDriver.start(request, all(saying(1))).await();
        assertEquals("b", result.orThrow().asString());
        assertTrue(result.simulated());
        assertEquals("", called());
    }

    @Test
    void SACP_0_06_aMessageThatIsNotValidIsNotRun() throws Exception {
        Map<String, Class<? extends AccpException>> messages = Map.of("{\"g\":\"G\",\"plan\":[[\"a\",\"A\"]]}", AccpException.InvalidType.class,
                "{\"g\":\"G\",\"plan\":[]}", AccpException.InvalidType.class, "{", AccpException.ParseError.class,
                "{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{}]],\"state\":\"DONE\"}", AccpException.InvalidType.class);
        for (Map.Entry<String, Class<? extends AccpException>> one : messages.entrySet()) {
            try (PlanRun run = new PlanRun(new PlanRequest(one.getKey()).lenient())) {
                PlanResult result = PlanDriver.start(run, all(saying(1))::get, Runnable::run).await();
                assertEquals(PlanRun.State.REFUSED, result.state());
                AccpException why = assertThrows(one.getValue(), result::orThrow);
                assertEquals(result.verdict(), why.verdict());
                assertEquals(result.json(), why.verdict().json());
                assertEquals(List.of(), run.steps());
            }
        }
        assertEquals("", called());
    }

    @Test
    void aRunThatCannotBeMade() throws AccpException {
        PlanRequest request = plan("[[\"a\",\"A\",{}]]");
        assertThrows(AccpException.InvalidType.class, () -> new PlanRun(plan("[]").library("{\"x\":1}")));
        assertThrows(AccpException.Arg.class, () -> new PlanRun(request.policy("{\"tries\":1}")));
        assertThrows(AccpException.Arg.class, () -> new PlanRun(request.policy(new RunPolicy().timeout(Duration.ZERO))));
        assertThrows(IllegalArgumentException.class, () -> request.policy(new RunPolicy().simulate(Map.of("A", Double.NaN))));
        Store store = Store.open("memory:");
        assertThrows(AccpException.Arg.class, () -> new PlanRun(plan("[[\"a\",\"A\",{}]]").log(store, "")));
        assertThrows(AccpException.Arg.class, () -> new PlanRun(plan("[[\"a\",\"A\",{}]]").log(store, "s").records(record -> {})));
        store.close();
        assertThrows(IllegalStateException.class, () -> new PlanRun(plan("[[\"a\",\"A\",{}]]").log(store, "s")));
    }

    // A process dies before the result of its n-th call, repeatedly.
    @Test
    void aPlanGoesOnAfterACrash(@TempDir Path folder) throws Exception {
        for (int after = 1; after <= 4; after++) {
            calls.clear();
            try (Store store = Store.open("sqlite:" + folder.resolve("runs" + after))) {
                PlanRequest request = plan("[{\"parallel\":[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]},[\"join\",\"MERGE\",{}],[\"c\",\"C\",{\"of\":\"$step.2\"}],[\"d\",\"D\",{}]]")
                        .policy(new RunPolicy().maxParallel(1)).log(store, "s");
                PlanResult result = null;
                for (int lives = 0; result == null; lives++) {
                    assertTrue(lives < 8);
                    PlanRun run = new PlanRun(request);
                    AtomicInteger count = new AtomicInteger();
                    int last = after;
                    try {
                        result = PlanDriver.start(run, all(call -> {
                            if (count.incrementAndGet() > last) {
                                run.close();
                            }
                            return call.tool();
                        })::get, Runnable::run).await();
                    } catch (ExecutionException e) {
                        assertTrue(e.getCause() instanceof IllegalStateException);
                    }
                    run.close();
                }
                assertEquals("[\"A\",\"B\"]", result.stepResults().get("2").toString());
                // One call at a time, so only the call whose result was not recorded is lost: it is
                // repeated, and no other.
                assertEquals(List.of("", "ABBCCDD", "ABCCD", "ABCDD", "ABCD").get(after), called());
            }
        }
    }

    @Test
    void whatWasRecordedIsNotCalledAgain() throws Exception {
        try (Store store = Store.open("memory:")) {
            PlanRequest request = plan("[[\"a\",\"A\",{}],[\"b\",\"B\",{}],[\"c\",\"C\",{}]]").log(store, "s");
            Tool first = call -> {
                if (call.tool().equals("C")) {  // another run of the session, which fences the first
                    assertNotNull(PlanDriver.start(request, all(saying(2))).await().orThrow());
                }
                return 1;
            };
            assertThrows(AccpException.Closed.class, () -> PlanDriver.start(request, all(first)).await());
            assertEquals("ABCC", called());
            PlanResult result = PlanDriver.start(request, all(saying(3))).await();
            assertEquals("1", result.stepResults().get("1").toString());
            assertEquals("2", result.orThrow().toString());
            assertEquals("ABCC", called());
            assertThrows(AccpException.Corrupt.class, () -> new PlanRun(request.policy(ONCE)));
        }
    }

    @Test
    void theCallerKeepsTheRecords() throws Exception {
        List<String> log = new ArrayList<>();
        IOException full = new IOException("the disk is full");
        PlanRequest request = plan("[[\"a\",\"A\",{}],[\"b\",\"B\",{}]]").records(record -> {
            if (log.size() == 2) {
                throw full;
            }
            log.add(record);
        });
        PlanDriver driver = PlanDriver.start(request, all(ToolCall::tool));
        assertSame(full, assertThrows(ExecutionException.class, driver::await).getCause());
        assertEquals("AB", called());
        try (PlanRun again = new PlanRun(request.records(record -> {}))) {
            assertThrows(AccpException.Corrupt.class, () -> again.replay("{}"));
            for (String record : log) {
                again.replay(record);
            }
            assertEquals("B", PlanDriver.start(again, all(ToolCall::tool)::get, Runnable::run).await().orThrow().asString());
            assertEquals("ABB", called());
            assertThrows(AccpException.Arg.class, () -> again.replay(log.get(0)));
        }
    }

    @Test
    void anAgentReplies() throws Exception {
        PlanRequest request = plan("[[\"a\",\"A\",{}]]").policy(ONCE);
        String done = "{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{}]],\"state\":\"DONE\",\"result\":{\"output\":[1]}}";
        assertEquals("[1]", PlanDriver.start(request, all(saying(new Tool.Reply("predictor", done)))).await().orThrow().toString());
        assertEquals("Sure!", PlanDriver.start(request, all(saying(new Tool.Reply("formatter", "Sure!")))).await().orThrow().asString());
        failed(Verdict.Code.TOOL_FAILED, PlanDriver.start(request, all(saying(new Tool.Reply("predictor", "Sure!")))).await());
    }

    @Test
    void aRunByHand() throws AccpException {
        Instant at = Instant.ofEpochMilli(1_000_000), end = at.plusSeconds(1);
        try (PlanRun run = new PlanRun(plan("[[\"a\",\"A\",{\"x\":1}]]").policy(new RunPolicy().retries(0).tool("A", 0, Duration.ofSeconds(1))))) {
            PlanRun.Effect effect = run.next(at);
            assertEquals(new PlanRun.Effect(PlanRun.Kind.CALL, 0, effect.call(), end, "1", "a", "A", "{\"x\":1}", effect.key()), effect);
            assertEquals(PlanRun.Kind.NOTHING, run.next(at).kind());
            assertEquals(end, run.due());
            assertEquals(PlanRun.State.GOING_ON, run.state());
            assertThrows(AccpException.Arg.class, run::finalJson);
            assertThrows(AccpException.Arg.class, () -> run.complete(effect.call(), "B", "1", at));
            assertTrue(run.reply(effect.call(), "A", "executor", "{\"g\":\"G\",\"plan\":[[\"a\",\"B\",{}]],\"state\":\"IN_PROGRESS\"}", at));
            run.tick(end);
            assertEquals(PlanRun.Kind.STOP, run.next(end).kind());
            assertFalse(run.complete(effect.call(), "A", "1", end));
            assertFalse(run.fail(effect.call(), "A", PlanRun.Cause.TIMED_OUT, "late", end));
            assertEquals(PlanRun.Kind.ENDED, run.next(end).kind());
            assertEquals(PlanRun.State.FAILED, run.state());
            assertNull(run.due());
            run.cancel(end);
            assertEquals(PlanRun.State.FAILED, run.state());
        }
    }

    // The exception's class is the one of the code that a verdict travels under.
    @Test
    void aVerdictIsAnExceptionOfItsCode() throws AccpException {
        try (Sacp sacp = new Sacp(null)) {
            for (Verdict.Code code : Verdict.Code.values()) {
                Verdict verdict = new Verdict(Verdict.Answer.ERR, code, "d", "", 3, List.of(), "{\"status\":\"ERR\",\"code\":\"" + code + "\",\"details\":\"d\"}");
                AccpException made = verdict.toException();
                String sent = Json.parse(sacp.toMessage(verdict.json(), "a")).get("payload").get("code").asString();
                assertEquals(sent, made.codeName(), code.toString());
                assertEquals("d", made.reason());
                assertEquals(3, made.offset());
                assertSame(verdict, made.verdict());
            }
            assertThrows(IllegalStateException.class, new Verdict(Verdict.Answer.VALID, null, "", "", 0, List.of(), "{}")::toException);
        }
    }
}
