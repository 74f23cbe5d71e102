// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See coder.h: a message, as JSON or as values, to a frame.
#include "base/bytes.h"
#include "base/vector.h"
#include "frame/coder.h"
#include "frame/direct.h"
#include "frame/name.h"
#include "frame/message/names.h"
#include "frame/message/read.h"

namespace accp::frame {

namespace {

void put_name(Buffer<char> &out, char before, std::string_view name) {
    out.push(before);
    out.append(name);
}

// One to 16 bytes at the end of a page as a vector filled up with zeros. Through registers: what
// was just stored in pieces cannot be loaded whole without a stall.
[[gnu::noinline]] Bytes16 load_short(const char *from, size_t len) {
    uint64_t words[2] = {0, 0};
    auto load = [](const char *at, auto word) {
        std::memcpy(&word, at, sizeof word);
        return uint64_t{word};
    };
    if (len >= 8) {
        words[0] = load(from, uint64_t{});
        if (len > 8) words[1] = load(from + len - 8, uint64_t{}) >> 8 * (16 - len);
    } else if (len >= 4) {
        words[0] = load(from, uint32_t{}) | load(from + len - 4, uint32_t{}) << 8 * (len - 4);
    } else {
        words[0] = load(from, uint8_t{}) | load(from + len / 2, uint8_t{}) << 8 * (len / 2) |
                   load(from + len - 1, uint8_t{}) << 8 * (len - 1);
    }
    return Bytes16::of(words[0], words[1]);
}

// Writes a name that is short and legal, as nearly all are; nullptr where it is not.
[[gnu::always_inline]] inline char *put_good_name(char *to, char before, std::string_view name,
                                                  ByteClass wanted) {
    *to++ = before;
    const Bytes16 bytes = may_read_on(name.data(), 16) ? Bytes16::load(name.data())
                                                       : load_short(name.data(), name.size());
    bytes.store(to);
    return is_good_name(bytes, name.size(), wanted) ? to + name.size() : nullptr;
}

// Appends what stands before the payload; false where one of the names is not short and legal.
bool put_names(const message::Message &message, uint64_t max, Buffer<char> &out) {
    if (max > kShortName) max = kShortName;
    if (message.agent.size() - 1 >= max || message.intent.size() - 1 >= max ||
        message.operation.size() - 1 >= max)
        return false;
    char *to = put_good_name(out.reserve(3 * (kShortName + 1)), '@', message.agent, kAgentByte);
    if (to) to = put_good_name(to, '>', message.intent, kAlphaByte);
    if (to) to = put_good_name(to, ':', message.operation, kWordByte);
    if (to) out.set_end(to);
    return to;
}

}  // namespace

MessageStatus Coder::build(const message::Message &message, const EnvelopeStore *envelope,
                           Buffer<char> &out, PayloadWriter *writer, bool tables) {
    size_t start = out.size();
    MessageStatus result;
    if (!put_names(message, settings_.limit(ACCP_LIMIT_KEY_BYTES), out)) {
        result.status = message::check_names(message.agent, message.intent, message.operation,
                                             settings_.limit(ACCP_LIMIT_KEY_BYTES));
        if (result.status.failed()) return result;
        put_name(out, '@', message.agent);
        put_name(out, '>', message.intent);
        put_name(out, ':', message.operation);
    }
    arena_.reset();
    Encoder encoder(settings_, arena_, out);
    encoder.allow_tables(tables);
    const size_t payload = out.size();
    if (message.is_text()) {
        result.status = write_text(message, encoder, out);
    } else if (writer) {
        out.push('{');
        result.status = writer->write(encoder, out);
        out.push('}');
    } else if (!direct || !block_writer_.write(message.tree, message.payload, kPayloadStyle, out)) {
        out.resize_down(payload);
        out.push('{');
        result.status = encoder.params(message.tree, message.payload, '|', true);
        out.push('}');
    }
    encoder.allow_tables(true);
    if (result.status.ok()) result = write_meta(message, envelope, encoder, out);
    if (result.status.ok() && out.size() - start > settings_.limit(ACCP_LIMIT_FRAME_BYTES))
        result.status = fail_limit(ACCP_E1001, message.payload,
                                   "the frame would be longer than the limit frame_bytes allows",
                                   out.size() - start, settings_.limit(ACCP_LIMIT_FRAME_BYTES));
    result.at_key = encoder.key_at_fault();
    if (result.status.failed()) out.resize_down(start);
    return result;
}

// A payload that is a text, or a ref to one.
Status Coder::write_text(const message::Message &message, Encoder &encoder,
                         Buffer<char> &out) const {
    if (!settings_.has(ACCP_EXT_Q1))
        return fail(ACCP_E1004, message.payload,
                    "a payload that is a text has no spelling, as q1 is not in force");
    out.push('{');
    out.append(kTextKey);
    out.push(':');
    Status status = encoder.element(message.tree, message.payload, 0);
    out.push('}');
    return status;
}

// The envelope first, in its order, each field from the message where it has one; then the rest of
// the message's own metadata.
MessageStatus Coder::write_meta(const message::Message &message, const EnvelopeStore *envelope,
                                Encoder &encoder, Buffer<char> &out) {
    constexpr uint32_t kMarked = 64;  // bits of `done`
    uint32_t own = message.has_meta ? message.meta_tree[message.meta].len : 0;
    if (envelope && !envelope->fields()) envelope = nullptr;
    if (!own && !envelope) return {};
    const size_t block = out.size();
    if (direct && !envelope &&
        block_writer_.write(message.meta_tree, message.meta, kMetaStyle, out))
        return {{}, true};
    out.resize_down(block);
    out.push('[');
    size_t start = out.size();
    uint64_t done = 0;
    uint32_t written = 0;
    for (const EnvelopeField &field : kEnvelope) {
        if (!envelope) break;
        uint32_t node = own ? message.meta_tree.find(message.meta, field.key) : 0;
        if (!node && !envelope->has(field)) continue;
        uint32_t place = 0;
        for (uint32_t i = message.meta + 1; node && i < node; i = message.meta_tree[i].next)
            ++place;
        const bool reserved = envelope->reserves(field);
        if (node && place >= kMarked && reserved)
            return {fail(ACCP_E1004, node, "a field of the session's envelope behind 64 others"),
                    true};
        if (node && place >= kMarked) continue;  // stays where it is
        if (node) done |= uint64_t{1} << place;
        if (reserved && !envelope->has(field)) continue;
        if (out.size() > start) out.push(',');
        ++written;
        if (node && !reserved) {
            Status status = encoder.param(message.meta_tree, node, false);
            if (status.failed()) return {status, true};
        } else {
            envelope->write(field, out);
        }
    }
    uint32_t left = own - static_cast<uint32_t>(__builtin_popcountll(done));
    if (written + left > settings_.limit(ACCP_LIMIT_PARAMS))
        return {fail_limit(ACCP_E1001, message.meta, "more metadata than the limit params allows",
                           written + left, settings_.limit(ACCP_LIMIT_PARAMS)),
                true};
    if (left && out.size() > start) out.push(',');
    Status status =
        left ? encoder.params(message.meta_tree, message.meta, ',', false, done) : Status{};
    out.push(']');
    return {status, true};
}

// The message in value_.
Status Coder::take_apart(message::Message &message) {
    const message::ReadRules rules = {settings_.limit(ACCP_LIMIT_KEY_BYTES), false, ignored.view(),
                                      false, operation};
    const message::ReadStatus read = message::read_message(value_.view(), 0, rules, message);
    const auto [key, value] = reader_.origin(static_cast<uint32_t>(read.status.offset));
    return read.status.ok() ? read.status : move_to(read.status, read.at_key ? key : value);
}

Status Coder::read_message(const char *json, size_t len, message::Message &message) {
    Status status = reader_.read(json, len, value::json_limits(settings_), value_);
    return status.failed() ? status : take_apart(message);
}

Status Coder::encode(const char *json, size_t len, const EnvelopeStore *envelope,
                     Buffer<char> &out) {
    const value::JsonLimits limits = value::json_limits(settings_);
    Status status = reader_.make_index(json, len, limits);
    if (status.failed()) return status;
    value_.clear();  // what it held of a large text goes back, whichever way this one takes
    const bool plain = !envelope || !envelope->fields();
    if (plain && encode_directly(json, len, out)) return {};
    status = reader_.read_indexed(json, len, limits, value_);
    if (status.failed()) return status;
    message::Message message;
    status = take_apart(message);
    if (status.failed()) return status;
    MessageStatus result = build(message, envelope, out);
    // Both trees are one here: a node's place in it is a place in the JSON.
    if (result.status.failed()) {
        value::JsonReader::Origin origin =
            reader_.origin(static_cast<uint32_t>(result.status.offset));
        result.status.offset = result.at_key ? origin.key : origin.value;
    }
    return result.status;
}

bool Coder::encode_directly(const char *json, size_t len, Buffer<char> &out) {
    if (!direct || len > kMaxDirectBytes || settings_.keep_refs || settings_.has(ACCP_EXT_W1))
        return false;
    return encode_direct(settings_, with_slack(json, len), len, reader_.index(),
                         reader_.index_count(), out);
}

}  // namespace accp::frame
