/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* The sample of the README, as a program that the tests build and run. */
#include <accp/accp.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *message =
        "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\","
        "\"payload\":{\"task\":\"impl_auth\",\"note\":\"Q3 findings\",\"ids\":[7,\"7\"]}}";
    /* sample */
    accp_frame *out_side, *in_side;
    accp_error err;
    const char *frame, *json;
    size_t frame_len, json_len;

    if (accp_frame_new(NULL, &out_side, &err) || accp_frame_new(NULL, &in_side, &err)) return 1;
    if (accp_frame_encode(out_side, message, strlen(message), &frame, &frame_len, &err) ||
        accp_frame_decode(in_side, frame, frame_len, &json, &json_len, &err))
        return fprintf(stderr, "%s at byte %llu: %s\n", accp_status_code(err.code), (unsigned long long)err.offset, err.message), 1;
    printf("%.*s\n%.*s\n", (int)frame_len, frame, (int)json_len, json);
    accp_frame_free(out_side);
    accp_frame_free(in_side);
    /* sample */
    return 0;
}
