// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.libaccp.internal.Native;
import org.libaccp.internal.Raw;
import org.libaccp.internal.accp_capability_ranking;
import org.libaccp.internal.accp_match;

/**
 * A registry of agents: their names, abilities and leases. One thread at a time. If an entry or a
 * query is refused, the exception has the class of its code and its {@link AccpException#verdict()}
 * has the reason; nothing has changed. {@link AgentEntry} and {@link AgentQuery} write entries and
 * queries.
 *
 * <p>The registry reads no clock: calls that depend on leases take a time. With null no lease ends.
 */
public final class AgentRegistry extends Handle {
    private static final long NO_CLOCK = -1;

    /** Criteria of a query beyond the rules. */
    public enum Ranking {
        /** Include agents that have at least half of the query's words, before similar ones. */
        LEXICAL(accp_capability_ranking.ACCP_RANK_LEXICAL),
        /** Within each kind of match, agents with successful outcomes come first. */
        BY_OUTCOMES(accp_capability_ranking.ACCP_RANK_BY_OUTCOMES);

        final int bit;

        Ranking(int bit) {
            this.bit = bit;
        }
    }

    /** The way in which a query found an agent. */
    public enum Match {
        /** It meets all criteria. */
        EXACT(accp_match.ACCP_MATCH_EXACT),
        /** By words. */
        LEXICAL(accp_match.ACCP_MATCH_LEXICAL),
        /** By its embedding. */
        SIMILAR(accp_match.ACCP_MATCH_SIMILAR);

        final int number;

        Match(int number) {
            this.number = number;
        }
    }

    /**
     * An agent in the result of a query.
     *
     * @param name its name
     * @param entry as JSON, without its lease
     * @param match the way in which it was found
     * @param score 1 if it is exact
     * @param successes of its outcomes
     * @param outcomes all recorded outcomes
     */
    public record Found(String name, String entry, Match match, double score, long successes, long outcomes) {}

    /**
     * The result of a request for an agent.
     *
     * @param confirmation a DONE message with the agent's name, its entry, and the instructions for
     *     a model that acts as the agent; null: the request was refused
     * @param verdict valid, or the reason of a refusal, for the sender
     */
    public record Spawned(String confirmation, Verdict verdict) {}

    /**
     * Makes a registry in memory.
     *
     * @throws AccpException ERR_NOMEM
     */
    public AgentRegistry() throws AccpException {
        this(null, null);
    }

    /**
     * Opens the registry of a store: every handle on it, in any process, has the same agents, and a
     * change is durable before its call returns.
     *
     * @param store may be closed before; null: in memory
     * @param options may be null: limits
     * @throws AccpException ERR_CORRUPT, ERR_IO of the store; ERR_NOMEM; ERR_ARG for invalid
     *     options
     */
    public AgentRegistry(Store store, Options options) throws AccpException {
        super(new State(Config.make(options, config -> make(store, config)), false, Raw::accp_capabilities_close));
    }

    private static long make(Store store, long config) throws AccpException {
        return store == null ? Raw.accp_capabilities_open(0, config) : store.handle.ask(from -> Raw.accp_capabilities_open(from, config));
    }

    /**
     * Registers an agent and replaces one of the same name, or publishes an embedding of an
     * existing agent.
     *
     * @param entry JSON
     * @throws AccpException with a verdict
     */
    public void register(String entry) throws AccpException {
        byte[] text = Texts.in(entry, "entry");
        call(agents -> {
            Raw.accp_capabilities_register(agents, text);
            return null;
        });
    }

    /**
     * Registers an agent and replaces one of the same name.
     *
     * @param entry the agent's abilities
     * @throws AccpException with a verdict
     */
    public void register(AgentEntry entry) throws AccpException {
        register(Objects.requireNonNull(entry, "entry").toJson());
    }

    /**
     * Registers each entry of a JSON array in turn, such as {@link #toJson} writes. It stops at a
     * refused one; those before it are registered.
     *
     * @param document the array
     * @throws AccpException with a verdict; the reason begins with the number of the entry, from 0:
     *     {@code "entry 1: …"}
     */
    public void load(String document) throws AccpException {
        byte[] text = Texts.in(document, "document");
        long[] number = new long[1];
        call(agents -> {
            try {
                Native.agentsLoad(agents, text, number);
                return null;
            } catch (AccpException refused) {
                throw refused.code() > 0 ? refused.saying("entry " + number[0] + ": " + refused.reason()) : refused;
            }
        });
    }

    /**
     * Removes an agent.
     *
     * @param name its name
     * @throws AccpException E2001: it does not exist
     */
    public void remove(String name) throws AccpException {
        byte[] text = Texts.in(name, "name");
        tell(agents -> Raw.accp_capabilities_remove(agents, text));
    }

