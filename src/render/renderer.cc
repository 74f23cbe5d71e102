// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See renderer.h.
#include "render/renderer.h"

#include "accp/render.h"
#include "base/random.h"
#include "frame/bytes.h"
#include "frame/envelope.h"
#include "value/json_writer.h"

namespace accp {

namespace {

bool is_envelope_key(std::string_view key) {
    for (const EnvelopeField &field : kEnvelope)
        if (key == field.key) return true;
    return false;
}

bool names(std::string_view list, std::string_view name) {
    for (size_t at = 0; at < list.size();) {
        std::string_view entry(list.data() + at);
        if (entry == name) return true;
        at += entry.size() + 1;
    }
    return false;
}

}  // namespace

Renderer::Renderer(Memory &memory, const Settings &settings)
    : settings_(settings),
      arena_(memory),
      seed_(random_seed()),
      writer_(memory, arena_, seed_),
      reader_(memory, arena_, seed_, settings),
      json_(memory) {}

bool Renderer::is_name(TreeView tree, uint32_t node, unsigned char wanted) const {
    std::string_view text = tree.string(node);
    if (tree[node].kind != ACCP_STRING || text.empty() || text.size() > settings_.limit(ACCP_LIMIT_KEY_BYTES)) return false;
    for (char c : text)
        if (!(byte_class(c) & wanted)) return false;
    return true;
}

// A message: the three names, a payload that is a map or a text, perhaps metadata, and nothing else.
bool Renderer::take_apart(TreeView tree, uint32_t root, std::string_view ignored, Parts &parts) const {
    if (tree[root].kind != ACCP_MAP) return false;
    for (uint32_t i = root + 1; i < tree[root].next; i = tree[i].next) {
        std::string_view name = tree.key(i);
        if (name == "agent" && is_name(tree, i, kAgentByte)) parts.agent = i;
        else if (name == "intent" && is_name(tree, i, kAlphaByte)) parts.intent = i;
        else if (name == "operation" && is_name(tree, i, kWordByte)) parts.operation = i;
        else if (name == "payload" && (tree[i].kind == ACCP_MAP || tree[i].kind == ACCP_STRING)) parts.payload = i;
        else if (name == "meta" && tree[i].kind == ACCP_MAP) parts.meta = i;
        else if (!(name == "meta" && tree[i].kind == ACCP_NULL) && !names(ignored, name)) return false;
    }
    return parts.agent && parts.intent && parts.operation && parts.payload;
}

void Renderer::write_meta(TreeView tree, uint32_t meta, const RenderStyle &style, bool envelope, Buffer<char> &out) {
    auto *nodes = arena_.take<uint32_t>(tree[meta].len + 1);
    uint32_t count = 0;
    for (uint32_t i = meta + 1; i < tree[meta].next; i = tree[i].next)
        if (envelope || !is_envelope_key(tree.key(i))) nodes[count++] = i;
    if (!count) return;
    out.push(' ');
    writer_.block(tree, nodes, count, style, out);
}

// Answers where the root, or the payload, begins in what it appends.
size_t Renderer::write(TreeView tree, uint32_t root, const Parts *parts, const RenderStyle &style, uint32_t flags, Buffer<char> &out) {
    arena_.reset();
    if (style.untrusted) out.append(kUntrustedMark.data(), kUntrustedMark.size());
    size_t body = out.size();
    if (!parts) {
        writer_.value(tree, root, style, out);
        return body;
    }
    auto put = [&](char before, uint32_t node) {
        out.push(before);
        out.append(tree.string(node).data(), tree.string(node).size());
    };
    put('@', parts->agent);
    put(' ', parts->intent);
    put(':', parts->operation);
    if (parts->meta) write_meta(tree, parts->meta, style, (flags & ACCP_RENDER_ENVELOPE) != 0, out);
    body = out.size();
    if (tree[parts->payload].kind == ACCP_MAP) {
        writer_.fields(tree, parts->payload, style, " ", out);
        return body;
    }
    out.push(' ');
    writer_.value(tree, parts->payload, style, out);
    return body;
}

// Never longer than compact JSON: where tables make it so, they are left out, and without them no part is.
void Renderer::render(TreeView tree, uint32_t root, uint32_t flags, std::string_view ignored, Buffer<char> &out) {
    Parts parts;
    const Parts *message = take_apart(tree, root, ignored, parts) ? &parts : nullptr;
    RenderStyle style;
    style.untrusted = (flags & ACCP_RENDER_UNTRUSTED) != 0;
    style.one_line = style.untrusted || (flags & ACCP_RENDER_ONE_LINE) != 0;
    style.abbreviate = message && settings_.abbreviate;
    size_t start = out.size();
    size_t body = write(tree, root, message, style, flags, out);
    json_.recycle(kKeptBytes);
    write_json(tree, message ? parts.payload : root, json_);
    if (out.size() - body <= json_.size()) return;
    out.resize_down(start);
    style.tables = false;
    write(tree, root, message, style, flags, out);
}

Status Renderer::read(const char *text, size_t len, Value &out) {
    std::string_view mark(text, len < kUntrustedMark.size() ? len : kUntrustedMark.size());
    Status status = reader_.read(text, len, mark == kUntrustedMark ? mark.size() : 0, out);
    if (status.failed()) out.clear();
    return status;
}

}  // namespace accp
