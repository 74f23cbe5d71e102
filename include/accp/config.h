/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Configs: the settings of new handles. One config serves any number of handles of every kind. Each
 * handle copies what it uses, so you may change or free the config afterwards. A NULL config has no
 * settings. If a handle cannot support a setting that must not be ignored, such as a policy, making
 * it fails with ACCP_ERR_ARG.
 *
 * @code
 * accp_config *config = NULL;
 * accp_codec *codec = NULL;
 * if (accp_config_new(&config, NULL) == ACCP_OK &&
 *     accp_config_set_limit(config, ACCP_LIMIT_FRAME_BYTES, 4096, NULL) == ACCP_OK &&
 *     accp_config_set_rule(config, ACCP_RULE_MAX_TOKENS, 240, NULL) == ACCP_OK &&
 *     accp_codec_new(config, &codec, NULL) == ACCP_OK)
 *     puts("made");
 * accp_config_free(config);  // the codec has its own copy
 * accp_codec_free(codec);
 * @endcode
 *
 * What each handle uses:
 *
 * - every handle: limits, allocator
 * - frame, batch, render: the rules dialect, extensions, abbreviate, keep_refs; ignored members
 * - counter: the rules token_cache, special_tokens
 * - stream: the limits of streams; the rule keep_streams
 * - negotiation: registry, tokenizer; the rules extensions, merges, parts, shares_store, by_sender,
 *   chunk_bytes
 * - codec: what frames use; registry, tokenizer, schema, hooks, redacted keys; the rules
 *   max_tokens, parts, strictness, mark_defaults, inline_characters, token_cache, any_intent, spell
 * - engine: store, registry, tokenizer, hooks, redacted keys, own agents, origins; rules
 * - packet: tokenizer; the rules token_cache, redact_secrets
 */
#ifndef ACCP_CONFIG_H
#define ACCP_CONFIG_H

#include "accp/hooks.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A config. One thread sets it; after that any number of threads may make handles with it. */
typedef struct accp_config accp_config;

/* Handles that a config can refer to. Their own headers describe them. */
struct accp_registry;
struct accp_store;
struct accp_tokenizer;

/**
 * Which frames are accepted. A dialect concerns reading only; what encoding writes depends only on
 * the extensions.
 */
enum accp_dialect {
    /** Exactly the specification's grammar. */
    ACCP_STRICT = 0,
    /** Also a bare `@name` as a value, a bare `:` in an array element, and null as removal inside
     * `delta`. */
    ACCP_COMPAT = 1,
    /** Also raw non-ASCII code points inside strings. */
    ACCP_U8 = 2
};

/**
 * Extensions to the specification, as bits. An extension is in force only if both sides have named
 * it.
 */
enum accp_extension {
    /** No extension. */
    ACCP_EXT_NONE = 0,
    /** Any JSON value without loss, within the strict grammar. On by default. */
    ACCP_EXT_Q1 = 1,
    /** An array of similar objects as a table. Implies q1. */
    ACCP_EXT_T1 = 2,
    /** Raw non-ASCII code points in strings. Implies q1 and the u8 dialect. */
    ACCP_EXT_U8 = 4,
    /** Payloads by position, under a schema of the agreed registry. Implies q1. Needs a registry
     * and a negotiation. */
    ACCP_EXT_P1 = 8,
    /** A string that is a quantity in words ("minus 12 percent") as symbols (-12%). Implies q1.
     * Needs a negotiation: a peer without it reads the symbols. */
    ACCP_EXT_W1 = 16
};

/** Additional checks that reject what would be accepted otherwise, as bits. */
enum accp_strictness {
    /** An operation that neither the specification nor the registry has: ACCP_E5001. */
    ACCP_STRICT_OPERATIONS = 1,
    /** Everything that would be a warning: ACCP_E1004. */
    ACCP_STRICT_PROFILES = 2,
    /** A member of the payload that is not in its schema: ACCP_E1004. */
    ACCP_STRICT_SCHEMA = 4,
    /** A done, fail or ack with a mid but without the cid of its request: ACCP_E1004. */
    ACCP_STRICT_REPLIES = 8
};

/**
 * Limits. A text over a limit is rejected, never cut. Each comment has the name, the default, and
 * the allowed values in parentheses.
 */
