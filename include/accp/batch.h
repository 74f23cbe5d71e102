/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Batches: many frames or messages in one call, one per line. Bindings use them to cross the
 * language border once for all lines.
 *
 * @code
 * const char *lines = "@a>req:plan{x:1}\n@a>req:plan{x:\n";
 * accp_batch *batch = NULL;
 * if (accp_batch_new(NULL, &batch, NULL) == ACCP_OK &&
 *     accp_batch_decode(batch, lines, strlen(lines), NULL) == ACCP_OK) {
 *     size_t count = 0;
 *     const accp_record *records = accp_batch_records(batch, &count);
 *     const char *text = accp_batch_text(batch).text;
 *     for (size_t i = 0; i < count; ++i)
 *         if (records[i].status == ACCP_OK)
 *             printf("%.*s\n", (int)records[i].len, text + records[i].offset);
 *         else
 *             printf("line %d: %s\n", (int)i, records[i].message);
 * }
 * accp_batch_free(batch);
 * @endcode
 */
#ifndef ACCP_BATCH_H
#define ACCP_BATCH_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A batch and its memory. One thread at a time. */
typedef struct accp_batch accp_batch;

/** The result for one line of a batch, 48 bytes. */
typedef struct accp_record {
    /** ACCP_OK, or why this line was rejected. That does not affect the other lines. */
    accp_status status;
    /** After accp_batch_parse() the number of nodes of this frame; else 0. */
    uint32_t node_count;
    /** After accp_batch_parse() the index of its first node in accp_batch_nodes(); else 0. */
    uint64_t first_node;
    /** After accp_batch_parse() the first byte of the line in the input. After encode and decode
     * the first byte of the result in accp_batch_text(). */
    uint64_t offset;
    /** The length of that line or result. */
    uint64_t len;
    /** The first byte at fault, counted from the start of the line; 0 on ACCP_OK. */
    uint64_t error_offset;
    /** As in accp_error; NULL on ACCP_OK. */
    const char *message;
} accp_record;

/**
 * Makes a batch.
 *
 * @param out  Owned by the caller: accp_batch_free().
 */
ACCP_API accp_status accp_batch_new(const accp_config *config, accp_batch **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a batch and every view into it. NULL has no effect. */
ACCP_API void accp_batch_free(accp_batch *batch) ACCP_NOEXCEPT;

/**
 * Parses many frames, one per line. Each line gets a record; a rejected line does not stop the
 * others. The nodes of all frames are one array. Offsets and `next` of a frame's nodes count from
 * its own line and its own first node.
 *
 * @param text  Lines ended by LF; the last may lack it. Borrowed while the nodes are read.
 *
 * The call as a whole fails only with ACCP_ERR_ARG or ACCP_ERR_NOMEM; after ACCP_ERR_NOMEM the
 * batch is empty. Cost: O(text_len).
 */
ACCP_API accp_status accp_batch_parse(accp_batch *batch, const char *text, size_t text_len,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes messages, one per line, as a codec without a registry does. Each line gets a record; a
 * rejected line does not stop the others. The results are in accp_batch_text(), each ended by LF.
 *
 * @param text  Lines of JSON ended by LF or CR LF. An empty line gets a record too, and is
 *              rejected. Copied.
 *
 * The call as a whole fails as accp_batch_parse() does. Cost: O(text_len).
 */
ACCP_API accp_status accp_batch_encode(accp_batch *batch, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Decodes frames, one per line, as a codec without a registry does. Records, results and failures
 * are those of accp_batch_encode().
 *
 * @param text  Lines ended by LF. An empty line gets a record too, and is rejected. Copied.
 */
ACCP_API accp_status accp_batch_decode(accp_batch *batch, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * Returns the records of the last call, one per line. They are valid until the next parse, encode
 * or decode.
 *
 * @param count_out  The number of records.
 */
ACCP_API const accp_record *accp_batch_records(const accp_batch *batch,
                                               size_t *count_out) ACCP_NOEXCEPT;

/**
 * Returns the nodes of all frames of accp_batch_parse(). They are valid as long as the records.
 *
 * @param count_out  The number of nodes.
 */
ACCP_API const accp_node *accp_batch_nodes(const accp_batch *batch,
                                           size_t *count_out) ACCP_NOEXCEPT;

/**
 * Returns the results of accp_batch_encode() or accp_batch_decode(), each ended by LF. They are
 * valid as long as the records.
 */
ACCP_API accp_text accp_batch_text(const accp_batch *batch) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
