/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Calls the whole C face once from C99, to show that it compiles as C, links, and works without a
 * line of C++.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp() */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accp/accp.h"
#include "accp/parts.h"

static int failures;

static void check(int good, const char *what, int line) {
    if (good) return;
    ++failures;
    fprintf(stderr, "line %d: not so: %s\n", line, what);
}
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static int is(const char *text, size_t len, const char *expected) {
    return len == strlen(expected) && !memcmp(text, expected, len);
}
static int is_text(accp_text text, const char *expected) {
    return is(text.text, text.len, expected);
}
static int same(accp_text a, accp_text b) {
    return a.len == b.len && !memcmp(a.text, b.text, a.len);
}

static accp_text hash_of(const accp_registry *registry) {
    accp_registry_info info;
    CHECK(accp_registry_describe(registry, &info, NULL) == ACCP_OK);
    return info.hash;
}

static const char *const kMessage =
    "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":\"a "
    "b\"},\"extra\":1}";

static accp_config *configured(void) {
    accp_config *config = NULL;
    CHECK(accp_config_new(&config, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_DIALECT, ACCP_STRICT, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_Q1 | ACCP_EXT_T1, NULL) ==
          ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_ABBREVIATE, 0, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, NULL) == ACCP_OK);
    CHECK(accp_config_set_limit(config, accp_limit_find("depth", 5), 8, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_TOKEN_CACHE, 4096, NULL) == ACCP_OK);
    CHECK(accp_config_add_ignored(config, "extra", 5, NULL) == ACCP_OK);
    CHECK(accp_config_set_allocator(config, NULL, NULL) == ACCP_OK);
    CHECK(accp_config_set_store(config, NULL, NULL) == ACCP_OK);
    CHECK(accp_config_set_registry(config, NULL, NULL) == ACCP_OK);
    CHECK(accp_config_set_tokenizer(config, NULL, NULL) == ACCP_OK);
    CHECK(accp_config_set_hooks(config, NULL, NULL) == ACCP_OK);
    CHECK(accp_config_set_schema(config, NULL, 0, NULL) == ACCP_OK);
    CHECK(strcmp(accp_limit_name(ACCP_LIMIT_DEPTH), "depth") == 0);
    CHECK(strcmp(accp_rule_name(ACCP_RULE_PARTS), "parts") == 0 &&
          accp_rule_name(ACCP_RULE_REDACT_SECRETS + 1) == NULL);
    CHECK(accp_rule_find("parts", 5) == ACCP_RULE_PARTS && accp_rule_find("part", 4) == -1);
    CHECK(accp_limit_default(ACCP_LIMIT_DEPTH) == 5);
    return config;
}

static void statuses(void) {
    CHECK(strcmp(accp_status_name(ACCP_E1001), "PARSE_ERROR") == 0);
    CHECK(strcmp(accp_status_code_name(ACCP_E1001), "E1001") == 0);
    CHECK(strlen(accp_status_meaning(ACCP_ERR_NOMEM)) > 0);
    CHECK(accp_status_is_retryable(ACCP_E3003) == 1);
    CHECK(strcmp(accp_version(), ACCP_VERSION_STRING) == 0);
    CHECK(accp_abi_version() == ACCP_ABI_VERSION);
}

static void values(const accp_config *config, accp_frame *frame) {
    accp_value *value = NULL;
    accp_text out = {0};
    size_t count = 0;
    accp_text agent = {"a", 1}, intent = {"req", 3}, operation = {"x", 1};
    CHECK(accp_value_new(config, &value, NULL) == ACCP_OK);
    CHECK(accp_value_begin(value, ACCP_MAP, NULL, 0, NULL) == ACCP_OK);
    CHECK(accp_value_add(value, ACCP_NULL, "n", 1, NULL, 0, NULL) == ACCP_OK);
    CHECK(accp_value_add(value, ACCP_BOOL, "b", 1, "true", 4, NULL) == ACCP_OK);
    CHECK(accp_value_begin(value, ACCP_ARRAY, "l", 1, NULL) == ACCP_OK);
    CHECK(accp_value_add(value, ACCP_INT, NULL, 0, "-7", 2, NULL) == ACCP_OK);
    CHECK(accp_value_add(value, ACCP_NUMBER, NULL, 0, "1.50", 4, NULL) == ACCP_OK);
    CHECK(accp_value_add(value, ACCP_STRING, NULL, 0, "a b", 3, NULL) == ACCP_OK);
    CHECK(accp_value_add(value, ACCP_REF, NULL, 0, "warm.k", 6, NULL) == ACCP_OK);
    CHECK(accp_value_end(value, NULL) == ACCP_OK);
    CHECK(accp_value_end(value, NULL) == ACCP_OK);
    CHECK(accp_value_nodes(value, &count) != NULL && count == 8);
    CHECK(accp_value_text(value).len > 0);
    CHECK(accp_value_find(value, 0, "l", 1) == 3);
    CHECK(accp_value_print_json(value, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "{\"n\":null,\"b\":true,\"l\":[-7,1.50,\"a b\",{\"$ref\":\"warm.k\"}]}"));
    CHECK(accp_value_print_hash_form(value, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "{\"b\":true,\"l\":[-7,1.5,\"a b\",{\"$ref\":\"warm.k\"}],\"n\":null}"));
    CHECK(accp_frame_build(frame, agent, intent, operation, value, NULL, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "@a>req:x{n:~|b:true|l:[-7,1.5,\"a_b\",$warm.k]}"));
    CHECK(accp_value_parse_json(value, "[1]", 3, NULL) == ACCP_OK);
    accp_value_reset(value);
    accp_value_free(value);
}

static void frames(const accp_config *config, accp_frame *frame) {
    static const char text[] = "@a>req:x{k:12}[mid:a00000000001,seq:7]";
    accp_text out = {0};
    char buffer[12];
    size_t len = 0, count = 0;
    int64_t number = 0;
    accp_envelope envelope;
    accp_value *value = NULL;
    const accp_node *nodes;
    CHECK(accp_frame_parse(frame, text, sizeof text - 1, NULL) == ACCP_OK);
    nodes = accp_frame_nodes(frame, &count);
    CHECK(count == 8 && nodes[4].kind == ACCP_INT && text[ACCP_NODE_KEY(&nodes[4])] == 'k');
    CHECK(accp_frame_text(frame).text == text && accp_frame_text(frame).len == sizeof text - 1);
    CHECK(accp_frame_find(frame, 3, "k", 1) == 4);
    CHECK(accp_frame_int(frame, 4, &number, NULL) == ACCP_OK && number == 12);
    CHECK(accp_frame_string(frame, 4, buffer, sizeof buffer, &len, NULL) == ACCP_OK &&
          is(buffer, len, "12"));
    CHECK(accp_frame_print(frame, &out, NULL) == ACCP_OK && is_text(out, text));
    CHECK(accp_frame_envelope(frame, &envelope, NULL) == ACCP_OK && envelope.seq == 7);
    CHECK(accp_value_new(config, &value, NULL) == ACCP_OK);
    CHECK(accp_frame_payload(frame, value, NULL) == ACCP_OK);
    CHECK(accp_frame_meta(frame, value, NULL) == ACCP_OK);
    accp_value_free(value);
    CHECK(accp_mid_format(1, 2, 3, buffer, NULL) == ACCP_OK && is(buffer, 12, "b02000000003"));
    CHECK(accp_frame_set_envelope(frame, &envelope, NULL) == ACCP_OK);
    CHECK(accp_frame_set_envelope(frame, NULL, NULL) == ACCP_OK);
}

static void batches(const accp_config *config) {
    accp_batch *batch = NULL;
    size_t count = 0;
    CHECK(accp_batch_new(config, &batch, NULL) == ACCP_OK);
    CHECK(accp_batch_parse(batch, "@a>req:x{}\n", 11, NULL) == ACCP_OK);
    CHECK(accp_batch_records(batch, &count) != NULL && count == 1);
    CHECK(accp_batch_nodes(batch, &count) != NULL && count == 4);
    CHECK(accp_batch_encode(batch, kMessage, strlen(kMessage), NULL) == ACCP_OK);
    CHECK(is_text(accp_batch_text(batch), "@a>req:x{k:\"a_b\"}\n"));
    CHECK(accp_batch_decode(batch, "@a>req:x{}", 10, NULL) == ACCP_OK);
    accp_batch_free(batch);
}

static int64_t count_bytes(const char *text, size_t len, void *user) {
    (void)text;
    (void)user;
    return (int64_t)len;
}

