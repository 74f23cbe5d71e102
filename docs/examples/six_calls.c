/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

#include <accp/accp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
    const char *json =
        "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\","
        "\"payload\":{\"task\":\"impl_auth\",\"priority\":\"high\"}}";
    const int64_t now_ms = (int64_t)time(NULL) * 1000;
    accp_engine *engine = NULL;
    accp_session *ours = NULL, *theirs = NULL;
    accp_text frame, context;
    accp_delivery message;
    accp_error err;
    int failed = 1;
    if (accp_engine_new(NULL, &engine, &err) != ACCP_OK ||                    /* 1: settings */
        accp_session_open(engine, "planner", 7, 0, &ours, &err) != ACCP_OK || /* 2: both sides */
        accp_session_open(engine, "worker", 6, 0, &theirs, &err) != ACCP_OK ||
        accp_session_send(ours, json, strlen(json), now_ms, &frame, &err) != ACCP_OK ||     /* 3 */
        accp_session_receive(theirs, frame.text, frame.len, now_ms, NULL, &err) != ACCP_OK) /* 4 */
        goto end;
    while (accp_session_next_delivery(theirs, &message)) /* 5: what the host acts on */
        printf("%.*s\n", (int)message.message.len, message.message.text);
    if (accp_session_context(theirs, 0, &context, NULL, &err) != ACCP_OK) /* 6: for the model */
        goto end;
    printf("%.*s", (int)context.len, context.text);
    failed = 0;
end:
    if (failed) fprintf(stderr, "%s: %s\n", accp_status_code_name(err.code), err.message);
    accp_session_close(ours);
    accp_session_close(theirs);
    accp_engine_free(engine);
    return failed;
}
