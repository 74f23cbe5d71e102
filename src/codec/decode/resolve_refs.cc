// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 2 for values: replaces the refs of a block by their values, then the refs in these values,
// and so on. Each round is a hop, so a cycle ends like a chain that is too long. Every inserted
// byte is charged, even if the value was inserted before.
#include "codec/decode/incoming.h"
#include "codec/tree_copy.h"
#include "frame/message/json.h"
#include "frame/table.h"

namespace accp::codec {

namespace {

constexpr const char *kNoTier = "the first label of the ref is not a tier: hot, warm, cold or ctx";

// Returns whether this is a message that is marked as untrusted.
bool is_marked_untrusted(value::TreeView tree) {
    const uint32_t mark = tree[0].kind == ACCP_MAP ? tree.find(0, "untrusted") : 0;
    return mark && message::is_untrusted_mark(tree[mark]);
}

class RefExpander {
public:
    explicit RefExpander(Incoming &in) : in_(in), scratch_(in.scratch) {}

    Status run(uint32_t block, value::Value &value);

private:
    Status round(value::TreeView from);
    Status insert_value(std::string_view ref, uint32_t offset, uint32_t depth);
    Status fetch(std::string_view ref, std::string_view &json);
    Status find(std::string_view ref, std::string_view &json);

    Incoming &in_;
    CodecScratch &scratch_;
    // The offsets in the frame of the refs that led to those in the value, in order, before and
    // after a round.
    Buffer<uint32_t> &places_ = scratch_.places, &next_places_ = scratch_.next_places;
};

// A bare key is searched in hot, then in warm.
Status RefExpander::find(std::string_view ref, std::string_view &json) {
    if (has_tier(ref)) return in_.call.resolver->resolve(ref, json);
    if (ref.find('.') != std::string_view::npos) return fail(ACCP_E2001, 0, kNoTier);
    char *name = scratch_.arena.allocate<char>(ref.size() + 5);
    std::memcpy(name + 5, ref.data(), ref.size());
    std::memcpy(name + 1, "hot.", 4);
    Status status = in_.call.resolver->resolve({name + 1, ref.size() + 4}, json);
    if (status.code != ACCP_E2001) return status;
    std::memcpy(name, "warm.", 5);
    return in_.call.resolver->resolve({name, ref.size() + 5}, json);
}

Status RefExpander::fetch(std::string_view ref, std::string_view &json) {
    Status status = find(ref, json);
    if (!status.ok()) return status;
    in_.untrusted = in_.untrusted || in_.call.resolver->untrusted;
    if (json.size() > in_.expand_left)
        return fail_limit(kExpandBytes - in_.expand_left + json.size(), kExpandBytes,
                          "too many bytes of values of refs: name fewer refs in one message");
    in_.expand_left -= json.size();
    return {};
}

// Adds the value of a ref.
Status RefExpander::insert_value(std::string_view ref, uint32_t offset, uint32_t depth) {
    const Settings &settings = scratch_.settings;
    const auto max_depth = static_cast<uint32_t>(settings.limit(ACCP_LIMIT_JSON_DEPTH));
    std::string_view json;
    Status status = fetch(ref, json);
    if (status.failed()) return move_to(status, offset);
    status = scratch_.reader.read(json.data() ? json.data() : "", json.size(),
                                  {kExpandBytes, max_depth}, scratch_.found);
    if (status.failed())
        return fail(status.code < 0 ? status.code : ACCP_ERR_CORRUPT, offset,
                    "the value of the ref is not JSON");
    value::TreeView tree = scratch_.found.view();
    in_.untrusted = in_.untrusted || is_marked_untrusted(tree);
    status =
        copy_tree(tree, 0, depth, max_depth, scratch_.arena, scratch_.spare,
                  [&](uint32_t node, uint32_t, bool &done) {
                      done = frame::is_reference(tree, node, settings.limit(ACCP_LIMIT_KEY_BYTES));
                      if (!done) return Status{};
                      scratch_.spare.add_scalar(ACCP_REF, 0, tree.string(node + 1));
                      next_places_.push(offset);
                      return Status{};
                  });
    return move_to(status, offset);
}

Status RefExpander::round(value::TreeView from) {
    const auto max_depth = static_cast<uint32_t>(scratch_.settings.limit(ACCP_LIMIT_JSON_DEPTH));
    uint32_t next = 0;
    scratch_.spare.clear();
    next_places_.clear();
    return copy_tree(from, 0, 0, max_depth, scratch_.arena, scratch_.spare,
                     [&](uint32_t node, uint32_t depth, bool &done) {
                         done = from[node].kind == ACCP_REF;
                         return done ? insert_value(from.string(node), places_[next++], depth)
                                     : Status{};
                     });
}

Status RefExpander::run(uint32_t block, value::Value &value) {
    value::TreeView frame = in_.tree();
    places_.clear();
    // a value has its refs in the order of the frame
    for (uint32_t i = block; i < frame[block].next; ++i)
        if (frame[i].kind == ACCP_REF) places_.push(frame[i].offset - 1);
    for (uint32_t hop = 0; !places_.empty(); ++hop) {
        if (hop == kRefHops)
            return fail(ACCP_E2001, places_[0],
                        "the refs form a cycle or a chain that is too long");
        Status status = round(value.view());
        if (status.failed()) return status;
        value.clear();
        value.nodes.append(scratch_.spare.nodes);
        value.text.append(scratch_.spare.text);
        places_.clear();
        places_.append(next_places_);
    }
    return {};
}

Status read_block(Incoming &in, uint32_t block, value::Value &value) {
    Status status = in.coder.read_block(in.tree(), block, block == frame::kPayload, value,
                                        block != frame::kPayload);
    return status.failed() || !in.call.resolver ? status : RefExpander(in).run(block, value);
}

// Finds a payload that is a text (docs/wire.md 3), directly or through a ref.
Status find_text(Incoming &in) {
    const uint32_t text = frame::text_node(in.tree(), frame::kPayload, in.scratch.settings);
    if (!text) return {};
    const uint8_t wire = in.tree()[text].kind, kind = in.scratch.payload.nodes[1].kind;
    in.is_text = kind == ACCP_STRING;
    if (in.is_text || wire != ACCP_REF) return {};
    if (kind == ACCP_REF)
        return fail(ACCP_E2001, in.tree()[text].offset - 1,
                    "a text that is a reference, and no session to resolve it");
    return fail(ACCP_E1004, in.tree()[text].offset - 1,
                "the text is a reference to a value that is not a text");
}

}  // namespace

Status resolve_refs(Incoming &in) {
    value::TreeView tree = in.tree();
    const bool kept = in.scratch.settings.keep_refs || in.call.resolver;
    for (uint32_t i = frame::kPayload; i < in.size() && !kept; ++i)
        if (tree[i].kind == ACCP_REF)
            return fail(ACCP_E2001, tree[i].offset - 1,
                        "a reference, and no session to resolve it");
    in.expand_left = kExpandBytes;
    Status status = read_block(in, frame::kPayload, in.scratch.payload);
    if (status.ok() && in.meta() && in.call.resolver)
        status = read_block(in, in.meta(), in.scratch.meta);
    if (status.failed()) return status;
    return find_text(in);
}

}  // namespace accp::codec
