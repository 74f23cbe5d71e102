/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * The parts that codecs and sessions are made of, for programs that build their own: frames as
 * trees, values, batches of frames, negotiations, streams and deadlines. The rules of accp/accp.h
 * hold here too. accp/accp.h does not include this header.
 *
 * @code
 * accp_value *value = NULL;
 * accp_text json;
 * if (accp_value_new(NULL, &value, NULL) == ACCP_OK &&
 *     accp_value_parse_json(value, "[1, 2]", 6, NULL) == ACCP_OK &&
 *     accp_value_print_json(value, &json, NULL) == ACCP_OK)
 *     printf("%.*s\n", (int)json.len, json.text);
 * accp_value_free(value);
 * @endcode
 */
#ifndef ACCP_PARTS_H
#define ACCP_PARTS_H

#include "accp/batch.h"
#include "accp/deadline.h"
#include "accp/frame.h"
#include "accp/negotiation.h"
#include "accp/stream.h"
#include "accp/value.h"

#endif
