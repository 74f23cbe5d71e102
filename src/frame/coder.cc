// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See coder.h: what a parsed frame can become.
#include "frame/coder.h"

#include "base/random.h"
#include "frame/envelope.h"
#include "frame/print.h"
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

// A ref that is left when decoding is done: there is no session here to resolve it.
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

// The text, or a copy of it, with a Buffer's slack after it, until the next call.
const char *Coder::with_slack(const char *text, size_t len) {
    padded_.recycle(kKeptBytes);
    if (may_read_on(text + len - 1, Buffer<char>::kSlack + 1)) return text;
    padded_.append(text, len);
    return padded_.data();
}

Status Coder::decode_parsed(const char *text, size_t len, Buffer<value::Node> &nodes, size_t first,
                            Buffer<char> &out) {
    const size_t start = out.size();
    Status status;
    value::TreeView tree = {nodes.data() + first, with_slack(text, len)};
    auto count = static_cast<uint32_t>(nodes.size() - first);
    if (direct && write_directly(tree, count, out)) return {};
    out.resize_down(start);
    take_field_texts(nodes.data() + first, count, text);
    uint32_t ref = settings_.keep_refs ? 0 : find_ref(tree, kPayload, count);
    if (ref)
        status =
            fail(ACCP_E2001, tree[ref].offset - 1, "a reference, and no session to resolve it");
    if (status.ok()) status = write_message(tree, count, out);
    if (status.failed()) out.resize_down(start);
    return status;
}

// Appends the JSON of one of the two blocks: at once, or by way of a value.
Status Coder::write_block(value::TreeView tree, uint32_t block, bool payload, Buffer<char> &out) {
    arena_.reset();
    size_t start = out.size();
    if (direct && block_json_.write(tree, block, payload ? JsonBlock::kPayload : JsonBlock::kMeta,
                                    arena_, out))
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

// Appends what stands before the payload.
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

// As far as no node needs a second look; false, with some rubbish appended, where one does.
bool Coder::write_directly(value::TreeView tree, uint32_t count, Buffer<char> &out) {
    const uint32_t meta = tree[kPayload].next;
    arena_.reset();
    write_names(tree, out);
    if (!block_json_.write(tree, kPayload, JsonBlock::kFreshPayload, arena_, out)) return false;
    if (meta < count) {
        out.append(",\"meta\":");
        if (!block_json_.write(tree, meta, JsonBlock::kFreshMeta, arena_, out)) return false;
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

}  // namespace accp::frame