static void tokens(const accp_config *config) {
    accp_tokenizer *tokenizer = NULL;
    accp_counter *counter = NULL;
    const uint32_t *ids = NULL;
    accp_text out = {0};
    uint64_t number = 0;
    size_t count = 0;
    CHECK(accp_tokenizer_builtin_name(0) != NULL);
    CHECK(accp_tokenizer_new_callback("own", 3, 0, count_bytes, NULL, config, &tokenizer, NULL) ==
          ACCP_OK);
    accp_tokenizer_free(tokenizer);
    CHECK(accp_tokenizer_new_tiktoken("own", 3, "llama3", 6, "", 0, config, &tokenizer, NULL) ==
          ACCP_E1004);
    CHECK(accp_tokenizer_new_json("own", 3, "{}", 2, config, &tokenizer, NULL) == ACCP_E1004);
    CHECK(accp_tokenizer_new("o200k_base", 10, config, &tokenizer, NULL) == ACCP_OK);
    CHECK(is_text(accp_tokenizer_name(tokenizer), "o200k_base"));
    CHECK(!accp_tokenizer_is_approximate(tokenizer) &&
          accp_tokenizer_token_count(tokenizer) == 199998);
    CHECK(accp_counter_new(tokenizer, config, &counter, NULL) == ACCP_OK);
    CHECK(accp_counter_count(counter, "hello world", 11, UINT64_MAX, &number, NULL) == ACCP_OK &&
          number == 2);
    CHECK(accp_counter_count(counter, "hello world", 11, 1, &number, NULL) == ACCP_OK &&
          number == 2);
    CHECK(accp_counter_encode(counter, "hello world", 11, &ids, &count, NULL) == ACCP_OK &&
          count == 2);
    CHECK(accp_counter_decode(counter, ids, count, &out, NULL) == ACCP_OK &&
          is_text(out, "hello world"));
    CHECK(accp_counter_append(counter, "hello", 5, NULL) == ACCP_OK);
    CHECK(accp_counter_total(counter, &number, NULL) == ACCP_OK && number == 1);
    accp_counter_reset(counter);
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
}

static void renders(const accp_config *config) {
    static const char text[] = "@a req:x k: a b";
    accp_render *render = NULL;
    accp_text out = {0};
    CHECK(accp_render_new(config, &render, NULL) == ACCP_OK);
    CHECK(accp_render_json(render, kMessage, strlen(kMessage), 0, &out, NULL) == ACCP_OK &&
          is(out.text, out.len, text));
    CHECK(accp_render_frame(render, "@a>req:x{k:\"a_b\"}", 17, 0, &out, NULL) == ACCP_OK &&
          is(out.text, out.len, text));
    CHECK(accp_render_parse(render, text, strlen(text), &out, NULL) == ACCP_OK);
    CHECK(accp_render_row_count("t:(a)[12]:", 10) == 12 &&
          accp_render_row_count(text, strlen(text)) == 0);
    accp_render_free(render);
}

/* Passes the frames of one side to the other, until it has no more. */
static void carry(accp_negotiation *from, accp_negotiation *to, accp_frame *frame) {
    accp_text out = {0};
    for (;;) {
        CHECK(accp_negotiation_next_frame(from, &out, NULL) == ACCP_OK);
        if (!out.len) return;
        CHECK(accp_frame_parse(frame, out.text, out.len, NULL) == ACCP_OK);
        CHECK(accp_negotiation_receive(to, frame, NULL) == ACCP_OK);
    }
}

static accp_negotiation *negotiation(const char *agent, const accp_registry *registry,
                                     const accp_tokenizer *tokenizer, int64_t extensions) {
    accp_negotiation *made = NULL;
    accp_config *config = NULL;
    CHECK(accp_config_new(&config, NULL) == ACCP_OK);
    CHECK(accp_config_set_registry(config, registry, NULL) == ACCP_OK);
    CHECK(accp_config_set_tokenizer(config, tokenizer, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, extensions, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_CHUNK_BYTES, 300, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_MERGES, 1, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_PARTS, tokenizer == NULL, NULL) == ACCP_OK);
    CHECK(accp_negotiation_new(agent, 1, config, &made, NULL) == ACCP_OK);
    accp_config_free(config);
    return made;
}

static void negotiations(const accp_registry *mine, const accp_registry *theirs,
                         accp_frame *frame) {
    accp_tokenizer *tokenizer = NULL;
    accp_negotiation *a, *b;
    accp_agreement one, other;
    accp_config *config = NULL;
    int i;
    CHECK(accp_tokenizer_new("o200k_base", 10, NULL, &tokenizer, NULL) == ACCP_OK);
    a = negotiation("a", mine, tokenizer, ACCP_EXT_T1 | ACCP_EXT_P1);
    b = negotiation("b", theirs, NULL, ACCP_EXT_P1);
    CHECK(accp_negotiation_add_known(a, theirs, NULL) == ACCP_OK);
    CHECK(accp_negotiation_timeout(a, NULL) == ACCP_OK);
    CHECK(accp_negotiation_agreement(a, &one, NULL) == ACCP_OK);
    CHECK(one.state == ACCP_NEGOTIATION_OPEN && one.registry == NULL);
    CHECK(accp_config_new(&config, NULL) == ACCP_OK);
    CHECK(accp_config_set_agreement(config, &one, NULL) == ACCP_ERR_ARG);
    for (i = 0; i < 4; ++i) {
        carry(a, b, frame);
        carry(b, a, frame);
    }
    CHECK(accp_negotiation_agreement(a, &one, NULL) == ACCP_OK);
    CHECK(accp_negotiation_agreement(b, &other, NULL) == ACCP_OK);
    CHECK(one.state == ACCP_NEGOTIATION_AGREED && other.state == ACCP_NEGOTIATION_AGREED);
    CHECK(other.features == (ACCP_FEATURE_MERGES | ACCP_FEATURE_SENDERS));
    CHECK(other.extensions == (ACCP_EXT_Q1 | ACCP_EXT_P1));
    CHECK(same(hash_of(one.registry), hash_of(other.registry)));
    CHECK(same(hash_of(other.peer), hash_of(mine)));
    CHECK(is_text(other.peer_tokenizer, "o200k_base"));
    CHECK(accp_config_set_agreement(config, &other, NULL) == ACCP_OK);
    accp_config_free(config);
    accp_negotiation_free(a);
    accp_negotiation_free(b);
    accp_tokenizer_free(tokenizer);
}

static void remove_tree(const char *directory) {
    const char *names[] = {"/.agentwire/feedback/pane-2.md",
                           "/.agentwire/feedback",
                           "/.agentwire/made",
                           "/.agentwire/context",
                           "/.agentwire/lock",
                           "/.agentwire",
                           ""};
    char path[128];
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; ++i) {
        snprintf(path, sizeof path, "%s%s", directory, names[i]);
        CHECK(remove(path) == 0);
    }
}

static accp_status embed(const accp_text *texts, size_t count, accp_vectors *out, void *user) {
    static const float kOnes[64] = {1, 1, 1, 1, 1, 1, 1, 1};
    size_t i;
    for (i = 0; i < count; ++i) *(size_t *)user += texts[i].len + (*texts[i].text != 0);
    out->numbers = kOnes;
    out->count = count;
    out->dimension = 1;
    out->model.text = "ones";
    out->model.len = 4;
    return out->size == sizeof *out && count <= 8 ? ACCP_OK : ACCP_ERR_ARG;
}

/* Smaller packets, the next version, and a question to both. */
static void packets_asked(const accp_config *config) {
    const char *text =
        "{\"version\":1,\"created\":\"2024-01-15T10:30:00Z\",\"creator\":\"a\","
        "\"target_task\":\"Add login\",\"context\":{\"goal\":\"g\",\"decisions\":[\"Use JWT\","
        "\"24h expiry\"]}}";
    accp_packet *packet = NULL, *old = NULL;
    accp_packet_index *index = NULL;
    accp_text out;
    uint64_t tokens = 0;
    size_t embedded = 0;
    CHECK(accp_packet_new(config, &packet, NULL) == ACCP_OK);
    CHECK(accp_packet_new(config, &old, NULL) == ACCP_OK);
    CHECK(accp_packet_parse(packet, text, strlen(text), 0, NULL) == ACCP_OK);
    CHECK(accp_packet_parse(old, text, strlen(text), 0, NULL) == ACCP_OK);
    CHECK(accp_packet_print_layers(packet, ACCP_PACKET_DECISIONS, &out, NULL) == ACCP_OK &&
          is_text(out, "## Decisions\n- Use JWT\n- 24h expiry\n"));
    CHECK(accp_packet_layer_tokens(packet, ACCP_PACKET_DECISIONS, &tokens, NULL) == ACCP_OK);
    CHECK(tokens > 5 && tokens < accp_packet_tokens(packet));
    CHECK(accp_packet_filter(packet, NULL, 0, 0.5, embed, &embedded, NULL) == ACCP_OK);
    CHECK(embedded > 20 && accp_packet_score(packet, ACCP_PACKET_DECISION, 2) == 1);
    CHECK(accp_packet_extract_patterns(packet, 2, NULL) == ACCP_OK);
    CHECK(accp_packet_fade(packet, 2, 0, NULL) == ACCP_OK);
    CHECK(accp_packet_merge_decisions(packet, NULL) == ACCP_OK);
    CHECK(accp_packet_revise(packet, old, "Merged", 6, NULL) == ACCP_OK);
    CHECK(accp_packet_print_diff(packet, old, &out, NULL) == ACCP_OK && out.len > 100);
    CHECK(accp_packet_index_new(config, &index, NULL) == ACCP_OK);
    CHECK(accp_packet_index_add(index, packet, NULL) == ACCP_OK);
    CHECK(accp_packet_index_count(index) == 1);
    CHECK(accp_packet_index_query(index, "Which login was chosen?", 23, NULL, 0, &out, NULL) ==
              ACCP_OK &&
          memcmp(out.text, "{\"answer\":\"JWT with 24h expiry\"", 31) == 0);
    accp_packet_index_free(index);
    accp_packet_free(old);
    accp_packet_free(packet);
}

