// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "frame/envelope.h"

#include <charconv>

#include "base/bytes.h"
#include "frame/decode.h"
#include "frame/parse.h"

namespace accp::frame {

const EnvelopeField kEnvelope[kEnvelopeFields] = {
    {"mid", ACCP_ENVELOPE_MID, &accp_envelope::mid, nullptr},
    {"seq", ACCP_ENVELOPE_SEQ, nullptr, &accp_envelope::seq},
    {"ts", ACCP_ENVELOPE_TS, nullptr, &accp_envelope::ts},
    {"cid", ACCP_ENVELOPE_CID, &accp_envelope::cid, nullptr},
    {"aid", ACCP_ENVELOPE_AID, &accp_envelope::aid, nullptr},
    {"sid", ACCP_ENVELOPE_SID, &accp_envelope::sid, nullptr},
    {"ttl", ACCP_ENVELOPE_TTL, nullptr, &accp_envelope::ttl},
};

size_t plain_length(std::string_view text) {
    size_t len = 0;
    while (len < text.size() && (byte_class(text[len]) & kSafeByte)) ++len;
    return len;
}

void mark_field_texts(value::Node *nodes, size_t count, const char *text) {
    const uint32_t meta = metadata_of(nodes, count);
    if (!meta) return;
    for (uint32_t i = meta + 1; i < nodes[meta].next; i = nodes[i].next) {
        value::Node &node = nodes[i];
        if (!is_text_field(node, text)) continue;
        if (kFieldWords >> node.kind & 1) node.kind = ACCP_STRING, node.flags = 0;
        if (node.kind == ACCP_STRING) node.flags |= kVerbatim;
    }
}

Status check_field_texts(value::TreeView tree, uint32_t meta, int32_t dialect) {
    const bool strict = dialect == ACCP_STRICT;  // only an escape can be wrong then
    for (uint32_t i = meta + 1; meta && i < tree[meta].next; i = tree[i].next) {
        const value::Node &node = tree[i];
        const bool suspect = !strict | ((node.flags & ACCP_NODE_ESCAPED) != 0);
        if (!((node.kind == ACCP_STRING) & suspect) || !is_text_field(tree.key(i))) continue;
        const size_t plain = plain_length(tree.string(i));
        if (plain < node.len) return fail(ACCP_E1004, node.offset + plain, kNotPlain);
    }
    return {};
}

Status read_envelope(value::TreeView tree, uint32_t meta, accp_envelope &out) {
    out = {};
    if (!meta) return {};
    for (const EnvelopeField &field : kEnvelope) {
        uint32_t i = tree.find(meta, field.key);
        if (!i) continue;
        const value::Node &node = tree[i];
        std::string_view text = tree.string(i);
        if (field.text) {
            bool plain = !value::is_container(node.kind) && node.kind != ACCP_NULL &&
                         node.kind != ACCP_REF && !(node.flags & ACCP_NODE_ESCAPED);
            if (!plain) return fail(ACCP_E1001, node.offset - (node.kind == ACCP_REF), kNotPlain);
            out.*field.text = {text.data(), text.size()};
        } else {
            int64_t number = 0;
            bool whole =
                node.kind == ACCP_INT && text[0] != '-' &&
                std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
            if (!whole)
                return fail(ACCP_E1001, node.offset - (node.kind == ACCP_REF),
                            "seq, ts and ttl are integers from 0 to 2^63 - 1");
            out.*field.number = number;
        }
        out.fields |= field.bit;
    }
    return {};
}

Status EnvelopeStore::set(const accp_envelope *envelope, uint64_t key_bytes) {
    reserved_ = 0;
    if (!envelope) {
        envelope_ = {};
        return {};
    }
    constexpr uint32_t kAllFields = (1u << kEnvelopeFields) - 1;
    if (envelope->fields & ~kAllFields)
        return fail(ACCP_ERR_ARG, 0, "no such field of the envelope");
    size_t total = 0;
    for (const EnvelopeField &field : kEnvelope) {
        if (!(envelope->fields & field.bit)) continue;
        if (field.number && envelope->*field.number < 0)
            return fail(ACCP_ERR_ARG, 0, "seq, ts and ttl are not negative");
        if (!field.text) continue;
        accp_text text = envelope->*field.text;
        if (!text.text || !text.len || text.len > key_bytes)
            return fail(ACCP_E1004, 0, "mid, cid, aid and sid are texts of 1 to key_bytes bytes");
        const size_t plain = plain_length({text.text, text.len});
        if (plain < text.len) return fail(ACCP_E1004, plain, kNotPlain);
        total += text.len;
    }
    text_.clear();
    text_.reserve(total);
    envelope_ = *envelope;
    for (const EnvelopeField &field : kEnvelope) {
        if (!field.text || !has(field)) continue;
        accp_text &text = envelope_.*field.text;
        const char *copy = text_.end();
        text_.append(text.text, text.len);
        text.text = copy;
    }
    return {};
}

void EnvelopeStore::write(const EnvelopeField &field, Buffer<char> &out) const {
    out.append(field.key, std::char_traits<char>::length(field.key));
    out.push(':');
    if (field.text) {
        accp_text text = envelope_.*field.text;
        out.append(text.text, text.len);
    } else {
        char *to = out.reserve(24);
        out.set_end(std::to_chars(to, to + 24, envelope_.*field.number).ptr);
    }
}

bool format_mid(uint32_t letter, uint32_t issuer, uint64_t counter, char *to) {
    constexpr uint64_t kCounters = 1'000'000'000;  // of one of several issuers
    if (letter > 5 || issuer > 99 || counter >= (issuer ? kCounters : kCounters * 100))
        return false;
    counter += issuer * kCounters;
    to[0] = static_cast<char>('a' + letter);
    for (size_t i = kMidBytes - 1; i > 0; --i, counter /= 10)
        to[i] = static_cast<char>('0' + counter % 10);
    return true;
}

}  // namespace accp::frame
