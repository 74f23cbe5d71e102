/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A config: how the handles behave that are made with it. One config serves any number of handles
 * of any kind: each reads what concerns it, copies that, and the config may be changed or freed
 * afterwards. NULL stands for a config in which nothing was set. What a handle cannot do and ought
 * not to pass over, such as a policy in an engine, it refuses: ACCP_ERR_ARG.
 *
 *   every handle   limits, allocator
 *   frame, batch, render   rules dialect, extensions, abbreviate, keep_refs; ignored members
 *   counter        rules token_cache, special_tokens
 *   stream         the limits of streams; rule keep_streams
 *   negotiation    registry, tokenizer; rules extensions, merges, parts, shares_store, by_sender,
 *                  chunk_bytes
 *   codec          what frames read; registry, tokenizer, schema, hooks, redacted keys; rules
 *                  max_tokens, parts, strictness, mark_defaults, inline_characters, token_cache,
 *                  any_intent, spell
 *   engine         store, registry, tokenizer, hooks, redacted keys, own agents, origins; rules
 *   packet         tokenizer; rule token_cache
 */
#ifndef ACCP_CONFIG_H
#define ACCP_CONFIG_H

#include "accp/hooks.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A config. One thread sets it; then any number of threads may make handles with it. */
typedef struct accp_config accp_config;

/* Handles that a config can name; their headers say what they are. */
struct accp_registry;
struct accp_store;
struct accp_tokenizer;

/**
 * Which frames are taken. A dialect is for reading: what encoding writes depends on the extensions
 * alone.
 */
enum accp_dialect {
    /* the specification's grammar, exactly */
    ACCP_STRICT = 0,
    /* reading only: also a bare @name as a value, a bare : in an array element, null as removal
     * inside `delta` */
    ACCP_COMPAT = 1,
    /* also raw non-ASCII code points inside strings */
    ACCP_U8 = 2
};

/**
 * Extensions to the specification, as bits. Each is in force only where both sides have named it.
 */
enum accp_extension {
    ACCP_EXT_NONE = 0,
    /* any JSON value, without loss, inside the strict grammar: on by default */
    ACCP_EXT_Q1 = 1,
    /* an array of like objects as a table; implies q1 */
    ACCP_EXT_T1 = 2,
    /* strings carry raw non-ASCII code points; implies q1 and the u8 dialect */
    ACCP_EXT_U8 = 4,
    /* payloads by position, under a schema of the agreed registry; implies q1. To be
     * negotiated; needs a registry */
    ACCP_EXT_P1 = 8,
    /* a string that is a quantity in words ("minus 12 percent") as symbols (-12%); implies q1. To
     * be negotiated: a peer that does not know it reads the symbols */
    ACCP_EXT_W1 = 16
};

/** What is refused that is taken otherwise, as bits. */
enum accp_strictness {
    /* an operation that neither the specification nor the registry knows: ACCP_E5001 */
    ACCP_STRICT_OPERATIONS = 1,
    /* whatever would be a warning: ACCP_E1004 */
    ACCP_STRICT_PROFILES = 2,
    /* a member of the payload that its schema does not have: ACCP_E1004 */
    ACCP_STRICT_SCHEMA = 4,
    /* done, fail or ack with a mid and without a cid, which says what it answers: ACCP_E1004 */
    ACCP_STRICT_REPLIES = 8
};

/**
 * Limits, each with a default and a setter. Beyond a limit a text is refused, never cut. In
 * parentheses: the values that it may have.
 */
