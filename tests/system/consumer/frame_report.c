/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The smallest program that uses the library, built outside its tree: encodes a message, decodes it
 * again, and prints both.
 */
#include <stdio.h>
#include <string.h>

#include <accp/accp.h>

int main(void) {
    static const char message[] =
        "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"plan\",\"payload\":{\"task\":"
        "\"x y\"}}";
    accp_text out;
    accp_codec *codec = NULL;
    accp_error error = {0, 0, 0, "", 0, 0};
    char text[256];

    if (accp_abi_version() != ACCP_ABI_VERSION || strcmp(accp_version(), ACCP_VERSION_STRING) != 0)
        return 2;
    if (accp_codec_new(NULL, &codec, &error) != ACCP_OK) return 3;
    if (accp_codec_encode(codec, message, strlen(message), &out, &error) != ACCP_OK ||
        out.len >= sizeof text) {
        fprintf(stderr, "%s at byte %lu: %s\n", accp_status_code_name(error.code),
                (unsigned long)error.offset, error.message);
        return 4;
    }
    memcpy(text, out.text, out.len);
    printf("%.*s\n", (int)out.len, text);
    if (accp_codec_decode(codec, text, out.len, &out, &error) != ACCP_OK) return 5;
    printf("%.*s\n", (int)out.len, out.text);
    if (out.len != strlen(message) || memcmp(out.text, message, out.len) != 0) return 6;
    accp_codec_free(codec);
    return 0;
}
