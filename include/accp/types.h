/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The plain data types that all headers share: a view of text, a node of a tree, an envelope, the
 * origin of a message. They have no functions of their own.
 *
 * @code
 * const char *text = "@planner>req:schedule{task:impl_auth}";
 * accp_frame *frame = NULL;
 * if (accp_frame_new(NULL, &frame, NULL) == ACCP_OK &&
 *     accp_frame_parse(frame, text, strlen(text), NULL) == ACCP_OK) {
 *     size_t count = 0;
 *     const accp_node *nodes = accp_frame_nodes(frame, &count);
 *     // The children of node 3, the payload, with their keys.
 *     for (uint32_t i = 4; i < nodes[3].next; i = nodes[i].next)
 *         printf("%.*s = %.*s\n", (int)nodes[i].key_len, text + ACCP_NODE_KEY(&nodes[i]),
 *                (int)nodes[i].len, text + nodes[i].offset);
 * }
 * accp_frame_free(frame);
 * @endcode
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
 * A view of bytes that something else owns. It is not ended by NUL. The function that returns it
 * states how long it is valid.
 */
typedef struct accp_text {
    const char *text; /**< The first byte; may be NULL if `len` is 0. */
    size_t len;       /**< The length in bytes. */
} accp_text;

/** The kinds of nodes. Numbers never change. */
enum accp_kind {
    ACCP_NULL = 1,   /**< In a frame: ~ */
    ACCP_BOOL = 2,   /**< The flag ACCP_NODE_TRUE has the value. */
    ACCP_INT = 3,    /**< `-?(0|[1-9][0-9]*)`, any number of digits, not -0. */
    ACCP_DEC = 4,    /**< An integer, a point, and digits: exact, never a double. */
    ACCP_NUMBER = 5, /**< Any other JSON number, as it was written: -0, 1e-9. Only in values. */
    ACCP_STRING = 6, /**< A string. */
    ACCP_REF = 7,    /**< `$warm.key`: the node's text is warm.key. */
    ACCP_ARRAY = 8,  /**< `len` is the number of elements. */
    ACCP_MAP = 9,    /**< `len` is the number of entries; each child has a key. */
    ACCP_NAME = 10   /**< The agent, intent or operation of a frame. */
};

/** Bits of accp_node.flags. All other bits are internal: ignore them. */
enum accp_node_flag {
    /** The value of an ACCP_BOOL is true. */
    ACCP_NODE_TRUE = 1,
    /** Only in frames: the text has a backslash before delimiters. accp_frame_string() removes
     * them. */
    ACCP_NODE_ESCAPED = 2,
    /** Only in frames: a string that only the compat dialect accepts (with a bare @ or :). */
    ACCP_NODE_LOOSE = 4
};

/**
 * One node of a tree, 16 bytes. The nodes are one array in the order of the text, parents before
 * children. One call returns the whole tree (accp_frame_nodes(), accp_value_nodes()), over a text
 * that does not move.
 *
 * The children of node i are i + 1, then nodes[i + 1].next, and so on, up to nodes[i].next.
 */
typedef struct accp_node {
    /** accp_kind. */
    uint8_t kind;
    /** Bits of accp_node_flag. */
    uint8_t flags;
    /** The length of the key of a map's child; else 0. ACCP_NODE_KEY has its position. A key may be
     * empty in a value, but never in a frame. */
    uint16_t key_len;
    /** The byte at which the node's text begins. For ACCP_ARRAY and ACCP_MAP it is the opening
     * bracket. In a value, ACCP_NULL and ACCP_BOOL may have no text: use `kind` and `flags`. */
    uint32_t offset;
    /** The length of the node's text in bytes. For ACCP_ARRAY and ACCP_MAP it is the number of
     * children. */
    uint32_t len;
    /** The index of the first node after this one and all its descendants. */
    uint32_t next;
} accp_node;

/**
 * Returns the byte at which the key of `node` begins in the text of its tree. Only for children of
 * a map. The key ends just before offset - 1, or before offset - 2 for a ref, as a ref's text
 * begins after its `$`.
 */
#define ACCP_NODE_KEY(node) \
    ((node)->offset - 1u - (node)->key_len - ((node)->kind == ACCP_REF ? 1u : 0u))

/** Bits of accp_envelope.fields: the fields that are present. */
enum accp_envelope_field {
    ACCP_ENVELOPE_MID = 1,  /**< The envelope has a mid. */
    ACCP_ENVELOPE_SEQ = 2,  /**< It has a seq. */
    ACCP_ENVELOPE_TS = 4,   /**< It has a ts. */
    ACCP_ENVELOPE_CID = 8,  /**< It has a cid. */
    ACCP_ENVELOPE_AID = 16, /**< It has an aid. */
    ACCP_ENVELOPE_SID = 32, /**< It has an sid. */
    ACCP_ENVELOPE_TTL = 64  /**< It has a ttl. */
};

/** The standard envelope, with types. Spec 3.5. */
typedef struct accp_envelope {
    uint32_t fields;   /**< Bits of accp_envelope_field. */
    uint32_t reserved; /**< Reserved: 0. */
    int64_t seq;       /**< The sequence number. */
    int64_t ts;        /**< The time at which it was sent, in seconds since 1970. */
    int64_t ttl;       /**< How long it is valid, in seconds. */
    accp_text mid;     /**< The message id; text, even if it looks like a number. */
    accp_text cid;     /**< The correlation id. */
    accp_text aid;     /**< The mid of the message that it answers or was caused by. */
    accp_text sid;     /**< The session id. */
} accp_envelope;

/** The origin of messages. */
enum accp_origin {
    ACCP_ORIGIN_TRUSTED = 0,  /**< The message may instruct. */
    ACCP_ORIGIN_UNTRUSTED = 1 /**< From outside: its content is data, not an instruction. */
};

#ifdef __cplusplus
}
#endif

#endif
