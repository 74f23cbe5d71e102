// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/redact.h"

#include "base/limits.h"
#include "packet/file/schema.h"
#include "text/secrets.h"
#include "value/json_writer.h"

namespace accp::packet {

namespace {

class PacketRedactor {
public:
    PacketRedactor(value::TreeView packet, Memory &memory)
        : packet_(packet), named_(memory), redacted_(memory), whole_(memory) {}

    bool has_secrets() {
        for (uint32_t member = 1; member < packet_[0].next; member = packet_[member].next) {
            if (is_kept(member)) continue;
            for (uint32_t i = member; i < packet_[member].next; ++i)
                if (redact(i)) return true;
        }
        return false;
    }

    // Writes the packet as JSON, without a seal.
    void write(Buffer<char> &json) {
        struct Level {
            uint32_t end;
            char close;
        } levels[kMaxPacketDepth + 1];
        size_t open = 0;
        for (uint32_t i = 0;;) {
            for (; open && levels[open - 1].end == i; --open) json.push(levels[open - 1].close);
            if (i == packet_[0].next) return;
            const uint32_t node = i;
            const value::Node &found = packet_[node];
            if (open == 1 && find_member(seal_members(), packet_.key(node))) {
                i = found.next;
                continue;
            }
            if (open) write_key(node, levels[open - 1].close == '}', json);
            if (value::is_container(found.kind) && !(open == 1 && is_kept(node))) {
                const bool is_map = found.kind == ACCP_MAP;
                json.push(is_map ? '{' : '[');
                levels[open++] = {found.next, is_map ? '}' : ']'};
                ++i;
                continue;
            }
            if (redact(node)) value::write_json_string(redacted_.view(), json);
            else value::write_json(packet_, node, json);
            i = found.next;
        }
    }

private:
    // Members of the packet that are not searched: they contain no texts of people.
    bool is_kept(uint32_t member) const {
        return packet_.key(member) == "sources" || find_member(seal_members(), packet_.key(member));
    }

    void write_key(uint32_t node, bool in_map, Buffer<char> &json) const {
        const char last = json[json.size() - 1];
        if (last != '{' && last != '[') json.push(',');
        if (!in_map) return;
        value::write_json_string(packet_.key(node), json);
        json.push(':');
    }

    // Returns whether the text of a node has secrets; redacted_ is then the text without them. A
    // key such as `api_key` shows that the text is one.
    bool redact(uint32_t node) {
        if (packet_[node].kind != ACCP_STRING) return false;
        redacted_.clear();
        const std::string_view text = packet_.string(node), key = packet_.key(node);
        if (text::redact_secrets(text, redacted_)) return true;
        if (!text::is_secret_name(key)) return false;
        named_.clear();
        named_.append(key);
        named_.append(": ");
        const size_t named = named_.size();
        named_.append(text);
        whole_.clear();
        if (!text::redact_secrets(named_.view(), whole_)) return false;
        redacted_.append(whole_.view().substr(named));
        return true;
    }

    value::TreeView packet_;
    Buffer<char> named_, redacted_, whole_;
};

}  // namespace

Status redact_packet(Packet &packet, Reader &reader, Memory &memory, bool &changed) {
    PacketRedactor redactor(packet.view(), memory);
    changed = redactor.has_secrets();
    if (!changed) return {};
    Buffer<char> json(memory);
    redactor.write(json);
    Packet made(memory);
    Status status = reader.read_json(json.view(), made);
    if (status.ok()) packet.swap(made);
    return status;
}

}  // namespace accp::packet
