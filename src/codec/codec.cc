// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See codec.h: the way without a registry, and what both directions ask.
#include "codec/codec.h"

#include "codec/decode/incoming.h"
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status Codec::encode(const char *json, size_t len, Buffer<char> &out) {
    tokens_ = {};
    parts_ = kept_ = 0;
    counted_ = true;
    sent_.recycle(kKeptBytes);
    warnings_ = 0;
    scratch_.arena.reset();
    if (!setup.registry && !setup.counter && !setup.keeper) {
        Status status = coder.encode(json, len, out);
        parts_ = status.ok();
        return status;
    }
    Outgoing message(setup, scratch_, coder, out);
    Status status = send(message, {json, len});
    if (status.failed()) return status;
    tokens_.total = message.tokens;
    parts_ = message.parts;
    warnings_ = message.warnings;
    kept_ = message.kept;
    counted_ = !setup.counter;
    if (setup.counter) sent_.append(out.data() + message.start, out.size() - message.start);
    return {};
}

FrameText take_apart(std::string_view frame) {
    const size_t payload = frame.find('{');
    // a bracket in a string has a backslash before it, so this stands nowhere else
    size_t meta = frame.find("}[");
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    return {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta)};
}

Status Codec::count_parts(FrameTokens &tokens) {
    const std::string_view sent(sent_.data(), sent_.size());
    FrameTokens all = {0, 0, 0, tokens_.total};
    for (size_t at = 0; !counted_ && setup.counter && at < sent.size();) {
        const std::string_view frame = sent.substr(at, sent.find('\n', at) - at);
        const FrameText text = take_apart(frame);
        const std::string_view parts[] = {text.header, text.payload, text.meta};
        uint64_t *const sums[] = {&all.header, &all.body, &all.metadata};
        for (int i = 0; i < 3; ++i) {
            uint64_t count = 0;
            Status status = setup.counter->count(parts[i], UINT64_MAX, count);
            if (status.failed()) return status;
            *sums[i] += count;
        }
        at += frame.size() + 1;
    }
    if (!counted_) tokens_ = all;
    counted_ = true;
    tokens = tokens_;
    return {};
}

Status Codec::decode(const char *text, size_t len, Buffer<char> &out) {
    warnings_ = 0;
    scratch_.arena.reset();
    scratch_.nodes.recycle(kKeptBytes);
    if (!setup.registry && !setup.resolver && !setup.reassembles) {
        Status status = coder.decode(text, len, scratch_.nodes, out);
        if (status.failed() || !setup.untrusted) return status;
        out.resize_down(out.size() - 1);
        out.append(kUntrustedEnd);
        return status;
    }
    Incoming frame(setup, scratch_, coder, sequences, out);
    const size_t start = out.size();
    Status status = receive(frame, {text, len});
    if (status.ok()) warnings_ = frame.warnings;
    if (status.failed()) out.resize_down(start);
    return status;
}

namespace {

// Digits of a decimal without the zeros at its end: does a frame hold them as a decimal?
bool is_exact_decimal(std::string_view digits) {
    size_t point = digits.find('.');
    if (point == std::string_view::npos) return true;
    while (digits.back() == '0' && digits.size() > point + 2) digits.remove_suffix(1);
    return digits == "-0.0" || frame::is_plain_decimal(digits);
}

}  // namespace

Status check_type(const registry::Field &field, value::TreeView tree, uint32_t node,
                  bool reference) {
    if (reference) return {};  // it has the type of what it names
    if (!registry::fits(field.type, tree[node].kind))
        return fail(ACCP_E1004, node, "a value that is not of its field's type");
    if (field.type == registry::FieldType::kDecimal && tree[node].kind == ACCP_DEC &&
        !is_exact_decimal(tree.string(node)))
        return fail(ACCP_E1004, node,
                    "an amount of more than six places, or of more digits than a decimal may have");
    return {};
}

}  // namespace accp::codec