    /**
     * An agent's sign of life.
     *
     * @param name its name
     * @param until the end of its lease
     * @param now the time; null: none
     * @throws AccpException E2001: no agent has that name, or its lease has ended and it has to
     *     register again
     */
    public void renew(String name, Instant until, Instant now) throws AccpException {
        byte[] text = Texts.in(name, "name");
        long end = Objects.requireNonNull(until, "until").toEpochMilli(), at = clock(now);
        tell(agents -> Raw.accp_capabilities_renew(agents, text, end, at));
    }

    /**
     * Removes all agents whose lease has ended.
     *
     * @param now the time
     * @return the number
     * @throws AccpException of the store
     */
    public long sweep(Instant now) throws AccpException {
        long at = Objects.requireNonNull(now, "now").toEpochMilli();
        return ask(agents -> Raw.accp_capabilities_expire(agents, at));
    }

    /**
     * Records the outcome of an agent's work, for {@link Ranking#BY_OUTCOMES}.
     *
     * @param name its name
     * @param success whether it succeeded
     * @throws AccpException E2001: it does not exist
     */
    public void noteOutcome(String name, boolean success) throws AccpException {
        byte[] text = Texts.in(name, "name");
        tell(agents -> Raw.accp_capabilities_record_outcome(agents, text, success ? 1 : 0));
    }

    /**
     * Finds the agents that can do something.
     *
     * @param query <code>{"query":{…}}</code>
     * @param now the time; null: none
     * @param rankings additional criteria
     * @return the agents, the best first
     * @throws AccpException with a verdict
     */
    public List<Found> query(String query, Instant now, Ranking... rankings) throws AccpException {
        byte[] text = Texts.in(query, "query");
        int bits = bits(rankings);
        return call(agents -> {
            Raw.accp_capabilities_query(agents, text, clock(now), bits);
            List<Found> found = new ArrayList<>();
            long[] numbers = new long[4];
            for (long i = 0, count = Raw.accp_capabilities_found_count(agents); i < count; i++) {
                byte[][] texts = Native.agentsFound(agents, i, numbers);
                found.add(new Found(Texts.out(texts[0]), Texts.out(texts[1]), Match.values()[(int) numbers[0]], Double.longBitsToDouble(numbers[1]), numbers[2], numbers[3]));
            }
            return List.copyOf(found);
        });
    }

    /**
     * Finds the agents that can do something.
     *
     * @param query the query
     * @param now the time; null: none
     * @param rankings additional criteria
     * @return the agents, the best first
     * @throws AccpException with a verdict
     */
    public List<Found> query(AgentQuery query, Instant now, Ranking... rankings) throws AccpException {
        return query(Objects.requireNonNull(query, "query").toJson(), now, rankings);
    }

    /**
     * Queries as {@link #query(String, Instant, Ranking...)} does, with the result as JSON.
     *
     * @param query <code>{"query":{…}}</code>
     * @param now the time; null: none
     * @param rankings additional criteria
     * @return a JSON array of <code>{"agent_name":…,"match":…}</code>, perhaps with a score
     * @throws AccpException with a verdict
     */
    public String queryJson(String query, Instant now, Ranking... rankings) throws AccpException {
        byte[] text = Texts.in(query, "query");
        int bits = bits(rankings);
        return call(agents -> Texts.out(Raw.accp_capabilities_query(agents, text, clock(now), bits)));
    }

    /**
     * Finds the agents for every step of a message and of the messages in it, or the reason why a
     * step has none; strict.
     *
     * @param sacp validates the message; the call also holds its turn
     * @param message of version 0.1, as JSON
     * @param now the time; null: none
     * @return the report
     * @throws AccpException ERR_NOMEM; E1004 for a lone surrogate; of the store. The verdict has
     *     the faults of the message
     */
    public PlanReport checkPlan(Sacp sacp, String message, Instant now) throws AccpException {
        return checkPlan(sacp, message, now, Sacp.Reading.STRICT);
    }

    /**
     * Finds the agents for every step of a message, or the reason why a step has none.
     *
     * @param sacp validates the message; the call also holds its turn
     * @param message of version 0.1, as JSON
     * @param now the time; null: none
     * @param reading how to handle verbs and tools that the library does not have
     * @return the report
     * @throws AccpException as {@link #checkPlan(Sacp, String, Instant)}
     */
    public PlanReport checkPlan(Sacp sacp, String message, Instant now, Sacp.Reading reading) throws AccpException {
        byte[] text = Texts.in(message, "message");
        int number = Objects.requireNonNull(reading, "reading").number;
        long[] said = new long[1];
        return with(sacp, (agents, by) -> {
            byte[] report = Native.agentsCheckPlan(agents, by, text, number, clock(now), said);
            PlanReport.Answer answer = PlanReport.Answer.of(said[0]);
            return new PlanReport(answer, verdict(agents, 0), answer == PlanReport.Answer.INVALID ? null : Texts.out(report));
        });
    }

