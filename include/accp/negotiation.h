/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Negotiations: two agents agree on one registry, on extensions and on features (Spec 6.4). A
 * negotiation is a pure state machine: the caller passes it the peer's frames and sends the frames
 * that it returns. See docs/registry.md.
 *
 * @code
 * // Sends all frames that are due. Receives one, and returns 1 while the negotiation is open.
 * int negotiate(accp_negotiation *negotiation, accp_frame *frame, accp_text received,
 *               void (*send)(accp_text)) {
 *     accp_text out;
 *     accp_agreement agreement = {0};
 *     if (received.len &&
 *         accp_frame_parse(frame, received.text, received.len, NULL) == ACCP_OK)
 *         accp_negotiation_receive(negotiation, frame, NULL);
 *     while (accp_negotiation_next_frame(negotiation, &out, NULL) == ACCP_OK && out.len) send(out);
 *     accp_negotiation_agreement(negotiation, &agreement, NULL);
 *     return agreement.state == ACCP_NEGOTIATION_OPEN;
 * }
 * @endcode
 *
 * Afterwards pass the agreement to accp_config_set_agreement().
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

/** The state of a negotiation. While it is open, nothing else may be sent in the session. */
enum accp_negotiation_state {
    /** Not finished. */
    ACCP_NEGOTIATION_OPEN = 0,
    /** One registry is in force on both sides. */
    ACCP_NEGOTIATION_AGREED = 1,
    /** Without a common registry: no schemas by code, no omitted defaults, no p1. */
    ACCP_NEGOTIATION_BARE = 2,
    /** The session cannot continue. */
    ACCP_NEGOTIATION_REFUSED = 3
};

/**
 * Starts a negotiation. Spec 6.4.
 *
 * @param agent   This side's name, as in frames; copied.
 * @param config  What this side has: its registry, which is required; its extensions; its
 *                tokenizer, which is sent to the peer by name (letters, digits, _ and -); and as
 *                features the rules merges, parts, by_sender and shares_store. Set shares_store
 *                only if both sides are known to use the same store.
 * @param out     Owned by the caller: accp_negotiation_free().
 *
 * Errors: ACCP_E1001 if the agent's name is invalid; ACCP_ERR_ARG.
 */
ACCP_API accp_status accp_negotiation_new(const char *agent, size_t agent_len,
                                          const accp_config *config, accp_negotiation **out,
                                          accp_error *err) ACCP_NOEXCEPT;

/** Frees a negotiation. Shared registries stay with their other owners. NULL has no effect. */
ACCP_API void accp_negotiation_free(accp_negotiation *negotiation) ACCP_NOEXCEPT;

/**
 * Features of sessions that need both sides, as bits. Each feature has a name in the hello frame
 * and a rule of sessions.
 */
enum accp_feature {
    /** m1, ACCP_RULE_MERGES: of rows of the shared state only the changed cells are sent. */
    ACCP_FEATURE_MERGES = 1,
    /** f1, ACCP_RULE_PARTS: messages in parts; in force only with q1. Offered unless the rule was
     * set to 0. */
    ACCP_FEATURE_PARTS = 2,
    /** s1, ACCP_RULE_SHARES_STORE: refs to one store. Offer it only if both sides are known to use
     * the same store. */
    ACCP_FEATURE_STORE = 4,
    /** n1, ACCP_RULE_BY_SENDER: each agent counts its own frames, so both may send at once. Offered
     * unless the rule was set to 0. */
    ACCP_FEATURE_SENDERS = 8
};

/**
 * Adds a registry that was kept from an earlier session (accp_agreement.peer), so that the peer
 * need not send it again. Only the newest eight are used.
 *
 * @param known  Shared.
 */
ACCP_API accp_status accp_negotiation_add_known(accp_negotiation *negotiation,
                                                const accp_registry *known,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Receives a sync:registry frame of the peer. Afterwards call accp_negotiation_next_frame().
 *
 * @param frame  A handle that has just parsed the frame.
 *
 * Errors: ACCP_E1001 for a damaged frame or one over a limit. ACCP_E1003 if the two registries
 * conflict. ACCP_E1004 for invalid content, or content that does not match its hash. ACCP_ERR_ARG
 * for any other frame. After ACCP_ERR_NOMEM the same frame may be passed again. A failure may end
 * the negotiation: check the state.
 */
ACCP_API accp_status accp_negotiation_receive(accp_negotiation *negotiation,
                                              const accp_frame *frame,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the next frame to send, without metadata, which the caller appends. Call it until the
 * frame is empty: at the start, after each received frame, and after each timeout. After
 * ACCP_ERR_NOMEM call it again.
 *
 * @param out  A view until the next call; of length 0 if there is nothing to send now.
 */
ACCP_API accp_status accp_negotiation_next_frame(accp_negotiation *negotiation, accp_text *out,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * Reports that the peer has been silent for as long as the caller waits. Missing content is then
 * requested again, up to five times; after that the negotiation is refused.
 */
ACCP_API accp_status accp_negotiation_timeout(accp_negotiation *negotiation,
                                              accp_error *err) ACCP_NOEXCEPT;

/** The result of a negotiation. While the negotiation is open nothing is agreed. */
typedef struct accp_agreement {
    /** accp_negotiation_state. */
    int32_t state;
    /** The extensions in force: those that both sides named; 0 for a peer with the bare
     * specification. */
    uint32_t extensions;
    /** The features in force, as bits of accp_feature. */
    uint32_t features;
    /** Reserved: 0. */
    uint32_t reserved;
    /** The registry in force, or NULL. accp_registry_share() keeps it. */
    const accp_registry *registry;
    /** The peer's own registry, or NULL. Keep it for accp_negotiation_add_known() in the next
     * session. */
    const accp_registry *peer;
    /** The name of the peer's tokenizer; empty if it named none. */
    accp_text peer_tokenizer;
} accp_agreement;

/**
 * Returns the state and the result of a negotiation.
 *
 * @param out  Views until the next call on the negotiation.
 */
ACCP_API accp_status accp_negotiation_agreement(const accp_negotiation *negotiation,
                                                accp_agreement *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the result of a negotiation in a config: the registry, the extensions, and the features (the
 * rules merges, parts, shares_store, by_sender). It replaces earlier settings of these. For a bare
 * agreement the registry has no schemas.
 *
 * @param agreement  What it refers to is shared.
 *
 * Returns ACCP_ERR_ARG for a negotiation that is open or refused.
 */
ACCP_API accp_status accp_config_set_agreement(accp_config *config, const accp_agreement *agreement,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Computes the difference of two registries, and whether it breaks a side that still has the old
 * one. docs/registry.md lists the kinds of changes and their rules.
 *
 *     {"add":{a document},"del":[names of schemas],"changes":[…],"breaking":true or false}
 *     a change: {"kind","breaking","schema"?,"field"?,"from"?,"to"?,"why"}
 *
 * A change that does not break: frames that use new things are rejected by the old side, but no
 * frame of either side is misread.
 *
 * @param from  May be NULL: the result then adds everything and has no changes.
 * @param out   Replaced by the difference, which has empty lists if the two are equal.
 */
ACCP_API accp_status accp_registry_diff(const accp_registry *from, const accp_registry *to,
                                        accp_value *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
