// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures keep their cause, and hooks return one text per call. */
@Timeout(600)
class CausesTest {
    private static final RuntimeException MINE = new RuntimeException("mine");
    private static final RuntimeException BEFORE = new RuntimeException("before");
    private static final AssertionError CLAIM = new AssertionError("an error, and no exception");

    private static PlanResult run(String steps) throws Exception {
        AtomicInteger tried = new AtomicInteger();
        Map<String, Tool> tools = Map.of("A", call -> {
            if (tried.incrementAndGet() == 1) {
                throw BEFORE;  // corrected by the second try
            }
            return 1;
        }, "B", call -> {
            throw MINE;
        }, "C", call -> {
            throw CLAIM;
        }, "D", call -> new CompletableFuture<String>());
        PlanRequest request = new PlanRequest("{\"g\":\"G\",\"plan\":" + steps.replace('\'', '"') + "}").lenient()
                .policy(new RunPolicy().retries(1).backoff(Duration.ZERO, Duration.ZERO).timeout(Duration.ofMillis(steps.contains("'D'") ? 300 : 30_000)));
        return PlanDriver.start(request, tools).await();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"[['a','A',{}],['b','B',{}]]; 2; TOOL_FAILED; mine", "[['c','C',{}]]; 1; TOOL_FAILED; an error",
        "[{'parallel':[['a','A',{}],['b','B',{}]]}]; 1.2; TOOL_FAILED; mine", "[['d','D',{}]]; 1; TIMEOUT; no answer", "[['e','E',{}]]; 1; NO_AGENT; no tool of this name"},
            quoteCharacter = '"')
    void aPlanThatFailsKeepsItsCause(String steps, String step, Verdict.Code code, String cause) throws Exception {
        PlanResult result = run(steps);
        assertEquals(code, result.verdict().code());
        assertEquals(step, result.verdict().step());
        AccpException failed = assertThrows(AccpException.class, result::orThrow);
        assertEquals(step, failed.verdict().step());
        // steps of a parallel block fail in any order
        PlanResult.Failure last = result.failures().stream().filter(one -> one.call().path().equals(step)).reduce((one, later) -> later).orElseThrow();
        assertSame(last.cause(), failed.getCause());
        assertTrue(last.cause().getMessage().contains(cause), String.valueOf(last.cause()));
        assertTrue(code != Verdict.Code.TIMEOUT || last.cause() instanceof TimeoutException);
        if (steps.contains("'A'")) {
            assertTrue(List.of(failed.getSuppressed()).contains(BEFORE));
        }
    }

    @Test
    void aVerdictThatIsReadHasItsStep() throws Exception {
        assertEquals("2", run("[['a','A',{}],['b']]").verdict().step());
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "10, 15000", "15000, 10"})
    void answersOfHooksInHooksStay(int outer, int inner) throws AccpException {
        Options within = new Options().registry(Registry.ofAllProfiles()).resolver(ref -> ("\"" + "i".repeat(inner) + "\"").getBytes());
        try (Codec codec = new Codec(within)) {
            Runnable ask = () -> {
                try {
                    assertTrue(codec.decode("@a>req:x{k:$warm.key}").contains("\"" + "i".repeat(inner) + "\""));
                } catch (AccpException e) {
                    throw new AssertionError(e);
                }
            };
            Options options = new Options().resolver(ref -> {
                ask.run();
                return ("\"" + ref.substring(ref.length() - 1).repeat(outer) + "\"").getBytes();
            }).policy(asked -> ask.run()).log((received, status, line) -> ask.run()).events(event -> ask.run()).tokenizer(Tokenizer.of("mine", true, text -> {
                ask.run();
                return text.length / 4;
            }));
            try (Engine engine = Engine.open(options); Session session = engine.session("s")) {
                session.receive("@a>req:x{k:$warm.a|l:$warm.b|m:[$warm.c,$warm.d]}[mid:a00000000001,seq:1]");
                String message = session.nextDelivery().message();
                for (String letter : List.of("a", "b", "c", "d")) {
                    assertTrue(message.contains("\"" + letter.repeat(outer) + "\""), letter);
                }
            }
        }
    }
}
