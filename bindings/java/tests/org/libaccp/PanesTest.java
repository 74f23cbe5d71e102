// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packets in a project's files, and what is learnt of tasks. */
class PanesTest {
    private static final String PACKET = "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n  goal: g\n";

    @TempDir
    Path directory;

    private static void wants(int code, org.junit.jupiter.api.function.Executable call) {
        assertEquals(code, assertThrows(AccpException.class, call).code());
    }

    @Test
    void aPacketInAProjectsFiles() throws AccpException {
        try (Store store = Store.open("memory:"); Panes panes = Panes.open(directory.toString(), store);
                ContextPacket packet = new ContextPacket(); ContextPacket read = new ContextPacket()) {
            wants(2001, () -> panes.read(1, read, Panes.Reading.MERGED));
            panes.configure("context: {default_depth: deep, budgets: {minimal: 90}, pane: 4}");
            assertEquals(90, panes.setting(Panes.Setting.BUDGET_MINIMAL));
            assertEquals(ContextPacket.Depth.DEEP.number, panes.setting(Panes.Setting.DEFAULT_DEPTH));
            assertEquals(4, panes.setting(Panes.Setting.OWN_PANE));
            assertEquals(10, panes.setting(Panes.Setting.LOCK_SECONDS));
            packet.read(PACKET + "  constraints: [all of us]\n");
            panes.write(Panes.SHARED, packet);
            String shared = packet.checksum();
            packet.read(PACKET + "  constraints: [mine]\n");
            panes.write(1, packet, null, true);
            panes.read(1, read, Panes.Reading.RECEIPT);
            assertTrue(read.toPrompt().contains("- mine\n- all of us\n"), read.toPrompt());
            panes.read(1, read, Panes.Reading.ALONE);
            assertTrue(!read.toPrompt().contains("all of us"));
            wants(-4, () -> panes.write(Panes.SHARED, packet));
            panes.write(Panes.SHARED, packet, shared, false);
            wants(-2, () -> panes.write(-2, packet));
            assertTrue(Files.exists(directory.resolve(".agentwire/context/pane-1.yaml")));
            panes.writeFeedback(1, new Panes.Feedback(List.of("which\ntests", "ümlaut"), List.of("failed_attempts")));
            assertEquals(new Panes.Feedback(List.of("which tests", "ümlaut"), List.of("failed_attempts")), panes.feedback(1));
            panes.remove(1);
            wants(2001, () -> panes.remove(1));
            wants(2001, () -> panes.feedback(2));
            assertEquals(2, store.counts().blobs());
            assertTrue(assertThrows(AccpException.class, () -> panes.configure("context: {default_dept: deep}")).getMessage().contains("not one of default_depth"));
        }
    }

    @Test
    void aSessionBecomesAPacket() throws AccpException {
        try (Engine engine = Engine.open(); Session session = engine.session("work"); ContextPacket packet = new ContextPacket()) {
            wants(-2, () -> packet.fromSession(session, null, ContextPacket.Depth.DEEP, 0, null, null));
            session.append("{\"agent\":\"user\",\"intent\":\"req\",\"operation\":\"plan\",\"payload\":{\"content\":\"Mend it. It must not touch the registration.\"}}");
            session.append("{\"agent\":\"dev\",\"intent\":\"fail\",\"operation\":\"install\",\"payload\":{\"package\":\"PyJWT\",\"err\":\"not installed here\"}}");
            packet.fromSession(session, null, ContextPacket.Depth.DEEP, 0, null, null);
            assertTrue(packet.toPrompt().contains("- It must not touch the registration.\n"), packet.toPrompt());
            assertTrue(packet.toPrompt().contains("- install PyJWT: err: not installed here\n"), packet.toPrompt());
            assertTrue(packet.toJson().contains("\"failed_attempts\":[\"$cold.m2\"]"), packet.toJson());
            wants(2003, () -> packet.fromSession(session, null, ContextPacket.Depth.DEEP, 5, null, null));
        }
    }