enum accp_limit {
    /** "frame_bytes": of one frame; default 65,536 (16 to 2^30) */
    ACCP_LIMIT_FRAME_BYTES = 0,
    /** "params": of a payload, or pairs of a metadata block; default 256 (1 to 2^20) */
    ACCP_LIMIT_PARAMS = 1,
    /** "items": elements of one array, or entries of one map; default 4,096 (1 to 2^24) */
    ACCP_LIMIT_ITEMS = 2,
    /** "key_bytes": of one key, agent, intent, operation or ref; default 256 (1 to 65,535) */
    ACCP_LIMIT_KEY_BYTES = 3,
    /** "depth": of nested arrays and maps; default 5 (1 to 64) */
    ACCP_LIMIT_DEPTH = 4,
    /** "json_bytes": of one JSON text; default 16 MiB (2 to 2^30) */
    ACCP_LIMIT_JSON_BYTES = 5,
    /** "json_depth": of accp_value_parse_json(), and of a value that is built; default 1,024 (1 to
     * 1,024) */
    ACCP_LIMIT_JSON_DEPTH = 6,
    /** "memory_bytes": of one handle; default 1 GiB (65,536 or more) */
    ACCP_LIMIT_MEMORY_BYTES = 7,
    /** "stream_bytes": of all open streams; default and maximum 16 MiB (1 or more) */
    ACCP_LIMIT_STREAM_BYTES = 8,
    /** "stream_ahead": waiting chunks of one stream; default and maximum 1,024 (1 or more) */
    ACCP_LIMIT_STREAM_AHEAD = 9,
    /** "open_streams": default and maximum 256 (1 or more) */
    ACCP_LIMIT_OPEN_STREAMS = 10
};

/**
 * Numbers that control codecs and sessions. Each comment has the name, and the default in
 * parentheses. A rule that is on or off is 1 or 0. Rules of sessions are read when a session is
 * opened.
 */
