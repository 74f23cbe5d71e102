// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See coder.h: a message, as JSON or as values, to a frame.
#include "frame/bytes.h"
#include "frame/coder.h"
#include "frame/direct.h"

namespace accp {

namespace {

bool is_name(std::string_view text, ByteClass wanted, uint64_t most) {
    if (text.empty() || text.size() > most) return false;
    for (char c : text)
        if (!(byte_class(c) & wanted)) return false;
    return true;
}

constexpr const char *kAgentRule = "an agent is 1 to key_bytes letters, digits, - and _";
constexpr const char *kIntentRule = "an intent is 1 to key_bytes letters";
constexpr const char *kOperationRule = "an operation is 1 to key_bytes letters, digits and _";

void put_name(Buffer<char> &out, char before, std::string_view name) {
    out.push(before);
    out.append(name.data(), name.size());
}

}  // namespace

Status Coder::check_names(const Message &message) const {
    uint64_t most = settings_.limit(ACCP_LIMIT_KEY_BYTES);
    if (!is_name(message.agent, kAgentByte, most)) return fail(ACCP_E1001, 0, kAgentRule);
    if (!is_name(message.intent, kAlphaByte, most)) return fail(ACCP_E1001, 0, kIntentRule);
    if (!is_name(message.operation, kWordByte, most)) return fail(ACCP_E1001, 0, kOperationRule);
    return {};
}

MessageStatus Coder::build(const Message &message, Buffer<char> &out) {
    size_t start = out.size();
    arena_.reset();
    put_name(out, '@', message.agent);
    put_name(out, '>', message.intent);
    put_name(out, ':', message.operation);
    out.push('{');
    Encoder encoder(settings_, arena_, out);
    MessageStatus result = {encoder.params(message.payload_tree, message.payload, '|', true)};
    out.push('}');
    if (result.status.ok()) result = write_meta(message, encoder, out);
    if (result.status.ok() && out.size() - start > settings_.limit(ACCP_LIMIT_FRAME_BYTES))
        result.status = fail(ACCP_E1001, message.payload, "the frame would be longer than the limit allows");
    result.at_key = encoder.key_at_fault();
    if (result.status.failed()) out.resize_down(start);
    return result;
}

// The envelope first, in its order, each field from the message where it has one; then the rest of the message's own metadata.
MessageStatus Coder::write_meta(const Message &message, Encoder &encoder, Buffer<char> &out) {
    constexpr uint32_t kMarked = 64;  // bits of `done`
    uint32_t own = message.has_meta ? message.meta_tree[message.meta].len : 0;
    if (!own && !envelope.fields()) return {};
    out.push('[');
    size_t start = out.size();
    uint64_t done = 0;
    uint32_t written = 0;
    for (const EnvelopeField &field : kEnvelope) {
        if (!envelope.fields()) break;
        uint32_t node = own ? message.meta_tree.find(message.meta, field.key) : 0;
        if (!node && !envelope.has(field)) continue;
        uint32_t place = 0;
        for (uint32_t i = message.meta + 1; node && i < node; i = message.meta_tree[i].next) ++place;
        if (node && place >= kMarked) continue;  // stays where it is
        if (out.size() > start) out.push(',');
        ++written;
        if (node) {
            done |= uint64_t{1} << place;
            Status status = encoder.param(message.meta_tree, node, false);
            if (status.failed()) return {status, true};
        } else {
            envelope.write(field, out);
        }
    }
    uint32_t left = own - static_cast<uint32_t>(__builtin_popcountll(done));
    if (written + left > settings_.limit(ACCP_LIMIT_PARAMS))
        return {fail(ACCP_E1001, message.meta, "more metadata than the limit allows"), true};
    if (left && out.size() > start) out.push(',');
    Status status = left ? encoder.params(message.meta_tree, message.meta, ',', false, done) : Status{};
    out.push(']');
    return {status, true};
}

bool Coder::is_ignored(std::string_view name) const {
    for (size_t at = 0; at < ignored.size();) {
        std::string_view entry(ignored.data() + at);
        if (entry == name) return true;
        at += entry.size() + 1;
    }
    return false;
}

Status Coder::set_name(uint32_t node, std::string_view &name, unsigned char wanted, const char *rule) {
    name = value_.view().string(node);
    bool good =
        value_.nodes[node].kind == ACCP_STRING && is_name(name, static_cast<ByteClass>(wanted), settings_.limit(ACCP_LIMIT_KEY_BYTES));
    return good ? Status{} : fail(ACCP_E1001, reader_.origin(node).value, rule);
}

Status Coder::set_member(uint32_t node, Message &message) {
    TreeView tree = value_.view();
    std::string_view name = tree.key(node);
    auto wrong = [&](const char *what) { return fail(ACCP_E1001, reader_.origin(node).value, what); };
    if (name == "agent") return set_name(node, message.agent, kAgentByte, kAgentRule);
    if (name == "intent") return set_name(node, message.intent, kAlphaByte, kIntentRule);
    if (name == "operation") return set_name(node, message.operation, kWordByte, kOperationRule);
    if (name == "payload") {
        if (tree[node].kind != ACCP_MAP) return wrong("a payload is an object");
        message.payload = node;
        return {};
    }
    if (name == "meta") {
        if (tree[node].kind == ACCP_NULL) return {};
        if (tree[node].kind != ACCP_MAP) return wrong("meta is an object");
        message.meta = node;
        message.has_meta = true;
        return {};
    }
    if (is_ignored(name)) return {};
    return fail(ACCP_E1001, reader_.origin(node).key, "a message has no such member");
}

// The members of the JSON message in value_.
Status Coder::take_apart(Message &message) {
    TreeView tree = value_.view();
    message.payload_tree = message.meta_tree = tree;
    if (tree[0].kind != ACCP_MAP) return fail(ACCP_E1001, reader_.origin(0).value, "a message is an object");
    for (uint32_t i = 1; i < tree[0].next; i = tree[i].next) {
        Status status = set_member(i, message);
        if (status.failed()) return status;
    }
    bool complete = message.agent.data() && message.intent.data() && message.operation.data() && message.payload;
    return complete ? Status{} : fail(ACCP_E1001, reader_.origin(0).value, "a message has agent, intent, operation and payload");
}

Status Coder::encode(const char *json, size_t len, Buffer<char> &out) {
    JsonLimits limits = {settings_.limit(ACCP_LIMIT_JSON_BYTES), static_cast<uint32_t>(settings_.limit(ACCP_LIMIT_JSON_DEPTH))};
    Status status = reader_.make_index(json, len, limits);
    if (status.failed()) return status;
    value_.clear();  // what it held of a large text goes back, whichever way this one takes
    if (encode_directly(json, len, out)) return {};
    status = reader_.read_indexed(json, len, limits, value_);
    if (status.failed()) return status;
    Message message;
    status = take_apart(message);
    if (status.failed()) return status;
    MessageStatus result = build(message, out);
    // Both trees are one here: a node's place in it is a place in the JSON.
    if (result.status.failed()) {
        JsonReader::Origin origin = reader_.origin(static_cast<uint32_t>(result.status.offset));
        result.status.offset = result.at_key ? origin.key : origin.value;
    }
    return result.status;
}

bool Coder::encode_directly(const char *json, size_t len, Buffer<char> &out) {
    if (!direct || len > kMostDirectBytes || settings_.keep_refs || envelope.fields()) return false;
    padded_.clear();
    padded_.append(json, len);
    return encode_direct(settings_, padded_.data(), len, reader_.index(), reader_.index_count(), out);
}

}  // namespace accp
