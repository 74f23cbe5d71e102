// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages on their way: what goes to whom, and threads of them. */
class SacpThreadTest {
    private final Sacp sacp = new Sacp(null);

    SacpThreadTest() throws AccpException {}

    @AfterEach
    void close() {
        sacp.close();
    }

    private record Passed(Sacp.Receiver to, String message, String want) {}

    @Test
    void SACP_4_05_whoIsInBetweenIsNotAskedForProse() throws AccpException {
        Sacp.Receiver executor = new Sacp.Receiver("executor"), named = new Sacp.Receiver("executor", List.of(), "m1");
        String inside = "\"subtask\":{\"g\":\"H\",\"plan\":[],\"out_fmt\":\"human\"}", human = "{\"g\":\"G\",\"plan\":[],\"out_fmt\":\"human\"}";
        List<Passed> cases = List.of(
                new Passed(executor, "{\"plan\":[],\"g\":\"G\",\"out_fmt\":\"human\"}", "{\"g\":\"G\",\"plan\":[]}"),
                new Passed(new Sacp.Receiver(""), human, "{\"g\":\"G\",\"plan\":[]}"),
                new Passed(executor, human.replace("human", "summary"), human.replace("human", "summary")),
                new Passed(new Sacp.Receiver("formatter"), human, human),
                new Passed(named, "{\"g\":\"G\",\"plan\":[]}", "{\"g\":\"G\",\"plan\":[],\"msg_id\":\"m1\"}"),
                new Passed(named, "{\"g\":\"G\",\"plan\":[],\"msg_id\":\"m0\"}", "{\"g\":\"G\",\"plan\":[],\"msg_id\":\"m0\"}"),
                new Passed(new Sacp.Receiver("", List.of("SAY", "TELL"), null), "{\"g\":\"G\",\"plan\":[[\"a\",\"TELL\",{" + inside + "}],[\"a\",\"TEL\",{" + inside + "}]]}",
                        "{\"g\":\"G\",\"plan\":[[\"a\",\"TELL\",{" + inside + "}],[\"a\",\"TEL\",{\"subtask\":{\"g\":\"H\",\"plan\":[]}}]]}"));
        for (Passed one : cases) {
            assertEquals(one.want(), sacp.compose(one.message(), one.to()), one.to().toString());
        }
    }

    @Test
    void whatCannotGoToAnyoneIsRefused() {
        List<Sacp.Receiver> nobody = List.of(new Sacp.Receiver("", List.of(), "a b"), new Sacp.Receiver("", List.of("SAY\nTELL"), null), new Sacp.Receiver("", List.of("SAY", ""), null));
        for (Sacp.Receiver to : nobody) {
            assertNull(assertThrows(AccpException.Arg.class, () -> sacp.compose("{\"g\":\"G\",\"plan\":[]}", to), to.toString()).verdict());
        }
        AccpException refused = assertThrows(AccpException.InvalidType.class, () -> sacp.compose("{\"g\":\"G\"}", new Sacp.Receiver("")));
        assertEquals(Verdict.Code.MISSING_FIELD, refused.verdict().code());
    }

    private static SacpThreadLine line(int line, int depth, SacpThreadLine.Kind kind, String msgId, String replyTo, int of) {
        return new SacpThreadLine(line, depth, kind, msgId, replyTo, of);
    }

    @Test
    void SACP_2_02_threadsAreBuiltFromMessagesInAnyOrder() throws AccpException {
        Map<String, List<SacpThreadLine>> cases = Map.of(
                "", List.of(),
                "{}\n\n{\"msg_id\":\"a\"}\n", List.of(line(1, 0, SacpThreadLine.Kind.ROOT, null, null, 0), line(3, 0, SacpThreadLine.Kind.ROOT, "a", null, 0)),
                "{\"msg_id\":\"c\",\"reply_to\":\"b\"}\n{\"msg_id\":\"b\",\"reply_to\":\"a\"}\n{\"msg_id\":\"a\"}", List.of(line(3, 0, SacpThreadLine.Kind.ROOT, "a", null, 0),
                        line(2, 1, SacpThreadLine.Kind.REPLY, "b", "a", 0), line(1, 2, SacpThreadLine.Kind.REPLY, "c", "b", 0)),
                "{\"msg_id\":\"a\",\"reply_to\":\"z\"}\n{\"msg_id\":\"a\"}",
                List.of(line(1, 0, SacpThreadLine.Kind.ORPHAN, "a", "z", 0), line(2, 0, SacpThreadLine.Kind.DUPLICATE, "a", null, 1)),
                "{\"msg_id\":\"a\",\"reply_to\":\"b\"}\n{\"msg_id\":\"b\",\"reply_to\":\"a\"}",
                List.of(line(1, 0, SacpThreadLine.Kind.CYCLE, "a", "b", 0), line(2, 1, SacpThreadLine.Kind.REPLY, "b", "a", 0)));
        for (Map.Entry<String, List<SacpThreadLine>> one : cases.entrySet()) {
            assertEquals(one.getValue(), sacp.threads(one.getKey()), one.getKey());
        }
        String talk = "{\"msg_id\":\"b\",\"reply_to\":\"a\"}\n{\"msg_id\":\"a\"}";
        assertEquals("[{\"line\":2,\"depth\":0,\"kind\":\"root\",\"msg_id\":\"a\"},{\"line\":1,\"depth\":1,\"kind\":\"reply\",\"msg_id\":\"b\",\"reply_to\":\"a\"}]",
                sacp.threadsJson(talk));
        assertEquals("a (line 2)\n  b (line 1)\n", sacp.threadsText(talk));
    }

    private record Refusal(Class<? extends AccpException> type, Verdict.Code code, long offset) {}

    @Test
    void aLineThatIsRefusedSaysWhere() {
        Map<String, Refusal> cases = Map.of("{}\n[]", new Refusal(AccpException.ParseError.class, Verdict.Code.MALFORMED_MESSAGE, 3),
                "{}\n{\"msg_id\":1}", new Refusal(AccpException.InvalidType.class, Verdict.Code.INVALID_TYPE, 13),
                "{", new Refusal(AccpException.ParseError.class, Verdict.Code.MALFORMED_MESSAGE, 1));
        cases.forEach((text, want) -> {
            AccpException refused = assertThrows(want.type(), () -> sacp.threads(text), text);
            assertEquals(want.code(), refused.verdict().code(), text);
            assertEquals(want.offset(), refused.verdict().offset(), text);
        });
    }

    @Test
    void whatIsAnsweredMayBeLongerThanWhatIsGiven() throws AccpException {
        int count = 500_000;
        List<SacpThreadLine> lines = sacp.threads("{}\n".repeat(count));  // whose array has more than 16 MiB
        assertEquals(count, lines.size());
        assertEquals(line(count, 0, SacpThreadLine.Kind.ROOT, null, null, 0), lines.get(count - 1));
    }
}
