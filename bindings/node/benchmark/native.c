/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* The native figures of bench: native MESSAGES. Prints a line for each measurement: its name, and
 * the nanoseconds of one call, the least of the rounds. */
#define _POSIX_C_SOURCE 200809L
#include <accp/accp.h>
#include <accp/parts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMost = 4000, kRounds = 60, kBatch = 64 };

static const char *messages[kMost], *frames[kMost];
static size_t message_lens[kMost], frame_lens[kMost];
static size_t count;
static accp_codec *codec;
static accp_counter *counter;
static accp_batch *batch;
static accp_session *session;
static char *batches[kMost];
static uint64_t sum;

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void check(accp_status status) {
    if (status != ACCP_OK) {
        fprintf(stderr, "native: %s\n", accp_status_code_name(status));
        exit(1);
    }
}

static void encode(size_t i) {
    accp_text out;
    check(accp_codec_encode(codec, messages[i], message_lens[i], &out, NULL));
    sum += out.len;
}

static void decode(size_t i) {
    accp_text out;
    check(accp_codec_decode(codec, frames[i], frame_lens[i], &out, NULL));
    sum += out.len;
}

static void count_tokens(size_t i) {
    uint64_t tokens;
    check(accp_counter_count(counter, frames[i], frame_lens[i], UINT64_MAX, &tokens, NULL));
    sum += tokens;
}

static void decode_batch(size_t i) {
    if (i % kBatch || i + kBatch > count) return;
    check(accp_batch_decode(batch, batches[i / kBatch], strlen(batches[i / kBatch]), NULL));
    sum += accp_batch_text(batch).len;
}

static void context(size_t i) {
    accp_text out;
    (void)i;
    check(accp_session_context_messages(session, ACCP_INTERFACE_OPENAI, 0, &out, NULL, NULL));
    sum += out.len;
}

static void measure(const char *name, void (*run)(size_t), size_t calls, double per) {
    double least = 1e300;
    int round;
    size_t i;
    for (round = 0; round < kRounds; ++round) {
        const double began = now_ns();
        double took;
        for (i = 0; i < calls; ++i) run(i);
        took = (now_ns() - began) / per;
        if (took < least) least = took;
    }
    printf("%s %.1f\n", name, least);
}

int main(int argc, char **argv) {
    static char text[1 << 22];
    accp_config *config = NULL;
    accp_tokenizer *tokenizer = NULL;
    accp_engine *engine = NULL;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    char *line;
    size_t i, len;
    int turn;
    if (!file) return 2;
    len = fread(text, 1, sizeof text - 1, file);
    text[len] = 0;
    fclose(file);
    check(accp_config_new(&config, NULL));
    check(accp_config_set_rule(config, ACCP_RULE_KEEP_REFS, 1, NULL));
    check(accp_codec_new(config, &codec, NULL));
    check(accp_batch_new(config, &batch, NULL));
    check(accp_tokenizer_new("o200k_base", 10, NULL, &tokenizer, NULL));
    check(accp_counter_new(tokenizer, NULL, &counter, NULL));
    check(accp_engine_new(NULL, &engine, NULL));
    check(accp_session_open(engine, "s", 1, 0, &session, NULL));
    for (turn = 0; turn < 20; ++turn) {
        char message[256];
        const int size =
            snprintf(message, sizeof message, "{\"role\":\"%s\",\"content\":\"text %d of a talk\"}",
                     turn % 2 ? "assistant" : "user", turn);
        check(accp_session_append_messages(session, message, (size_t)size, ACCP_INTERFACE_OPENAI,
                                           1700000000000, NULL, NULL));
    }
    for (line = strtok(text, "\n"); line && count < kMost; line = strtok(NULL, "\n")) {
        accp_text out;
        messages[count] = line;
        message_lens[count] = strlen(line);
        check(accp_codec_encode(codec, line, message_lens[count], &out, NULL));
        frames[count] = memcpy(calloc(out.len + 1, 1), out.text, out.len);
        frame_lens[count++] = out.len;
    }
    for (i = 0; i + kBatch <= count; i += kBatch) {
        size_t size = 1, j;
        for (j = i; j < i + kBatch; ++j) size += frame_lens[j] + 1;
        batches[i / kBatch] = calloc(size, 1);
        for (j = i; j < i + kBatch; ++j) {
            strcat(batches[i / kBatch], frames[j]);
            strcat(batches[i / kBatch], "\n");
        }
    }
    measure("encode", encode, count, (double)count);
    measure("decode", decode, count, (double)count);
    measure("count", count_tokens, count, (double)count);
    measure("batch", decode_batch, count, (double)(count / kBatch * kBatch));
    measure("context", context, 200, 200);
    return sum == 0;
}
