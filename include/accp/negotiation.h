/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * How two agents come to one registry (specification 6.4): a pure state machine, given the peer's
 * frames and asked for ours.
 */
#ifndef ACCP_NEGOTIATION_H
#define ACCP_NEGOTIATION_H

#include "accp/frame.h"
#include "accp/registry.h"
#include "accp/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One side of a negotiation. One thread at a time. */
typedef struct accp_negotiation accp_negotiation;

/** How far a negotiation has come. While it is open, nothing else may be sent in the session. */
enum accp_negotiation_state {
    ACCP_NEGOTIATION_OPEN = 0,
    /* one registry is in force on both sides */
    ACCP_NEGOTIATION_AGREED = 1,
    /* no common registry: no schemas by code, no defaults left out, no p1 */
    ACCP_NEGOTIATION_BARE = 2,
    /* the session cannot go on */
    ACCP_NEGOTIATION_REFUSED = 3
};

/**
 * Begins a negotiation. Spec 6.4.
 *
 * agent   this side's name, as frames have it. Copied.
 * config  what this side has: its registry, which it must have; its extensions; its tokenizer, told
 *         to the peer by name (letters, digits, _ and -); and as features the rules merges, parts,
 *         by_sender and shares_store. The last is to be set only where it is known that both sides
 *         read the same store.
 * out     owned by the caller: accp_negotiation_free().
 *
 * ACCP_E1001 for an agent that is no agent-id; ACCP_ERR_ARG; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_negotiation_new(const char *agent, size_t agent_len,
                                          const accp_config *config, accp_negotiation **out,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Frees a negotiation; NULL is nothing. Registries that were shared stay with their other owners.
 */
ACCP_API void accp_negotiation_free(accp_negotiation *negotiation) ACCP_NOEXCEPT;

/**
 * What a session can do beyond frames, where both sides can: bits, each with its name in a hello
 * and the rule of sessions that it is copied to.
 */
enum accp_feature {
    /* m1, ACCP_RULE_MERGES: of rows of the shared state the cells that changed */
    ACCP_FEATURE_MERGES = 1,
    /* f1, ACCP_RULE_PARTS: messages in parts; in force only with q1. Named unless the rule was set
     * to 0 */
    ACCP_FEATURE_PARTS = 2,
    /* s1, ACCP_RULE_SHARES_STORE: refs to one store. To be named only where it is known that
     * both sides read the same one */
    ACCP_FEATURE_STORE = 4,
    /* n1, ACCP_RULE_BY_SENDER: each agent counts its own frames, so both may speak at once. Named
     * unless the rule was set to 0 */
    ACCP_FEATURE_SENDERS = 8
};

/**
 * Tells of a registry kept from before (accp_agreement.peer): it need not be sent again.
 * Shared; the newest eight count.
 */
ACCP_API accp_status accp_negotiation_add_known(accp_negotiation *negotiation,
                                                const accp_registry *known,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in a frame sync:registry of the peer, which `frame` has just parsed.
 *
 * ACCP_E1001 for a damaged frame or over a limit, ACCP_E1003 where the two registries do not go
 * together, ACCP_E1004 for what makes no sense or is not what its hash names, ACCP_ERR_ARG for any
 * other frame, ACCP_ERR_NOMEM: then the same frame may be given again. A failure may have ended the
 * negotiation: see the state. There may be frames to send afterwards.
 */
ACCP_API accp_status accp_negotiation_receive(accp_negotiation *negotiation,
                                              const accp_frame *frame,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * The next frame to be sent, without metadata, which the caller puts after it; of length 0 when
 * there is none for now. To be called until it is so, at the beginning and after each frame and
 * each timeout. *out is a view until the next call. ACCP_ERR_NOMEM: call again.
 */
ACCP_API accp_status accp_negotiation_next_frame(accp_negotiation *negotiation, accp_text *out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Says that the peer has been silent for as long as the caller waits: what is wanted is asked for
 * again, five times, then refused.
 */
ACCP_API accp_status accp_negotiation_timeout(accp_negotiation *negotiation,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * What a negotiation has come to. While it is open nothing is agreed.
 *
 * state           accp_negotiation_state.
 * extensions      in force: bits that both sides named; 0 towards the bare specification.
 * features        the same of accp_feature.
 * registry        in force, or NULL where there is none; accp_registry_share() keeps it.
 * peer            the peer's own registry, to be kept and told of in the next session, or NULL.
 * peer_tokenizer  its name; empty where the peer named none.
 */
typedef struct accp_agreement {
    int32_t state;
    uint32_t extensions;
    uint32_t features;
    uint32_t reserved; /* 0 */
    const accp_registry *registry;
    const accp_registry *peer;
    accp_text peer_tokenizer;
} accp_agreement;

/** How far it has come, into *out: views until its next call. */
ACCP_API accp_status accp_negotiation_agreement(const accp_negotiation *negotiation,
                                                accp_agreement *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets what codecs, engines and batches made with the config go by: the registry that was agreed,
 * the extensions and the features (rules merges, parts, shares_store, by_sender), in place of what
 * was set of these before. Where the two sides are bare it is a registry without schemas. What the
 * agreement names is shared. ACCP_ERR_ARG for one that is open or refused; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_config_set_agreement(accp_config *config, const accp_agreement *agreement,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Replaces `out` by what makes `from` into `to`, and what that means for a side that still has
 * `from`: {"add":{a document},"del":[names of schemas],"changes":[…],"breaking":true or false}.
 * A change is {"kind","breaking","schema"?,"field"?,"from"?,"to"?,"why"}; docs/registry.md has
 * the kinds and their rules. Not breaking: of the frames that either side writes, only those that
 * use what is new are refused, and none is read as another message. from may be NULL: everything,
 * and no changes. Empty lists where they are equal. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_registry_diff(const accp_registry *from, const accp_registry *to,
                                        accp_value *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
