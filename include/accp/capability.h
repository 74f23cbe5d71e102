/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The registry of agents of SACP (seed 004, appendices A and B): which agents exist, what each can
 * do, and until when. docs/sacp.md describes entries, queries and results.
 *
 * @code
 * const char *entry =
 *     "{\"agent_name\":\"fetcher\",\"supported_verbs\":[\"fetch\"],\"supported_tools\":[\"WEB\"],"
 *     "\"inputs\":[],\"outputs\":[\"page\"],\"description\":\"Fetches pages\"}";
 * const char *query = "{\"query\":{\"verb\":\"fetch\"}}";
 * accp_capabilities *agents = NULL;
 * accp_text found;
 * if (accp_capabilities_open(NULL, NULL, &agents, NULL) == ACCP_OK &&
 *     accp_capabilities_register(agents, entry, strlen(entry), NULL) == ACCP_OK &&
 *     accp_capabilities_query(agents, query, strlen(query), ACCP_NO_CLOCK, 0, &found, NULL) ==
 *         ACCP_OK)
 *     printf("%.*s\n", (int)found.len, found.text);  // [{"agent_name":"fetcher",…}]
 * accp_capabilities_close(agents);
 * @endcode
 */
#ifndef ACCP_CAPABILITY_H
#define ACCP_CAPABILITY_H

#include "accp/config.h"
#include "accp/sacp.h"
#include "accp/store.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A registry of agents, in memory or in a store. All handles on one store have the same agents, in
 * any number of processes. One thread at a time.
 *
 * An invalid entry or query is a verdict of SACP, which accp_capabilities_verdict() returns. The
 * call returns the matching ACCP code: ACCP_E1004 for MISSING_FIELD and INVALID_TYPE, ACCP_E1001
 * for MALFORMED_MESSAGE, ACCP_E4001 for NO_AGENT. Text that is not JSON, or over the limits
 * json_bytes and json_depth, is ACCP_E1001 with the verdict MALFORMED_MESSAGE or LIMIT.
 */
typedef struct accp_capabilities accp_capabilities;

/**
 * Opens a registry.
 *
 * With the hook `embed` of the config, an entry that is registered without an embedding gets that
 * of its description, with the model's name, and a query may have a `text` in place of an
 * embedding. The hook must not use the registry.
 *
 * @param store  NULL: in memory. Otherwise the store is shared until the handle is closed. Changes
 *               are kept in its sessions whose names begin with "accp.capabilities", and are
 *               durable when a call returns. All calls can then also return the errors of
 *               accp_store_sync() and accp_session_open(). A call that changes something sometimes
 *               rewrites a log that has grown.
 * @param out    Owned by the caller: accp_capabilities_close().
 *
 * Errors: ACCP_ERR_CORRUPT if that session is not a registry; ACCP_ERR_IO.
 */
ACCP_API accp_status accp_capabilities_open(accp_store *store, const accp_config *config,
                                            accp_capabilities **out, accp_error *err) ACCP_NOEXCEPT;

/** Closes the handle; the store stays open. NULL has no effect. */
ACCP_API void accp_capabilities_close(accp_capabilities *capabilities) ACCP_NOEXCEPT;

/**
 * Registers an agent, replacing one with the same name, or adds an embedding to an existing one.
 * The agent's noted outcomes are kept. Errors: a verdict; those of the hook `embed`.
 *
 * @param text  One entry, as JSON: agent_name, supported_verbs, supported_tools, inputs, outputs
 *              and description; optionally embedding, embedding_model, tags, confidence_score,
 *              lease_until (in seconds) and others. Copied.
 */
