// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Encoding without a registry, and checks for both directions.
#include "codec/codec.h"

#include "base/status.h"
#include "codec/encode/outgoing.h"
#include "frame/parse.h"

namespace accp::codec {

void Codec::clear_last() {
    tokens_ = {};
    parts_ = kept_ = 0;
    counted_ = true;
    sent_.recycle(kKeptBytes);
    warnings_ = 0;
    scratch_.arena.reset();
}

Status Codec::encode(std::string_view json, const EncodeCall &call, Buffer<char> &out) {
    clear_last();
    if (!setup.registry && !call.counter && !call.keeper) {
        const size_t start = out.size();
        Status status = coder.encode(json.data(), json.size(), call.envelope, out);
        if (status.ok()) status = check_written(json, start, out);
        parts_ = status.ok();
        return status;
    }
    message::Message message;
    Status status = coder.read_message(json.data(), json.size(), message);
    return status.ok() ? encode_read(message, json, call, out) : status;
}

// Checks the intent of a frame that was just written. If it is invalid, the frame is removed.
Status Codec::check_written(std::string_view json, size_t start, Buffer<char> &out) {
    const std::string_view frame(out.data() + start, out.size() - start);
    const size_t at = frame.find('>') + 1;
    if (check_intent(frame.substr(at, frame.find(':', at) - at), 0).ok()) return {};
    out.resize_down(start);
    message::Message message;
    Status status = coder.read_message(json.data(), json.size(), message);
    if (status.failed()) return status;
    return check_intent(message.intent, coder.origin(message.tree.find(0, "intent")).value);
}

Status Codec::encode(const message::Message &message, std::string_view json, const EncodeCall &call,
                     Buffer<char> &out) {
    clear_last();
    return encode_read(message, json, call, out);
}

Status Codec::encode_read(const message::Message &message, std::string_view json,
                          const EncodeCall &call, Buffer<char> &out) {
    Outgoing outgoing(setup, call, scratch_, coder, out);
    outgoing.message = message;
    outgoing.json = json;
    Status status = run_steps(outgoing);
    if (status.failed()) return status;
    tokens_.total = outgoing.tokens;
    parts_ = outgoing.parts;
    warnings_ = outgoing.warnings;
    kept_ = outgoing.kept;
    counted_ = !call.counter;
    if (call.counter) sent_.append(out.data() + outgoing.start, out.size() - outgoing.start);
    return {};
}

Status Codec::count_parts(token::TokenCounter *counter, FrameTokens &tokens) {
    const std::string_view sent(sent_.data(), sent_.size());
    FrameTokens all = {0, 0, 0, tokens_.total};
    for (size_t at = 0; !counted_ && counter && at < sent.size();) {
        const std::string_view frame = sent.substr(at, sent.find('\n', at) - at);
        const frame::FrameText text = frame::split_frame(frame);
        const std::string_view parts[] = {text.header(), text.body(), text.meta};
        uint64_t *const sums[] = {&all.header, &all.body, &all.metadata};
        for (int i = 0; i < 3; ++i) {
            uint64_t count = 0;
            Status status = counter->count(parts[i], UINT64_MAX, count);
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

namespace {

// Returns whether a frame can contain these digits as a decimal, ignoring trailing zeros.
bool is_exact_decimal(std::string_view digits) {
    size_t point = digits.find('.');
    if (point == std::string_view::npos) return true;
    while (digits.back() == '0' && digits.size() > point + 2) digits.remove_suffix(1);
    return digits == "-0.0" || frame::is_plain_decimal(digits);
}

}  // namespace

Status check_type(const registry::Field &field, value::TreeView tree, uint32_t node,
                  bool reference) {
    if (reference) return {};  // a ref has the type of its value
    if (!registry::fits(field.type, tree[node].kind))
        return fail(ACCP_E1004, node, registry::expected_type(field.type));
    if (field.type == registry::FieldType::kDecimal && tree[node].kind == ACCP_DEC &&
        !is_exact_decimal(tree.string(node)))
        return fail(ACCP_E1004, node,
                    "a value that is not of its field's type: expected a decimal of at most six "
                    "places and 17 digits before them");
    return {};
}

Status missing_field(const registry::Schema &schema, uint32_t field, uint64_t offset) {
    return fail(ACCP_E1004, offset,
                interned_text({"the schema ", schema.code, " requires the field ",
                               schema.fields[field].name, ", and it is not there"},
                              "a field that the schema requires is not there"));
}

}  // namespace accp::codec
