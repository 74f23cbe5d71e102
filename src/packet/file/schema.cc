// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/schema.h"

#include <algorithm>

#include "base/text.h"

namespace accp::packet {

namespace {

constexpr Member kDecision[] = {
    {"choice", Shape::kText, "missing choice"},
    {"reason", Shape::kText},
    {"made_by", Shape::kText},
};
constexpr Member kFile[] = {
    {"path", Shape::kText, "missing path"},
    {"summary", Shape::kText},
};
constexpr Member kFailure[] = {
    {"approach", Shape::kText, "missing approach"},
    {"reason_failed", Shape::kText},
};
constexpr Member kPacket[] = {
    {"version", Shape::kVersion, "missing version"},
    {"created", Shape::kTime, "missing created"},
    {"creator", Shape::kText, "missing creator"},
    {"target_task", Shape::kText, "missing target_task"},
    {"context", Shape::kContext, "missing context"},
};
constexpr Member kContext[] = {
    {"goal", Shape::kText, "missing goal"},
    {"success_criteria", Shape::kTexts},
    {"decisions", Shape::kItems, nullptr, kDecision, std::size(kDecision)},
    {"constraints", Shape::kTexts},
    {"codebase", Shape::kCodebase},
    {"failed_attempts", Shape::kItems, nullptr, kFailure, std::size(kFailure)},
    {"pivots", Shape::kNotes},
    {"open_questions", Shape::kTexts},
    {"not_included", Shape::kTexts},
    {"version", Shape::kRevision},
    {"changelog", Shape::kChangelog},
};
constexpr Member kCodebase[] = {
    {"relevant_files", Shape::kItems, nullptr, kFile, std::size(kFile)},
    {"patterns", Shape::kTexts},
    {"anti_patterns", Shape::kTexts},
    {"examples", Shape::kTexts},
};
constexpr Member kSeal[] = {
    {"checksum", Shape::kText},
    {"token_count", Shape::kCount},
    {"tokenizer", Shape::kText},
};

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
        if (const std::string_view text = member_text(packet, item, name); !text.empty())
            return text;
    return {};
}

constexpr size_t kMaxErrors = 2, kShortName = 5, kMaxMember = 32;  // bytes; known names are shorter
// Known members that are in none of the lists above.
constexpr Member kExtraMembers[] = {{"sources", Shape::kContext}};
constexpr Member kExtraContextMembers[] = {{"references", Shape::kTexts},
                                           {"merged", Shape::kItems}};

using Members = std::span<const Member>;

// Returns the known member most similar to the name; empty if the name is known or similar to none.
std::string_view similar_member(std::string_view name, std::initializer_list<Members> lists) {
    std::string_view best;
    if (name.find_first_of("\r\n") != name.npos) return {};  // a report has one line each
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

class MisspellingFinder {
public:
    MisspellingFinder(value::TreeView packet, Buffer<char> &out) : packet_(packet), out_(out) {}

    // Checks the keys of a map at `path`.
    void check(uint32_t map, std::string_view path, std::initializer_list<Members> lists) {
        if (packet_[map].kind != ACCP_MAP) return;
        for (uint32_t i = map + 1; i < packet_[map].next; i = packet_[i].next)
            tell(path, 0, packet_.key(i), similar_member(packet_.key(i), lists));
    }
    void check_items(const Member &list, uint32_t node) {
        if (packet_[node].kind != ACCP_ARRAY) return;
        uint64_t number = 0;
        for (uint32_t item = node + 1; item < packet_[node].next; item = packet_[item].next)
            check_item(list, item, ++number);
    }

private:
    // `chioce: x` alone was read as an item with `chioce` as its first member and x as its second.
    void check_item(const Member &list, uint32_t item, uint64_t number) {
        if (packet_[item].kind != ACCP_MAP) return;
        for (uint32_t i = item + 1; i < packet_[item].next; i = packet_[i].next) {
            const bool first = packet_[item].len == 2 && packet_.key(i) == list.items()[0].name;
            const std::string_view name =
                first ? member_text(packet_, item, packet_.key(i)) : packet_.key(i);
            tell(list.name, number, name, similar_member(name, {list.items()}));
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

std::span<const Member> packet_members() { return kPacket; }
std::span<const Member> context_members() { return kContext; }
std::span<const Member> codebase_members() { return kCodebase; }
std::span<const Member> seal_members() { return kSeal; }

const Member *find_member(std::span<const Member> members, std::string_view name) {
    for (const Member &member : members)
        if (member.name == name) return &member;
    return nullptr;
}

const ItemList &list_of_kind(ItemKind kind) { return kLists[kind]; }

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

std::string_view member_text(value::TreeView packet, uint32_t item, std::string_view member) {
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
    const std::string_view by = member_text(packet, item, "made_by");
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

// Optimal string alignment distance, row by row.
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
    MisspellingFinder finder(packet, out);
    finder.check(0, "", {packet_members(), seal_members(), kExtraMembers});
    const uint32_t context = packet.find(0, "context");
    finder.check(context, "context", {context_members(), kExtraContextMembers});
    const uint32_t code = packet.find(context, "codebase");
    if (code) finder.check(code, "context.codebase", {codebase_members()});
    for (Members members : {context_members(), codebase_members()}) {
        const uint32_t map = members.data() == context_members().data() ? context : code;
        for (const Member &member : members)
            if (const uint32_t list = map ? packet.find(map, member.name) : 0;
                list && member.item_count)
                finder.check_items(member, list);
    }
}

}  // namespace accp::packet
