/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The whole C face called once from C99: that it is C, that it links, and that it works without a
 * line of C++.
 */
#include <stdio.h>
#include <string.h>

#include "accp/accp.h"

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

static const char *const kMessage =
    "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":\"a "
    "b\"},\"extra\":1}";

static accp_options *configured(void) {
    accp_options *options = NULL;
    CHECK(accp_options_new(&options, NULL) == ACCP_OK);
    CHECK(accp_options_set_dialect(options, ACCP_STRICT, NULL) == ACCP_OK);
    CHECK(accp_options_set_extensions(options, ACCP_EXT_Q1 | ACCP_EXT_T1, NULL) == ACCP_OK);
    CHECK(accp_options_set_abbreviate(options, 0, NULL) == ACCP_OK);
    CHECK(accp_options_set_keep_refs(options, 1, NULL) == ACCP_OK);
    CHECK(accp_options_set_limit(options, accp_limit_find("depth", 5), 8, NULL) == ACCP_OK);
    CHECK(accp_options_set_token_cache(options, 4096, NULL) == ACCP_OK);
    CHECK(accp_options_ignore(options, "extra", 5, NULL) == ACCP_OK);
    CHECK(accp_options_set_allocator(options, NULL, NULL) == ACCP_OK);
    CHECK(strcmp(accp_limit_name(ACCP_LIMIT_DEPTH), "depth") == 0);
    CHECK(accp_limit_default(ACCP_LIMIT_DEPTH) == 5);
    return options;
}

static void statuses(void) {
    CHECK(strcmp(accp_status_name(ACCP_E1001), "PARSE_ERROR") == 0);
    CHECK(strcmp(accp_status_code(ACCP_E1001), "E1001") == 0);
    CHECK(strlen(accp_status_meaning(ACCP_ERR_NOMEM)) > 0);
    CHECK(accp_status_retryable(ACCP_E3003) == 1);
    CHECK(strcmp(accp_version(), ACCP_VERSION_STRING) == 0);
    CHECK(accp_abi_version() == ACCP_ABI_VERSION);
}

static void values(const accp_options *options, accp_frame *frame) {
    accp_value *value = NULL;
    const char *out = NULL;
    size_t len = 0, count = 0;
    accp_text agent = {"a", 1}, intent = {"req", 3}, operation = {"x", 1};
    CHECK(accp_value_new(options, &value, NULL) == ACCP_OK);
    CHECK(accp_value_begin_map(value, NULL, 0, NULL) == ACCP_OK);
    CHECK(accp_value_add_null(value, "n", 1, NULL) == ACCP_OK);
    CHECK(accp_value_add_bool(value, "b", 1, 1, NULL) == ACCP_OK);
    CHECK(accp_value_begin_array(value, "l", 1, NULL) == ACCP_OK);
    CHECK(accp_value_add_int(value, NULL, 0, -7, NULL) == ACCP_OK);
    CHECK(accp_value_add_number(value, NULL, 0, "1.50", 4, NULL) == ACCP_OK);
    CHECK(accp_value_add_string(value, NULL, 0, "a b", 3, NULL) == ACCP_OK);
    CHECK(accp_value_add_ref(value, NULL, 0, "warm.k", 6, NULL) == ACCP_OK);
    CHECK(accp_value_end(value, NULL) == ACCP_OK);
    CHECK(accp_value_end(value, NULL) == ACCP_OK);
    CHECK(accp_value_nodes(value, &count) != NULL && count == 8);
    CHECK(accp_value_text(value, &len) != NULL);
    CHECK(accp_value_find(value, 0, "l", 1) == 3);
    CHECK(accp_json_print(value, &out, &len, NULL) == ACCP_OK);
    CHECK(is(out, len, "{\"n\":null,\"b\":true,\"l\":[-7,1.50,\"a b\",{\"$ref\":\"warm.k\"}]}"));
    CHECK(accp_value_hash_form(value, &out, &len, NULL) == ACCP_OK);
    CHECK(is(out, len, "{\"b\":true,\"l\":[-7,1.5,\"a b\",{\"$ref\":\"warm.k\"}],\"n\":null}"));
    CHECK(accp_frame_build(frame, agent, intent, operation, value, NULL, &out, &len, NULL) ==
          ACCP_OK);
    CHECK(is(out, len, "@a>req:x{n:~|b:true|l:[-7,1.5,\"a_b\",$warm.k]}"));
    CHECK(accp_json_parse(value, "[1]", 3, NULL) == ACCP_OK);
    accp_value_reset(value);
    accp_value_free(value);
}

