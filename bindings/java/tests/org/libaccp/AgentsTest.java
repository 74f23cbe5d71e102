// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registries of agents, and versions of messages. */
class AgentsTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_000_000);

    private final AgentRegistry agents = new AgentRegistry();

    AgentsTest() throws AccpException {}

    @AfterEach
    void close() {
        agents.close();
    }

    private static AgentEntry predictor(String name) {
        return new AgentEntry(name, "Predicts hotel prices").verbs("predict").tools("PRC_EST").inputs("ctx.history", "method").outputs("predictions").tags("prices")
                .confidence(0.5).other("team", "red");
    }

    private String found(AgentQuery query, Instant now, AgentRegistry.Ranking... rankings) throws AccpException {
        return agents.query(query, now, rankings).stream().map(one -> one.name() + " " + one.match()).collect(Collectors.joining(", "));
    }

    @Test
    void SACP_11_09_agentsAreFoundByWhatTheyCan() throws AccpException {
        agents.register(predictor("P"));
        agents.register(new AgentEntry("SURE", "").verbs("predict").inputs("ctx.history").outputs("predictions").confidence(0.9));
        agents.register(new AgentEntry("RANKER", "sorts").verbs("rank"));
        assertEquals("SURE EXACT, P EXACT", found(new AgentQuery().verb("predict").inputs("history").output("predictions"), null));
        assertEquals("SURE EXACT", found(new AgentQuery().verb("predict").top(1), null));
        assertEquals("P EXACT", found(new AgentQuery().tool("PRC_EST"), null));
        assertEquals("P EXACT", found(new AgentQuery().tags("prices").minConfidence(0.5), null));
        assertEquals("", found(new AgentQuery().verb("hotel_prices"), null));
        assertEquals("P LEXICAL", found(new AgentQuery().verb("hotel_prices"), null, AgentRegistry.Ranking.LEXICAL));
        AgentRegistry.Found one = agents.query("{\"query\":{\"tool\":\"PRC_EST\"}}", null).get(0);
        assertTrue(one.entry().contains("\"team\":\"red\""), one.entry());
        assertEquals(1, one.score());
        assertEquals("[{\"agent_name\":\"P\",\"match\":\"exact\"}]", agents.queryJson(new AgentQuery().tool("PRC_EST").toJson(), null));
    }

    @Test
    void SACP_12_03_agentsAreFoundByLikeness() throws AccpException {
        agents.register(predictor("NEAR").embedding("m", 1, 1));
        agents.register(predictor("FAR").embedding("m", -1, 1));
        AgentQuery query = new AgentQuery().embedding("m", 1, 0).threshold(0.7);
        List<AgentRegistry.Found> found = agents.query(query, null);
        assertEquals(1, found.size());
        assertEquals(AgentRegistry.Match.SIMILAR, found.get(0).match());
        assertEquals(0.707107, found.get(0).score(), 1e-6);
        agents.register("{\"agent\":\"FAR\",\"embedding\":[1,0],\"description\":\"d\",\"embedding_model\":\"m\"}");
        assertEquals("FAR SIMILAR, NEAR SIMILAR", found(query, null));
    }

    @Test
    void SACP_11_10_agentsComeAndGo() throws AccpException {
        Instant later = NOW.plusSeconds(2);
        agents.register(predictor("P").leaseUntil(NOW.plusMillis(1500)));
        assertEquals("P EXACT", found(new AgentQuery(), NOW));
        assertEquals("", found(new AgentQuery(), later));
        assertEquals("P EXACT", found(new AgentQuery(), null));
        assertThrows(AccpException.RefNotFound.class, () -> agents.renew("P", later.plusSeconds(1), later));
        agents.renew("P", later.plusSeconds(1), NOW);
        assertEquals("P EXACT", found(new AgentQuery(), later));
        assertEquals(0, agents.sweep(later));
        assertEquals(1, agents.sweep(later.plusSeconds(10)));
        assertEquals(0, agents.size());
        assertThrows(AccpException.RefNotFound.class, () -> agents.remove("P"));
        assertThrows(AccpException.RefNotFound.class, () -> agents.noteOutcome("P", true));
        agents.register(predictor("P"));
        agents.remove("P");
        assertEquals(0, agents.size());
    }

    @Test
    void SACP_12_04_outcomesWeigh() throws AccpException {
        agents.register(predictor("BAD"));
        agents.register(predictor("GOOD"));
        for (int i = 0; i < 3; i++) {
            agents.noteOutcome("GOOD", true);
            agents.noteOutcome("BAD", i == 0);
        }
        assertEquals("GOOD EXACT, BAD EXACT", found(new AgentQuery(), null, AgentRegistry.Ranking.BY_OUTCOMES));
        AgentRegistry.Found bad = agents.query(new AgentQuery(), null).get(0);
        assertEquals(List.of("BAD", 1L, 3L), List.of(bad.name(), bad.successes(), bad.outcomes()));
    }

    @Test
    void SACP_11_07_anEntryIsRefused() throws AccpException {
        String ok = predictor("OK").toJson(), number = ok.replace("\"OK\"", "1");
        Map<String, Verdict.Code> refused = Map.of("{\"agent_name\":\"A\"}", Verdict.Code.MISSING_FIELD, number, Verdict.Code.INVALID_TYPE, "[]", Verdict.Code.MALFORMED_MESSAGE,
                "{\"agent\":\"NOBODY\",\"embedding\":[1],\"description\":\"d\"}", Verdict.Code.NO_AGENT);
        for (Map.Entry<String, Verdict.Code> one : refused.entrySet()) {
            AccpException e = assertThrows(AccpException.class, () -> agents.register(one.getKey()), one.getKey());
            assertEquals(one.getValue(), e.verdict().code());
            assertEquals(AccpException.of(e.code(), "").getClass(), e.getClass());
            AccpException loaded = assertThrows(e.getClass(), () -> agents.load("[" + ok + "," + one.getKey() + "]"));
            assertEquals("entry 1: " + e.reason(), loaded.reason());
            assertEquals(one.getValue(), loaded.verdict().code());
            assertEquals(1, agents.size());
        }
        assertNotNull(assertThrows(AccpException.ParseError.class, () -> agents.query("{\"query\":{\"colour\":\"red\"}}", null)).verdict());
        assertNull(assertThrows(AccpException.RefNotFound.class, () -> agents.remove("NOBODY")).verdict());
    }

    @Test
    void SACP_11_01_aStoreHoldsOneRegistryForAll(@TempDir Path folder) throws AccpException {
        String name = "sqlite:" + folder.resolve("agents");
        Store store = Store.open(name);
        try (AgentRegistry first = new AgentRegistry(store, null); AgentRegistry second = new AgentRegistry(store, new Options())) {
            store.close();  // both keep it
            first.register(predictor("P"));
            assertEquals(1, second.query(new AgentQuery().verb("predict"), null).size());
        }
        try (Store again = Store.open(name); AgentRegistry third = new AgentRegistry(again, null)) {
            agents.load(third.toJson());
            assertEquals(third.toJson(), agents.toJson());
            assertEquals(1, agents.size());
        }
        assertThrows(IllegalStateException.class, () -> new AgentRegistry(store, null));
    }

    @Test
    void SACP_V1_02_versionsOfAMessage() throws AccpException {
        Sacp.Sender sender = new Sacp.Sender("m1", "planner", null, Instant.ofEpochMilli(1_700_000_000_000L));
        try (Sacp sacp = new Sacp(null)) {
            String newer = sacp.toVersion10("{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{\"x\":1}]]}", sender);
            for (String part : List.of("\"proto_ver\":\"1.0.0\"", "\"sender\":\"planner\"", "\"msg_id\":\"m1\"", "\"2023-11-14T22:13:20")) {
                assertTrue(newer.contains(part), newer);
            }
            assertTrue(sacp.toVersion01(newer).startsWith("{\"g\":\"G\",\"plan\":[[\"a\",\"A\",{\"x\":1}]],"));
            assertNotNull(assertThrows(AccpException.class, () -> sacp.toVersion10("{\"g\":\"G\",\"plan\":[],\"subtask\":{\"g\":\"H\",\"plan\":[]}}", sender)).verdict());
        }
    }
}