enum accp_rule {
    /** "window": frames that may wait for an earlier one (64); 0: a gap rejects the frame */
    ACCP_RULE_WINDOW = 0,
    /** "gap_ms": milliseconds after which a sync:state with the whole state and a higher seq closes
     * a gap, at the next receive or expire. It may have been waiting already (5,000) */
    ACCP_RULE_GAP_MS = 1,
    /** "skew_ms": tolerance between clocks, in milliseconds, before a ttl has passed (0) */
    ACCP_RULE_SKEW_MS = 2,
    /** "future_ms": milliseconds that a ts may be ahead (300,000) */
    ACCP_RULE_FUTURE_MS = 3,
    /** "by_sender": each agent counts its own seq. 0: the session has one count, so the sides
     * take turns; docs/session.md. If it is not set, a negotiation agrees on it if both sides
     * can (0) */
    ACCP_RULE_BY_SENDER = 4,
    /** "require_ts": reject a frame without ts (0) */
    ACCP_RULE_REQUIRE_TS = 5,
    /** "require_sid": reject a frame without sid (0) */
    ACCP_RULE_REQUIRE_SID = 6,
    /** "loose_mid": a mid may be any 1 to 64 safe characters (0) */
    ACCP_RULE_LOOSE_MID = 7,
    /** "max_tokens": of a frame that is sent; 0: no limit. The default is 240 for a session (Spec
     * 3.4), and no limit for a codec */
    ACCP_RULE_MAX_TOKENS = 8,
    /** "issuer": of mids: 1 to 99 if several send in one session; 0: one sender (0) */
    ACCP_RULE_ISSUER = 9,
    /** "shares_store": the other side can resolve our refs, so long values go by reference;
     * docs/session.md (0) */
    ACCP_RULE_SHARES_STORE = 10,
    /** "merges": the other side supports m1: of rows of the shared state only the changed cells are
     * sent (0) */
    ACCP_RULE_MERGES = 11,
    /** "names_session": frames carry the sid. The session must then have the same id on the other
     * side (0) */
    ACCP_RULE_NAMES_SESSION = 12,
    /** "durable": a call returns when its changes are durable. 0: accp_session_sync() makes them
     * durable (1) */
    ACCP_RULE_DURABLE = 13,
    /** "hot_max": tokens of the messages since the last checkpoint (262,144) */
    ACCP_RULE_HOT_MAX = 14,
    /** "hot_due": with price_write 0, a checkpoint is made above this number of those tokens
     * (262,144) */
    ACCP_RULE_HOT_DUE = 15,
    /** "checkpoint_max": tokens of one checkpoint (16,384) */
    ACCP_RULE_CHECKPOINT_MAX = 16,
    /** "summary_max": tokens of the messages in a checkpoint (16,384) */
    ACCP_RULE_SUMMARY_MAX = 17,
    /** "retained": number of checkpoints, at most 64; with one more, the two oldest become one
     * (4) */
    ACCP_RULE_RETAINED = 18,
    /** "seed": the key of a session's mids, for tests; 0: a random key, so that mids cannot be
     * predicted (0) */
    ACCP_RULE_SEED = 19,
    /** "deadline_ms": milliseconds in which a request must be answered: accp_session_expire(). 0:
     * no deadline (0) */
    ACCP_RULE_DEADLINE_MS = 20,
    /** "parts": both sides accept messages in parts, so a message over max_tokens goes in parts.
     * Needs q1; a codec that sends parts also needs the hook next_envelope. If it is not set, a
     * negotiation agrees on it if both sides can (0) */
    ACCP_RULE_PARTS = 21,
    /** "jump": sequence numbers, and versions of the shared state, that a sync:state may skip
     * (65,536) */
    ACCP_RULE_JUMP = 22,
    /** "dialect": of the frames that are read, an accp_dialect (ACCP_STRICT) */
    ACCP_RULE_DIALECT = 23,
    /** "extensions": that are in force with the other side, bits of accp_extension; implied ones
     * are added. 0: the bare specification, which cannot encode most JSON strings (ACCP_EXT_Q1) */
    ACCP_RULE_EXTENSIONS = 24,
    /** "abbreviate": abbreviate payload keys when encoding, and expand them when decoding (Spec
     * 4.2). Both sides must have it. With a registry the short keys of the registry are always in
     * force (0) */
    ACCP_RULE_ABBREVIATE = 25,
    /** "keep_refs": decoding writes a ref as `{"$ref":"warm.key"}`, and encoding makes a ref of
     * such an object. 0: decoding a ref is ACCP_E2001, and such an object has no special meaning
     * (0) */
    ACCP_RULE_KEEP_REFS = 26,
    /** "token_cache": pieces of text whose counts a counter caches, at 16 bytes each, plus 4 bytes
     * for pieces of more than 15 bytes. After the first accp_counter_encode() it caches their ids
     * too, at 32 bytes more. Rounded down to a power of two; the cache grows to that size as it is
     * used (65,536) */
    ACCP_RULE_TOKEN_CACHE = 27,
    /** "strictness": what codecs and sessions reject beyond their rules, bits of accp_strictness. A
     * codec then needs a registry (0) */
    ACCP_RULE_STRICTNESS = 28,
    /** "mark_defaults": a codec adds a member "defaults" to decoded messages: the names of the
     * payload members that were filled in from the schema. It includes `schema` if the frame did
     * not need to name it. Encoding ignores this member (0) */
    ACCP_RULE_MARK_DEFAULTS = 29,
    /** "inline_characters": code points up to which a string is not passed to the hook `keep`
     * (50) */
    ACCP_RULE_INLINE_CHARACTERS = 30,
    /** "special_tokens": special tokens in a text count as such, if the text is counted or encoded
     * in one piece. 0: they are text (0) */
    ACCP_RULE_SPECIAL_TOKENS = 31,
    /** "chunk_bytes": of a negotiation's delta in one frame. The default is meant to keep a frame
     * with its metadata under a session's 240 tokens (200) */
    ACCP_RULE_CHUNK_BYTES = 32,
    /** "keep_streams": keep the text of a stream, and return it whole at the end (1) */
    ACCP_RULE_KEEP_STREAMS = 33,
    /** "specification": contexts use the numbers of Spec 5.1 (500 tokens hot, 400 due, 200 for a
     * checkpoint, 100 for its summary, 320 for one message, ten checkpoints, nothing pinned, no
     * prices), except for those that another rule sets (0) */
    ACCP_RULE_SPECIFICATION = 34,
    /** "newest_max": tokens of one message in a context. A longer one is shortened; $cold.mN has
     * all of it (32,000) */
    ACCP_RULE_NEWEST_MAX = 35,
    /** "pinned_max": tokens of each pinned message: those that `notify` sent before the first
     * request, and that request. 0: nothing is pinned (30,000) */
    ACCP_RULE_PINNED_MAX = 36,
    /** "price_cached": of a token that a provider reads from its cache, in thousandths of a plain
     * input token. A context leaves a message out if that is cheaper than sending it again and
     * again. 1,000 for both prices: no cache, and the smallest contexts (100) */
    ACCP_RULE_PRICE_CACHED = 37,
    /** "price_write": of a token that is written to the cache, at least price_cached. 0: no
     * message is left out because of prices (1,250) */
    ACCP_RULE_PRICE_WRITE = 38,
    /** "whole_max": a context of at most this many tokens, including host_tokens, leaves no
     * message out because of prices (3,000) */
    ACCP_RULE_WHOLE_MAX = 39,
    /** "host_tokens": tokens that the host puts before a context (0) */
    ACCP_RULE_HOST_TOKENS = 40,
    /** "cache_ttl_ms": the provider forgets a prompt so many milliseconds after the last call. A
     * context may then change at no extra cost. The time is the now_ms of the appends. 0: the
     * provider forgets nothing (300,000) */
    ACCP_RULE_CACHE_TTL_MS = 41,
    /** "require_registry": sessions accept and send nothing until accp_config_set_agreement() has
     * set the result of a negotiation: ACCP_E1003 (0) */
    ACCP_RULE_REQUIRE_REGISTRY = 42,
    /** "spell": which of the equivalent spellings of a frame codecs and sessions write. 0: that
     * of docs/wire.md. 1: the one with the fewest tokens by the config's tokenizer;
     * docs/codec.md (0) */
    ACCP_RULE_SPELL = 43,
    /** "pin_registry": a session continues with the registry that it was last written under, and
     * not the engine's. accp_config_set_agreement() takes precedence (0) */
    ACCP_RULE_PIN_REGISTRY = 44,
    /** "any_intent": a codec accepts intents other than the twelve. 0: ACCP_E1002. A session never
     * accepts them; accp/frame.h and accp/batch.h never check the intent (0) */
    ACCP_RULE_ANY_INTENT = 45,
    /** "price_output": of a token that the model writes, in thousandths of a plain input token. It
     * prices what a model writes to ask for a message that a context leaves out (5,000) */
    ACCP_RULE_PRICE_OUTPUT = 46,
    /** "redact_secrets": packets that are made, changed or sealed, prompts of packets, and what the
     * hooks `log` and `extract` get, have [redacted:KIND] in place of keys, tokens and passwords
     * (docs/security.md).
     * Messages of sessions are never changed. 0: they have the texts as they are (1) */
    ACCP_RULE_REDACT_SECRETS = 47
};