static void packet_of_session(const accp_config *config) {
    accp_engine *engine = NULL;
    accp_session *session = NULL;
    accp_packet *packet = NULL;
    accp_packet_request request;
    accp_text out;
    const char *asked =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"plan\","
        "\"payload\":{\"task\":\"login\",\"deadline\":\"2d\"}}";
    const char *announces =
        "{\"agent\":\"a\",\"intent\":\"sync\",\"operation\":\"context\",\"payload\":{}}";
    char asks[300];
    CHECK(accp_engine_new(config, &engine, NULL) == ACCP_OK);
    CHECK(accp_session_open(engine, "packets", 7, 0, &session, NULL) == ACCP_OK);
    CHECK(accp_session_append(session, asked, strlen(asked), 0, NULL) == ACCP_OK);
    CHECK(accp_packet_new(config, &packet, NULL) == ACCP_OK);
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    CHECK(accp_session_generate_packet(session, &request, packet, NULL) == ACCP_OK);
    CHECK(accp_packet_print_prompt(packet, &out, NULL) == ACCP_OK &&
          strstr(out.text, "- task:login deadline:2d\n") != NULL);
    CHECK(accp_session_put_packet(session, packet, &out, NULL) == ACCP_OK);
    CHECK(out.len > 90 && memcmp(out.text, "{\"packet\":\"$cold.packet_", 24) == 0);
    sprintf(asks,
            "{\"agent\":\"b\",\"intent\":\"qry\",\"operation\":\"context\",\"payload\":%.89s},"
            "\"meta\":{\"mid\":\"a00000000001\",\"seq\":1,\"ts\":1}}",
            out.text);
    CHECK(accp_session_send_packet(session, announces, strlen(announces), packet, 0, &out, NULL) ==
          ACCP_OK);
    CHECK(strncmp(out.text, "@a>sync:context{packet:", 23) == 0);
    CHECK(accp_session_read_packet(session, asks, strlen(asks), 0, packet, NULL) == ACCP_OK);
    CHECK(accp_session_reply_packet(session, asks, strlen(asks), "a", 1, 0, &out, NULL) == ACCP_OK);
    accp_packet_free(packet);
    accp_session_close(session);
    accp_engine_free(engine);
}

static void code_on_disk(const accp_config *config) {
    const char *path = "every_function.code";
    accp_packet_code *code = NULL;
    accp_text paths;
    uint64_t stamp = 0;
    const accp_status opened =
        accp_packet_code_new_on_disk(path, strlen(path), config, &code, NULL);
    if (opened == ACCP_ERR_ARG) /* there is no SQLite */
        CHECK(accp_packet_code_new(config, &code, NULL) == ACCP_OK);
    else CHECK(opened == ACCP_OK);
    CHECK(accp_packet_code_add_stamped(code, "a.py", 4, "def a_test():\n", 14, 7, NULL) == ACCP_OK);
    CHECK(accp_packet_code_sync(code, NULL) == ACCP_OK);
    CHECK(accp_packet_code_stamp(code, "a.py", 4, &stamp, NULL) == ACCP_OK && stamp == 7);
    CHECK(accp_packet_code_paths(code, &paths, NULL) == ACCP_OK && paths.len == 5);
    accp_packet_code_free(code);
    remove(path);
}

static void packets(const accp_config *config) {
    const char *text =
        "{\"version\":1,\"created\":\"2024-01-15T10:30:00Z\",\"creator\":\"a\","
        "\"target_task\":\"t\",\"context\":{\"goal\":\"g\"}}";
    accp_packet *packet = NULL;
    accp_packet_code *code = NULL;
    accp_packet_request request;
    accp_text out;
    uint64_t count = 0;
    CHECK(accp_packet_new(config, &packet, NULL) == ACCP_OK);
    CHECK(accp_packet_parse(packet, text, strlen(text), 0, NULL) == ACCP_OK);
    CHECK(accp_packet_warnings(packet) == ACCP_PACKET_NO_CHECKSUM);
    CHECK(accp_packet_print_json(packet, &out, NULL) == ACCP_OK && is_text(out, text));
    CHECK(accp_packet_seal(packet, NULL) == ACCP_OK && accp_packet_warnings(packet) == 0);
    CHECK(accp_packet_checksum(packet).len == 71 && accp_packet_tokens(packet) > 0);
    CHECK(accp_packet_print_yaml(packet, &out, NULL) == ACCP_OK && out.len > strlen(text));
    CHECK(accp_packet_print_prompt(packet, &out, NULL) == ACCP_OK &&
          is_text(out, "# t\n\n## Goal\ng\n"));
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    request.task.text = "Add a test";
    request.task.len = 10;
    request.conversation.text = "User: It must not be slow.\nAssistant: Yes.";
    request.conversation.len = strlen(request.conversation.text);
    request.an_interface = ACCP_INTERFACE_SPEAKERS;
    CHECK(accp_packet_generate(packet, &request, NULL) == ACCP_OK);
    CHECK(accp_packet_print_prompt(packet, &out, NULL) == ACCP_OK && out.len > 60);
    CHECK(accp_packet_code_new(config, &code, NULL) == ACCP_OK);
    CHECK(accp_packet_code_add(code, "a.py", 4, "def a_test():\n", 14, NULL) == ACCP_OK);
    CHECK(accp_packet_code_add(code, "b.py", 4, "", 0, NULL) == ACCP_OK);
    CHECK(accp_packet_code_remove(code, "b.py", 4, NULL) == ACCP_OK);
    CHECK(accp_packet_code_count(code, &count, NULL) == ACCP_OK && count == 1);
    request.code = code;
    request.depth = ACCP_PACKET_STANDARD;
    CHECK(accp_packet_generate(packet, &request, NULL) == ACCP_OK);
    CHECK(accp_packet_print_prompt(packet, &out, NULL) == ACCP_OK &&
          strstr(out.text, "- a.py: a_test\n") != NULL);
    CHECK(accp_packet_misspelt_members(packet, &out, NULL) == ACCP_OK && out.len == 0);
    CHECK(accp_packet_stale_files(packet, code, &out, NULL) == ACCP_OK && out.len == 0);
    accp_packet_code_free(code);
    code_on_disk(config);
    accp_packet_free(packet);
    packets_asked(config);
    packet_of_session(config);
}

static void plans_and_agents(const accp_config *config, accp_capabilities *agents) {
    const char *message = "{\"g\":\"G\",\"plan\":[[\"v\",\"T\",{}]]}";
    accp_sacp *sacp = NULL;
    accp_text out;
    int32_t answer = ACCP_PLAN_INVALID;
    CHECK(accp_sacp_new(NULL, config, &sacp, NULL) == ACCP_OK);
    CHECK(accp_capabilities_check_plan(agents, sacp, message, strlen(message), ACCP_NO_CLOCK,
                                       ACCP_SACP_LENIENT, &out, &answer, NULL) == ACCP_OK &&
          answer == ACCP_PLAN_INFEASIBLE && out.len > 0);
    CHECK(accp_capabilities_request_agents(agents, sacp, message, strlen(message), ACCP_NO_CLOCK,
                                           ACCP_SACP_LENIENT, NULL, &out, &answer,
                                           NULL) == ACCP_OK &&
          answer == ACCP_SPAWN_REQUESTED);
    {
        char request[1024];
        const accp_spawn_rules rules = {1, 0, 0, {NULL, 0}};
        const size_t len = out.len;
        CHECK(len < sizeof request);
        memcpy(request, out.text, len);
        CHECK(accp_capabilities_spawn(agents, sacp, request, len, &rules, &out, NULL) == ACCP_OK);
        CHECK(accp_capabilities_remove(agents, "T_AGENT", 7, NULL) == ACCP_OK);
    }
    accp_sacp_free(sacp);
}

