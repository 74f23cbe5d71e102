// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans, and the agents that they need. */
class AgentsPlanTest {
    private static final String VISAS =
            "{\"verbs\":[{\"name\":\"check\",\"description\":\"Checks.\",\"inputs\":{\"nation\":\"string\",\"to\":\"string\"},\"outputs\":\"visa_required\",\"required\":[]}],"
            + "\"tools\":[{\"id\":\"VISA\",\"description\":\"Knows visas\",\"supported_verbs\":[\"check\"]}]}";
    private static final String NEEDS_AN_AGENT = "{\"g\":\"G\",\"msg_id\":\"m1\",\"plan\":[[\"check\",\"VISA\",{\"to\":\"DE\"}]]}";
    private static final String RANKED = "{\"g\":\"G\",\"plan\":[[\"s\",\"H_API\",{\"city\":\"Paris\"}],[\"rank\",\"RANK\",{\"hotels\":\"$step.1\"}]]}";
    private static final String TWO = "{\"g\":\"G\",\"plan\":[[\"fly\",\"JET\",{}],[\"sail\",\"SHIP\",{}]]}";
    private static final Instant NOW = Instant.ofEpochMilli(7_000);
    private static final SpawnRules ALLOWED = new SpawnRules(true);

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final Sacp hotels = judge(SacpTest.HOTELS);
    private final Sacp visas = judge(VISAS);

    AgentsPlanTest() throws AccpException {}

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private Sacp judge(String library) throws AccpException {
        try (Library of = new Library(library)) {
            Sacp sacp = new Sacp(of);
            opened.add(sacp);
            return sacp;
        }
    }

    private AgentRegistry registry(AgentEntry... entries) throws AccpException {
        AgentRegistry agents = new AgentRegistry();
        opened.add(agents);
        for (AgentEntry one : entries) {
            agents.register(one);
        }
        return agents;
    }

    private static AgentEntry finder() {
        return new AgentEntry("FINDER", "").verbs("search").tools("H_API");
    }

    private static AgentEntry ranker() {
        return new AgentEntry("RANKER", "").verbs("rank").tools("RANK");
    }

    private record Case(List<AgentEntry> agents, Instant now, PlanReport.Answer answer, String report) {}

    @Test
    void SACP_9B_03_whoCanDoAPlan() throws AccpException {
        AgentEntry leased = ranker().leaseUntil(NOW);
        String first = "{\"feasible\":true,\"steps\":[{\"step\":\"1\",\"verb\":\"search\",\"tool\":\"H_API\",\"by\":\"agent\",\"agents\":[\"FINDER\"]},"
                + "{\"step\":\"2\",\"verb\":\"rank\",\"tool\":\"RANK\",";
        String all = first + "\"by\":\"agent\",\"agents\":[\"RANKER\"]}]}", none = first.replace("true", "false");
        List<Case> cases = List.of(new Case(List.of(finder(), ranker()), null, PlanReport.Answer.FEASIBLE, all),
                new Case(List.of(finder()), null, PlanReport.Answer.INFEASIBLE, none + "\"by\":\"nobody\",\"why\":\"no_verb\"}]}"),
                new Case(List.of(finder(), leased), null, PlanReport.Answer.FEASIBLE, all),
                new Case(List.of(finder(), leased), NOW, PlanReport.Answer.INFEASIBLE, none + "\"by\":\"nobody\",\"why\":\"lease_ended\",\"near\":[\"RANKER\"]}]}"),
                new Case(List.of(finder(), leased), NOW.minusMillis(1), PlanReport.Answer.FEASIBLE, all));
        for (Case one : cases) {
            PlanReport report = registry(one.agents().toArray(AgentEntry[]::new)).checkPlan(hotels, RANKED, one.now());
            assertEquals(one.answer(), report.answer());
            assertEquals(one.report(), report.json());
            assertTrue(report.verdict().isValid());
        }
    }

    @Test
    void SACP_9B_03_aPlanThatIsNotValid() throws AccpException {
        AgentRegistry agents = registry(finder());
        String unknown = "{\"g\":\"G\",\"plan\":[[\"fly\",\"JET\",{}]]}";
        PlanReport strict = agents.checkPlan(hotels, unknown, null);
        assertEquals(PlanReport.Answer.INVALID, strict.answer());
        assertEquals(Verdict.Code.UNKNOWN_VERB, strict.verdict().code());
        assertNull(strict.json());
        assertEquals(PlanReport.Answer.INFEASIBLE, agents.checkPlan(hotels, unknown, null, Sacp.Reading.LENIENT).answer());
        PlanReport asks = agents.checkPlan(hotels, "{\"g\":\"G\",\"plan\":[[\"search\",\"H_API\",{}]]}", null);
        assertEquals(PlanReport.Answer.INVALID, asks.answer());
        assertEquals(List.of("step.1.city"), asks.verdict().needs());
    }

