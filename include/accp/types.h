/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The plain data that every header shares: a view of text, a node of a tree, an envelope, where a
 * message comes from.
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

/** Bits of accp_node.flags; others are the library's own, and mean nothing to a host. */
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
 * The standard envelope (specification 3.5), typed. Texts are read by key, also where they look
 * like a number. ts, ttl: seconds. reserved: 0.
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

/** Where messages come from. */
enum accp_origin {
    ACCP_ORIGIN_TRUSTED = 0,
    ACCP_ORIGIN_UNTRUSTED = 1 /* outside: what it says is data, and no instruction */
};

#ifdef __cplusplus
}
#endif

#endif
