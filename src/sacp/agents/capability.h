// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An agent's entry in the registry, read from JSON. Entries come from untrusted agents: each is
// checked completely before any of it is stored.
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "base/share.h"
#include "sacp/message/verdict.h"
#include "value/tree.h"

namespace accp::sacp {

enum class MemberShape : uint8_t { kText, kName, kTexts, kNumber, kNumbers, kVector, kCount };

struct MemberRule {
    std::string_view name;
    MemberShape shape;
};

// Stores the node of each member of `map`, 0 if it is absent. Keys must be unique.
void find_members(value::TreeView tree, uint32_t map, std::span<const MemberRule> members,
                  uint32_t *nodes);
// Refuses the first member with a wrong type as INVALID_TYPE.
bool check_shapes(value::TreeView tree, std::span<const MemberRule> members, const uint32_t *nodes,
                  Verdict &verdict);

// Calls use(text) for each element of an array of strings.
template <class Use>
void each_text(value::TreeView tree, uint32_t array, Use use) {
    for (uint32_t i = array + 1; i < tree[array].next; i = tree[i].next) use(tree.string(i));
}

// The lists of an entry.
enum class NameList : uint8_t { kVerbs, kTools, kInputs, kOutputs, kTags };
constexpr size_t kNameLists = 5;

// The last part of a dotted name: `history` of `ctx.history`.
inline std::string_view last_segment(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

class VectorTable;

// An entry in one block of memory together with its texts. The entry itself is constant; its lease,
// outcomes and registry fields change.
class Capability {
public:
    std::string_view name() const { return text(0); }
    bool has_model() const { return has_model_; }
    std::string_view model() const { return text(2); }

    uint32_t count(NameList list) const {
        return list_begins_[size_t(list) + 1] - list_begins_[size_t(list)];
    }
    std::string_view at(NameList list, uint32_t i) const {
        return text(list_begins_[size_t(list)] + i);
    }
    bool has(NameList list, std::string_view name) const;
    // Matches names of inputs and outputs: a name with a dot matches itself, a name without one
    // matches any name that ends with it as the last segment.
    bool has_segment(NameList list, std::string_view name) const;

    // The topics of its names and its description (text/words.h).
    std::span<const uint64_t> topics() const { return {topic_list(), topic_count_}; }

    uint32_t dimension() const { return dimension_; }
    // The numbers of the embedding as written, separated by commas. read_embedding() stores
    // `dimension` of them.
    std::string_view embedding() const { return json().substr(embedding_at_, embedding_len_); }
    void read_embedding(double *out) const;

    // The entry as compact JSON without its lease. write() appends it with the lease.
    std::string_view json() const { return {json_begin(), json_len_}; }
    void write(Buffer<char> &out) const;

    bool is_expired(double now) const { return now >= lease_until; }

    double confidence = 0;
    double lease_until = HUGE_VAL;  // seconds
    Share outcomes;                 // successful results out of all results
    // Fields of the registry.
    uint64_t registration = 0;       // consecutive
    uint64_t hash = 0;               // of the name
    uint64_t last_query = 0;         // the last query that already returned this agent
    VectorTable *vectors = nullptr;  // the table with its embedding, unless that is zero or absent
    uint32_t table_row = 0, vector_row = 0;

private:
    friend class CapabilityReader;
    struct Span {
        uint32_t at, len;
    };
    Capability() = default;

    const uint64_t *topic_list() const { return reinterpret_cast<const uint64_t *>(this + 1); }
    const Span *spans() const {
        return reinterpret_cast<const Span *>(topic_list() + topic_count_);
    }
    const char *texts() const { return reinterpret_cast<const char *>(spans() + span_count_); }
    const char *json_begin() const { return texts() + text_len_; }
    std::string_view text(uint32_t i) const { return {texts() + spans()[i].at, spans()[i].len}; }

    uint32_t list_begins_[kNameLists + 1] = {};  // spans: name, description, model, then the lists
    uint32_t topic_count_ = 0, span_count_ = 0, text_len_ = 0, json_len_ = 0;
    uint32_t embedding_at_ = 0, embedding_len_ = 0;  // in json()
    uint32_t dimension_ = 0;
    bool has_model_ = false;
};

// Reads entries. Free each result with release().
class CapabilityReader {
public:
    explicit CapabilityReader(Memory &memory)
        : memory_(memory), topics_(memory), spans_(memory), text_(memory), json_(memory) {}

    // Checks that node `root` is an entry or a publication. Returns false with the reason in
    // `verdict`. The tree must stay valid for the calls below.
    bool check(value::TreeView tree, uint32_t root, Verdict &verdict);
    std::string_view name() const { return tree_.string(nodes_[0]); }
    // Returns whether it is only an embedding for a registered agent.
    bool is_publication() const;

    Capability *make();
    // Writes the JSON of an entry after the checked publication is applied. `old` is the parsed
    // json() of that entry.
    void write_merged(value::TreeView old, Buffer<char> &out) const;

    void release(Capability *entry) noexcept;

private:
    void add_text(std::string_view text);
    void write_members();
    Capability *allocate_entry() const;

    Memory &memory_;
    value::TreeView tree_ = {};
    uint32_t root_ = 0;
    uint32_t nodes_[14] = {};
    uint32_t embedding_at_ = 0, embedding_len_ = 0;  // in json_
    Buffer<uint64_t> topics_;
    Buffer<Capability::Span> spans_;
    Buffer<char> text_, json_;
};

}  // namespace accp::sacp
