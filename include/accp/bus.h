/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * A bus connects gateways that share a store. It is a second table of functions that a back end's
 * library (accp/store_backend.h) may export. With it `accp serve` lets an agent connect to any
 * gateway. libaccp-nats implements it with NATS subjects.
 *
 * A bus carries messages, each to one gateway. It may lose messages, but never reorders those from
 * one sender to one receiver. Gateways number their messages, and start over if some are missing.
 *
 * @code
 * // Sends a message to another gateway, over the bus of a store.
 * accp_status greet(accp_bus_opener open, accp_text store, accp_text self, accp_text other,
 *                   accp_bus_hear_function hear) {
 *     const accp_bus *bus;
 *     void *user;
 *     accp_status status = open(store, self, hear, NULL, &bus, &user, NULL);
 *     if (status == ACCP_OK) {
 *         status = bus->send(other, self, NULL, user);
 *         bus->close(user);
 *     }
 *     return status;
 * }
 * @endcode
 */
#ifndef ACCP_BUS_H
#define ACCP_BUS_H

#include <stddef.h>
#include <stdint.h>

#include "accp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The version of accp_bus. */
#define ACCP_BUS_VERSION 1u

/** The name of the function that a library with a bus exports: an accp_bus_opener. */
#define ACCP_BUS_ENTRY "accp_bus_entry"

/** The reports of a bus to a gateway. */
enum accp_bus_news {
    /** `text` is a message from another gateway. */
    ACCP_BUS_MESSAGE = 1,
    /** The gateway `text` no longer exists; the last messages to it are lost. */
    ACCP_BUS_NOBODY = 2,
    /** The bus was interrupted; any message may be lost. */
    ACCP_BUS_BROKEN = 3
};

/**
 * Receives a report. It runs on a thread of the bus, one call at a time. It must not call the bus,
 * and must not block.
 *
 * @param news     accp_bus_news.
 * @param text     A view until it returns.
 * @param context  As passed to the opener.
 */
typedef void (*accp_bus_hear_function)(int32_t news, accp_text text, void *context);

/** The functions of a bus, none of them NULL. `user` is the one that the opener returned. */
typedef struct accp_bus {
    /** sizeof(accp_bus). */
    uint32_t size;
    /** ACCP_BUS_VERSION. */
    uint32_t version;

    /** Ends `user`. It first waits up to a second until all messages are sent. Afterwards nothing
     * is received any more. */
    void (*close)(void *user);

    /** Sends a message to the gateway with this name, without waiting. ACCP_ERR_ARG if it is longer
     * than max_message; ACCP_ERR_IO if the bus cannot be reached; ACCP_ERR_NOMEM. */
    accp_status (*send)(accp_text to, accp_text message, accp_error *err, void *user);

    /** Returns the maximum length of a message in bytes. */
    size_t (*max_message)(void *user);
} accp_bus;

/**
 * The function that a library exports under the name ACCP_BUS_ENTRY, declared with ACCP_API. It
 * opens the bus of a place.
 *
 * @param place     The name of the store; borrowed. Gateways of the same place are connected.
 * @param self      The name of this gateway: 1 to 64 letters and digits, never used by another one;
 *                  borrowed.
 * @param hear      Called from now on, until `close`.
 * @param context   Passed to `hear`.
 * @param out       The table; static.
 * @param user_out  The context of the table's functions; ended by its `close`.
 *
 * Errors: ACCP_ERR_ARG if the name of the place or of the gateway is invalid; ACCP_ERR_IO;
 * ACCP_ERR_NOMEM.
 */
typedef accp_status (*accp_bus_opener)(accp_text place, accp_text self, accp_bus_hear_function hear,
                                       void *context, const accp_bus **out, void **user_out,
                                       accp_error *err);

#ifdef __cplusplus
}
#endif

#endif
