// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See capability_query.h.
#include "sacp/agents/capability_query.h"

#include <algorithm>

#include "base/random.h"
#include "base/utf8.h"

namespace accp::plan {

namespace {

// In the order of CapabilityQuery's members, in which their types are checked.
constexpr MemberRule kQuery[] = {
    {"verb", MemberShape::kText},        {"tool", MemberShape::kText},
    {"inputs", MemberShape::kTexts},     {"output_type", MemberShape::kText},
    {"tags", MemberShape::kTexts},       {"min_confidence", MemberShape::kNumber},
    {"embedding", MemberShape::kVector}, {"embedding_model", MemberShape::kText},
    {"threshold", MemberShape::kNumber}, {"top_k", MemberShape::kCount},
};
constexpr MemberRule kOuter[] = {{"query", MemberShape::kText}};

constexpr size_t kShownBytes = 40;  // of a name that is not known

bool check_names(value::TreeView tree, uint32_t map, std::span<const MemberRule> members,
                 Verdict &verdict) {
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next) {
        bool known = false;
        for (const MemberRule &member : members) known |= tree.key(i) == member.name;
        if (known) continue;
        const std::string_view key = tree.key(i);
        return verdict.refuse_member(
            Code::kMALFORMED_MESSAGE,
            key.substr(0, valid_utf8_prefix(key.data(), std::min(key.size(), kShownBytes))),
            " is no member of a query");
    }
    return true;
}

}  // namespace

uint64_t mark_of(NameList list, std::string_view name, uint64_t seed) {
    if (list == NameList::kInputs || list == NameList::kOutputs) name = last_segment(name);
    const uint64_t hash = seeded_hash(name.data(), name.size(), seed + static_cast<uint64_t>(list));
    return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63);
}

uint64_t marks_of(const Capability &agent, uint64_t seed) {
    uint64_t marks = 0;
    for (const NameList list : {NameList::kVerbs, NameList::kTools, NameList::kInputs,
                                NameList::kOutputs, NameList::kTags})
        for (uint32_t i = 0; i < agent.count(list); ++i)
            marks |= mark_of(list, agent.at(list, i), seed);
    return marks;
}

bool CapabilityQuery::read(value::TreeView tree, uint32_t root, Verdict &verdict) {
    *this = {};
    tree_ = tree;
    if (tree[root].kind != ACCP_MAP)
        return verdict.refuse(Code::kMALFORMED_MESSAGE, "A query is a JSON object");
    const uint32_t query = tree.find(root, "query");
    if (!query) return verdict.refuse(Code::kMISSING_FIELD, "query is missing");
    if (!check_names(tree, root, kOuter, verdict)) return false;
    if (tree[query].kind != ACCP_MAP)
        return verdict.refuse(Code::kINVALID_TYPE, "query is not an object");
    find_members(tree, query, kQuery, nodes_);
    if (!check_names(tree, query, kQuery, verdict) || !check_shapes(tree, kQuery, nodes_, verdict))
        return false;
    if (nodes_[kConfidence]) min_confidence_ = read_number(text(kConfidence));
    if (nodes_[kThreshold]) threshold_ = std::clamp(read_number(text(kThreshold)), -2.0, 2.0);
    // as many as there can be, beyond that
    if (nodes_[kTop]) top_ = static_cast<uint64_t>(std::min(read_number(text(kTop)), 0x1p32));
    return true;
}

bool CapabilityQuery::has_criteria() const {
    return std::any_of(nodes_ + kVerb, nodes_ + kEmbedding, [](uint32_t node) { return node; });
}

template <class IsMet>
bool CapabilityQuery::all_of(int member, IsMet is_met) const {
    bool met = true;
    if (nodes_[member])
        each_text(tree_, nodes_[member], [&](std::string_view name) { met = met && is_met(name); });
    return met;
}

bool CapabilityQuery::matches(const Capability &agent) const {
    return (!nodes_[kVerb] || agent.has(NameList::kVerbs, text(kVerb))) &&
           (!nodes_[kTool] || agent.has(NameList::kTools, text(kTool))) &&
           (!nodes_[kOutput] || agent.has_segment(NameList::kOutputs, text(kOutput))) &&
           (!nodes_[kConfidence] || agent.confidence >= min_confidence_) &&
           all_of(kInputs, [&](auto name) { return agent.has_segment(NameList::kInputs, name); }) &&
           all_of(kTags, [&](auto name) { return agent.has(NameList::kTags, name); });
}

uint64_t CapabilityQuery::marks(uint64_t seed) const {
    uint64_t marks = 0;
    const auto mark = [&](NameList list, std::string_view name) {
        marks |= mark_of(list, name, seed);
        return true;
    };
    if (nodes_[kVerb]) mark(NameList::kVerbs, text(kVerb));
    if (nodes_[kTool]) mark(NameList::kTools, text(kTool));
    if (nodes_[kOutput]) mark(NameList::kOutputs, text(kOutput));
    (void)all_of(kInputs, [&](auto name) { return mark(NameList::kInputs, name); });
    (void)all_of(kTags, [&](auto name) { return mark(NameList::kTags, name); });
    return marks;
}

void CapabilityQuery::read_embedding(double *out) const {
    each_text(tree_, nodes_[kEmbedding],
              [&](std::string_view number) { *out++ = read_number(number); });
}

}  // namespace accp::plan