    @Test
    void SACP_14_05_anAgentIsAskedForAndMade() throws AccpException {
        AgentRegistry agents = registry();
        AgentRequests asked = agents.requestAgents(visas, NEEDS_AN_AGENT, null, new AgentRound(0, 1, "r"));
        assertEquals(AgentRequests.Answer.REQUESTED, asked.answer());
        assertEquals(1, asked.requests().size());
        String request = asked.requests().get(0);
        assertTrue(request.contains("\"msg_id\":\"r.1\"") && visas.validate(request).isValid(), request);
        assertTrue(asked.verdict().isValid() && asked.report() == null && agents.size() == 0, asked.toString());
        AgentRegistry.Spawned refused = agents.spawn(visas, request, new SpawnRules(false));
        assertEquals(Verdict.Code.NO_AGENT, refused.verdict().code());
        assertTrue(refused.verdict().json().contains("switched off") && refused.confirmation() == null && agents.size() == 0, refused.toString());
        for (int i = 0; i < 2; i++) {  // the same request again is confirmed again
            AgentRegistry.Spawned made = agents.spawn(visas, request, new SpawnRules(true, Instant.ofEpochMilli(9_500), "a1"));
            assertTrue(made.verdict().isValid() && agents.size() == 1, made.toString());
            for (String part : List.of("\"state\":\"DONE\"", "\"msg_id\":\"a1\"", "\"reply_to\":\"r.1\"", "\"lease_until\":9.5", "\"prompt\":\"You are")) {
                assertTrue(made.confirmation().contains(part), made.confirmation());
            }
        }
        AgentRequests later = agents.requestAgents(visas, NEEDS_AN_AGENT, null, new AgentRound(1));
        assertEquals(AgentRequests.Answer.NOT_NEEDED, later.answer());
        assertEquals(agents.checkPlan(visas, NEEDS_AN_AGENT, null).json(), later.report());
        assertEquals(List.of(), later.requests());
        assertEquals(AgentRequests.Answer.REQUESTED, agents.requestAgents(visas, NEEDS_AN_AGENT, Instant.ofEpochMilli(9_500), new AgentRound(0)).answer());
        agents.remove("VISA_AGENT");
        assertTrue(agents.spawn(visas, request, ALLOWED).verdict().isValid());
        assertFalse(agents.toJson().contains("lease"), "for ever");
    }

    @Test
    void SACP_14_06_roundsAreBounded() throws AccpException {
        AgentRegistry agents = registry();
        for (int max = 0; max <= 3; max++) {
            for (int asked = 0; asked < 5; asked++) {
                AgentRequests round = agents.requestAgents(visas, NEEDS_AN_AGENT, null, new AgentRound(asked, max, null));
                boolean over = asked >= max && asked >= 1;
                assertEquals(over ? AgentRequests.Answer.GIVEN_UP : AgentRequests.Answer.REQUESTED, round.answer(), asked + " of " + max);
                assertEquals(over ? Verdict.Code.NO_AGENT : null, round.verdict().code());
            }
        }
        // Two agents are missing, of tools that the library does not have.
        AgentRequests both = agents.requestAgents(visas, TWO, null, new AgentRound(0, 1, "r"), Sacp.Reading.LENIENT);
        assertEquals(2, both.requests().size());
        AgentRequests strict = agents.requestAgents(visas, TWO, null, new AgentRound(0));
        assertEquals(AgentRequests.Answer.INVALID, strict.answer());
        assertEquals(Verdict.Code.UNKNOWN_VERB, strict.verdict().code());
    }

    @Test
    void anAgentCannotBeAskedFor() throws AccpException {
        AgentRegistry agents = registry();
        for (AgentRound round : List.of(new AgentRound(0, 4, null), new AgentRound(0, 1, "a b"))) {
            assertThrows(AccpException.Arg.class, () -> agents.requestAgents(visas, NEEDS_AN_AGENT, null, round), round.toString());
        }
        assertThrows(IllegalArgumentException.class, () -> new AgentRound(-1));
        Instant zero = Instant.EPOCH, before = Instant.ofEpochMilli(-1);
        for (SpawnRules rules : List.of(new SpawnRules(true, null, "a b"), new SpawnRules(true, zero, null), new SpawnRules(true, before, null))) {
            assertThrows(AccpException.Arg.class, () -> agents.spawn(visas, NEEDS_AN_AGENT, rules), rules.toString());
        }
        AgentRegistry.Spawned none = agents.spawn(visas, NEEDS_AN_AGENT, ALLOWED);
        assertNotNull(none.verdict().code(), "no request");
        assertNull(none.confirmation());
        visas.close();
        assertThrows(IllegalStateException.class, () -> agents.requestAgents(visas, NEEDS_AN_AGENT, null, new AgentRound(0)));
        agents.close();
        assertThrows(IllegalStateException.class, () -> agents.spawn(hotels, NEEDS_AN_AGENT, ALLOWED));
    }

    @Test
    void oneJudgeForManyRegistries() throws AccpException {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            AgentRegistry agents = registry();
            for (int j = 0; j < 2; j++) {
                all.add(CompletableFuture.runAsync(() -> {
                    for (int k = 0; k < 50; k++) {
                        try {
                            assertEquals(PlanReport.Answer.INFEASIBLE, agents.checkPlan(visas, NEEDS_AN_AGENT, null).answer());
                            assertTrue(visas.validate(NEEDS_AN_AGENT).isValid());
                        } catch (AccpException e) {
                            throw new AssertionError(e);
                        }
                    }
                }, task -> new Thread(task).start()));
            }
        }
        all.forEach(CompletableFuture::join);
    }
}
