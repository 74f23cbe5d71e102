// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks entries and lays each out in one block of memory.
#include "sacp/agents/capability.h"

#include <algorithm>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <new>

#include "text/words.h"
#include "value/json_writer.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

// Returns whether all elements of an array pass is_valid().
template <class IsValid>
bool are_all(value::TreeView tree, uint32_t array, IsValid is_valid) {
    if (tree[array].kind != ACCP_ARRAY) return false;
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next)
        if (!is_valid(i)) return false;
    return true;
}

// An integer of at least 1.
bool is_count(value::TreeView tree, uint32_t node) {
    return tree[node].kind == ACCP_INT && value::to_double(tree.string(node)) >= 1;
}

bool has_shape(value::TreeView tree, uint32_t node, MemberShape shape) {
    const auto is_text = [tree](uint32_t i) { return tree[i].kind == ACCP_STRING; };
    const auto is_finite = [tree](uint32_t i) {
        return value::is_number(tree[i].kind) && std::isfinite(value::to_double(tree.string(i)));
    };
    switch (shape) {
        case MemberShape::kText: return is_text(node);
        case MemberShape::kName: return is_text(node) && tree[node].len;
        case MemberShape::kTexts: return are_all(tree, node, is_text);
        case MemberShape::kNumber: return value::is_number(tree[node].kind);
        case MemberShape::kNumbers: return are_all(tree, node, is_finite);
        case MemberShape::kVector: return are_all(tree, node, is_finite) && tree[node].len;
        case MemberShape::kCount: return is_count(tree, node);
    }
    return false;
}

const char *fault_of(MemberShape shape) {
    switch (shape) {
        case MemberShape::kText: return " is not a string";
        case MemberShape::kName: return " is not a string or is empty";
        case MemberShape::kTexts: return " is not an array of strings";
        case MemberShape::kNumber: return " is not a number";
        case MemberShape::kNumbers: return " is not an array of numbers in the range of doubles";
        case MemberShape::kVector:
            return " is not an array of numbers in the range of doubles or is empty";
        case MemberShape::kCount: return " is not an integer of at least 1";
    }
    return "";
}

// Types are checked in this order. The first kRequired are required.
namespace entry {
enum Index {
    kName,
    kVerbs,
    kTools,
    kInputs,
    kOutputs,
    kDescription,
    kTags,
    kConfidence,
    kVersion,
    kLocation,
    kInterface,
    kEmbedding,
    kModel,
    kLease,
};
}  // namespace entry
constexpr size_t kRequired = 6;
constexpr MemberRule kEntry[] = {
    {"agent_name", MemberShape::kName},
    {"supported_verbs", MemberShape::kTexts},
    {"supported_tools", MemberShape::kTexts},
    {"inputs", MemberShape::kTexts},
    {"outputs", MemberShape::kTexts},
    {"description", MemberShape::kText},
    {"tags", MemberShape::kTexts},
    {"confidence_score", MemberShape::kNumber},
    {"version", MemberShape::kText},
    {"agent_location", MemberShape::kText},
    {"tool.interface", MemberShape::kText},
    {"embedding", MemberShape::kNumbers},
    {"embedding_model", MemberShape::kText},
    {"lease_until", MemberShape::kNumber},
};
// In the order of NameList.
constexpr entry::Index kLists[] = {entry::kVerbs, entry::kTools, entry::kInputs, entry::kOutputs,
                                   entry::kTags};
constexpr std::string_view kOtherName = "agent";

void write_member(value::TreeView tree, uint32_t node, std::string_view key, Buffer<char> &out) {
    if (out[out.size() - 1] != '{') out.push(',');
    value::write_json_string(key, out);
    out.push(':');
    value::write_json(tree, node, out);
}

}  // namespace

void find_members(value::TreeView tree, uint32_t map, std::span<const MemberRule> members,
                  uint32_t *nodes) {
    for (size_t m = 0; m < members.size(); ++m) nodes[m] = 0;
    for (uint32_t i = map + 1; i < tree[map].next; i = tree[i].next)
        for (size_t m = 0; m < members.size(); ++m)
            if (tree.key(i) == members[m].name) nodes[m] = i;
}

bool check_shapes(value::TreeView tree, std::span<const MemberRule> members, const uint32_t *nodes,
                  Verdict &verdict) {
    for (size_t m = 0; m < members.size(); ++m) {
        if (!nodes[m] || has_shape(tree, nodes[m], members[m].shape)) continue;
        return verdict.refuse_member(Code::kINVALID_TYPE, members[m].name,
                                     fault_of(members[m].shape));
    }
    return true;
}

bool Capability::has(NameList list, std::string_view name) const {
    for (uint32_t i = 0; i < count(list); ++i)
        if (at(list, i) == name) return true;
    return false;
}

bool Capability::has_segment(NameList list, std::string_view name) const {
    const bool is_whole = name.find('.') != std::string_view::npos;
    for (uint32_t i = 0; i < count(list); ++i)
        if ((is_whole ? at(list, i) : last_segment(at(list, i))) == name) return true;
    return false;
}

void Capability::read_embedding(double *out) const {
    const std::string_view text = embedding();
    for (size_t at = 0; at < text.size(); ++out) {
        const size_t end = std::min(text.find(',', at), text.size());
        *out = value::to_double(text.substr(at, end - at));
        at = end + 1;
    }
}

void Capability::write(Buffer<char> &out) const {
    out.append(json());
    if (lease_until == HUGE_VAL) return;
    out.resize_down(out.size() - 1);
    out.append(R"(,"lease_until":)");
    char *to = out.reserve(32);
    out.set_end(std::to_chars(to, to + 32, lease_until).ptr);
    out.push('}');
}

