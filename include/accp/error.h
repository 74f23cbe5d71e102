/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* What a call answers: a status, and on failure the detail in a struct that the caller owns. */
#ifndef ACCP_ERROR_H
#define ACCP_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include "accp/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/** 0: done. 1, 2: nothing is wrong, see the names. From 1001: the specification's codes. Negative: never on the wire. */
typedef int32_t accp_status;

enum {
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) ACCP_##symbol = (number),
#include "accp/errors.def"
#undef ACCP_STATUS
    /* The next enumerator only ends the list. */
    ACCP_STATUS_END_ = 10000
};

/**
 * The detail of one failure. The caller owns it; a call fills it only when it fails, and leaves it alone otherwise.
 *
 * code     the status that the call returned.
 * record   in a batch, the number of the record, from 0; else 0.
 * offset   the byte, counted from 0 in the text that was given, that cannot stand. The length of the text where it ends too early.
 * message  static text, one line, no newline; never NULL after a failure. Valid for ever.
 */
typedef struct accp_error {
    accp_status code;
    uint32_t record;
    uint64_t offset;
    const char *message;
} accp_error;

/** The name of a status: "PARSE_ERROR" for ACCP_E1001; "UNKNOWN" for a number that is none. Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_status_name(accp_status status) ACCP_NOEXCEPT;

/** One sentence on what a status means; "" for a number that is none. Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_status_meaning(accp_status status) ACCP_NOEXCEPT;

/** 1 when sending again may help (specification 3.6), else 0. Any thread. Since 1.0. */
ACCP_API int accp_status_retryable(accp_status status) ACCP_NOEXCEPT;

/** Writes "E1001" for 1001, and the name for a code that never goes on the wire. Static text. Any thread. Since 1.0. */
ACCP_API const char *accp_status_code(accp_status status) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