static void frames(const accp_options *options, accp_frame *frame) {
    static const char text[] = "@a>req:x{k:12}[mid:a00000000001,seq:7]";
    const char *out = NULL;
    char buffer[12];
    size_t len = 0, count = 0;
    int64_t number = 0;
    accp_envelope envelope;
    accp_value *value = NULL;
    const accp_node *nodes;
    CHECK(accp_frame_parse(frame, text, sizeof text - 1, NULL) == ACCP_OK);
    nodes = accp_frame_nodes(frame, &count);
    CHECK(count == 8 && nodes[4].kind == ACCP_INT && text[ACCP_NODE_KEY(&nodes[4])] == 'k');
    CHECK(accp_frame_text(frame, &len) == text && len == sizeof text - 1);
    CHECK(accp_frame_find(frame, 3, "k", 1) == 4);
    CHECK(accp_frame_int(frame, 4, &number, NULL) == ACCP_OK && number == 12);
    CHECK(accp_frame_string(frame, 4, buffer, sizeof buffer, &len, NULL) == ACCP_OK &&
          is(buffer, len, "12"));
    CHECK(accp_frame_print(frame, &out, &len, NULL) == ACCP_OK && is(out, len, text));
    CHECK(accp_frame_envelope(frame, &envelope, NULL) == ACCP_OK && envelope.seq == 7);
    CHECK(accp_value_new(options, &value, NULL) == ACCP_OK);
    CHECK(accp_frame_payload(frame, value, NULL) == ACCP_OK);
    CHECK(accp_frame_meta(frame, value, NULL) == ACCP_OK);
    accp_value_free(value);
    CHECK(accp_mid_format(1, 2, 3, buffer, NULL) == ACCP_OK && is(buffer, 12, "b02000000003"));
    CHECK(accp_frame_set_envelope(frame, &envelope, NULL) == ACCP_OK);
    CHECK(accp_frame_encode(frame, kMessage, strlen(kMessage), &out, &len, NULL) == ACCP_OK);
    CHECK(is(out, len, "@a>req:x{k:\"a_b\"}[mid:a00000000001,seq:7]"));
    CHECK(accp_frame_set_envelope(frame, NULL, NULL) == ACCP_OK);
    CHECK(accp_frame_decode(frame, text, sizeof text - 1, &out, &len, NULL) == ACCP_OK);
}

static void batches(const accp_options *options) {
    accp_batch *batch = NULL;
    size_t count = 0, len = 0;
    CHECK(accp_batch_new(options, &batch, NULL) == ACCP_OK);
    CHECK(accp_batch_parse(batch, "@a>req:x{}\n", 11, NULL) == ACCP_OK);
    CHECK(accp_batch_records(batch, &count) != NULL && count == 1);
    CHECK(accp_batch_nodes(batch, &count) != NULL && count == 4);
    CHECK(accp_batch_encode(batch, kMessage, strlen(kMessage), NULL) == ACCP_OK);
    CHECK(is(accp_batch_text(batch, &len), 18, "@a>req:x{k:\"a_b\"}\n") && len == 18);
    CHECK(accp_batch_decode(batch, "@a>req:x{}", 10, NULL) == ACCP_OK);
    accp_batch_free(batch);
}

static int64_t count_bytes(const char *text, size_t len, void *user) {
    (void)text;
    (void)user;
    return (int64_t)len;
}

