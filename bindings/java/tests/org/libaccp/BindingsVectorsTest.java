// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * tests/system/vectors/bindings.jsonl: every call of every layer, with the results of all
 * languages.
 */
class BindingsVectorsTest {
    @TestFactory
    List<DynamicTest> bindings() throws IOException {
        return Vectors.each("bindings.jsonl", vector -> {
            try (Steps steps = new Steps()) {
                int number = 0;
                for (Json step : vector.get("steps")) {
                    String where = vector.get("name").asString() + ", step " + ++number + ": " + step;
                    // what the texts of errors name has names of Java here
                    assertEquals(Json.parse(Spelling.of(step.get("gives").toString())), Json.of(answer(steps, step)), where);
                }
            }
        });
    }

    private static Map<String, Object> answer(Steps steps, Json step) throws Exception {
        try {
            return steps.run(step);
        } catch (AccpException e) {
            return refusal(e);
        }
    }

    static Map<String, Object> refusal(AccpException e) {
        if (e.codeName().equals("DROPPED")) return Steps.answer("status", e.codeName());  // the content is not compared further
        return Steps.answer("status", e.codeName(), "offset", e.offset(), "message", e.reason());
    }
}
