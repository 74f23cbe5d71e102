/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The plain data that every header shares: a view of text, a node, a record of a batch; and the
 * options.
 */
#ifndef ACCP_TYPES_H
#define ACCP_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "accp/error.h"
#include "accp/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A view of bytes that somebody else owns; not ended by NUL. The function that hands it out says
 * how long it lives.
 */
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
    /* on ACCP_BOOL: true */
    ACCP_NODE_TRUE = 1,
    /* frames only: the text holds \ before delimiters; accp_frame_string() takes them out */
    ACCP_NODE_ESCAPED = 2,
    /* frames only: a string that only the compat dialect takes (a bare @ or :) */
    ACCP_NODE_LOOSE = 4
};

/**
 * One node of a tree, 16 bytes. Nodes lie in one array in the order of the text, parents before
 * children; the whole tree is handed out in one call (accp_frame_nodes(), accp_value_nodes()) over
 * a text that stays where it is.
 *
 * offset, len  where the node's text begins in that text, and its length in bytes. For ACCP_ARRAY
 *              and ACCP_MAP offset is where the bracket stands, and len counts the children. In a
 *              value, ACCP_NULL and ACCP_BOOL may be without text: ask kind and flags.
 * key_len      for a child of a map: the key is the key_len bytes that end just before offset - 1
 *              (ACCP_NODE_KEY). A ref's text begins after its `$`, so its key ends before offset -
 *              2. Else 0; a key may be empty in a value, never in a frame.
 * next         the index of the first node after this one and all its children. Children of node i
 *              are i + 1, then nodes[i + 1].next, and so on, up to nodes[i].next.
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
#define ACCP_NODE_KEY(node) \
    ((node)->offset - 1u - (node)->key_len - ((node)->kind == ACCP_REF ? 1u : 0u))

/**
 * One record of a batch, 48 bytes.
 *
 * status      ACCP_OK, or why this record was refused. The others stand.
 * node_count  accp_batch_parse(): how many nodes this frame has, from first_node on; else 0.
 * offset,len  accp_batch_parse(): the frame's line in the input. Encode and decode: the result in
 *             accp_batch_text().
 * error_offset, message  as in accp_error, the offset counted from the beginning of this record's
 *                        line; 0 and NULL on ACCP_OK.
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
    /* payloads by position, under a schema of the agreed registry; implies q1. To be negotiated:
     * options do not take it */
    ACCP_EXT_P1 = 8
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
    /* "json_depth": of accp_json_parse(), and of a value being built; default 1,024 (1 to 1,024) */
    ACCP_LIMIT_JSON_DEPTH = 6,
    /* "memory_bytes": what one handle may hold; default 1 GiB (65,536 or more) */
    ACCP_LIMIT_MEMORY_BYTES = 7
};

/**
 * Where a handle takes its memory from. Both functions are called from whatever thread uses the
 * handle; `alloc` may answer NULL, which becomes ACCP_ERR_NOMEM, and else memory aligned for any
 * type, as malloc does; `release` is told the size that was asked for. One without the other is
 * ACCP_ERR_ARG; `user` must live as long as they. Without an allocator, the library's private one
 * is used: the host's malloc is left alone. One thing comes from neither: the index that reading
 * JSON needs (four bytes for each byte of the largest text, given back after large ones) is
 * simdjson's, from the global operator new; it is bounded by json_bytes and not counted in
 * memory_bytes.
 */
typedef struct accp_allocator {
    void *(*alloc)(size_t size, void *user);
    void (*release)(void *memory, size_t size, void *user);
    void *user;
} accp_allocator;

/**
 * How a handle behaves. Made once, read by every accp_…_new(), which copies it: free it when you
 * like.
 */
typedef struct accp_options accp_options;

/**
 * Makes options with every default. *out is owned by the caller: accp_options_free().
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_options_new(accp_options **out, accp_error *err) ACCP_NOEXCEPT;

/** Frees options; NULL is nothing. */
ACCP_API void accp_options_free(accp_options *options) ACCP_NOEXCEPT;

/**
 * Sets the dialect that frames are read in (default ACCP_STRICT). ACCP_ERR_ARG for a number that is
 * none.
 */
ACCP_API accp_status accp_options_set_dialect(accp_options *options, int32_t dialect,
                                              accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets the extensions in force, as bits of accp_extension (default ACCP_EXT_Q1); implied ones are
 * added.
 */
ACCP_API accp_status accp_options_set_extensions(accp_options *options, uint32_t extensions,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: payload keys are abbreviated when encoding and expanded when decoding (specification 4.2):
 *    both sides must have it. Default 0. Since
 * 1.0.
 */
ACCP_API accp_status accp_options_set_abbreviate(accp_options *options, int on,
                                                 accp_error *err) ACCP_NOEXCEPT;

/**
 * 1: decoding writes a ref as {"$ref":"warm.key"}, and encoding makes a ref of such an object. 0
 *    (default): decoding a ref is ACCP_E2001,
 * and such an object is like any other.
 */
ACCP_API accp_status accp_options_set_keep_refs(accp_options *options, int on,
                                                accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets one limit of accp_limit. ACCP_ERR_ARG for an unknown limit, or a value out of its range.
 */
ACCP_API accp_status accp_options_set_limit(accp_options *options, int32_t limit, uint64_t value,
                                            accp_error *err) ACCP_NOEXCEPT;

/**
 * Names one member of a JSON message to pass over when encoding, where it would be refused; call it
 * again for more. Copied. ACCP_ERR_ARG for an empty name or one with a NUL in it; ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_options_ignore(accp_options *options, const char *text, size_t text_len,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets how many pieces of text a counter remembers the counts of, at 16 bytes each: 4 to 2^20,
 * rounded down to a power of two. Default 16384. More helps on prose with many different words.
 * ACCP_ERR_ARG beyond.
 */
ACCP_API accp_status accp_options_set_token_cache(accp_options *options, uint32_t entries,
                                                  accp_error *err) ACCP_NOEXCEPT;

/**
 * Sets where memory comes from; the struct is copied, its functions must outlive every handle.
 * NULL: the default.
 */
ACCP_API accp_status accp_options_set_allocator(accp_options *options,
                                                const accp_allocator *allocator,
                                                accp_error *err) ACCP_NOEXCEPT;

/** The number of the limit of that name ("frame_bytes"), or -1. */
ACCP_API int32_t accp_limit_find(const char *text, size_t text_len) ACCP_NOEXCEPT;

/**
 * The name of a limit, or NULL where it is out of range: count from 0 to list them all. Static
 * text.
 */
ACCP_API const char *accp_limit_name(int32_t limit) ACCP_NOEXCEPT;

/** The value that a limit has where nobody set it, or 0 where it is out of range. */
ACCP_API uint64_t accp_limit_default(int32_t limit) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
