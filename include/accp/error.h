/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Statuses and errors. Every call that can fail returns an accp_status. If that is not ACCP_OK, the
 * call fills the caller's accp_error with the details. errors.def lists all statuses.
 *
 * @code
 * accp_codec *codec = NULL;
 * accp_text frame;
 * accp_error err;
 * if (accp_codec_new(NULL, &codec, &err) != ACCP_OK ||
 *     accp_codec_encode(codec, "{}", 2, &frame, &err) != ACCP_OK)
 *     printf("%s at byte %llu: %s%s\n", accp_status_code_name(err.code),
 *            (unsigned long long)err.offset, err.message,
 *            accp_status_is_retryable(err.code) ? " (try again)" : "");
 * accp_codec_free(codec);
 * @endcode
 */
#ifndef ACCP_ERROR_H
#define ACCP_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include "accp/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The result of a call: 0 means success. 1 and 2 are not failures (errors.def). From 1001 it is a
 * code of the specification. Negative numbers never go on the wire.
 */
typedef int32_t accp_status;

/** The values of accp_status: ACCP_OK, ACCP_E1001, ACCP_ERR_NOMEM and the others of errors.def. */
enum {
/** Makes an enumerator of a row of errors.def. */
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) ACCP_##symbol = (number),
#include "accp/errors.def"
#undef ACCP_STATUS
    /** Not a status: it only ends the list. */
    ACCP_STATUS_END_ = 10000
};

/**
 * The details of a failure. The caller owns it. A call fills it if it returns anything but ACCP_OK
 * (ACCP_HELD and ACCP_DROPPED included), and otherwise leaves it unchanged. Every call accepts NULL
 * in its place.
 */
typedef struct accp_error {
    /** The status that the call returned. */
    accp_status code;
    /** The item or line at fault, counted from 0: an item for accp_session_append_messages(), a
     * line for accp_store_import(). Else 0. A record of a batch has its error in its own
     * accp_record. */
    uint32_t record;
    /** The first byte at fault, counted from 0 in the input text. If a name (an intent, a schema, a
     * key) or the value of a field is at fault, this is its first byte. If the text ends too
     * early, this is its length. 0 if no byte is at fault. */
    uint64_t offset;
    /** Static text: one line, without a newline. It is never NULL after a failure, and stays
     * valid. */
    const char *message;
    /** If a limit was exceeded: how much there was of what the message names. For ACCP_E3003: the
     * number that was received, a seq or the version of a state. Else 0. */
    uint64_t had;
    /** The limit that was exceeded. For ACCP_E3003: the number that was expected. Else 0. */
    uint64_t limit;
} accp_error;

/** The categories of errors: the first digit of the code. Numbers never change. */
enum accp_category {
    ACCP_CATEGORY_NONE = 0,     /**< Not a code of the specification. */
    ACCP_CATEGORY_PARSE = 1,    /**< E1xxx: parsing, grammar. */
    ACCP_CATEGORY_STATE = 2,    /**< E2xxx: the state store. */
    ACCP_CATEGORY_DELIVERY = 3, /**< E3xxx: transport, delivery. */
    ACCP_CATEGORY_TOOL = 4,     /**< E4xxx: tools, MCP. */
    ACCP_CATEGORY_POLICY = 5,   /**< E5xxx: policy, authorization. */
    ACCP_CATEGORY_INTERNAL = 9  /**< E9xxx: internal, unknown. */
};

/**
 * Returns the name of a status: "PARSE_ERROR" for ACCP_E1001; "UNKNOWN" for an unknown number.
 * Static text. Any thread.
 */
ACCP_API const char *accp_status_name(accp_status status) ACCP_NOEXCEPT;

/**
 * Returns one sentence on the meaning of a status; "" for an unknown number. Static text. Any
 * thread.
 */
ACCP_API const char *accp_status_meaning(accp_status status) ACCP_NOEXCEPT;

/** Returns 1 if sending again may help after this status, else 0. Any thread. Spec 3.6. */
ACCP_API int accp_status_is_retryable(accp_status status) ACCP_NOEXCEPT;

/**
 * Returns a status as errors.def spells it: "E1001" for ACCP_E1001, as on the wire; "ERR_NOMEM" for
 * ACCP_ERR_NOMEM; "UNKNOWN" for an unknown number. Static text. Any thread.
 */
ACCP_API const char *accp_status_code_name(accp_status status) ACCP_NOEXCEPT;

/**
 * Returns the category of a status (accp_category), or 0 for a number outside the specification's
 * ranges. A number in a range has its category even if this version has no name for it: a later
 * version may define it. Any thread.
 */
ACCP_API int32_t accp_status_category(accp_status status) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