enum accp_limit {
    /* "frame_bytes": one frame; default 65,536 (16 to 2^30) */
    ACCP_LIMIT_FRAME_BYTES = 0,
    /* "params": params of a payload, pairs of a metadata block; default 256 (1 to 2^20) */
    ACCP_LIMIT_PARAMS = 1,
    /* "items": elements of one array, entries of one map; default 4,096 (1 to 2^24) */
    ACCP_LIMIT_ITEMS = 2,
    /* "key_bytes": one key, agent, intent, operation or ref; default 256 (1 to 65,535) */
    ACCP_LIMIT_KEY_BYTES = 3,
    /* "depth": arrays and maps inside one another; default 5 (1 to 64) */
    ACCP_LIMIT_DEPTH = 4,
    /* "json_bytes": one JSON text; default 16 MiB (2 to 2^30) */
    ACCP_LIMIT_JSON_BYTES = 5,
    /* "json_depth": of accp_value_parse_json(), and of a value being built; default 1,024 (1 to
       1,024) */
    ACCP_LIMIT_JSON_DEPTH = 6,
    /* "memory_bytes": what one handle may hold; default 1 GiB (65,536 or more) */
    ACCP_LIMIT_MEMORY_BYTES = 7,
    /* "stream_bytes": what all open streams hold; default and max 16 MiB (1 or more) */
    ACCP_LIMIT_STREAM_BYTES = 8,
    /* "stream_ahead": chunks of one stream that wait; default and max 1,024 (1 or more) */
    ACCP_LIMIT_STREAM_AHEAD = 9,
    /* "open_streams": default and max 256 (1 or more) */
    ACCP_LIMIT_OPEN_STREAMS = 10
};

/**
 * Numbers that govern codecs and sessions, with their defaults in parentheses; those that answer a
 * question are 0 or 1. Those of sessions are read when a session is opened.
 */