ACCP_API accp_status accp_capabilities_register(accp_capabilities *capabilities, const char *text,
                                                size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Registers each entry of a JSON array, in order, as accp_capabilities_print() writes it. It stops
 * at the first invalid entry: err->record is its number, from 0, and the entries before it are
 * registered. In a store they are made durable together; if that fails, err->record is the first
 * that is not durable.
 *
 * @param text  The array, as JSON; copied.
 */
ACCP_API accp_status accp_capabilities_register_all(accp_capabilities *capabilities,
                                                    const char *text, size_t text_len,
                                                    accp_error *err) ACCP_NOEXCEPT;

/** Removes an agent. Returns ACCP_E2001 if the name is not registered. */
ACCP_API accp_status accp_capabilities_remove(accp_capabilities *capabilities, const char *name,
                                              size_t name_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Extends the lease of an agent. Returns ACCP_E2001 if the name is not registered, or its lease had
 * ended by now_ms: register it again.
 *
 * @param until_ms  The new end of the lease.
 */
ACCP_API accp_status accp_capabilities_renew(accp_capabilities *capabilities, const char *name,
                                             size_t name_len, int64_t until_ms, int64_t now_ms,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Removes all agents whose lease had ended by now_ms.
 *
 * @param out  The number of removed agents; may be NULL.
 */
ACCP_API accp_status accp_capabilities_expire(accp_capabilities *capabilities, int64_t now_ms,
                                              uint64_t *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Records whether an agent's work succeeded, for ACCP_RANK_BY_OUTCOMES. Returns ACCP_E2001 if the
 * name is not registered.
 *
 * @param success  1 or 0.
 */
ACCP_API accp_status accp_capabilities_record_outcome(accp_capabilities *capabilities,
                                                      const char *name, size_t name_len,
                                                      int32_t success,
                                                      accp_error *err) ACCP_NOEXCEPT;

/** Options of a query beyond the rules, as bits. */
enum accp_capability_ranking {
    /** Also find agents with at least half of the query's words, weighted by rarity. They come
     * after exact matches and before similar ones. */
    ACCP_RANK_LEXICAL = 1,
    /** Within each kind of match, sort by success: by the lower end of the 95 percent interval of
     * their success rate. */
    ACCP_RANK_BY_OUTCOMES = 2
};

/** Used as a time: there is no clock, and no lease ends. */
#define ACCP_NO_CLOCK ((int64_t)-1)

/**
 * Finds the agents that can do something. Errors: a verdict. Cost: one pass over the agents if the
 * query has anything but an embedding, and one over the embeddings of its model and dimension if it
 * has one.
 *
 * @param text     `{"query":{…}}`, as JSON. Its member `text` is what the agents should do, in
 *                 words: the hook `embed` makes the embedding of it. Without the hook that is
 *                 ACCP_ERR_ARG.
 * @param ranking  Bits of accp_capability_ranking; 0: only the rules.
 * @param out      A JSON array, best first: `{"agent_name":…,"match":"exact"}`, or "lexical" or
 *                 "similar" with a "score" of six digits. A view into `capabilities` until its next
 *                 call.
 */
ACCP_API accp_status accp_capabilities_query(accp_capabilities *capabilities, const char *text,
                                             size_t text_len, int64_t now_ms, uint32_t ranking,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/** How an agent was found. */
enum accp_match {
    ACCP_MATCH_EXACT = 0,   /**< It can do everything that the query requires. */
    ACCP_MATCH_LEXICAL = 1, /**< By its words. */
    ACCP_MATCH_SIMILAR = 2  /**< By its embedding. */
};

/** One agent of a query's result. Its views are valid until the next call on the handle. */
typedef struct accp_found_agent {
    accp_text name;     /**< Its name. */
    accp_text entry;    /**< Its entry as JSON, without the lease. */
    int32_t match;      /**< accp_match. */
    int32_t reserved;   /**< Reserved: 0. */
    double score;       /**< Its score; 1 for an exact match. */
    uint64_t successes; /**< Its noted successes. */
    uint64_t outcomes;  /**< All its noted outcomes. */
} accp_found_agent;

/** Returns the number of agents that the last call found; 0 if it was not a query. */
ACCP_API size_t accp_capabilities_found_count(const accp_capabilities *capabilities) ACCP_NOEXCEPT;

/**
 * Returns a found agent. Returns ACCP_ERR_ARG for a number out of range.
 *
 * @param index  From 0 to accp_capabilities_found_count() - 1.
 */
ACCP_API accp_status accp_capabilities_found(const accp_capabilities *capabilities, size_t index,
                                             accp_found_agent *out, accp_error *err) ACCP_NOEXCEPT;

/** Returns the verdict of the last call, as JSON: a view into the handle until its next call. */
ACCP_API accp_text accp_capabilities_verdict(const accp_capabilities *capabilities) ACCP_NOEXCEPT;

/** Returns the number of agents as of the last call, those whose lease has ended included. */
ACCP_API uint64_t accp_capabilities_count(const accp_capabilities *capabilities) ACCP_NOEXCEPT;

/**
 * Prints all entries as a JSON array, in the order of their registration.
 * accp_capabilities_register_all() restores the registry from it.
 *
 * @param out  A view into `capabilities` until its next call.
 */
ACCP_API accp_status accp_capabilities_print(accp_capabilities *capabilities, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

/** Whether the registered agents can do a plan. */
enum accp_feasibility {
    ACCP_PLAN_INVALID = -1,   /**< The message is not VALID. */
    ACCP_PLAN_INFEASIBLE = 0, /**< There is a step that no agent can do. */
    ACCP_PLAN_FEASIBLE = 1    /**< Each step has an agent for its tool or a fallback. */
};

/**
 * Finds the agents for each step of a message, and of the messages inside it, or why none can do
 * it. SACP 9B, 11.
 *
 * @param sacp        Its library is used to check the message. It is borrowed, and must not be in
 *                    use on another thread. accp_sacp_verdict() does not change.
 * @param text        A message of version 0.1, as JSON.
 * @param now_ms      ACCP_NO_CLOCK: no lease ends.
 * @param reading     accp_sacp_reading.
 * @param out         The report (docs/sacp.md has its form), or the verdict of a message that is
 *                    not VALID. A view into `capabilities` until its next call.
 * @param answer_out  accp_feasibility; may be NULL.
 *
 * Returns ACCP_OK, whatever the result is. Cost: that of accp_sacp_check(), and one pass over the
 * agents for each different pair of a verb and a tool. A plan may have 1024 such pairs; with more
 * the verdict is LIMIT.
 */
ACCP_API accp_status accp_capabilities_check_plan(accp_capabilities *capabilities, accp_sacp *sacp,
                                                  const char *text, size_t text_len, int64_t now_ms,
                                                  int32_t reading, accp_text *out,
                                                  int32_t *answer_out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** A round of requests for agents. */
typedef struct accp_spawn_round {
    /** The number of earlier rounds for the same message. */
    uint32_t asked;
    /** The maximum number of rounds: 1 to 3; 0: 1. */
    uint32_t max_asked;
    /** The prefix of the requests' msg_ids, at most 120 bytes; ".1", ".2" … are appended. Empty:
     * they have none. */
    accp_text msg_id;
} accp_spawn_round;

/** The result of a round. */
enum accp_spawn_answer {
    ACCP_SPAWN_INVALID = -1,   /**< The message is not VALID, or an agent cannot be requested. */
    ACCP_SPAWN_NOT_NEEDED = 0, /**< Each step has an agent. */
    ACCP_SPAWN_REQUESTED = 1,  /**< `out` has requests for agents. */
    ACCP_SPAWN_GIVEN_UP = 2    /**< The maximum number of rounds was reached. */
};

/**
 * Makes requests for the agents that a plan lacks. SACP 14, the orchestrator's side: send each
 * request to a service. Afterwards call this again with `asked` one higher.
 *
 * @param sacp,text,now_ms,reading  As accp_capabilities_check_plan().
 * @param round                     NULL: the first of one round.
 * @param out                       INVALID: a verdict. NOT_NEEDED: the report. REQUESTED: one
 *                                  message with the goal SPAWN_AGENT for each pair of a verb and a
 *                                  tool that no agent has, separated by line feeds; each is VALID
 *                                  under the library. GIVEN_UP: the verdict NO_AGENT. A view into
 *                                  `capabilities` until its next call.
 * @param answer_out                accp_spawn_answer; may be NULL.
 *
 * Returns ACCP_OK, whatever the result is. Cost: that of accp_capabilities_check_plan(), and of
 * checking the requests.
 */
ACCP_API accp_status accp_capabilities_request_agents(
    accp_capabilities *capabilities, accp_sacp *sacp, const char *text, size_t text_len,
    int64_t now_ms, int32_t reading, const accp_spawn_round *round, accp_text *out,
    int32_t *answer_out, accp_error *err) ACCP_NOEXCEPT;

/** Settings of a service that makes agents. All zero: it makes none. */
typedef struct accp_spawn_rules {
    int32_t allow;          /**< 1: it makes agents. 0: requests are rejected with NO_AGENT. */
    int32_t reserved;       /**< Reserved: 0. */
    int64_t lease_until_ms; /**< The end of the lease of new agents; 0: no end. */
    accp_text msg_id;       /**< The msg_id of the confirmation; empty: it has none. */
} accp_spawn_rules;

/**
 * Handles a request for an agent. SACP 14, the service's side: registers the agent, and returns a
 * confirmation with its name, its entry, and the prompt that makes a model act as it. The same
 * request again is confirmed again. A request for another agent with an existing name is rejected.
 *
 * @param sacp   Its library is used to check the request, strictly; otherwise as
 *               accp_capabilities_check_plan().
 * @param text   A message with the goal SPAWN_AGENT, as JSON (docs/sacp.md has its form).
 * @param rules  NULL: no agents are made.
 * @param out    The confirmation, a message that is DONE; or the verdict that rejects the request,
 *               and nothing is registered. A view into `capabilities` until its next call.
 *
 * Returns ACCP_OK in both cases. Errors: those of accp_capabilities_register(); the request may
 * then be repeated.
 */
ACCP_API accp_status accp_capabilities_spawn(accp_capabilities *capabilities, accp_sacp *sacp,
                                             const char *text, size_t text_len,
                                             const accp_spawn_rules *rules, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
