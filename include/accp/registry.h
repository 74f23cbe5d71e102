/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * What two agents have agreed to know: schemas with codes, fields and defaults, operations and
 * short keys of their own. A registry is made once and constant from then on; a change makes a new
 * one. Two agents come to one registry by a negotiation (accp/negotiation.h).
 */
#ifndef ACCP_REGISTRY_H
#define ACCP_REGISTRY_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A registry. Constant: any number of threads may use one, without a lock, and several may own it
 * (accp_registry_share()).
 */
typedef struct accp_registry accp_registry;

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
ACCP_API const char *accp_intent_name(int32_t intent) ACCP_NOEXCEPT;

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
 * profiles   bits of accp_profile. Where the document has a schema of the same code or name, the
 *            document's stands; one that says nothing else than the built-in one, with members of
 *            it left out perhaps, is the built-in one.
 * text       the document, UTF-8; of length 0: none. Copied.
 *            {"schemas":{NAME:{"code":…,"version":…,"fields":[…],"defaults":{…}}}}, and beyond the
 *            specification: "types", "aliases", "required" and "bind" of a schema; "operations",
 *            "aliases" and "version" of the whole. docs/registry.md has them all. Members that are
 *            unknown are kept, and count in the hash.
 * config     may be NULL; its limits json_bytes, json_depth and memory_bytes hold.
 * out        owned by the caller: accp_registry_free(). Untouched unless ACCP_OK.
 *
 * ACCP_E1001: not JSON, a key twice, or over a limit. ACCP_E1002: a schema bound to an unknown
 * intent. ACCP_E1004: a member of the wrong kind, or names that clash: two schemas of one code, a
 * field twice, an alias that is a field or another's, a default that is not of its type. The offset
 * is a byte of `text`. ACCP_ERR_ARG for an unknown profile; ACCP_ERR_NOMEM. Refused whole or
 * taken whole. Cost: O(n log n).
 */
ACCP_API accp_status accp_registry_new(uint32_t profiles, const char *text, size_t text_len,
                                       const accp_config *config, accp_registry **out,
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
 * aliases come to theirs. Config and profiles are the older one's. Spec 7.1. Failures as of
 * accp_registry_new(); the offset is of no meaning where the two do not go together.
 */
ACCP_API accp_status accp_registry_add(const accp_registry *base, const char *text, size_t text_len,
                                       accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

/**
 * What a registry is. Views as long as it lives.
 *
 * text          the document, byte for byte as it was given (of accp_registry_add(): compact JSON).
 * canonical     all that is in force, built-in schemas too, in its hash form (RFC 8785, numbers by
 *               their exact digits): a document itself.
 * hash          the SHA-256 of that: 64 lower-case hexadecimal digits. Frames carry the first 6 as
 *               a hint, and 32.
 * version       the document's own "version", 0 where it has none.
 * schema_count  schemas in force, numbered from 0: the document's in its order, then the built-in.
 */
typedef struct accp_registry_info {
    accp_text text;
    accp_text canonical;
    accp_text hash;
    int64_t version;
    uint32_t schema_count;
    uint32_t reserved; /* 0 */
} accp_registry_info;

/** What a registry is, into *out. */
ACCP_API accp_status accp_registry_describe(const accp_registry *registry, accp_registry_info *out,
                                            accp_error *err) ACCP_NOEXCEPT;

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
 * Makes the union of two registries, the same whichever comes first: of two versions of a schema
 * the higher. Its config is a's. ACCP_E1003 where they mean different things by one name or code;
 * ACCP_E1004 where their aliases clash; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_registry_merge(const accp_registry *a, const accp_registry *b,
                                         accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
