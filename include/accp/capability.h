/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The registry of agents of SACP (seed 004, appendices A and B): which agents there are, what each
 * can do, and for how long. docs/sacp.md has the forms of entries, queries and answers.
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
 * Agents and their capabilities. In memory, or in a store: then every handle on that store, in any
 * number of processes where it is a file, has the same agents.
 *
 * What a call refuses because of what an entry or a query says is a verdict of SACP. The call
 * answers the code of ACCP that such a verdict travels under, and accp_capabilities_verdict() has
 * the verdict itself: MISSING_FIELD and INVALID_TYPE are ACCP_E1004, MALFORMED_MESSAGE is
 * ACCP_E1001, NO_AGENT is ACCP_E4001. Over the limits json_bytes and json_depth, and no JSON:
 * ACCP_E1001, with the verdict MALFORMED_MESSAGE or LIMIT.
 */
typedef struct accp_capabilities accp_capabilities;

/**
 * Makes a registry, or opens one.
 *
 * store  NULL: in memory. Else shared and held until the handle is closed; what changes the
 *        registry is in sessions of it whose names begin with "accp.capabilities", and durable
 *        before a call answers. All calls then also fail as accp_store_sync() and
 *        accp_session_open() do. A log of changes that has grown is written anew, now and then, by
 *        the call that changes something.
 * out    owned by the caller: accp_capabilities_close().
 *
 * ACCP_ERR_CORRUPT: that session is none of a registry; ACCP_ERR_IO; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_capabilities_open(accp_store *store, const accp_config *config,
                                            accp_capabilities **out, accp_error *err) ACCP_NOEXCEPT;

/** Closes the handle; the store stays open. NULL is nothing. */
ACCP_API void accp_capabilities_close(accp_capabilities *capabilities) ACCP_NOEXCEPT;

/**
 * Registers an agent, in place of one of that name; or publishes an embedding of one that is there.
 *
 * text  one entry, as JSON: agent_name, supported_verbs, supported_tools, inputs, outputs and
 *       description; perhaps embedding, embedding_model, tags, confidence_score, lease_until (in
 *       seconds) and others. Copied.
 *
 * A verdict; ACCP_ERR_NOMEM. Outcomes that were noted stay with the name.
 */
