// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The five operations of specification 7.1. */
class SpecTest {
    private Engine engine;
    private AccpCodec codec;
    private Session here;
    private Session there;

    @BeforeEach
    void open() throws AccpException {
        engine = Engine.open();
        codec = engine;
        here = engine.session("here");
        there = engine.session("there");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        engine.close();
    }

    private static Message message(String task) throws AccpException {
        return Message.of("planner", Intent.REQ, "schedule", Map.of("task", task));
    }

    @Test
    @DisplayName("ACCP-7.1-01 Encode(message, session): a frame")
    void encode() throws AccpException {
        Frame frame = codec.encode(message("impl_auth"), here);
        assertEquals("planner", frame.agent());
        assertEquals("impl_auth", frame.payload().get("task").asString());
        assertEquals(1, frame.metadata().get("seq").asInt());
        assertEquals(2, codec.encode(message("next"), here).metadata().get("seq").asInt());
        assertThrows(AccpException.InvalidIntent.class, () -> codec.encode(new Message("a", "please", "x", Json.parse("{}"), null), here));
    }

    @Test
    @DisplayName("ACCP-7.1-02 Decode(frame, session): the message")
    void decode() throws AccpException {
        Frame first = codec.encode(message("one"), here);
        Frame second = codec.encode(message("two"), here);
        assertNull(codec.decode(second, there));  // it waits
        assertEquals("one", codec.decode(first, there).payload().get("task").asString());
        assertEquals(3003, there.nextDelivery().error().code());
        assertEquals("two", Message.parse(there.nextDelivery().message()).payload().get("task").asString());
        assertNull(there.nextDelivery());
        assertThrows(AccpException.Duplicate.class, () -> codec.decode(first, there));
    }

    @Test
    @DisplayName("ACCP-7.1-03 Checkpoint(session): its result")
    void checkpoint() throws AccpException {
        assertEquals(0, codec.checkpoint(here).number());
        here.append(message("impl_auth").toJson());
        Checkpoint made = codec.checkpoint(here);
        assertEquals(1, made.number());
        assertEquals(here.resolve("warm.ckpt_1"), made.value());
        assertTrue(made.value().get("text").asString().contains("impl_auth"), made.toString());
    }

    @Test
    @DisplayName("ACCP-7.1-04 GetBudget(session): the token budget")
    void budget() throws AccpException {
        assertEquals(262_144, codec.getBudget(here).hotMax());
        long before = codec.getBudget(here).totalUsed();
        here.append(message("impl_auth").toJson());
        TokenBudget budget = codec.getBudget(here);
        assertTrue(budget.totalUsed() > before);
        assertEquals(budget.hotUsed() + budget.warmUsed(), budget.totalUsed());
    }

    @Test
    @DisplayName("ACCP-7.1-05 RegisterSchema(name, schema)")
    void registerSchema() throws AccpException {
        Message message = Message.parse("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"weigh\",\"payload\":{\"grams\":5,\"schema\":\"WT\"}}");
        assertThrows(AccpException.UnknownSchema.class, () -> codec.encode(message, here));
        codec.registerSchema("weight", Json.parse("{\"code\":\"WT\",\"fields\":[\"grams\",\"unit\"],\"defaults\":{\"unit\":\"g\"}}"));
        Message back = codec.decode(codec.encode(message, here), there);
        assertNotNull(back);
        assertEquals("g", back.payload().get("unit").asString());
        try (Registry registry = engine.registry()) {
            assertEquals("weight", registry.schema("WT").name());
        }
        assertThrows(AccpException.class, () -> codec.registerSchema("bad", Json.parse("[]")));
    }
}
