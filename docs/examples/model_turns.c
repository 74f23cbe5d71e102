/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* What a program does between its model and its tools: docs/context.md, "In a program". */
#include <accp/accp.h>
#include <stdio.h>
#include <string.h>

/* README begin */
/* `list`: the whole list of messages, as the host would send it: what is new is appended. *out: the
   messages to send instead, beside the tool accp_interface_tool(ACCP_INTERFACE_OPENAI). */
static accp_status next_request(accp_session *session, const char *list, int64_t now_ms,
                                accp_text *out, accp_error *err) {
    accp_status status = accp_session_append_history(
        session, list, strlen(list), ACCP_INTERFACE_OPENAI, now_ms, NULL, NULL, err);
    if (status != ACCP_OK) return status; /* E3003: the list is not what the session has */
    return accp_session_context_messages(session, ACCP_INTERFACE_OPENAI, 0, out, NULL, err);
}

/* The model called `resolve`: its result, to be sent back and appended like any other. */
static accp_status answer_call(accp_session *session, const char *arguments, int64_t now_ms,
                               accp_text *out, accp_error *err) {
    return accp_session_answer(session, arguments, strlen(arguments), now_ms, out, err);
}
/* README end */

#define FIRST                                                    \
    "[{\"role\":\"system\",\"content\":\"You mend programs.\"}," \
    "{\"role\":\"user\",\"content\":\"What does make say?\"}"

int main(void) {
    static const char *const said[] = {
        FIRST "]", FIRST
        ",{\"role\":\"assistant\",\"content\":\"I run it.\",\"tool_calls\":[{\"id\":\"call_0\","
        "\"type\":\"function\",\"function\":{\"name\":\"make\",\"arguments\":\"{}\"}}]},"
        "{\"role\":\"tool\",\"tool_call_id\":\"call_0\",\"content\":\"make: no rule for all\"}]"};
    accp_engine *engine = NULL;
    accp_session *session = NULL;
    accp_error err;
    accp_text text;
    size_t i;
    int failed = accp_engine_new(NULL, &engine, &err) != ACCP_OK ||
                 accp_session_open(engine, "talk", 4, 0, &session, &err) != ACCP_OK;
    for (i = 0; !failed && i < sizeof said / sizeof *said; ++i) {
        failed = next_request(session, said[i], 1714000000000 + (int64_t)i, &text, &err) != ACCP_OK;
        if (!failed) printf("%.*s\n", (int)text.len, text.text);
    }
    if (!failed)
        failed =
            answer_call(session, "{\"ref\":\"$cold.m4\"}", 1714000000009, &text, &err) != ACCP_OK;
    if (failed) fprintf(stderr, "%s: %s\n", accp_status_code_name(err.code), err.message);
    else printf("%.*s", (int)text.len, text.text);
    accp_session_close(session);
    accp_engine_free(engine);
    return failed;
}
