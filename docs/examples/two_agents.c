/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

#include <accp/accp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define TRY(call)                                                                    \
    if ((call) != ACCP_OK)                                                           \
    return fprintf(stderr, "%s at byte %llu: %s\n", accp_status_code_name(err.code), \
                   (unsigned long long)err.offset, err.message),                     \
           1

/*
 * Two agents: the planner sends a message, the worker receives its frame, and has a context for its
 * model.
 */
int main(void) {
    const char *message =
        "{\"agent\":\"planner\",\"intent\":\"req\",\"operation\":\"schedule\",\"payload\":{"
        "\"task\":\"impl_auth\",\"priority\":\"high\"}}";
    const int64_t now = (int64_t)time(NULL) * 1000;
    accp_error err;

    /* README begin */
    accp_engine *here, *there;
    accp_session *planner, *worker;
    accp_delivery in;
    accp_text frame, text;
    uint64_t tokens;
    TRY(accp_engine_new(NULL, &here, &err));
    TRY(accp_engine_new(NULL, &there, &err));
    TRY(accp_session_open(here, "planner", 7, 0, &planner, &err));
    TRY(accp_session_open(there, "worker", 6, 0, &worker, &err));

    TRY(accp_session_send(planner, message, strlen(message), now, &frame, &err));
    printf("%.*s\n", (int)frame.len, frame.text);
    TRY(accp_session_receive(worker, frame.text, frame.len, now, NULL, &err));
    while (accp_session_next_delivery(worker, &in))
        printf("%.*s\n", (int)in.message.len, in.message.text);
    TRY(accp_session_context(worker, 0, &text, &tokens, &err));
    printf("%.*s(%llu tokens)\n", (int)text.len, text.text, (unsigned long long)tokens);
    /* README end */

    accp_session_close(planner);
    accp_session_close(worker);
    accp_engine_free(here);
    accp_engine_free(there);
    return 0;
}