static void capabilities(const accp_config *config) {
    const char *list =
        "[{\"agent_name\":\"A\",\"supported_verbs\":[\"v\"],\"supported_tools\":[],"
        "\"inputs\":[],\"outputs\":[],\"description\":\"d\"}]";
    const char *entry =
        "{\"agent\":\"A\",\"embedding\":[1,2],\"description\":\"e\",\"lease_until\":9}";
    const char *query = "{\"query\":{\"verb\":\"v\"}}";
    accp_capabilities *agents = NULL;
    accp_found_agent found;
    accp_text out;
    uint64_t count = 1;
    CHECK(accp_capabilities_open(NULL, config, &agents, NULL) == ACCP_OK);
    CHECK(accp_capabilities_register_all(agents, list, strlen(list), NULL) == ACCP_OK);
    CHECK(accp_capabilities_register(agents, entry, strlen(entry), NULL) == ACCP_OK);
    CHECK(is_text(accp_capabilities_verdict(agents), "{\"status\":\"VALID\"}"));
    CHECK(accp_capabilities_renew(agents, "A", 1, 20000, 8000, NULL) == ACCP_OK);
    CHECK(accp_capabilities_record_outcome(agents, "A", 1, 1, NULL) == ACCP_OK);
    CHECK(accp_capabilities_expire(agents, 19999, &count, NULL) == ACCP_OK && count == 0);
    CHECK(accp_capabilities_query(agents, query, strlen(query), 19999, ACCP_RANK_LEXICAL, &out,
                                  NULL) == ACCP_OK &&
          is_text(out, "[{\"agent_name\":\"A\",\"match\":\"exact\"}]"));
    CHECK(accp_capabilities_found_count(agents) == 1);
    CHECK(accp_capabilities_found(agents, 0, &found, NULL) == ACCP_OK &&
          found.match == ACCP_MATCH_EXACT && found.outcomes == 1);
    CHECK(accp_capabilities_found(agents, 1, &found, NULL) == ACCP_ERR_ARG);
    CHECK(accp_capabilities_print(agents, &out, NULL) == ACCP_OK && out.len > strlen(list));
    plans_and_agents(config, agents);
    CHECK(accp_capabilities_remove(agents, "A", 1, NULL) == ACCP_OK);
    CHECK(accp_capabilities_count(agents) == 0);
    accp_capabilities_close(agents);
}

static void panes(const accp_config *config) {
    const char *text =
        "{\"version\":1,\"created\":\"2024-01-15T10:30:00Z\",\"creator\":\"a\","
        "\"target_task\":\"t\",\"context\":{\"goal\":\"g\"}}";
    char directory[] = "accp-every-XXXXXX";
    accp_store *store = NULL;
    accp_panes *panes = NULL;
    accp_packet *packet = NULL;
    accp_pane_task task;
    accp_text out, unused;
    int32_t depth = -1;
    CHECK(mkdtemp(directory) != NULL);
    CHECK(accp_store_open("memory:", 7, 0, config, &store, NULL) == ACCP_OK);
    CHECK(accp_panes_open(directory, strlen(directory), store, config, &panes, NULL) == ACCP_OK);
    CHECK(accp_panes_configure(panes, "context: {pane: 2}", 18, NULL) == ACCP_OK);
    CHECK(accp_panes_setting(panes, ACCP_PANES_OWN_PANE) == 2);
    CHECK(accp_packet_new(config, &packet, NULL) == ACCP_OK);
    CHECK(accp_packet_parse(packet, text, strlen(text), 0, NULL) == ACCP_OK);
    CHECK(accp_panes_write(panes, 2, packet, NULL, 0, 0, 0, NULL) == ACCP_OK);
    CHECK(accp_panes_read(panes, 2, 0, ACCP_PANES_RECEIPT, packet, NULL) == ACCP_OK);
    CHECK(accp_panes_write_feedback(panes, 2, "the tests", 9, NULL, 0, NULL) == ACCP_OK);
    CHECK(accp_panes_read_feedback(panes, 2, &out, &unused, NULL) == ACCP_OK &&
          is_text(out, "the tests\n") && unused.len == 0);
    CHECK(accp_panes_refresh(panes, 2, packet, NULL, 0, NULL, 0, NULL) == ACCP_OK);
    CHECK(accp_panes_remove(panes, 2, 0, NULL) == ACCP_OK);
    CHECK(accp_panes_restore(panes, 2, NULL) == ACCP_OK);
    CHECK(accp_panes_remove(panes, 2, 0, NULL) == ACCP_OK);
    memset(&task, 0, sizeof task);
    task.size = sizeof task;
    task.pane = 2;
    task.success = 1;
    CHECK(accp_panes_record_task(panes, &task, NULL) == ACCP_OK);
    CHECK(accp_panes_print_stats(panes, 0, &out, NULL) == ACCP_OK && out.len > 60);
    CHECK(accp_panes_print_stats_json(panes, 1, &out, NULL) == ACCP_OK && out.len > 60);
    CHECK(accp_session_set_panes(NULL, panes, 0, NULL) == ACCP_ERR_ARG);
    CHECK(accp_panes_advise(panes, "auth", 4, &depth, &out, NULL) == ACCP_OK &&
          depth == ACCP_PACKET_STANDARD && out.len > 10);
    accp_panes_close(panes);
    accp_packet_free(packet);
    accp_store_close(store, NULL);
    remove_tree(directory);
}

static void runs(const accp_config *config) {
    static const char message[] =
        "{\"g\":\"G\",\"plan\":[[\"a\",\"T\",{}],[\"b\",\"T\",{\"x\":\"$step.1\"}],[\"c\",\"U\",{}]"
        "]}";
    accp_run_request request;
    accp_run_effect effect;
    accp_run_step step;
    accp_store *store = NULL;
    accp_run *run = NULL, *other = NULL;
    accp_text out;
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    request.message.text = message;
    request.message.len = sizeof message - 1;
    request.flags = ACCP_RUN_LENIENT;
    CHECK(accp_store_open("memory:", 7, 0, config, &store, NULL) == ACCP_OK);
    request.store = store;
    request.session.text = "s";
    request.session.len = 1;
    CHECK(accp_run_new(&request, config, &run, NULL) == ACCP_OK);
    CHECK(accp_run_next(run, 1, &effect, NULL) == ACCP_OK && effect.kind == ACCP_RUN_CALL);
    CHECK(is_text(effect.tool, "T") && is_text(effect.path, "1") && effect.due_ms == 60001);
    CHECK(accp_run_complete(run, effect.call, "T", 1, "[7]", 3, 2, NULL) == ACCP_OK);
    CHECK(accp_run_complete(run, effect.call, "T", 1, "[7]", 3, 2, NULL) == ACCP_DROPPED);
    CHECK(accp_run_next(run, 2, &effect, NULL) == ACCP_OK && is_text(effect.text, "{\"x\":[7]}"));
    CHECK(accp_run_step_count(run) == 3 && accp_run_step_at(run, 1, &step, NULL) == ACCP_OK &&
          step.state == ACCP_RUN_STEP_IN_PROGRESS && is_text(step.path, "2"));
    CHECK(accp_run_due(run) == 60002 && accp_run_tick(run, 60002, NULL) == ACCP_OK);
    accp_run_free(run); /* goes on from its log */
    CHECK(accp_run_new(&request, config, &run, NULL) == ACCP_OK);
    CHECK(accp_run_next(run, 3, &effect, NULL) == ACCP_OK && is_text(effect.path, "2"));
    CHECK(accp_run_print_request(run, effect.call, "A", 1, NULL, 0, &out, NULL) == ACCP_OK &&
          out.len > 60);
    CHECK(accp_run_receive(run, "A", 1, "{\"reply_to\":\"m\"}", 16, 4, NULL) == ACCP_DROPPED);
    CHECK(accp_run_receive_reply(run, effect.call, "T", 1, "formatter", 9, "Well", 4, 4, NULL) ==
          ACCP_OK);
    CHECK(accp_run_next(run, 5, &effect, NULL) == ACCP_OK && is_text(effect.tool, "U"));
    CHECK(accp_run_fail(run, effect.call, NULL, 0, ACCP_RUN_NO_AGENT, "gone", 4, 6, NULL) ==
          ACCP_OK);
    CHECK(accp_run_next(run, 7, &effect, NULL) == ACCP_OK && effect.kind == ACCP_RUN_ENDED);
    CHECK(accp_run_state(run) == ACCP_RUN_FAILED && accp_run_cancel(run, 8, NULL) == ACCP_OK);
    CHECK(accp_run_print_trace(run, &out, NULL) == ACCP_OK && out.len > 150);
    CHECK(accp_run_print_final(run, &out, NULL) == ACCP_OK && out.len > 100);
    CHECK(accp_run_print_reply(run, "r", 1, &out, NULL) == ACCP_OK && out.len > 200);
    accp_run_free(run);
    request.store = NULL;
    request.session.len = 0;
    request.flags |= ACCP_RUN_RECORDS;
    CHECK(accp_run_new(&request, config, &run, NULL) == ACCP_OK);
    CHECK(accp_run_new(&request, config, &other, NULL) == ACCP_OK);
    CHECK(accp_run_next(run, 1, &effect, NULL) == ACCP_OK && effect.kind == ACCP_RUN_RECORD);
    CHECK(accp_run_replay(other, effect.text.text, effect.text.len, NULL) == ACCP_OK);
    accp_run_free(run);
    accp_run_free(other);
    accp_store_close(store, NULL);
}