static void tokens(const accp_options *options) {
    accp_tokenizer *tokenizer = NULL;
    accp_counter *counter = NULL;
    const uint32_t *ids = NULL;
    const char *out = NULL;
    uint64_t number = 0;
    size_t count = 0, len = 0;
    CHECK(accp_tokenizer_builtin(0) != NULL);
    CHECK(accp_tokenizer_new_callback("own", 3, 0, count_bytes, NULL, options, &tokenizer, NULL) ==
          ACCP_OK);
    accp_tokenizer_free(tokenizer);
    CHECK(accp_tokenizer_load_tiktoken("own", 3, "llama3", 6, "", 0, options, &tokenizer, NULL) ==
          ACCP_E1004);
    CHECK(accp_tokenizer_load_json("own", 3, "{}", 2, options, &tokenizer, NULL) == ACCP_E1004);
    CHECK(accp_tokenizer_new("o200k_base", 10, options, &tokenizer, NULL) == ACCP_OK);
    CHECK(strcmp(accp_tokenizer_name(tokenizer), "o200k_base") == 0);
    CHECK(!accp_tokenizer_approx(tokenizer) && accp_tokenizer_size(tokenizer) == 199998);
    CHECK(accp_counter_new(tokenizer, options, &counter, NULL) == ACCP_OK);
    CHECK(accp_counter_set_special(counter, 1, NULL) == ACCP_OK);
    CHECK(accp_counter_count(counter, "hello world", 11, &number, NULL) == ACCP_OK && number == 2);
    CHECK(accp_counter_count_within(counter, "hello world", 11, 1, &number, NULL) == ACCP_OK &&
          number == 2);
    CHECK(accp_counter_encode(counter, "hello world", 11, &ids, &count, NULL) == ACCP_OK &&
          count == 2);
    CHECK(accp_counter_decode(counter, ids, count, &out, &len, NULL) == ACCP_OK &&
          is(out, len, "hello world"));
    CHECK(accp_counter_append(counter, "hello", 5, NULL) == ACCP_OK);
    CHECK(accp_counter_total(counter, &number, NULL) == ACCP_OK && number == 1);
    accp_counter_reset(counter);
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
}

static void renders(const accp_options *options) {
    static const char text[] = "@a req:x k: a b";
    accp_render *render = NULL;
    accp_value *value = NULL;
    const char *out = NULL;
    size_t len = 0;
    CHECK(accp_render_new(options, &render, NULL) == ACCP_OK);
    CHECK(accp_value_new(options, &value, NULL) == ACCP_OK);
    CHECK(accp_render_json(render, kMessage, strlen(kMessage), 0, &out, &len, NULL) == ACCP_OK &&
          is(out, len, text));
    CHECK(accp_render_frame(render, "@a>req:x{k:\"a_b\"}", 17, 0, &out, &len, NULL) == ACCP_OK &&
          is(out, len, text));
    CHECK(accp_render_parse(render, text, strlen(text), &out, &len, NULL) == ACCP_OK);
    CHECK(accp_render_parse_value(render, text, strlen(text), value, NULL) == ACCP_OK);
    CHECK(accp_render_value(render, value, ACCP_RENDER_ONE_LINE, &out, &len, NULL) == ACCP_OK &&
          is(out, len, text));
    CHECK(accp_render_rows("t:(a)[12]:", 10) == 12 && accp_render_rows(text, strlen(text)) == 0);
    accp_value_free(value);
    accp_render_free(render);
}

/* Carries what one side says to the other, until it is silent. */
static void carry(accp_negotiation *from, accp_negotiation *to, accp_frame *frame) {
    const char *out = NULL;
    size_t len = 0;
    for (;;) {
        CHECK(accp_negotiation_next(from, &out, &len, NULL) == ACCP_OK);
        if (!len) return;
        CHECK(accp_frame_parse(frame, out, len, NULL) == ACCP_OK);
        CHECK(accp_negotiation_receive(to, frame, NULL) == ACCP_OK);
    }
}

static void negotiations(const accp_registry *mine, const accp_registry *theirs,
                         accp_frame *frame) {
    accp_negotiation *a = NULL, *b = NULL;
    size_t len = 0;
    int i;
    CHECK(accp_negotiation_new(NULL, mine, "a", 1, ACCP_EXT_T1 | ACCP_EXT_P1, &a, NULL) == ACCP_OK);
    CHECK(accp_negotiation_new(NULL, theirs, "b", 1, ACCP_EXT_P1, &b, NULL) == ACCP_OK);
    CHECK(accp_negotiation_set_tokenizer(a, "o200k_base", 10, NULL) == ACCP_OK);
    CHECK(accp_negotiation_set_chunk_bytes(a, 300, NULL) == ACCP_OK);
    CHECK(accp_negotiation_set_features(a, ACCP_FEATURE_MERGES, NULL) == ACCP_OK);
    CHECK(accp_negotiation_set_features(b, ACCP_FEATURE_MERGES | ACCP_FEATURE_PARTS, NULL) ==
          ACCP_OK);
    CHECK(accp_negotiation_know(a, theirs, NULL) == ACCP_OK);
    CHECK(accp_negotiation_timeout(a, NULL) == ACCP_OK);
    CHECK(accp_negotiation_get_state(a) == ACCP_NEGOTIATION_OPEN &&
          accp_negotiation_registry(a) == NULL);
    for (i = 0; i < 4; ++i) {
        carry(a, b, frame);
        carry(b, a, frame);
    }
    CHECK(accp_negotiation_get_state(a) == ACCP_NEGOTIATION_AGREED &&
          accp_negotiation_get_state(b) == ACCP_NEGOTIATION_AGREED);
    CHECK(accp_negotiation_get_features(b) == ACCP_FEATURE_MERGES);
    CHECK(accp_negotiation_get_extensions(b) == (ACCP_EXT_Q1 | ACCP_EXT_P1));
    CHECK(strcmp(accp_registry_hash(accp_negotiation_registry(a)),
                 accp_registry_hash(accp_negotiation_registry(b))) == 0);
    CHECK(strcmp(accp_registry_hash(accp_negotiation_peer(b)), accp_registry_hash(mine)) == 0);
    CHECK(is(accp_negotiation_peer_tokenizer(b, &len), 10, "o200k_base") && len == 10);
    accp_negotiation_free(a);
    accp_negotiation_free(b);
}

