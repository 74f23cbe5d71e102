/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Registries: the vocabulary that two agents agree on, which is schemas with codes, fields and
 * defaults, operations, and short keys. A registry never changes; a change makes a new registry.
 * Two agents agree on one by a negotiation (accp/negotiation.h). See docs/registry.md.
 *
 * @code
 * const char *text = "{\"schemas\":{\"book\":{\"code\":\"BK\",\"version\":1,"
 *                    "\"fields\":[\"hotel\",\"nights\"],\"defaults\":{\"nights\":1}}}}";
 * accp_registry *registry = NULL;
 * accp_error err;
 * if (accp_registry_new(text, strlen(text), ACCP_PROFILE_ALL, NULL, &registry, &err) != ACCP_OK) {
 *     fprintf(stderr, "byte %llu: %s\n", (unsigned long long)err.offset, err.message);
 * } else {
 *     uint32_t schema;
 *     accp_field field;
 *     if (accp_registry_find(registry, "BK", 2, &schema, NULL) == ACCP_OK &&
 *         accp_registry_field(registry, schema, 1, &field, NULL) == ACCP_OK)
 *         printf("%.*s\n", (int)field.name.len, field.name.text);  // nights
 * }
 * accp_registry_free(registry);
 * @endcode
 */
#ifndef ACCP_REGISTRY_H
#define ACCP_REGISTRY_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A registry. It is constant: any number of threads may use it without a lock. It may have several
 * owners (accp_registry_share()).
 */
typedef struct accp_registry accp_registry;

/** The twelve intents, in the order of Spec 4.1. Numbers never change. */
enum accp_intent {
    ACCP_INTENT_REQ = 0,     /**< `req`: request an action. */
    ACCP_INTENT_DONE = 1,    /**< `done`: report a result. */
    ACCP_INTENT_FAIL = 2,    /**< `fail`: report a failure. */
    ACCP_INTENT_WAIT = 3,    /**< `wait`: the answer takes longer, or waits for input. */
    ACCP_INTENT_ESC = 4,     /**< `esc`: hand over to a higher authority. */
    ACCP_INTENT_COMP = 5,    /**< `comp`: make a checkpoint. */
    ACCP_INTENT_SYNC = 6,    /**< `sync`: share or request state. */
    ACCP_INTENT_QRY = 7,     /**< `qry`: request information. */
    ACCP_INTENT_ACK = 8,     /**< `ack`: confirm receipt. */
    ACCP_INTENT_CANCEL = 9,  /**< `cancel`: cancel a task. */
    ACCP_INTENT_STREAM = 10, /**< `stream`: send a chunk of a result. */
    ACCP_INTENT_END = 11     /**< `end`: close a stream. */
};

/**
 * The profiles, as bits; each has a schema. Several may be active at once. The error schema ER
 * always is. Spec 10.
 */
enum accp_profile {
    ACCP_PROFILE_NONE = 0,        /**< No profile. */
    ACCP_PROFILE_CHAT = 1,        /**< Schema CH. */
    ACCP_PROFILE_TOOL = 2,        /**< Schema TC. */
    ACCP_PROFILE_TRANSACTION = 4, /**< Schema TX. */
    ACCP_PROFILE_STREAM = 8,      /**< Schema ST. */
    ACCP_PROFILE_WORKFLOW = 16,   /**< Schema TA. */
    ACCP_PROFILE_ALL = 31         /**< All profiles. */
};

/**
 * The type of a schema's field. A ref and null are allowed in a field of any type: a ref has the
 * type of its value, and null means that the value is absent.
 */
enum accp_field_type {
    ACCP_FIELD_ANY = 0,     /**< Any value. */
    ACCP_FIELD_STRING = 1,  /**< A string. */
    ACCP_FIELD_INTEGER = 2, /**< An integer. */
    ACCP_FIELD_DECIMAL = 3, /**< A decimal or an integer: exact digits, no exponent. */
    ACCP_FIELD_NUMBER = 4,  /**< Any number. */
    ACCP_FIELD_BOOLEAN = 5, /**< true or false. */
    ACCP_FIELD_ARRAY = 6,   /**< An array. */
    ACCP_FIELD_OBJECT = 7   /**< An object. */
};

/** A schema. Its views are valid as long as its registry. */
typedef struct accp_schema {
    accp_text name;       /**< Its name. */
    accp_text code;       /**< Its code, such as "TA". */
    int64_t version;      /**< Its version. */
    uint32_t field_count; /**< The number of its fields. */
    uint32_t built_in;    /**< 1 if it comes from a profile, 0 if from the document. */
} accp_schema;

/** A field of a schema. Its views are valid as long as its registry. */
typedef struct accp_field {
    accp_text name;         /**< Its name. */
    accp_text wire;         /**< Its name in a frame: its alias or abbreviation, else its name. */
    accp_text default_json; /**< Its default as compact JSON; empty if it has none. */
    int32_t type;           /**< accp_field_type. */
    uint32_t required;      /**< 1 if it is required, else 0. */
} accp_field;

/**
 * Returns the number of an intent (accp_intent), or -1 if it is unknown. A receiver rejects an
 * unknown intent with ACCP_E1002. Any thread.
 *
 * @param name  The name of the intent.
 */
ACCP_API int32_t accp_intent_find(const char *name, size_t name_len) ACCP_NOEXCEPT;

/**
 * Returns the name of an intent ("req"), or NULL for an unknown number. Static text. Any thread.
 */
ACCP_API const char *accp_intent_name(int32_t intent) ACCP_NOEXCEPT;

