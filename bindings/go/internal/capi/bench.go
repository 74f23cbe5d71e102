// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

package capi

// The same work as a loop in C in one call, for measuring the binding's own cost.

/*
#include <stdlib.h>
#include "libaccp.h"

static uint64_t accp_go_bench_parse(void *frame, const accp_text *texts, size_t count, int rounds) {
    uint64_t seen = 0;
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) {
            size_t n = 0;
            if (accp_frame_parse(frame, texts[i].text, texts[i].len, 0)) return 0;
            const accp_node *nodes = accp_frame_nodes(frame, &n);
            for (uint32_t at = 0; at < 3; ++at) seen += nodes[at].len;
            for (uint32_t at = 4; at < nodes[3].next; at = nodes[at].next) seen += nodes[at].len + nodes[at].key_len;
        }
    }
    return seen;
}

static uint64_t accp_go_bench_batch(void *batch, const accp_text *texts, size_t count, int rounds) {
    uint64_t seen = 0;
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) {
            size_t n = 0;
            if (accp_batch_decode(batch, texts[i].text, texts[i].len, 0)) return 0;
            const accp_record *records = accp_batch_records(batch, &n);
            accp_batch_text(batch);
            for (size_t r = 0; r < n; ++r) seen += records[r].status == 0 ? records[r].len : 0;
        }
    }
    return seen;
}

static uint64_t accp_go_bench_decode(void *codec, const accp_text *texts, size_t count, int rounds) {
    uint64_t seen = 0;
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) {
            accp_text out;
            if (accp_codec_decode(codec, texts[i].text, texts[i].len, &out, 0)) return 0;
            seen += out.len;
        }
    }
    return seen;
}
*/
import "C"

import "unsafe"

// Bench holds texts in C's memory.
type Bench struct {
	texts *C.accp_text
	count C.size_t
}

// NewBench copies texts; they are never freed.
func NewBench(texts []string) *Bench {
	b := &Bench{(*C.accp_text)(C.calloc(C.size_t(len(texts)), C.sizeof_accp_text)), C.size_t(len(texts))}
	for i, at := range unsafe.Slice(b.texts, len(texts)) {
		at.text, at.len = C.CString(texts[i]), C.size_t(len(texts[i]))
		unsafe.Slice(b.texts, len(texts))[i] = at
	}
	return b
}

// Parse, Batch and Decode process all texts in each round, and return the number of bytes; 0 after
// a failure.
func (b *Bench) Parse(frame unsafe.Pointer, rounds int) uint64 {
	return uint64(C.accp_go_bench_parse(frame, b.texts, b.count, C.int(rounds)))
}
func (b *Bench) Batch(batch unsafe.Pointer, rounds int) uint64 {
	return uint64(C.accp_go_bench_batch(batch, b.texts, b.count, C.int(rounds)))
}
func (b *Bench) Decode(codec unsafe.Pointer, rounds int) uint64 {
	return uint64(C.accp_go_bench_decode(codec, b.texts, b.count, C.int(rounds)))
}