static void registries(const accp_config *config, accp_frame *frame) {
    static const char text[] =
        "{\"version\":3,\"schemas\":{\"s\":{\"code\":\"S\",\"fields\":[\"a\"],\"bind\":[\"plan\"]}}"
        "}";
    static const char more[] = "{\"operations\":[\"audit\"]}";
    accp_registry *registry = NULL, *larger = NULL, *both = NULL, *owner;
    accp_value *value = NULL;
    accp_schema schema;
    accp_field field;
    uint32_t index = 9;
    accp_registry_info info;
    CHECK(accp_intent_find("end", 3) == ACCP_INTENT_END &&
          strcmp(accp_intent_name(ACCP_INTENT_REQ), "req") == 0);
    CHECK(strcmp(accp_operation_name(18), "purge") == 0 && accp_operation_name(27) == NULL);
    CHECK(accp_registry_new(text, sizeof text - 1, ACCP_PROFILE_ALL, config, &registry, NULL) ==
          ACCP_OK);
    CHECK(accp_registry_add(registry, more, sizeof more - 1, &larger, NULL) == ACCP_OK);
    CHECK(accp_registry_merge(registry, larger, &both, NULL) == ACCP_OK);
    owner = accp_registry_share(registry);
    CHECK(owner == registry);
    accp_registry_free(owner);
    CHECK(accp_registry_describe(registry, &info, NULL) == ACCP_OK && is_text(info.text, text));
    CHECK(info.canonical.len > 100 && info.hash.len == 64 && info.version == 3);
    CHECK(info.schema_count == 7 && same(hash_of(both), hash_of(larger)));
    CHECK(accp_registry_find(registry, "TX", 2, &index, NULL) == ACCP_OK);
    CHECK(accp_registry_schema(registry, index, &schema, NULL) == ACCP_OK &&
          schema.field_count == 7 && schema.built_in);
    CHECK(accp_registry_field(registry, index, 0, &field, NULL) == ACCP_OK &&
          is(field.wire.text, field.wire.len, "txn"));
    CHECK(accp_registry_find_bound(registry, ACCP_INTENT_QRY, "plan", 4, &index, NULL) == ACCP_OK &&
          index == 0);
    CHECK(accp_registry_has_operation(larger, "audit", 5) == 1 &&
          accp_registry_has_operation(registry, "audit", 5) == 0);
    CHECK(accp_value_new(config, &value, NULL) == ACCP_OK);
    CHECK(accp_registry_diff(registry, larger, value, NULL) == ACCP_OK);
    CHECK(accp_value_find(value, 0, "add", 3) == 1);
    negotiations(registry, larger, frame);
    accp_value_free(value);
    accp_registry_free(registry);
    accp_registry_free(larger);
    accp_registry_free(both);
}

static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
    (void)user;
    json->text = "7";
    json->len = 1;
    return is(ref, ref_len, "warm.k") ? ACCP_OK : ACCP_E2001;
}

static accp_status keep(const char *json, size_t json_len, accp_text *ref, void *user) {
    (void)user;
    ref->text = "warm.k";
    ref->len = is(json, json_len, "\"abcde\"") ? 6 : 0;
    return ACCP_OK;
}

static accp_status next_envelope(accp_envelope *envelope, void *user) {
    (void)user;
    ++envelope->seq;
    return ACCP_OK;
}

/* Hooks of a codec that resolve and store values, and let it send parts. */
static void codec_states(const accp_registry *registry) {
    static const char message[] =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"go\",\"payload\":\"abcde\"}";
    static const char part[] = "@a>req:go{k:v}[cid:c,fi:0,ft:2]";
    accp_config *config = configured();
    accp_hooks hooks = {0};
    accp_codec *codec = NULL;
    accp_frame_budget budget;
    accp_outcome outcome;
    accp_text out = {0};
    hooks.size = sizeof hooks;
    hooks.resolve = resolve;
    hooks.keep = keep;
    hooks.next_envelope = next_envelope;
    CHECK(accp_config_set_hooks(config, &hooks, NULL) == ACCP_OK);
    CHECK(accp_config_set_registry(config, registry, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_INLINE_CHARACTERS, 4, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_PARTS, 1, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_MAX_TOKENS, 240, NULL) == ACCP_OK);
    CHECK(accp_codec_new(config, &codec, NULL) == ACCP_OK);
    accp_config_free(config);
    CHECK(accp_codec_decode(codec, "@a>req:go{j:$warm.k}", 20, &out, NULL) == ACCP_OK);
    CHECK(accp_codec_encode(codec, message, sizeof message - 1, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "@a>req:go{___:$warm.k}"));
    CHECK(accp_codec_outcome(codec, &outcome, NULL) == ACCP_OK && outcome.kept == 1 &&
          outcome.parts == 1);
    CHECK(accp_codec_budget(codec, &budget, NULL) == ACCP_OK && budget.total.hard == 240 &&
          budget.total.tokens > 0);
    CHECK(accp_codec_decode(codec, part, sizeof part - 1, &out, NULL) == ACCP_HELD);
    CHECK(accp_codec_remove_parts(codec, "c", 1, NULL) == ACCP_OK);
    accp_codec_free(codec);
}

static void codecs(void) {
    static const char done[] = "{\"agent\":\"b\",\"intent\":\"done\",\"payload\":{}}";
    static const char request[] =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{},\"meta\":{"
        "\"mid\":\"a00000000001\"}}";
    static const char more[] =
        "{\"schemas\":{\"z\":{\"code\":\"ZZ\",\"fields\":[\"k\"],\"defaults\":{},\"bind\":[\"req:"
        "x\"]}}}";
    accp_config *config = configured();
    accp_registry *registry = NULL;
    accp_codec *codec = NULL;
    accp_text out = {0};
    CHECK(accp_registry_new(NULL, 0, ACCP_PROFILE_ALL, NULL, &registry, NULL) == ACCP_OK);
    codec_states(registry);
    CHECK(accp_config_set_registry(config, registry, NULL) == ACCP_OK);
    accp_registry_free(registry);
    CHECK(accp_config_set_rule(config, ACCP_RULE_EXTENSIONS, ACCP_EXT_P1, NULL) == ACCP_OK);
    CHECK(accp_config_set_schema(config, "TC", 2, NULL) == ACCP_OK);
    CHECK(accp_codec_new(config, &codec, NULL) == ACCP_OK);
    CHECK(accp_codec_registry(codec) != NULL);
    accp_codec_free(codec);
    CHECK(accp_config_set_schema(config, "", 0, NULL) == ACCP_OK);
    CHECK(accp_codec_new(config, &codec, NULL) == ACCP_OK);
    accp_config_free(config);
    CHECK(accp_codec_register_schema(codec, more, sizeof more - 1, NULL) == ACCP_OK);
    CHECK(accp_codec_set_envelope(codec, NULL, NULL) == ACCP_OK);
    CHECK(accp_codec_encode(codec, kMessage, strlen(kMessage), &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "@a>req:x{ZZ:[\"a_b\"]}"));
    CHECK(accp_codec_reply(codec, request, sizeof request - 1, done, sizeof done - 1, &out, NULL) ==
          ACCP_OK);
    CHECK(is_text(out, "@b>done:x{}[cid:a00000000001,aid:a00000000001]"));
    CHECK(accp_codec_decode(codec, "@a>req:x{ZZ:[v]}", 16, &out, NULL) == ACCP_OK && out.len > 50);
    accp_codec_free(codec);
}

static accp_status on_tool(const char *name, size_t name_len, const char *arguments,
                           size_t arguments_len, void *user) {
    (void)arguments;
    (void)arguments_len;
    ++*(int *)user;
    return is(name, name_len, "rm") ? ACCP_E4001 : ACCP_OK;
}

static accp_status on_policy(const accp_policy_case *asked, void *user) {
    ++*(int *)user;
    return asked->direction == ACCP_SENT ? ACCP_E5001 : ACCP_OK;
}

static void on_log(int32_t direction, accp_status status, const char *text, size_t text_len,
                   void *user) {
    (void)direction;
    (void)status;
    (void)text;
    *(int *)user += text_len > 0;
}