/**
 * Returns the name of a standard operation, or NULL if it is out of range: count from 0 to list
 * them all. The first 19 are the core of Spec 4.3; the others are also used by the specification.
 * Static text. Any thread.
 */
ACCP_API const char *accp_operation_name(int32_t operation) ACCP_NOEXCEPT;

/**
 * Makes a registry of a document and the schemas of profiles. Spec 4.3, 6.2, 10.
 *
 * @param text      The document, UTF-8, in the form below; length 0: no document. Copied.
 * @param profiles  Bits of accp_profile. A schema of the document replaces a built-in one with the
 *                  same code or name. If it only repeats members of the built-in one, the built-in
 *                  one is used.
 * @param config    Its limits json_bytes, json_depth and memory_bytes are used.
 * @param out       Owned by the caller: accp_registry_free().
 *
 * Errors; the offset is a byte of the text. ACCP_E1001: not JSON, a duplicate key, or over a limit.
 * ACCP_E1002: a schema is bound to an unknown intent. ACCP_E1004: a member of the wrong kind or a
 * conflict: two schemas with one code, a duplicate field, an alias that is also a field or another
 * alias, a default of the wrong type. ACCP_ERR_ARG: an unknown profile. Cost: O(n log n).
 *
 *     {"schemas":{NAME:{"code":…,"version":…,"fields":[…],"defaults":{…}}}}
 *
 * Beyond the specification, a schema can have "types", "aliases", "required" and "bind", and the
 * document "operations", "aliases" and "version" (docs/registry.md). Unknown members are kept and
 * are part of the hash.
 */
ACCP_API accp_status accp_registry_new(const char *text, size_t text_len, uint32_t profiles,
                                       const accp_config *config, accp_registry **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Releases one reference to a registry. The last one frees it and ends all views into it. NULL has
 * no effect. Any thread.
 */
ACCP_API void accp_registry_free(accp_registry *registry) ACCP_NOEXCEPT;

/**
 * Returns a new reference to a registry. Release it with accp_registry_free(). Returns NULL for
 * NULL. Any thread.
 */
ACCP_API accp_registry *accp_registry_share(const accp_registry *registry) ACCP_NOEXCEPT;

/**
 * Makes a registry of an older one and a document with additions. Schemas of the document are
 * added, or replace those with the same name. Its operations and aliases are added. Its other
 * members replace the old ones. Config and profiles are those of `base`. Spec 7.1.
 *
 * @param text  The document, in the form of accp_registry_new().
 * @param out   Owned by the caller: accp_registry_free().
 *
 * Errors: those of accp_registry_new(). If the document itself is valid but conflicts with `base`,
 * the offset has no meaning.
 */
ACCP_API accp_status accp_registry_add(const accp_registry *base, const char *text, size_t text_len,
                                       accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

/** A description of a registry. Its views are valid as long as the registry. */
typedef struct accp_registry_info {
    /** The document, byte for byte as it was given; after accp_registry_add() compact JSON. */
    accp_text text;
    /** Everything that is in force, built-in schemas included, as a document in its hash form
     * (accp/value.h). */
    accp_text canonical;
    /** The SHA-256 of `canonical`: 64 lower-case hexadecimal digits. Frames carry the first 6 as a
     * hint, and 32. */
    accp_text hash;
    /** The document's "version"; 0 if it has none. */
    int64_t version;
    /** The number of schemas in force. They are numbered from 0: those of the document in its
     * order, then the built-in ones. */
    uint32_t schema_count;
    /** Reserved: 0. */
    uint32_t reserved;
} accp_registry_info;

/** Returns the description of a registry. */
ACCP_API accp_status accp_registry_describe(const accp_registry *registry, accp_registry_info *out,
                                            accp_error *err) ACCP_NOEXCEPT;

/** Returns the schema with number `index`. Returns ACCP_ERR_ARG for a number out of range. */
ACCP_API accp_status accp_registry_schema(const accp_registry *registry, uint32_t index,
                                          accp_schema *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns field number `index` of schema number `schema`, in the order of the document. Returns
 * ACCP_ERR_ARG for a number out of range.
 */
ACCP_API accp_status accp_registry_field(const accp_registry *registry, uint32_t schema,
                                         uint32_t index, accp_field *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the number of the schema with this code, or ACCP_E1003 if no schema has it.
 *
 * @param code  The code.
 */
ACCP_API accp_status accp_registry_find(const accp_registry *registry, const char *code,
                                        size_t code_len, uint32_t *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the number of the one schema that is bound to an intent and an operation. Returns
 * ACCP_E1003 if no schema or more than one is bound.
 *
 * @param intent     accp_intent.
 * @param operation  The operation.
 */
ACCP_API accp_status accp_registry_find_bound(const accp_registry *registry, int32_t intent,
                                              const char *operation, size_t operation_len,
                                              uint32_t *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns 1 for a standard operation or one that the document lists, else 0. An unknown operation
 * is allowed: the vocabulary is open.
 *
 * @param operation  The operation.
 */
ACCP_API int accp_registry_has_operation(const accp_registry *registry, const char *operation,
                                         size_t operation_len) ACCP_NOEXCEPT;

/**
 * Makes the union of two registries. The result does not depend on their order, except for the
 * config, which is a's. It has the higher of two versions of a schema. Returns ACCP_E1003 if a name
 * or code has different meanings, and ACCP_E1004 if aliases conflict.
 *
 * @param a,b  The two registries.
 * @param out  Owned by the caller: accp_registry_free().
 */
ACCP_API accp_status accp_registry_merge(const accp_registry *a, const accp_registry *b,
                                         accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