    @Test
    void aMessageCarriesAPacket() throws AccpException {
        String announcement = "{\"agent\":\"lead\",\"intent\":\"sync\",\"operation\":\"context\",\"payload\":{\"to\":\"dev\"}}";
        try (Engine engine = Engine.open(); Session session = engine.session("work"); ContextPacket packet = new ContextPacket(); ContextPacket read = new ContextPacket()) {
            wants(-2, () -> session.sendPacket(announcement, packet));
            packet.read(PACKET + "  decisions: [JWT]\n");
            assertTrue(session.sendPacket(announcement, packet).startsWith("@lead>sync:context{to:dev|packet:"));
            session.readPacket(session.resolve("cold.m1").toString(), read);
            assertEquals(packet.checksum(), read.checksum());
            String name = session.putPacket(packet).split(",")[0];
            String answer = session.answerPacket("{\"agent\":\"dev\",\"intent\":\"qry\",\"operation\":\"context\",\"payload\":" + name
                    + ",\"layers\":[\"decisions\"]},\"meta\":{\"mid\":\"a00000000001\",\"seq\":2,\"ts\":1}}", "lead");
            assertTrue(answer.startsWith("@lead>done:context{layers:[decisions]|content:"), answer);
            wants(1001, () -> session.readPacket("{\"agent\":\"a\",\"intent\":\"esc\",\"operation\":\"b\",\"payload\":{}}", read));
            wants(-2, () -> session.answerPacket(announcement, "lead"));
        }
    }

    @Test
    void aSessionTellsAProjectOfTasks() throws AccpException {
        try (Store store = Store.open("memory:"); Panes panes = Panes.open(directory.toString(), store); Engine engine = Engine.open();
                Session session = engine.session("work"); ContextPacket packet = new ContextPacket()) {
            session.setPanes(panes);
            packet.read(PACKET);
            session.sendPacket("{\"agent\":\"lead\",\"intent\":\"req\",\"operation\":\"plan\",\"payload\":{\"to\":\"dev\",\"pane\":2},\"meta\":{\"cid\":\"c1\"}}", packet);
            session.append("{\"agent\":\"dev\",\"intent\":\"ack\",\"operation\":\"context\",\"payload\":{\"gaps\":[\"tests\"]},\"meta\":{\"cid\":\"c1\"}}");
            assertEquals(new Panes.Feedback(List.of("tests"), List.of()), panes.feedback(2));
            session.append("{\"agent\":\"dev\",\"intent\":\"done\",\"operation\":\"plan\",\"payload\":{},\"meta\":{\"cid\":\"c1\"}}");
            assertTrue(panes.statsJson(false).startsWith("{\"tasks\":1,"), panes.statsJson(false));
            session.setPanes(null);
        }
    }

    @Test
    void whatPanesLearn() throws AccpException {
        Store store = Store.open("memory:");
        try (Panes panes = Panes.open(directory.toString(), store, new Options()); ContextPacket packet = new ContextPacket()) {
            store.close();  // they keep what they need of it
            packet.read(PACKET);
            for (int i = 0; i < 6; i++) {
                panes.write(1, packet);
                panes.writeFeedback(1, new Panes.Feedback(List.of("what was tried before"), List.of()));
                panes.record(i < 5 ? new Panes.Task("auth", 1, i > 0)
                        : new Panes.Task("auth", 1, true, ContextPacket.Depth.STANDARD, 0, 1800, 3, new Panes.Feedback(List.of(), List.of()), null));
                wants(2001, () -> panes.remove(1));
            }
            assertTrue(panes.stats(false).startsWith("Average context size: 8 tokens\nWorker success rate: 83%\nTop context gaps: failed attempts (83%)\n"), panes.stats(false));
            assertTrue(panes.stats(true).startsWith("Tasks: 3 -> 3"));
            assertTrue(panes.statsJson(true).startsWith("{\"tasks\":6,"));
            assertTrue(panes.statsJson(false).contains("\"explored\":3"));
            Panes.Advice advice = panes.advise("auth");
            assertEquals(ContextPacket.Depth.DEEP, advice.depth());
            assertTrue(advice.why().startsWith("deep: a gap that only a deeper packet fills"), advice.why());
            wants(-2, () -> panes.record(new Panes.Task("a\nb", -1, true)));
        }
    }
}
