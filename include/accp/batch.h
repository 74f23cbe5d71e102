/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Many frames or messages in one call, one a line: what a binding uses so that a border is crossed
 * once.
 */
#ifndef ACCP_BATCH_H
#define ACCP_BATCH_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Many frames in one call. One thread at a time. */
typedef struct accp_batch accp_batch;

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
 * Makes a batch. config may be NULL; copied. *out is owned by the caller: accp_batch_free().
 * ACCP_ERR_NOMEM.
 */
ACCP_API accp_status accp_batch_new(const accp_config *config, accp_batch **out,
                                    accp_error *err) ACCP_NOEXCEPT;

/** Frees a batch; NULL is nothing. */
ACCP_API void accp_batch_free(accp_batch *batch) ACCP_NOEXCEPT;

/**
 * Parses many frames, one a line (LF; the last may lack it). Every line gets a record; a refused
 * one does not stop the others. The nodes of all frames lie in one array, each frame's offsets and
 * `next` counted from its own line and its own first node. `text` is borrowed while they are read.
 * Fails as a whole only with ACCP_ERR_ARG, or with ACCP_ERR_NOMEM, and then holds no record. Cost:
 * O(text_len).
 */
ACCP_API accp_status accp_batch_parse(accp_batch *batch, const char *text, size_t text_len,
                                      accp_error *err) ACCP_NOEXCEPT;

/**
 * Encodes messages, or decodes frames, as a codec without a registry does: one a line (LF, or CR LF
 * in JSON; an empty line is a record, and refused). Every line gets a record; what was refused does
 * not stop the others. Results lie one after another, each ended by LF, in accp_batch_text();
 * `text` may be freed on return. Fails as a whole only with ACCP_ERR_ARG, or with ACCP_ERR_NOMEM,
 * and then holds no record. Cost: O(text_len).
 */
ACCP_API accp_status accp_batch_encode(accp_batch *batch, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;
ACCP_API accp_status accp_batch_decode(accp_batch *batch, const char *text, size_t text_len,
                                       accp_error *err) ACCP_NOEXCEPT;

/**
 * The records of the last call, *count_out of them, one a line. The view ends with the next parse,
 * encode or decode.
 */
ACCP_API const accp_record *accp_batch_records(const accp_batch *batch,
                                               size_t *count_out) ACCP_NOEXCEPT;

/** The nodes of all frames of accp_batch_parse(), *count_out of them; same lifetime. */
ACCP_API const accp_node *accp_batch_nodes(const accp_batch *batch,
                                           size_t *count_out) ACCP_NOEXCEPT;

/** The results of accp_batch_encode() or accp_batch_decode(), each ended by LF; same lifetime. */
ACCP_API accp_text accp_batch_text(const accp_batch *batch) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