static void hooks(void) {
    accp_config *config = configured();
    accp_registry *registry = NULL;
    accp_codec *codec = NULL;
    accp_envelope fresh = {0};
    accp_failure failure = {0};
    accp_chunk chunk = {0};
    accp_hooks functions = {0};
    accp_outcome outcome;
    accp_text out = {0};
    int calls = 0;
    CHECK(accp_registry_new(NULL, 0, ACCP_PROFILE_ALL, NULL, &registry, NULL) == ACCP_OK);
    functions.size = sizeof functions;
    functions.user = &calls;
    functions.check_tool = on_tool;
    functions.check_policy = on_policy;
    functions.log = on_log;
    CHECK(accp_config_set_registry(config, registry, NULL) == ACCP_OK);
    CHECK(accp_config_set_hooks(config, &functions, NULL) == ACCP_OK);
    CHECK(accp_config_add_redacted(config, "args", 4, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_STRICTNESS, ACCP_STRICT_OPERATIONS, NULL) ==
          ACCP_OK);
    CHECK(accp_codec_new(config, &codec, NULL) == ACCP_OK);
    CHECK(accp_codec_set_origin(codec, ACCP_ORIGIN_UNTRUSTED, NULL) == ACCP_OK);
    CHECK(accp_codec_decode(codec, "@a>req:tool{tool:rm}", 20, &out, NULL) == ACCP_E4001 &&
          calls == 2);
    CHECK(accp_codec_decode(codec, "@a>done:tool{tool:ls}", 21, &out, NULL) == ACCP_OK &&
          calls == 4);
    CHECK(accp_codec_outcome(codec, &outcome, NULL) == ACCP_OK &&
          outcome.warnings == ACCP_WARN_NO_CID);
    CHECK(accp_codec_encode(codec, kMessage, strlen(kMessage), &out, NULL) == ACCP_E5001);
    accp_codec_free(codec);
    codec = NULL;
    functions.check_policy = NULL;
    CHECK(accp_config_set_hooks(config, &functions, NULL) == ACCP_OK);
    CHECK(accp_codec_new(config, &codec, NULL) == ACCP_OK);
    accp_config_free(config);
    fresh.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    fresh.mid.text = "m2";
    fresh.mid.len = 2;
    fresh.seq = 2;
    CHECK(accp_codec_retry(codec, "@a>req:x{}[mid:m1,seq:1]", 24, &fresh, &out, NULL) == ACCP_OK);
    CHECK(is(out.text, out.len, "@a>req:x{}[mid:m2,seq:2,cid:m1]"));
    failure.code = ACCP_E4001;
    failure.agent.text = "a";
    failure.agent.len = 1;
    CHECK(accp_codec_encode_failure(codec, &failure, &out, NULL) == ACCP_OK);
    CHECK(accp_codec_decode(codec, "@a>fail:error{code:E3001}", 25, &out, NULL) == ACCP_OK);
    CHECK(accp_codec_failure(codec, &failure, NULL) == ACCP_OK && failure.retry == 1);
    CHECK(accp_status_category(failure.code) == ACCP_CATEGORY_DELIVERY);
    chunk.cid.text = "c";
    chunk.cid.len = 1;
    CHECK(accp_chunk_next("text", 4, 3, &chunk, NULL) == ACCP_OK && !chunk.is_final);
    CHECK(accp_codec_encode_chunk(codec, failure.agent, (accp_text){"infer", 5}, &chunk, &out,
                                  NULL) == ACCP_OK);
    CHECK(is(out.text, out.len, "@a>stream:infer{idx:0|d:tex}[cid:c]"));
    accp_codec_free(codec);
    accp_registry_free(registry);
}

static void deliveries(const accp_config *config) {
    static const char message[] =
        "{\"intent\":\"stream\",\"payload\":{\"chunk_index\":0},\"meta\":{\"cid\":\"d\"}}";
    accp_stream *stream = NULL;
    accp_deadline *deadline = NULL;
    accp_chunk chunk = {{"c", 1}, {"a", 1}, 0, 0, 0, 0};
    accp_stream_part part;
    accp_text cid;
    CHECK(accp_stream_new(config, &stream, NULL) == ACCP_OK);
    CHECK(accp_stream_add(stream, &chunk, &part, NULL) == ACCP_OK &&
          is(part.data.text, part.data.len, "a"));
    CHECK(accp_stream_receive(stream, message, sizeof message - 1, &part, NULL) == ACCP_OK &&
          part.chunks == 1);
    CHECK(accp_stream_open_count(stream) == 2);
    CHECK(accp_stream_end(stream, "c", 1, &part, NULL) == ACCP_OK &&
          part.state == ACCP_STREAM_ABORTED);
    CHECK(accp_stream_remove(stream, "d", 1, NULL) == ACCP_OK);
    accp_stream_free(stream);
    CHECK(accp_deadline_new(config, &deadline, NULL) == ACCP_OK);
    CHECK(accp_deadline_start(deadline, "c", 1, 5, NULL) == ACCP_OK);
    CHECK(accp_deadline_extend(deadline, "c", 1, 7, NULL) == ACCP_OK &&
          accp_deadline_next(deadline) == 7);
    CHECK(accp_deadline_remove(deadline, "d", 1, NULL) == ACCP_E3001);
    CHECK(accp_deadline_expire(deadline, 8, &cid, NULL) == ACCP_OK && is(cid.text, cid.len, "c"));
    accp_deadline_free(deadline);
}

static int keep_text(const char *text, size_t len, void *user) {
    char *kept = (char *)user;
    CHECK(len < 200);
    memcpy(kept, text, len);
    kept[len] = 0;
    return 0;
}

static void count_damage(const accp_damage *damage, void *user) {
    CHECK(damage->what != NULL);
    ++*(int *)user;
}

static int count_status(accp_text part, accp_text name, accp_text value, void *user) {
    *(int *)user += part.len == 0 && name.len != 0 && value.len != 0;
    return 0;
}

static void stores(const accp_config *config) {
    static const char session[] =
        "{\"session\":\"s\",\"form\":2,\"version\":0,\"generation\":0,\"floor\":0,\"records\":1}\n"
        "{\"record\":1,\"bytes\":\"r\"}\n";
    char kept[200] = "";
    int damages = 0, said = 0;
    uint64_t pruned = 9;
    accp_store *store = NULL;
    accp_counts stats;
    CHECK(accp_store_open("memory:", 7, 0, config, &store, NULL) == ACCP_OK);
    CHECK(accp_store_import(store, session, sizeof session - 1, NULL) == ACCP_OK);
    CHECK(accp_store_sync(store, NULL) == ACCP_OK);
    CHECK(accp_store_export(store, "s", 1, keep_text, kept, NULL) == ACCP_OK &&
          strcmp(kept, session) == 0);
    CHECK(accp_store_each_session(store, keep_text, kept, NULL) == ACCP_OK &&
          strcmp(kept, "s") == 0);
    CHECK(accp_store_counts(store, &stats, NULL) == ACCP_OK && stats.sessions == 1 &&
          stats.records == 1);
    CHECK(accp_store_each_property(store, count_status, &said, NULL) == ACCP_OK && said == 2);
    CHECK(accp_store_prune(store, 1, 2, &pruned, NULL) == ACCP_OK && pruned == 0);
    CHECK(accp_store_verify(store, count_damage, &damages, NULL) == ACCP_OK && damages == 0);
    CHECK(accp_store_remove_session(store, "s", 1, NULL) == ACCP_OK);
    CHECK(accp_store_close(store, NULL) == ACCP_OK);
    CHECK(accp_store_open_backend(NULL, NULL, 0, config, &store, NULL) == ACCP_ERR_ARG);
}

static void count_event(const accp_event *event, void *user) {
    (void)event;
    ++((int *)user)[2];
}

static int no_summary(const char *hot, size_t hot_len, uint32_t max_tokens, accp_text *out,
                      void *user) {
    CHECK(hot != NULL && hot_len > 0 && max_tokens == 100 && out != NULL);
    ++((int *)user)[0];
    return 0;
}

static void count_line(int32_t direction, accp_status status, const char *text, size_t text_len,
                       void *user) {
    CHECK((direction == ACCP_SENT || direction == ACCP_RECEIVED) &&
          (status == ACCP_OK || status == ACCP_E5001) && text != NULL && text_len > 0);
    ++((int *)user)[1];
}

/* The context in the formats of hosts and providers. */
static void contexts(accp_session *session) {
    static const char said[] = "{\"role\":\"user\",\"content\":\"What now?\"}";
    static const char asked[] = "{\"ref\":\"$cold.m1\"}";
    const accp_peer nobody = {{"", 0}, ACCP_ORIGIN_UNTRUSTED, 0};
    const accp_context_block *blocks = NULL;
    size_t count = 0, text = 0, i;
    uint64_t appended = 0, tokens = 0;
    accp_text out = {NULL, 0};
    accp_history_options options = {0};
    accp_history_report report;
    CHECK(strcmp(accp_interface_name(ACCP_INTERFACE_MCP), "mcp") == 0);
    CHECK(accp_interface_find("openai", 6) == ACCP_INTERFACE_OPENAI);
    CHECK(accp_interface_detect("User: a\nAssistant: b", 20) == ACCP_INTERFACE_SPEAKERS &&
          accp_interface_detect("nothing", 7) == -1);
    CHECK(strstr(accp_interface_tool(ACCP_INTERFACE_MCP), "\"inputSchema\"") != NULL);
    CHECK(accp_session_append_messages(session, said, sizeof said - 1, ACCP_INTERFACE_OPENAI, 20,
                                       &appended, NULL) == ACCP_OK &&
          appended == 1);
    CHECK(accp_session_append_messages_from(session, said, sizeof said - 1, ACCP_INTERFACE_OPENAI,
                                            20, &nobody, &appended, NULL) == ACCP_E5001);
    options.size = sizeof options;
    CHECK(accp_session_append_history(session, said, sizeof said - 1, ACCP_INTERFACE_OPENAI, 20,
                                      &options, &report, NULL) == ACCP_E3003 &&
          report.record > 0);
    CHECK(accp_session_context_messages(session, ACCP_INTERFACE_ANTHROPIC, 0, &out, &tokens,
                                        NULL) == ACCP_OK &&
          out.text[0] == '{' && tokens > 0);
    CHECK(accp_session_context(session, 0, &out, NULL, NULL) == ACCP_OK);
    i = out.len;
    CHECK(accp_session_context_blocks(session, 0, &blocks, &count, NULL) == ACCP_OK && count > 0);
    while (count--) text += blocks[count].text.len;
    CHECK(text == i);
    CHECK(accp_session_context_pages(session, &out, NULL) == ACCP_OK &&
          memcmp(out.text, "{\"pages\":[{\"ref\":\"$", 19) == 0);
    CHECK(accp_session_answer(session, asked, sizeof asked - 1, 21, &out, NULL) == ACCP_OK &&
          out.len > 0);
}

