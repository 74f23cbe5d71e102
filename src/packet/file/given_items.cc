// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/given_items.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/text.h"
#include "packet/file/quote.h"
#include "value/yaml_plain.h"

namespace accp::packet {

namespace {

// The members of an item in each list.
struct GivenList {
    std::string_view name;
    ItemKind kind;
    std::string_view what, why, made_by;
};
constexpr std::string_view kText = "text", kQuote = "quote";
constexpr GivenList kGivenLists[] = {
    {"success_criteria", ACCP_PACKET_CRITERION, kText, {}, {}},
    {"constraints", ACCP_PACKET_CONSTRAINT, kText, {}, {}},
    {"decisions", ACCP_PACKET_DECISION, "choice", "reason", "made_by"},
    {"failed_attempts", ACCP_PACKET_FAILURE, "approach", "reason_failed", {}},
    {"pivots", ACCP_PACKET_PIVOT, kText, {}, {}},
    {"open_questions", ACCP_PACKET_QUESTION, kText, {}, {}},
    {"relevant_files", ACCP_PACKET_FILE, "path", "summary", {}},
    {"patterns", ACCP_PACKET_PATTERN, kText, {}, {}},
    {"anti_patterns", ACCP_PACKET_ANTI_PATTERN, kText, {}, {}},
    {"examples", ACCP_PACKET_EXAMPLE, kText, {}, {}},
};
constexpr size_t kFirstInCodebase = 6;

const GivenList &list_of(ItemKind kind) {
    for (const GivenList &list : kGivenLists)
        if (list.kind == kind) return list;
    return kGivenLists[0];
}

}  // namespace

void GivenItems::clear() {
    goal_ = {};
    items_.clear();
    kinds_ = 0;
}

Status GivenItems::refuse(uint32_t node, std::initializer_list<std::string_view> pieces) const {
    return fail(ACCP_E1004, yaml_.origin(node).value, interned_text(pieces, "items: wrong type"));
}

bool GivenItems::is_null(uint32_t node) const {
    return (tree_.view()[node].flags & value::kPlainScalar) &&
           value::is_plain_null(tree_.view().string(node));
}

Status GivenItems::read(std::string_view text) {
    clear();
    if (trim(text).empty()) return {};
    Status status = yaml_.read(text, {kMaxPacketBytes, kMaxPacketDepth}, tree_);
    if (status.failed())
        return fail(status.code, status.offset,
                    interned_text({"items: ", status.message ? status.message : "not yaml"},
                                  "items: not yaml"));
    if (tree_.view()[0].kind != ACCP_MAP) return refuse(0, {"items: not a mapping"});
    status = read_map(0, false);
    if (status.failed()) clear();
    return status;
}

Status GivenItems::read_map(uint32_t map, bool in_codebase) {
    const value::TreeView tree = tree_.view();
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        const std::string_view key = tree.key(i);
        if (is_null(i)) continue;
        Status status;
        const GivenList *list =
            std::find_if(std::begin(kGivenLists) + (in_codebase ? kFirstInCodebase : 0),
                         std::end(kGivenLists), [&](const GivenList &l) { return l.name == key; });
        if (list != std::end(kGivenLists)) status = read_list(i, list->kind);
        else if (!in_codebase && key == "goal") status = read_text(i, goal_);
        else if (!in_codebase && key == "codebase" && tree[i].kind == ACCP_MAP)
            status = read_map(i, true);
        else
            status = refuse(i, {"items: unknown member: ", key,
                                in_codebase ? " (of codebase: relevant_files, patterns, "
                                              "anti_patterns, examples)"
                                            : " (goal, success_criteria, constraints, decisions, "
                                              "failed_attempts, relevant_files, patterns, "
                                              "anti_patterns, examples, pivots, open_questions)"});
        if (status.failed()) return status;
    }
    return {};
}

Status GivenItems::read_list(uint32_t node, ItemKind kind) {
    const value::TreeView tree = tree_.view();
    if (tree[node].kind != ACCP_ARRAY)
        return refuse(node, {"items: ", list_of(kind).name, " must be a list"});
    if (items_.size() + tree[node].len > kMaxGivenItems)
        return fail_limit(ACCP_E2003, yaml_.origin(node).value, "items: too many",
                          items_.size() + tree[node].len, kMaxGivenItems);
    kinds_ |= uint32_t{1} << kind;
    uint32_t number = 0;
    for (uint32_t i = node + 1; i < tree[node].next; i = tree[i].next) {
        GivenItem item = {kind, ++number, {}, {}, {}, {}};
        Status status = read_item(i, item);
        if (status.failed()) return status;
        items_.push(item);
    }
    return {};
}

Status GivenItems::read_item(uint32_t node, GivenItem &out) const {
    const value::TreeView tree = tree_.view();
    const GivenList &list = list_of(out.kind);
    if (tree[node].kind != ACCP_MAP) {
        Status status = read_text(node, out.what);
        if (status.failed()) return status;
    }
    for (uint32_t i = node + 1; tree[node].kind == ACCP_MAP && i < tree[node].next;
         i = tree[i].next) {
        const std::string_view key = tree.key(i);
        std::string_view *const to = key == list.what                               ? &out.what
                                     : key == kQuote                                ? &out.quote
                                     : !list.why.empty() && key == list.why         ? &out.why
                                     : !list.made_by.empty() && key == list.made_by ? &out.made_by
                                                                                    : nullptr;
        if (!to) return refuse(i, {"items: unknown member of an item of ", list.name, ": ", key});
        if (is_null(i)) continue;
        Status status = read_text(i, *to);
        if (status.failed()) return status;
    }
    return trim(out.what).empty()
               ? refuse(node, {"items: missing ", list.what, " of an item of ", list.name})
               : Status{};
}

Status GivenItems::read_text(uint32_t node, std::string_view &out) const {
    if (tree_.view()[node].kind != ACCP_STRING) return refuse(node, {"items: must be a text"});
    out = trim(tree_.view().string(node));
    return {};
}

void GivenItems::compare(std::span<const Utterance> conversation) {
    if (items_.empty()) return;
    objections_.read(conversation);
    for (GivenItem &item : items_) {
        if (trim(item.quote).empty()) continue;
        for (uint32_t i = 0; i < conversation.size() && !item.is_found; ++i) {
            if (conversation[i].has_paths_only) continue;
            size_t begin = 0, end = 0;
            if (!find_quote(conversation[i].text, item.quote, begin, end)) continue;
            item.is_found = true;
            item.place = {conversation[i].message, static_cast<uint32_t>(begin),
                          static_cast<uint32_t>(end)};
            const Objections::Sentence *const objection =
                objections_.find(item.what, item.place.message, Objections::Evidence::kAny);
            if (!objection) continue;
            item.contradiction = objection->text;
            item.contradiction_place = {objection->message, objection->begin, objection->end};
        }
    }
}

}  // namespace accp::packet
