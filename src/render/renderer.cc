// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "render/renderer.h"

#include <algorithm>

#include "accp/render.h"
#include "base/random.h"
#include "frame/envelope.h"
#include "frame/message/json.h"
#include "value/json_writer.h"

namespace accp::render {

namespace {

bool is_envelope_key(std::string_view key) {
    for (const frame::EnvelopeField &field : frame::kEnvelope)
        if (key == field.key) return true;
    return false;
}

// Returns whether the map looks like a message with an untrusted mark.
bool is_marked(value::TreeView tree, uint32_t root) {
    if (tree[root].kind != ACCP_MAP) return false;
    for (std::string_view name : {kUntrustedMember, std::string_view("agent"),
                                  std::string_view("intent"), std::string_view("payload")})
        if (!tree.find(root, name)) return false;
    return true;
}

}  // namespace

Renderer::Renderer(Memory &memory, const Settings &settings)
    : settings_(settings),
      arena_(memory),
      seed_(random_seed()),
      writer_(memory, arena_, seed_),
      reader_(memory, arena_, seed_, settings),
      json_(memory) {}

// Divides the members of the payload into those in the list of untrusted members and the others.
// Returns false if the list is invalid.
bool Renderer::split(const message::Message &message) {
    const value::TreeView tree = message.tree;
    const value::Node &list = tree[message.mark], &payload = tree[message.payload];
    if (payload.kind != ACCP_MAP || list.kind != ACCP_ARRAY || !list.len) return false;
    auto *names = arena_.allocate<std::string_view>(list.len);
    uint32_t count = 0;
    for (uint32_t i = message.mark + 1; i < list.next; i = tree[i].next) {
        if (tree[i].kind != ACCP_STRING) return false;
        names[count++] = tree.string(i);
    }
    std::sort(names, names + count);
    if (std::adjacent_find(names, names + count) != names + count) return false;
    untrusted_ = {arena_.allocate<uint32_t>(payload.len + 1), 0};
    trusted_ = {arena_.allocate<uint32_t>(payload.len + 1), 0};
    for (uint32_t i = message.payload + 1; i < payload.next; i = tree[i].next) {
        Fields &fields =
            std::binary_search(names, names + count, tree.key(i)) ? untrusted_ : trusted_;
        fields.nodes[fields.count++] = i;
    }
    return untrusted_.count == count;
}

// Returns whether the value is a valid message.
bool Renderer::read_message(value::TreeView tree, uint32_t root, std::string_view ignored,
                            message::Message &message) {
    untrusted_ = trusted_ = {};
    arena_.reset();
    const message::ReadRules rules = {settings_.limit(ACCP_LIMIT_KEY_BYTES), false, ignored};
    if (message::read_message(tree, root, rules, message).status.failed()) return false;
    return !message.mark || (tree[message.mark].flags & ACCP_NODE_TRUE) || split(message);
}

// Writes the trusted fields, the mark, and the untrusted fields, all on one line. No text is
// written without quotes up to the end of the line.
void Renderer::write_split(value::TreeView tree, RenderStyle style, Buffer<char> &out) {
    style.one_line = true;
    if (trusted_.count) {
        out.push(' ');
        writer_.field_list(tree, trusted_.nodes, trusted_.count, style, out);
    }
    out.push(' ');
    out.append(kUntrustedMark);
    style.untrusted = true;
    writer_.field_list(tree, untrusted_.nodes, untrusted_.count, style, out);
}

void Renderer::write_meta(const message::Message &message, const RenderStyle &style, bool envelope,
                          Buffer<char> &out) {
    const value::TreeView tree = message.meta_tree;
    auto *nodes = arena_.allocate<uint32_t>(tree[message.meta].len + 1);
    uint32_t count = 0;
    for (uint32_t i = message.meta + 1; i < tree[message.meta].next; i = tree[i].next)
        if (envelope || !is_envelope_key(tree.key(i))) nodes[count++] = i;
    if (!count) return;
    out.push(' ');
    writer_.block(tree, nodes, count, style, out);
}

// Returns the position in `out` where the root or the payload begins.
size_t Renderer::write(value::TreeView tree, uint32_t root, const message::Message *message,
                       const RenderStyle &style, uint32_t flags, Buffer<char> &out) {
    const bool says_so = message && message->mark && !untrusted_.count;
    const std::string_view mark = says_so           ? kUntrustedMessage
                                  : style.untrusted ? kUntrustedMark
                                                    : std::string_view();
    out.append(mark);
    size_t body = out.size();
    if (!message) {
        writer_.value(tree, root, style, out);
        return body;
    }
    auto put = [&](char before, std::string_view name) {
        out.push(before);
        out.append(name);
    };
    put('@', message->agent);
    put(' ', message->intent);
    put(':', message->operation);
    if (message->has_meta) write_meta(*message, style, (flags & ACCP_RENDER_ENVELOPE) != 0, out);
    body = out.size();
    if (!message->is_text()) {
        if (untrusted_.count) write_split(tree, style, out);
        else writer_.fields(tree, message->payload, style, " ", out);
        return body;
    }
    out.push(' ');
    writer_.value(tree, message->payload, style, out);
    return body;
}

// The result is never longer than compact JSON: if tables make it longer, it is written without
// them.
void Renderer::render(value::TreeView tree, uint32_t root, uint32_t flags, std::string_view ignored,
                      Buffer<char> &out) {
    message::Message read;
    const message::Message *message = read_message(tree, root, ignored, read) ? &read : nullptr;
    RenderStyle style;
    // A value that is not a valid message, or whose mark is invalid, is untrusted as a whole.
    style.untrusted = (flags & ACCP_RENDER_UNTRUSTED) != 0 ||
                      (is_marked(tree, root) && !(message && untrusted_.count));
    style.one_line = style.untrusted || (flags & ACCP_RENDER_ONE_LINE) != 0;
    style.abbreviate = message && settings_.abbreviate;
    size_t start = out.size();
    size_t body = write(tree, root, message, style, flags, out);
    json_.recycle(kKeptBytes);
    value::write_json(tree, message ? read.payload : root, json_);
    if (out.size() - body <= json_.size()) return;
    out.resize_down(start);
    style.tables = false;
    write(tree, root, message, style, flags, out);
}

Status Renderer::read(const char *text, size_t len, value::Value &out) {
    std::string_view mark(text, len < kUntrustedMark.size() ? len : kUntrustedMark.size());
    Status status = reader_.read(text, len, mark == kUntrustedMark ? mark.size() : 0, out);
    if (status.failed()) out.clear();
    return status;
}

}  // namespace accp::render