enum accp_rule {
    /* "window": frames that may wait for an earlier one (64); 0: refused at the gap */
    ACCP_RULE_WINDOW = 0,
    /* "gap_ms": after which a sync:state with the whole state and a higher seq closes a gap, also
     * one that waits: at the next receive() or expire() (5,000) */
    ACCP_RULE_GAP_MS = 1,
    /* "skew_ms": by which clocks may differ before a ttl has passed (0) */
    ACCP_RULE_SKEW_MS = 2,
    /* "future_ms": by which a ts may be ahead (300,000) */
    ACCP_RULE_FUTURE_MS = 3,
    /* "by_sender": each agent counts its own seq (0: the session has one count, so sides take
     * turns; docs/session.md). A negotiation agrees on it where both sides can and it was not set
     */
    ACCP_RULE_BY_SENDER = 4,
    /* "require_ts" (0) */
    ACCP_RULE_REQUIRE_TS = 5,
    /* "require_sid" (0) */
    ACCP_RULE_REQUIRE_SID = 6,
    /* "loose_mid": a mid is any 1 to 64 safe characters (0) */
    ACCP_RULE_LOOSE_MID = 7,
    /* "max_tokens": of a frame that is sent; 0: any number. Where it is not set a session has 240
     * (specification 3.4), and a codec any number */
    ACCP_RULE_MAX_TOKENS = 8,
    /* "issuer": of mids, 1 to 99 where several send in one session (0: one does) */
    ACCP_RULE_ISSUER = 9,
    /* "shares_store": the other side can resolve our refs, so long values go by reference (0;
     * docs/session.md) */
    ACCP_RULE_SHARES_STORE = 10,
    /* "merges": the other side knows m1: of rows of the shared state only the cells that changed
     * go (0) */
    ACCP_RULE_MERGES = 11,
    /* "names_session": frames that are sent carry the sid, which must then be the id of the
     * session on the other side too (0) */
    ACCP_RULE_NAMES_SESSION = 12,
    /* "durable": a call returns when what it changed is durable (1); 0: accp_session_sync() says
     * when */
    ACCP_RULE_DURABLE = 13,
    /* "hot_max": tokens of what was said since the last checkpoint (32,768) */
    ACCP_RULE_HOT_MAX = 14,
    /* "hot_due": above so many of them a checkpoint is made (32,768) */
    ACCP_RULE_HOT_DUE = 15,
    /* "checkpoint_max": tokens of one checkpoint (16,384) */
    ACCP_RULE_CHECKPOINT_MAX = 16,
    /* "summary_max": of what stands in it of messages (16,384) */
    ACCP_RULE_SUMMARY_MAX = 17,
    /* "retained": checkpoints; then the two oldest become one (4, at most 64) */
    ACCP_RULE_RETAINED = 18,
    /* "seed": the key of the mids of a session, for tests; 0: a random one, so that nobody can
     * foresee them */
    ACCP_RULE_SEED = 19,
    /* "deadline_ms": in which a request is answered: accp_session_expire(); 0: it waits for ever
     * (0) */
    ACCP_RULE_DEADLINE_MS = 20,
    /* "parts": both sides take messages in parts, so one over max_tokens goes as such; needs q1.
     * A codec that sends them needs the hook next_envelope. A negotiation agrees on it where both
     * sides can and it was not set (0) */
    ACCP_RULE_PARTS = 21,
    /* "jump": sequence numbers, and versions of the shared state, that a sync:state may pass
     * (65,536) */
    ACCP_RULE_JUMP = 22,
    /* "dialect": that frames are read in, an accp_dialect (ACCP_STRICT) */
    ACCP_RULE_DIALECT = 23,
    /* "extensions": in force with the other side, bits of accp_extension; implied ones are added
     * (ACCP_EXT_Q1). 0: the bare specification, in which most JSON strings have no spelling */
    ACCP_RULE_EXTENSIONS = 24,
    /* "abbreviate": payload keys are abbreviated when encoding and expanded when decoding
     * (specification 4.2): both sides must have it. Under a registry its own short keys are in
     * force, whatever this says (0) */
    ACCP_RULE_ABBREVIATE = 25,
    /* "keep_refs": decoding writes a ref as {"$ref":"warm.key"}, and encoding makes a ref of such
     * an object. 0: decoding a ref is ACCP_E2001, and such an object is like any other (0) */
    ACCP_RULE_KEEP_REFS = 26,
    /* "token_cache": pieces of text that a counter remembers the counts of, at 16 bytes each, and
     * the ids of once it was asked for ids, at 32 bytes more; for pieces of more than 15 bytes 4
     * bytes are added to each. Rounded down to a power of two; it grows to that as it meets new
     * ones (65,536) */
    ACCP_RULE_TOKEN_CACHE = 27,
    /* "strictness": what codecs and sessions refuse beyond their rules, bits of accp_strictness;
     * a codec needs a registry (0) */
    ACCP_RULE_STRICTNESS = 28,
    /* "mark_defaults": decoding with a codec adds to a message a member "defaults": the names of
     * the payload's members that the frame did not have, those that the schema filled in, and
     * `schema` where the frame would have been under it without its name. Encoding then passes
     * over such a member (0) */
    ACCP_RULE_MARK_DEFAULTS = 29,
    /* "inline_characters": code points that a string may have and not go to the hook `keep` (50) */
    ACCP_RULE_INLINE_CHARACTERS = 30,
    /* "special_tokens": special tokens in a text that a counter counts or encodes whole are
     * themselves; 0: text (0) */
    ACCP_RULE_SPECIAL_TOKENS = 31,
    /* "chunk_bytes": of a negotiation's delta in one frame; the default is meant to keep a frame
     * with its metadata under a session's 240 tokens (200) */
    ACCP_RULE_CHUNK_BYTES = 32,
    /* "keep_streams": what a stream brought is kept, and handed out whole at its end (1) */
    ACCP_RULE_KEEP_STREAMS = 33,
    /* "specification": contexts go by the numbers of specification 5.1 (500 tokens hot, 400 due,
     * 200 a checkpoint, 100 its summary, ten of them, nothing pinned, and no prices), whichever of
     * them no other rule sets (0) */
    ACCP_RULE_SPECIFICATION = 34,
    /* "newest_max": tokens of a message in a context; a longer one is cut, and all of it is
     * $cold.mN (2,000) */
    ACCP_RULE_NEWEST_MAX = 35,
    /* "pinned_max": tokens of each message that stays at the front: what notify said before the
     * first request, and that (4,000); 0: none does */
    ACCP_RULE_PINNED_MAX = 36,
    /* "price_cached": of a token that a provider reads from its cache, in thousandths of one of
     * plain input (100). A context closes what was said when that is cheaper than to send it
     * again; 1,000 for both prices: there is no cache, and contexts are the smallest */
    ACCP_RULE_PRICE_CACHED = 37,
    /* "price_write": of one that is written to it, at least price_cached (1,000); 0: nothing
     * closes by price */
    ACCP_RULE_PRICE_WRITE = 38,
    /* "whole_max": a context that has not more tokens than this, with host_tokens, is left whole:
     * nothing in it closes by price (3,000) */
    ACCP_RULE_WHOLE_MAX = 39,
    /* "host_tokens": tokens that the host puts in front of a context (0) */
    ACCP_RULE_HOST_TOKENS = 40,
    /* "name_lists": where lines are left out, names of them stay (1) */
    ACCP_RULE_NAME_LISTS = 41,
    /* "require_registry": sessions take and send nothing before accp_config_set_agreement() has
     * said what was agreed with the other side: ACCP_E1003 (0) */
    ACCP_RULE_REQUIRE_REGISTRY = 42,
    /* "spell": of the spellings of a frame that are read as the same message, codecs and sessions
     * write 0: the one of docs/wire.md; 1: the one of the fewest tokens, by the config's tokenizer
     * (0; docs/codec.md) */
    ACCP_RULE_SPELL = 43,
    /* "pin_registry": a session goes on under the registry that it was written under last, whatever
     * the engine has; an accp_config_set_agreement() stands above it (0) */
    ACCP_RULE_PIN_REGISTRY = 44,
    /* "any_intent": a codec takes intents that are none of the twelve too; 0: ACCP_E1002. A session
     * never does, and the grammar's layer, accp/frame.h and accp/batch.h, asks for none (0) */
    ACCP_RULE_ANY_INTENT = 45
};

