// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Replacements for engines and sessions in programs, and every text as bytes. */
class FacesTest {
    /** A class of a program, under test. */
    private static String say(Engine engine, String text) throws AccpException {
        try (Session session = engine.session("chat")) {
            session.append(text);
            return session.context().text();
        }
    }

    @Test
    void anEngineAndASessionCanBeOthersInATest() throws Exception {
        List<String> asked = new ArrayList<>();
        Session fakeSession = fake(Session.class, asked, "context", new Session.Context("fake", 1));
        Engine fakeEngine = fake(Engine.class, asked, "session", fakeSession);
        assertEquals("fake", say(fakeEngine, "hello"));
        assertEquals(List.of("session", "append", "context", "close"), asked);
        for (Class<?> face : List.of(Engine.class, Session.class, AccpCodec.class)) {
            assertTrue(face.isInterface(), face.getName());
        }
        try (Engine engine = Engine.open(); ContextPacket packet = new ContextPacket()) {
            String why = assertThrows(IllegalArgumentException.class, () -> engine.decode(Frame.parse("@a>req:x{}"), fakeSession)).getMessage();
            assertTrue(why.contains("Engine.session()"), why);
            assertThrows(IllegalArgumentException.class, () -> packet.fromSession(fakeSession, "t", ContextPacket.Depth.DEEP, 0, null, null));
        }
    }

    // The behaviour of a mocking library: defaults are the interface's own.
    private static <T> T fake(Class<T> face, List<String> asked, String method, Object answer) {
        return face.cast(Proxy.newProxyInstance(face.getClassLoader(), new Class<?>[] {face}, (self, called, arguments) -> {
            if (called.isDefault()) {
                return java.lang.invoke.MethodHandles.lookup().findSpecial(face, called.getName(),
                        java.lang.invoke.MethodType.methodType(called.getReturnType(), called.getParameterTypes()), face).bindTo(self).invokeWithArguments(arguments == null ? List.of() : List.of(arguments));
            }
            asked.add(called.getName());
            return called.getName().equals(method) ? answer : null;
        }));
    }

    private static final Set<String> DOCUMENTS = Set.of("message", "messages", "json", "frame", "request", "answer", "arguments", "state");

    // By the names of their parameters: methods of a session with a document as a String also take
    // it as bytes.
    @Test
    void aSessionTakesEveryDocumentAsBytes() {
        int seen = 0;
        for (Method method : Session.class.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            Parameter[] parameters = method.getParameters();
            boolean takes = false;
            for (int i = 0; i < types.length; i++) {
                if (types[i] == String.class && DOCUMENTS.contains(parameters[i].getName())) {
                    types[i] = byte[].class;
                    takes = true;
                }
            }
            if (takes && !Modifier.isStatic(method.getModifiers())) {
                seen++;
                assertTrue(Arrays.stream(Session.class.getMethods()).anyMatch(other -> other.getName().equals(method.getName()) && Arrays.equals(other.getParameterTypes(), types)),
                        method.toString());
            }
        }
        assertTrue(seen >= 11, seen + " seen");
    }

    @Test
    void bytesAreWhatTextsAre() throws AccpException {
        try (Engine engine = Engine.open(); Session texts = engine.session("texts"); Session bytes = engine.session("bytes"); ContextPacket packet = new ContextPacket();
                ContextPacket back = new ContextPacket()) {
            String value = "{\"k\":\"é😀\"}";
            texts.put("warm.k", value, null);
            bytes.put("warm.k", value.getBytes(UTF_8), Instant.now().plusSeconds(60));
            assertEquals(texts.resolve("warm.k"), bytes.resolve("warm.k"));
            String asks = "{\"ref\":\"warm.k\"}";
            assertArrayEquals(texts.answer(asks).getBytes(UTF_8), bytes.answer(asks.getBytes(UTF_8)));
            byte[] frame = bytes.sendState("a", value.getBytes(UTF_8));
            assertTrue(new String(frame, UTF_8).startsWith("@a>sync:state{"));
            assertNull(bytes.sendState("a", value.getBytes(UTF_8)));
            texts.sendState("a", value);
            assertNull(texts.sendState("a", value));
            packet.read("{\"version\":1,\"created\":\"2024-01-15T10:30:00Z\",\"creator\":\"a\",\"target_task\":\"t\",\"context\":{\"goal\":\"g\"}}");
            byte[] carried = bytes.sendPacket("{\"agent\":\"w\",\"intent\":\"sync\",\"operation\":\"context\",\"payload\":{}}".getBytes(UTF_8), packet);
            texts.receive(ByteBuffer.wrap(carried), Session.Peer.of("w"));
            String members = bytes.putPacket(packet);
            bytes.readPacket(("{\"agent\":\"a\",\"intent\":\"sync\",\"operation\":\"context\",\"payload\":" + members + "}").getBytes(UTF_8), back);
            assertEquals(packet.toYaml(), back.toYaml());
            String name = Json.parse(members).get("packet").asString();
            byte[] asked = ("{\"agent\":\"b\",\"intent\":\"qry\",\"operation\":\"context\",\"payload\":{\"packet\":\"" + name + "\"},\"meta\":{\"mid\":\"a00000000009\"}}").getBytes(UTF_8);
            assertTrue(new String(bytes.answerPacket(asked, "a"), UTF_8).startsWith("@a>"));
        }
    }
}
