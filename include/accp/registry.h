/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What two agents have agreed to know: schemas with codes, fields and defaults, operations and
 * short keys of their own. A registry is made once and constant from then on; a change makes a new
 * one. Two agents come to one registry by a negotiation, which is a pure state machine.
 */
#ifndef ACCP_REGISTRY_H
#define ACCP_REGISTRY_H

#include "accp/frame.h"
#include "accp/types.h"
#include "accp/value.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A registry. Constant: any number of threads may use one, without a lock, and several may own it
 * (accp_registry_share()).
 */
typedef struct accp_registry accp_registry;

/** One side of a negotiation. One thread at a time. */
typedef struct accp_negotiation accp_negotiation;

/** The twelve intents (specification 4.1), in its order. Numbers never change. */
enum accp_intent {
    ACCP_INTENT_REQ = 0,
    ACCP_INTENT_DONE = 1,
    ACCP_INTENT_FAIL = 2,
    ACCP_INTENT_WAIT = 3,
    ACCP_INTENT_ESC = 4,
    ACCP_INTENT_COMP = 5,
    ACCP_INTENT_SYNC = 6,
    ACCP_INTENT_QRY = 7,
    ACCP_INTENT_ACK = 8,
    ACCP_INTENT_CANCEL = 9,
    ACCP_INTENT_STREAM = 10,
    ACCP_INTENT_END = 11
};

/**
 * The profiles (specification 10), as bits: each brings its schema. Several may be active at once.
 * The error schema ER always is.
 */
enum accp_profile {
    ACCP_PROFILE_NONE = 0,
    ACCP_PROFILE_CHAT = 1,        /* CH */
    ACCP_PROFILE_TOOL = 2,        /* TC */
    ACCP_PROFILE_TRANSACTION = 4, /* TX */
    ACCP_PROFILE_STREAM = 8,      /* ST */
    ACCP_PROFILE_WORKFLOW = 16,   /* TA */
    ACCP_PROFILE_ALL = 31
};

/**
 * What a schema allows in a field. A ref stands for what it names, and null for the absence of a
 * value: both are always allowed.
 */
enum accp_field_type {
    ACCP_FIELD_ANY = 0,
    ACCP_FIELD_STRING = 1,
    ACCP_FIELD_INTEGER = 2,
    ACCP_FIELD_DECIMAL = 3, /* or an integer: exact digits, no exponent */
    ACCP_FIELD_NUMBER = 4,
    ACCP_FIELD_BOOLEAN = 5,
    ACCP_FIELD_ARRAY = 6,
    ACCP_FIELD_OBJECT = 7
};

/**
 * A schema; views live as long as its registry. built_in: 1 when a profile brought it and not the
 * document.
 */
typedef struct accp_schema {
    accp_text name;
    accp_text code;
    int64_t version;
    uint32_t field_count;
    uint32_t built_in;
} accp_schema;

/**
 * A field; views live as long as its registry. wire: what it is called in a frame, its alias or
 * abbreviation, else its name. default_json: compact JSON, empty where there is none.
 */
typedef struct accp_field {
    accp_text name;
    accp_text wire;
    accp_text default_json;
    int32_t type;
    uint32_t required;
} accp_field;

/**
 * The number of an intent (accp_intent), or -1, which a receiver answers with ACCP_E1002. Any
 * thread.
 */
ACCP_API int32_t accp_intent_find(const char *text, size_t text_len) ACCP_NOEXCEPT;

/** The code of an intent ("req"), or NULL for an unknown number. Static text. Any thread. */
ACCP_API const char *accp_intent_code(int32_t intent) ACCP_NOEXCEPT;

/**
 * The operations that everybody knows, or NULL where it is out of range: count from 0 to list them
 * all. The first 19 are the core of specification 4.3, the others those that it uses besides.
 * Static text. Any thread.
 */
ACCP_API const char *accp_operation_name(int32_t operation) ACCP_NOEXCEPT;

/**
 * Makes a registry of a document and the built-in schemas of some profiles.
 * Spec 4.3, 6.2, 10.
 *
 * options    may be NULL; copied. Its limits json_bytes, json_depth and memory_bytes hold.
 * profiles   bits of accp_profile. Where the document has a schema of the same code or name, the
 *            document's stands.
 * text       the document, UTF-8; of length 0: none. Copied.
 *            {"schemas":{NAME:{"code":…,"version":…,"fields":[…],"defaults":{…}}}}, and beyond the
 *            specification: "types", "aliases", "required" and "bind" of a schema; "operations",
 *            "aliases" and "version" of the whole. docs/registry.md has them all. Members that are
 *            unknown are kept, and count in the hash.
 * out        owned by the caller: accp_registry_free(). Untouched unless ACCP_OK.
 *
 * ACCP_E1001: not JSON, a key twice, or over a limit. ACCP_E1002: a schema bound to an unknown
 * intent. ACCP_E1004: a member of the wrong kind, or names that clash: two schemas of one code, a
 * field twice, an alias that is a field or another's, a default that is not of its type. The offset
 * is a byte of `text`. ACCP_ERR_ARG for an unknown profile; ACCP_ERR_NOMEM. Refused whole or
 * taken whole. Cost: O(n log n).
 */
