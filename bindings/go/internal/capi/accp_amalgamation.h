/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* Made by bindings/go/amalgamate: edit what it is made of. */
#include <stddef.h>
#include <stdint.h>

/*
 * The whole of libaccp, the Agent Context Compression Protocol, behind one include. What holds for every function, where its comment does
 * not say otherwise:
 *
 * - A handle or an output that is NULL, or a text that is NULL with a length other than 0, is ACCP_ERR_ARG. `err` may always be NULL.
 * - A call that fails leaves its outputs as they were: begin with a NULL handle, and freeing it is right in every case.
 * - ACCP_ERR_ARG changes nothing at all. After any other failure the handle is good for the next call.
 * - A text is never taken from a view into the very handle that would write there: that is ACCP_ERR_ARG too.
 * - Questions that cannot fail (nodes, text, records) answer NULL and a count of 0 for a NULL handle, never NULL for another; the count
 *   that they hand out may be NULL where it is not wanted.
 * - A function of the host's that the library calls answers ACCP_OK, or what the call is to fail with: a code of the error model, which refuses the message for
 *   good, or a negative status, after which a session takes the same frame again. Any other answer, ACCP_DROPPED and ACCP_HELD too, is ACCP_E9999.
 * - A handle is for one thread at a time, and distinct handles need no lock. What takes no handle may be called from any thread.
 */
#ifndef ACCP_ACCP_H
#define ACCP_ACCP_H


/*
 * Messages to frames and back under a registry: schemas, short keys, types, defaults, payloads by position. What accp_frame_encode() does without one.
 */
#ifndef ACCP_CODEC_H
#define ACCP_CODEC_H


/*
 * Frames: `@planner>req:schedule{task:impl_auth|pri:high}[mid:a00000000001,seq:1]`. A handle parses one frame after another into a flat tree
 * over the caller's own text, prints it canonically, and turns it into values and back. A frame is taken whole or refused whole.
 */
#ifndef ACCP_FRAME_H
#define ACCP_FRAME_H


/* The plain data that every header shares: a view of text, a node, a record of a batch; and the options. */
#ifndef ACCP_TYPES_H
#define ACCP_TYPES_H



/* What a call answers: a status, and on failure the detail in a struct that the caller owns. */
#ifndef ACCP_ERROR_H
#define ACCP_ERROR_H



/* How a symbol leaves the library. Everything else is hidden. */
#ifndef ACCP_EXPORT_H
#define ACCP_EXPORT_H

#if defined(_WIN32)
#if defined(ACCP_BUILDING)
#define ACCP_API __declspec(dllexport)
#else
#define ACCP_API __declspec(dllimport)
#endif
#else
#define ACCP_API __attribute__((visibility("hidden")))
#endif

#ifdef __cplusplus
#define ACCP_NOEXCEPT noexcept
#else
#define ACCP_NOEXCEPT
#endif

#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * 0: done. 1, 2: nothing is wrong, see errors.def, which lists them all. From 1001: the specification's codes. Negative: never on the wire.
 */
typedef int32_t accp_status;

enum {
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) ACCP_##symbol = (number),

/* The one table of status codes: ACCP_STATUS(symbol, number, name, retryable, meaning, example).
 * It makes the enum, the names, the retryable flag, docs/errors.md and the exceptions of every binding.
 * Numbers never change. Positive codes from 1001 are the specification's own (3.6); negative ones never go on the wire. */
ACCP_STATUS(OK, 0, "OK", 0, "done", "")
ACCP_STATUS(DROPPED, 1, "DROPPED", 0, "expired or cancelled: answer nothing", "a frame whose ttl has passed")
ACCP_STATUS(HELD, 2, "HELD", 0, "taken, and waiting for an earlier frame", "seq 7 before seq 6")
ACCP_STATUS(E1001, 1001, "PARSE_ERROR", 0, "not a frame, or over a limit; or JSON that is not JSON", "@a>req:x{k:}")
ACCP_STATUS(E1002, 1002, "INVALID_INTENT", 0, "the intent is none of the twelve", "@a>please:x{}")
ACCP_STATUS(E1003, 1003, "UNKNOWN_SCHEMA", 0, "no such schema is registered", "@a>req:x{schema:ZZ}")
ACCP_STATUS(E1004, 1004, "INVALID_TYPE", 0, "a value that cannot be carried, or is not of its field's type", "a lone surrogate in a string")
ACCP_STATUS(E2001, 2001, "REF_NOT_FOUND", 0, "the reference names nothing", "$warm.nothing")
ACCP_STATUS(E2002, 2002, "REF_EXPIRED", 0, "what the reference named has expired", "$warm.old")
ACCP_STATUS(E2003, 2003, "BUDGET_EXCEEDED", 0, "neither splitting nor externalising brings it under the limit", "a 300-token body no store takes")
ACCP_STATUS(E3001, 3001, "TIMEOUT", 1, "the deadline of a request has passed", "no answer in time")
ACCP_STATUS(E3002, 3002, "DUPLICATE", 0, "this mid was seen before", "the same frame twice")
ACCP_STATUS(E3003, 3003, "SEQUENCE_GAP", 1, "a sequence number is missing", "seq 1, 2, 4")
ACCP_STATUS(E4001, 4001, "TOOL_NOT_FOUND", 0, "no such tool", "tool:no_such_tool")
ACCP_STATUS(E4002, 4002, "TOOL_EXEC_FAILED", 1, "the tool ran and failed", "a tool that timed out")
ACCP_STATUS(E4003, 4003, "TOOL_SCHEMA_MISMATCH", 0, "the tool does not take these arguments", "args:{max:many}")
ACCP_STATUS(E5001, 5001, "POLICY_DENIED", 0, "a policy forbids it", "an operation off the list")
ACCP_STATUS(E5002, 5002, "UNAUTHORIZED_REF", 0, "the reference belongs to another session", "$cold.key of another session")
ACCP_STATUS(E9999, 9999, "INTERNAL_ERROR", 1, "a defect of this library: please report it", "")
ACCP_STATUS(ERR_NOMEM, -1, "NOMEM", 1, "out of memory, or over the memory limit that was set", "")
ACCP_STATUS(ERR_ARG, -2, "ARG", 0, "the call itself is wrong: a NULL handle, a number out of range", "accp_frame_parse(NULL, …)")
ACCP_STATUS(ERR_SPACE, -3, "SPACE", 0, "the caller's buffer is too small; the needed length was returned", "")
ACCP_STATUS(ERR_BUSY, -4, "BUSY", 1, "another process or thread holds it", "")
ACCP_STATUS(ERR_IO, -5, "IO", 1, "reading or writing failed", "a full disk")
ACCP_STATUS(ERR_CLOSED, -6, "CLOSED", 0, "the handle or session is closed", "")
ACCP_STATUS(ERR_CORRUPT, -7, "CORRUPT", 0, "stored data is damaged", "a bit flipped in a store file")
#undef ACCP_STATUS
    /* The next enumerator only ends the list. */
    ACCP_STATUS_END_ = 10000
};

/**
 * The detail of one failure. The caller owns it; a call fills it only when it answers something other than ACCP_OK (ACCP_HELD and ACCP_DROPPED too, which are no
 * failures), and leaves it alone otherwise. NULL is taken everywhere.
 *
 * code     the status that the call returned.
 * record   reserved: 0. What is wrong with a record of a batch stands in its accp_record.
 * offset   the byte, counted from 0 in the text that was given, that cannot stand. The length of the text where it ends too early; 0 where
 *          no byte of it is at fault.
 * message  static text, one line, no newline; never NULL after a failure. Valid for ever.
 * had      where a limit was passed: how much there was, of what the message names. Else 0.
 * limit    how much there may be. Else 0.
 */
typedef struct accp_error {
    accp_status code;
    uint32_t record;
    uint64_t offset;
    const char *message;
    uint64_t had;
    uint64_t limit;
} accp_error;

/** The name of a status: "PARSE_ERROR" for ACCP_E1001; "UNKNOWN" for a number that is none. Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_status_name(accp_status status) ACCP_NOEXCEPT;

/** One sentence on what a status means; "" for a number that is none. Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_status_meaning(accp_status status) ACCP_NOEXCEPT;

/** 1 when sending again may help (specification 3.6), else 0. Any thread. Since 1.0. */
ACCP_API int accp_status_retryable(accp_status status) ACCP_NOEXCEPT;

/**
 * A status as errors.def spells it: "E1001" for ACCP_E1001, as on the wire, "ERR_NOMEM" for ACCP_ERR_NOMEM; "UNKNOWN" for none. Static
 * text. Any thread. Since 1.0.
 */
ACCP_API const char *accp_status_code(accp_status status) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A view of bytes that somebody else owns; not ended by NUL. The function that hands it out says how long it lives. */
typedef struct accp_text {
    const char *text;
    size_t len;
} accp_text;

/** What a node is. Values never change. */
enum accp_kind {
    ACCP_NULL = 1,   /* ~ */
    ACCP_BOOL = 2,   /* ACCP_NODE_TRUE tells which */
    ACCP_INT = 3,    /* -?(0|[1-9][0-9]*), any number of digits, not -0 */
    ACCP_DEC = 4,    /* an integer, a point, and digits: exact, never a double */
    ACCP_NUMBER = 5, /* any other JSON number, as it was written: -0, 1e-9. Values only */
    ACCP_STRING = 6,
    ACCP_REF = 7,   /* $warm.key: the text is warm.key */
    ACCP_ARRAY = 8, /* len is the number of elements */
    ACCP_MAP = 9,   /* len is the number of entries; each child carries its key */
    ACCP_NAME = 10  /* agent, intent or operation of a frame */
};

/** Bits of accp_node.flags. */
enum accp_node_flag {
    ACCP_NODE_TRUE = 1,    /* on ACCP_BOOL: true */
    ACCP_NODE_ESCAPED = 2, /* frames only: the text holds \ before delimiters; accp_frame_string() takes them out */
    ACCP_NODE_LOOSE = 4    /* frames only: a string that only the compat dialect takes (a bare @ or :) */
};

/**
 * One node of a tree, 16 bytes. Nodes lie in one array in the order of the text, parents before children; the whole tree
 * is handed out in one call (accp_frame_nodes(), accp_value_nodes()) over a text that stays where it is.
 *
 * offset, len  where the node's text begins in that text, and its length in bytes. For ACCP_ARRAY and ACCP_MAP offset is where the
 *              bracket stands, and len counts the children. In a value, ACCP_NULL and ACCP_BOOL may be without text: ask kind and flags.
 * key_len      for a child of a map: the key is the key_len bytes that end just before offset - 1 (ACCP_NODE_KEY). A ref's text
 *              begins after its `$`, so its key ends before offset - 2. Else 0; a key may be empty in a value, never in a frame.
 * next         the index of the first node behind this one and all its children. Children of node i are i + 1, then
 *              nodes[i + 1].next, and so on, up to nodes[i].next.
 */
typedef struct accp_node {
    uint8_t kind;
    uint8_t flags;
    uint16_t key_len;
    uint32_t offset;
    uint32_t len;
    uint32_t next;
} accp_node;

/** Where the key of `node` begins in the text of its tree; only for children of a map. */
#define ACCP_NODE_KEY(node) ((node)->offset - 1u - (node)->key_len - ((node)->kind == ACCP_REF ? 1u : 0u))

/**
 * One record of a batch, 48 bytes.
 *
 * status      ACCP_OK, or why this record was refused. The others stand.
 * node_count  accp_batch_parse(): how many nodes this frame has, from first_node on; else 0.
 * offset,len  accp_batch_parse(): the frame's line in the input. Encode and decode: the result in accp_batch_text().
 * error_offset, message  as in accp_error, the offset counted from the beginning of this record's line; 0 and NULL on ACCP_OK.
 */
typedef struct accp_record {
    accp_status status;
    uint32_t node_count;
    uint64_t first_node;
    uint64_t offset;
    uint64_t len;
    uint64_t error_offset;
    const char *message;
} accp_record;

/** Which frames are taken. A dialect is for reading: what encoding writes depends on the extensions alone. */
enum accp_dialect {
    ACCP_STRICT = 0, /* the specification's grammar, exactly */
    ACCP_COMPAT = 1, /* reading only: also a bare @name as a value, a bare : in an array element, null as removal inside `delta` */
    ACCP_U8 = 2      /* also raw non-ASCII code points inside strings */
};

/** Extensions to the specification, as bits. Each is in force only where both sides have named it. */
enum accp_extension {
    ACCP_EXT_NONE = 0,
    ACCP_EXT_Q1 = 1, /* any JSON value, without loss, inside the strict grammar: on by default */
    ACCP_EXT_T1 = 2, /* an array of like objects as a table; implies q1 */
    ACCP_EXT_U8 = 4, /* strings carry raw non-ASCII code points; implies q1 and the u8 dialect */
    ACCP_EXT_P1 = 8  /* payloads by position, under a schema of the agreed registry; implies q1. To be negotiated: options do not take it */
};

/** Limits, each with a default and a setter. Beyond a limit a text is refused, never cut. In parentheses: the values that it may have. */
enum accp_limit {
    ACCP_LIMIT_FRAME_BYTES = 0, /* "frame_bytes": one frame; default 65,536 (16 to 2^30) */
    ACCP_LIMIT_PARAMS = 1,      /* "params": params of a payload, pairs of a metadata block; default 256 (1 to 2^20) */
    ACCP_LIMIT_ITEMS = 2,       /* "items": elements of one array, entries of one map; default 4,096 (1 to 2^24) */
    ACCP_LIMIT_KEY_BYTES = 3,   /* "key_bytes": one key, agent, intent, operation or ref; default 256 (1 to 65,535) */
    ACCP_LIMIT_DEPTH = 4,       /* "depth": arrays and maps inside one another; default 5 (1 to 64) */
    ACCP_LIMIT_JSON_BYTES = 5,  /* "json_bytes": one JSON text; default 16 MiB (2 to 2^30) */
    ACCP_LIMIT_JSON_DEPTH = 6,  /* "json_depth": of accp_json_parse(), and of a value being built; default 1,024 (1 to 1,024) */
    ACCP_LIMIT_MEMORY_BYTES = 7 /* "memory_bytes": what one handle may hold; default 1 GiB (65,536 or more) */
};

/**
 * Where a handle takes its memory from. Both functions are called from whatever thread uses the handle; `alloc` may answer NULL, which
 * becomes ACCP_ERR_NOMEM, and else memory aligned for any type, as malloc does; `release` is told the size that was asked for. One without
 * the other is ACCP_ERR_ARG; `user` must live as long as they. Without an allocator, the library's private one is used: the host's malloc
 * is left alone. One thing comes from neither: the index that reading JSON needs (four bytes for each byte of the largest text, given
 * back after large ones) is simdjson's, from the global operator new; it is bounded by json_bytes and not counted in memory_bytes.
 */
typedef struct accp_allocator {
    void *(*alloc)(size_t size, void *user);
    void (*release)(void *memory, size_t size, void *user);
    void *user;
} accp_allocator;

/** How a handle behaves. Made once, read by every accp_…_new(), which copies it: free it when you like. */
typedef struct accp_options accp_options;