static void registries(const accp_options *options, accp_frame *frame) {
    static const char text[] =
        "{\"version\":3,\"schemas\":{\"s\":{\"code\":\"S\",\"fields\":[\"a\"],\"bind\":[\"plan\"]}}"
        "}";
    static const char more[] = "{\"operations\":[\"audit\"]}";
    accp_registry *registry = NULL, *larger = NULL, *both = NULL, *owner;
    accp_value *value = NULL;
    accp_schema schema;
    accp_field field;
    uint32_t index = 9;
    size_t len = 0;
    CHECK(accp_intent_find("end", 3) == ACCP_INTENT_END &&
          strcmp(accp_intent_code(ACCP_INTENT_REQ), "req") == 0);
    CHECK(strcmp(accp_operation_name(18), "purge") == 0 && accp_operation_name(27) == NULL);
    CHECK(accp_registry_new(options, ACCP_PROFILE_ALL, text, sizeof text - 1, &registry, NULL) ==
          ACCP_OK);
    CHECK(accp_registry_add(registry, more, sizeof more - 1, &larger, NULL) == ACCP_OK);
    CHECK(accp_registry_merge(registry, larger, &both, NULL) == ACCP_OK);
    owner = accp_registry_share(registry);
    CHECK(owner == registry);
    accp_registry_free(owner);
    CHECK(is(accp_registry_text(registry, &len), sizeof text - 1, text) && len == sizeof text - 1);
    CHECK(accp_registry_canonical(registry, &len) != NULL && len > 100);
    CHECK(strlen(accp_registry_hash(registry)) == 64 && accp_registry_version(registry) == 3);
    CHECK(strcmp(accp_registry_hash(both), accp_registry_hash(larger)) == 0);
    CHECK(accp_registry_schema_count(registry) == 7);
    CHECK(accp_registry_find(registry, "TX", 2, &index, NULL) == ACCP_OK);
    CHECK(accp_registry_schema(registry, index, &schema, NULL) == ACCP_OK &&
          schema.field_count == 7 && schema.built_in);
    CHECK(accp_registry_field(registry, index, 0, &field, NULL) == ACCP_OK &&
          is(field.wire.text, field.wire.len, "txn"));
    CHECK(accp_registry_bound(registry, ACCP_INTENT_QRY, "plan", 4, &index, NULL) == ACCP_OK &&
          index == 0);
    CHECK(accp_registry_knows_operation(larger, "audit", 5) == 1 &&
          accp_registry_knows_operation(registry, "audit", 5) == 0);
    CHECK(accp_value_new(options, &value, NULL) == ACCP_OK);
    CHECK(accp_registry_diff(registry, larger, value, NULL) == ACCP_OK);
    CHECK(accp_value_find(value, 0, "add", 3) == 1);
    negotiations(registry, larger, frame);
    accp_value_free(value);
    accp_registry_free(registry);
    accp_registry_free(larger);
    accp_registry_free(both);
}

static accp_status resolve(const char *ref, size_t ref_len, const char **json, size_t *json_len,
                           void *user) {
    (void)user;
    *json = "7";
    *json_len = 1;
    return is(ref, ref_len, "warm.k") ? ACCP_OK : ACCP_E2001;
}

static accp_status keep(const char *json, size_t json_len, const char **ref, size_t *ref_len,
                        void *user) {
    (void)user;
    *ref = "warm.k";
    *ref_len = is(json, json_len, "\"abcde\"") ? 6 : 0;
    return ACCP_OK;
}