ACCP_API accp_status accp_registry_new(const accp_options *options, uint32_t profiles,
                                       const char *text, size_t text_len, accp_registry **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Gives up one owner's share; the last one frees it, and ends every view into it. NULL is nothing.
 * Any thread.
 */
ACCP_API void accp_registry_free(accp_registry *registry) ACCP_NOEXCEPT;

/** The same registry with one owner more, who frees it too. NULL for NULL. Any thread. */
ACCP_API accp_registry *accp_registry_share(const accp_registry *registry) ACCP_NOEXCEPT;

/**
 * Makes a registry of an older one and a document of additions: its schemas are added or take the
 * place of those of the same name, its other members take the place of theirs, its operations and
 * aliases come to theirs. Options and profiles are the older one's.       Spec 7.1. Failures as of
 * accp_registry_new(); the offset is of no meaning where the two do not go together.
 */
ACCP_API accp_status accp_registry_add(const accp_registry *base, const char *text, size_t text_len,
                                       accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The document, byte for byte as it was given (of accp_registry_add(): compact JSON). Lives as long
 * as the registry.
 */
ACCP_API const char *accp_registry_text(const accp_registry *registry,
                                        size_t *len_out) ACCP_NOEXCEPT;

/**
 * All that is in force, built-in schemas too, in its hash form (accp_value_hash_form()): a document
 * itself. Same lifetime.
 */
ACCP_API const char *accp_registry_canonical(const accp_registry *registry,
                                             size_t *len_out) ACCP_NOEXCEPT;

/**
 * The SHA-256 of that: 64 lower-case hexadecimal digits and a NUL. Frames carry the first 6 as a
 * hint, and 32. Same lifetime.
 */
ACCP_API const char *accp_registry_hash(const accp_registry *registry) ACCP_NOEXCEPT;

/** The document's own "version", 0 where it has none. */
ACCP_API int64_t accp_registry_version(const accp_registry *registry) ACCP_NOEXCEPT;

/**
 * How many schemas are in force. They are numbered from 0: the document's in its order, then the
 * built-in ones.
 */
ACCP_API uint32_t accp_registry_schema_count(const accp_registry *registry) ACCP_NOEXCEPT;

/** Schema number `index`. ACCP_ERR_ARG for a number out of range. */
ACCP_API accp_status accp_registry_schema(const accp_registry *registry, uint32_t index,
                                          accp_schema *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Field number `field` of schema number `index`, in the order of the document. ACCP_ERR_ARG for a
 * number out of range.
 */
ACCP_API accp_status accp_registry_field(const accp_registry *registry, uint32_t index,
                                         uint32_t field, accp_field *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** The number of the schema of this code. ACCP_E1003 where there is none. O(1). */
ACCP_API accp_status accp_registry_find(const accp_registry *registry, const char *text,
                                        size_t text_len, uint32_t *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * The number of the one schema that is bound to this intent (accp_intent) and operation; ACCP_E1003
 * where there is none, or more than one. O(1).
 */
ACCP_API accp_status accp_registry_bound(const accp_registry *registry, int32_t intent,
                                         const char *text, size_t text_len, uint32_t *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * 1 for an operation that everybody knows or that the document lists, else 0. An unknown one is no
 * error: the vocabulary is open.
 */
ACCP_API int accp_registry_knows_operation(const accp_registry *registry, const char *text,
                                           size_t text_len) ACCP_NOEXCEPT;

/**
 * Replaces `out` by what makes `from` into `to`: {"add":{a document},"del":[names of schemas]}.
 * from may be NULL: everything. Empty lists where they are equal. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_registry_diff(const accp_registry *from, const accp_registry *to,
                                        accp_value *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes the union of two registries, the same whichever comes first: of two versions of a schema
 * the higher. Options are a's. ACCP_E1003 where they mean different things by one name or code;
 * ACCP_E1004 where their aliases clash; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_registry_merge(const accp_registry *a, const accp_registry *b,
                                         accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

/** How far a negotiation has come. While it is open, nothing else may be sent in the session. */
enum accp_negotiation_state {
    ACCP_NEGOTIATION_OPEN = 0,
    /* accp_negotiation_registry() is in force on both sides */
    ACCP_NEGOTIATION_AGREED = 1,
    /* no common registry: no schemas by code, no defaults left out, no p1 */
    ACCP_NEGOTIATION_BARE = 2,
    /* the session cannot go on */
    ACCP_NEGOTIATION_REFUSED = 3
};

/**
 * Begins a negotiation. Spec 6.4.
 *
 * options     may be NULL; copied.
 * own         this side's registry; shared.
 * agent       this side's name, as frames have it. Copied.
 * extensions  what this side can do, as bits of accp_extension: q1 is implied by any other. 0: the
 *             bare specification.
 * out         owned by the caller: accp_negotiation_free().
 *
 * ACCP_E1001 for an agent that is no agent-id; ACCP_ERR_ARG; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_negotiation_new(const accp_options *options, const accp_registry *own,
                                          const char *text, size_t text_len, uint32_t extensions,
                                          accp_negotiation **out, accp_error *err) ACCP_NOEXCEPT;

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
    /* f1, ACCP_RULE_PARTS: messages in parts; in force only with q1 */
    ACCP_FEATURE_PARTS = 2,
    /* s1, ACCP_RULE_SHARES_STORE: refs to one store. To be named only where it is known that
     * both sides read the same one */
    ACCP_FEATURE_STORE = 4
};

/**
 * Names what this side's sessions can do, as bits of accp_feature; 0: nothing (the default).
 * ACCP_ERR_ARG for an unknown bit. Before the first next.
 */
ACCP_API accp_status accp_negotiation_set_features(accp_negotiation *negotiation, uint32_t features,
                                                   accp_error *err) ACCP_NOEXCEPT;

/**
 * Names the tokenizer that this side counts by, such as "o200k_base": letters, digits, _ and -.
 * Before the first next.
 */
ACCP_API accp_status accp_negotiation_set_tokenizer(accp_negotiation *negotiation, const char *text,
                                                    size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many bytes of a delta go in one frame: 64 to 8,192, default 200, meant to keep a frame
 * with its metadata under a session's 240 tokens; where no such limit binds, larger ones are
 * cheaper. Before the first next.
 */
ACCP_API accp_status accp_negotiation_set_chunk_bytes(accp_negotiation *negotiation, uint32_t bytes,
                                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Tells of a registry kept from before (accp_negotiation_peer()): it need not be sent again.
 * Shared; the newest eight count.
 */
ACCP_API accp_status accp_negotiation_know(accp_negotiation *negotiation,
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
 * The next frame to be sent, without metadata, which the caller puts after it; *len_out is 0 when
 * there is none for now. To be called until it is so, at the beginning and after each frame and
 * each timeout. *out is a view until the next call. ACCP_ERR_NOMEM: call again.
 */
ACCP_API accp_status accp_negotiation_next(accp_negotiation *negotiation, const char **out,
                                           size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Says that the peer has been silent for as long as the caller waits: what is wanted is asked for
 * again, five times, then refused.
 */
ACCP_API accp_status accp_negotiation_timeout(accp_negotiation *negotiation,
                                              accp_error *err) ACCP_NOEXCEPT;

/** How far it has come (accp_negotiation_state); -1 for NULL. */
ACCP_API int32_t accp_negotiation_get_state(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/**
 * The extensions in force, as bits: what both sides named. 0 while it is open, and towards the bare
 * specification.
 */
ACCP_API uint32_t accp_negotiation_get_extensions(const accp_negotiation *negotiation)
    ACCP_NOEXCEPT;

/**
 * The features in force, as bits of accp_feature: what both sides named. 0 while it is open, and
 * towards a peer that names none.
 */
ACCP_API uint32_t accp_negotiation_get_features(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/**
 * The registry in force, or NULL where there is none. A view until the negotiation is freed;
 * accp_registry_share() keeps it.
 */
ACCP_API const accp_registry *accp_negotiation_registry(const accp_negotiation *negotiation)
    ACCP_NOEXCEPT;

/** The peer's own registry, to be kept and told of in the next session, or NULL. Same lifetime. */
ACCP_API const accp_registry *accp_negotiation_peer(const accp_negotiation *negotiation)
    ACCP_NOEXCEPT;

/** The peer's tokenizer, *len_out 0 where it named none. A view until the next call. */
ACCP_API const char *accp_negotiation_peer_tokenizer(const accp_negotiation *negotiation,
                                                     size_t *len_out) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
