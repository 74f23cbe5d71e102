// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See misspelt.h.
#include "packet/extract/misspelt.h"

#include <algorithm>

#include "base/text.h"
#include "packet/file/items.h"
#include "packet/file/members.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxErrors = 2, kShortName = 5, kMaxMember = 32;  // bytes; known names are shorter
// Known too, and no member of a list of members.h.
constexpr Member kBeside[] = {{"sources", Shape::kContext}};
constexpr Member kBesideInContext[] = {{"references", Shape::kTexts}, {"merged", Shape::kItems}};

using Members = std::span<const Member>;

// The member of any of these lists that is most like the name; empty: it is one, or like none.
std::string_view known_like(std::string_view name, std::initializer_list<Members> lists) {
    std::string_view best;
    if (name.find_first_of("\r\n") != name.npos) return {};  // no line could tell it
    size_t fewest = kMaxErrors + 1;
    for (Members members : lists) {
        if (find_member(members, name)) return {};
        for (const Member &member : members) {
            const size_t errors = count_typing_errors(name, member.name);
            const size_t allowed = member.name.size() <= kShortName ? 1 : kMaxErrors;
            if (errors > allowed || errors >= fewest) continue;
            fewest = errors;
            best = member.name;
        }
    }
    return best;
}

class Finder {
public:
    Finder(value::TreeView packet, Buffer<char> &out) : packet_(packet), out_(out) {}

    // Of a map that stands at `path`.
    void check(uint32_t map, std::string_view path, std::initializer_list<Members> lists) {
        if (packet_[map].kind != ACCP_MAP) return;
        for (uint32_t i = map + 1; i < packet_[map].next; i = packet_[i].next)
            tell(path, 0, packet_.key(i), known_like(packet_.key(i), lists));
    }
    void check_items(const Member &list, uint32_t node) {
        if (packet_[node].kind != ACCP_ARRAY) return;
        uint64_t number = 0;
        for (uint32_t item = node + 1; item < packet_[node].next; item = packet_[item].next)
            check_item(list, item, ++number);
    }

private:
    // `chioce: x` alone is read as an item whose first member is `chioce`, and its second x.
    void check_item(const Member &list, uint32_t item, uint64_t number) {
        if (packet_[item].kind != ACCP_MAP) return;
        for (uint32_t i = item + 1; i < packet_[item].next; i = packet_[i].next) {
            const bool first = packet_[item].len == 2 && packet_.key(i) == list.items[0].name;
            const std::string_view name =
                first ? text_of(packet_, item, packet_.key(i)) : packet_.key(i);
            tell(list.name, number, name, known_like(name, {list.items}));
        }
    }
    void tell(std::string_view path, uint64_t number, std::string_view name,
              std::string_view known) {
        if (known.empty()) return;
        out_.append(path);
        if (number) {
            out_.push('[');
            append_decimal(number, out_);
            out_.push(']');
        }
        if (!path.empty()) out_.push('.');
        out_.append(name);
        out_.push(' ');
        out_.append(known);
        out_.push('\n');
    }

    value::TreeView packet_;
    Buffer<char> &out_;
};

}  // namespace

// Optimal string alignment, a row at a time.
size_t count_typing_errors(std::string_view name, std::string_view known) {
    if (name.size() > kMaxMember || known.size() > kMaxMember) return kMaxErrors + 1;
    size_t rows[3][kMaxMember + 1];
    for (size_t j = 0; j <= known.size(); ++j) rows[0][j] = j;
    for (size_t i = 1; i <= name.size(); ++i) {
        size_t *const row = rows[i % 3], *const before = rows[(i + 2) % 3];
        const size_t *const second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= known.size(); ++j) {
            const bool same = name[i - 1] == known[j - 1];
            row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + !same});
            if (i > 1 && j > 1 && name[i - 1] == known[j - 2] && name[i - 2] == known[j - 1])
                row[j] = std::min(row[j], second[j - 2] + 1);
        }
    }
    return std::min(rows[name.size() % 3][known.size()], kMaxErrors + 1);
}

void append_misspelt_members(value::TreeView packet, Buffer<char> &out) {
    Finder finder(packet, out);
    finder.check(0, "", {packet_members(), seal_members(), kBeside});
    const uint32_t context = packet.find(0, "context");
    finder.check(context, "context", {context_members(), kBesideInContext});
    const uint32_t code = packet.find(context, "codebase");
    if (code) finder.check(code, "context.codebase", {codebase_members()});
    for (Members members : {context_members(), codebase_members()}) {
        const uint32_t map = members.data() == context_members().data() ? context : code;
        for (const Member &member : members)
            if (const uint32_t list = map ? packet.find(map, member.name) : 0;
                list && !member.items.empty())
                finder.check_items(member, list);
    }
}

}  // namespace accp::packet