ACCP_API accp_status accp_capabilities_register(accp_capabilities *capabilities, const char *text,
                                                size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Registers each entry of a JSON array, in turn: what accp_capabilities_print() writes. Stops at
 * the first that is refused, whose number, from 0, is err->record; those before it are registered.
 * In a store they are made durable together; where that fails err->record is the first that is not.
 */
ACCP_API accp_status accp_capabilities_load(accp_capabilities *capabilities, const char *text,
                                            size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** Takes an agent out. ACCP_E2001: there is none of that name. */
ACCP_API accp_status accp_capabilities_remove(accp_capabilities *capabilities, const char *name,
                                              size_t name_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * A sign of life: the agent's lease ends at until_ms. ACCP_E2001: there is none of that name, or
 * its lease had ended by now_ms, so that it has to be registered anew.
 */
ACCP_API accp_status accp_capabilities_renew(accp_capabilities *capabilities, const char *name,
                                             size_t name_len, int64_t until_ms, int64_t now_ms,
                                             accp_error *err) ACCP_NOEXCEPT;

/** Takes out all agents whose lease had ended by now_ms. *count_out: how many; may be NULL. */
ACCP_API accp_status accp_capabilities_sweep(accp_capabilities *capabilities, int64_t now_ms,
                                             uint64_t *count_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Notes how a piece of an agent's work went, for ACCP_RANK_BY_OUTCOMES. success: 1 or 0.
 * ACCP_E2001: there is none of that name.
 */
ACCP_API accp_status accp_capabilities_note_outcome(accp_capabilities *capabilities,
                                                    const char *name, size_t name_len,
                                                    int32_t success, accp_error *err) ACCP_NOEXCEPT;

/** What a query may be asked for beyond the rules, as bits. */
enum accp_capability_ranking {
    /* after those that can do all that is asked, and before those that are like it: who has at
     * least half of the query's words, rare ones weighing more */
    ACCP_RANK_LEXICAL = 1,
    /* first of each kind of match whose work has gone well: by the lower end of the 95 % interval
     * of their share of successes */
    ACCP_RANK_BY_OUTCOMES = 2
};

/** In place of a time: there is no clock, and no lease ends. */
#define ACCP_NO_CLOCK ((int64_t)-1)

/**
 * Asks which agents can do something.
 *
 * text     {"query":{…}}, as JSON.
 * ranking  bits of accp_capability_ranking; 0: the rules alone.
 * out      the answer, a JSON array, best first: {"agent_name":…,"match":"exact"}, "lexical" or
 *          "similar" with a "score" of six digits. A view into the handle until its next call.
 *
 * A verdict; ACCP_ERR_NOMEM. Cost: one pass over the agents where the query names anything but an
 * embedding, and one over the embeddings of its model and dimension where it has one.
 */
ACCP_API accp_status accp_capabilities_query(accp_capabilities *capabilities, const char *text,
                                             size_t text_len, uint32_t ranking, int64_t now_ms,
                                             accp_text *out, accp_error *err) ACCP_NOEXCEPT;

/** How an agent was found. */
enum accp_match { ACCP_MATCH_EXACT = 0, ACCP_MATCH_LEXICAL = 1, ACCP_MATCH_SIMILAR = 2 };

/** One agent of an answer; views until the handle's next call. */
typedef struct accp_found_agent {
    accp_text name;
    accp_text entry; /* as JSON, without its lease */
    int32_t match;   /* accp_match */
    int32_t reserved;
    double score; /* 1 where it is exact */
    uint64_t successes;
    uint64_t outcomes; /* all that were noted */
} accp_found_agent;

/** The number of agents that the last call found; 0 where it was no query. */
ACCP_API size_t accp_capabilities_found_count(const accp_capabilities *capabilities) ACCP_NOEXCEPT;

/** One of them, from 0: 1 with *out filled, 0 beyond the last. */
ACCP_API int accp_capabilities_found(const accp_capabilities *capabilities, size_t number,
                                     accp_found_agent *out) ACCP_NOEXCEPT;

/** What the last call had to say of its text, as JSON; a view into the handle until its next call.
 */
ACCP_API accp_text accp_capabilities_verdict(const accp_capabilities *capabilities) ACCP_NOEXCEPT;

/** The number of agents, also those whose lease has ended, as of the last call. */
ACCP_API uint64_t accp_capabilities_count(const accp_capabilities *capabilities) ACCP_NOEXCEPT;

/**
 * All entries as a JSON array, in the order of their registration, which accp_capabilities_load()
 * makes the same registry of again. *out is a view into the handle until its next call.
 */
ACCP_API accp_status accp_capabilities_print(accp_capabilities *capabilities, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

/** Whether a plan can be carried out by the agents that there are. */
enum accp_feasibility {
    ACCP_PLAN_INVALID = -1,   /* the message is not VALID */
    ACCP_PLAN_INFEASIBLE = 0, /* there is a step that nobody can do */
    ACCP_PLAN_FEASIBLE = 1    /* each has somebody, for its tool or for one that it falls back on */
};

/**
 * Says for every step of a message, and of the messages inside it, which agents can do it, or why
 * none can. SACP 9B, 11.
 *
 * sacp        the library that the message is judged by; borrowed, changed (accp_sacp_verdict()
 *             stays as it was); not on another thread at the same time.
 * text        a message of version 0.1, as JSON.
 * reading     accp_sacp_reading.
 * now_ms      ACCP_NO_CLOCK: no lease ends.
 * answer_out  accp_feasibility; may be NULL.
 * out         the report (docs/sacp.md has its form); of a message that is not VALID its verdict,
 *             which accp_capabilities_verdict() says too. A view into the handle until its next
 *             call.
 *
 * ACCP_OK whatever the answer is. ACCP_ERR_ARG, ACCP_ERR_NOMEM. Cost: that of accp_sacp_check(),
 * and one pass over the agents for each different pair of a verb and a tool, of which a plan may
 * have 1024 (more: the verdict LIMIT).
 */
ACCP_API accp_status accp_capabilities_check_plan(accp_capabilities *capabilities, accp_sacp *sacp,
                                                  const char *text, size_t text_len,
                                                  int32_t reading, int64_t now_ms,
                                                  int32_t *answer_out, accp_text *out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** A round of requests for agents. */
typedef struct accp_spawn_round {
    uint32_t asked;     /* rounds before this one, for the same message */
    uint32_t max_asked; /* how many there may be: 1 to 3; 0: 1 */
    accp_text msg_id;   /* what that of each request begins with, at most 120 bytes; ".1", ".2" …
                           follow; empty: they have none */
} accp_spawn_round;

/** What comes of a round. */
enum accp_spawn_answer {
    ACCP_SPAWN_INVALID = -1,   /* the message is not VALID, or an agent cannot be asked for */
    ACCP_SPAWN_NOT_NEEDED = 0, /* each step has somebody */
    ACCP_SPAWN_REQUESTED = 1,  /* agents are asked for */
    ACCP_SPAWN_GIVEN_UP = 2    /* there were as many rounds as there may be */
};

/**
 * Asks for the agents that a plan lacks. SACP 14, the orchestrator's side: send each request to a
 * service, and when it has answered call this again with one more round asked.
 *
 * sacp, text, reading, now_ms  as of accp_capabilities_check_plan().
 * round       NULL: the first of one.
 * answer_out  accp_spawn_answer; may be NULL.
 * out         INVALID: a verdict. NOT_NEEDED: the report. REQUESTED: a message with the goal
 *             SPAWN_AGENT for each pair of a verb and a tool that nobody has, a line feed between
 *             two; each is VALID under the library. GIVEN_UP: the verdict NO_AGENT. A view into the
 *             handle until its next call.
 *
 * ACCP_OK whatever the answer is. ACCP_ERR_ARG, ACCP_ERR_NOMEM. Cost: that of
 * accp_capabilities_check_plan(), and of checking the requests.
 */
ACCP_API accp_status accp_capabilities_request_agents(accp_capabilities *capabilities,
                                                      accp_sacp *sacp, const char *text,
                                                      size_t text_len, int32_t reading,
                                                      int64_t now_ms, const accp_spawn_round *round,
                                                      int32_t *answer_out, accp_text *out,
                                                      accp_error *err) ACCP_NOEXCEPT;

/** How a service that makes agents is set; all zero: it makes none. */
typedef struct accp_spawn_rules {
    int32_t allow;          /* 1: it makes agents; 0: requests are refused, with NO_AGENT */
    int32_t reserved;       /* 0 */
    int64_t lease_until_ms; /* of the agents that it makes; 0: for ever */
    accp_text msg_id;       /* of the confirmation; empty: it has none */
} accp_spawn_rules;

/**
 * Carries out a request for an agent. SACP 14, the service's side: registers the agent, and hands
 * out a confirmation with its name, its entry, and what a model is told that is to act as it. The
 * same request again is confirmed again; one for another agent of a name that is taken is refused.
 *
 * sacp   the library that the request is judged by, strictly; as of accp_capabilities_check_plan().
 * text   a message with the goal SPAWN_AGENT, as JSON (docs/sacp.md has its form).
 * rules  NULL: it makes no agents.
 * out    the confirmation, a message that is DONE; or the verdict that the request is refused with,
 *        which accp_capabilities_verdict() says too, and nothing is registered. A view into the
 *        handle until its next call.
 *
 * ACCP_OK whether it is refused or not. ACCP_ERR_ARG; ACCP_ERR_NOMEM, and what
 * accp_capabilities_register() fails with: then the request may be made again.
 */
ACCP_API accp_status accp_capabilities_spawn(accp_capabilities *capabilities, accp_sacp *sacp,
                                             const char *text, size_t text_len,
                                             const accp_spawn_rules *rules, accp_text *out,
                                             accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* ACCP_CAPABILITY_H */
