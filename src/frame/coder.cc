// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/coder.h"

#include "base/bytes.h"
#include "base/random.h"
#include "frame/encode.h"
#include "frame/envelope.h"
#include "frame/message/json.h"
#include "frame/message/message.h"
#include "frame/parse.h"
#include "value/json_writer.h"

namespace accp::frame {

Coder::Coder(Memory &memory, const Settings &settings)
    : ignored(memory),
      settings_(settings),
      block_writer_(settings),
      block_json_(settings),
      parser_(memory, settings),
      reader_(memory),
      arena_(memory),
      value_(memory),
      padded_(memory),
      seed_(random_seed()) {}

Status Coder::print(value::TreeView tree, uint32_t count, size_t text_len, Buffer<char> &out) {
    if (parser_.canonical()) {
        out.append(tree.text, text_len);
        return {};
    }
    arena_.reset();
    return print_frame(tree, count, text_len, arena_, out);
}

Status Coder::read_block(value::TreeView tree, uint32_t block, bool payload, value::Value &out,
                         bool keys_differ) {
    arena_.reset();
    if (block)
        return Decoder(settings_, arena_, seed_).params(tree, block, payload, out, keys_differ);
    out.clear();
    out.close(out.open(ACCP_MAP), 0);
    return {};
}

namespace {

// Returns a remaining ref: there is no session to resolve it.
uint32_t find_ref(value::TreeView tree, uint32_t from, uint32_t count) {
    bool any = false;
    for (uint32_t i = from; i < count; ++i) any |= tree[i].kind == ACCP_REF;
    if (!any) return 0;
    for (uint32_t i = from; i < count; ++i)
        if (tree[i].kind == ACCP_REF) return i;
    return 0;
}

}  // namespace

Status Coder::decode(const char *text, size_t len, Buffer<value::Node> &nodes, Buffer<char> &out) {
    const size_t first = nodes.size();
    Status status = parse(text, len, nodes);
    return status.ok() ? decode_parsed(text, len, nodes, first, out) : status;
}

// Returns the text or a copy of it with a Buffer's slack. Valid until the next call.
const char *Coder::with_slack(const char *text, size_t len) {
    padded_.recycle(kKeptBytes);
    if (can_read_past(text + len - 1, Buffer<char>::kSlack + 1)) return text;
    padded_.append(text, len);
    return padded_.data();
}

Status Coder::decode_parsed(const char *text, size_t len, Buffer<value::Node> &nodes, size_t first,
                            Buffer<char> &out) {
    const size_t start = out.size();
    Status status;
    value::TreeView tree = {nodes.data() + first, with_slack(text, len)};
    auto count = static_cast<uint32_t>(nodes.size() - first);
    if (use_fast_paths && write_directly(tree, count, out)) return {};
    out.resize_down(start);
    mark_field_texts(nodes.data() + first, count, text);
    uint32_t ref = settings_.keep_refs ? 0 : find_ref(tree, kPayload, count);
    if (ref)
        status =
            fail(ACCP_E2001, tree[ref].offset - 1, "a reference, and no session to resolve it");
    if (status.ok()) status = write_message(tree, count, out);
    if (status.failed()) out.resize_down(start);
    return status;
}

// Appends the JSON of a block, directly or through a value.
Status Coder::write_block(value::TreeView tree, uint32_t block, bool payload, Buffer<char> &out) {
    arena_.reset();
    size_t start = out.size();
    if (use_fast_paths &&
        block_json_.write(tree, block, payload ? BlockKind::kPayload : BlockKind::kMeta, arena_,
                          out))
        return {};
    out.resize_down(start);
    Status status = read_block(tree, block, payload, value_);
    if (status.failed()) return status;
    const uint32_t text = payload ? text_node(tree, block, settings_) : 0;
    if (text && value_.nodes[1].kind == ACCP_REF)
        return fail(ACCP_E2001, tree[text].offset - 1,
                    "a text that is a reference, and no session to resolve it");
    value::write_json(value_.view(), text && value_.nodes[1].kind == ACCP_STRING ? 1 : 0, out);
    return {};
}

namespace {

// Appends the part of the JSON before the payload.
void write_names(value::TreeView tree, Buffer<char> &out) {
    constexpr std::string_view kAgentStart = "{\"agent\":\"", kIntentStart = "\",\"intent\":\"",
                               kOperationStart = "\",\"operation\":\"",
                               kPayloadStart = "\",\"payload\":";
    char *to = out.reserve(kAgentStart.size() + tree[kAgent].len + kIntentStart.size() +
                           tree[kIntent].len + kOperationStart.size() + tree[kOperation].len +
                           kPayloadStart.size());
    auto put = [&to](std::string_view text) {
        std::memcpy(to, text.data(), text.size());
        to += text.size();
    };
    auto put_name = [&](uint32_t node) {
        copy_padded(to, tree.text + tree[node].offset, tree[node].len);
        to += tree[node].len;
    };
    put(kAgentStart);
    put_name(kAgent);
    put(kIntentStart);
    put_name(kIntent);
    put(kOperationStart);
    put_name(kOperation);
    put(kPayloadStart);
    out.set_end(to);
}

}  // namespace

// The fast path. Returns false if a node needs special handling; `out` then has extra bytes at its
// end.
bool Coder::write_directly(value::TreeView tree, uint32_t count, Buffer<char> &out) {
    const uint32_t meta = tree[kPayload].next;
    arena_.reset();
    write_names(tree, out);
    if (!block_json_.write(tree, kPayload, BlockKind::kFreshPayload, arena_, out)) return false;
    if (meta < count) {
        out.append(",\"meta\":");
        if (!block_json_.write(tree, meta, BlockKind::kFreshMeta, arena_, out)) return false;
    }
    out.push('}');
    return true;
}

Status Coder::write_message(value::TreeView tree, uint32_t count, Buffer<char> &out) {
    write_names(tree, out);
    Status status = write_block(tree, kPayload, true, out);
    uint32_t meta = tree[kPayload].next;
    if (status.ok() && meta < count) {
        out.append(",\"meta\":");
        status = check_field_texts(tree, meta, settings_.reading());
        if (status.ok()) status = write_block(tree, meta, false, out);
    }
    out.push('}');
    return status;
}

namespace {

void put_name(Buffer<char> &out, char before, std::string_view name) {
    out.push(before);
    out.append(name);
}

// Loads 1 to 16 bytes at the end of a page into a vector, padded with zeros. It assembles them in
// registers, because loading a vector from memory that was just stored in pieces would stall.
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

// Writes a valid name of up to 16 bytes, as nearly all are. Returns nullptr for any other name.
[[gnu::always_inline]] inline char *put_short_name(char *to, char before, std::string_view name,
                                                   ByteClass wanted) {
    *to++ = before;
    const Bytes16 bytes = can_read_past(name.data(), 16) ? Bytes16::load(name.data())
                                                         : load_short(name.data(), name.size());
    bytes.store(to);
    return message::is_valid_short_name(bytes, name.size(), wanted) ? to + name.size() : nullptr;
}

// Appends the part of a frame before the payload. Returns false if a name is long or invalid.
bool put_names(const message::Message &message, uint64_t max, Buffer<char> &out) {
    if (max > message::kShortNameBytes) max = message::kShortNameBytes;
    if (message.agent.size() - 1 >= max || message.intent.size() - 1 >= max ||
        message.operation.size() - 1 >= max)
        return false;
    char *to = put_short_name(out.reserve(3 * (message::kShortNameBytes + 1)), '@', message.agent,
                              kAgentByte);
    if (to) to = put_short_name(to, '>', message.intent, kAlphaByte);
    if (to) to = put_short_name(to, ':', message.operation, kWordByte);
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
    } else if (!use_fast_paths ||
               !block_writer_.write(message.tree, message.payload, kPayloadStyle, out)) {
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

// Writes a payload that is a text or a ref to one.
Status Coder::write_text(const message::Message &message, Encoder &encoder,
                         Buffer<char> &out) const {
    if (!settings_.has(ACCP_EXT_Q1))
        return fail(ACCP_E1004, message.payload,
                    "a payload that is a text cannot be written without extension q1");
    out.push('{');
    out.append(kTextKey);
    out.push(':');
    Status status = encoder.element(message.tree, message.payload, 0);
    out.push('}');
    return status;
}

// Writes the fields of the envelope in their order, each from the message if it has one, and then
// the other metadata of the message.
MessageStatus Coder::write_meta(const message::Message &message, const EnvelopeStore *envelope,
                                Encoder &encoder, Buffer<char> &out) {
    constexpr uint32_t kMarked = 64;  // bits of `done`
    uint32_t own = message.has_meta ? message.meta_tree[message.meta].len : 0;
    if (envelope && !envelope->fields()) envelope = nullptr;
    if (!own && !envelope) return {};
    const size_t block = out.size();
    if (use_fast_paths && !envelope &&
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
            return {
                fail(ACCP_E1004, node, "a field of the session's envelope after 64 other fields"),
                true};
        if (node && place >= kMarked) continue;  // written with the other metadata
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

// Reads the message from value_.
Status Coder::read_parsed_message(message::Message &message) {
    const message::ReadRules rules = {settings_.limit(ACCP_LIMIT_KEY_BYTES), false, ignored.view(),
                                      false, operation};
    const message::ReadStatus read = message::read_message(value_.view(), 0, rules, message);
    const auto [key, value] = reader_.origin(static_cast<uint32_t>(read.status.offset));
    return read.status.ok() ? read.status : move_to(read.status, read.at_key ? key : value);
}

Status Coder::read_message(const char *json, size_t len, message::Message &message) {
    Status status = reader_.read(json, len, value::json_limits(settings_), value_);
    return status.failed() ? status : read_parsed_message(message);
}

Status Coder::encode(const char *json, size_t len, const EnvelopeStore *envelope,
                     Buffer<char> &out) {
    const value::JsonLimits limits = value::json_limits(settings_);
    Status status = reader_.make_index(json, len, limits);
    if (status.failed()) return status;
    value_.clear();  // frees the memory of a large text before the fast path too
    const bool plain = !envelope || !envelope->fields();
    if (plain && encode_directly(json, len, out)) return {};
    status = reader_.read_indexed(json, len, limits, value_);
    if (status.failed()) return status;
    message::Message message;
    status = read_parsed_message(message);
    if (status.failed()) return status;
    MessageStatus result = build(message, envelope, out);
    // Both trees are the JSON's tree here, so a node has a position in the JSON.
    if (result.status.failed()) {
        value::JsonReader::Origin origin =
            reader_.origin(static_cast<uint32_t>(result.status.offset));
        result.status.offset = result.at_key ? origin.key : origin.value;
    }
    return result.status;
}

bool Coder::encode_directly(const char *json, size_t len, Buffer<char> &out) {
    if (!use_fast_paths || len > kMaxDirectBytes || settings_.keep_refs ||
        settings_.has(ACCP_EXT_W1))
        return false;
    return encode_direct(settings_, with_slack(json, len), len, reader_.index(),
                         reader_.index_count(), out);
}

}  // namespace accp::frame
