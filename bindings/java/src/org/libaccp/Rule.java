// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
package org.libaccp;

import org.libaccp.internal.accp_rule;

/** Numbers that govern codecs and sessions, with their defaults; those that answer a question are 0 or 1. {@link Options#rule} sets them. */
public enum Rule {
    /** Frames that may wait for an earlier one (64); 0: refused at the gap. */
    WINDOW(accp_rule.ACCP_RULE_WINDOW),
    /** Milliseconds after which a whole sync:state with a higher seq closes a gap (5,000). */
    GAP_MS(accp_rule.ACCP_RULE_GAP_MS),
    /** Milliseconds by which clocks may differ before a ttl has passed (0). */
    SKEW_MS(accp_rule.ACCP_RULE_SKEW_MS),
    /** Milliseconds by which a ts may be ahead (300,000). */
    FUTURE_MS(accp_rule.ACCP_RULE_FUTURE_MS),
    /** Each agent counts its own seq (0: the session has one count, so sides take turns). A negotiation agrees on it where both sides can and it was not set. */
    BY_SENDER(accp_rule.ACCP_RULE_BY_SENDER),
    /** A frame must have a ts (0). */
    REQUIRE_TS(accp_rule.ACCP_RULE_REQUIRE_TS),
    /** A frame must have a sid (0). */
    REQUIRE_SID(accp_rule.ACCP_RULE_REQUIRE_SID),
    /** A mid is any 1 to 64 safe characters (0). */
    LOOSE_MID(accp_rule.ACCP_RULE_LOOSE_MID),
    /** Tokens of a frame that is sent; 0: any number. A session has 240 (specification 3.4) where it is not set, and a codec any number. */
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
    /** Tokens of what was said since the last checkpoint (32,768). */
    HOT_MAX(accp_rule.ACCP_RULE_HOT_MAX),
    /** Tokens of it above which a checkpoint is made (32,768). */
    HOT_DUE(accp_rule.ACCP_RULE_HOT_DUE),
    /** Tokens of one checkpoint (16,384). */
    CHECKPOINT_MAX(accp_rule.ACCP_RULE_CHECKPOINT_MAX),
    /** Tokens of what stands in it of messages (16,384). */
    SUMMARY_MAX(accp_rule.ACCP_RULE_SUMMARY_MAX),
    /** Checkpoints; then the two oldest become one (4, at most 64). */
    RETAINED(accp_rule.ACCP_RULE_RETAINED),
    /** The key of the mids of a session, for tests; 0: a random one, so that nobody can foresee them. */
    SEED(accp_rule.ACCP_RULE_SEED),
    /** Milliseconds in which a request that is sent is answered: {@link Session#expire()}; 0: it waits for ever (0). */
    DEADLINE_MS(accp_rule.ACCP_RULE_DEADLINE_MS),
    /** Both sides take messages in parts, so one over {@link #MAX_TOKENS} goes as such; needs q1. A codec sends them with {@link Options#nextEnvelope} (0). */
    PARTS(accp_rule.ACCP_RULE_PARTS),
    /** Sequence numbers, and versions of the shared state, that a sync:state may pass (65,536). */
    JUMP(accp_rule.ACCP_RULE_JUMP),
    /** The dialect that frames are read in: {@link Options#dialect} (strict). */
    DIALECT(accp_rule.ACCP_RULE_DIALECT),
    /** The extensions in force with the other side: {@link Options#extensions} (q1). */
    EXTENSIONS(accp_rule.ACCP_RULE_EXTENSIONS),
    /** Payload keys are abbreviated when encoding and expanded when decoding (specification 4.2): both sides must have it. Not under a registry (0). */
    ABBREVIATE(accp_rule.ACCP_RULE_ABBREVIATE),
    /** Decoding writes a ref as <code>{"$ref":"warm.key"}</code>, and encoding makes a ref of such an object. 0: decoding a ref is E2001 (0). */
    KEEP_REFS(accp_rule.ACCP_RULE_KEEP_REFS),
    /** Pieces of text that a counter remembers the counts of, at 16 bytes each (65,536). */
    TOKEN_CACHE(accp_rule.ACCP_RULE_TOKEN_CACHE),
    /** What codecs and sessions refuse beyond their rules: {@link Options#strictness} (0). */
    STRICTNESS(accp_rule.ACCP_RULE_STRICTNESS),
    /** Decoding with a codec adds a member {@code defaults}: the names of the payload's members that the frame did not have (0). */
    MARK_DEFAULTS(accp_rule.ACCP_RULE_MARK_DEFAULTS),
    /** Code points that a string may have and not go to the keeper (50). */
    INLINE_CHARACTERS(accp_rule.ACCP_RULE_INLINE_CHARACTERS),
    /** Special tokens such as {@code <|endoftext|>} are themselves when a text is counted or encoded whole; 0: text like any other (0). */
    SPECIAL_TOKENS(accp_rule.ACCP_RULE_SPECIAL_TOKENS),
    /** Bytes of a negotiation's delta in one frame (200). */
    CHUNK_BYTES(accp_rule.ACCP_RULE_CHUNK_BYTES),
    /** What a stream brought is kept, and handed out whole at its end (1). */
    KEEP_STREAMS(accp_rule.ACCP_RULE_KEEP_STREAMS),
    /** Contexts go by the numbers of specification 5.1 where no other rule says (0). */
    SPECIFICATION(accp_rule.ACCP_RULE_SPECIFICATION),
    /** Tokens of a message in a context; a longer one is cut (2,000). */
    NEWEST_MAX(accp_rule.ACCP_RULE_NEWEST_MAX),
    /** Tokens of each message that stays at the front of a context; 0: none does (4,000). */
    PINNED_MAX(accp_rule.ACCP_RULE_PINNED_MAX),
    /** Of a token read from a provider's cache, in thousandths of plain input (100). */
    PRICE_CACHED(accp_rule.ACCP_RULE_PRICE_CACHED),
    /** Of a token written to it; 0: nothing closes by price (1,000). */
    PRICE_WRITE(accp_rule.ACCP_RULE_PRICE_WRITE),
    /** Tokens up to which a context is left whole by price (3,000). */
    WHOLE_MAX(accp_rule.ACCP_RULE_WHOLE_MAX),
    /** Tokens that the host puts in front of a context (0). */
    HOST_TOKENS(accp_rule.ACCP_RULE_HOST_TOKENS),
    /** Names of lines that are left out stay (1). */
    NAME_LISTS(accp_rule.ACCP_RULE_NAME_LISTS),
    /** Sessions take and send nothing without {@link Options#agreement}: E1003 (0). */
    REQUIRE_REGISTRY(accp_rule.ACCP_RULE_REQUIRE_REGISTRY),
    /** 1: of the spellings that are read as the same message the one of the fewest tokens (0). */
    SPELL(accp_rule.ACCP_RULE_SPELL),
    /** A session goes on under the registry that it was written under last; {@link Options#agreement} stands above it (0). */
    PIN_REGISTRY(accp_rule.ACCP_RULE_PIN_REGISTRY),
    /** A codec takes intents that are none of the twelve too; 0: E1002 (0). */
    ANY_INTENT(accp_rule.ACCP_RULE_ANY_INTENT);

    final int number;

    Rule(int number) {
        this.number = number;
    }
}
