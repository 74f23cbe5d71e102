// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A null for a required parameter is reported with the parameter's name: tests every parameter of
 * every public method.
 */
class NullsTest {
    /**
     * Parameters for which null has a documented meaning; and all components of records that only
     * hold results of the library.
     */
    private static final Set<String> MEAN_SOMETHING = Set.of("Codec.options", "Codec.setEnvelope.envelope", "Codec.removeParts.cid", "Options.registry.registry", "Options.agreement.agreement",
            "Options.store.store", "Options.tokenizer.tokenizer", "Options.schema.code", "Options.resolver.resolver", "Options.keeper.keeper",
            "Options.nextEnvelope.next", "Options.tools.tools", "Options.policy.policy", "Options.log.log", "Options.events.events", "Options.summariser.summariser", "Options.extractor.extractor",
            "Options.coldStore.cold", "Engine.open.options", "Session.receive.peer", "Session.append.peer", "Session.appendMessages.peer", "Session.appendHistory.form", "Session.appendHistory.branch", "Session.appendHistory.peer", "Session.put.expires", "Session.addGrant.expires",
            "Session.removeParts.cid", "FrameCodec.options", "Batch.options", "Counter.options", "Renderer.options", "StreamReceiver.options",
            "Deadlines.options", "Store.open.options", "Json.of.java", "Json.parse.options", "Message.metadata", "Failure.message", "Failure.detail",
            "Failure.source", "Failure.cid", "AccpException.of.message", "Registry.diffFrom.from", "Registry.document", "Registry.options",
            "ContextPacket.options", "ContextPacket.generate.form", "ContextPacket.generate.creator", "ContextPacket.generate.at", "ContextPacket.generate.code", "ContextPacket.fromSession.task", "ContextPacket.fromSession.creator",
            "ContextPacket.fromSession.at", "Session.setPanes.panes", "PacketCode.options", "ContextPacket.filter.task", "PacketIndex.options", "PacketIndex.query.from", "Panes.open.options", "Panes.write.revision", "Panes.refresh.revision", "Panes.refresh.note", "ContextPacket.setItems.given",
            "Library.document", "Library.options", "Sacp.library", "Sacp.options", "Receiver.msgId", "SacpThreadLine.msgId", "SacpThreadLine.replyTo",
            "AgentRegistry.store", "AgentRegistry.options", "AgentRegistry.renew.now", "AgentRegistry.query.now", "AgentRegistry.queryJson.now", "AgentRegistry.checkPlan.now", "AgentRegistry.requestAgents.now",
            "AgentRound.msgId", "SpawnRules.leaseUntil", "SpawnRules.msgId", "AgentRequests.report", "PlanReport.json", "PlanRun.options", "Presenter.options", "Phrases.options", "Phrases.setModel.model");
    private static final Set<Class<?>> ANSWERS = Set.of(Session.Delivery.class, Session.Context.class, Session.Messages.class,
            Session.Block.class, Session.LogRecord.class, Session.SharedState.class,
            Store.Counts.class, Store.Damage.class, Codec.PolicyCase.class, Codec.Outcome.class, Codec.PartBudget.class, Codec.FrameBudget.class,
            Registry.Info.class, Negotiation.Agreement.class, TokenBudget.class, Checkpoint.class, Envelope.class);

    private final Tokenizer tokenizer;
    private final Registry registry;
    private final Engine engine;
    private final Store store;
    private int opened;

    NullsTest() throws AccpException {
        tokenizer = new Tokenizer("o200k_base");
        registry = Registry.ofAllProfiles();
        store = Store.open("memory:");
        engine = Engine.open(new Options().store(store));
    }