bool CapabilityReader::check(value::TreeView tree, uint32_t root, Verdict &verdict) {
    tree_ = tree;
    root_ = root;
    if (tree[root].kind != ACCP_MAP)
        return verdict.refuse(Code::kMALFORMED_MESSAGE, "An entry must be a JSON object");
    find_members(tree, root, kEntry, nodes_);
    if (const uint32_t other = tree.find(root, kOtherName)) {
        if (nodes_[entry::kName])
            return verdict.refuse(Code::kMALFORMED_MESSAGE,
                                  "Members agent and agent_name are both present: use one");
        nodes_[entry::kName] = other;
    }
    for (size_t m = 0; m < kRequired; ++m)
        if (!nodes_[m] && (m == entry::kName || m == entry::kDescription || !is_publication()))
            return verdict.refuse_member(Code::kMISSING_FIELD, kEntry[m].name, " is missing");
    return check_shapes(tree, kEntry, nodes_, verdict);
}

bool CapabilityReader::is_publication() const {
    return nodes_[entry::kEmbedding] && !nodes_[entry::kVerbs] && !nodes_[entry::kTools] &&
           !nodes_[entry::kInputs] && !nodes_[entry::kOutputs];
}

void CapabilityReader::add_text(std::string_view text) {
    spans_.push({static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(text.size())});
    text_.append(text);
    text_.push('\n');  // separates words
}

// Writes the name under "agent_name", whichever of its two keys it came with. Leaves out the lease,
// which is kept as a number because it changes.
void CapabilityReader::write_members() {
    json_.clear();
    json_.push('{');
    for (uint32_t i = root_ + 1; i < tree_[root_].next; i = tree_[i].next) {
        if (i == nodes_[entry::kLease]) continue;
        const size_t begin = json_.size();
        write_member(tree_, i, i == nodes_[entry::kName] ? kEntry[entry::kName].name : tree_.key(i),
                     json_);
        if (i != nodes_[entry::kEmbedding]) continue;
        embedding_at_ = static_cast<uint32_t>(json_.view().find('[', begin) + 1);
        embedding_len_ = static_cast<uint32_t>(json_.size() - 1 - embedding_at_);
    }
    json_.push('}');
}

Capability *CapabilityReader::allocate_entry() const {
    const size_t topics = topics_.size() * sizeof(uint64_t),
                 spans = spans_.size() * sizeof(Capability::Span);
    auto *made =
        new (memory_.allocate(sizeof(Capability) + topics + spans + text_.size() + json_.size()))
            Capability();
    made->topic_count_ = static_cast<uint32_t>(topics_.size());
    made->span_count_ = static_cast<uint32_t>(spans_.size());
    made->text_len_ = static_cast<uint32_t>(text_.size());
    made->json_len_ = static_cast<uint32_t>(json_.size());
    char *to = reinterpret_cast<char *>(made + 1);
    const auto put = [&to](const void *from, size_t size) {
        if (size) std::memcpy(to, from, size);
        to += size;
    };
    put(topics_.data(), topics);
    put(spans_.data(), spans);
    put(text_.data(), text_.size());
    put(json_.data(), json_.size());
    return made;
}

Capability *CapabilityReader::make() {
    spans_.clear();
    text_.clear();
    add_text(name());
    add_text(tree_.string(nodes_[entry::kDescription]));
    add_text(nodes_[entry::kModel] ? tree_.string(nodes_[entry::kModel]) : std::string_view());
    uint32_t begins[kNameLists + 1];
    for (size_t list = 0; list < kNameLists; ++list) {
        begins[list] = static_cast<uint32_t>(spans_.size());
        if (const uint32_t node = nodes_[kLists[list]])
            each_text(tree_, node, [this](std::string_view text) { add_text(text); });
    }
    begins[kNameLists] = static_cast<uint32_t>(spans_.size());
    topics_.clear();
    text::append_all_topics(text_.view(), topics_);
    write_members();
    Capability *made = allocate_entry();
    std::copy_n(begins, kNameLists + 1, made->list_begins_);
    made->has_model_ = nodes_[entry::kModel] != 0;
    if (const uint32_t node = nodes_[entry::kConfidence])
        made->confidence = value::to_double(tree_.string(node));
    if (const uint32_t node = nodes_[entry::kLease])
        made->lease_until = std::max(value::to_double(tree_.string(node)), -DBL_MAX);
    if (const uint32_t node = nodes_[entry::kEmbedding]) {
        made->dimension_ = tree_[node].len;
        made->embedding_at_ = embedding_at_;
        made->embedding_len_ = embedding_len_;
    }
    return made;
}

void CapabilityReader::write_merged(value::TreeView old, Buffer<char> &out) const {
    out.clear();
    out.push('{');
    for (uint32_t i = 1; i < old[0].next; i = old[i].next)
        if (old.key(i) != kEntry[entry::kEmbedding].name &&
            old.key(i) != kEntry[entry::kModel].name &&
            old.key(i) != kEntry[entry::kDescription].name)
            write_member(old, i, old.key(i), out);
    for (const entry::Index m : {entry::kDescription, entry::kEmbedding, entry::kModel})
        if (nodes_[m]) write_member(tree_, nodes_[m], kEntry[m].name, out);
    out.push('}');
}

void CapabilityReader::release(Capability *entry) noexcept {
    if (!entry) return;
    memory_.release(entry, sizeof(Capability) + entry->topic_count_ * sizeof(uint64_t) +
                               entry->span_count_ * sizeof(Capability::Span) + entry->text_len_ +
                               entry->json_len_);
}

}  // namespace accp::sacp