// Sends a reply, and checks the delivery and the outcome.
static void answer(accp_session *session, const accp_delivery *request) {
    static const char done[] = "{\"agent\":\"b\",\"intent\":\"done\",\"payload\":{\"k\":1}}";
    accp_outcome outcome;
    accp_text out = {0};
    CHECK(accp_session_delivery_warnings(session) == 0);
    CHECK(accp_session_reply(session, request->message.text, request->message.len, done,
                             sizeof done - 1, 5, &out, NULL) == ACCP_OK);
    CHECK(out.len > 16 && is(out.text, 16, "@b>done:x{k:1}[m"));
    CHECK(accp_session_outcome(session, &outcome, NULL) == ACCP_OK && outcome.parts == 1 &&
          outcome.warnings == 0);
}

static void sessions(void) {
    static const char message[] =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":1},\"meta\":{"
        "\"cid\":\"c\"}}";
    static const char done[] =
        "{\"agent\":\"a\",\"intent\":\"done\",\"operation\":\"x\",\"payload\":{\"k\":1}}";
    static const char part[] = "@b>req:x{k:1}[mid:b00000000009,seq:3,cid:p,fi:0,ft:2]";
    accp_text out = {0};
    accp_config *config = configured();
    accp_hooks functions = {0};
    accp_peer peer = {{"c,d", 3}, ACCP_ORIGIN_UNTRUSTED, 0};
    accp_log_record record;
    int calls[3] = {0, 0, 0};
    char trace[56];
    int64_t version = 9;
    uint64_t tokens = 0;
    accp_engine *engine = NULL;
    accp_session *session = NULL, *other = NULL;
    accp_registry *registry = NULL;
    accp_delivery delivery;
    accp_budget budget;
    functions.size = sizeof functions;
    functions.user = calls;
    functions.summarise = no_summary;
    functions.log = count_line;
    functions.event = count_event;
    CHECK(accp_config_set_hooks(config, &functions, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_PARTS, 1, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_DEADLINE_MS, 10, NULL) == ACCP_OK);
    CHECK(accp_config_add_own_agent(config, "harness", 7, NULL) == ACCP_OK);
    CHECK(accp_config_set_agent_origin(config, "web", 3, ACCP_ORIGIN_UNTRUSTED, NULL) == ACCP_OK);
    CHECK(accp_config_add_redacted(config, "secret", 6, NULL) == ACCP_OK);
    CHECK(accp_config_set_rule(config, ACCP_RULE_SPECIFICATION, 1, NULL) == ACCP_OK);
    CHECK(accp_engine_new(config, &engine, NULL) == ACCP_OK);
    accp_config_free(config);
    CHECK(accp_engine_register_schema(engine, "{}", 2, NULL) == ACCP_OK);
    accp_registry_free(accp_engine_share_registry(engine));
    CHECK(accp_session_open(engine, "s", 1, 0, &session, NULL) == ACCP_OK);
    CHECK(accp_session_open(engine, "t", 1, ACCP_SESSION_READ_ONLY, &other, NULL) == ACCP_E2001 &&
          other == NULL);
    CHECK(accp_session_open(engine, "t", 1, ACCP_SESSION_LOCAL, &other, NULL) == ACCP_OK);
    CHECK(accp_session_send(session, message, sizeof message - 1, 5, &out, NULL) == ACCP_OK);
    CHECK(accp_session_receive(other, out.text, out.len, 5, NULL, NULL) == ACCP_OK);
    CHECK(accp_session_next_delivery(other, &delivery) == 1 && delivery.status == ACCP_OK);
    CHECK(calls[1] == 2);
    answer(other, &delivery);
    CHECK(accp_session_next_delivery(other, &delivery) == 0 && calls[1] == 3);
    CHECK(accp_session_next_deadline(session) == 15);
    CHECK(accp_engine_metric(engine, ACCP_METRIC_FRAMES_SENT) >= 1);
    CHECK(accp_engine_outcome_count(engine, ACCP_RECEIVED, ACCP_OK) >= 1);
    CHECK(strcmp(accp_metric_name(ACCP_METRIC_GAPS), "accp.gaps") == 0);
    CHECK(strcmp(accp_metric_unit_name(ACCP_METRIC_GAPS), "{gap}") == 0);
    CHECK(accp_session_expire(session, 16, NULL) == ACCP_OK);
    CHECK(accp_session_next_delivery(session, &delivery) == 1 && delivery.status == ACCP_E3001 &&
          delivery.seq == 1);
    CHECK(is_text(delivery.cid, "c") && delivery.message.len == 0);
    CHECK(accp_session_retry(session, 1, 17, &out, NULL) == ACCP_OK && out.len > 0);
    CHECK(accp_session_receive(session, part, sizeof part - 1, 18, NULL, NULL) == ACCP_OK);
    CHECK(accp_session_receive(session, part, sizeof part - 1, 18, &peer, NULL) == ACCP_E5001);
    CHECK(accp_session_remove_parts(session, "p", 1, 18, NULL) == ACCP_OK);
    CHECK(accp_session_is_cancelled(session, "c", 1) == 0);
    CHECK(accp_session_append_from(session, done, sizeof done - 1, 19, &peer, NULL) == ACCP_E5001);
    CHECK(accp_session_append(session, done, sizeof done - 1, 19, NULL) == ACCP_OK &&
          calls[0] == 2); /* of both sessions */
    CHECK(accp_session_checkpoint(session, 20, NULL) == ACCP_OK &&
          accp_session_newest_checkpoint(session) == 1);
    CHECK(accp_session_context(session, 0, &out, &tokens, NULL) == ACCP_OK && out.len > 0 &&
          tokens > 0);
    CHECK(accp_session_budget(session, &budget, NULL) == ACCP_OK && budget.hot_max == 500 &&
          budget.warm_max == 2000);
    CHECK(accp_session_record_count(session) == 6 && calls[2] > 6);
    CHECK(accp_traceparent_format("c", 1, "m", 1, trace, NULL) == ACCP_OK && strlen(trace) == 55);
    CHECK(accp_session_record(session, 1, &record, NULL) == ACCP_OK &&
          record.kind == ACCP_RECORD_REQUEST && record.time_ms == 5);
    CHECK(accp_session_share_registry(session, 1, &registry, NULL) == ACCP_OK);
    accp_registry_free(registry);
    contexts(session);
    CHECK(accp_session_put(session, "warm.k", 6, "[1]", 3, 0, NULL) == ACCP_OK);
    CHECK(accp_session_resolve(session, "warm.k.0", 8, NULL, 0, 21, &out, NULL) == ACCP_OK &&
          is(out.text, out.len, "1"));
    CHECK(accp_session_add_grant(session, "t", 1, "warm.k", 6, 0, NULL) == ACCP_OK);
    CHECK(accp_session_resolve(other, "warm.k", 6, "s", 1, 21, &out, NULL) == ACCP_OK &&
          is(out.text, out.len, "[1]"));
    CHECK(accp_session_remove_grant(session, "t", 1, "warm.k", 6, NULL) == ACCP_OK);
    CHECK(accp_session_remove(session, "warm.k", 6, NULL) == ACCP_OK);
    CHECK(accp_session_send_state(session, "a", 1, "{\"k\":1}", 7, 22, &out, NULL) == ACCP_OK &&
          out.len > 0);
    CHECK(accp_session_state(session, &version).len == 7 && version == 1);
    CHECK(accp_session_sync(session, NULL) == ACCP_OK);
    CHECK(accp_session_end(session, 23, NULL) == ACCP_OK);
    accp_session_close(session);
    accp_session_close(other);
    accp_engine_free(engine);
}

static void sacp_codes(void) {
    CHECK(!strcmp(accp_sacp_code_name(ACCP_SACP_NO_AGENT), "NO_AGENT"));
    CHECK(accp_sacp_code_name(0) == NULL && accp_sacp_code_name(17) == NULL);
    CHECK(accp_sacp_code_find("LIMIT", 5) == ACCP_SACP_LIMIT && accp_sacp_code_find("", 0) == -1);
    CHECK(accp_sacp_state_find(ACCP_SACP_1_0, "WAITING", 7) == 3);
    CHECK(accp_sacp_state_find(ACCP_SACP_0_1, "WAITING", 7) == -1);
    CHECK(!strcmp(accp_sacp_state_name(ACCP_SACP_0_1, 3), "FAILED"));
    CHECK(accp_sacp_state_name(ACCP_SACP_0_1, 4) == NULL && accp_sacp_state_name(2, 0) == NULL);
    CHECK(accp_sacp_state_is_next(ACCP_SACP_0_1, 0, 1) == 1);
    CHECK(accp_sacp_state_is_next(ACCP_SACP_0_1, 0, 2) == 0);
    CHECK(accp_sacp_registry().len > 0);
}

