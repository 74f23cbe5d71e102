// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One set of options for everything: settings, refusals, and lifetimes. */
class OptionsTest {
    private static String message(String payload) {
        return "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":" + payload + "}";
    }

    @Test
    void oneServesEveryHandle() throws AccpException {
        List<String> lines = new ArrayList<>();
        List<String> asked = new ArrayList<>();
        try (Registry registry = Registry.ofAllProfiles(); Tokenizer tokenizer = new Tokenizer("cl100k_base"); Store store = Store.open("memory:")) {
            Options options = new Options().registry(registry).tokenizer(tokenizer).store(store).extensions(Extension.T1).rule(Rule.MAX_TOKENS, 60)
                    .redacted("secret").log((received, status, line) -> lines.add(line)).resolver(ref -> {
                        asked.add(ref);
                        return "1".getBytes(StandardCharsets.UTF_8);
                    });
            String frame = "@a>req:x{k:$cold.z|secret:s3}";
            try (Codec codec = new Codec(options); Engine engine = Engine.open(options); FrameCodec frames = new FrameCodec(options);
                    Negotiation negotiation = new Negotiation("a", options)) {
                options.log(null).resolver(null).rule(Rule.MAX_TOKENS, 1);  // they keep what they were made with
                assertTrue(codec.decode(frame).contains("\"k\":1"));
                try (Session session = engine.session("s")) {
                    session.receive(frame + "[mid:a00000000001,seq:1]");
                    assertTrue(session.nextDelivery().message().contains("\"k\":1"));
                    assertThrows(AccpException.BudgetExceeded.class, () -> session.send(message("{\"k\":\"" + "word ".repeat(80) + "\"}")));
                }
                assertEquals(1, store.counts().sessions());
                assertEquals(List.of("cold.z", "cold.z"), asked);
                assertEquals(3, lines.size());
                assertFalse(lines.toString().contains("s3"), lines.toString());
                assertThrows(AccpException.BudgetExceeded.class, () -> codec.encode(message("{\"k\":\"" + "word ".repeat(80) + "\"}")));
                assertEquals(1, frames.decodeMessage("@a>req:x{k:1}").payload().get("k").asInt());
                assertTrue(negotiation.nextFrame().contains("cl100k_base"));
            }
            try (Codec codec = new Codec(options)) {
                assertThrows(AccpException.RefNotFound.class, () -> codec.decode(frame));
                assertThrows(AccpException.BudgetExceeded.class, () -> codec.encode(message("{}")));
            }
        }
    }

    private static void refused(Options options) {
        assertThrows(AccpException.Arg.class, () -> new Codec(options));
    }

    private static Options agreed(Negotiation.Progress progress, Registry registry) {
        return new Options().agreement(new Negotiation.Agreement(progress, Set.of(Extension.Q1), Set.of(), registry, null, null));
    }

    @Test
    void anAgreementTakesThePlaceOfWhatElseIsSaid() throws AccpException {
        try (Registry registry = Registry.ofAllProfiles(); Registry bare = new Registry(null)) {
            Options options = new Options().registry(bare).extensions(Extension.T1).rule(Rule.BY_SENDER, 0).rule(Rule.REQUIRE_REGISTRY, 1)
                    .agreement(new Negotiation.Agreement(Negotiation.Progress.AGREED, Set.of(Extension.P1), Set.of(Feature.SENDERS), registry, null, null));
            try (Engine engine = Engine.open(options); Session session = engine.session("s")) {
                assertEquals(registry.describe().hash(), engine.registry().describe().hash());
                session.receive("@a>req:x{k:1}[mid:a00000000001,seq:1]");
                String sent = session.send("{\"agent\":\"b\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"rows\":[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2},{\"a\":1,\"b\":2}]}}");
                assertTrue(sent.contains(",seq:1,") && sent.contains("rows:[{a:1,b:2},{a:1,b:2},{a:1,b:2}]"), sent);  // each counts its own, and t1 is not agreed
                assertThrows(AccpException.ParseError.class, () -> session.reply("{}", message("{}")));
            }
        }
        Registry gone = Registry.ofAllProfiles();
        gone.close();
        assertThrows(IllegalStateException.class, () -> Engine.open(agreed(Negotiation.Progress.AGREED, gone)));
    }

    @Test
    void whatCannotBeIsRefusedByWhatIsMade() throws AccpException {
        for (Options bad : List.of(new Options().rule(Rule.PARTS, 2), new Options().rule(Rule.EXTENSIONS, 32), new Options().rule(Rule.DIALECT, 3),
                new Options().rule(Rule.TOKEN_CACHE, 3), new Options().limit(Limit.OPEN_STREAMS, 257), new Options().redacted(""),
                new Options().ownAgents(""), new Options().untrustedAgents("a\0b"))) {
            refused(bad);
            assertThrows(AccpException.Arg.class, () -> Engine.open(bad));
            assertThrows(AccpException.Arg.class, () -> new FrameCodec(bad));
            assertThrows(AccpException.Arg.class, () -> new StreamReceiver(bad));
        }
        refused(new Options().extensions(Extension.P1));  // needs a registry, as all of these
        refused(new Options().schema("TC"));
        refused(new Options().strictness(Strictness.SCHEMA));
        refused(new Options().tools((name, arguments) -> { }));
        refused(new Options().policy(asked -> { }));
        refused(new Options().extensions().rule(Rule.PARTS, 1));
        assertThrows(AccpException.Arg.class, () -> new Negotiation("a", new Options()));
        try (Registry registry = Registry.ofAllProfiles()) {
            for (Options bad : List.of(agreed(Negotiation.Progress.OPEN, registry), agreed(Negotiation.Progress.REFUSED, registry),
                    agreed(Negotiation.Progress.AGREED, null), new Options().extensions().rule(Rule.PARTS, 1))) {
                assertThrows(AccpException.Arg.class, () -> Engine.open(bad));
            }
            assertThrows(AccpException.UnknownSchema.class, () -> new Codec(new Options().registry(registry).schema("XX")));
            new Codec(new Options().registry(registry).schema("TC").extensions(Extension.P1).strictness(Strictness.SCHEMA)).close();
            try (Engine engine = Engine.open(new Options().rule(Rule.SPECIFICATION, 1).rule(Rule.SUMMARY_MAX, 300))) {
                assertThrows(AccpException.Arg.class, () -> engine.session("s"));
            }
        }
        assertThrows(AccpException.InvalidType.class, () -> new Codec(new Options().ignored("\ud800")));
    }

    @Test
    void whatRulesAndNamesSay() throws AccpException {
        try (Codec codec = new Codec(new Options().ignored("trace").rule(Rule.KEEP_REFS, 1).rule(Rule.INLINE_CHARACTERS, 3).keeper(json -> "warm.k"))) {
            assertEquals("@a>req:x{k:abc|l:$warm.k}", codec.encode("{\"trace\":[1]," + message("{\"k\":\"abc\",\"l\":\"abcd\"}").substring(1)));
            assertEquals(new Codec.Outcome(1, 1, Set.of()), codec.outcome());
            assertEquals(message("{\"l\":{\"$ref\":\"warm.k\"}}"), codec.decode("@a>req:x{l:$warm.k}"));
            assertEquals(0, codec.budget().total().tokens());
            assertEquals(240, codec.budget().total().hard());
        }
        try (Engine engine = Engine.open(new Options().extensions(Extension.U8).limit(Limit.DEPTH, 9)); Session session = engine.session("s")) {
            assertEquals("é", engine.encode(Message.parse(message("{\"k\":\"é\"}")), session).payload().get("k").asString());
            assertEquals("[[[[[[[1]]]]]]]", engine.encode(Message.parse(message("{\"k\":[[[[[[[1]]]]]]]}")), session).payload().get("k").toString());
        }
        try (Tokenizer tokenizer = new Tokenizer("o200k_base"); Counter plain = new Counter(tokenizer);
                Counter special = new Counter(tokenizer, new Options().rule(Rule.SPECIAL_TOKENS, 1))) {
            assertTrue(plain.count("<|endoftext|>") > 1);
            assertEquals(1, special.count("<|endoftext|>"));
            assertEquals(3, plain.count("one two three four", 2));
            assertEquals(4, plain.count("one two three four", 4));
        }
        try (StreamReceiver streams = new StreamReceiver(new Options().limit(Limit.OPEN_STREAMS, 1).rule(Rule.KEEP_STREAMS, 0))) {
            assertEquals("a", streams.add(new Chunk("c1", "a", 0, 0, false)).data());
            assertThrows(AccpException.BudgetExceeded.class, () -> streams.add(new Chunk("c2", "a", 0, 0, false)));
            assertEquals("", streams.add(new Chunk("c1", "b", 1, 0, true)).whole());
            streams.add(new Chunk("c2", "a", 0, 0, false));
            assertEquals(1, streams.openCount());
            streams.remove("c2");
            assertEquals(0, streams.openCount());
        }
    }

    @Test
    void whatTwoSidesAgreeOn() throws AccpException {
        try (Registry registry = new Registry("{\"version\":7}", Profile.CHAT); Tokenizer tokenizer = new Tokenizer("o200k_base")) {
            assertEquals(7, registry.describe().version());
            assertEquals("{\"version\":7}", registry.describe().document());
            assertEquals(registry.schemas().size(), registry.describe().schemaCount());
            Options here = new Options().registry(registry).extensions(Extension.P1).rule(Rule.MERGES, 1).tokenizer(tokenizer);
            Options there = new Options().registry(registry).extensions(Extension.P1, Extension.T1).rule(Rule.MERGES, 1);
            try (Negotiation left = new Negotiation("a", here); Negotiation right = new Negotiation("b", there)) {
                try (Negotiation.Agreement open = left.agreement()) {
                    assertEquals(new Negotiation.Agreement(Negotiation.Progress.OPEN, Set.of(), Set.of(), null, null, null), open);
                }
                left.addKnown(registry);
                for (int round = 0; round < 9; round++) {
                    for (String frame; (frame = left.nextFrame()) != null;) {
                        right.receive(frame);
                    }
                    for (String frame; (frame = right.nextFrame()) != null;) {
                        left.receive(frame);
                    }
                }
                try (Negotiation.Agreement agreed = right.agreement()) {
                    assertEquals(Negotiation.Progress.AGREED, agreed.progress());
                    assertEquals(Set.of(Extension.Q1, Extension.P1), agreed.extensions());
                    assertEquals(Set.of(Feature.MERGES, Feature.PARTS, Feature.SENDERS), agreed.features());
                    assertEquals(registry.describe().hash(), agreed.registry().describe().hash());
                    assertEquals(registry.describe().hash(), agreed.peer().describe().hash());
                    assertEquals("o200k_base", agreed.peerTokenizer());
                }
            }
        }
    }

    @Test
    void anErrorFrameIsReadAfterItWasDecoded() throws AccpException {
        try (Registry registry = Registry.ofAllProfiles(); Codec codec = new Codec(new Options().registry(registry)); Codec bare = new Codec()) {
            Failure said = new Failure(3001, true, "a", "connection timed out", null, "api.crm", "c1");
            String frame = codec.encodeFailure(said);
            assertTrue(codec.decode(frame).contains("\"E3001\""));
            assertEquals(said, codec.failure());
            codec.decode("@a>done:x{}");
            assertNull(codec.failure());
            assertThrows(AccpException.ParseError.class, () -> codec.decode("@a>"));
            assertNull(codec.failure());
            bare.decode(frame);
            assertNull(bare.failure());
        }
    }

    @Test
    void aDeliverySaysItsMidAndItsCid() throws AccpException {
        try (Engine engine = Engine.open(new Options().rule(Rule.BY_SENDER, 1).rule(Rule.PARTS, 1)); Session session = engine.session("s");
                Codec codec = new Codec(new Options().rule(Rule.PARTS, 1).rule(Rule.MAX_TOKENS, 60).nextEnvelope(
                        first -> new Envelope("a0000000000" + (first.seq() + 1), first.seq() + 1, null, first.cid(), null, null, null)))) {
            session.receive("@a>req:x{k:1}[mid:a00000000001,seq:1]");
            session.receive("@a>done:x{k:1}[mid:a00000000002,seq:2,cid:c7]");
            Session.Delivery first = session.nextDelivery();
            assertEquals("a00000000001", first.mid());
            assertNull(first.cid());
            Session.Delivery second = session.nextDelivery();
            assertEquals("a00000000002", second.mid());
            assertEquals("c7", second.cid());
            session.receive("@a>done:x{k:1}[mid:a00000000005,seq:5,cid:c7]");
            Session.Delivery gap = session.nextDelivery();
            assertTrue(gap.error() instanceof AccpException.SequenceGap);
            assertNull(gap.mid());
            assertNull(gap.cid());
            codec.setEnvelope(new Envelope("a00000000003", 3));
            String[] parts = codec.encode(message("{\"k\":\"" + "word ".repeat(45) + "\"}")).split("\n");
            assertEquals(2, parts.length);
            session.receive(parts[0]);
            session.receive(parts[1]);
            Session.Delivery whole = session.nextDelivery();
            assertEquals("a00000000004", whole.mid());
            assertTrue(whole.message().contains("word word"));
            assertEquals("a00000000005", session.nextDelivery().mid());
        }
    }

    private static void collect() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(10);
        }
    }

    private static final class Answer implements Codec.Resolver {
        @Override
        public byte[] resolve(String ref) {
            return "\"here\"".getBytes(StandardCharsets.UTF_8);
        }
    }

    // Nothing but the native side holds the resolver, the tokenizer, the registry and the store.
    private static Options lent(List<WeakReference<?>> held) throws AccpException {
        Answer answer = new Answer();
        held.add(new WeakReference<>(answer));
        return new Options().resolver(answer).tokenizer(Tokenizer.of("bytes", true, text -> text.length)).registry(Registry.ofAllProfiles())
                .store(Store.open("memory:"));
    }

    private static void use(List<WeakReference<?>> held) throws Exception {
        try (Codec codec = new Codec(lent(held)); Session session = Engine.open(lent(held)).session("s")) {  // its engine is forgotten at once
            collect();
            assertTrue(codec.decode("@a>req:x{k:$warm.z}").contains("\"here\""));
            assertEquals(codec.encode(message("{}")).length(), codec.budget().total().tokens());
            session.receive("@a>req:x{k:$warm.z}[mid:a00000000001,seq:1]");
            assertTrue(session.nextDelivery().message().contains("\"here\""));
            session.checkpoint();
            session.sync();
        }
    }

    @Test
    void whatIsLentLivesAsLongAsTheHandleAndNoLonger() throws Exception {
        List<WeakReference<?>> held = new ArrayList<>();
        use(held);
        for (int wait = 0; wait < 1_000 && held.stream().anyMatch(one -> one.get() != null); wait++) {
            collect();
        }
        assertEquals(0, held.stream().filter(one -> one.get() != null).count());
    }
}
