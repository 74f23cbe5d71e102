/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * Data as a text for people: a template, a locale and a time zone. What a formatter of SACP does
 * with results (SACP 9D). The language of templates: docs/present.md.
 */
#ifndef ACCP_PRESENT_H
#define ACCP_PRESENT_H

#include "accp/config.h"
#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A template that was read, in a locale. One thread at a time. */
typedef struct accp_presenter accp_presenter;

/**
 * Makes one. ICU, which knows the locales, is loaded the first time, and stays loaded; it is not
 * linked, and takes memory of its own beside memory_bytes.
 *
 * text    the template, UTF-8 without control characters other than ends of lines and tabs; at most
 *         256 KiB. Copied.
 * locale  a tag of BCP 47: "de-DE". Its language is one that ICU knows.
 * zone    a time zone: "Europe/Berlin"; empty: UTC.
 * config  may be NULL; its limits json_bytes, json_depth and memory_bytes hold.
 * out     owned by the caller: accp_presenter_free(). Untouched unless ACCP_OK.
 *
 * ACCP_E1001: no template, the offset is a byte of it. ACCP_E1004: ICU does not know the locale or
 * the zone. ACCP_ERR_IO: ICU is not installed (Debian: libicu72). ACCP_ERR_NOMEM. Cost: linear.
 */
ACCP_API accp_status accp_presenter_new(const char *text, size_t text_len, const char *locale,
                                        size_t locale_len, const char *zone, size_t zone_len,
                                        const accp_config *config, accp_presenter **out,
                                        accp_error *err) ACCP_NOEXCEPT;

/** Frees it; NULL is nothing. */
ACCP_API void accp_presenter_free(accp_presenter *presenter) ACCP_NOEXCEPT;

/**
 * Prints data by the template. A text of the data comes on one line, without control characters,
 * and is never read as a template.
 *
 * text  the data, JSON. Not kept.
 * out   UTF-8; a view until the next call with this handle.
 *
 * ACCP_E1001: the text is no JSON, which err says the byte of; or what is printed passes 16 MiB, or
 * 8 million parts of the template, at the byte of the template that err says, with had and limit.
 * ACCP_E1004: the data has nothing of a name, or not what its slot is for: the offset is the byte
 * of the template where the slot begins. ACCP_ERR_NOMEM. Cost: that of what is printed.
 */
ACCP_API accp_status accp_presenter_print(accp_presenter *presenter, const char *text,
                                          size_t text_len, accp_text *out,
                                          accp_error *err) ACCP_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
