/* Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0 */

/* The native figures: loops over the same frames, through the same library, in the same process. */
#include <accp/parts.h>

/* Parses each of `count` frames of `len` bytes, and reads its nodes, `rounds` times. */
__attribute__((visibility("default"))) uint64_t bench_parse(const char *text, const size_t *starts,
                                                            size_t count, int rounds) {
    accp_frame *frame = NULL;
    uint64_t sum = 0;
    int round;
    size_t i, node, nodes_count;
    if (accp_frame_new(NULL, &frame, NULL) != ACCP_OK) return 0;
    for (round = 0; round < rounds; ++round)
        for (i = 0; i < count; ++i) {
            const accp_node *nodes;
            if (accp_frame_parse(frame, text + starts[i], starts[i + 1] - starts[i] - 1, NULL) !=
                ACCP_OK)
                return 0;
            nodes = accp_frame_nodes(frame, &nodes_count);
            for (node = 0; node < nodes_count; ++node) sum += nodes[node].kind + nodes[node].len;
        }
    accp_frame_free(frame);
    return sum;
}

/* Decodes all frames in one call, `rounds` times. */
__attribute__((visibility("default"))) uint64_t bench_batch(const char *text, size_t len,
                                                            int rounds) {
    accp_batch *batch = NULL;
    uint64_t sum = 0;
    int round;
    size_t i, count;
    if (accp_batch_new(NULL, &batch, NULL) != ACCP_OK) return 0;
    for (round = 0; round < rounds; ++round) {
        const accp_record *records;
        if (accp_batch_decode(batch, text, len, NULL) != ACCP_OK) return 0;
        records = accp_batch_records(batch, &count);
        for (i = 0; i < count; ++i) {
            if (records[i].status != ACCP_OK) return 0;
            sum += records[i].len;
        }
    }
    accp_batch_free(batch);
    return sum;
}