/**
 * The memory functions of a handle. Both are called on the thread that uses the handle, and must
 * not call the library. `alloc` returns memory that is aligned for any type, as malloc does. If it
 * returns NULL, the call fails with ACCP_ERR_NOMEM. `release` gets the size that was requested from
 * `alloc`. One function without the other is ACCP_ERR_ARG. `user` must live as long as the handle.
 *
 * Without an allocator the library uses its private one, and never the host's malloc. One buffer
 * comes from neither of them: simdjson allocates its index for reading JSON with the global
 * operator new. It has four bytes for each byte of the largest text, and is freed after large
 * texts. json_bytes bounds it, and memory_bytes does not count it.
 */
typedef struct accp_allocator {
    void *(*alloc)(size_t size, void *user);
    void (*release)(void *memory, size_t size, void *user);
    void *user;
} accp_allocator;

/**
 * Makes a config in which nothing is set. *out is owned by the caller: accp_config_free().
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_config_new(accp_config **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a config; NULL is nothing. Handles that were made with it go on. */
ACCP_API void accp_config_free(accp_config *config) ACCP_NOEXCEPT;

/** Sets one limit of accp_limit. ACCP_ERR_ARG for an unknown limit, or a value out of its range. */
ACCP_API accp_status accp_config_set_limit(accp_config *config, int32_t limit, uint64_t value,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets one rule of accp_rule. ACCP_ERR_ARG for an unknown rule, or a value that it cannot have.
 * What goes together is checked where a handle is made or a session opened: summary_max is at most
 * checkpoint_max, that at most hot_due, that at most hot_max; newest_max is at least 200, and at
 * most hot_due less 16; price_cached is at most price_write. Those of them that no rule sets follow
 * those that one does.
 */
ACCP_API accp_status accp_config_set_rule(accp_config *config, int32_t rule, int64_t value,
                                          accp_error *err) ACCP_NOEXCEPT;

/** Sets where memory comes from; the struct is copied. NULL: the library's own (the default). */
ACCP_API accp_status accp_config_set_allocator(accp_config *config, const accp_allocator *allocator,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the registry; shared, so it may be freed. NULL (the default): a codec has none, and encodes
 * and decodes what the grammar alone says; an engine has the profiles of the specification and
 * nothing else. Under a schema a message gets the defaults of its fields: a `tool` its status, a
 * `schedule` its priority. For messages exactly as they were said: one made with ACCP_PROFILE_NONE.
 */
ACCP_API accp_status accp_config_set_registry(accp_config *config,
                                              const struct accp_registry *registry,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the store of an engine's sessions; shared: closed while sessions use it, it goes on for
 * them, and ends with the last of them. NULL (the default): one in memory, the engine's own.
 */
ACCP_API accp_status accp_config_set_store(accp_config *config, struct accp_store *store,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the tokenizer. It is shared: you may free it before the handles that use it. NULL is the
 * default: an engine, and a codec with the rule max_tokens, then use o200k_base. Any other codec
 * then counts no tokens, and a negotiation names no tokenizer.
 */
ACCP_API accp_status accp_config_set_tokenizer(accp_config *config,
                                               const struct accp_tokenizer *tokenizer,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets what the host is asked and told; the struct is copied. NULL: nothing (the default).
 * ACCP_ERR_ARG for a size that no version up to this library's has, for cold_put without cold_get,
 * and the reverse.
 */
ACCP_API accp_status accp_config_set_hooks(accp_config *config, const accp_hooks *hooks,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the schema, by its code, of messages that a codec is given and that name none; a frame then
 * names it, unless it is the one bound to its intent and operation. Length 0 (the default): such
 * messages are under the bound schema, if there is one. Copied.
 */
ACCP_API accp_status accp_config_set_schema(accp_config *config, const char *code, size_t code_len,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Names one member of a JSON message to pass over when encoding, where it would be refused; call it
 * again for more. Copied. ACCP_ERR_ARG for an empty name or one with a NUL in it; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_config_add_ignored(accp_config *config, const char *name, size_t name_len,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Names a key whose values the hook `log` does not show, wherever it stands in payload or metadata;
 * call it again for more. Copied. A message has keys in full: name `account`, not `acc`. Refusals
 * never show a value of a message. ACCP_ERR_ARG for an empty name or one with a NUL in it, and
 * beyond 4,096 bytes of names in all; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_config_add_redacted(accp_config *config, const char *key, size_t key_len,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Names an agent of the host; call it again for more. No session takes a frame under one of these
 * names from outside (ACCP_E5001). An agent that a session has sent a frame as is the host's own in
 * that session anyway, for ever. Copied. ACCP_ERR_ARG for an empty name or one with a NUL in it;
 * ACCP_ERR_NOMEM. Cost: each frame that comes in is compared with the names.
 */
ACCP_API accp_status accp_config_add_own_agent(accp_config *config, const char *agent,
                                               size_t agent_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Says where the messages of an agent come from in sessions (accp_origin; trusted, where nothing is
 * said), however they come: received, sent on or appended. A message that is untrusted has the
 * member "untrusted":true wherever a session hands it out as JSON, and the context says so; the log
 * keeps that. What accp_session_receive() says of a peer is not taken back by it. Copied.
 * ACCP_ERR_ARG for an empty name or one with a NUL in it, or an unknown origin; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_config_set_agent_origin(accp_config *config, const char *agent,
                                                  size_t agent_len, int32_t origin,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** The number of the limit of that name ("frame_bytes"), or -1. Any thread. */
ACCP_API int32_t accp_limit_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * The name of a limit, or NULL where it is out of range: count from 0 to list them all. Static
 * text. Any thread.
 */
ACCP_API const char *accp_limit_name(int32_t limit) ACCP_NOEXCEPT;

/** The value that a limit has where nobody set it, or 0 where it is out of range. Any thread. */
ACCP_API uint64_t accp_limit_default(int32_t limit) ACCP_NOEXCEPT;

/** The number of the rule of that name ("max_tokens"), or -1. Any thread. */
ACCP_API int32_t accp_rule_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * The name of a rule, or NULL where it is out of range: count from 0 to list them all. Static text.
 * Any thread.
 */
ACCP_API const char *accp_rule_name(int32_t rule) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
