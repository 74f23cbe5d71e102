// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The library's own cases of plans with scripted tools: each has the same result if functions are
 * the tools.
 */
class TraceTest {
    private static final Path CASES = Path.of("../../tests/sacp/run");

    @TestFactory
    Stream<DynamicTest> plansEndAsTheLibrarySays() throws IOException {
        return Files.readAllLines(CASES.resolve("trace.jsonl")).stream().map(line -> {
            Json one = parsed(line);
            return DynamicTest.dynamicTest(one.get("name").asString(), () -> check(one));
        });
    }

    private static void check(Json one) throws Exception {
        Json policy = one.get("policy"), strict = one.get("strict");
        Map<String, Object> quick = new HashMap<>(Map.of("backoff_ms", 1, "timeout_ms", one.toString().contains("\"timeout\":true") ? 3_000 : 60_000));
        if (policy != null) {
            quick.putAll(policy.members());
        }
        PlanRequest request = new PlanRequest(one.get("message").toString()).library(Files.readString(CASES.resolve("library/" + one.get("library").asString() + ".json")))
                .policy(Json.of(quick).toString());
        if (strict != null && !strict.asBoolean()) {
            request.lenient();
        }
        Script script = new Script(one.get("tools").members());
        try (PlanRun run = new PlanRun(request)) {
            PlanResult result = PlanDriver.start(run, name -> script::answer, work -> new Thread(work).start()).await();
            Json want = one.get("final"), code = want.get("code");
            assertEquals(one.get("trace").toJava(), parsed(run.trace()).toJava());
            if (code == null) {
                assertEquals(want.toJava(), parsed(result.json()).toJava());
            } else {
                assertEquals(code.asString(), result.verdict().code().toString());
            }
        }
    }

    private static Json parsed(String json) {
        try {
            return Json.parse(json);
        } catch (AccpException e) {
            throw new AssertionError(json, e);
        }
    }

    /** Outcomes of tools by TOOL@PATH or TOOL, one a call, the last again and again. */
    private static final class Script {
        private final Map<String, Json> tools;
        private final Map<String, Integer> counts = new HashMap<>();

        Script(Map<String, Json> tools) {
            this.tools = tools;
        }

        synchronized Object answer(ToolCall call) throws Exception {
            String place = call.tool() + "@" + call.path(), key = tools.containsKey(place) ? place : call.tool();
            Json outcomes = tools.get(key);
            if (outcomes == null || outcomes.size() == 0) {
                throw new AccpException.ToolNotFound("not in the script");
            }
            Json outcome = outcomes.get(Math.min(counts.merge(key, 1, Integer::sum), outcomes.size()) - 1);
            if (outcome.get("timeout") != null) {
                return new CompletableFuture<>();  // never
            }
            if (outcome.get("fail") != null) {
                throw new IOException(outcome.get("fail").asString());
            }
            return outcome.get("ok");
        }
    }
}