static accp_status next_envelope(accp_envelope *envelope, void *user) {
    (void)user;
    ++envelope->seq;
    return ACCP_OK;
}

static void codec_states(accp_codec *codec) {
    static const char message[] =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"go\",\"payload\":\"abcde\"}";
    static const char part[] = "@a>req:go{k:v}[cid:c,fi:0,ft:2]";
    accp_frame_budget budget;
    const char *out = NULL;
    size_t len = 0;
    CHECK(accp_codec_set_resolver(codec, resolve, NULL, NULL) == ACCP_OK);
    CHECK(accp_codec_decode(codec, "@a>req:go{j:$warm.k}", 20, &out, &len, NULL) == ACCP_OK);
    CHECK(accp_codec_set_keeper(codec, keep, NULL, NULL) == ACCP_OK);
    CHECK(accp_codec_set_inline_characters(codec, 4, NULL) == ACCP_OK);
    CHECK(accp_codec_set_splitting(codec, next_envelope, NULL, NULL) == ACCP_OK);
    CHECK(accp_codec_encode(codec, message, sizeof message - 1, &out, &len, NULL) == ACCP_OK);
    CHECK(is(out, len, "@a>req:go{___:$warm.k}") && accp_codec_kept(codec) == 1 &&
          accp_codec_parts(codec) == 1);
    CHECK(accp_codec_budget(codec, &budget, NULL) == ACCP_OK && budget.total.hard == 240);
    CHECK(accp_codec_set_reassembly(codec, 1, NULL) == ACCP_OK);
    CHECK(accp_codec_decode(codec, part, sizeof part - 1, &out, &len, NULL) == ACCP_HELD);
    CHECK(accp_codec_abandon(codec, "c", 1, NULL) == ACCP_OK);
}

