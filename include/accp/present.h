/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Presenters print data as text for people, by a template, a locale and a time zone, as a formatter
 * of SACP does with results (SACP 9D). docs/sacp.md describes the template language.
 *
 * @code
 * const char *form = "Total: {price, currency, EUR}", *json = "{\"price\":1234.5}";
 * accp_presenter *presenter = NULL;
 * accp_text text;
 * accp_error err;
 * if (accp_presenter_new(form, strlen(form), "de-DE", 5, "Europe/Berlin", 13, NULL, &presenter,
 *                        &err) == ACCP_OK &&
 *     accp_presenter_print(presenter, json, strlen(json), &text, &err) == ACCP_OK)
 *     printf("%.*s\n", (int)text.len, text.text);
 * else
 *     fprintf(stderr, "byte %llu: %s\n", (unsigned long long)err.offset, err.message);
 * accp_presenter_free(presenter);
 * @endcode
 */
#ifndef ACCP_PRESENT_H
#define ACCP_PRESENT_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A parsed template with a locale. One thread at a time. */
typedef struct accp_presenter accp_presenter;

/**
 * Makes a presenter. The first call loads ICU, which has the locales. ICU stays loaded; it is not
 * linked, and its memory does not count in memory_bytes.
 *
 * @param text    The template, UTF-8, at most 256 KiB. Line ends and tabs are the only control
 *                characters allowed. Copied.
 * @param locale  A BCP 47 tag ("de-DE") whose language ICU has.
 * @param zone    A time zone ("Europe/Berlin"); empty: UTC.
 * @param config  Its limits json_bytes, json_depth and memory_bytes are used.
 * @param out     Owned by the caller: accp_presenter_free().
 *
 * Errors: ACCP_E1001 for an invalid template; the offset is a byte of it. ACCP_E1004 for an unknown
 * locale or zone. ACCP_ERR_IO if ICU is not installed (Debian: libicu72). Cost: linear.
 */
ACCP_API accp_status accp_presenter_new(const char *text, size_t text_len, const char *locale,
                                        size_t locale_len, const char *zone, size_t zone_len,
                                        const accp_config *config, accp_presenter **out,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Frees a presenter and every view into it. NULL has no effect. */
ACCP_API void accp_presenter_free(accp_presenter *presenter) ACCP_NOEXCEPT;

/**
 * Prints data by the template. A string of the data is printed on one line, without control
 * characters, and is never parsed as a template.
 *
 * @param text  The data, JSON; not kept.
 * @param out   UTF-8: a view into `presenter` until its next call.
 *
 * Errors: ACCP_E1001 with a byte of the data if it is not JSON; also with a byte of the template,
 * had and limit, if the output exceeds 16 MiB or 8 million parts of the template. ACCP_E1004 if the
 * data lacks a name or has a wrong type for a slot; the offset is the byte of the template at which
 * the slot begins. Cost: linear in the output.
 */
ACCP_API accp_status accp_presenter_print(accp_presenter *presenter, const char *text,
                                          size_t text_len, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
