// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See codec.h: the way without a registry, and what both directions ask.
#include "codec/codec.h"

#include "codec/decode/incoming.h"
#include "codec/encode/outgoing.h"

namespace accp {

Status Codec::encode(const char *json, size_t len, Buffer<char> &out) {
    tokens_ = {};
    warnings_ = 0;
    desk_.arena.reset();
    if (!setup.registry && !setup.counter) return coder.encode(json, len, out);
    Outgoing message(setup, desk_, coder, out);
    Status status = send(message, {json, len});
    if (status.ok()) tokens_ = message.tokens;
    if (status.ok()) warnings_ = message.warnings;
    return status;
}

Status Codec::decode(const char *text, size_t len, Buffer<char> &out) {
    warnings_ = 0;
    desk_.arena.reset();
    desk_.nodes.recycle(kKeptBytes);
    if (!setup.registry) {
        Status status = coder.decode(text, len, desk_.nodes, out);
        if (status.failed() || !setup.untrusted) return status;
        constexpr std::string_view kMark = ",\"untrusted\":true}";
        out.resize_down(out.size() - 1);
        out.append(kMark.data(), kMark.size());
        return status;
    }
    Incoming frame(setup, desk_, coder, out);
    Status status = receive(frame, {text, len});
    if (status.ok()) warnings_ = frame.warnings;
    return status;
}

namespace {

// Digits of a decimal without the zeros at its end: does a frame hold them as a decimal?
bool is_exact_decimal(std::string_view digits) {
    size_t point = digits.find('.');
    if (point == std::string_view::npos) return true;
    while (digits.back() == '0' && digits.size() > point + 2) digits.remove_suffix(1);
    return digits == "-0.0" || is_plain_decimal(digits);
}

}  // namespace

Status check_type(const Field &field, TreeView tree, uint32_t node, bool reference) {
    if (reference) return {};  // it has the type of what it names
    if (!fits(field.type, tree[node].kind)) return fail(ACCP_E1004, node, "a value that is not of its field's type");
    if (field.type == FieldType::kDecimal && tree[node].kind == ACCP_DEC && !is_exact_decimal(tree.string(node)))
        return fail(ACCP_E1004, node, "an amount of more than six places, or of more digits than a decimal may have");
    return {};
}

}  // namespace accp