    /**
     * Writes strict requests for the agents that a plan lacks. Send each to a service
     * ({@link #spawn}); after its reply call this again with one more round.
     *
     * @param sacp validates the message; the call also holds its turn
     * @param message of version 0.1, as JSON
     * @param now the time; null: none
     * @param round the number of rounds so far
     * @return the requests, or the reason why none exist
     * @throws AccpException ERR_ARG: an invalid {@code msg_id}, or more than three rounds; else as
     *     {@link #checkPlan(Sacp, String, Instant)}
     */
    public AgentRequests requestAgents(Sacp sacp, String message, Instant now, AgentRound round) throws AccpException {
        return requestAgents(sacp, message, now, round, Sacp.Reading.STRICT);
    }

    /**
     * Writes requests for the agents that a plan lacks.
     *
     * @param sacp validates the message; the call also holds its turn
     * @param message of version 0.1, as JSON
     * @param now the time; null: none
     * @param round the number of rounds so far
     * @param reading how to handle verbs and tools that the library does not have
     * @return the requests, or the reason why none exist
     * @throws AccpException as {@link #requestAgents(Sacp, String, Instant, AgentRound)}
     */
    public AgentRequests requestAgents(Sacp sacp, String message, Instant now, AgentRound round, Sacp.Reading reading) throws AccpException {
        byte[][] texts = {Texts.in(message, "message"), Texts.orEmpty(Objects.requireNonNull(round, "round").msgId())};
        int number = Objects.requireNonNull(reading, "reading").number;
        int[] rounds = {round.asked(), round.maxAsked()};
        long[] said = new long[1];
        return with(sacp, (agents, by) -> {
            String text = Texts.out(Native.agentsRequest(agents, by, texts, number, clock(now), rounds, said));
            AgentRequests.Answer answer = AgentRequests.Answer.of(said[0]);
            return new AgentRequests(answer, answer == AgentRequests.Answer.REQUESTED ? List.of(text.split("\n")) : List.of(),
                    answer == AgentRequests.Answer.NOT_NEEDED ? text : null, verdict(agents, 0));
        });
    }

    /**
     * Registers a requested agent and confirms that. A repeated request is confirmed again. A
     * request for another agent with an existing name is refused, and nothing is registered.
     *
     * @param sacp validates the request strictly; the call also holds its turn
     * @param request a message under the goal SPAWN_AGENT, as JSON
     * @param rules whether agents are made
     * @return the confirmation, or the reason for a refusal
     * @throws AccpException ERR_ARG: an invalid {@code msg_id}, or a lease that ends before 1970;
     *     ERR_NOMEM; E1004 for a lone surrogate; of the store: repeat the request
     */
    public Spawned spawn(Sacp sacp, String request, SpawnRules rules) throws AccpException {
        byte[][] texts = {Texts.in(request, "request"), Texts.orEmpty(Objects.requireNonNull(rules, "rules").msgId())};
        long until = rules.leaseUntil() == null ? 0 : rules.leaseUntil().toEpochMilli();
        if (rules.leaseUntil() != null && until <= 0) {
            throw new AccpException.Arg("a lease ends after 1970");
        }
        return with(sacp, (agents, by) -> {
            String text = Texts.out(Native.agentsSpawn(agents, by, texts, rules.allow(), until));
            Verdict verdict = verdict(agents, 0);
            return new Spawned(verdict.isValid() ? text : null, verdict);
        });
    }

    /** {@return the number of agents after the last call, including those with an ended lease} */
    public long size() {
        return know(Raw::accp_capabilities_count);
    }

    /**
     * Returns all entries in the order of registration. {@link #load} makes an equal registry from
     * them.
     *
     * @return a JSON array
     * @throws AccpException of the store
     */
    public String toJson() throws AccpException {
        return Texts.out(ask(Raw::accp_capabilities_print));
    }

    private static int bits(Ranking... rankings) {
        int bits = 0;
        for (Ranking one : Objects.requireNonNull(rankings, "rankings")) {
            bits |= Objects.requireNonNull(one, "rankings").bit;
        }
        return bits;
    }

    private static long clock(Instant now) {
        return now == null ? NO_CLOCK : now.toEpochMilli();
    }

    /** A call that holds two turns. */
    private interface AskBoth<T> {
        T of(long agents, long sacp) throws AccpException;
    }

    // The turn of the agents always comes first, so two such calls never wait for each other.
    private <T> T with(Sacp sacp, AskBoth<T> call) throws AccpException {
        Objects.requireNonNull(sacp, "sacp");
        return call(agents -> sacp.ask(by -> call.of(agents, by)));
    }

    private static Verdict verdict(long agents, long offset) throws AccpException {
        return Verdict.of(Texts.out(Raw.accp_capabilities_verdict(agents)), offset);
    }

    // A call whose refusal has a verdict.
    private <T> T call(Ask<T> call) throws AccpException {
        return ask(agents -> {
            try {
                return call.of(agents);
            } catch (AccpException refused) {
                Verdict why = refused.code() > 0 ? verdict(agents, refused.offset()) : null;
                throw why == null || why.code() == null ? refused : refused.explained(why);
            }
        });
    }
}