    private Object sample(Class<?> type) throws AccpException {
        Map<Class<?>, Object> plain = Map.ofEntries(Map.entry(String.class, "x"), Map.entry(byte[].class, new byte[] {'1'}),
                Map.entry(ByteBuffer.class, ByteBuffer.wrap(new byte[] {'1'})), Map.entry(int.class, 1), Map.entry(long.class, 1L), Map.entry(boolean.class, true), Map.entry(double.class, 1.0),
                Map.entry(Object.class, "x"), Map.entry(Clock.class, Clock.systemUTC()), Map.entry(Instant.class, Instant.EPOCH), Map.entry(Map.class, Map.of()),
                Map.entry(Set.class, Set.of()), Map.entry(List.class, List.of()), Map.entry(OutputStream.class, new ByteArrayOutputStream()), Map.entry(Long.class, 1L), Map.entry(Locale.class, Locale.US), Map.entry(ZoneId.class, ZoneId.of("Asia/Tokyo")), Map.entry(java.time.Duration.class, java.time.Duration.ZERO),
                Map.entry(Tokenizer.class, tokenizer), Map.entry(Registry.class, registry), Map.entry(Store.class, store), Map.entry(Engine.class, engine));
        if (plain.containsKey(type)) {
            return plain.get(type);
        }
        if (type == Session.class) {
            return engine.session("s" + opened++);
        } else if (type == Json.class) {
            return Json.parse("{\"code\":\"TK\",\"version\":1,\"fields\":[]}");
        } else if (type == Message.class) {
            return Message.of("a", Intent.REQ, "x", Map.of());
        } else if (type == Frame.class) {
            return Frame.parse("@a>req:x{}[mid:a00000000001,seq:1]");
        } else if (type == Options.class) {
            return new Options().registry(registry);
        } else if (type == Codec.class) {
            return new Codec(new Options().registry(registry));
        } else if (type == FrameCodec.class) {
            return new FrameCodec();
        } else if (type == Batch.class) {
            return new Batch();
        } else if (type == Counter.class) {
            return new Counter(tokenizer);
        } else if (type == Negotiation.class) {
            return new Negotiation("a", new Options().registry(registry));
        } else if (type == Renderer.class) {
            return new Renderer();
        } else if (type == ContextPacket.class) {
            return new ContextPacket();
        } else if (type == Panes.class) {
            return Panes.open(".", Store.open("memory:"));
        } else if (type == PacketIndex.class) {
            return new PacketIndex();
        } else if (type == Library.class) {
            return new Library((String) null);
        } else if (type == Sacp.class) {
            return new Sacp(null);
        } else if (type == Sacp.Agent.class) {
            return new Sacp.Agent("a", List.of("v"), List.of("t"));
        } else if (type == Sacp.Receiver.class) {
            return new Sacp.Receiver("executor");
        } else if (type == SacpMessage.class) {
            return new SacpMessage("g");
        } else if (type == SacpPlan.class) {
            return new SacpPlan();
        } else if (type == Sacp.Sender.class) {
            return new Sacp.Sender("m", "a", "b", Instant.EPOCH);
        } else if (type == AgentRegistry.class) {
            return new AgentRegistry();
        } else if (type == AgentEntry.class) {
            return new AgentEntry("a", "d");
        } else if (type == AgentQuery.class) {
            return new AgentQuery();
        } else if (type == Presenter.class) {
            return new Presenter("{n}", Locale.US);
        } else if (type == Phrases.class) {
            return new Phrases("{\"phrases\":[]}", new Library((String) null));
        } else if (type == AgentRound.class) {
            return new AgentRound(0);
        } else if (type == SpawnRules.class) {
            return new SpawnRules(true);
        } else if (type == Verdict.class) {
            return new Verdict(Verdict.Answer.VALID, null, "", "", 0, List.of(), "");
        } else if (type == PlanRequest.class) {
            return new PlanRequest("{}");
        } else if (type == PlanRun.class) {
            return new PlanRun(new PlanRequest("{}"));
        } else if (type == RunPolicy.class) {
            return new RunPolicy();
        } else if (type == SacpState.class) {
            return SacpState.Version.V0_1.states().get(0);
        } else if (type == PacketCode.class) {
            return new PacketCode();
        } else if (type == StreamReceiver.class) {
            return new StreamReceiver();
        } else if (type == Deadlines.class) {
            return new Deadlines();
        } else if (type == Envelope.class) {
            return new Envelope("a00000000001", 1);
        } else if (type == Chunk.class) {
            return new Chunk("c", "d", 0, 1, true);
        } else if (type == Failure.class) {
            return new Failure(1001, false, "a", null, null, null, null);
        } else if (type == Session.Peer.class) {
            return Session.Peer.of("dev");
        } else if (type == AccpException.class) {
            return AccpException.of(1001, "x");
        } else if (type.isEnum()) {
            return type.getEnumConstants()[0];
        } else if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), 1);
            Array.set(array, 0, sample(type.getComponentType()));
            return array;
        } else if (type.isInterface()) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> null);
        }
        return null;
    }

    private static final List<Class<?>> CLASSES = List.of(Accp.class, AccpException.class, AgentEntry.class, AgentQuery.class, AgentRegistry.class, AgentRequests.class, AgentRound.class, Batch.class, Chunk.class, Codec.class, ContextPacket.class, Counter.class, Deadlines.class,
            Engine.class, Envelope.class, Failure.class, Frame.class, FrameCodec.class, Intent.class, Json.class, Library.class, Message.class,
            Negotiation.class, Options.class, PacketCode.class, PacketIndex.class, Panes.class, Phrases.class, PlanDriver.class, PlanReport.class, PlanRequest.class, PlanRun.class, Presenter.class, Registry.class, Renderer.class, RunPolicy.class, Sacp.class, Sacp.Agent.class, Sacp.Receiver.class, SacpMessage.class, SacpPlan.class, SacpState.class, SacpThreadLine.class, Session.class, Session.Peer.class, SpawnRules.class, Store.class, StreamReceiver.class, Tokenizer.class);

    @Test
    void everyNullIsNamed() throws Exception {
        Set<String> unnamed = new TreeSet<>();
        int tried = 0;
        for (Class<?> type : CLASSES) {
            List<Executable> all = new ArrayList<>(List.of(type.getConstructors()));
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && !method.getName().equals("equals") && !method.getName().equals("valueOf")) {
                    all.add(method);
                }
            }
            for (Executable one : all) {
                for (int i = 0; i < one.getParameterCount(); i++) {
                    Parameter parameter = one.getParameters()[i];
                    String name = type.getSimpleName() + (one instanceof Method ? "." + one.getName() : "") + "." + parameter.getName();
                    if (parameter.getType().isPrimitive() || MEAN_SOMETHING.contains(name) || ANSWERS.contains(type)) {
                        continue;
                    }
                    assertTrue(parameter.isNamePresent(), "the jar is compiled with -parameters");
                    tried++;
                    String said = tryNull(type, one, i);
                    if (!parameter.getName().equals(said)) {
                        unnamed.add(name + ": " + said);
                    }
                }
            }
        }
        assertEquals(Set.of(), unnamed, unnamed.size() + " of " + tried);
        assertTrue(tried > 100, tried + " parameters");
    }

    private String tryNull(Class<?> type, Executable one, int nothing) throws Exception {
        Object[] arguments = new Object[one.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = i == nothing ? null : sample(one.getParameterTypes()[i]);
        }
        try {
            if (one instanceof Constructor) {
                ((Constructor<?>) one).newInstance(arguments);
            } else {
                ((Method) one).invoke(Modifier.isStatic(one.getModifiers()) ? null : sample(type), arguments);
            }
            return "taken";
        } catch (InvocationTargetException e) {
            return e.getCause() instanceof NullPointerException ? e.getCause().getMessage() : e.getCause().toString();
        }
    }
}
