// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Hostile and unusual input: an exception or the right result, never a crash. */
class RobustnessTest {
    private static final String ODD = "😀 naïve \u0000 \u0001 \ud83d\udc69\u200d\ud83d\udc67 日本語 \"\\\n\t \u2028 \uffff";

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void everyCodePointComesBack() throws AccpException {
        try (Codec codec = new Codec()) {
            for (String text : List.of(ODD, "", "\u0000", "\u0000\u0000", "\udbff\udfff", "$x", "~", "true", "%u128512;")) {
                Message sent = Message.of("a", Intent.REQ, "x", Map.of("k", text, text, 1));
                Message back = codec.decodeMessage(codec.encode(sent));
                assertEquals(sent, back);
                assertEquals(text, back.payload().get("k").asString());
                assertEquals(1, back.payload().get(text).asInt());
            }
        }
    }

    @Test
    void aLoneSurrogateIsRefusedWithItsByte() throws AccpException {
        try (FrameCodec frames = new FrameCodec()) {
            for (String text : List.of("é\ud800", "é\udc00x", "é\udc00\ud800", "é\ud800\ud800\udc00")) {
                assertEquals(2, assertThrows(AccpException.InvalidType.class, () -> Json.parse(text)).offset());
                assertEquals(1004, assertThrows(AccpException.class, () -> frames.parse(text)).code());
                assertThrows(AccpException.InvalidType.class, () -> Json.of(text));
            }
        }
    }

    @Test
    void emptyInputIsRefusedAndNullIsNoInput() throws AccpException {
        try (Codec codec = new Codec(); FrameCodec frames = new FrameCodec(); Batch batch = new Batch(); Renderer renderer = new Renderer(); Engine engine = Engine.open();
                Session session = engine.session("s"); Tokenizer tokenizer = new Tokenizer("o200k_base"); Counter counter = new Counter(tokenizer)) {
            assertThrows(AccpException.ParseError.class, () -> frames.parse(""));
            assertThrows(AccpException.ParseError.class, () -> codec.encode(new byte[0]));
            assertThrows(AccpException.ParseError.class, () -> codec.decode(ByteBuffer.allocateDirect(0)));
            assertThrows(AccpException.ParseError.class, () -> Json.parse(new byte[0]));
            assertThrows(AccpException.class, () -> session.receive(""));
            assertThrows(AccpException.class, () -> session.send(""));
            assertThrows(AccpException.class, () -> session.append(""));
            assertThrows(AccpException.class, () -> renderer.json(""));
            assertThrows(AccpException.Arg.class, () -> engine.session(""));
            assertEquals(0, batch.decode(new byte[0]).size());
            assertEquals(0, counter.count(""));
            assertEquals(0, counter.encode("").length);
            assertThrows(NullPointerException.class, () -> frames.parse((byte[]) null));
            assertThrows(NullPointerException.class, () -> codec.encode((byte[]) null));
            assertThrows(NullPointerException.class, () -> codec.decode((byte[]) null));
            assertThrows(NullPointerException.class, () -> batch.decode((byte[]) null));
            assertThrows(NullPointerException.class, () -> session.receive((byte[]) null));
            assertThrows(NullPointerException.class, () -> session.send((ByteBuffer) null));
            assertThrows(NullPointerException.class, () -> counter.count((byte[]) null));
        }
    }

