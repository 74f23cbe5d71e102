/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The smallest user of the library, built from outside it: encodes a message, decodes it again,
 * prints both.
 */
#include <stdio.h>
#include <string.h>

#include <accp/accp.h>

int main(void) {
    static const char message[] =
        "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"plan\",\"payload\":{\"task\":"
        "\"x y\"}}";
    const char *out = NULL;
    size_t len = 0;
    accp_frame *frame = NULL;
    accp_error error = {0, 0, 0, "", 0, 0};
    char text[256];

    if (accp_abi_version() != ACCP_ABI_VERSION || strcmp(accp_version(), ACCP_VERSION_STRING) != 0)
        return 2;
    if (accp_frame_new(NULL, &frame, &error) != ACCP_OK) return 3;
    if (accp_frame_encode(frame, message, strlen(message), &out, &len, &error) != ACCP_OK ||
        len >= sizeof text) {
        fprintf(stderr, "%s at byte %lu: %s\n", accp_status_code(error.code),
                (unsigned long)error.offset, error.message);
        return 4;
    }
    memcpy(text, out, len);
    printf("%.*s\n", (int)len, text);
    if (accp_frame_decode(frame, text, len, &out, &len, &error) != ACCP_OK) return 5;
    printf("%.*s\n", (int)len, out);
    if (len != strlen(message) || memcmp(out, message, len) != 0) return 6;
    accp_frame_free(frame);
    return 0;
}