static void codecs(const accp_options *options) {
    static const char more[] =
        "{\"schemas\":{\"z\":{\"code\":\"ZZ\",\"fields\":[\"k\"],\"defaults\":{},\"bind\":[\"req:"
        "x\"]}}}";
    accp_registry *registry = NULL;
    accp_codec *codec = NULL;
    accp_frame_tokens tokens;
    const char *out = NULL;
    size_t len = 0;
    CHECK(accp_registry_new(options, ACCP_PROFILE_ALL, NULL, 0, &registry, NULL) == ACCP_OK);
    CHECK(accp_codec_new(options, registry, ACCP_EXT_P1, &codec, NULL) == ACCP_OK);
    CHECK(accp_codec_registry(codec) == registry);
    accp_registry_free(registry);
    CHECK(accp_codec_register_schema(codec, more, sizeof more - 1, NULL) == ACCP_OK);
    CHECK(accp_codec_set_schema(codec, "ZZ", 2, NULL) == ACCP_OK);
    CHECK(accp_codec_set_envelope(codec, NULL, NULL) == ACCP_OK);
    CHECK(accp_codec_set_counter(codec, NULL, NULL) == ACCP_OK);
    CHECK(accp_codec_set_max_tokens(codec, 240, NULL) == ACCP_OK);
    CHECK(accp_codec_set_mark_defaults(codec, 0, NULL) == ACCP_OK);
    CHECK(accp_codec_encode(codec, kMessage, strlen(kMessage), &out, &len, NULL) == ACCP_OK);
    CHECK(is(out, len, "@a>req:x{ZZ:[\"a_b\"]}"));
    CHECK(accp_codec_tokens(codec, &tokens, NULL) == ACCP_OK && tokens.total_tokens == 0);
    CHECK(accp_codec_decode(codec, "@a>req:x{ZZ:[v]}", 16, &out, &len, NULL) == ACCP_OK &&
          len > 50);
    codec_states(codec);
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

static void hooks(const accp_options *options) {
    accp_registry *registry = NULL;
    accp_codec *codec = NULL;
    accp_envelope fresh = {0};
    accp_failure failure = {0};
    accp_chunk chunk = {0};
    const char *out = NULL;
    size_t len = 0;
    int calls = 0;
    CHECK(accp_registry_new(options, ACCP_PROFILE_ALL, NULL, 0, &registry, NULL) == ACCP_OK);
    CHECK(accp_codec_new(options, registry, ACCP_EXT_Q1, &codec, NULL) == ACCP_OK);
    CHECK(accp_codec_set_tools(codec, on_tool, &calls, NULL) == ACCP_OK);
    CHECK(accp_codec_set_policy(codec, on_policy, &calls, NULL) == ACCP_OK);
    CHECK(accp_codec_set_log(codec, on_log, &calls, NULL) == ACCP_OK);
    CHECK(accp_codec_set_redacted(codec, "args", 4, NULL) == ACCP_OK);
    CHECK(accp_codec_set_origin(codec, ACCP_ORIGIN_UNTRUSTED, NULL) == ACCP_OK);
    CHECK(accp_codec_set_strict(codec, ACCP_STRICT_OPERATIONS, NULL) == ACCP_OK);
    CHECK(accp_codec_decode(codec, "@a>req:tool{tool:rm}", 20, &out, &len, NULL) == ACCP_E4001 &&
          calls == 2);
    CHECK(accp_codec_decode(codec, "@a>done:tool{tool:ls}", 21, &out, &len, NULL) == ACCP_OK &&
          calls == 4);
    CHECK(accp_codec_warnings(codec) == ACCP_WARN_NO_CID);
    CHECK(accp_codec_encode(codec, kMessage, strlen(kMessage), &out, &len, NULL) == ACCP_E5001);
    CHECK(accp_codec_set_policy(codec, NULL, NULL, NULL) == ACCP_OK);
    fresh.fields = ACCP_ENVELOPE_MID | ACCP_ENVELOPE_SEQ;
    fresh.mid.text = "m2";
    fresh.mid.len = 2;
    fresh.seq = 2;
    CHECK(accp_codec_retry(codec, "@a>req:x{}[mid:m1,seq:1]", 24, &fresh, &out, &len, NULL) ==
          ACCP_OK);
    CHECK(is(out, len, "@a>req:x{}[mid:m2,seq:2,cid:m1]"));
    failure.code = ACCP_E4001;
    failure.agent.text = "a";
    failure.agent.len = 1;
    CHECK(accp_failure_encode(codec, &failure, &out, &len, NULL) == ACCP_OK);
    CHECK(accp_failure_decode(codec, "@a>fail:error{code:E3001}", 25, &failure, NULL) == ACCP_OK &&
          failure.retry == 1);
    CHECK(accp_status_category(failure.code) == ACCP_CATEGORY_DELIVERY);
    chunk.cid.text = "c";
    chunk.cid.len = 1;
    CHECK(accp_chunk_next("text", 4, 3, &chunk, NULL) == ACCP_OK && !chunk.is_final);
    CHECK(accp_chunk_encode(codec, failure.agent, (accp_text){"infer", 5}, &chunk, &out, &len,
                            NULL) == ACCP_OK);
    CHECK(is(out, len, "@a>stream:infer{idx:0|d:tex}[cid:c]"));
    accp_codec_free(codec);
    accp_registry_free(registry);
}

static void deliveries(const accp_options *options) {
    static const char message[] =
        "{\"intent\":\"stream\",\"payload\":{\"chunk_index\":0},\"meta\":{\"cid\":\"d\"}}";
    accp_stream *stream = NULL;
    accp_deadline *deadline = NULL;
    accp_chunk chunk = {{"c", 1}, {"a", 1}, 0, 0, 0, 0};
    accp_stream_part part;
    accp_text cid;
    CHECK(accp_stream_new(options, &stream, NULL) == ACCP_OK);
    CHECK(accp_stream_set_limits(stream, 100, 10, 10, NULL) == ACCP_OK);
    CHECK(accp_stream_set_keep(stream, 1, NULL) == ACCP_OK);
    CHECK(accp_stream_add(stream, &chunk, &part, NULL) == ACCP_OK &&
          is(part.data.text, part.data.len, "a"));
    CHECK(accp_stream_receive(stream, message, sizeof message - 1, &part, NULL) == ACCP_OK &&
          part.chunks == 1);
    CHECK(accp_stream_count(stream) == 2);
    CHECK(accp_stream_end(stream, "c", 1, &part, NULL) == ACCP_OK &&
          part.state == ACCP_STREAM_ABORTED);
    CHECK(accp_stream_drop(stream, "d", 1, NULL) == ACCP_OK);
    accp_stream_free(stream);
    CHECK(accp_deadline_new(options, &deadline, NULL) == ACCP_OK);
    CHECK(accp_deadline_start(deadline, "c", 1, 5, NULL) == ACCP_OK);
    CHECK(accp_deadline_extend(deadline, "c", 1, 7, NULL) == ACCP_OK &&
          accp_deadline_next(deadline) == 7);
    CHECK(accp_deadline_answer(deadline, "d", 1, NULL) == ACCP_E3001);
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

static void stores(const accp_options *options) {
    static const char session[] =
        "{\"session\":\"s\",\"version\":0,\"generation\":0,\"floor\":0}\n{\"record\":\"r\"}\n";
    char kept[200] = "";
    int damages = 0;
    uint64_t pruned = 9;
    accp_store *store = NULL;
    accp_store_stats stats;
    CHECK(accp_store_open("memory:", 7, 0, options, &store, NULL) == ACCP_OK);
    CHECK(accp_store_import(store, session, sizeof session - 1, NULL) == ACCP_OK);
    CHECK(accp_store_sync(store, NULL) == ACCP_OK);
    CHECK(accp_store_export(store, "s", 1, keep_text, kept, NULL) == ACCP_OK &&
          strcmp(kept, session) == 0);
    CHECK(accp_store_sessions(store, keep_text, kept, NULL) == ACCP_OK && strcmp(kept, "s") == 0);
    CHECK(accp_store_get_stats(store, &stats, NULL) == ACCP_OK && stats.sessions == 1 &&
          stats.records == 1);
    CHECK(accp_store_prune(store, 1, 2, &pruned, NULL) == ACCP_OK && pruned == 0);
    CHECK(accp_store_verify(store, count_damage, &damages, NULL) == ACCP_OK && damages == 0);
    CHECK(accp_store_erase(store, "s", 1, NULL) == ACCP_OK);
    CHECK(accp_store_close(store, NULL) == ACCP_OK);
}

static int no_summary(const char *hot, size_t hot_len, uint32_t max_tokens, const char **out,
                      size_t *len_out, void *user) {
    CHECK(hot != NULL && hot_len > 0 && max_tokens == 100 && out != NULL && len_out != NULL);
    ++*(int *)user;
    return 0;
}

static void count_line(int32_t direction, accp_status status, const char *text, size_t text_len,
                       void *user) {
    CHECK((direction == ACCP_SENT || direction == ACCP_RECEIVED) &&
          (status == ACCP_OK || status == ACCP_E5001) && text != NULL && text_len > 0);
    ++*(int *)user;
}

static void sessions(const accp_options *options) {
    static const char message[] =
        "{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{\"k\":1},\"meta\":{"
        "\"cid\":\"c\"}}";
    static const char done[] =
        "{\"agent\":\"a\",\"intent\":\"done\",\"operation\":\"x\",\"payload\":{\"k\":1}}";
    static const char part[] = "@b>req:x{k:1}[mid:b00000000009,seq:3,cid:p,fi:0,ft:2]";
    const char *out = NULL;
    size_t len = 0;
    int summaries = 0, lines = 0;
    int64_t version = 9, time_ms = 0;
    int32_t kind = 0;
    uint64_t tokens = 0;
    accp_engine *engine = NULL;
    accp_session *session = NULL, *other = NULL;
    accp_delivery delivery;
    accp_budget budget;
    CHECK(accp_engine_new(options, NULL, NULL, ACCP_EXT_Q1, NULL, &engine, NULL) == ACCP_OK);
    CHECK(strcmp(accp_rule_name(ACCP_RULE_PARTS), "parts") == 0 &&
          accp_rule_name(ACCP_RULE_JUMP + 1) == NULL);
    CHECK(accp_engine_set_rule(engine, ACCP_RULE_PARTS, 1, NULL) == ACCP_OK);
    CHECK(accp_engine_set_rule(engine, ACCP_RULE_DEADLINE_MS, 10, NULL) == ACCP_OK);
    CHECK(accp_engine_set_summariser(engine, no_summary, &summaries, NULL) == ACCP_OK);
    CHECK(accp_engine_set_log(engine, count_line, &lines, NULL) == ACCP_OK);
    CHECK(accp_engine_set_own_agents(engine, "harness,planner", 15, NULL) == ACCP_OK);
    CHECK(accp_engine_set_origin(engine, "web", 3, ACCP_ORIGIN_UNTRUSTED, NULL) == ACCP_OK);
    CHECK(accp_engine_set_redacted(engine, "secret", 6, NULL) == ACCP_OK);
    CHECK(accp_engine_set_resolver(engine, NULL, NULL, NULL) == ACCP_OK);
    CHECK(accp_engine_set_cold_store(engine, NULL, NULL, NULL, NULL) == ACCP_OK);
    CHECK(accp_engine_register_schema(engine, "{}", 2, NULL) == ACCP_OK);
    accp_registry_free(accp_engine_registry(engine));
    CHECK(accp_session_open(engine, "s", 1, &session, NULL) == ACCP_OK);
    CHECK(accp_session_open_read(engine, "t", 1, &other, NULL) == ACCP_E2001 && other == NULL);
    CHECK(accp_session_open(engine, "t", 1, &other, NULL) == ACCP_OK);
    CHECK(accp_session_send(session, message, sizeof message - 1, 5, &out, &len, NULL) == ACCP_OK);
    CHECK(accp_session_receive(other, out, len, 5, NULL) == ACCP_OK);
    CHECK(accp_session_next(other, &delivery) == 1 && delivery.status == ACCP_OK &&
          accp_session_next(other, &delivery) == 0);
    CHECK(lines == 2);
    CHECK(accp_session_next_deadline(session) == 15);
    CHECK(accp_session_expire(session, 16, NULL) == ACCP_OK);
    CHECK(accp_session_next(session, &delivery) == 1 && delivery.status == ACCP_E3001 &&
          delivery.seq == 1);
    CHECK(is(delivery.message.text, delivery.message.len, "c"));
    CHECK(accp_session_retry(session, 1, 17, &out, &len, NULL) == ACCP_OK && len > 0);
    CHECK(accp_session_receive(session, part, sizeof part - 1, 18, NULL) == ACCP_OK);
    CHECK(accp_session_receive_from(session, "c,d", 3, ACCP_ORIGIN_UNTRUSTED, part, sizeof part - 1,
                                    18, NULL) == ACCP_E5001);
    CHECK(accp_session_abandon(session, "p", 1, 18, NULL) == ACCP_OK);
    CHECK(accp_session_is_cancelled(session, "c", 1) == 0);
    CHECK(accp_session_append(session, done, sizeof done - 1, 19, NULL) == ACCP_OK &&
          summaries == 1);
    CHECK(accp_session_checkpoint(session, 20, NULL) == ACCP_OK &&
          accp_session_checkpoints(session) == 1);
    CHECK(accp_session_context(session, 0, &out, &len, &tokens, NULL) == ACCP_OK && len > 0 &&
          tokens > 0);
    CHECK(accp_session_budget(session, &budget, NULL) == ACCP_OK && budget.hot_max == 500);
    CHECK(accp_session_records(session) == 6);
    CHECK(accp_session_record(session, 1, &kind, &time_ms, &out, &len, NULL) == ACCP_OK &&
          kind == ACCP_RECORD_REQUEST && time_ms == 5);
    CHECK(accp_session_put(session, "warm.k", 6, "[1]", 3, 0, NULL) == ACCP_OK);
    CHECK(accp_session_resolve(session, "warm.k.0", 8, 21, &out, &len, NULL) == ACCP_OK &&
          is(out, len, "1"));
    CHECK(accp_session_grant(session, "t", 1, "warm.k", 6, 0, NULL) == ACCP_OK);
    CHECK(accp_session_resolve_of(other, "s", 1, "warm.k", 6, 21, &out, &len, NULL) == ACCP_OK &&
          is(out, len, "[1]"));
    CHECK(accp_session_revoke(session, "t", 1, "warm.k", 6, NULL) == ACCP_OK);
    CHECK(accp_session_erase(session, "warm.k", 6, NULL) == ACCP_OK);
    CHECK(accp_session_send_state(session, "a", 1, "{\"k\":1}", 7, 22, &out, &len, NULL) ==
              ACCP_OK &&
          len > 0);
    CHECK(accp_session_state(session, &version).len == 7 && version == 1);
    CHECK(accp_session_sync(session, NULL) == ACCP_OK);
    CHECK(accp_session_end(session, 23, NULL) == ACCP_OK);
    accp_session_close(session);
    accp_session_close(other);
    accp_engine_free(engine);
}

int main(void) {
    accp_options *options = configured();
    accp_frame *frame = NULL;
    statuses();
    CHECK(accp_frame_new(options, &frame, NULL) == ACCP_OK);
    values(options, frame);
    frames(options, frame);
    batches(options);
    tokens(options);
    renders(options);
    registries(options, frame);
    codecs(options);
    hooks(options);
    deliveries(options);
    stores(options);
    sessions(options);
    accp_frame_free(frame);
    accp_options_free(options);
    return failures != 0;
}
