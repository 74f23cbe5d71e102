// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_rule;

/**
 * Numbers that control codecs and sessions, with their defaults; booleans are 0 or 1.
 * {@link Options#rule} sets them.
 */
public enum Rule {
    /** Frames that may wait for an earlier one (64); 0: refused at the gap. */
    WINDOW(accp_rule.ACCP_RULE_WINDOW),
    /** Milliseconds after which a whole sync:state with a higher seq closes a gap (5,000). */
    GAP_MS(accp_rule.ACCP_RULE_GAP_MS),
    /** Milliseconds of tolerated clock difference for a ttl (0). */
    SKEW_MS(accp_rule.ACCP_RULE_SKEW_MS),
    /** Milliseconds that a ts may be ahead (300,000). */
    FUTURE_MS(accp_rule.ACCP_RULE_FUTURE_MS),
    /**
     * Each agent has its own seq (0: the session has one count, so sides take turns). A negotiation
     * agrees on it if both sides can and the rule is not set.
     */
    BY_SENDER(accp_rule.ACCP_RULE_BY_SENDER),
    /** A frame must have a ts (0). */
    REQUIRE_TS(accp_rule.ACCP_RULE_REQUIRE_TS),
    /** A frame must have a sid (0). */
    REQUIRE_SID(accp_rule.ACCP_RULE_REQUIRE_SID),
    /** A mid may be any 1 to 64 safe characters (0). */
    LOOSE_MID(accp_rule.ACCP_RULE_LOOSE_MID),
    /**
     * Tokens of a sent frame; 0: any number. The default is 240 for a session (specification 3.4)
     * and any number for a codec.
     */
    MAX_TOKENS(accp_rule.ACCP_RULE_MAX_TOKENS),
    /** Issuer of mids, 1 to 99 if several programs send in one session (0: only one sends). */
    ISSUER(accp_rule.ACCP_RULE_ISSUER),
    /** The other side can resolve our refs, so long values go by reference (0). */
    SHARES_STORE(accp_rule.ACCP_RULE_SHARES_STORE),
    /**
     * The other side supports m1: only the changed cells of rows of the shared state are sent (0).
     */
    MERGES(accp_rule.ACCP_RULE_MERGES),
    /** Sent frames carry the sid (0). */
    NAMES_SESSION(accp_rule.ACCP_RULE_NAMES_SESSION),
    /** A call returns when its change is durable (1); 0: use {@link Session#sync()}. */
    DURABLE(accp_rule.ACCP_RULE_DURABLE),
    /** Tokens since the last checkpoint (262,144). */
    HOT_MAX(accp_rule.ACCP_RULE_HOT_MAX),
    /** Tokens above which a checkpoint is made (262,144). */
    HOT_DUE(accp_rule.ACCP_RULE_HOT_DUE),
    /** Tokens of one checkpoint (16,384). */
    CHECKPOINT_MAX(accp_rule.ACCP_RULE_CHECKPOINT_MAX),
    /** Tokens of messages in a checkpoint (16,384). */
    SUMMARY_MAX(accp_rule.ACCP_RULE_SUMMARY_MAX),
    /** Checkpoints; then the two oldest are merged (4, at most 64). */
    RETAINED(accp_rule.ACCP_RULE_RETAINED),
    /** The key of a session's mids, for tests; 0: random, so that mids cannot be predicted. */
    SEED(accp_rule.ACCP_RULE_SEED),
    /**
     * Milliseconds in which a sent request must get a reply: {@link Session#expire()}; 0: unlimited
     * (0).
     */
    DEADLINE_MS(accp_rule.ACCP_RULE_DEADLINE_MS),
    /**
     * Both sides accept messages in parts, so one over {@link #MAX_TOKENS} is split; needs q1. A
     * codec sends them with {@link Options#nextEnvelope} (0).
     */
    PARTS(accp_rule.ACCP_RULE_PARTS),
    /** Sequence numbers and state versions that a sync:state may skip (65,536). */
    JUMP(accp_rule.ACCP_RULE_JUMP),
    /** The dialect for reading frames: {@link Options#dialect} (strict). */
    DIALECT(accp_rule.ACCP_RULE_DIALECT),
    /** The extensions in force with the other side: {@link Options#extensions} (q1). */
    EXTENSIONS(accp_rule.ACCP_RULE_EXTENSIONS),
    /**
     * Payload keys are abbreviated by encoding and expanded by decoding (specification 4.2): both
     * sides must set it. Not with a registry (0).
     */
    ABBREVIATE(accp_rule.ACCP_RULE_ABBREVIATE),
    /**
     * Decoding writes a ref as <code>{"$ref":"warm.key"}</code>, and encoding makes a ref from such
     * an object. 0: decoding a ref is E2001 (0).
     */
    KEEP_REFS(accp_rule.ACCP_RULE_KEEP_REFS),
    /** Pieces of text whose counts a counter caches, at 16 bytes each (65,536). */
    TOKEN_CACHE(accp_rule.ACCP_RULE_TOKEN_CACHE),
    /**
     * The inputs that codecs and sessions refuse in addition to their rules:
     * {@link Options#strictness} (0).
     */
    STRICTNESS(accp_rule.ACCP_RULE_STRICTNESS),
    /**
     * Decoding with a codec adds a member {@code defaults}: the names of the filled-in payload
     * members (0).
     */
    MARK_DEFAULTS(accp_rule.ACCP_RULE_MARK_DEFAULTS),
    /** Code points above which a string goes to the keeper (50). */
    INLINE_CHARACTERS(accp_rule.ACCP_RULE_INLINE_CHARACTERS),
    /**
     * Special tokens such as {@code <|endoftext|>} count as such if a text is counted or encoded
     * whole; 0: as text (0).
     */
    SPECIAL_TOKENS(accp_rule.ACCP_RULE_SPECIAL_TOKENS),
    /** Bytes of a negotiation's delta in one frame (200). */
    CHUNK_BYTES(accp_rule.ACCP_RULE_CHUNK_BYTES),
    /** A stream keeps its data and returns it whole at the end (1). */
    KEEP_STREAMS(accp_rule.ACCP_RULE_KEEP_STREAMS),
    /** Contexts use the numbers of specification 5.1 unless another rule is set (0). */
    SPECIFICATION(accp_rule.ACCP_RULE_SPECIFICATION),
    /** Tokens of a message in a context; a longer one is cut (32,000). */
    NEWEST_MAX(accp_rule.ACCP_RULE_NEWEST_MAX),
    /** Tokens of each message pinned at the front of a context; 0: none is pinned (30,000). */
    PINNED_MAX(accp_rule.ACCP_RULE_PINNED_MAX),
    /** Price of a token read from a provider's cache, in thousandths of plain input (100). */
    PRICE_CACHED(accp_rule.ACCP_RULE_PRICE_CACHED),
    /** Price of a token written to it; 0: no message is left out by price (1,250). */
    PRICE_WRITE(accp_rule.ACCP_RULE_PRICE_WRITE),
    /** Tokens up to which a context leaves no message out by price (3,000). */
    WHOLE_MAX(accp_rule.ACCP_RULE_WHOLE_MAX),
    /** Tokens that the host puts before a context (0). */
    HOST_TOKENS(accp_rule.ACCP_RULE_HOST_TOKENS),
    /** Milliseconds after a call until the provider's cache expires; 0: it never does (300,000). */
    CACHE_TTL_MS(accp_rule.ACCP_RULE_CACHE_TTL_MS),
    /** Sessions refuse all frames without {@link Options#agreement}: E1003 (0). */
    REQUIRE_REGISTRY(accp_rule.ACCP_RULE_REQUIRE_REGISTRY),
    /** 1: use the equivalent spelling with the fewest tokens (0). */
    SPELL(accp_rule.ACCP_RULE_SPELL),
    /**
     * A session continues with the registry of its newest frame; {@link Options#agreement} has
     * precedence (0).
     */
    PIN_REGISTRY(accp_rule.ACCP_RULE_PIN_REGISTRY),
    /** A codec accepts intents other than the twelve; 0: E1002 (0). */
    ANY_INTENT(accp_rule.ACCP_RULE_ANY_INTENT),
    /** Price of a token that the model writes, in thousandths of plain input (5,000). */
    PRICE_OUTPUT(accp_rule.ACCP_RULE_PRICE_OUTPUT),
    /**
     * Packets, their prompts and the log have {@code [redacted:KIND]} in place of keys, tokens and
     * passwords (1).
     */
    REDACT_SECRETS(accp_rule.ACCP_RULE_REDACT_SECRETS);

    final int number;

    Rule(int number) {
        this.number = number;
    }
}