    @Test
    void tenMegabytes() throws AccpException {
        char[] many = new char[10_000_000];
        Arrays.fill(many, 'x');
        String text = new String(many);
        assertEquals(10_000_000, Json.parse("\"" + text + "\"").asString().length());
        Json big = Json.of(Map.of("k", text));
        assertEquals(text, big.get("k").asString());
        try (Codec codec = new Codec(); FrameCodec frames = new FrameCodec(); Engine engine = Engine.open(); Session session = engine.session("s");
                Tokenizer tokenizer = new Tokenizer("o200k_base"); Counter counter = new Counter(tokenizer); Batch batch = new Batch()) {
            assertThrows(AccpException.ParseError.class, () -> codec.decode("@a>req:x{k:" + text + "}"));
            assertThrows(AccpException.class, () -> frames.parse(text));
            assertThrows(AccpException.class, () -> session.receive(text));
            assertThrows(AccpException.class, () -> session.send("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":\"" + text + "\"}}"));
            assertEquals(counter.count(text), counter.encode(text).length);
            String line = "@a>req:x{k:1}\n";
            byte[] lines = utf8(line.repeat(10_000_000 / line.length()));
            Batch.Results<String> results = batch.decode(lines);
            assertEquals(lines.length / line.length(), results.size());
            assertEquals("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":1}}", results.get(results.size() - 1));
            ByteBuffer direct = FrameVectorsTest.direct(lines);
            assertEquals(results.size(), batch.decode(direct).size());
        }
        char[] deep = new char[1_000_000];
        Arrays.fill(deep, '[');
        assertThrows(AccpException.class, () -> Json.parse(new String(deep)));
    }

    @Test
    void everyKindOfBuffer() throws AccpException {
        byte[] frame = utf8("@a>req:x{k:é}");
        byte[] message;
        Options options = new Options().dialect(Dialect.U8).extensions(Extension.U8);
        try (Codec codec = new Codec(options); FrameCodec frames = new FrameCodec(options)) {
            message = codec.decode(frame);
            ByteBuffer padded = ByteBuffer.allocate(frame.length + 4).put(2, frame).position(2).limit(2 + frame.length);
            for (ByteBuffer buffer : List.of(ByteBuffer.wrap(frame), padded, padded.slice(), padded.asReadOnlyBuffer(), FrameVectorsTest.direct(frame),
                    FrameVectorsTest.direct(frame).asReadOnlyBuffer())) {
                int position = buffer.position();
                assertArrayEquals(message, codec.decode(buffer));
                assertEquals("a", frames.parse(buffer).agent());
                assertEquals("é", frames.decodeMessage(buffer).payload().get("k").asString());
                assertEquals(position, buffer.position());
            }
            byte[] given = frame.clone();
            Frame parsed = frames.parse(given);
            Arrays.fill(given, (byte) 'z');
            assertEquals("é", parsed.payload().get("k").asString());
        }
    }

    @Test
    void answersOfEveryKindOfText() throws AccpException {
        String asked = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"buy\",\"payload\":{},\"meta\":{\"mid\":\"a00000000001\"}}";
        String answer = "{\"agent\":\"b\",\"intent\":\"done\",\"operation\":\"buy\",\"payload\":{}}";
        String frame = "@b>done:buy{}[cid:a00000000001,aid:a00000000001]";
        String end = frame.substring(frame.indexOf("cid:"));
        try (Codec codec = new Codec(); Engine engine = Engine.open(null); Session session = engine.session("s")) {
            assertEquals(frame, codec.reply(asked, answer));
            assertEquals(frame, codec.reply(Message.parse(asked), Message.parse(answer)));
            assertArrayEquals(utf8(frame), codec.reply(utf8(asked), utf8(answer)));
            assertArrayEquals(utf8(frame), codec.reply(FrameVectorsTest.direct(utf8(asked)), ByteBuffer.wrap(utf8(answer))));
            List<String> sent = List.of(session.reply(asked, answer), session.reply(Message.parse(asked), Message.parse(answer)),
                    new String(session.reply(utf8(asked), utf8(answer)), StandardCharsets.UTF_8),
                    new String(session.reply(ByteBuffer.wrap(utf8(asked)), FrameVectorsTest.direct(utf8(answer))), StandardCharsets.UTF_8));
            for (String one : sent) {
                assertTrue(one.startsWith("@b>done:buy{}[mid:") && one.endsWith(end), one);
            }
            assertEquals(new Codec.Outcome(1, 0, Set.of()), session.outcome());
        }
    }

    @Test
    void numbersAreExactOrStayText() throws AccpException {
        assertEquals(new BigInteger("123456789012345678901234567890"), Json.parse("123456789012345678901234567890").toJava());
        assertEquals(new BigDecimal("0.10"), Json.parse("0.10").toJava());
        assertEquals(new BigDecimal("1e-9"), Json.parse("1e-9").asBigDecimal());
        assertEquals(Long.MIN_VALUE, Json.parse("-9223372036854775808").asLong());
        assertThrows(ArithmeticException.class, () -> Json.parse("9223372036854775808").asLong());
        assertThrows(ArithmeticException.class, () -> Json.parse("2147483648").asInt());
        assertThrows(ArithmeticException.class, () -> Json.parse("0.5").asLong());
        assertEquals(100, Json.parse("1e2").asInt());
        assertThrows(ArithmeticException.class, () -> Json.parse("1e999999999").asBigInteger());
        assertThrows(ArithmeticException.class, () -> Json.parse("1e99999999999").asBigDecimal());
        assertEquals("1e99999999999", Json.parse("1e99999999999").toJava().toString());
        String digits = "7".repeat(20_000);
        assertEquals(digits, Json.parse(digits).toJava().toString());
        assertEquals(Double.POSITIVE_INFINITY, Json.parse("1e999").asDouble());
        assertEquals(Json.parse("1.0"), Json.parse("1"));
        assertEquals(Json.parse("1.0").hashCode(), Json.parse("1").hashCode());
        assertThrows(IllegalArgumentException.class, () -> Json.of(Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> Json.of(new Object()));
        Object[] cycle = new Object[1];
        cycle[0] = cycle;
        assertThrows(IllegalArgumentException.class, () -> Json.of(cycle));
        assertEquals("[1,2.5,-7,true,null,{\"a\":[]}]", Json.of(Arrays.asList(1, 2.5, new BigInteger("-7"), true, null, Map.of("a", new Object[0]))).toString());
    }

    @Test
    void askingForTheWrongKind() throws AccpException {
        Json json = Json.parse("{\"a\":[1,\"x\"],\"\":true}");
        assertThrows(IllegalStateException.class, json::asString);
        assertThrows(IllegalStateException.class, json::asLong);
        assertThrows(IllegalStateException.class, () -> json.get("a").asBoolean());
        assertThrows(IllegalStateException.class, () -> json.get("a").get(1).asBigDecimal());
        assertThrows(IndexOutOfBoundsException.class, () -> json.get("a").get(2));
        assertThrows(IndexOutOfBoundsException.class, () -> json.get(0));
        assertNull(json.get("b"));
        assertNull(json.get("a").get("b"));
        assertTrue(json.get("").asBoolean());
        assertEquals("", json.get("").key());
        assertNull(json.key());
        assertNull(json.get("a").get(0).key());
        assertEquals(0, json.get("a").get(0).size());
        assertEquals(List.of("a", ""), List.copyOf(json.members().keySet()));
    }

    @Test
    void anErrorSaysWhatAndWhere() {
        AccpException e = assertThrows(AccpException.ParseError.class, () -> Frame.parse("@a>req:x{k:}"));
        assertEquals(1001, e.code());
        assertEquals("E1001", e.codeName());
        assertEquals(11, e.offset());
        assertTrue(e instanceof AccpException.Parse);
        assertTrue(e.getMessage().startsWith("E1001 at byte 11: "), e.getMessage());
        assertTrue(e.toString().startsWith("org.libaccp.AccpException$ParseError: E1001 at byte 11: "), e.toString());
        assertEquals("ERR_BUSY: gone", AccpException.of(-4, "gone").getMessage());
        assertEquals("gone", AccpException.of(-4, "gone").reason());
        assertEquals("UNKNOWN", AccpException.of(4711, "x").codeName());
        assertTrue(new AccpException.Timeout("x").retryable());
        assertThrows(AccpException.Arg.class, () -> new FrameCodec(new Options().limit(Limit.DEPTH, 65)));
        assertThrows(AccpException.Arg.class, () -> new Tokenizer("no such"));
        assertThrows(AccpException.Nomem.class, () -> {
            try (Codec codec = new Codec(new Options().limit(Limit.MEMORY_BYTES, 65_536).limit(Limit.FRAME_BYTES, 1 << 24))) {
                codec.encode("{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":\"" + "x".repeat(1 << 20) + "\"}}");
            }
        });
    }

    private enum Priority { HIGH, LOW }

    private record Step(String task, Instant due, Optional<String> owner, OptionalInt tries) {}

    private record Plan(Priority priority, List<Step> steps, int[] costs, UUID id, char grade, Map<Priority, Duration> limits) {}

    @Test
    void javasOwnTypesArePayloads() throws AccpException {
        Instant due = Instant.parse("2026-01-02T03:04:05Z");
        UUID id = new UUID(1, 2);
        Plan plan = new Plan(Priority.HIGH, List.of(new Step("a", due, Optional.empty(), OptionalInt.of(3))), new int[] {1, 2}, id, 'A',
                Map.of(Priority.LOW, Duration.ofSeconds(90)));
        assertEquals("{\"priority\":\"HIGH\",\"steps\":[{\"task\":\"a\",\"due\":\"2026-01-02T03:04:05Z\",\"owner\":null,\"tries\":3}],\"costs\":[1,2],"
                + "\"id\":\"00000000-0000-0001-0000-000000000002\",\"grade\":\"A\",\"limits\":{\"LOW\":\"PT1M30S\"}}", Json.of(plan).toString());
        assertEquals("HIGH", Message.of("a", Intent.REQ, "x", plan).payload().get("priority").asString());
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Json.of(Map.of("steps", List.of(1, Map.of("run", new Thread())))));
        assertEquals("JSON has nothing for a java.lang.Thread, at steps[1].run", e.getMessage());
        e = assertThrows(IllegalArgumentException.class, () -> Json.of(Map.of("x", Map.of(1, 2))));
        assertEquals("a key that is neither a String nor an enum: 1, at x", e.getMessage());
    }
}
