/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

#include <accp/accp.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    accp_frame *out_side, *in_side;
    const char *frame, *json;
    size_t frame_len, json_len;
    accp_error err;
    if (argc != 2 || accp_frame_new(NULL, &out_side, &err) || accp_frame_new(NULL, &in_side, &err))
        return 2;
    if (accp_frame_encode(out_side, argv[1], strlen(argv[1]), &frame, &frame_len, &err) ||
        accp_frame_decode(in_side, frame, frame_len, &json, &json_len, &err))
        return fprintf(stderr, "%s at byte %llu: %s\n", accp_status_code(err.code),
                       (unsigned long long)err.offset, err.message),
               1;
    printf("%.*s\n%.*s\n", (int)frame_len, frame, (int)json_len, json);
    return accp_frame_free(out_side), accp_frame_free(in_side), 0;
}
