// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See self_check.h.
#include "self_check.h"

#include <cstdio>

#include "operations.h"
#include "rows.h"

namespace accp_bench {

namespace {

bool complain(const char *row, size_t i, const accp_error &error) {
    std::fprintf(stderr, "accp_bench: \"%s\" goes wrong at message %zu: %s\n", row, i + 1,
                 error.message ? error.message : "not what was expected");
    return false;
}

// Checks that every result is the line of `expected` with the same number.
template <class Operation>
bool gives(const char *row, const Lines &input, const Lines &expected) {
    Operation op(input, nullptr);
    for (size_t i = 0; i < input.size(); ++i) {
        if constexpr (requires { op.prepare(0, 0); })
            if (i % kBlock == 0) op.prepare(i, std::min(i + kBlock, input.size()));
        if (!op(i) || std::string_view(op.out.text, op.out.len) != expected[i])
            return complain(row, i, op.error);
    }
    return true;
}

// Returns the number of nodes, or 0 if the tree is incomplete: the last block must end with the
// last node.
size_t whole_tree(const accp_frame *frame) {
    size_t count = 0;
    const accp_node *nodes = accp_frame_nodes(frame, &count);
    if (count < 4 || nodes[3].kind != ACCP_MAP) return 0;
    size_t end = nodes[3].next;
    bool whole =
        end == count || (end < count && nodes[end].kind == ACCP_MAP && nodes[end].next == count);
    return whole ? count : 0;
}

bool parses(const Lines &frames) {
    Parse op(frames, nullptr);
    BatchParse batch(frames, nullptr);
    if (!batch(0)) return complain(kBatchParse, 0, batch.error);
    size_t records = 0;
    const accp_record *record = accp_batch_records(batch.batch.get(), &records);
    if (records != frames.size()) return complain(kBatchParse, records, batch.error);
    for (size_t i = 0; i < frames.size(); ++i) {
        size_t count = op(i) ? whole_tree(op.frame.get()) : 0;
        if (!count) return complain(kParse, i, op.error);
        if (record[i].status != ACCP_OK || record[i].node_count != count)
            return complain(kBatchParse, i, batch.error);
    }
    return true;
}

bool refuses(const Lines &frames) {
    Refuse op(frames, nullptr);
    for (size_t i = 0; i < frames.size(); ++i)
        if (!op(i)) return complain(kRefuse, i, op.error);
    return true;
}

// Replaces {"$ref":"warm.key"} by "$warm.key", as in the JSON of the corpus.
std::string refs_as_text(std::string_view json) {
    constexpr std::string_view kBegin = "{\"$ref\":\"";
    std::string text(json);
    for (size_t at; (at = text.find(kBegin)) != text.npos;) {
        text.replace(at, kBegin.size(), "\"$");
        text.erase(text.find('}', at), 1);
    }
    return text;
}

bool decodes_plain(const Corpus &corpus) {
    DecodePlain op(corpus.frames, nullptr);
    for (size_t i = 0; i < corpus.frames.size(); ++i)
        if (!op(i) || refs_as_text({op.out.text, op.out.len}) != corpus.messages[i])
            return complain(kDecodePlain, i, op.error);
    return true;
}

}  // namespace

// The corpus is canonical, so printing gives the frames themselves. A separate program wrote its
// frames and its JSON.
bool check_operations(const Corpus &corpus) {
    return parses(corpus.frames) && refuses(corpus.frames) &&
           gives<Print>(kPrint, corpus.frames, corpus.frames) &&
           gives<Canon>(kCanon, corpus.frames, corpus.frames) &&
           gives<Build>(kBuild, corpus.encoded, corpus.encoded) &&
           gives<Encode>(kEncode, corpus.messages, corpus.encoded) &&
           gives<Decode>(kDecode, corpus.encoded, corpus.messages) && decodes_plain(corpus);
}

}  // namespace accp_bench
