// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_rule;

/** Numbers that govern sessions, with their defaults; those that answer a question are 0 or 1. */
public enum Rule {
    /** Frames that may wait for an earlier one (64); 0: refused at the gap. */
    WINDOW(accp_rule.ACCP_RULE_WINDOW),
    /** Milliseconds after which a sync:state with a higher seq closes a gap (5,000). */
    GAP_MS(accp_rule.ACCP_RULE_GAP_MS),
    /** Milliseconds by which clocks may differ before a ttl has passed (0). */
    SKEW_MS(accp_rule.ACCP_RULE_SKEW_MS),
    /** Milliseconds by which a ts may be ahead (300,000). */
    FUTURE_MS(accp_rule.ACCP_RULE_FUTURE_MS),
    /** Each agent counts its own seq (0: the session has one count, so sides take turns). */
    BY_SENDER(accp_rule.ACCP_RULE_BY_SENDER),
    /** A frame must have a ts (0). */
    REQUIRE_TS(accp_rule.ACCP_RULE_REQUIRE_TS),
    /** A frame must have a sid (0). */
    REQUIRE_SID(accp_rule.ACCP_RULE_REQUIRE_SID),
    /** A mid is any 1 to 64 safe characters (0). */
    LOOSE_MID(accp_rule.ACCP_RULE_LOOSE_MID),
    /** Tokens of a frame that is sent (240, specification 3.4); 0: any number. */
    MAX_TOKENS(accp_rule.ACCP_RULE_MAX_TOKENS),
    /** Issuer of mids, 1 to 99 where several send in one session (0: one does). */
    ISSUER(accp_rule.ACCP_RULE_ISSUER),
    /** The other side can resolve our refs, so long values go by reference (0). */
    SHARES_STORE(accp_rule.ACCP_RULE_SHARES_STORE),
    /** The other side knows m1: of rows of the shared state only the cells that changed go (0). */
    MERGES(accp_rule.ACCP_RULE_MERGES),
    /** Frames that are sent carry the sid (0). */
    NAMES_SESSION(accp_rule.ACCP_RULE_NAMES_SESSION),
    /** A call returns when what it changed is durable (1); 0: {@link Session#sync()} says when. */
    DURABLE(accp_rule.ACCP_RULE_DURABLE),
    /** Tokens of hot state (500). */
    HOT_MAX(accp_rule.ACCP_RULE_HOT_MAX),
    /** Tokens above which a checkpoint is made (400). */
    HOT_DUE(accp_rule.ACCP_RULE_HOT_DUE),
    /** Tokens of one checkpoint (200). */
    CHECKPOINT_MAX(accp_rule.ACCP_RULE_CHECKPOINT_MAX),
    /** Tokens of its summary (100). */
    SUMMARY_MAX(accp_rule.ACCP_RULE_SUMMARY_MAX),
    /** Checkpoints that stay warm (10, at most 64). */
    RETAINED(accp_rule.ACCP_RULE_RETAINED),
    /** The key of the mids of a session, for tests; 0: a random one, so that nobody can foresee them. */
    SEED(accp_rule.ACCP_RULE_SEED),
    /** Milliseconds in which a request that is sent is answered: {@link Session#expire()}; 0: it waits for ever (0). */
    DEADLINE_MS(accp_rule.ACCP_RULE_DEADLINE_MS),
    /** Both sides take messages in parts, so one over {@link #MAX_TOKENS} goes as such; needs q1 (0). */
    PARTS(accp_rule.ACCP_RULE_PARTS),
    /** Sequence numbers, and versions of the shared state, that a sync:state may pass (65,536). */
    JUMP(accp_rule.ACCP_RULE_JUMP);

    final int number;

    Rule(int number) {
        this.number = number;
    }
}
