// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/frame_reader.h"

#include "server/library/node_view.h"

namespace server {
namespace {

uint32_t find_either(const accp_frame *frame, std::string_view key, std::string_view other) {
    constexpr uint32_t kPayload = 3;
    const uint32_t node = accp_frame_find(frame, kPayload, key.data(), key.size());
    return node ? node : accp_frame_find(frame, kPayload, other.data(), other.size());
}

std::string_view trace_of(const accp_frame *frame, const host::Tree &tree) {
    constexpr std::string_view kTrace = "traceparent";
    const uint32_t metadata = tree.nodes[3].next;
    const uint32_t node =
        metadata < tree.count ? accp_frame_find(frame, metadata, kTrace.data(), kTrace.size()) : 0;
    return node && tree.nodes[node].kind == ACCP_STRING ? tree.raw(node) : std::string_view();
}

}  // namespace

accp_status FrameReader::read(std::string_view text, FrameFacts &out, accp_error &err) {
    accp_status status = accp_frame_parse(frame_.get(), text.data(), text.size(), &err);
    accp_envelope envelope = {};
    if (status == ACCP_OK) status = accp_frame_envelope(frame_.get(), &envelope, &err);
    if (status != ACCP_OK) return status;
    const host::Tree tree = host::tree_of(frame_.get());
    out = {tree.raw(0), tree.raw(1), tree.raw(2), {}, {}, {}, {}, false};
    out.mid = host::to_view(envelope.mid);
    out.cid = host::to_view(envelope.cid);
    out.sid = host::to_view(envelope.sid);
    out.trace = trace_of(frame_.get(), tree);
    if (const uint32_t who = find_either(frame_.get(), "who", "target")) out.target = plain(who);
    if (!out.is_chunk()) return ACCP_OK;
    const uint32_t last = find_either(frame_.get(), "done", "is_final");
    out.is_final = last && tree.nodes[last].kind == ACCP_BOOL &&
                   (tree.nodes[last].flags & ACCP_NODE_TRUE) != 0;
    return ACCP_OK;
}

// Without escapes, q1's quotes and the @ that names may have.
std::string_view FrameReader::plain(uint32_t node) {
    const host::Tree tree = host::tree_of(frame_.get());
    if (tree.nodes[node].kind != ACCP_STRING) return {};
    size_t length = 0;
    target_.resize(tree.nodes[node].len);
    if (accp_frame_string(frame_.get(), node, target_.data(), target_.size(), &length, nullptr) !=
        ACCP_OK)
        return {};
    std::string_view name(target_.data(), length);
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
        name = name.substr(1, name.size() - 2);
    if (name.starts_with('@')) name.remove_prefix(1);
    return name;
}

}  // namespace server
