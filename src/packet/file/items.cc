// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See items.h.
#include "packet/file/items.h"

#include <algorithm>

namespace accp::packet {

namespace {

// In the order of accp_packet_kind.
constexpr ItemList kLists[kItemKinds] = {
    {"goal", false, "goal", "goals"},
    {"success_criteria", false, "success criterion", "success criteria"},
    {"constraints", false, "constraint", "constraints"},
    {"decisions", false, "decision", "decisions"},
    {"relevant_files", true, "file", "files"},
    {"patterns", true, "pattern", "patterns"},
    {"anti_patterns", true, "anti-pattern", "anti-patterns"},
    {"examples", true, "example", "examples"},
    {"failed_attempts", false, "failed attempt", "failed attempts"},
    {"pivots", false, "pivot", "pivots"},
    {"open_questions", false, "open question", "open questions"},
    {"not_included", false, "note of what is not included", "notes of what is not included"},
};
constexpr std::string_view kItemWhat[] = {"choice", "path", "approach"};
constexpr std::string_view kItemWhy[] = {"reason", "summary", "reason_failed"};

template <size_t kCount>
std::string_view first_of(value::TreeView packet, uint32_t item,
                          const std::string_view (&names)[kCount]) {
    for (std::string_view name : names)
        if (const std::string_view text = text_of(packet, item, name); !text.empty()) return text;
    return {};
}

}  // namespace

const ItemList &list_of(ItemKind kind) { return kLists[kind]; }

void append_items(value::TreeView packet, Buffer<Item> &out) {
    const uint32_t context = packet.find(0, "context"), codebase = packet.find(context, "codebase");
    for (int kind = 0; kind < kItemKinds; ++kind) {
        const ItemList &list = kLists[kind];
        if (list.in_codebase && !codebase) continue;
        const uint32_t node = packet.find(list.in_codebase ? codebase : context, list.member);
        if (!node) continue;
        if (packet[node].kind != ACCP_ARRAY) {
            out.push({static_cast<ItemKind>(kind), 1, node});
            continue;
        }
        uint32_t number = 0;
        for (uint32_t i = node + 1; i < packet[node].next; i = packet[i].next)
            out.push({static_cast<ItemKind>(kind), ++number, i});
    }
}

std::string_view text_of(value::TreeView packet, uint32_t item, std::string_view member) {
    const uint32_t node = packet[item].kind == ACCP_MAP ? packet.find(item, member) : 0;
    return node && packet[node].kind == ACCP_STRING ? packet.string(node) : std::string_view();
}

std::string_view what_of(value::TreeView packet, uint32_t item) {
    if (packet[item].kind == ACCP_STRING) return packet.string(item);
    return first_of(packet, item, kItemWhat);
}

std::string_view why_of(value::TreeView packet, uint32_t item) {
    return first_of(packet, item, kItemWhy);
}

bool is_of_user(value::TreeView packet, uint32_t item) {
    constexpr std::string_view kAnd = " + ";
    const std::string_view by = text_of(packet, item, "made_by");
    for (size_t at = 0; at <= by.size();) {
        const size_t end = std::min(by.find(kAnd, at), by.size());
        if (by.substr(at, end - at) == "user") return true;
        at = end + kAnd.size();
    }
    return false;
}

void append_item_text(value::TreeView packet, uint32_t item, Buffer<char> &out) {
    for (uint32_t i = item; i < packet[item].next; ++i) {
        if (packet[i].kind != ACCP_STRING || packet.key(i) == "made_by") continue;
        out.append(packet.string(i));
        out.push(' ');
    }
}

}  // namespace accp::packet
