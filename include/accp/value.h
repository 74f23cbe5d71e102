/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A value: any JSON value, exactly. Numbers keep their digits, strings are UTF-8, keys may be any
 * text. It is a flat array of 16-byte nodes over one text, made by accp_value_parse_json(), by
 * accp_frame_payload(), or piece by piece, and kept in one handle that is used again and
 * again: warm, none of these calls takes memory from the heap.
 */
#ifndef ACCP_VALUE_H
#define ACCP_VALUE_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A value and its memory. One thread at a time; distinct values need no lock. */
typedef struct accp_value accp_value;

/**
 * Makes an empty value. config may be NULL for every default; copied. *out is owned by the caller:
 * accp_value_free(). ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_value_new(const accp_config *config, accp_value **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a value; NULL is nothing. */
ACCP_API void accp_value_free(accp_value *value) ACCP_NOEXCEPT;

/** Empties a value and keeps its memory for the next. Views into it end. NULL is nothing. */
ACCP_API void accp_value_reset(accp_value *value) ACCP_NOEXCEPT;

/**
 * The whole tree in one call: node 0 is the root, *count_out the number of nodes (0 for an empty
 * value). The view ends with the next call that changes the value. NULL only for a NULL value.
 */
ACCP_API const accp_node *accp_value_nodes(const accp_value *value,
                                           size_t *count_out) ACCP_NOEXCEPT;

/**
 * The text that the nodes point into, strings and keys with every escape taken out; lives as long
 * as accp_value_nodes(). It is no JSON text: read it through the nodes only.
 */
ACCP_API accp_text accp_value_text(const accp_value *value) ACCP_NOEXCEPT;

/**
 * The index of the child of node `parent`, a map, that has this key, or 0 where there is none (node
 * 0 is never a child). Ask complete values: an array or map has its children only once
 * accp_value_end() has closed it. Cost: linear in the number of children.
 */
ACCP_API uint32_t accp_value_find(const accp_value *value, uint32_t parent, const char *key,
                                  size_t key_len) ACCP_NOEXCEPT;

/**
 * Reads one JSON text (RFC 8259) into a value, which it replaces.
 *
 * text  UTF-8, no terminator or padding needed; may be freed on return.
 *
 * On failure the value is empty. ACCP_E1001: not JSON, a duplicate key, or over a limit
 * (json_bytes). ACCP_E1004: invalid UTF-8, a lone surrogate, a key of more than 65,535 bytes, or
 * deeper than json_depth. ACCP_ERR_NOMEM. Cost: O(len); stack constant.
 */
ACCP_API accp_status accp_value_parse_json(accp_value *value, const char *text, size_t text_len,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Writes a value as compact JSON: no white space, keys in their order, numbers as they were
 * written, refs as {"$ref":"warm.key"}. *out is a view into the value, until the next call that
 * changes it or prints it. ACCP_ERR_ARG for an empty or incomplete value; ACCP_ERR_NOMEM. Cost:
 * O(n).
 */
ACCP_API accp_status accp_value_print_json(accp_value *value, accp_text *out,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends a value: the root, or a child of the innermost open array or map. Copied; any view into
 * `value` ends, and a call that fails changes nothing.
 *
 * kind  of a scalar. ACCP_INT, ACCP_DEC and ACCP_NUMBER are one here: what the text is, it becomes.
 * key   in a map, and only there; else NULL.
 * text  of a bool "true" or "false"; of a number a JSON number, any digits, kept as written; of a
 *       string UTF-8, NUL included; of a ref "warm.key", without the `$`; of null nothing.
 *
 * ACCP_ERR_ARG for a key that is missing or superfluous, a value that is complete already, another
 * kind, or a bool that is none. ACCP_E1001 for more than 2^30 bytes of text. ACCP_E1004 for text
 * that is not of its kind (the offset counts in the text, or in the key), or a key of more than
 * 65,535 bytes. ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_value_add(accp_value *value, int32_t kind, const char *key,
                                    size_t key_len, const char *text, size_t text_len,
                                    accp_error *err) ACCP_NOEXCEPT;

/**
 * Opens an array or a map (ACCP_ARRAY, ACCP_MAP); what is added goes into it until
 * accp_value_end(). Key and failures as accp_value_add(); ACCP_E1004 beyond json_depth.
 */
ACCP_API accp_status accp_value_begin(accp_value *value, int32_t kind, const char *key,
                                      size_t key_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Closes the innermost open array or map. ACCP_E1001 for a map that has a key twice:
 * accp_value_reset() is then the way on.
 */
ACCP_API accp_status accp_value_end(accp_value *value, accp_error *err) ACCP_NOEXCEPT;

/**
 * The hash form: the text to compare and to hash values by. RFC 8785 (keys sorted by UTF-16 code
 * units, no white space, the shortest escapes), with numbers laid out as it says but from their
 * exact decimal digits, never through a double: two values have one hash form exactly when they are
 * equal, numbers compared by value (-0 is 0). A ref is {"$ref":"warm.key"}.
 *
 * *out is a view into the value, until the next call that changes it or prints it. ACCP_ERR_ARG for
 * an incomplete value; ACCP_E1004 for an exponent of more than 18 digits; ACCP_ERR_NOMEM. Cost: O(n
 * log n) in the number of children of the largest map.
 */
ACCP_API accp_status accp_value_print_hash_form(accp_value *value, accp_text *out,
                                                accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