/**
 * The memory functions of a handle. They are called on the thread that uses the handle, and must
 * not call the library. One function without the other is ACCP_ERR_ARG.
 *
 * Without an allocator the library uses its private one, never the host's malloc. One buffer comes
 * from neither of them: simdjson allocates its index for reading JSON with the global operator new.
 * It has four bytes for each byte of the largest text, and is freed after large texts. json_bytes
 * bounds it; memory_bytes does not count it.
 */
typedef struct accp_allocator {
    /** Returns memory that is aligned for any type, as malloc does. If it returns NULL, the call
     * fails with ACCP_ERR_NOMEM. */
    void *(*alloc)(size_t size, void *user);
    /** Frees memory. `size` is the size that was requested from `alloc`. */
    void (*release)(void *memory, size_t size, void *user);
    /** Passed to both. It must live as long as the handle. */
    void *user;
} accp_allocator;

/**
 * Makes a config without settings.
 *
 * @param out  Owned by the caller: accp_config_free().
 */
ACCP_API accp_status accp_config_new(accp_config **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a config. Handles that were made with it are not affected. NULL has no effect. */
ACCP_API void accp_config_free(accp_config *config) ACCP_NOEXCEPT;

/**
 * Sets one limit of accp_limit. Returns ACCP_ERR_ARG for an unknown limit or a value out of range.
 */
ACCP_API accp_status accp_config_set_limit(accp_config *config, int32_t limit, uint64_t value,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets one rule of accp_rule. Returns ACCP_ERR_ARG for an unknown rule or a value out of range.
 *
 * These relations are checked when a handle is made or a session is opened: summary_max <=
 * checkpoint_max <= hot_due <= hot_max; 200 <= newest_max <= hot_due - 16; price_cached <=
 * price_write. Of these rules, those that are not set adapt to those that are.
 */
ACCP_API accp_status accp_config_set_rule(accp_config *config, int32_t rule, int64_t value,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the memory functions.
 *
 * @param allocator  Copied. NULL: the library's own (the default).
 */
ACCP_API accp_status accp_config_set_allocator(accp_config *config, const accp_allocator *allocator,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the registry. Under a schema a message gets the defaults of its fields: a `tool` its status,
 * a `schedule` its priority. To get messages exactly as they were sent, use a registry that was
 * made with ACCP_PROFILE_NONE.
 *
 * @param registry  Shared. NULL (the default): a codec uses the grammar alone, and an engine the
 *                  profiles of the specification.
 */
ACCP_API accp_status accp_config_set_registry(accp_config *config,
                                              const struct accp_registry *registry,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the store of an engine's sessions.
 *
 * @param store  Shared: if it is closed while sessions use it, it lives until the last of them
 *               ends. NULL (the default): the engine has its own store in memory.
 */
ACCP_API accp_status accp_config_set_store(accp_config *config, struct accp_store *store,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the tokenizer.
 *
 * @param tokenizer  Shared. NULL (the default): an engine, and a codec with the rule max_tokens,
 *                   use o200k_base. Any other codec counts no tokens, and a negotiation names no
 *                   tokenizer.
 */
ACCP_API accp_status accp_config_set_tokenizer(accp_config *config,
                                               const struct accp_tokenizer *tokenizer,
                                               accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the callbacks of the host. Returns ACCP_ERR_ARG for a size that no version up to this one
 * has, and for cold_put without cold_get or the reverse.
 *
 * @param hooks  Copied. NULL: none (the default).
 */
ACCP_API accp_status accp_config_set_hooks(accp_config *config, const accp_hooks *hooks,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the schema of a codec's messages that name none. Frames then name it, unless it is the one
 * bound to their intent and operation.
 *
 * @param code  The code of the schema; copied. Length 0 (the default): such a message is under the
 *              bound schema, if there is one.
 */
ACCP_API accp_status accp_config_set_schema(accp_config *config, const char *code, size_t code_len,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Names a member of JSON messages that encoding ignores instead of rejecting it. Call it again for
 * more names. Returns ACCP_ERR_ARG for an empty name or a NUL in it.
 *
 * @param name  Copied.
 */
ACCP_API accp_status accp_config_add_ignored(accp_config *config, const char *name, size_t name_len,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * Names a key whose values the hook `log` does not show, at any depth of payload or metadata. Call
 * it again for more keys. Error messages never show values.
 *
 * @param key  The full key (`account`, not `acc`); copied.
 *
 * Returns ACCP_ERR_ARG for an empty name or a NUL in it, and if all names have more than 4,096
 * bytes.
 */
ACCP_API accp_status accp_config_add_redacted(accp_config *config, const char *key, size_t key_len,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Names an agent of the host; call it again for more. Sessions reject received frames under this
 * name with ACCP_E5001. Once a session has sent a frame as an agent, that agent is the host's own
 * in this session, even without this call. Returns ACCP_ERR_ARG for an empty name or a NUL in it.
 * Cost: each received frame is compared with the names.
 *
 * @param agent  Copied.
 */
ACCP_API accp_status accp_config_add_own_agent(accp_config *config, const char *agent,
                                               size_t agent_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the origin of all messages of an agent in sessions, whether they are received, sent or
 * appended. An untrusted message has the member "untrusted":true in all JSON output of a session,
 * and is marked in the context and the log. It does not make a message trusted that came from an
 * untrusted accp_peer.
 *
 * @param agent   Copied.
 * @param origin  accp_origin. The default is trusted.
 *
 * Returns ACCP_ERR_ARG for an empty name or a NUL in it, or an unknown origin.
 */
ACCP_API accp_status accp_config_set_agent_origin(accp_config *config, const char *agent,
                                                  size_t agent_len, int32_t origin,
                                                  accp_error *err) ACCP_NOEXCEPT;

/** Returns the number of the limit with this name ("frame_bytes"), or -1. Any thread. */
ACCP_API int32_t accp_limit_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * Returns the name of a limit, or NULL if it is out of range: count from 0 to list them all. Static
 * text. Any thread.
 */
ACCP_API const char *accp_limit_name(int32_t limit) ACCP_NOEXCEPT;

/** Returns the default value of a limit, or 0 if it is out of range. Any thread. */
ACCP_API uint64_t accp_limit_default(int32_t limit) ACCP_NOEXCEPT;

/** Returns the number of the rule with this name ("max_tokens"), or -1. Any thread. */
ACCP_API int32_t accp_rule_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * Returns the name of a rule, or NULL if it is out of range: count from 0 to list them all. Static
 * text. Any thread.
 */
ACCP_API const char *accp_rule_name(int32_t rule) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
