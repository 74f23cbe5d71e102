// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class FrameVectorsTest {
    private static final Options BARE = new Options().extensions();

    @TestFactory
    List<DynamicTest> frames() throws IOException {
        return Vectors.each("frames.jsonl", vector -> {
            try (FrameCodec codec = new FrameCodec(BARE)) {
                checkFrame(codec, vector);
            }
        });
    }

    private static void checkFrame(FrameCodec codec, Json vector) throws AccpException {
        String text = vector.get("frame").asString();
        if (!vector.get("ok").asBoolean()) {
            AccpException refused = assertThrows(AccpException.class, () -> codec.parse(text));
            assertEquals(vector.get("code").asString(), refused.codeName());
            try (Batch batch = new Batch(BARE)) {
                assertEquals(refused.offset(), batch.parse(text.getBytes(StandardCharsets.UTF_8)).error(0).offset());
            }
            return;
        }
        Frame frame = codec.parse(text);
        assertEquals(text, frame.toString());
        checkTree(vector.get("ast"), frame);
        Json canon = vector.get("canon");
        if (canon.isNull()) {
            assertThrows(AccpException.InvalidType.class, () -> codec.print(text));
        } else {
            assertEquals(canon.asString(), codec.print(text));
        }
        try (Batch batch = new Batch(BARE)) {
            checkTree(vector.get("ast"), batch.parse(text.getBytes(StandardCharsets.UTF_8)).get(0));
        }
    }

    private static void checkTree(Json ast, Frame frame) {
        assertEquals(ast.get("agent").asString(), frame.agent());
        assertEquals(ast.get("intent").asString(), frame.intent());
        assertEquals(ast.get("operation").asString(), frame.operation());
        checkValue(ast.get("payload"), frame.payload());
        if (ast.get("meta").isNull()) {
            assertNull(frame.metadata());
        } else {
            checkValue(ast.get("meta"), frame.metadata());
        }
    }

    // A typed tree: {"map":[[key,value]…]}, {"arr":[…]}, {"str":…}, {"int":…}, {"dec":…}, {"ref":…}, true, false, null.
    private static void checkValue(Json ast, Json value) {
        if (ast.kind() != Kind.OBJECT) {
            assertEquals(ast.kind(), value.kind());
            assertEquals(ast.toString(), value.toString());
            return;
        }
        Json typed = ast.iterator().next();
        switch (typed.key()) {
            case "map": {
                assertEquals(Kind.OBJECT, value.kind());
                assertEquals(typed.size(), value.size());
                int i = 0;
                for (Json child : value) {
                    assertEquals(typed.get(i).get(0).asString(), child.key());
                    checkValue(typed.get(i++).get(1), child);
                    assertEquals(child.toString(), value.get(child.key()).toString());
                }
                return;
            }
            case "arr": case "array": case "list": {
                assertEquals(Kind.ARRAY, value.kind());
                assertEquals(typed.size(), value.size());
                for (int i = 0; i < typed.size(); i++) {
                    checkValue(typed.get(i), value.get(i));
                }
                return;
            }
            case "str": assertEquals(Kind.STRING, value.kind()); break;
            case "int": assertEquals(Kind.INTEGER, value.kind()); break;
            case "dec": assertEquals(Kind.DECIMAL, value.kind()); break;
            case "ref": assertEquals(Kind.REF, value.kind()); break;
            case "bool": assertEquals(typed.toString(), value.toString()); return;
            case "null": assertEquals(Kind.NULL, value.kind()); return;
            default: throw new AssertionError("an unknown kind: " + ast);
        }
        assertEquals(typed.asString(), value.asString());
    }

    @TestFactory
    List<DynamicTest> q1() throws IOException {
        return Vectors.each("q1.jsonl", vector -> {
            String json = "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":" + vector.get("json").asString() + "}}";
            byte[] wire = ("@a>req:x{k:" + vector.get("wire").asString() + "}").getBytes(StandardCharsets.UTF_8);
            try (Codec codec = new Codec(); FrameCodec frames = new FrameCodec()) {
                byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
                assertArrayEquals(wire, codec.encode(bytes));
                assertArrayEquals(wire, codec.encode(direct(bytes)));
                String back = codec.decode(new String(wire, StandardCharsets.UTF_8));
                assertEquals(Json.parse(json), Json.parse(back));
                assertEquals(back, new String(codec.decode(direct(wire)), StandardCharsets.UTF_8));
                assertEquals(back, Json.parse(back).toString());  // our printer and the library's write the same bytes
                Message message = codec.decodeMessage(wire);
                assertEquals(message, frames.decodeMessage(wire));
                assertEquals(back, message.toJson());
                assertEquals(Message.parse(back), message);
                assertEquals(back, Message.parse(back).toJson());
                Object java = message.payload().toJava();
                assertEquals(message.payload(), Json.of(java));
            }
        });
    }

    @TestFactory
    List<DynamicTest> tokens() throws IOException {
        return Vectors.each("tokens.jsonl", vector -> {
            for (String name : List.of("o200k_base", "cl100k_base")) {
                try (Tokenizer tokenizer = new Tokenizer(name); Counter counter = new Counter(tokenizer)) {
                    String text = vector.get("text").asString();
                    int[] ids = new int[vector.get(name).size()];
                    int i = 0;
                    for (Json id : vector.get(name)) {
                        ids[i++] = id.asInt();
                    }
                    assertArrayEquals(ids, counter.encode(text));
                    assertEquals(ids.length, counter.count(text));
                    assertEquals(text, new String(counter.decode(ids), StandardCharsets.UTF_8));
                }
            }
        });
    }

    static ByteBuffer direct(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 2);
        return buffer.put((byte) 'x').put(bytes).put((byte) 'x').flip().position(1).limit(bytes.length + 1);
    }
}