/* The texts that a checker prints of messages and of its library, the one of sacp(). */
static void sacp_texts(accp_sacp *checker) {
    static const char kMessage[] =
        "{\"g\":\"G\",\"ctx\":{\"city\":\"x\"},\"plan\":[[\"s\",\"H\",{}]]}";
    accp_sacp_sender sender = {{"m", 1}, {"a", 1}, {NULL, 0}, 0};
    accp_sacp_receiver receiver = {{NULL, 0}, {NULL, 0}, {"m", 1}};
    accp_text out = {0};
    char message[256];
    CHECK(accp_sacp_plan(checker, kMessage, sizeof kMessage - 1, 0, &out, NULL) == ACCP_OK);
    CHECK(is_text(out,
                  "{\"g\":\"G\",\"ctx\":{\"city\":\"x\"},"
                  "\"plan\":[[\"search\",\"H\",{\"city\":\"$ctx.city\"}]]}"));
    CHECK(accp_sacp_compose(checker, kMessage, sizeof kMessage - 1, &receiver, &out, NULL) ==
          ACCP_OK);
    CHECK(is_text(out,
                  "{\"g\":\"G\",\"ctx\":{\"city\":\"x\"},"
                  "\"plan\":[[\"s\",\"H\",{}]],\"msg_id\":\"m\"}"));
    CHECK(accp_sacp_thread(checker, "{}", 2, 0, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "[{\"line\":1,\"depth\":0,\"kind\":\"root\"}]"));
    CHECK(accp_sacp_to_1_0(checker, kMessage, sizeof kMessage - 1, &sender, &out, NULL) == ACCP_OK);
    CHECK(out.len < sizeof message);
    memcpy(message, out.text, out.len);
    CHECK(accp_sacp_to_0_1(checker, message, out.len, &out, NULL) == ACCP_OK);
    CHECK(out.len > 0);
    CHECK(accp_sacp_print_prompt(checker, "A", 1, "search", 6, "H", 1, NULL, 0, &out, NULL) ==
          ACCP_OK);
    CHECK(out.len > 100);
    CHECK(accp_sacp_print_specification(checker, &out, NULL) == ACCP_OK && out.len > 100);
}

static void sacp(const accp_config *config) {
    static const char kLibrary[] =
        "{\"verbs\":[{\"name\":\"search\",\"description\":\"d\",\"inputs\":[\"city\"],"
        "\"outputs\":\"array\",\"required\":[\"city\"]}],\"tools\":[{\"id\":\"H\","
        "\"description\":\"d\",\"supported_verbs\":[\"search\"]}],"
        "\"aliases\":{\"verbs\":{\"s\":\"search\"}}}";
    static const char kMessage[] = "{\"plan\":[[\"s\",\"H\",{}]],\"g\":\"G\"}";
    accp_library *library = NULL;
    accp_sacp *checker = NULL;
    accp_verdict verdict = {0};
    accp_error err = {0};
    accp_text out = {0};
    sacp_codes();
    CHECK(accp_library_new("{\"x\":1}", 7, config, &library, &err) == ACCP_E1001);
    CHECK(library == NULL && err.offset == 5);
    CHECK(accp_library_new(kLibrary, sizeof kLibrary - 1, config, &library, NULL) == ACCP_OK);
    CHECK(accp_sacp_new(library, config, &checker, NULL) == ACCP_OK);
    accp_library_free(library);
    CHECK(accp_sacp_check(checker, kMessage, sizeof kMessage - 1, ACCP_SACP_STRICT, &verdict,
                          NULL) == ACCP_OK);
    CHECK(verdict.answer == ACCP_SACP_REQ_CLARIFY && verdict.need_count == 1);
    CHECK(is_text(accp_sacp_need(checker, 0), "step.1.city") && !accp_sacp_need(checker, 1).len);
    CHECK(accp_sacp_check_reply(checker, "Hi.", 3, "executor", 8, ACCP_SACP_RAW, ACCP_SACP_STRICT,
                                NULL, NULL) == ACCP_OK);
    CHECK(accp_sacp_verdict(checker, &verdict, NULL) == ACCP_OK);
    CHECK(verdict.code == ACCP_SACP_OUTPUT_DISCIPLINE);
    CHECK(accp_sacp_check_library(checker, "[]", 2, &verdict, NULL) == ACCP_OK);
    CHECK(verdict.code == ACCP_SACP_INVALID_TYPE && !verdict.step.len);
    CHECK(accp_sacp_spell(checker, kMessage, sizeof kMessage - 1, ACCP_SACP_FULL, &out, NULL) ==
          ACCP_OK);
    CHECK(is_text(out, "{\"g\":\"G\",\"plan\":[[\"search\",\"H\",{}]]}"));
    CHECK(accp_sacp_to_message(checker, "{\"status\":\"VALID\"}", 18, "a", 1, &out, NULL) ==
          ACCP_OK);
    CHECK(is_text(out,
                  "{\"agent\":\"a\",\"intent\":\"ack\",\"operation\":\"execute\",\"payload\":{}}"));
    CHECK(accp_sacp_from_message(checker,
                                 "{\"intent\":\"ack\",\"operation\":\"execute\","
                                 "\"payload\":{}}",
                                 51, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "{\"status\":\"VALID\"}"));
    CHECK(accp_sacp_spell(checker, "{\"g\":\"\"}", 8, ACCP_SACP_FULL, &out, &err) == ACCP_E1004);
    CHECK(accp_sacp_print_verdict(checker, &out, NULL) == ACCP_OK);
    CHECK(is_text(out,
                  "{\"status\":\"ERR\",\"code\":\"MISSING_FIELD\",\"details\":\"a message must "
                  "have a plan\"}"));
    sacp_texts(checker);
    accp_sacp_free(checker);
}

static accp_status model(const char *prompt, size_t prompt_len, const char *specification,
                         size_t specification_len, const char *refused, size_t refused_len,
                         accp_text *out, void *user) {
    (void)prompt, (void)prompt_len, (void)specification, (void)refused, (void)refused_len;
    ++*(int *)user;
    *out = (accp_text){"{\"status\":\"REQ_CLARIFY\",\"need\":[\"more\"]}", 40};
    return specification_len ? ACCP_OK : ACCP_E9999;
}

/* Phrases of people. */
static void phrases(accp_config *config) {
    static const char kDocument[] = "{\"phrases\":[]}";
    accp_library *library = NULL;
    accp_phrases *phrases = NULL;
    accp_text out = {0};
    int32_t answer = -1;
    int asked = 0;
    CHECK(accp_library_new(NULL, 0, config, &library, NULL) == ACCP_OK);
    CHECK(accp_phrases_new(kDocument, sizeof kDocument - 1, library, config, &phrases, NULL) ==
          ACCP_OK);
    accp_library_free(library);
    CHECK(accp_phrases_set_model(phrases, model, &asked, NULL) == ACCP_OK);
    CHECK(accp_phrases_ask(phrases, "hello", 5, &out, &answer, NULL) == ACCP_OK);
    CHECK(answer == ACCP_SACP_REQ_CLARIFY && asked == 1);
    CHECK(is_text(out, "{\"status\":\"REQ_CLARIFY\",\"need\":[\"more\"]}"));
    accp_phrases_free(phrases);
}

/* Data as text for people. */
static void presents(accp_config *config) {
    accp_presenter *presenter = NULL;
    accp_text out = {0};
#ifdef ACCP_WITHOUT_ICU
    CHECK(accp_presenter_new("{n}", 3, "de-DE", 5, "UTC", 3, config, &presenter, NULL) ==
          ACCP_ERR_IO);
    CHECK(accp_presenter_print(presenter, "{}", 2, &out, NULL) == ACCP_ERR_ARG);
#else
    CHECK(accp_presenter_new("{n}", 3, "de-DE", 5, "UTC", 3, config, &presenter, NULL) == ACCP_OK);
    CHECK(accp_presenter_print(presenter, "{\"n\":1.5}", 9, &out, NULL) == ACCP_OK);
    CHECK(is_text(out, "1,5"));
#endif
    accp_presenter_free(presenter);
}

int main(void) {
    accp_config *config = configured();
    accp_frame *frame = NULL;
    statuses();
    CHECK(accp_frame_new(config, &frame, NULL) == ACCP_OK);
    phrases(config);
    presents(config);
    values(config, frame);
    frames(config, frame);
    batches(config);
    tokens(config);
    renders(config);
    packets(config);
    panes(config);
    sacp(config);
    capabilities(config);
    runs(config);
    registries(config, frame);
    codecs();
    hooks();
    deliveries(config);
    stores(config);
    sessions();
    accp_frame_free(frame);
    accp_config_free(config);
    return failures != 0;
}
