/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * How gateways that share a store reach each other: a second table of functions that a library of a
 * back end (accp/store_backend.h) may offer. `accp serve` uses it where it is there: an agent may
 * then be connected to any gateway. libaccp-nats has it over subjects of NATS.
 *
 * What is carried are messages, each to one gateway or to nobody. A bus may lose some, and never
 * turns two of one sender to one receiver round: gateways number what they say, and begin anew
 * where something is missing.
 */
#ifndef ACCP_BUS_H
#define ACCP_BUS_H

#include <stddef.h>
#include <stdint.h>

#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACCP_BUS_VERSION 1u

/** The name of the function that a library with a bus exports: an accp_bus_opener. */
#define ACCP_BUS_ENTRY "accp_bus_entry"

/** What has come by a bus. */
enum accp_bus_news {
    ACCP_BUS_MESSAGE = 1, /* `text`, from some gateway */
    ACCP_BUS_NOBODY = 2,  /* there is no gateway `text` any more: what it was sent last is lost */
    ACCP_BUS_BROKEN = 3   /* the bus was away for a while: anything may be lost */
};

/**
 * Takes what has come; `text` is a view until it returns. Called on a thread of the bus, one call
 * at a time. It calls nothing of the bus, and does not wait.
 */
typedef void (*accp_bus_hear_function)(int32_t news, accp_text text, void *context);

/** The functions, none of them NULL. `user` is the one that the opener gave. */
typedef struct accp_bus {
    uint32_t size;    /* sizeof(accp_bus) */
    uint32_t version; /* ACCP_BUS_VERSION */

    /* The end of `user`: what was sent goes out first, for a second at most. Nothing is heard once
     * it has returned. */
    void (*close)(void *user);

    /* Sends a message to the gateway of this name, and does not wait for it. ACCP_ERR_ARG: it is
     * longer than max_message; ACCP_ERR_IO: the bus cannot be reached; ACCP_ERR_NOMEM. */
    accp_status (*send)(accp_text to, accp_text message, accp_error *err, void *user);

    /* The bytes of the longest message. */
    size_t (*max_message)(void *user);
} accp_bus;

/**
 * What a library exports under ACCP_BUS_ENTRY (with ACCP_API before it): opens the bus of a place.
 *
 * place     the store's name; borrowed. Gateways of the same place reach each other.
 * self      this gateway's name: 1 to 64 letters and digits, which no other ever has; borrowed.
 * hear      is called from now on, until `close`, with `context`.
 * out       the table: static.
 * user_out  goes with the table; ended by its `close`.
 *
 * ACCP_ERR_ARG: no place of this kind, or no such name; ACCP_ERR_IO; ACCP_ERR_NOMEM.
 */
typedef accp_status (*accp_bus_opener)(accp_text place, accp_text self, accp_bus_hear_function hear,
                                       void *context, const accp_bus **out, void **user_out,
                                       accp_error *err);

#ifdef __cplusplus
}
#endif

#endif
