/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Error frames: `@agent>fail:error{code:E3001|msg:connection_timed_out|retry:true|schema:ER}`. A
 * frame fail:error under the schema ER says that the protocol failed; any other `fail` is a result
 * of the application's own, and no error of this kind.
 */
#ifndef ACCP_FAILURE_H
#define ACCP_FAILURE_H

#include "accp/codec.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

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
 * What an error frame says.
 *
 * code     the number of the code: ACCP_E3001 for E3001. A peer's may be one that this version has
 *          no name for; ACCP_E9999 where it is none.
 * retry    reading: 1 where sending again may help. Writing: not looked at, the table says it
 *          (accp_status_retryable()).
 * agent    who says it; must be given.
 * message  one line for people. Writing: empty for the name of the code ("TIMEOUT").
 * detail, source   more about it, and where it happened ("api.crm"); empty: none.
 * cid      the correlation id of what failed; empty: none. Written in the metadata; read there,
 *          else in the payload.
 */
typedef struct accp_failure {
    accp_status code;
    int32_t retry;
    accp_text agent;
    accp_text message;
    accp_text detail;
    accp_text source;
    accp_text cid;
} accp_failure;

/**
 * The category of a code (accp_category); 0 for a number outside the specification's ranges. Any
 * thread.
 */
ACCP_API int32_t accp_status_category(accp_status status) ACCP_NOEXCEPT;

/**
 * Writes an error frame, as accp_codec_encode() writes the same message: under the codec's
 * extensions and envelope.                   Spec 3.6.
 *
 * failure  borrowed for the call; its code is one that the specification defines, else
 *          ACCP_ERR_ARG.
 * out      a view into `codec` until its next call.
 *
 * ACCP_ERR_ARG for a codec without a registry; else fails as accp_codec_encode(): ACCP_E1004 for
 * text that has no spelling under the extensions in force.
 */
ACCP_API accp_status accp_failure_encode(accp_codec *codec, const accp_failure *failure,
                                         const char **out, size_t *len_out,
                                         accp_error *err) ACCP_NOEXCEPT;

/**
 * Reads a frame that may be an error frame.
 * Spec 3.6.
 *
 * out  its code is 0 where the frame is not one; else texts are views into `codec` until its next
 *      call. A detail that is no string is left empty here, and stands in what accp_codec_decode()
 *      answers.
 *
 * ACCP_ERR_ARG for a codec without a registry; else fails as accp_codec_decode().
 */
ACCP_API accp_status accp_failure_decode(accp_codec *codec, const char *text, size_t text_len,
                                         accp_failure *out, accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
