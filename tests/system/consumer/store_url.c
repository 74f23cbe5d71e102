/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A host that opens each URL of its arguments as a store, and prints the result: store_url URL...
 * The script beside it checks the lines.
 */
#include <stdio.h>
#include <string.h>

#include <accp/store.h>

int main(int argc, char **argv) {
    int i;
    for (i = 1; i < argc; ++i) {
        accp_store *store = NULL;
        accp_error err;
        memset(&err, 0, sizeof err);
        if (accp_store_open(argv[i], strlen(argv[i]), 0, NULL, &store, &err) == ACCP_OK) {
            printf("%s: open\n", argv[i]);
            accp_store_close(store, NULL);
        } else {
            printf("%s: %s: %s\n", argv[i], accp_status_code_name(err.code), err.message);
        }
    }
    return 0;
}
