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

/**
 * 0: done. 1, 2: nothing is wrong, see errors.def, which lists them all. From 1001: the
 *    specification's codes. Negative: never on the wire.
 */
typedef int32_t accp_status;

enum {
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) ACCP_##symbol = (number),
#include "accp/errors.def"
#undef ACCP_STATUS
    /* The next enumerator only ends the list. */
    ACCP_STATUS_END_ = 10000
};

/**
 * The detail of one failure. The caller owns it; a call fills it only when it answers something
 * other than ACCP_OK (ACCP_HELD and ACCP_DROPPED too, which are no failures), and leaves it alone
 * otherwise. NULL is taken everywhere.
 *
 * code     the status that the call returned.
 * record   of accp_session_append_messages(): which item of the text, of accp_store_import(): which
 *          line, from 0; else 0. What is wrong with a record of a batch stands in its accp_record.
 * offset   the byte, counted from 0 in the text that was given, that cannot stand: a name that is
 *          at fault (an intent, a schema, a key) begins there, and so does the value of a field.
 *          The length of the text where it ends too early; 0 where no byte of it is at fault.
 * message  static text, one line, no newline; never NULL after a failure. Valid for ever.
 * had      where a limit was passed: how much there was, of what the message names. Of ACCP_E3003
 *          the number that came: a seq, or the version of a state. Else 0.
 * limit    how much there may be; of ACCP_E3003 the number that was awaited. Else 0.
 */
typedef struct accp_error {
    accp_status code;
    uint32_t record;
    uint64_t offset;
    const char *message;
    uint64_t had;
    uint64_t limit;
} accp_error;

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
 * The name of a status: "PARSE_ERROR" for ACCP_E1001; "UNKNOWN" for an unknown number. Static
 * text. Any thread.
 */
ACCP_API const char *accp_status_name(accp_status status) ACCP_NOEXCEPT;

/** One sentence on what a status means; "" for an unknown number. Static text. Any thread. */
ACCP_API const char *accp_status_meaning(accp_status status) ACCP_NOEXCEPT;

/** 1 when sending again may help (specification 3.6), else 0. Any thread. */
ACCP_API int accp_status_retryable(accp_status status) ACCP_NOEXCEPT;

/**
 * A status as errors.def spells it: "E1001" for ACCP_E1001, as on the wire, "ERR_NOMEM" for
 * ACCP_ERR_NOMEM; "UNKNOWN" for an unknown number. Static text. Any thread.
 */
ACCP_API const char *accp_status_code_name(accp_status status) ACCP_NOEXCEPT;

/**
 * The category of a code (accp_category); 0 for a number outside the specification's ranges. Any
 * thread.
 */
ACCP_API int32_t accp_status_category(accp_status status) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