/** Makes options with every default. *out is owned by the caller: accp_options_free(). ACCP_ERR_NOMEM. Since 1.0. */
ACCP_API accp_status accp_options_new(accp_options **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees options; NULL is nothing. Since 1.0. */
ACCP_API void accp_options_free(accp_options *options) ACCP_NOEXCEPT;

/** Sets the dialect that frames are read in (default ACCP_STRICT). ACCP_ERR_ARG for a number that is none. Since 1.0. */
ACCP_API accp_status accp_options_set_dialect(accp_options *options, int32_t dialect, accp_error *err) ACCP_NOEXCEPT;

/** Sets the extensions in force, as bits of accp_extension (default ACCP_EXT_Q1); implied ones are added. Since 1.0. */
ACCP_API accp_status accp_options_set_extensions(accp_options *options, uint32_t extensions, accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: payload keys are abbreviated when encoding and expanded when decoding (specification 4.2): both sides must have it. Default 0. Since
 * 1.0.
 */
ACCP_API accp_status accp_options_set_abbreviate(accp_options *options, int on, accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding writes a ref as {"$ref":"warm.key"}, and encoding makes a ref of such an object. 0 (default): decoding a ref is ACCP_E2001,
 * and such an object is like any other. Since 1.0.
 */
ACCP_API accp_status accp_options_set_keep_refs(accp_options *options, int on, accp_error *err) ACCP_NOEXCEPT;

/** Sets one limit of accp_limit. ACCP_ERR_ARG for a limit that is none, or a value out of its range. Since 1.0. */
ACCP_API accp_status accp_options_set_limit(accp_options *options, int32_t limit, uint64_t value, accp_error *err) ACCP_NOEXCEPT;

/**
 * Names one member of a JSON message to pass over when encoding, where it would be refused; call it again for more. Copied. ACCP_ERR_ARG
 * for an empty name or one with a NUL in it; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_options_ignore(accp_options *options, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many pieces of text a counter remembers the counts of, at 16 bytes each: 4 to 2^20, rounded down to a power of two. Default 16384.
 * More helps on prose with many different words. ACCP_ERR_ARG beyond. Since 1.0.
 */
ACCP_API accp_status accp_options_set_token_cache(accp_options *options, uint32_t entries, accp_error *err) ACCP_NOEXCEPT;

/** Sets where memory comes from; the struct is copied, its functions must outlive every handle. NULL: the default. Since 1.0. */
ACCP_API accp_status accp_options_set_allocator(accp_options *options, const accp_allocator *allocator, accp_error *err) ACCP_NOEXCEPT;

/** The number of the limit of that name ("frame_bytes"), or -1. Since 1.0. */
ACCP_API int32_t accp_limit_find(const char *text, size_t text_len) ACCP_NOEXCEPT;

/** The name of a limit, or NULL where the number is none: count from 0 to list them all. Static text. Since 1.0. */
ACCP_API const char *accp_limit_name(int32_t limit) ACCP_NOEXCEPT;

/** The value that a limit has where nobody set it, or 0 where the number is none. Since 1.0. */
ACCP_API uint64_t accp_limit_default(int32_t limit) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * A value: any JSON value, exactly. Numbers keep their digits, strings are UTF-8, keys may be any text. It is a flat array of 16-byte
 * nodes over one text, built by accp_json_parse(), by accp_frame_payload(), or by the functions below, and kept in one handle that is
 * used again and again: warm, none of these calls takes memory from the heap.
 */
#ifndef ACCP_VALUE_H
#define ACCP_VALUE_H


#ifdef __cplusplus
extern "C" {
#endif

/** A value and its memory. One thread at a time; distinct values need no lock. */
typedef struct accp_value accp_value;

/**
 * Makes an empty value. options may be NULL for every default; copied. *out is owned by the caller: accp_value_free().
 * ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_value_new(const accp_options *options, accp_value **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a value; NULL is nothing. Since 1.0. */
ACCP_API void accp_value_free(accp_value *value) ACCP_NOEXCEPT;

/** Empties a value and keeps its memory for the next. Views into it end. NULL is nothing. Since 1.0. */
ACCP_API void accp_value_reset(accp_value *value) ACCP_NOEXCEPT;

/**
 * The whole tree in one call: node 0 is the root, *count_out the number of nodes (0 for an empty value).
 * The view ends with the next call that changes the value. NULL only for a NULL value. Since 1.0.
 */
ACCP_API const accp_node *accp_value_nodes(const accp_value *value, size_t *count_out) ACCP_NOEXCEPT;

/**
 * The text that the nodes point into, strings and keys with every escape taken out; lives as long as accp_value_nodes(). It is no JSON
 * text: read it through the nodes only. Since 1.0.
 */
ACCP_API const char *accp_value_text(const accp_value *value, size_t *len_out) ACCP_NOEXCEPT;

/**
 * The index of the child of node `parent`, a map, that has this key, or 0 where there is none (node 0 is never a child). Ask complete
 * values: an array or map has its children only once accp_value_end() has closed it. Cost: linear in the number of children. Since 1.0.
 */
ACCP_API uint32_t accp_value_find(const accp_value *value, uint32_t parent, const char *key, size_t key_len) ACCP_NOEXCEPT;

/**
 * Building: each call appends one value, as the root or inside the innermost open array or map. `key` is taken only directly inside a
 * map; elsewhere pass NULL and 0. Text is copied. ACCP_ERR_ARG when a key is missing, superfluous or the value is already complete;
 * ACCP_E1001 for a key that the map already has, which accp_value_end() finds: accp_value_reset() is then the way on; or for more than
 * 2^30 bytes of text; ACCP_E1004 for text that is not UTF-8 (the offset counts in the text, or in the key) or a key of more than 65,535
 * bytes; ACCP_ERR_NOMEM. A call that fails changes nothing. Any view into the value ends. Since 1.0.
 */
ACCP_API accp_status accp_value_add_null(accp_value *value, const char *key, size_t key_len, accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_value_add_bool(accp_value *value, const char *key, size_t key_len, int on, accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_value_add_int(accp_value *value, const char *key, size_t key_len, int64_t number, accp_error *err) ACCP_NOEXCEPT;

/** Appends a number given as a JSON number: any digits, exactly as written. ACCP_E1004 where `text` is none. Since 1.0. */
ACCP_API accp_status accp_value_add_number(accp_value *value, const char *key, size_t key_len, const char *text, size_t text_len,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Appends a string: UTF-8, NUL included. Since 1.0. */
ACCP_API accp_status accp_value_add_string(accp_value *value, const char *key, size_t key_len, const char *text, size_t text_len,
                                           accp_error *err) ACCP_NOEXCEPT;

/** Appends a ref: `text` is "warm.key", without the `$`. ACCP_E1004 where it is no ref. Since 1.0. */
ACCP_API accp_status accp_value_add_ref(accp_value *value, const char *key, size_t key_len, const char *text, size_t text_len,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Opens an array or a map; what follows goes into it until accp_value_end(). ACCP_E1004 beyond json_depth. Since 1.0. */
ACCP_API accp_status accp_value_begin_array(accp_value *value, const char *key, size_t key_len, accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_value_begin_map(accp_value *value, const char *key, size_t key_len, accp_error *err) ACCP_NOEXCEPT;

/** Closes the innermost open array or map. Since 1.0. */
ACCP_API accp_status accp_value_end(accp_value *value, accp_error *err) ACCP_NOEXCEPT;

/**
 * The hash form: the text to compare and to hash values by. RFC 8785 (keys sorted by UTF-16 code units, no white space, the shortest
 * escapes), with numbers laid out as it says but from their exact decimal digits, never through a double: two values have one hash form
 * exactly when they are equal, numbers compared by value (-0 is 0). A ref is {"$ref":"warm.key"}.
 *
 * *out is a view into the value, until the next call that changes it or prints it. ACCP_ERR_ARG for an incomplete value; ACCP_E1004 for an
 * exponent of more than 18 digits; ACCP_ERR_NOMEM. Cost: O(n log n) in the number of children of the largest map. Since 1.0.
 */
ACCP_API accp_status accp_value_hash_form(accp_value *value, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One frame at a time, and the memory to work on it. One thread at a time; distinct handles need no lock. Two things are handed out as
 * views: the tree, and the output, a text. Both end with the next accp_frame_parse(), _decode(), _encode() or _build(), also when it
 * fails (but for ACCP_ERR_ARG); the output with accp_frame_print() too. Every other call leaves them alone.
 */
typedef struct accp_frame accp_frame;

/** Many frames in one call: what a binding uses so that a border is crossed once. One thread at a time. */
typedef struct accp_batch accp_batch;

/** Makes a handle. options may be NULL for every default; copied. *out is owned by the caller: accp_frame_free(). ACCP_ERR_NOMEM. Since 1.0. */
ACCP_API accp_status accp_frame_new(const accp_options *options, accp_frame **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a handle and every view into it; NULL is nothing. Since 1.0. */
ACCP_API void accp_frame_free(accp_frame *frame) ACCP_NOEXCEPT;

/**
 * Parses one frame into the handle's tree.                                                                       Spec 3.1, 9.2.
 *
 * text  no terminator or padding needed. Borrowed, not copied: it must stay as it is for as long as the tree is used.
 *
 * ACCP_E1001 with the offset of the first byte that no continuation can mend (the length where the text ends too early; the second of two
 * equal keys; the bracket that goes too deep); ACCP_ERR_NOMEM. On failure the tree is empty. The intent's name and the form of mid are
 * not checked here. Cost: O(len), no heap call once warm, stack constant. Since 1.0.
 */
ACCP_API accp_status accp_frame_parse(accp_frame *frame, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * The whole tree in one call, over the text that was parsed: nodes 0, 1 and 2 are the agent, the intent and the operation, node 3 the
 * payload (a map, whose children follow), and nodes[nodes[3].next], where that is below *count_out, the metadata (a map). *count_out is 0
 * before the first frame, after a refused one, and after accp_frame_encode() or accp_frame_build(). The view ends with the tree. Since
 * 1.0.
 */
ACCP_API const accp_node *accp_frame_nodes(const accp_frame *frame, size_t *count_out) ACCP_NOEXCEPT;

/** The text that the nodes point into: what accp_frame_parse() or accp_frame_decode() was given; "" where there is no tree. Since 1.0. */
ACCP_API const char *accp_frame_text(const accp_frame *frame, size_t *len_out) ACCP_NOEXCEPT;

/**
 * The index of the child of node `parent`, a map, that has this key as the frame spells it, or 0 where there is none (node 0 is never a
 * child). Cost: linear in the number of children. Since 1.0.
 */
ACCP_API uint32_t accp_frame_find(const accp_frame *frame, uint32_t parent, const char *key, size_t key_len) ACCP_NOEXCEPT;

/**
 * The text of one scalar node with its escapes taken out: into `buf` (no NUL), its length into *len_out. As in the frame otherwise: `~`,
 * `true`, and q1 is not decoded here (accp_frame_payload() does that). ACCP_ERR_SPACE when buf_len is too small (*len_out then says what
 * is needed; buf may be NULL to ask); ACCP_ERR_ARG for an index that is none, or of an array or map. Since 1.0.
 */
ACCP_API accp_status accp_frame_string(const accp_frame *frame, uint32_t index, char *buf, size_t buf_len, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** The value of an ACCP_INT node that fits int64. ACCP_E1004 for one beyond (its offset), ACCP_ERR_ARG for another kind. Since 1.0. */
ACCP_API accp_status accp_frame_int(const accp_frame *frame, uint32_t index, int64_t *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the parsed frame canonically: maps sorted bytewise, decimals without trailing zeros, everything escaped as the strict grammar wants
 * it; params in their order. Printing what was printed changes nothing.                                            Spec 3.1.1.
 *
 * out  a view into `frame`: its output. The tree stays.
 *
 * ACCP_E1004 for a decimal of more than six places (its offset); ACCP_ERR_ARG when there is no frame; ACCP_ERR_NOMEM. Cost: O(n), and
 * sorting. Since 1.0.
 */
ACCP_API accp_status accp_frame_print(accp_frame *frame, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/** Which fields of an accp_envelope are there, as bits of `fields`. */
enum accp_envelope_field {
    ACCP_ENVELOPE_MID = 1,
    ACCP_ENVELOPE_SEQ = 2,
    ACCP_ENVELOPE_TS = 4,
    ACCP_ENVELOPE_CID = 8,
    ACCP_ENVELOPE_AID = 16,
    ACCP_ENVELOPE_SID = 32,
    ACCP_ENVELOPE_TTL = 64
};

/**
 * The standard envelope (specification 3.5), typed. Texts are read by key, also where they look like a number. ts, ttl: seconds.
 * reserved: 0.
 */
typedef struct accp_envelope {
    uint32_t fields;
    uint32_t reserved;
    int64_t seq;
    int64_t ts;
    int64_t ttl;
    accp_text mid;
    accp_text cid;
    accp_text aid;
    accp_text sid;
} accp_envelope;

/**
 * The envelope of the parsed frame; views live as long as the text that was parsed, and hold no escapes. Absent fields are 0 and empty.
 * ACCP_E1001 (with its offset) for a field of the wrong type: a seq, ts or ttl that is no integer from 0 to 2^63 - 1, a mid, cid, aid or
 * sid that is not plain text without escapes. ACCP_ERR_ARG when there is no frame. Since 1.0.
 */
ACCP_API accp_status accp_frame_envelope(const accp_frame *frame, accp_envelope *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the envelope that encoding writes ahead of a message's own metadata, in the order mid, seq, ts, cid, aid, sid, ttl; a field that
 * the message names itself is the message's. Copied. NULL: none (the default). It stays in force until it is set again: every frame wants
 * its own mid and seq. ACCP_E1004 for text that is empty, longer than key_bytes, or with characters that are not safe in a frame;
 * ACCP_ERR_ARG for a negative number or a bit of `fields` that is none. Since 1.0.
 */
ACCP_API accp_status accp_frame_set_envelope(accp_frame *frame, const accp_envelope *envelope, accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a cheap mid into 12 bytes of `buf` (no NUL): a letter `a`-`f`, as letter is 0 to 5, then digits. issuer 0 counts to 10^11 - 1;
 * issuers 1 to 99 share a session and count to 10^9 - 1 each. Legal hex, always read as a string, and cheap in tokens. ACCP_ERR_ARG
 * beyond. Since 1.0.
 */
ACCP_API accp_status accp_mid_format(uint32_t letter, uint32_t issuer, uint64_t counter, char *buf, accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes the payload of the parsed frame into a value (a map, or the string that a text is), which it replaces, and which then needs the frame and its text no longer; under
 * the extensions of the frame's options: q1 text and keys, t1 tables. ACCP_E1001, ACCP_E1004 as accp_frame_decode(), ACCP_ERR_NOMEM, and
 * `out` is then empty; refs stay refs. ACCP_ERR_ARG when there is no frame, or when its text lies in `out`. Cost: O(n). Since 1.0.
 */
ACCP_API accp_status accp_frame_payload(accp_frame *frame, accp_value *out, accp_error *err) ACCP_NOEXCEPT;

/** Decodes the metadata the same way; an empty map when the frame has none. Since 1.0. */
ACCP_API accp_status accp_frame_meta(accp_frame *frame, accp_value *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Builds a frame from values, under the frame's options and envelope: accp_frame_encode() for those who have no JSON text. payload and
 * meta are complete maps, and may be one value, or payload is a string; meta may be NULL. agent, intent, operation as the grammar has them. out is a view into
 * `frame`, its output; the tree becomes empty. ACCP_E1001, ACCP_E1004 as accp_frame_encode(), the error's offset being the index of the
 * node that was refused, in payload or meta; ACCP_ERR_ARG for a value that is neither or not complete; ACCP_ERR_NOMEM. Cost: O(n). Since
 * 1.0.
 */
ACCP_API accp_status accp_frame_build(accp_frame *frame, accp_text agent, accp_text intent, accp_text operation, const accp_value *payload,
                                      const accp_value *meta, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/** Makes a batch. options may be NULL; copied. *out is owned by the caller: accp_batch_free(). ACCP_ERR_NOMEM. Since 1.0. */
ACCP_API accp_status accp_batch_new(const accp_options *options, accp_batch **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a batch; NULL is nothing. Since 1.0. */
ACCP_API void accp_batch_free(accp_batch *batch) ACCP_NOEXCEPT;

/**
 * Parses many frames, one a line (LF; the last may lack it). Every line gets a record; a refused one does not stop the others. The nodes of
 * all frames lie in one array, each frame's offsets and `next` counted from its own line and its own first node. `text` is borrowed while
 * they are read. Fails as a whole only with ACCP_ERR_ARG, or with ACCP_ERR_NOMEM, and then holds no record. Cost: O(text_len). Since 1.0.
 */
ACCP_API accp_status accp_batch_parse(accp_batch *batch, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** The records of the last call, *count_out of them, one a line. The view ends with the next parse, encode or decode. Since 1.0. */
ACCP_API const accp_record *accp_batch_records(const accp_batch *batch, size_t *count_out) ACCP_NOEXCEPT;

/** The nodes of all frames of accp_batch_parse(), *count_out of them; same lifetime. Since 1.0. */
ACCP_API const accp_node *accp_batch_nodes(const accp_batch *batch, size_t *count_out) ACCP_NOEXCEPT;

/** The results of accp_batch_encode() or accp_batch_decode(), each ended by LF; same lifetime. Since 1.0. */
ACCP_API const char *accp_batch_text(const accp_batch *batch, size_t *len_out) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * What two agents have agreed to know: schemas with codes, fields and defaults, operations and short keys of their own. A registry is made once
 * and constant from then on; a change makes a new one. Two agents come to one registry by a negotiation, which is a pure state machine.
 */
#ifndef ACCP_REGISTRY_H
#define ACCP_REGISTRY_H


#ifdef __cplusplus
extern "C" {
#endif

/** A registry. Constant: any number of threads may use one, without a lock, and several may own it (accp_registry_share()). */
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

/** The profiles (specification 10), as bits: each brings its schema. Several may be active at once. The error schema ER always is. */
enum accp_profile {
    ACCP_PROFILE_NONE = 0,
    ACCP_PROFILE_CHAT = 1,        /* CH */
    ACCP_PROFILE_TOOL = 2,        /* TC */
    ACCP_PROFILE_TRANSACTION = 4, /* TX */
    ACCP_PROFILE_STREAM = 8,      /* ST */
    ACCP_PROFILE_WORKFLOW = 16,   /* TA */
    ACCP_PROFILE_ALL = 31
};

/** What a schema allows in a field. A ref stands for what it names, and null for the absence of a value: both are always allowed. */
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

/** A schema; views live as long as its registry. built_in: 1 when a profile brought it and not the document. */
typedef struct accp_schema {
    accp_text name;
    accp_text code;
    int64_t version;
    uint32_t field_count;
    uint32_t built_in;
} accp_schema;

/**
 * A field; views live as long as its registry. wire: what it is called in a frame, its alias or abbreviation, else its name. default_json: compact
 * JSON, empty where there is none.
 */
typedef struct accp_field {
    accp_text name;
    accp_text wire;
    accp_text default_json;
    int32_t type;
    uint32_t required;
} accp_field;

/** The number of an intent (accp_intent), or -1, which a receiver answers with ACCP_E1002. Any thread. Since 1.0. */
ACCP_API int32_t accp_intent_find(const char *text, size_t text_len) ACCP_NOEXCEPT;

/** The code of an intent ("req"), or NULL for a number that is none. Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_intent_code(int32_t intent) ACCP_NOEXCEPT;

/**
 * The operations that everybody knows, or NULL where the number is none: count from 0 to list them all. The first 19 are the core of specification
 * 4.3, the others those that it uses besides. Static text. Any thread. Since 1.0.
 */
ACCP_API const char *accp_operation_name(int32_t operation) ACCP_NOEXCEPT;

/**
 * Makes a registry of a document and the built-in schemas of some profiles.                                    Spec 4.3, 6.2, 10.
 *
 * options    may be NULL; copied. Its limits json_bytes, json_depth and memory_bytes hold.
 * profiles   bits of accp_profile. Where the document has a schema of the same code or name, the document's stands.
 * text       the document, UTF-8; of length 0: none. Copied. {"schemas":{NAME:{"code":…,"version":…,"fields":[…],"defaults":{…}}}}, and
 *            beyond the specification: "types", "aliases", "required" and "bind" of a schema; "operations", "aliases" and "version" of the
 *            whole. docs/registry.md has them all. Members that are unknown are kept, and count in the hash.
 * out        owned by the caller: accp_registry_free(). Untouched unless ACCP_OK.
 *
 * ACCP_E1001: not JSON, a key twice, or over a limit. ACCP_E1002: a schema bound to an unknown intent. ACCP_E1004: a member of the wrong kind, or
 * names that clash: two schemas of one code, a field twice, an alias that is a field or another's, a default that is not of its type. The offset is
 * a byte of `text`. ACCP_ERR_ARG for a profile that is none; ACCP_ERR_NOMEM. Refused whole or taken whole. Cost: O(n log n). Since 1.0.
 */
ACCP_API accp_status accp_registry_new(const accp_options *options, uint32_t profiles, const char *text, size_t text_len,
                                       accp_registry **out, accp_error *err) ACCP_NOEXCEPT;

/** Gives up one owner's share; the last one frees it, and ends every view into it. NULL is nothing. Any thread. Since 1.0. */
ACCP_API void accp_registry_free(accp_registry *registry) ACCP_NOEXCEPT;

/** The same registry with one owner more, who frees it too. NULL for NULL. Any thread. Since 1.0. */
ACCP_API accp_registry *accp_registry_share(const accp_registry *registry) ACCP_NOEXCEPT;

/**
 * Makes a registry of an older one and a document of additions: its schemas are added or take the place of those of the same name, its other
 * members take the place of theirs, its operations and aliases come to theirs. Options and profiles are the older one's.       Spec 7.1.
 * Failures as of accp_registry_new(); the offset is of no meaning where the two do not go together. Since 1.0.
 */
ACCP_API accp_status accp_registry_add(const accp_registry *base, const char *text, size_t text_len, accp_registry **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** The document, byte for byte as it was given (of accp_registry_add(): compact JSON). Lives as long as the registry. Since 1.0. */
ACCP_API const char *accp_registry_text(const accp_registry *registry, size_t *len_out) ACCP_NOEXCEPT;

/** All that is in force, built-in schemas too, in its hash form (accp_value_hash_form()): a document itself. Same lifetime. Since 1.0. */
ACCP_API const char *accp_registry_canonical(const accp_registry *registry, size_t *len_out) ACCP_NOEXCEPT;

/** The SHA-256 of that: 64 lower-case hexadecimal digits and a NUL. Frames carry the first 6 as a hint, and 32. Same lifetime. Since 1.0. */
ACCP_API const char *accp_registry_hash(const accp_registry *registry) ACCP_NOEXCEPT;

/** The document's own "version", 0 where it has none. Since 1.0. */
ACCP_API int64_t accp_registry_version(const accp_registry *registry) ACCP_NOEXCEPT;

/** How many schemas are in force. They are numbered from 0: the document's in its order, then the built-in ones. Since 1.0. */
ACCP_API uint32_t accp_registry_schema_count(const accp_registry *registry) ACCP_NOEXCEPT;

/** Schema number `index`. ACCP_ERR_ARG for a number that is none. Since 1.0. */
ACCP_API accp_status accp_registry_schema(const accp_registry *registry, uint32_t index, accp_schema *out, accp_error *err) ACCP_NOEXCEPT;

/** Field number `field` of schema number `index`, in the order of the document. ACCP_ERR_ARG for a number that is none. Since 1.0. */
ACCP_API accp_status accp_registry_field(const accp_registry *registry, uint32_t index, uint32_t field, accp_field *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** The number of the schema of this code. ACCP_E1003 where there is none. O(1). Since 1.0. */
ACCP_API accp_status accp_registry_find(const accp_registry *registry, const char *text, size_t text_len, uint32_t *out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * The number of the one schema that is bound to this intent (accp_intent) and operation; ACCP_E1003 where there is none, or more than one. O(1).
 * Since 1.0.
 */
ACCP_API accp_status accp_registry_bound(const accp_registry *registry, int32_t intent, const char *text, size_t text_len, uint32_t *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** 1 for an operation that everybody knows or that the document lists, else 0. An unknown one is no error: the vocabulary is open. Since 1.0. */
ACCP_API int accp_registry_knows_operation(const accp_registry *registry, const char *text, size_t text_len) ACCP_NOEXCEPT;

/**
 * Replaces `out` by what makes `from` into `to`: {"add":{a document},"del":[names of schemas]}. from may be NULL: everything. Empty lists where
 * they are equal. ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_registry_diff(const accp_registry *from, const accp_registry *to, accp_value *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes the union of two registries, the same whichever comes first: of two versions of a schema the higher. Options are a's.
 * ACCP_E1003 where they mean different things by one name or code; ACCP_E1004 where their aliases clash; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_registry_merge(const accp_registry *a, const accp_registry *b, accp_registry **out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** How far a negotiation has come. While it is open, nothing else may be sent in the session. */
enum accp_negotiation_state {
    ACCP_NEGOTIATION_OPEN = 0,
    ACCP_NEGOTIATION_AGREED = 1, /* accp_negotiation_registry() is in force on both sides */
    ACCP_NEGOTIATION_BARE = 2,   /* no common registry: no schemas by code, no defaults left out, no p1 */
    ACCP_NEGOTIATION_REFUSED = 3 /* the session cannot go on */
};

/**
 * Begins a negotiation.                                                                                               Spec 6.4.
 *
 * options     may be NULL; copied.
 * own         this side's registry; shared.
 * agent       this side's name, as frames have it. Copied.
 * extensions  what this side can do, as bits of accp_extension: q1 is implied by any other. 0: the bare specification.
 * out         owned by the caller: accp_negotiation_free().
 *
 * ACCP_E1001 for an agent that is no agent-id; ACCP_ERR_ARG; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_negotiation_new(const accp_options *options, const accp_registry *own, const char *text, size_t text_len,
                                          uint32_t extensions, accp_negotiation **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a negotiation; NULL is nothing. Registries that were shared stay with their other owners. Since 1.0. */
ACCP_API void accp_negotiation_free(accp_negotiation *negotiation) ACCP_NOEXCEPT;

/** What a session can do beyond frames, where both sides can: bits, each with its name in a hello and the rule of sessions that it is copied to. */
enum accp_feature {
    ACCP_FEATURE_MERGES = 1, /* m1, ACCP_RULE_MERGES: of rows of the shared state the cells that changed */
    ACCP_FEATURE_PARTS = 2,  /* f1, ACCP_RULE_PARTS: messages in parts; in force only with q1 */
    ACCP_FEATURE_STORE =
        4 /* s1, ACCP_RULE_SHARES_STORE: refs to one store. To be named only where it is known that both sides read the same one */
};

/** Names what this side's sessions can do, as bits of accp_feature; 0: nothing (the default). ACCP_ERR_ARG for a bit that is none. Before the first next. Since 1.0. */
ACCP_API accp_status accp_negotiation_set_features(accp_negotiation *negotiation, uint32_t features, accp_error *err) ACCP_NOEXCEPT;

/** Names the tokenizer that this side counts by, such as "o200k_base": letters, digits, _ and -. Before the first next. Since 1.0. */
ACCP_API accp_status accp_negotiation_set_tokenizer(accp_negotiation *negotiation, const char *text, size_t text_len,
                                                    accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many bytes of a delta go in one frame: 64 to 8,192, default 200, meant to keep a frame with its metadata under a session's 240
 * tokens; where no such limit binds, larger ones are cheaper. Before the first next. Since 1.0.
 */
ACCP_API accp_status accp_negotiation_set_chunk_bytes(accp_negotiation *negotiation, uint32_t bytes, accp_error *err) ACCP_NOEXCEPT;

/** Tells of a registry kept from before (accp_negotiation_peer()): it need not be sent again. Shared; the newest eight count. Since 1.0. */
ACCP_API accp_status accp_negotiation_know(accp_negotiation *negotiation, const accp_registry *known, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in a frame sync:registry of the peer, which `frame` has just parsed.
 *
 * ACCP_E1001 for a damaged frame or over a limit, ACCP_E1003 where the two registries do not go together, ACCP_E1004 for what makes no sense or is not
 * what its hash names, ACCP_ERR_ARG for any other frame, ACCP_ERR_NOMEM: then the same frame may be given again. A failure may have ended
 * the negotiation: see the state. There may be frames to send afterwards. Since 1.0.
 */
ACCP_API accp_status accp_negotiation_receive(accp_negotiation *negotiation, const accp_frame *frame, accp_error *err) ACCP_NOEXCEPT;

/**
 * The next frame to be sent, without metadata, which the caller puts behind it; *len_out is 0 when there is none for now. To be called until it is
 * so, at the beginning and after each frame and each timeout. *out is a view until the next call. ACCP_ERR_NOMEM: call again. Since 1.0.
 */
ACCP_API accp_status accp_negotiation_next(accp_negotiation *negotiation, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/** Says that the peer has been silent for as long as the caller waits: what is wanted is asked for again, five times, then refused. Since 1.0. */
ACCP_API accp_status accp_negotiation_timeout(accp_negotiation *negotiation, accp_error *err) ACCP_NOEXCEPT;

/** How far it has come (accp_negotiation_state); -1 for NULL. Since 1.0. */
ACCP_API int32_t accp_negotiation_get_state(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/** The extensions in force, as bits: what both sides named. 0 while it is open, and towards the bare specification. Since 1.0. */
ACCP_API uint32_t accp_negotiation_get_extensions(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/** The features in force, as bits of accp_feature: what both sides named. 0 while it is open, and towards a peer that names none. Since 1.0. */
ACCP_API uint32_t accp_negotiation_get_features(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/** The registry in force, or NULL where there is none. A view until the negotiation is freed; accp_registry_share() keeps it. Since 1.0. */
ACCP_API const accp_registry *accp_negotiation_registry(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/** The peer's own registry, to be kept and told of in the next session, or NULL. Same lifetime. Since 1.0. */
ACCP_API const accp_registry *accp_negotiation_peer(const accp_negotiation *negotiation) ACCP_NOEXCEPT;

/** The peer's tokenizer, *len_out 0 where it named none. A view until the next call. Since 1.0. */
ACCP_API const char *accp_negotiation_peer_tokenizer(const accp_negotiation *negotiation, size_t *len_out) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * Tokens, counted exactly. A tokenizer says how a model's vocabulary splits a text; it never changes, and threads share it without a lock. A
 * counter does the work: it carries the cache that makes counting fast, and belongs to one thread at a time.
 *
 * Text is UTF-8; what is not is read as Python's errors="replace" and TextDecoder read it, one U+FFFD for each maximal part of a broken sequence.
 * Special tokens such as <|endoftext|> are text like any other unless accp_counter_set_special() says otherwise. A count is always the length of
 * what accp_counter_encode() answers for the same text.
 */
#ifndef ACCP_TOKENIZER_H
#define ACCP_TOKENIZER_H


#ifdef __cplusplus
extern "C" {
#endif

/** One vocabulary and the pattern that cuts text ahead of it. Constant: any number of threads may use it at once. */
typedef struct accp_tokenizer accp_tokenizer;

/** Counts with one tokenizer, and the memory to do it. One thread at a time; distinct counters need no lock. */
typedef struct accp_counter accp_counter;

/**
 * The names of the tokenizers that are built in, counted from 0: "o200k_base", "cl100k_base" where the library was built with them, and "approx",
 * which knows no vocabulary and estimates. NULL behind the last. Static text. Any thread. Since 1.0.
 */
ACCP_API const char *accp_tokenizer_builtin(uint32_t index) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer that is built in. Its vocabulary is read-only data of the library: this costs microseconds and no memory to speak of.
 *
 * options  may be NULL; of them only the allocator counts.
 * out      owned by the caller: accp_tokenizer_free().
 *
 * ACCP_ERR_ARG for a name that is none; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_tokenizer_new(const char *name, size_t name_len, const accp_options *options, accp_tokenizer **out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer of the text of a `.tiktoken` file: lines of a token in Base64, a space, and its rank.
 *
 * name     what accp_tokenizer_name() will say; copied.
 * pattern  how text is cut ahead of merging: "o200k_base", "cl100k_base", "gpt2", "llama3", "qwen2", "qwen35", "deepseek3", "tekken".
 *
 * ACCP_E1001 with the offset of the line that is none; ACCP_E1004 for a vocabulary that cannot be merged as published (a byte without a token,
 * one token twice, tokens out of order); ACCP_ERR_ARG for a pattern that is none; ACCP_ERR_NOMEM. Cost: a fraction of a second. Since 1.0.
 */
ACCP_API accp_status accp_tokenizer_load_tiktoken(const char *name, size_t name_len, const char *pattern, size_t pattern_len,
                                                  const char *text, size_t text_len, const accp_options *options, accp_tokenizer **out,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a tokenizer of the text of a Hugging Face `tokenizer.json` with a byte-level BPE model: Llama 3, Qwen, DeepSeek, newer Mistral. Its added
 * tokens become special tokens. Its normalizer may be NFC: text is then taken to be in that form already. What a post-processor would
 * add is not counted.
 *
 * ACCP_E1001 for what is no JSON; ACCP_E1004, and the message says what, for kinds that are not supported (SentencePiece, WordPiece, an unknown
 * pattern), and as accp_tokenizer_load_tiktoken(); ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_tokenizer_load_json(const char *name, size_t name_len, const char *text, size_t text_len,
                                              const accp_options *options, accp_tokenizer **out, accp_error *err) ACCP_NOEXCEPT;

/** Counts the tokens of a text, for a host that has a tokenizer of its own. Any negative answer is an error. Called by whoever counts, on its thread. */
typedef int64_t (*accp_count_function)(const char *text, size_t text_len, void *user);

/**
 * Makes a tokenizer that asks the host. approx: 1 when its counts are estimates. Such a tokenizer counts; it has no ids. `count` and `user` must
 * outlive every counter, and be fit for every thread that has one. ACCP_ERR_ARG for a NULL function; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_tokenizer_new_callback(const char *name, size_t name_len, int approx, accp_count_function count, void *user,
                                                 const accp_options *options, accp_tokenizer **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a tokenizer; no counter may be using it. NULL is nothing. Since 1.0. */
ACCP_API void accp_tokenizer_free(accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/** The name, ended by NUL: a view as long as the tokenizer. "" for NULL. Since 1.0. */
ACCP_API const char *accp_tokenizer_name(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/** 1 when its counts are estimates and not exact, else 0. Whoever shows such a count says so. Since 1.0. */
ACCP_API int accp_tokenizer_approx(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/** How many tokens the vocabulary has, special ones not among them; 0 where there is no vocabulary. Since 1.0. */
ACCP_API uint32_t accp_tokenizer_size(const accp_tokenizer *tokenizer) ACCP_NOEXCEPT;

/**
 * Makes a counter. tokenizer: borrowed, and must outlive it. options may be NULL; copied: allocator, memory_bytes, accp_options_set_token_cache().
 * *out is owned by the caller: accp_counter_free(). ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_counter_new(const accp_tokenizer *tokenizer, const accp_options *options, accp_counter **out,
                                      accp_error *err) ACCP_NOEXCEPT;

/** Frees a counter and every view into it; NULL is nothing. Since 1.0. */
ACCP_API void accp_counter_free(accp_counter *counter) ACCP_NOEXCEPT;

/** 1: special tokens in a text that is counted or encoded whole are themselves; 0 (default): text. Since 1.0. */
ACCP_API accp_status accp_counter_set_special(accp_counter *counter, int on, accp_error *err) ACCP_NOEXCEPT;

/**
 * Counts the tokens of a text.
 *
 * tokens_out  the count. Untouched unless ACCP_OK.
 *
 * ACCP_ERR_NOMEM; from a tokenizer of the host's own that answers with an error, ACCP_ERR_IO. Cost: linear in the text, save for a logarithm in
 * its longest word; no heap call once warm. Since 1.0.
 */
ACCP_API accp_status accp_counter_count(accp_counter *counter, const char *text, size_t text_len, uint64_t *tokens_out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Counts up to a bound: *tokens_out is the count where that is at most `most`, and most + 1 where there are more; counting stops as soon as that
 * is known. Fails as accp_counter_count() does. Since 1.0.
 */
ACCP_API accp_status accp_counter_count_within(accp_counter *counter, const char *text, size_t text_len, uint64_t most,
                                               uint64_t *tokens_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The ids of a text's tokens: *count_out of them at *ids_out, a view into `counter` until the next call on it.
 * ACCP_ERR_ARG for a tokenizer without a vocabulary; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_counter_encode(accp_counter *counter, const char *text, size_t text_len, const uint32_t **ids_out,
                                         size_t *count_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The bytes that ids stand for, special tokens among them: the inverse of accp_counter_encode() for UTF-8; single tokens may be parts of characters.
 * out: a view into `counter` until the next call on it. ACCP_ERR_ARG for an id that is none (the error's offset counts ids); ACCP_ERR_NOMEM.
 * Since 1.0.
 */
ACCP_API accp_status accp_counter_decode(accp_counter *counter, const uint32_t *ids, size_t count, const char **out, size_t *len_out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds to a text that grows, which the counter counts on: accp_counter_total(). The text may be cut anywhere, also inside a character. Copied as
 * far as its count may still change. Special tokens are text here. ACCP_ERR_NOMEM, and then nothing was added. Since 1.0.
 */
ACCP_API accp_status accp_counter_append(accp_counter *counter, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * The count of all that was appended since accp_counter_reset(): exactly what accp_counter_count() would say of it in one piece. Cost: what was
 * appended since the last call, and the word that is open at the end. A tokenizer of the host's own is asked about the whole. Since 1.0.
 */
ACCP_API accp_status accp_counter_total(accp_counter *counter, uint64_t *tokens_out, accp_error *err) ACCP_NOEXCEPT;

/** Forgets the text that was appended. The cache stays. NULL is nothing. Since 1.0. */
ACCP_API void accp_counter_reset(accp_counter *counter) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Encodes and decodes under one registry. One thread at a time; the registry may be shared. */
typedef struct accp_codec accp_codec;

/** What one frame costs in tokens: its parts, each counted by itself, and the whole as one text. All 0 where nothing is counted. */
typedef struct accp_frame_tokens {
    uint64_t header_tokens;   /* @agent>intent:operation */
    uint64_t body_tokens;     /* the payload with its brackets */
    uint64_t metadata_tokens; /* the metadata with its brackets */
    uint64_t total_tokens;
} accp_frame_tokens;

/** One part of a frame against its limits (specification 3.4): more than `soft` is worth a warning, more than `hard` a session does not send. */
typedef struct accp_part_budget {
    uint64_t tokens, soft, hard;
} accp_part_budget;

/** A frame against its limits. */
typedef struct accp_frame_budget {
    accp_part_budget header, body, metadata, total;
} accp_frame_budget;

/**
 * What a ref of an incoming frame stands for.
 *
 * ref   "warm.key", without $: borrowed. Its first label is hot, warm, cold or ctx; a bare $key is asked for as hot.key and then as warm.key.
 * json  a JSON value, in which an object {"$ref":"warm.other"} is a ref in its turn: a view until the next callback or the end of the codec's call.
 *
 * Answers as accp.h says: ACCP_E2001 (not there), ACCP_E2002 (expired), ACCP_E5002 (not this session's), ACCP_E5001 (a policy forbids it) and every other code
 * are the call's. What is no JSON is ACCP_ERR_CORRUPT. It must not use the codec. Since 1.0.
 */
typedef accp_status (*accp_resolve_function)(const char *ref, size_t ref_len, const char **json, size_t *json_len, void *user);

/**
 * Keeps a value that leaves by reference.
 *
 * json  the value: borrowed. Refs in it are objects {"$ref":"warm.key"}, as above.
 * ref   "warm.key" under which the peer can resolve it, a view as above; length 0 where it cannot be kept: it then stays inline.
 *
 * The same value should get the same ref. A value may be kept of a message that is refused afterwards. Answers as accp.h says. It must not use the codec.
 * Since 1.0.
 */
typedef accp_status (*accp_keep_function)(const char *json, size_t json_len, const char **ref, size_t *ref_len, void *user);

/**
 * Gives the next part of a message in parts its envelope: `envelope` comes as that of the first part, with its cid; set a new mid and seq. Texts are views as
 * above. Answers as accp.h says. It must not use the codec. It may be called more often than there are parts:
 * only the first accp_codec_parts() - 1 answers were used, and the others may be given again. Since 1.0.
 */
typedef accp_status (*accp_envelope_function)(accp_envelope *envelope, void *user);
/** What is odd about the last message, as bits; it was taken all the same (docs/profiles.md has the rules). */
enum accp_warning {
    ACCP_WARN_NO_CID = 1,            /* a tool's answer or a chunk of a stream without its cid; encoding refuses that */
    ACCP_WARN_TOOL_ERROR = 2,        /* a tool's error that is not an error frame; encoding refuses `fail` under TC */
    ACCP_WARN_NO_TRANSACTION_ID = 4, /* a transaction that cannot be told from its repetition */
    ACCP_WARN_CURRENCY = 8,          /* none of ISO 4217 */
    ACCP_WARN_ERROR_CODE = 16,       /* an error frame whose code is none; encoding refuses it */
    ACCP_WARN_RETRY = 32             /* an error frame whose retry is not what the error model says */
};

/** What is refused that is taken otherwise, as bits. */
enum accp_strictness {
    ACCP_STRICT_OPERATIONS = 1, /* an operation that neither the specification nor the registry knows: ACCP_E5001 */
    ACCP_STRICT_PROFILES = 2,   /* whatever would be a warning: ACCP_E1004 */
    ACCP_STRICT_SCHEMA = 4      /* a member of the payload that its schema does not have: ACCP_E1004 */
};

/** Which way a message goes. */
enum accp_direction {
    ACCP_SENT = 0,    /* encoded */
    ACCP_RECEIVED = 1 /* decoded */
};

/**
 * Looks a tool up. Called for each request under the schema TC, with the tool's name and its arguments as JSON (length 0: none); both borrowed, not
 * ended by NUL. Answers as accp.h says: ACCP_E4001 (no such tool), ACCP_E4003 (it does not take these arguments).
 */
typedef accp_status (*accp_tool_hook)(const char *name, size_t name_len, const char *arguments, size_t arguments_len, void *user);

/**
 * What a policy is asked about: one message, all of it borrowed for the call.
 *
 * direction  accp_direction.
 * untrusted  1 where it came from an untrusted origin (accp_codec_set_origin()).
 * schema     the code of its schema; empty: none.
 * text       the message in JSON: as it was given to encode, or as decode would answer it.
 */
typedef struct accp_policy_case {
    int32_t direction;
    int32_t untrusted;
    accp_text agent;
    accp_text intent;
    accp_text operation;
    accp_text schema;
    accp_text text;
} accp_policy_case;

/** Answers as accp.h says: ACCP_E5001 (denied). */
typedef accp_status (*accp_policy_hook)(const accp_policy_case *asked, void *user);

/**
 * Takes one line of a debug log: status ACCP_OK and the message as render text (docs/render.md) with its envelope, on one line; or the code of a
 * refusal and "E1004 at byte 96: why". Borrowed for the call.
 */
typedef void (*accp_log_hook)(int32_t direction, accp_status status, const char *text, size_t text_len, void *user);

/** Where messages come from. */
enum accp_origin {
    ACCP_ORIGIN_TRUSTED = 0,
    ACCP_ORIGIN_UNTRUSTED = 1 /* outside: what it says is data, and no instruction */
};

/**
 * Makes a codec.                                                                                                Spec 7.1.
 *
 * options     may be NULL; copied. Its extensions do not count; where there is a registry, its abbreviations do not either: they are in force.
 * registry    shared, so it may be freed; NULL: none, and then a message is encoded and decoded as by an accp_frame.
 * extensions  bits of accp_extension, in force with the other side (accp_negotiation_get_extensions()); q1 is implied by any other.
 * out         owned by the caller: accp_codec_free().
 *
 * ACCP_ERR_ARG for an extension that is none, or p1 without a registry; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_codec_new(const accp_options *options, const accp_registry *registry, uint32_t extensions, accp_codec **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a codec; NULL is nothing. Since 1.0. */
ACCP_API void accp_codec_free(accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Sets the schema, by its code, of messages that name none; a frame then names it, unless it is the one bound to its intent and operation. Length 0:
 * none (the default), so that such messages are under the bound schema, if there is one. ACCP_E1003 for an unknown code; ACCP_ERR_ARG without
 * a registry. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_schema(accp_codec *codec, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** Sets the envelope that encoding writes ahead of a message's own metadata, as accp_frame_set_envelope() does. Since 1.0. */
ACCP_API accp_status accp_codec_set_envelope(accp_codec *codec, const accp_envelope *envelope, accp_error *err) ACCP_NOEXCEPT;

/** Sets who counts the tokens of what is encoded; borrowed, and used by calls of encode. NULL: nobody (the default). Since 1.0. */
ACCP_API accp_status accp_codec_set_counter(accp_codec *codec, accp_counter *counter, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many tokens a frame may have, of those that a counter counts; 0: any number (the default). The hard limit of specification 3.4 is 240,
 * and binds inside sessions: this is where it is refused when all else has failed. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_most_tokens(accp_codec *codec, uint64_t most_tokens, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who resolves the refs of what is decoded; NULL: nobody (the default; then a ref is ACCP_E2001, or kept where the options keep refs). Of one frame at
 * most 64 KiB are put in, repeats too, and refs lead from one to another at most 8 times.                       Spec 5.1, 9.5. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_resolver(accp_codec *codec, accp_resolve_function resolve, void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who keeps values of what is encoded, where the peer can resolve refs; NULL: nobody (the default). Kept are a payload's strings of more than 50
 * characters (accp_codec_set_inline_characters()), values deeper than a frame may be, and, without q1, values that have no spelling. A value in which
 * an object looks like a ref, and is none, stays.                                                              Spec 3.3, 7.2. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_keeper(accp_codec *codec, accp_keep_function keep, void *user, accp_error *err) ACCP_NOEXCEPT;

/** Sets how many code points a string may have and stay inline; the default is 50. Since 1.0. */
ACCP_API accp_status accp_codec_set_inline_characters(accp_codec *codec, uint64_t characters, accp_error *err) ACCP_NOEXCEPT;

/**
 * Lets a message go in parts where its frame is over accp_codec_set_most_tokens(), if the peer takes messages in parts; `next` gives the parts after the first their
 * envelopes. NULL: no parts (the default). Each part is a frame of the same header and cid (the message's, else its mid: it must have one), with
 * `fi` (which, from 0) and `ft` (of how many) in its metadata. encode then gives all of them, a newline between two: accp_codec_parts(). ACCP_ERR_ARG
 * without q1. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_splitting(accp_codec *codec, accp_envelope_function next, void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding takes messages in parts, and answers ACCP_HELD to each part but the one that makes a message whole, in whatever order they come. Default 0:
 * such a frame is like any other. At most 64 messages of at most 1,024 parts are open, with 1 MiB; beyond is ACCP_E2003, until one is whole or abandoned.
 * ACCP_ERR_ARG without q1. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_reassembly(accp_codec *codec, int on, accp_error *err) ACCP_NOEXCEPT;

/** Drops the parts held of a chain, by its cid; of all chains where the length is 0. Since 1.0. */
ACCP_API accp_status accp_codec_abandon(accp_codec *codec, const char *cid, size_t cid_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding adds to the message a member "defaults", the names of the payload's members that the frame did not have: those that the schema filled
 * in, and `schema` where the frame would have been under it without its name. Encoding then passes over such a member. Default 0. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_mark_defaults(accp_codec *codec, int on, accp_error *err) ACCP_NOEXCEPT;

/** Sets what is refused beyond the rules of accp_codec_encode() and accp_codec_decode(), as bits of accp_strictness; 0: nothing (the default).
 * ACCP_ERR_ARG for a bit that is none, or without a registry. Since 1.0. */
ACCP_API accp_status accp_codec_set_strict(accp_codec *codec, uint32_t strictness, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the host's tool lookup, asked of what is encoded and of what is decoded; NULL: nobody (the default). A hook runs inside the call, may not call
 * the codec (ACCP_ERR_BUSY), and `user` must live as long as it is set. ACCP_ERR_ARG without a registry, which knows what a tool call is. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_tools(accp_codec *codec, accp_tool_hook hook, void *user, accp_error *err) ACCP_NOEXCEPT;

/** Sets the host's policy, in the same way. Refusing a message changes nothing, and the message is not answered. Since 1.0. */
ACCP_API accp_status accp_codec_set_policy(accp_codec *codec, accp_policy_hook hook, void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets where the frames to be decoded come from (accp_origin; default trusted). A message from an untrusted origin has a member "untrusted": true, or a list
 * of those members of its payload that are. Encoding passes over such a member; rendering marks what it names as data. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_origin(accp_codec *codec, int32_t origin, accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who is told of every message and every refusal: the debug mode of specification 9.1. NULL: nobody (the default). As the hooks above, and a codec
 * without a registry has it too. ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_log(accp_codec *codec, accp_log_hook hook, void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Names a key whose values the log does not show, wherever it stands in payload or metadata; call it again for more, with length 0 for none again. A
 * message has keys in full: name `account`, not `acc`. Refusals never show a value of a message. ACCP_ERR_ARG beyond 4,096 bytes of names in all, or
 * for a name with a NUL in it. Since 1.0.
 */
ACCP_API accp_status accp_codec_set_redacted(accp_codec *codec, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the codec's registry, as accp_registry_add() does: the codec then works under a new one, and others that share the old one keep
 * it.                                                                                                            Spec 7.1.
 * Failures as there; ACCP_E1003 where the schema of accp_codec_set_schema() would be gone; ACCP_ERR_ARG without a registry. Both sides must do
 * it, or negotiate anew. Since 1.0.
 */
ACCP_API accp_status accp_codec_register_schema(accp_codec *codec, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** The codec's registry, or NULL: a view until the codec is freed or a schema registered; accp_registry_share() keeps it. Since 1.0. */
ACCP_API const accp_registry *accp_codec_registry(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * Encodes a message.                                                                                          Spec 7.2, 4.2, 6.3.
 *
 * text  JSON, as accp_frame_encode() takes it. A member `schema` of the payload that is a string names the schema by its code; any other is data.
 * out   the frame, or its parts with a newline between two: a view into `codec` until its next call.
 *
 * Keys go by the schema's aliases, else by the abbreviations in force, a field that equals its default is left out, and with p1 a payload goes by
 * position where its schema is bound to intent and operation and its depth allows it. The same message under the same registry and extensions
 * is the same bytes everywhere, whether tokens are counted or not.
 *
 * ACCP_E1001 as accp_frame_encode(); ACCP_E1002 an unknown intent; ACCP_E1003 an unknown schema; ACCP_E1004 a value that has no spelling or is not of
 * its field's type, a required field that is missing; ACCP_E2003 over accp_codec_set_most_tokens(), where neither parts nor the keeper helped; what
 * the callbacks fail with. The offset is a byte of the JSON. ACCP_ERR_NOMEM.
 * None is fatal. Cost: O(n), and sorting. Since 1.0.
 */
ACCP_API accp_status accp_codec_encode(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes a frame to its message.                                                                            Spec 7.3, 6.3.
 *
 * text  UTF-8 bytes; copied.
 * out   JSON, as accp_frame_decode() writes it, keys in full and defaults filled in: a view into `codec` until its next call.
 *
 * decode(encode(m)) is m up to the order of members, trailing zeros, and what "defaults" would name. ACCP_E1001 grammar, two keys that stand for one;
 * ACCP_E1002 an unknown intent; ACCP_E1003 an unknown schema, or values by position under one that is not bound; ACCP_E1004 types, required
 * fields, more values than fields, a part that is there already or of another number of parts; ACCP_E2001 a ref that nobody resolves, names no tier or
 * leads on too often; ACCP_E2003 refs that bring in too much, too many parts; what the resolver fails with; ACCP_HELD a part, with *out untouched. The offset
 * is a byte of the frame, 0 for what is wrong with a message that came in parts. ACCP_ERR_NOMEM. None is fatal.
 * Cost: O(n + defaults). Since 1.0.
 */
ACCP_API accp_status accp_codec_decode(accp_codec *codec, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** How many frames the message became that was encoded last: 1, or its parts; 0 where it was refused. Since 1.0. */
ACCP_API uint64_t accp_codec_parts(const accp_codec *codec) ACCP_NOEXCEPT;

/** How many values of it went to the keeper. Since 1.0. */
ACCP_API uint64_t accp_codec_kept(const accp_codec *codec) ACCP_NOEXCEPT;

/**
 * The frame that was encoded last against the limits of specification 3.4, into *out; the limits alone, with no tokens, where codec is NULL. Of a message in
 * parts the tokens are those of all parts. A session's budgets are its own: this is what the codec knows.             Spec 3.4, 7.1. Since 1.0.
 */
ACCP_API accp_status accp_codec_budget(accp_codec *codec, accp_frame_budget *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The tokens of the frame that was encoded last, or of all its parts, into *out. Encoding counts the whole; header, body and metadata are counted by the
 * first call of this, with the counter that is set then. ACCP_ERR_NOMEM. Cost: O(n) once. Since 1.0.
 */
ACCP_API accp_status accp_codec_tokens(accp_codec *codec, accp_frame_tokens *out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes the frame that sends a frame again (specification 3.7, 10.3): the same header and payload, byte for byte, so that a transaction keeps its
 * transaction_id; the mid, seq and ts of `fresh`; the cid that it had, or else the mid, which is what its answers name; aid, sid and ttl as they were,
 * unless `fresh` has them. Only what failed with a retryable code may be sent again (accp_status_retryable()).
 *
 * text   the frame that was sent.
 * fresh  with a mid of its own and a higher seq; a ts where the frame had one.
 * out    a view into `codec` until its next call.
 *
 * ACCP_E1001 for what is no frame, or has neither mid nor cid; ACCP_E1004 as accp_frame_set_envelope(); ACCP_ERR_ARG for an envelope that is not fresh.
 * Since 1.0.
 */
ACCP_API accp_status accp_codec_retry(accp_codec *codec, const char *text, size_t text_len, const accp_envelope *fresh, const char **out,
                                      size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/** What was odd about the message that was encoded or decoded last, as bits of accp_warning; 0 for NULL and after a failure. Since 1.0. */
ACCP_API uint32_t accp_codec_warnings(const accp_codec *codec) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * Requests that wait for an answer, and until when. The library reads no clock: times are the caller's, in whatever unit it likes, as long as
 * it is the same one. What expires is ACCP_E3001, which may be sent again: accp_codec_retry().
 */
#ifndef ACCP_DEADLINE_H
#define ACCP_DEADLINE_H


#ifdef __cplusplus
extern "C" {
#endif

/** The requests of one side. One thread at a time. */
typedef struct accp_deadline accp_deadline;

/** Makes an empty table. options may be NULL; copied. ACCP_ERR_NOMEM. Since 1.0. */
ACCP_API accp_status accp_deadline_new(const accp_options *options, accp_deadline **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a table; NULL is nothing. Since 1.0. */
ACCP_API void accp_deadline_free(accp_deadline *deadline) ACCP_NOEXCEPT;

/**
 * A request was sent, and waits until `when`; one that waits already is moved. The cid is copied. ACCP_E1004 without one; ACCP_E2003 where 4,096 wait;
 * ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_deadline_start(accp_deadline *deadline, const char *cid, size_t cid_len, int64_t when,
                                         accp_error *err) ACCP_NOEXCEPT;

/** The intent `wait` came: the request waits until `when`. ACCP_E3001 where it waits no more. Since 1.0. */
ACCP_API accp_status accp_deadline_extend(accp_deadline *deadline, const char *cid, size_t cid_len, int64_t when,
                                          accp_error *err) ACCP_NOEXCEPT;

/** Its answer came (done, fail), or it was cancelled. ACCP_E3001 where it waits no more: the answer came too late. Since 1.0. */
ACCP_API accp_status accp_deadline_answer(accp_deadline *deadline, const char *cid, size_t cid_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes out one request whose deadline is before `now`, the earliest first, and names it in *cid: a view until the next call but
 * accp_deadline_next(). Its error is ACCP_E3001. *cid is empty where there is none: call it until then. Since 1.0.
 */
ACCP_API accp_status accp_deadline_expire(accp_deadline *deadline, int64_t now, accp_text *cid, accp_error *err) ACCP_NOEXCEPT;

/** The earliest deadline of all; INT64_MAX where nothing waits. Since 1.0. */
ACCP_API int64_t accp_deadline_next(const accp_deadline *deadline) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * Error frames: `@agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}`. A frame fail:error under the schema ER says that the
 * protocol failed; any other `fail` is a result of the application's own, and no error of this kind.
 */
#ifndef ACCP_FAILURE_H
#define ACCP_FAILURE_H


#ifdef __cplusplus
extern "C" {
#endif

/** Where an error belongs: the first digit of its code. Values never change. */
enum accp_category {
    ACCP_CATEGORY_NONE = 0,
    ACCP_CATEGORY_PARSE = 1,    /* E1xxx: parse, grammar */
    ACCP_CATEGORY_STATE = 2,    /* E2xxx: the state store */
    ACCP_CATEGORY_DELIVERY = 3, /* E3xxx: transport, delivery */
    ACCP_CATEGORY_TOOL = 4,     /* E4xxx: tools, MCP */
    ACCP_CATEGORY_POLICY = 5,   /* E5xxx: policy, authorization */
    ACCP_CATEGORY_INTERNAL = 9  /* E9xxx: internal, unknown */
};

/**
 * What an error frame says.
 *
 * code     the number of the code: ACCP_E3001 for E3001. A peer's may be one that this version has no name for; ACCP_E9999 where it is none.
 * retry    reading: 1 where sending again may help. Writing: not looked at, the table says it (accp_status_retryable()).
 * agent    who says it; must be given.
 * message  one line for people. Writing: empty for the name of the code ("TIMEOUT").
 * detail, source   more about it, and where it happened ("api.crm"); empty: none.
 * cid      the correlation id of what failed; empty: none. Written in the metadata; read there, else in the payload.
 */
typedef struct accp_failure {
    accp_status code;
    int32_t retry;
    accp_text agent;
    accp_text message;
    accp_text detail;
    accp_text source;
    accp_text cid;
} accp_failure;

/** The category of a code (accp_category); 0 for a number outside the specification's ranges. Any thread. Since 1.0. */
ACCP_API int32_t accp_status_category(accp_status status) ACCP_NOEXCEPT;

/**
 * Writes an error frame, as accp_codec_encode() writes the same message: under the codec's extensions and envelope.                   Spec 3.6.
 *
 * failure  borrowed for the call; its code is one that the specification defines, else ACCP_ERR_ARG.
 * out      a view into `codec` until its next call.
 *
 * ACCP_ERR_ARG for a codec without a registry; else fails as accp_codec_encode(): ACCP_E1004 for text that has no spelling under the extensions in
 * force. Since 1.0.
 */
ACCP_API accp_status accp_failure_encode(accp_codec *codec, const accp_failure *failure, const char **out, size_t *len_out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads a frame that may be an error frame.                                                                                            Spec 3.6.
 *
 * out  its code is 0 where the frame is not one; else texts are views into `codec` until its next call. A detail that is no string is left empty here,
 *      and stands in what accp_codec_decode() answers.
 *
 * ACCP_ERR_ARG for a codec without a registry; else fails as accp_codec_decode(). Since 1.0.
 */
ACCP_API accp_status accp_failure_decode(accp_codec *codec, const char *text, size_t text_len, accp_failure *out,
                                         accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * JSON in, JSON out: values, and whole messages as frames. A message is
 *   {"agent":"planner","intent":"req","operation":"schedule","payload":{…},"meta":{…}}
 * with a payload that is an object or, where the message is a text (spec 2.2), a string;
 * where meta may be missing; an empty or null one is no meta, as the grammar has no spelling for it. What is encoded comes back equal, by value,
 * for every JSON value inside the limits (extension q1).
 */
#ifndef ACCP_JSON_H
#define ACCP_JSON_H


#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads one JSON text (RFC 8259) into a value, which it replaces.
 *
 * text  UTF-8, no terminator or padding needed; may be freed on return.
 *
 * On failure the value is empty. ACCP_E1001: not JSON, a duplicate key, or over a limit (json_bytes). ACCP_E1004: invalid UTF-8, a lone
 * surrogate, a key of more than 65,535 bytes, or deeper than json_depth. ACCP_ERR_NOMEM. Cost: O(len); stack constant. Since 1.0.
 */
ACCP_API accp_status accp_json_parse(accp_value *value, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a value as compact JSON: no white space, keys in their order, numbers as they were written, refs as {"$ref":"warm.key"}.
 * *out is a view into the value, until the next call that changes it or prints it. ACCP_ERR_ARG for an empty or incomplete value;
 * ACCP_ERR_NOMEM. Cost: O(n). Since 1.0.
 */
ACCP_API accp_status accp_json_print(accp_value *value, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes one message, given as JSON, into a frame.                                                              Spec 3.1, 3.3.
 *
 * frame  borrowed, changed: its scratch and its output; its tree becomes empty. One thread at a time.
 * text   the message, UTF-8; may be freed on return.
 * out    a view into `frame`: its output, without a newline. Untouched unless ACCP_OK.
 *
 * ACCP_E1001: not JSON, not a message, a duplicate key, or over a limit. ACCP_E1004: a value without a spelling under the extensions in
 * force, or deeper than the limit. ACCP_ERR_NOMEM. The offset is a byte of `text`. None is fatal. Whether the intent is one of the twelve
 * is not asked. Cost: O(text_len). Since 1.0.
 */
ACCP_API accp_status accp_frame_encode(accp_frame *frame, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes one frame into its message, as compact JSON: the inverse of accp_frame_encode() under the same options. Spec 3.1, 7.3.
 *
 * text   borrowed for as long as the tree of `frame` is used, which then is this frame's; empty where the call fails.
 * out    a view into `frame`: its output, without a newline. Untouched unless ACCP_OK.
 *
 * ACCP_E1001: grammar, limits, a malformed %u, two keys that decode to one. ACCP_E1004: a malformed table, text that is no UTF-8.
 * ACCP_E2001: a ref, as there is no session to resolve it (see accp_options_set_keep_refs()). ACCP_ERR_NOMEM. The offset is a byte of
 * `text`. None is fatal. Cost: O(text_len). Since 1.0.
 */
ACCP_API accp_status accp_frame_decode(accp_frame *frame, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * The same for many messages or frames in one call: `text` holds one a line (LF, or CR LF in JSON; an empty line is a record, and
 * refused). Every line gets a record; what was refused does not stop the others. Results lie one after another, each ended by LF, in
 * accp_batch_text(); `text` may be freed on return. Fails as a whole only with ACCP_ERR_ARG, or with ACCP_ERR_NOMEM, and then holds no
 * record. Cost: O(text_len). Since 1.0.
 */
ACCP_API accp_status accp_batch_encode(accp_batch *batch, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_batch_decode(accp_batch *batch, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * The render form: what a model reads in place of JSON (docs/render.md). A message is a line,
 *   @planner req:schedule task:impl_auth ids:[7,"7"] note: Q3 findings
 * without its envelope; an array of like objects is a table with a header and, where there are many, a line a row. It has an exact inverse:
 * from the text alone every value comes back equal.
 */
#ifndef ACCP_RENDER_H
#define ACCP_RENDER_H


#ifdef __cplusplus
extern "C" {
#endif

/** How a record is written, as bits. Reading needs none of them. */
enum accp_render_flag {
    ACCP_RENDER_UNTRUSTED = 1, /* the text came from outside: it says so in front, is one line, and no character in it is invisible */
    ACCP_RENDER_ONE_LINE = 2,  /* no table takes a line a row */
    ACCP_RENDER_ENVELOPE = 4   /* a message's mid, seq, ts, cid, aid, sid and ttl too, which are left off otherwise */
};

/** A renderer and its memory. One thread at a time; distinct renderers need no lock. */
typedef struct accp_render accp_render;

/**
 * Makes a renderer. options may be NULL for every default; copied. Of them count: json_bytes, json_depth, key_bytes, memory_bytes, the allocator,
 * abbreviate (the keys of a payload), ignore (members of a message), and what a frame is decoded with.
 * *out is owned by the caller: accp_render_free(). ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_render_new(const accp_options *options, accp_render **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a renderer; NULL is nothing. Since 1.0. */
ACCP_API void accp_render_free(accp_render *render) ACCP_NOEXCEPT;

/**
 * Renders one JSON text: an object with agent, intent, operation, payload (an object or a text) and perhaps meta as a message, any other value as it is.
 *
 * render  borrowed, changed: its scratch and its output. One thread at a time.
 * text    UTF-8; may be freed on return.
 * flags   bits of accp_render_flag.
 * out     a view into `render`, until the next call on it. No newline at its end. Untouched unless ACCP_OK.
 *
 * Never more bytes than the compact JSON of the same, but where something is marked as untrusted. Same value, same flags: the same bytes, on every machine.
 * Fails as accp_json_parse() does; ACCP_ERR_ARG for a flag that is none. None is fatal. Cost: O(text_len); stack constant. Since 1.0.
 */
ACCP_API accp_status accp_render_json(accp_render *render, const char *text, size_t text_len, uint32_t flags, const char **out,
                                      size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/** The same for a value; ACCP_ERR_ARG for an incomplete one. Since 1.0. */
ACCP_API accp_status accp_render_value(accp_render *render, const accp_value *value, uint32_t flags, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;

/** The same for a frame, with its refs as they are. Fails as accp_frame_decode() does, but for E2001. Since 1.0. */
ACCP_API accp_status accp_render_frame(accp_render *render, const char *text, size_t text_len, uint32_t flags, const char **out,
                                       size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads one render text back: the exact inverse of the three above, up to the order of keys and an envelope that was left off. A message comes
 * back as the object that it was.
 *
 * text     UTF-8, the whole record, without a newline at its end; may be freed on return.
 * out      accp_render_parse(): compact JSON, a view into `render` until the next call on it. Untouched unless ACCP_OK.
 * value    accp_render_parse_value(): replaced; empty on failure.
 *
 * ACCP_E1001: not of the grammar, a key twice, or over a limit (json_bytes, for what comes out too); ACCP_E1004: not UTF-8, a lone surrogate, a key
 * of more than 65,535 bytes, or deeper than json_depth; ACCP_ERR_NOMEM. The offset is a byte of `text`. None is fatal.
 * Cost: O(text_len + what comes out); stack constant. Since 1.0.
 */
ACCP_API accp_status accp_render_parse(accp_render *render, const char *text, size_t text_len, const char **out, size_t *len_out,
                                       accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_render_parse_value(accp_render *render, const char *text, size_t text_len, accp_value *value,
                                             accp_error *err) ACCP_NOEXCEPT;

/**
 * For reading records from a stream: how many lines behind this one hold the rows of the table that it ends with. Behind them, a line that begins with
 * a space goes on with the same record, and may end with a table again. Since 1.0.
 */
ACCP_API uint64_t accp_render_rows(const char *text, size_t text_len) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * Sessions: frames in and out with their delivery guarantees (specification 3.7), state in three tiers (5), and at any moment the text that a model
 * should be given instead of the history.
 *
 * An engine is what sessions of one kind share: store, registry, tokenizer, rules. A session is opened by its id, and is then what it was when it
 * was last used, in whatever process. Time is an argument, in milliseconds since the epoch (in the envelope of frames it is seconds), and never negative: nothing here
 * reads a clock. One thread at a time
 * for a session; different sessions run on different threads, without a lock of the caller's.
 *
 * A call that is refused has changed nothing. One that answers ACCP_ERR_IO because the store could not write has been taken, and is not yet
 * durable: do not repeat it, but call accp_session_sync() until it succeeds, and acknowledge nothing before. That is so whatever kept the store
 * from writing (a full disk, another process, memory). accp_session_records() has then grown, and a call that makes a frame has given it; where neither
 * is so, reading failed, and the call has changed nothing. After ACCP_ERR_NOMEM and ACCP_ERR_BUSY, call again. When another writer has opened the
 * session, every call answers ACCP_ERR_CLOSED.
 */
#ifndef ACCP_SESSION_H
#define ACCP_SESSION_H


/*
 * Where sessions are kept: in memory, or in a file. What is written and read there is sessions' own; here a store is opened, looked after and closed.
 */
#ifndef ACCP_STORE_H
#define ACCP_STORE_H


#ifdef __cplusplus
extern "C" {
#endif

/**
 * A store. Any number of threads may use it and its sessions at once: one lock guards it, and calls wait while another writes. Several processes may
 * open one file: reading goes on while one of them writes, and of two that write one waits.
 */
typedef struct accp_store accp_store;

/** Bits of the flags of accp_store_open(). */
enum accp_store_flag {
    ACCP_STORE_READ_ONLY = 1, /* nothing is changed; the file must be there */
    ACCP_STORE_EXISTING = 2,  /* a file that is missing is not made */
    ACCP_STORE_NO_WAIT = 4    /* a write is done when the operating system has it: safe from a kill, and power failure leaves a prefix */
};

/** How much a store holds. */
typedef struct accp_store_stats {
    uint64_t sessions;
    uint64_t records;
    uint64_t record_bytes;
    uint64_t blobs;
    uint64_t blob_bytes;
    uint64_t mids;
    uint64_t grants;
} accp_store_stats;

/**
 * Opens a store.                                                                                                     Spec 5.1.
 *
 * name     "memory:", gone when it is closed; or "sqlite:PATH", a SQLite file in WAL mode, which is made where it is missing. No other program's SQLite
 *          may have the file open in this process (docs/store.md says why).
 * flags    bits of accp_store_flag.
 * options  may be NULL; copied. memory_bytes bounds what the store holds in memory; SQLite's own memory comes from the library's private allocator, beside it.
 * out      owned by the caller: accp_store_close().
 *
 * What was acknowledged as durable is there again, whatever happened since; unless ACCP_STORE_NO_WAIT, also after a power failure. Opening mends what a
 * crash left; it does not read everything: accp_store_verify() does.
 *
 * ACCP_ERR_ARG: no such kind of store, a SQLite file of somebody else's, a store of a later version, unknown flags; ACCP_ERR_IO: it cannot be opened or written;
 * ACCP_ERR_CORRUPT: it is damaged, or no SQLite file at all; ACCP_ERR_BUSY: another process kept it for more than five seconds; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_store_open(const char *name, size_t name_len, uint32_t flags, const accp_options *options, accp_store **out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes durable what is not yet, and closes the store: its memory goes when the last session that uses it has been freed. NULL is nothing. A failure says that
 * something could not be made durable, and is lost; the store is closed all the same. As accp_store_sync(). Since 1.0.
 */
ACCP_API accp_status accp_store_close(accp_store *store, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes everything durable that any session of the store has written. ACCP_ERR_BUSY, ACCP_ERR_NOMEM and, for a full disk, ACCP_ERR_IO: nothing is lost, call
 * again. Any other ACCP_ERR_IO: the store takes nothing more until it is opened anew; reading goes on. Cost: one write of the device for all. Since 1.0.
 */
ACCP_API accp_status accp_store_sync(accp_store *store, accp_error *err) ACCP_NOEXCEPT;

/** How much the store holds, into *out. Cost: reads the file. ACCP_ERR_IO, ACCP_ERR_CORRUPT, ACCP_ERR_NOMEM. Since 1.0. */
ACCP_API accp_status accp_store_get_stats(accp_store *store, accp_store_stats *out, accp_error *err) ACCP_NOEXCEPT;

/** Takes a text, a view until it returns. Answers 0 to go on, anything else to stop there. */
typedef int (*accp_text_function)(const char *text, size_t text_len, void *user);

/** Gives the id of every session to `each`, in the order in which they were made. The store may be used from there. Since 1.0. */
ACCP_API accp_status accp_store_sessions(accp_store *store, accp_text_function each, void *user, accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a session as lines of JSON (docs/store.md has the form), all at once, to `write`. The same session is the same bytes, whatever store it is in.
 *
 * text  the id of the session. ACCP_E2001: there is none. ACCP_ERR_CORRUPT: something of it is damaged (a record: the offset of the error is its
 * sequence), and nothing was written; ACCP_ERR_IO, ACCP_ERR_NOMEM. The store may be used from `write`. Since 1.0.
 */
ACCP_API accp_status accp_store_export(accp_store *store, const char *text, size_t text_len, accp_text_function write, void *user,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in what accp_store_export() wrote, of one session or of several one behind the other: all of it, durable on return, or nothing.
 * ACCP_E1001 and ACCP_E1004 for what was not exported, with the byte; ACCP_ERR_BUSY when such a session is there already; failures as accp_store_sync().
 * Since 1.0.
 */
ACCP_API accp_status accp_store_import(accp_store *store, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** Takes a session and all that is its own out of the store, durably. Who has it open is told ACCP_ERR_CLOSED. ACCP_E2001. Since 1.0. */
ACCP_API accp_status accp_store_erase(accp_store *store, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes out what is no longer needed: texts and grants that have expired at `now_ms` (milliseconds since the epoch), and of each session what belongs to
 * checkpoints other than its newest `keep_checkpoints` (0: all are kept). What a session still needs, for a delta's base, stays in any case, and
 * its history is never touched. How many went, into *out. Failures as accp_store_sync(). Since 1.0.
 */
ACCP_API accp_status accp_store_prune(accp_store *store, uint64_t now_ms, uint64_t keep_checkpoints, uint64_t *out,
                                      accp_error *err) ACCP_NOEXCEPT;

/** One thing that is wrong with a store. Views until the function that it is given to returns. */
typedef struct accp_damage {
    accp_text session; /* its id; empty: the file as a whole */
    const char *what;  /* static text */
    uint64_t record;   /* the sequence of a record, from 1; 0: it is none */
    accp_text name;    /* the key of a text, or what SQLite says */
} accp_damage;

/** Is told what is wrong, one thing at a time. It must not use the store. */
typedef void (*accp_damage_function)(const accp_damage *damage, void *user);

/**
 * Reads everything and compares it with its checksums. ACCP_OK: all is as it was written. ACCP_ERR_CORRUPT: something is not, and `report` (which may be
 * NULL) was told what and where. Sessions that are whole may be used and exported all the same. Cost: reads the file. Since 1.0.
 */
ACCP_API accp_status accp_store_verify(accp_store *store, accp_damage_function report, void *user, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What sessions of one kind share. Set up by one thread; then any number of threads may open sessions with it, and use them. */
typedef struct accp_engine accp_engine;

/** A session. One thread at a time. */
typedef struct accp_session accp_session;

/** Numbers that govern sessions, with their defaults; those that answer a question are 0 or 1. */
enum accp_rule {
    ACCP_RULE_WINDOW = 0,    /* "window": frames that may wait for an earlier one (64); 0: refused at the gap */
    ACCP_RULE_GAP_MS = 1,    /* "gap_ms": after which a sync:state with a higher seq closes a gap (5,000) */
    ACCP_RULE_SKEW_MS = 2,   /* "skew_ms": by which clocks may differ before a ttl has passed (0) */
    ACCP_RULE_FUTURE_MS = 3, /* "future_ms": by which a ts may be ahead (300,000) */
    ACCP_RULE_BY_SENDER =
        4, /* "by_sender": each agent counts its own seq (0: the session has one count, so sides take turns; docs/session.md) */
    ACCP_RULE_REQUIRE_TS = 5,  /* "require_ts" (0) */
    ACCP_RULE_REQUIRE_SID = 6, /* "require_sid" (0) */
    ACCP_RULE_LOOSE_MID = 7,   /* "loose_mid": a mid is any 1 to 64 safe characters (0) */
    ACCP_RULE_MOST_TOKENS = 8, /* "most_tokens": of a frame that is sent (240, specification 3.4); 0: any number */
    ACCP_RULE_ISSUER = 9,      /* "issuer": of mids, 1 to 99 where several send in one session (0: one does) */
    ACCP_RULE_SHARES_STORE =
        10,                /* "shares_store": the other side can resolve our refs, so long values go by reference (0; docs/session.md) */
    ACCP_RULE_MERGES = 11, /* "merges": the other side knows m1: of rows of the shared state only the cells that changed go (0) */
    ACCP_RULE_NAMES_SESSION = 12,  /* "names_session": frames that are sent carry the sid (0) */
    ACCP_RULE_DURABLE = 13,        /* "durable": a call returns when what it changed is durable (1); 0: accp_session_sync() says when */
    ACCP_RULE_HOT_MAX = 14,        /* "hot_max": tokens of hot state (500) */
    ACCP_RULE_HOT_DUE = 15,        /* "hot_due": above so many a checkpoint is made (400) */
    ACCP_RULE_CHECKPOINT_MAX = 16, /* "checkpoint_max": tokens of one checkpoint (200) */
    ACCP_RULE_SUMMARY_MAX = 17,    /* "summary_max": of its summary (100) */
    ACCP_RULE_RETAINED = 18,       /* "retained": checkpoints that stay warm (10, at most 64) */
    ACCP_RULE_SEED = 19,        /* "seed": the key of the mids of a session, for tests; 0: a random one, so that nobody can foresee them */
    ACCP_RULE_DEADLINE_MS = 20, /* "deadline_ms": in which a request is answered: accp_session_expire(); 0: it waits for ever (0) */
    ACCP_RULE_PARTS = 21,       /* "parts": both sides take messages in parts, so one over most_tokens goes as such; needs q1 (0) */
    ACCP_RULE_JUMP = 22         /* "jump": sequence numbers, and versions of the shared state, that a sync:state may pass (65,536) */
};

/** The name of a rule, or NULL behind the last. Static text. Since 1.0. */
ACCP_API const char *accp_rule_name(int32_t rule) ACCP_NOEXCEPT;

/**
 * Makes an engine.
 *
 * options     may be NULL; copied. Of sessions: extensions and abbreviations do not count, they are the registry's.
 * store       shared, so it may be closed when the sessions are; NULL: one in memory, the engine's own.
 * registry    shared, so it may be freed; NULL: the profiles of the specification and nothing else. Under a schema a message gets the defaults of its fields: a
 *             `tool` its status, a `schedule` its priority. For messages exactly as they were said: one made with ACCP_PROFILE_NONE.
 * extensions  bits of accp_extension, in force with the other side; ACCP_EXT_Q1 is the usual value. 0: the bare specification, in which most JSON strings have no
 *             spelling (ACCP_E1004).
 * tokenizer   borrowed; NULL: o200k_base.
 * out         owned by the caller: accp_engine_free().
 *
 * ACCP_ERR_ARG for an extension that is none, or where the tokenizer is not built in; ACCP_ERR_NOMEM. Since 1.0.
 */
ACCP_API accp_status accp_engine_new(const accp_options *options, accp_store *store, const accp_registry *registry, uint32_t extensions,
                                     const accp_tokenizer *tokenizer, accp_engine **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees an engine whose sessions are all closed; NULL is nothing. Since 1.0. */
ACCP_API void accp_engine_free(accp_engine *engine) ACCP_NOEXCEPT;

/**
 * Sets a rule of sessions that are opened from now on. ACCP_ERR_ARG for one that is none, or a value it cannot have. Which values go together is asked when a
 * session is opened: summary_max is at most checkpoint_max, that at most hot_due, that at most hot_max. Since 1.0.
 */
ACCP_API accp_status accp_engine_set_rule(accp_engine *engine, int32_t rule, int64_t value, accp_error *err) ACCP_NOEXCEPT;

/**
 * Keeps a value in a cold store of the host's.
 *
 * key   64 hexadecimal digits, the SHA-256 of the text: the same text comes with the same key, perhaps often, and from several sessions. Borrowed, as the text.
 *
 * Answers as accp.h says: ACCP_OK when the text is durable.
 */
typedef accp_status (*accp_cold_put_function)(const char *key, size_t key_len, const char *text, size_t text_len, void *user);

/**
 * Looks up what was put. out: a view until the next call of either function. Answers as accp.h says: ACCP_E2001 where
 * there is no such text; as the session knows that it was put, its caller then sees ACCP_ERR_CORRUPT. What comes back is compared with its key.
 */
typedef accp_status (*accp_cold_get_function)(const char *key, size_t key_len, const char **out, size_t *len_out, void *user);

/**
 * Sets who keeps the values of the cold tier ($cold.t7, and what is put under $cold) of sessions that are opened from now on, in place of the store, which
 * then holds their names, when they expire and to whom they are granted. NULL twice: the store (the default). The log, and so each $cold.m17, is the store's
 * in any case. Nothing is ever taken out: a text may be needed under another name.                                             Spec 5.1, 7.1.
 *
 * The functions are called on the thread of a session's call, of several sessions at once, and must not use that session. A session that has cold values must be
 * opened with a cold store that has them. ACCP_ERR_ARG for one function without the other. Since 1.0.
 */
ACCP_API accp_status accp_engine_set_cold_store(accp_engine *engine, accp_cold_put_function put, accp_cold_get_function get, void *user,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who resolves the refs of frames that come in, which are the sender's: those of a peer that sends long values by reference (rule shares_store) out of a session
 * of its own, which a host reads with accp_session_open_read(), with accp_session_resolve_of() through another handle, or over its network. All of them are asked of it, and
 * none is looked up in the receiving session, but for `$ctx.k` where it answers ACCP_E2001. NULL: nobody (the default): both sides are of one session, and refs are looked
 * up in it; with the rule shares_store names that each session gives itself ($cold.t7, $cold.m17, $hot.state, $warm.ckpt_3) are ACCP_E2001. What it answers is kept
 * with the frame, and stands for the same ever after. It must not use the session. For sessions that are opened from now on.                                                                                                            Spec 5.1. Since 1.0.
 */
ACCP_API accp_status accp_engine_set_resolver(accp_engine *engine, accp_resolve_function resolve, void *user,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the summary of a checkpoint.
 *
 * hot          what it closes, as the context has it: UTF-8 lines, borrowed.
 * most_tokens  what the summary may have: rule summary_max.
 * out          UTF-8, one line or more: a view until the next callback or the end of the session's call.
 *
 * Answers 1, or 0 for none. One that is too long, is no UTF-8 or has a line that begins with @ is passed over, and the library's own taken. It may take its
 * time, and may run for several sessions at once. It must not use the session (ACCP_ERR_BUSY). A checkpoint that could not be made durable is
 * made, and asked for, again. Since 1.0.
 */
typedef int (*accp_summarise_function)(const char *hot, size_t hot_len, uint32_t most_tokens, const char **out, size_t *len_out,
                                       void *user);

/** Sets who writes summaries; NULL: the library (the default). Before the first session is opened. Spec 5.3. Since 1.0. */
ACCP_API accp_status accp_engine_set_summariser(accp_engine *engine, accp_summarise_function summarise, void *user,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets who is told of every message that comes in or goes out, and of every refusal: the debug mode of specification 9.1. NULL: nobody (the default). Lines are
 * those of accp_codec_set_log(); of a frame that was dropped or failed the code says so. Before the first session is opened; called from whatever
 * thread works on a session, behind what is told, so perhaps before it is durable. It must not use the session. Since 1.0.
 */
ACCP_API accp_status accp_engine_set_log(accp_engine *engine, accp_log_hook hook, void *user, accp_error *err) ACCP_NOEXCEPT;

/** Names a key whose values that log does not show, as accp_codec_set_redacted() does. Before the first session is opened. Since 1.0. */
ACCP_API accp_status accp_engine_set_redacted(accp_engine *engine, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Names the agents of the host, with a comma between two, in place of those that were named before: no session takes a frame under one of these names
 * from outside (ACCP_E5001). An agent that a session has sent a frame as is the host's own in that session anyway, for ever. Copied. Before the first
 * session is opened.
 *
 * ACCP_ERR_ARG: a name with a NUL; ACCP_ERR_NOMEM. Cost: each frame that comes in is compared with the names.
 */
ACCP_API accp_status accp_engine_set_own_agents(accp_engine *engine, const char *agents, size_t agents_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Says where the messages of an agent come from (enum accp_origin), however they come: received, sent on or appended. A message that is untrusted has the
 * member "untrusted":true wherever a session hands it out as JSON, and the context says so; the log keeps that. The default is trusted, and what
 * accp_session_receive_from() says of a peer is not taken back by it. Before the first session is opened.
 *
 * agent  1 byte or more; copied.
 *
 * ACCP_ERR_ARG: a name with a NUL or of no bytes, another origin; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_engine_set_origin(accp_engine *engine, const char *agent, size_t agent_len, int32_t origin,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds schemas to the engine's registry, as accp_registry_add() does, for every call on every session of it from now on, open ones too; any thread. Both
 * sides must do it, or negotiate anew. A session that has frames under them is opened with a registry that has them.               Spec 7.1.
 * Failures as there. Since 1.0.
 */
ACCP_API accp_status accp_engine_register_schema(accp_engine *engine, const char *text, size_t text_len, accp_error *err) ACCP_NOEXCEPT;

/** The registry in force, with one owner more, who frees it: accp_registry_free(). NULL for NULL. Any thread. Since 1.0. */
ACCP_API accp_registry *accp_engine_registry(accp_engine *engine) ACCP_NOEXCEPT;

/**
 * Opens a session for writing; it is made where it is missing. An older writer, here or elsewhere, is shut out.                    Spec 1.3, 5.
 *
 * id      1 to 256 bytes; copied.
 * out     owned by the caller: accp_session_close().
 *
 * ACCP_ERR_CORRUPT for a session that is damaged; ACCP_ERR_ARG for an id that cannot be one, and where the session was kept under other rules of
 * tokens than this engine's; ACCP_ERR_BUSY, ACCP_ERR_IO, ACCP_ERR_NOMEM. Cost: what was said since the last checkpoint is applied again. Since 1.0.
 */
ACCP_API accp_status accp_session_open(accp_engine *engine, const char *id, size_t id_len, accp_session **out,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Opens a session to read it as it stands: its context, budget, records, state, and what its refs stand for. Who has it open to write goes on; what is said from
 * then on is seen by opening it again. Calls that would change something answer ACCP_ERR_ARG. ACCP_E2001: there is no such session; else as
 * accp_session_open(). Since 1.0.
 */
ACCP_API accp_status accp_session_open_read(accp_engine *engine, const char *id, size_t id_len, accp_session **out,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Closes the handle; NULL is nothing. The session stays in the store. Records that are not durable yet stay there too, and are written by its next sync, or when it is
 * closed. Messages that accp_session_next() has not handed out are not handed out later: they are in the log. Since 1.0.
 */
ACCP_API void accp_session_close(accp_session *session) ACCP_NOEXCEPT;

/** Ends the session itself: what would change it answers ACCP_ERR_CLOSED from now on, here and wherever it is opened; reading goes on. Since 1.0. */
ACCP_API accp_status accp_session_end(accp_session *session, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes a frame that has come in.                                                                  Spec 3.5, 3.7, 7.3; the order of checks: docs/session.md.
 *
 * text  UTF-8 bytes; copied where kept.
 *
 * ACCP_OK: applied, once and in order, with all that had waited for it; accp_session_next() hands the messages out. A part of a message in parts (rule `parts`)
 * is kept, and the message comes with the part that makes it whole. ACCP_HELD: it waits for an
 * earlier frame. ACCP_DROPPED: expired, or of a chain that was cancelled: answer nothing. Refused: ACCP_E1001 grammar, envelope, limits; E1002
 * intent; E1003, E1004 schema and types; E2001, E2002, E2003 refs; E3002 a mid seen before; E3003 a gap too wide, a seq that has passed, a version
 * of the state that does not follow; E5001 a frame under a name that the session has sent as; E5002 another session's sid. The offset is a byte of the frame. Cost: O(text_len), and a checkpoint now and
 * then. Since 1.0.
 */
ACCP_API accp_status accp_session_receive(accp_session *session, const char *text, size_t text_len, int64_t now_ms,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes a frame as accp_session_receive() does, from a peer that the host knows: from one that it has authenticated, over a connection of its own. A host with
 * more than one peer, or with one that it does not trust with the names of others, takes all frames so.                       docs/security.md.
 *
 * agents  the names that this peer may speak as, with a comma between two; empty: none; "*": any but the host's own, as accp_session_receive() has it.
 *         Borrowed.
 * origin  enum accp_origin: untrusted marks the message as accp_engine_set_origin() does.
 *
 * ACCP_E5001: a frame under another name, or under one of the host's own; nothing of it counts: neither its seq nor its mid, and its sender is not noted. Else as
 * accp_session_receive().
 */
ACCP_API accp_status accp_session_receive_from(accp_session *session, const char *agents, size_t agents_len, int32_t origin,
                                               const char *text, size_t text_len, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * What accp_session_next() hands out. Views until the next call on the session. By its status:
 *
 * ACCP_OK: a message. ACCP_E3001: a request of ours was not answered in time. ACCP_E3003: frames before `seq` are missing, told once for each gap; or, as
 * `reason` says, a frame of ours took the `seq` of this one, which waited. Any other: the frame `seq`, which had waited, was refused with it.
 */
typedef struct accp_delivery {
    accp_status status;
    int32_t origin;    /* of a message: enum accp_origin */
    int64_t seq;       /* of ACCP_E3001 the number of its record, for accp_session_retry() */
    accp_text message; /* JSON, as accp_codec_decode() writes it; of ACCP_E3001 the request's cid (or mid, where it had none); else empty */
    const char *reason; /* of a refusal: static text; else NULL */
} accp_delivery;

/** The next message in its order: 1 with *out filled, 0 when there is no more. Since 1.0. */
ACCP_API int accp_session_next(accp_session *session, accp_delivery *out) ACCP_NOEXCEPT;

/** Was this chain (a cid, or the mid of a request without one) cancelled? Handlers ask before they go on. Spec 3.7. Since 1.0. */
ACCP_API int accp_session_is_cancelled(const accp_session *session, const char *cid, size_t cid_len) ACCP_NOEXCEPT;

/**
 * Makes the frame of a message, with mid, seq and ts of its own, and keeps it.                                                    Spec 7.2, 3.5.
 *
 * text  JSON, as accp_codec_encode() takes it. Of its own metadata cid, aid, ttl and what is no envelope go along; mid, seq, ts and sid are the session's, so a
 *       message that was received can be sent on as it is.
 * out   the frame: a view into `session` until its next call. Send it as it is, and again if need be: a frame sent twice is applied once. Over
 *       most_tokens, with the rule `parts`, several frames with a newline between two, each with mid and seq of its own; all of them are kept, or none.
 *
 * Where both sides count together (no rule by_sender) its seq may be what frames that came in wait for: they are applied with the next frame that comes in or
 * goes out, and one whose own seq it took is refused then, an ACCP_E3003 of accp_session_next().
 *
 * ACCP_E1001 to E1004 as accp_codec_encode(); ACCP_E2003 over the rule most_tokens, where no parts help, and where too many requests wait; E3003 and E2003 of a sync:state, as accp_session_receive(). Since 1.0.
 */
ACCP_API accp_status accp_session_send(accp_session *session, const char *text, size_t text_len, int64_t now_ms, const char **out,
                                       size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Looks for requests of ours (intents req and qry, sent under the rule deadline_ms) whose deadline has passed: each waits no more, and
 * accp_session_next() hands out an ACCP_E3001 for it. `done`, `fail` or `ack` with its cid end the waiting before, as `cancel` does; `wait` begins it anew.
 * An answer that comes later is a message like any other. Kept in the log, so each is said once, whoever opens the session.  Spec 3.7, 4.1. Since 1.0.
 */
ACCP_API accp_status accp_session_expire(accp_session *session, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/** The earliest deadline, which accp_session_expire() finds passed a millisecond later; INT64_MAX where no request waits. Since 1.0. */
ACCP_API int64_t accp_session_next_deadline(const accp_session *session) ACCP_NOEXCEPT;

/**
 * Makes the frame that sends a frame of ours again, as accp_codec_retry() does, with mid, seq and ts of its own, and keeps it. Only what failed
 * with a retryable code may be sent again (accp_status_retryable()). A request then waits anew.                        Spec 3.7, 10.3.
 *
 * record  the number of the frame's record: accp_delivery.seq of an ACCP_E3001, or accp_session_records() behind accp_session_send(). Of a message in
 *         parts the last one's: all are sent again.
 * out     as accp_session_send().
 *
 * ACCP_E2001: there is no such record; ACCP_ERR_ARG: it is no frame that went out; else as accp_session_send(). Since 1.0.
 */
ACCP_API accp_status accp_session_retry(accp_session *session, uint64_t record, int64_t now_ms, const char **out, size_t *len_out,
                                        accp_error *err) ACCP_NOEXCEPT;

/**
 * Forgets the parts held of messages of a chain (a cid), which will not become whole; of all chains where the length is 0. `cancel` does so too. Room
 * is for 64 messages and 1 MiB, and for 8 and 64 KiB of each agent whatever others hold: more is ACCP_E2003 until one is whole, or forgotten. Kept in the log. Since 1.0.
 */
ACCP_API accp_status accp_session_abandon(accp_session *session, const char *cid, size_t cid_len, int64_t now_ms,
                                          accp_error *err) ACCP_NOEXCEPT;

/**
 * Adds a message that takes no frame to the session: what a user said, what a tool answered, whatever a model should remember. `text`: JSON of a
 * message. A sync:state that does not follow ours changes nothing but the history. ACCP_E1001 for what is no message. Cost: reading it and counting its tokens; a few microseconds. Since 1.0.
 */
ACCP_API accp_status accp_session_append(accp_session *session, const char *text, size_t text_len, int64_t now_ms,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes a checkpoint, as at a phase boundary; done, esc, comp and too many tokens make one by themselves. Where nothing was said since the last one it does nothing.
 * Spec 5.2, 5.3, 7.1. Since 1.0.
 */
ACCP_API accp_status accp_session_checkpoint(accp_session *session, int64_t now_ms, accp_error *err) ACCP_NOEXCEPT;

/**
 * What a model should be given now, instead of the history.                                                                        Spec 2.2, 5; docs/context.md.
 *
 * budget_tokens  the most it may have; 0: as much as is worth it. Hot state is always whole: a budget below it is ACCP_E2003. A larger one does not bring back
 *                what checkpoints have let go: that is what refs are for.
 * out            UTF-8 text: a view into `session` until its next call. Between two checkpoints each text begins with the one before it, so
 *                caches of prompts stay warm.
 * tokens_out     how many it has; may be NULL.
 */
ACCP_API accp_status accp_session_context(accp_session *session, uint64_t budget_tokens, const char **out, size_t *len_out,
                                          uint64_t *tokens_out, accp_error *err) ACCP_NOEXCEPT;

/** Tokens in use and at most, in hot and warm state and in all. Spec 7.1: GetBudget. */
typedef struct accp_budget {
    uint64_t hot_used, hot_max;
    uint64_t warm_used, warm_max;
    uint64_t total_used, total_max;
} accp_budget;

/** The session's budget, into *out. Cost: counts the texts. Since 1.0. */
ACCP_API accp_status accp_session_budget(accp_session *session, accp_budget *out, accp_error *err) ACCP_NOEXCEPT;

/** The number of the newest checkpoint ($warm.ckpt_N), or 0. Since 1.0. */
ACCP_API uint32_t accp_session_checkpoints(const accp_session *session) ACCP_NOEXCEPT;

/** How many records the log has: messages, frames in and out, and marks, counted from 1. Since 1.0. */
ACCP_API uint64_t accp_session_records(const accp_session *session) ACCP_NOEXCEPT;

/** What a record of the log is; `kind` values are letters and never change. */
enum accp_record_kind {
    ACCP_RECORD_RECEIVED = 'R',      /* a frame that came in */
    ACCP_RECORD_SENT = 'S',          /* a frame that went out */
    ACCP_RECORD_MESSAGE = 'M',       /* a message that took no frame: JSON */
    ACCP_RECORD_USED_UP = 'U',       /* a frame that was dropped or refused after its seq had come; no text where it had expired */
    ACCP_RECORD_PHASE = 'P',         /* a checkpoint that was asked for: no text */
    ACCP_RECORD_PART_RECEIVED = 'r', /* a frame that came in: a part, and not the one that made its message whole */
    ACCP_RECORD_PART_SENT = 's',     /* a frame that went out: a part, and not the last */
    ACCP_RECORD_ABANDONED = 'A',     /* parts are held no more: the cid of their chain */
    ACCP_RECORD_REQUEST = 'Q',       /* a frame that went out, of a request with a deadline */
    ACCP_RECORD_TIMEOUT = 'T',       /* the end of waiting for requests whose deadline was before its time: no text */
    ACCP_RECORD_CLOSED = 'Z'         /* the session's end: no text */
};

/**
 * Record `number` of the log, byte for byte as it was said, with its kind and its time (each may be NULL). out: a view into `session` until its next
 * call. ACCP_E2001: there is none. Spec 5.1. Since 1.0.
 */
ACCP_API accp_status accp_session_record(accp_session *session, uint64_t number, int32_t *kind_out, int64_t *time_ms_out, const char **out,
                                         size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * What a ref stands for, as JSON.                                                                                                   Spec 5.1; docs/session.md.
 *
 * text  "$warm.ckpt_1.summary", with its $ or without; a bare key is looked for in hot, then in warm. Of a name with dots the longest key that is there counts, and the
 *       labels behind it lead into its value.
 * out   a view into `session` until its next call.
 *
 * ACCP_E2001: it names nothing; ACCP_E2002: it has expired. Since 1.0.
 */
ACCP_API accp_status accp_session_resolve(accp_session *session, const char *text, size_t text_len, int64_t now_ms, const char **out,
                                          size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * The same of another session, `owner`, that has granted it: what was put or kept there, its messages, checkpoints and shared state, as they were
 * committed in this store. ACCP_E5002 without a grant, whether it is there or not; ACCP_ERR_BUSY while another process writes it. Cost: opens it to read, and
 * for hot.state reads its log from the newest snapshot on. Spec 9.3. Since 1.0.
 */
ACCP_API accp_status accp_session_resolve_of(accp_session *session, const char *owner, size_t owner_len, const char *text, size_t text_len,
                                             int64_t now_ms, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/**
 * Puts a value, in JSON, under a ref of the host's choice, in place of one that is there. tier: hot, warm, cold, or ctx, which frames can read and
 * nothing but this call can write. expires_ms: a time; 0: never. ACCP_E1001: no JSON; ACCP_E1004: no such ref can be. Since 1.0.
 */
ACCP_API accp_status accp_session_put(accp_session *session, const char *ref, size_t ref_len, const char *text, size_t text_len,
                                      int64_t expires_ms, accp_error *err) ACCP_NOEXCEPT;

/** Forgets what was put there; ACCP_OK too where nothing was. Since 1.0. */
ACCP_API accp_status accp_session_erase(accp_session *session, const char *ref, size_t ref_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Lets session `grantee` read values of this one whose name ("cold.t7") begins with `prefix`, until expires_ms (0: for ever). Bytes are compared: "cold.t1" is a prefix
 * of cold.t10 too.                                                                                                               Spec 9.3. Since 1.0.
 */
ACCP_API accp_status accp_session_grant(accp_session *session, const char *grantee, size_t grantee_len, const char *prefix,
                                        size_t prefix_len, int64_t expires_ms, accp_error *err) ACCP_NOEXCEPT;

/** Takes this very grant back: not a part of a wider one. ACCP_OK too where there is none. Since 1.0. */
ACCP_API accp_status accp_session_revoke(accp_session *session, const char *grantee, size_t grantee_len, const char *prefix,
                                         size_t prefix_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Makes this JSON object the state that both sides share, and the frame that tells the other side: all of it the first time, then what changed. Spec 5.4.
 *
 * agent  who says it.
 * out    the frame, as accp_session_send(); of length 0 where nothing changed.
 *
 * ACCP_E1004: no object; ACCP_E2003: over 256 KiB, or over the rule most_tokens. Since 1.0.
 */
ACCP_API accp_status accp_session_send_state(accp_session *session, const char *agent, size_t agent_len, const char *text, size_t text_len,
                                             int64_t now_ms, const char **out, size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

/** The state that both sides share, as JSON, and its version, 0 before the first. A view into `session` until its next call. Since 1.0. */
ACCP_API accp_text accp_session_state(const accp_session *session, int64_t *version_out) ACCP_NOEXCEPT;

/** Returns when everything so far is durable. Since 1.0. */
ACCP_API accp_status accp_session_sync(accp_session *session, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/*
 * Streams (specification 10.4): a long text in chunks, sent under one cid, put in order and together where they arrive. The sending half cuts the text
 * and writes the frames; the receiving half takes chunks in any order and hands them out in order.
 */
#ifndef ACCP_STREAM_H
#define ACCP_STREAM_H


#ifdef __cplusplus
extern "C" {
#endif

/** Receives any number of streams at once. One thread at a time; distinct handles need no lock. */
typedef struct accp_stream accp_stream;

/**
 * One chunk.
 *
 * cid    of its stream.
 * data   the piece.
 * index  from 0.
 * total  how many there will be; 0: not said.
 */
typedef struct accp_chunk {
    accp_text cid;
    accp_text data;
    int64_t index;
    int64_t total;
    int32_t is_final;
    uint32_t reserved; /* 0 */
} accp_chunk;

/** How a stream stands. Values never change. */
enum accp_stream_state {
    ACCP_STREAM_OPEN = 0,
    ACCP_STREAM_COMPLETE = 1, /* closed: the final chunk came, and all before it */
    ACCP_STREAM_ABORTED = 2,  /* closed: `end` came first. What is there is in order; what waited for a missing chunk is gone */
    ACCP_STREAM_CLOSED = 3    /* `end` for a stream that was closed before: nothing */
};

/**
 * What a call brought.
 *
 * data    what follows what was handed out before, in order; empty where a chunk has to wait.
 * whole   all of it, once the stream is complete or aborted; empty with accp_stream_set_keep() 0.
 * chunks  how many have come in order.
 * state   accp_stream_state.
 */
typedef struct accp_stream_part {
    accp_text data;
    accp_text whole;
    int64_t chunks;
    int32_t state;
    uint32_t reserved; /* 0 */
} accp_stream_part;

/** Makes a receiver. options may be NULL; copied: memory_bytes, json_bytes and the allocator count. ACCP_ERR_NOMEM. Since 1.0. */
ACCP_API accp_status accp_stream_new(const accp_options *options, accp_stream **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees a receiver and all views; NULL is nothing. Since 1.0. */
ACCP_API void accp_stream_free(accp_stream *stream) ACCP_NOEXCEPT;

/**
 * Sets what a receiver may hold: bytes of all streams together (default and most 16 MiB), chunks of one stream that wait (1,024), open streams (256).
 * 0 leaves one as it is. ACCP_ERR_ARG beyond, or while a stream is open. Since 1.0.
 */
ACCP_API accp_status accp_stream_set_limits(accp_stream *stream, uint64_t most_bytes, uint32_t most_ahead, uint32_t most_open,
                                            accp_error *err) ACCP_NOEXCEPT;

/** 1 (the default): what came in order is kept, and handed out whole at the end. ACCP_ERR_ARG while a stream is open. Since 1.0. */
ACCP_API accp_status accp_stream_set_keep(accp_stream *stream, int on, accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in one chunk.                                                                                                                Spec 10.4.
 *
 * chunk  borrowed for the call.
 * out    views into `stream` until the next call of add, receive, end or drop. Untouched unless ACCP_OK.
 *
 * ACCP_E1004 for a chunk without a cid; an index that came before, is negative or not below the total; a total other than before; a second final
 * chunk, or one that is not the last; data behind the end (of the newest 1,024 closed streams). ACCP_E2003 beyond a limit. ACCP_ERR_NOMEM. A refused
 * chunk changes nothing. Nothing is allocated by a total. Cost: O(length + chunks that wait). Since 1.0.
 */
ACCP_API accp_status accp_stream_add(accp_stream *stream, const accp_chunk *chunk, accp_stream_part *out, accp_error *err) ACCP_NOEXCEPT;

/** The intent `end` for a stream: it is complete, or aborted. Views and codes as accp_stream_add(). Since 1.0. */
ACCP_API accp_status accp_stream_end(accp_stream *stream, const char *cid, size_t cid_len, accp_stream_part *out,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Takes in a message in JSON, as accp_codec_decode() writes it: of intent `stream` with chunk_index and data in its payload, perhaps total_chunks and
 * is_final, or of intent `end`; its cid is in the metadata. Data that is no string counts as its JSON, each on a line of its own.
 * ACCP_ERR_ARG for any other intent; ACCP_E1001 where it is not JSON, ACCP_E1004 where it is no chunk; else as accp_stream_add(). Since 1.0.
 */
ACCP_API accp_status accp_stream_receive(accp_stream *stream, const char *text, size_t text_len, accp_stream_part *out,
                                         accp_error *err) ACCP_NOEXCEPT;

/** Forgets an open stream and what it holds, as if it had never been (cancelled, timed out). ACCP_ERR_ARG where there is none. Since 1.0. */
ACCP_API accp_status accp_stream_drop(accp_stream *stream, const char *cid, size_t cid_len, accp_error *err) ACCP_NOEXCEPT;

/** How many streams are open. Since 1.0. */
ACCP_API uint32_t accp_stream_count(const accp_stream *stream) ACCP_NOEXCEPT;

/**
 * Cuts the next chunk off a long text: zero a chunk, give it its cid, and call until it is final. Where it is cut no code point is parted, nor, where
 * that is possible, a character from its marks.
 *
 * text        UTF-8, the same in every call; chunk->data is a view into it.
 * most_bytes  of one piece, from 1; a code point is never cut to fit.
 * chunk       in: the chunk before, or one of zeros. out: data, index, is_final; cid and total stay.
 *
 * ACCP_E1004 at a byte that is not UTF-8; ACCP_ERR_CLOSED behind the final chunk. An empty text is one empty chunk. Any thread. Since 1.0.
 */
ACCP_API accp_status accp_chunk_next(const char *text, size_t text_len, uint32_t most_bytes, accp_chunk *chunk,
                                     accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes the frame of a chunk, as accp_codec_encode() writes the message `stream` under the schema ST.                               Spec 10.4.
 *
 * out  a view into `codec` until its next call.
 *
 * ACCP_E1004 without a cid; ACCP_E1003 where the codec's registry has no ST; ACCP_ERR_ARG for a codec without a registry; else as
 * accp_codec_encode(). Since 1.0.
 */
ACCP_API accp_status accp_chunk_encode(accp_codec *codec, accp_text agent, accp_text operation, const accp_chunk *chunk, const char **out,
                                       size_t *len_out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

/* Which library this is: as a number for the preprocessor, and as a question to the loaded library. */
#ifndef ACCP_VERSION_H
#define ACCP_VERSION_H



#define ACCP_VERSION_MAJOR 1
#define ACCP_VERSION_MINOR 0
#define ACCP_VERSION_PATCH 0
#define ACCP_VERSION_STRING "1.0.0"

/* Raised when an old caller would break; the library's file name carries it too (libaccp.so.1). */
#define ACCP_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that is loaded, such as "1.0.0". Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_version(void) ACCP_NOEXCEPT;

/** The ABI version of the library that is loaded: equal to ACCP_ABI_VERSION, or do not go on. Any thread. Since 1.0. */
ACCP_API int32_t accp_abi_version(void) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif

#endif
