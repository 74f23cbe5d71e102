/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

#include <accp/accp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/*
 * session_lines STORE MESSAGE...: appends the messages to a session that outlives the program, and
 * prints the context for a model.
 */
int main(int argc, char **argv) {
    accp_config *config;
    accp_store *store;
    accp_engine *engine;
    accp_session *session;
    accp_text text;
    uint64_t tokens;
    accp_error err;
    int i, failed = argc < 2 || accp_config_new(&config, &err) ||
                    accp_store_open(argv[1], strlen(argv[1]), 0, config, &store, &err);
    if (failed) return 2;
    if (accp_config_set_store(config, store, &err) || accp_engine_new(config, &engine, &err) ||
        accp_session_open(engine, "demo", 4, 0, &session, &err))
        return 2;
    for (i = 2; i < argc && !failed; ++i)
        failed = accp_session_append(session, argv[i], strlen(argv[i]), (int64_t)time(NULL) * 1000,
                                     &err) != ACCP_OK;
    failed = failed || accp_session_context(session, 0, &text, &tokens, &err) != ACCP_OK;
    if (failed)
        printf("%s at byte %llu: %s\n", accp_status_code_name(err.code),
               (unsigned long long)err.offset, err.message);
    else printf("%.*s\n(%llu tokens)\n", (int)text.len, text.text, (unsigned long long)tokens);
    accp_session_close(session);
    accp_engine_free(engine);
    accp_store_close(store, NULL);
    accp_config_free(config);
    return failed;
}
