// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 3 for long values: moves values of the payload to the keeper, and puts refs in their place.
// A value that the keeper does not take stays, and step 5 checks whether it can be written.
#include "base/utf8.h"
#include "codec/encode/outgoing.h"
#include "codec/tree_copy.h"
#include "frame/scalar.h"
#include "frame/table.h"
#include "value/json_writer.h"

namespace accp::codec {

namespace {

// Returns whether a UTF-8 text has more than `max` code points.
bool is_longer(std::string_view text, uint64_t max) {
    return text.size() > max && count_code_points(text) > max;
}

class ValueExtractor {
public:
    ValueExtractor(Outgoing &out, const bool *chosen)
        : out_(out), tree_(out.tree()), chosen_(chosen) {}

    bool wanted(uint32_t node, uint32_t depth) const;
    // If the keeper takes the value, adds its ref.
    Status keep(uint32_t node, value::Value &to, bool &done);

private:
    bool has_spelling(uint32_t node) const;
    bool may_go(uint32_t node) const;

    Outgoing &out_;
    value::TreeView tree_;
    const bool *chosen_;  // for each node; nullptr: by the rules of step 3
};

bool ValueExtractor::has_spelling(uint32_t node) const {
    const frame::Spelling spelling = frame::spelling_of(out_.settings);
    if (spelling.q1) return true;
    const frame::KeyCoder keys(out_.settings);
    if (tree_[node].kind == ACCP_MAP) {
        for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next)
            if (!keys.is_plain(tree_.key(i), false)) return false;
        return true;
    }
    Buffer<char> &scratch = out_.scratch.text;
    scratch.clear();
    if (tree_[node].kind == ACCP_STRING)
        return frame::write_wire_string(tree_.string(node), spelling, scratch);
    return !value::is_number(tree_[node].kind) ||
           frame::write_wire_number(tree_.string(node), tree_[node].kind, spelling, scratch);
}

// A stored value is read back with a ref in place of each object that looks like one. Without refs,
// a value with such an object is not stored.
bool ValueExtractor::may_go(uint32_t node) const {
    if (out_.settings.keep_refs) return true;
    for (uint32_t i = node; i < tree_[node].next; ++i)
        if (frame::is_reference(tree_, i, UINT64_MAX)) return false;
    return true;
}

bool ValueExtractor::wanted(uint32_t node, uint32_t depth) const {
    if (chosen_) return chosen_[node];
    const value::Node &value = tree_[node];
    if (value.kind == ACCP_STRING && is_longer(tree_.string(node), out_.setup.inline_characters))
        return true;
    // The payload itself is not a level of nesting.
    if (value::is_container(value.kind) && depth > out_.settings.limit(ACCP_LIMIT_DEPTH))
        return true;
    return !has_spelling(node);
}

Status ValueExtractor::keep(uint32_t node, value::Value &to, bool &done) {
    if (out_.settings.keep_refs &&
        frame::is_reference(tree_, node, out_.settings.limit(ACCP_LIMIT_KEY_BYTES)))
        return {};
    if (!may_go(node)) return {};
    Buffer<char> &json = out_.scratch.text;
    json.recycle(kKeptBytes);
    value::write_json(tree_, node, json);
    std::string_view ref;
    Status status = out_.call.keeper->keep({json.data(), json.size()}, ref);
    if (status.failed()) return move_to(status, node);
    if (ref.empty()) return {};
    if (!frame::is_ref(ref.data(), ref.size()) ||
        ref.size() > out_.settings.limit(ACCP_LIMIT_KEY_BYTES) || !has_tier(ref))
        return fail(ACCP_ERR_ARG, node, "the keeper must return a ref with a tier");
    to.add_scalar(ACCP_REF, 0, ref);
    ++out_.kept;
    done = true;
    return {};
}

// Returns whether this param is omitted anyway, because the other side fills it in.
bool is_left_out(const Outgoing &out, uint32_t node) {
    for (uint32_t i = 0; i < out.count; ++i)
        if (out.params[i].node == node)
            return out.params[i].key.field &&
                   registry::is_default(*out.schema, *out.params[i].key.field, out.tree(), node);
    return false;
}

bool wants_any(const Outgoing &out, const ValueExtractor &extractor) {
    value::TreeView tree = out.tree();
    const uint32_t payload = out.message.payload;
    auto *ends = out.arena.allocate<uint32_t>(tree[payload].next - payload + 1);
    uint32_t depth = 0;
    for (uint32_t i = payload; i < tree[payload].next; ++i) {
        while (depth && ends[depth - 1] == i) --depth;
        if (i != out.schema_node && (i != payload || tree[i].kind == ACCP_STRING) &&
            extractor.wanted(i, depth))
            return true;
        if (value::is_container(tree[i].kind)) ends[depth++] = tree[i].next;
    }
    return false;
}

// Moves the params and the node of the schema's name to the new payload.
void move_params(Outgoing &out, value::TreeView from, uint32_t payload, value::TreeView to) {
    uint32_t next = 0;
    for (uint32_t i = payload + 1, j = 1; i < from[payload].next;
         i = from[i].next, j = to[j].next) {
        if (i == out.schema_node) out.schema_node = j;
        else if (next < out.count) out.params[next++].node = j;
    }
}

}  // namespace

Status keep_values(Outgoing &out, const bool *chosen) {
    ValueExtractor extractor(out, chosen);
    const value::TreeView tree = out.tree();
    const uint32_t payload = out.message.payload;
    if (!out.call.keeper || (!chosen && !wants_any(out, extractor))) return {};
    value::Value &to = out.scratch.kept[out.which_kept ^= 1];
    to.clear();
    auto *origins = out.arena.allocate<uint32_t>(tree[payload].next - payload);
    const auto max_depth = static_cast<uint32_t>(out.settings.limit(ACCP_LIMIT_JSON_DEPTH));
    Status status = copy_tree(
        tree, payload, 0, max_depth, out.arena, to, [&](uint32_t node, uint32_t depth, bool &done) {
            origins[to.nodes.size()] = out.origin(node);
            if (node == out.schema_node || (node == payload && tree[node].kind != ACCP_STRING) ||
                !extractor.wanted(node, depth))
                return Status{};
            if (depth == 1 && is_left_out(out, node)) return Status{};
            return extractor.keep(node, to, done);
        });
    if (status.failed()) return status;
    move_params(out, tree, payload, to.view());
    out.message.tree = to.view();
    out.message.payload = 0;
    out.origins = origins;
    return {};
}

}  // namespace accp::codec
