// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Steps 5 and 6: the tokens of a frame, and its limit.
#include "codec/encode/outgoing.h"

#include <algorithm>

namespace accp::codec {

// Step 5: composes the frame and counts its tokens, if there is a counter. Then tries spellings
// with fewer tokens.
Status estimate_tokens(Outgoing &out) {
    Status status = compose(out);
    out.tokens = 0;
    out.respelled = false;
    if (status.failed() || !out.call.counter) return status;
    status = add_tokens(out, {out.out.data() + out.start, out.out.size() - out.start});
    return status.ok() && out.settings.spells_cheapest ? spell_frame(out) : status;
}

Status add_tokens(Outgoing &out, std::string_view frame) {
    uint64_t count = 0;
    Status status = out.call.counter->count(frame, UINT64_MAX, count);
    out.tokens += count;
    return move_to(status, out.message.payload);
}

// Step 6: a frame over the limit is sent in parts if the peer accepts them. Otherwise its largest
// values go to the keeper until it fits. If that is not enough, the message is refused.

namespace {

constexpr uint64_t kMinKept = 24;  // bytes: the ref of a shorter value would hardly be shorter
constexpr uint64_t kRefBytes = 8;  // approximate

bool is_over(const Outgoing &out) {
    return out.call.max_tokens && out.call.counter && out.tokens > out.call.max_tokens;
}

struct Candidate {
    uint32_t node;
    uint64_t bytes;
};

// Finds the values of the payload that could go to the keeper, largest first.
uint32_t find_candidates(const Outgoing &out, Candidate *found) {
    value::TreeView tree = out.tree();
    const uint32_t payload = out.message.payload;
    uint32_t count = 0;
    auto look_at = [&](uint32_t node) {
        if (node == out.schema_node ||
            (tree[node].kind != ACCP_STRING && !value::is_container(tree[node].kind)))
            return;
        uint64_t bytes = 0;
        for (uint32_t i = node; i < tree[node].next; ++i)
            bytes += value::is_container(tree[i].kind) ? 2 : tree[i].len + tree[i].key_len + 1;
        if (bytes > kMinKept) found[count++] = {node, bytes};
    };
    if (out.is_text()) look_at(payload);
    else
        for (uint32_t i = payload + 1; i < tree[payload].next; i = tree[i].next) look_at(i);
    std::stable_sort(found, found + count,
                     [](const Candidate &a, const Candidate &b) { return a.bytes > b.bytes; });
    return count;
}

// Moves values to the keeper, as many as their bytes suggest, or all. Then composes the frame
// again.
Status externalise(Outgoing &out, bool all) {
    value::TreeView tree = out.tree();
    const uint32_t end = tree[out.message.payload].next;
    auto *found = out.arena.allocate<Candidate>(end);
    auto *chosen = out.arena.allocate<bool>(end);
    for (uint32_t i = 0; i < end; ++i) chosen[i] = false;
    const uint32_t count = find_candidates(out, found);
    const uint64_t frame = out.out.size() - out.start;
    const uint64_t needed = frame - frame * out.call.max_tokens / out.tokens;
    uint64_t saved = 0;
    for (uint32_t i = 0; i < count && (all || saved < needed); ++i) {
        chosen[found[i].node] = true;
        saved += found[i].bytes - kRefBytes;
    }
    Status status = keep_values(out, chosen);
    if (status.failed()) return status;
    out.out.resize_down(out.start);
    return estimate_tokens(out);
}

// Parts use the spelling of docs/wire.md: the tokens of another spelling are unknown until the
// envelopes of the parts are used up.
Status split(Outgoing &out, bool &done) {
    if (!out.respelled) return split_frame(out, done);
    out.out.resize_down(out.start);
    Status status = compose(out);
    return status.failed() ? status : split_frame(out, done);
}

Status check_own_meta(Outgoing &out) {
    if (!out.call.envelopes || !out.message.has_meta) return {};
    for (std::string_view key : {delivery::kPartKey, delivery::kPartsKey}) {
        const uint32_t node = out.message.meta_tree.find(out.message.meta, key);
        if (!node) continue;
        out.in_meta = out.at_key = true;
        return fail(ACCP_E1004, node,
                    "fi and ft are reserved for messages in parts: remove them from meta");
    }
    return {};
}

}  // namespace

Status check_budget(Outgoing &out) {
    Status status = check_own_meta(out);
    if (status.failed() || !is_over(out)) return status;
    bool done = false;
    if (out.call.envelopes) status = split(out, done);
    if (status.failed() || done) return status;
    for (bool all = false; out.call.keeper && is_over(out);) {
        const uint32_t before = out.kept;
        status = externalise(out, all);
        if (status.failed()) return status;
        if (out.kept > before) continue;
        if (all) break;
        all = true;
    }
    if (!is_over(out)) return {};
    return fail_limit(out.tokens, out.call.max_tokens,
                      "too many tokens in one frame: open both sessions in mode local if they "
                      "are of one engine, set rule parts if the peer joins parts, set rule "
                      "shares_store if both sides share a store, or raise rule max_tokens");
}

}  // namespace accp::codec
