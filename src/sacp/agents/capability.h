// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What an agent can do: its entry, read from JSON, as the registry keeps it. Entries come from
// agents that nobody trusts: each is checked whole before anything of it is kept.
#pragma once

#include <cmath>

#include "base/share.h"
#include "sacp/agents/capability_members.h"

namespace accp::plan {

// The lists of an entry.
enum class NameList : uint8_t { kVerbs, kTools, kInputs, kOutputs, kTags };
constexpr size_t kNameLists = 5;

// The last part of a dotted name: `history` of `ctx.history`.
inline std::string_view last_segment(std::string_view name) {
    return name.substr(name.rfind('.') + 1);
}

class VectorTable;

// In one block of memory with its texts. What it says does not change; a lease, outcomes and its
// place in the registry do.
class Capability {
public:
    std::string_view name() const { return text(0); }
    std::string_view description() const { return text(1); }
    bool has_model() const { return has_model_; }
    std::string_view model() const { return text(2); }

    uint32_t count(NameList list) const {
        return begins_[size_t(list) + 1] - begins_[size_t(list)];
    }
    std::string_view at(NameList list, uint32_t i) const { return text(begins_[size_t(list)] + i); }
    bool has(NameList list, std::string_view name) const;
    // By the rules of inputs and outputs: a name with a dot means itself, another each name whose
    // last segment it is.
    bool has_segment(NameList list, std::string_view name) const;

    // What all its names and its description speak of (text/words.h).
    std::span<const uint64_t> topics() const { return {topic_list(), topic_count_}; }

    uint32_t dimension() const { return dimension_; }
    // The numbers of its embedding as they were written, with commas between; and read, into
    // `dimension` places.
    std::string_view embedding() const { return json().substr(embedding_at_, embedding_len_); }
    void read_embedding(double *out) const;

    // The entry as compact JSON, without its lease. With it, appended: write().
    std::string_view json() const { return {json_begin(), json_len_}; }
    void write(Buffer<char> &out) const;

    bool is_gone(double now) const { return now >= lease_until; }

    double confidence = 0;
    double lease_until = HUGE_VAL;  // seconds
    Share outcomes;                 // so many results, of them so many good
    // the registry's own
    uint64_t number = 0;  // of its registration, in their order
    uint64_t hash = 0;    // of its name
    uint64_t asked = 0;   // the last question that found it by what it can do
    VectorTable *vectors =
        nullptr;  // where its embedding lies; none: it has none, or a zero vector
    uint32_t place = 0, row = 0;

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

    uint32_t begins_[kNameLists + 1] = {};  // spans: name, description, model, then the lists
    uint32_t topic_count_ = 0, span_count_ = 0, text_len_ = 0, json_len_ = 0;
    uint32_t embedding_at_ = 0, embedding_len_ = 0;  // in json()
    uint32_t dimension_ = 0;
    bool has_model_ = false;
};

// Reads entries. Those it makes are freed by release().
class CapabilityReader {
public:
    explicit CapabilityReader(Memory &memory)
        : memory_(memory), topics_(memory), spans_(memory), text_(memory), json_(memory) {}

    // Is node `root` an entry, or a publication, in the words of the rules? False: `verdict` says
    // why not. All calls after it are about this value, which must stay.
    bool check(value::TreeView tree, uint32_t root, Verdict &verdict);
    std::string_view name() const { return tree_.string(nodes_[0]); }
    // An embedding for an agent that is there already, and no more.
    bool is_publication() const;

    Capability *make();
    // What an entry becomes with the publication that was checked, as JSON: of `old`, which is the
    // entry's json() as a value.
    void merge(value::TreeView old, Buffer<char> &out) const;

    void release(Capability *entry) noexcept;

private:
    void add_text(std::string_view text);
    void write_members();
    Capability *lay_down() const;

    Memory &memory_;
    value::TreeView tree_ = {};
    uint32_t root_ = 0;
    uint32_t nodes_[14] = {};
    uint32_t embedding_at_ = 0, embedding_len_ = 0;  // in json_
    Buffer<uint64_t> topics_;
    Buffer<Capability::Span> spans_;
    Buffer<char> text_, json_;
};

}  // namespace accp::plan
