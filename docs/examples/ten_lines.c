/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

#include <accp/accp.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    accp_codec *out_side, *in_side;
    accp_text frame, json;
    accp_error err;
    if (argc != 2 || accp_codec_new(NULL, &out_side, &err) || accp_codec_new(NULL, &in_side, &err))
        return 2;
    if (accp_codec_encode(out_side, argv[1], strlen(argv[1]), &frame, &err) ||
        accp_codec_decode(in_side, frame.text, frame.len, &json, &err))
        return fprintf(stderr, "%s at byte %llu: %s\n", accp_status_code_name(err.code),
                       (unsigned long long)err.offset, err.message),
               1;
    printf("%.*s\n%.*s\n", (int)frame.len, frame.text, (int)json.len, json.text);
    return accp_codec_free(out_side), accp_codec_free(in_side), 0;
}
