/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Values: any JSON value, without loss. Numbers keep their digits, strings are UTF-8, and keys may
 * be any text. A value is an array of 16-byte nodes over one text. It comes from JSON, from a
 * frame, or is built piece by piece. Reuse one handle for many values: once it has enough memory,
 * its calls allocate nothing.
 *
 * @code
 * accp_value *value = NULL;
 * accp_text json;
 * if (accp_value_new(NULL, &value, NULL) == ACCP_OK &&
 *     accp_value_begin(value, ACCP_MAP, NULL, 0, NULL) == ACCP_OK &&
 *     accp_value_add(value, ACCP_STRING, "task", 4, "auth", 4, NULL) == ACCP_OK &&
 *     accp_value_add(value, ACCP_INT, "hours", 5, "3", 1, NULL) == ACCP_OK &&
 *     accp_value_end(value, NULL) == ACCP_OK &&
 *     accp_value_print_json(value, &json, NULL) == ACCP_OK)
 *     printf("%.*s\n", (int)json.len, json.text);  // {"task":"auth","hours":3}
 * accp_value_free(value);
 * @endcode
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
 * Makes an empty value.
 *
 * @param out  Owned by the caller: accp_value_free().
 */
ACCP_API accp_status accp_value_new(const accp_config *config, accp_value **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a value and every view into it. NULL has no effect. */
ACCP_API void accp_value_free(accp_value *value) ACCP_NOEXCEPT;

/** Empties a value and keeps its memory. Views into it end. NULL has no effect. */
ACCP_API void accp_value_reset(accp_value *value) ACCP_NOEXCEPT;

/**
 * Returns the whole tree. Node 0 is the root. Returns NULL only for a NULL value.
 *
 * @param count_out  The number of nodes; 0 for an empty value.
 *
 * The view is valid until the next call that changes the value.
 */
ACCP_API const accp_node *accp_value_nodes(const accp_value *value,
                                           size_t *count_out) ACCP_NOEXCEPT;

/**
 * Returns the text that the nodes point into, with all escapes of strings and keys removed. It is
 * not JSON: read it only through the nodes. It is valid as long as accp_value_nodes().
 */
ACCP_API accp_text accp_value_text(const accp_value *value) ACCP_NOEXCEPT;

/**
 * Returns the index of the child with this key, or 0 if no child has it (node 0 is never a child).
 * The value must be complete: an array or map has its children only after accp_value_end() has
 * closed it. Cost: linear in the number of children.
 *
 * @param parent  The index of a map.
 */
ACCP_API uint32_t accp_value_find(const accp_value *value, uint32_t parent, const char *key,
                                  size_t key_len) ACCP_NOEXCEPT;

/**
 * Parses one JSON text (RFC 8259). The result replaces the value. On failure the value is empty.
 *
 * @param text  UTF-8, without terminator or padding; copied.
 *
 * Errors: ACCP_E1001 if it is not JSON, has a duplicate key, or is over the limit json_bytes.
 * ACCP_E1004 for invalid UTF-8, a lone surrogate, a key of more than 65,535 bytes, or a depth over
 * json_depth. Cost: O(text_len); the stack is constant.
 */
ACCP_API accp_status accp_value_parse_json(accp_value *value, const char *text, size_t text_len,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints a value as compact JSON: no white space, keys in their order, numbers as they were
 * written, refs as `{"$ref":"warm.key"}`.
 *
 * @param out  A view into the value, until the next call that changes or prints it.
 *
 * Errors: ACCP_ERR_ARG for an empty or incomplete value. Cost: O(n).
 */
ACCP_API accp_status accp_value_print_json(accp_value *value, accp_text *out,
                                           accp_error *err) ACCP_NOEXCEPT;

/**
 * Appends a scalar: as the root, or as a child of the innermost open array or map. It is copied,
 * and views into the value end. A failed call changes nothing.
 *
 * @param kind  ACCP_NULL, ACCP_BOOL, ACCP_INT, ACCP_DEC, ACCP_NUMBER, ACCP_STRING or ACCP_REF. For
 *              the three kinds of numbers the text decides which one it becomes.
 * @param key   The key, inside a map; else NULL.
 * @param text  For a bool "true" or "false". For a number a JSON number, whose digits are kept. For
 *              a string UTF-8, NUL included. For a ref "warm.key", without the `$`. Empty for null.
 *
 * Errors: ACCP_ERR_ARG for a missing or unexpected key, a value that is already complete, another
 * kind, or a bool with another text. ACCP_E1001 for more than 2^30 bytes of text. ACCP_E1004 for
 * text that does not fit its kind (the offset counts in the text or key), or a key of more than
 * 65,535 bytes.
 */
ACCP_API accp_status accp_value_add(accp_value *value, int32_t kind, const char *key,
                                    size_t key_len, const char *text, size_t text_len,
                                    accp_error *err) ACCP_NOEXCEPT;

/**
 * Opens an array or a map. Everything that is added goes into it until accp_value_end(). The key
 * and the errors are those of accp_value_add(), and ACCP_E1004 for a depth over json_depth.
 *
 * @param kind  ACCP_ARRAY or ACCP_MAP.
 */
ACCP_API accp_status accp_value_begin(accp_value *value, int32_t kind, const char *key,
                                      size_t key_len, accp_error *err) ACCP_NOEXCEPT;

/**
 * Closes the innermost open array or map. Returns ACCP_E1001 if a map has a duplicate key: the
 * value can then only be reset.
 */
ACCP_API accp_status accp_value_end(accp_value *value, accp_error *err) ACCP_NOEXCEPT;

/**
 * Prints the hash form of a value: two values are equal exactly if their hash forms are. It is RFC
 * 8785 (keys sorted by UTF-16 code units, no white space, the shortest escapes), but numbers are
 * printed from their exact decimal digits, never through a double. Numbers are equal by value: -0
 * is 0. A ref is `{"$ref":"warm.key"}`.
 *
 * @param out  A view into the value, until the next call that changes or prints it.
 *
 * Errors: ACCP_ERR_ARG for an incomplete value. ACCP_E1004 for an exponent of more than 18 digits.
 * Cost: O(n log n) in the number of children of the largest map.
 */
ACCP_API accp_status accp_value_print_hash_form(accp_value *value, accp_text *out,
                                                accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
